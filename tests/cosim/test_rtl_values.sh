#!/bin/sh
# ./Vigpu --execute --rtl-values as a user calls it: a launch computed in RTL has the
# buffers and cycles of one that is not; where it cannot be, it says why. The same of
# `igpu frame render --rtl-values` and a frame's picture.
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

# A frame's shaders, by igpu-rtl beside igpu.
frame=tests/fuzzing/corpus/render/geometry.igf
expect 0 "a frame" "$igpu" frame render -o "$IGPU_TMP/without.png" "$frame"
expect 0 "a frame with its shaders in RTL" "$igpu" frame render --rtl-values \
    -o "$IGPU_TMP/with.png" "$frame"
grep -q '^values  .* instructions in RTL .* equal' "$IGPU_TMP/out" &&
    grep -q ' threads of shaders$' "$IGPU_TMP/out"
report $? "says what was compared"
cmp -s "$IGPU_TMP/without.png" "$IGPU_TMP/with.png"
report $? "the same picture"
cp "$igpu" "$IGPU_TMP/igpu"
expect 2 "needs igpu-rtl" "$IGPU_TMP/igpu" frame render --rtl-values "$frame"
says "and says so" 'make igpu-rtl$'
expect 2 "igpu-rtl alone has one command" "$IGPU_BUILD/bin/igpu-rtl" frame info "$frame"
exit $failures
