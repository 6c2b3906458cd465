#!/bin/sh
# ./Vigpu --check-values: every FPU result of real kernels, computed by the RTL from the
# operands that the emulator saw; and the cycles are those without it.
# What it cannot find: an operand that the emulator read from the wrong register.
# tests/run: timeout=1800 slow
. tests/support/cli.sh
mkdir -p "$IGPU_TMP/v"
threads=2
cases="mad_sp mad_dp mad_hp mad_int ext_native ext_precise ext_trig cvt_int cvt_float_small
    cvt_half_small double_ops half_ops_small bits div32 div64 div_dp int64 control median3"
[ -n "${IGPU_LONG:-}" ] && cases=all threads=0

if [ "$cases" = all ]; then
    "$igpu" suite --values --traces "$IGPU_TMP/v" traces/kernels/cases.yaml >"$IGPU_TMP/out"
    report $? "all kernels are recorded with their values"
else
    for name in $cases; do
        "$igpu" suite --case "$name" --traces "$IGPU_TMP/v" --values-threads $threads \
            traces/kernels/cases.yaml >"$IGPU_TMP/out" || { cat "$IGPU_TMP/out"; false; }
        report $? "$name is recorded with its values"
    done
fi
results=0 left=0
for trace in "$IGPU_TMP"/v/*.pb; do
    "$vigpu" --quiet --check-values "$trace" >"$IGPU_TMP/out" 2>"$IGPU_TMP/err"
    status=$?
    [ $status = 0 ] || { [ $status = 3 ] && grep -q 'no FPU values' "$IGPU_TMP/err"; } ||
        { cat "$IGPU_TMP/err"; false; }
    report $? "$(basename "$trace" .pb): the RTL's results are the emulator's"
    grep 'not covered' "$IGPU_TMP/out" | grep -v 'not in the trace' && left=$((left + 1))
    some=$(sed -n 's/^FPU values *\([0-9]*\) .*/\1/p' "$IGPU_TMP/out")
    results=$((results + ${some:-0}))
done
echo "# $results results compared"
[ $results -gt 20000 ]
report $? "there were many"
[ $left = 0 ]
report $? "and no instruction that the RTL does not compute"

one=$IGPU_TMP/v/mad_sp_simd16.pb
"$igpu" trace verify "$one" >/dev/null
report $? "the values belong to their paths"
"$igpu" trace info "$one" | grep -q '^FPU values .* instructions'
report $? "info tells how many there are"
"$igpu" trace dump --threads 0 "$one" | grep -q '^value: ins_uid .* src .* result'
report $? "dump prints them"

for trace in "$one" "$IGPU_TMP/v/ext_precise_simd8.pb"; do
    for option in --quiet --check-values "--check-values --threads 2"; do
        # shellcheck disable=SC2086
        "$vigpu" $option --json - "$trace" | sed '/"host"/,/}/d' >"$IGPU_TMP/json$option"
    done
    cmp "$IGPU_TMP/json--quiet" "$IGPU_TMP/json--check-values" &&
        cmp "$IGPU_TMP/json--quiet" "$IGPU_TMP/json--check-values --threads 2" &&
        grep -q '"cycles"' "$IGPU_TMP/json--quiet"
    report $? "$(basename "$trace" .pb): no cycle depends on the datapaths"
done

expect 3 "a trace without values" "$vigpu" --check-values traces/samples/mad_sp.pb
says "how to record them" "igpu record"
expect 2 "no RTL to check" "$igpu" ref --check-values "$one"
expect 2 "values without a trace" "$igpu" record --values -g 32 -l 32 x.cl
"$igpu" record --quiet -k mad_sp -g 64 -l 32 --arg buf:256 --arg i32:1 --arg f32:0.5 \
    --arg f32:0.5 --values-threads 1 --values-instructions 10 -o "$IGPU_TMP/few.pb" \
    traces/kernels/mad.cl
"$vigpu" --quiet --check-values "$IGPU_TMP/few.pb" >"$IGPU_TMP/out" &&
    grep -q 'of 10 instructions equal' "$IGPU_TMP/out" &&
    grep -q 'not covered .*not in the trace' "$IGPU_TMP/out"
report $? "the first instructions of the first thread"
exit $failures
