#!/usr/bin/env bash
# test_frame_fill.sh - rectangles in one colour, whose threads nobody watches, are stored at
# once (csim/gfx/gfx_fill.c): pictures, counters and maps are those of each thread by itself,
# which run where cycles are laid (--heat).
. tests/support/cli.sh
. tests/bridge/graphics/mesa.sh
t=$IGPU_TMP
build_program fills
expect 0 "clears are captured" env INTEL_DEBUG=nofc,noccs "$igpu" gl -o "$t/f.igf" -- "$t/fills"
expect 0 "their cycles" "$igpu" frame time --csv "$t/f.igf"
cp "$t/out" "$t/times.csv"
for jit in off now; do
    for way in alone watched; do
        watch=()
        [ $way = alone ] || watch=(--times "$t/times.csv" --heat "$t/heat.pfm")
        expect 0 "$way, IGPU_JIT=$jit" env IGPU_JIT=$jit "$igpu" frame render --counters --draws "$t/$way.csv" \
            --overdraw "$t/$way.map.png" -o "$t/$way.png" "${watch[@]}" "$t/f.igf"
        grep , "$t/out" >"$t/$way.counters"
    done
    cmp "$t/alone.png" "$t/watched.png" && cmp "$t/alone.map.png" "$t/watched.map.png"
    report $? "the same picture, written as often"
    cmp "$t/alone.csv" "$t/watched.csv" && cmp "$t/alone.counters" "$t/watched.counters"
    report $? "and counted alike, draw by draw"
done
awk -F, '{ n[$1] = $2 } END { exit !(n["target_messages_replicated"] > 2000 && n["ps_threads16"] > 2000) }' \
    "$t/alone.counters"
report $? "most of it by messages of one colour"
