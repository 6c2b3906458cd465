#!/usr/bin/env bash
# test_fuzzing.sh - each fuzzing target from its seeds, the same inputs in every run: 500, of
# captures, which take 20 ms each, 150 (with --long new ones for 60 seconds): every parser
# that reads what others wrote, and the OpenCL driver. A commit has half of the targets, by
# its number, --long all. `make fuzz` looks for what these do not reach.
# tests/run: timeout=1800 slow builds
. tests/support/cli.sh
mkdir -p "$IGPU_TMP"
inputs_of() {
    [ "$1" = render ] && echo 150 || echo 500
}
half=$(part_of 2) number=0 targets=''
for file in tests/fuzzing/fuzz_*.c; do
    name=$(basename "$file" .c)
    [ -z "${IGPU_LONG:-}" ] && ((number++ % 2 != half)) || targets+=" ${name#fuzz_}"
done
if [ "${1-}" = build ]; then
    BUILD=$IGPU_BUILD tests/fuzzing/build sanitized -O0 fuzz-targets FUZZ_TARGETS="$targets" >&2
    exit
fi
status=0
for name in $targets; do
    how="--inputs $(inputs_of "$name")"
    [ -z "${IGPU_LONG:-}" ] || how=60
    # shellcheck disable=SC2086 # words
    BUILD=$IGPU_BUILD tests/fuzzing/run $how "$name" || status=1
done >"$IGPU_TMP/fuzz.out" 2>&1
sed 's/^/# /' "$IGPU_TMP/fuzz.out"
report $status "no target fails"
for name in $targets; do
    inputs=$(sed -n "s/^$name  *\([0-9]*\) inputs.*/\1/p" "$IGPU_TMP/fuzz.out")
    [ "${inputs:-0}" -ge "$(inputs_of "$name")" ] && [ -n "$(ls "tests/fuzzing/corpus/$name")" ]
    report $? "$name has seeds and runs: ${inputs:-0} inputs"
done
[ "$(du -sk --apparent-size tests/fuzzing/corpus | cut -f1)" -lt 600 ]
report $? "the seeds are small"
exit $failures
