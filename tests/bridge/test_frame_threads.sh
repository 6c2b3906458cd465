#!/usr/bin/env bash
# test_frame_threads.sh - draws and dispatches on several host threads (IGPU_HOST_THREADS;
# csim/gfx/gfx_queue.c, gfx_ahead.c, gfx_compute.c): pictures, counters, counters of draws, maps of overdraw
# and traces are those of one, with the translator and without. Of the scenes, whose draws are
# small, and of dispatches one way; by the commit three threads of crowds or its trace (with
# --long all). Translations are the cache's, where others have made them: test_jit_frames makes
# its own.
# tests/run: timeout=600 slow
. tests/support/cli.sh
. tests/bridge/graphics/mesa.sh
t=$IGPU_TMP

build_program crowds
build_program scenes
mkdir -p "$t/scenes.our"
expect 0 "crowds: a capture" "$igpu" gl -o "$t/crowds.igf" -- "$t/crowds" "$t/crowds.ppm"
expect 0 "scenes: a capture" "$igpu" gl -o "$t/scenes.igf" -- "$t/scenes" "$t/scenes.our"
build_program compute
dispatches="tiles sums odd_groups spilled"
for scene in $dispatches; do # each in a capture, whose picture shows what it wrote
    expect 0 "$scene: a capture" "$igpu" gl -o "$t/$scene.igf" -- "$t/compute" "$t/scenes.our" "$scene"
done
for capture in crowds scenes $dispatches; do
    ways="2.off 2.now"
    [ -z "${IGPU_LONG-}" ] && [ "$(part_of 2)" = 1 ] || ways="$ways 3.off"
    [ $capture = crowds ] || [ -n "${IGPU_LONG-}" ] || ways=2.now
    for way in 1.off $ways; do
        expect 0 "$capture, threads and IGPU_JIT $way" env IGPU_HOST_THREADS=${way%.*} IGPU_JIT=${way#*.} \
            "$igpu" frame render --counters --draws "$t/$way.csv" --overdraw "$t/$way.map.png" -o "$t/$way.png" "$t/$capture.igf"
        sed "s/$way\.//" "$t/out" >"$t/$way.counters"
    done
    for way in $ways; do
        for what in png counters csv map.png; do
            cmp "$t/1.off.$what" "$t/$way.$what"
            report $? "$capture, $way: the same $what as on one thread"
        done
    done
done
traced="1 2"
[ -n "${IGPU_LONG-}" ] || [ "$(part_of 2)" = 1 ] || traced=""
for threads in $traced; do
    expect 0 "crowds: a trace on $threads" env IGPU_HOST_THREADS=$threads "$igpu" frame trace -o "$t/$threads.pb" "$t/crowds.igf"
done
if [ -n "$traced" ]; then
    cmp "$t/1.pb" "$t/2.pb"
    report $? "crowds: the same trace"
fi
expect 2 "another IGPU_HOST_THREADS" env IGPU_HOST_THREADS=none "$igpu" frame render -o "$t/never.png" "$t/scenes.igf"
grep -q 'IGPU_HOST_THREADS=none: expected a whole number of at least 1' "$t/err" && [ ! -e "$t/never.png" ]
report $? "is told"
exit $failures
