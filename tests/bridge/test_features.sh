#!/bin/sh
# igpu features: the same numbers from a trace and from the emulator while it runs, of
# every run and number of host threads; samples; one clear line for each misuse.
# tests/run: timeout=120
. tests/support/cli.sh
mkdir -p "$IGPU_TMP"
t=$IGPU_TMP/live.pb

both() { # both NAME OPTION...: recorded and then read, and while it runs
    name=$1
    shift
    "$igpu" record --quiet -o "$t" "$@" && "$igpu" features --csv "$IGPU_TMP/trace.csv" "$t" &&
        "$igpu" features --csv "$IGPU_TMP/live.csv" "$@" &&
        "$igpu" features --csv "$IGPU_TMP/two.csv" --threads 2 "$@" &&
        cmp "$IGPU_TMP/trace.csv" "$IGPU_TMP/live.csv" && cmp "$IGPU_TMP/live.csv" "$IGPU_TMP/two.csv"
    report $? "$name: a trace, and the emulator with one host thread and two"
}
k=traces/kernels
both matmul_tiled -k matmul_tiled -g 96,96 -l 16,16 --arg buf:36K:randf32:1 --arg buf:36K:randf32:2 \
    --arg buf:36K --arg i32:96 $k/matmul.cl
both triad -k triad -g 131072 -l 256 --repeat 2 --arg buf:512K:randf32:1 --arg buf:512K:randf32:2 \
    --arg buf:512K --arg f32:2 $k/stream.cl
both collatz -k collatz -g 4096 -l 64 --arg buf:16K:iota --arg buf:16K --arg u32:200 $k/diverge.cl
both chase_n -k chase_n -g 336 -l 1 --arg buf:1344K:chase:2:336 --arg buf:1344 --arg u32:4096 \
    --arg u32:300 $k/chase.cl

"$igpu" features --list >"$IGPU_TMP/list" && [ "$(grep -c '^| `' "$IGPU_TMP/list")" -ge 174 ]
report $? "at least 174 features"

# A sample: exact sums where all groups are alike.
"$igpu" record --quiet -o "$t" -k copy -g 1048576 -l 256 --arg buf:4M --arg buf:4M $k/stream.cl
"$igpu" features --csv "$IGPU_TMP/all.csv" "$t" && "$igpu" features --sample 672 --csv "$IGPU_TMP/part.csv" "$t"
cut -d, -f27-60 "$IGPU_TMP/all.csv" >"$IGPU_TMP/all.mix" && cut -d, -f27-60 "$IGPU_TMP/part.csv" | cmp - "$IGPU_TMP/all.mix"
report $? "a sample's mix of instructions is that of all"

# The same groups of a kernel that runs, in eight pieces, in two and in one.
for sample in 1344 336 168 20; do
    "$igpu" features --sample $sample --csv "$IGPU_TMP/part.csv" "$t" &&
        "$igpu" features --sample $sample --csv "$IGPU_TMP/live.csv" -k copy -g 1048576 -l 256 \
            --arg buf:4M --arg buf:4M $k/stream.cl && cmp "$IGPU_TMP/part.csv" "$IGPU_TMP/live.csv"
    report $? "a sample of $sample threads: a trace, and the emulator"
done

expect 2 "no input" "$igpu" features
expect 2 "a sample of nothing" "$igpu" features --sample 0 "$t"
expect 2 "a sample that is no number" "$igpu" features --sample=many "$t"
expect 2 "an option without its value" "$igpu" features --csv
expect 2 "a place that cannot be written" "$igpu" features --csv /nonexistent/x.csv "$t"
expect 2 "a trace to write" "$igpu" features -k copy -g 64 -l 64 --arg buf:256 --arg buf:256 -o x.pb $k/stream.cl
expect 3 "a trace that is not there" "$igpu" features "$IGPU_TMP/none.pb"
head -c 700 "$t" >"$IGPU_TMP/cut.pb"
expect 3 "a trace that is cut" "$igpu" features "$IGPU_TMP/cut.pb"
exit $failures
