#!/bin/sh
# ./Vigpu --execute --rtl-values as a user calls it: a launch computed in RTL has the
# buffers and cycles of one that is not; where it cannot be, it says why.
. tests/support/cli.sh
mkdir -p "$IGPU_TMP"
launch=$IGPU_TMP/mad.pb

"$igpu" record --quiet -k mad_sp -g 448 -l 32 -O -DSIMD=32 --arg buf:1792 \
    --arg i32:2 --arg f32:0.9990234375 --arg f32:0.125 --launch "$launch" traces/kernels/mad.cl
report $? "a launch file"

for engine in rtl ref; do
    "$vigpu" --engine $engine --execute "$launch" >"$IGPU_TMP/without" &&
        "$vigpu" --engine $engine --execute --rtl-values "$launch" >"$IGPU_TMP/with"
    report $? "runs, engine $engine"
    grep -q '^values  .* instructions in RTL .* equal' "$IGPU_TMP/with"
    report $? "says what was compared"
    for line in cycles buffer instructions; do
        grep "^$line" "$IGPU_TMP/without" >"$IGPU_TMP/a" && grep "^$line" "$IGPU_TMP/with" |
            cmp -s - "$IGPU_TMP/a"
        report $? "the same $line"
    done
done

expect 2 "needs --execute" "$vigpu" --rtl-values "$launch"
says "and says so" 'use it with --execute'
expect 2 "needs the RTL" "$igpu" ref --execute --rtl-values "$launch"
says "and says so" 'has no RTL engine'
exit $failures
