#!/usr/bin/env bash
# test_fuzzing.sh - each fuzzing target from its seeds, the same 500 inputs in every run
# (with --long new ones for 60 seconds): every parser that reads what others wrote, and the
# OpenCL driver. `make fuzz` looks for what these do not reach.
# tests/run: timeout=1800 slow
. tests/support/cli.sh
mkdir -p "$IGPU_TMP"
how='--inputs 500'
[ -z "${IGPU_LONG:-}" ] || how=60
BUILD=$IGPU_BUILD tests/fuzzing/run $how >"$IGPU_TMP/fuzz.out" 2>&1
status=$?
sed 's/^/# /' "$IGPU_TMP/fuzz.out"
report $status "no target fails"
for file in tests/fuzzing/fuzz_*.c; do
    name=$(basename "$file" .c)
    name=${name#fuzz_}
    inputs=$(sed -n "s/^$name  *\([0-9]*\) inputs.*/\1/p" "$IGPU_TMP/fuzz.out")
    [ "${inputs:-0}" -ge 500 ] && [ -n "$(ls "tests/fuzzing/corpus/$name")" ]
    report $? "$name has seeds and runs: ${inputs:-0} inputs"
done
[ "$(du -sk --apparent-size tests/fuzzing/corpus | cut -f1)" -lt 600 ]
report $? "the seeds are small"
exit $failures
