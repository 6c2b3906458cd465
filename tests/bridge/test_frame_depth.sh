#!/usr/bin/env bash
# test_frame_depth.sh - the lines of depth that a frame's tests touch, in its trace and in
# time (docs/contract/fixed-functions.md, "Depth and stencil"). 128x96 pixels of 32 bits in Y tiles are 768
# lines of 4x4 pixels; threads of 8x2 pixels touch two each, and each line twice. Those of
# hierarchical depth are test_frame_hiz.sh's.
. tests/support/cli.sh
. tests/bridge/graphics/mesa.sh
t=$IGPU_TMP
build_program deep

expect 0 "three frames are captured" "$igpu" gl -o "$t/f.igf" -- "$t/deep"
n=0
for frame in early late cleared; do
    n=$((n + 1))
    expect 0 "$frame: recorded" "$igpu" frame trace --no-hiz --frame $n -o "$t/$frame.pb" "$t/f.igf"
    grep -q "^frame $n: [12] draws, .*; 0 of [0-9]* messages" "$t/out" && ! grep -q 'left out' "$t/out"
    report $? "$frame: all of its lines"
    expect 0 "$frame: with hierarchical depth" "$igpu" frame trace --frame $n -o "$t/hiz$frame.pb" "$t/f.igf"
    grep -q "^frame $n: [12] draws, .*; 0 of [0-9]* messages" "$t/out" && ! grep -q 'left out' "$t/out"
    report $? "$frame: all of its lines then too"
    expect 0 "$frame: the trace is whole" "$igpu" trace verify "$t/$frame.pb"
    expect 0 "$frame: RTL and C reference agree" "$vigpu" --check "$t/$frame.pb"
    expect 0 "$frame: with a small cache too" "$vigpu" --check -s ds.cache_bytes=512 \
        -s ds.cache_ways=2 "$t/$frame.pb"
    expect 0 "$frame: and without any" "$vigpu" --check -s ds.cache_bytes=0 "$t/$frame.pb"
done
expect 0 "on two slices" "$vigpu" -c kbl-gt3e --check "$t/early.pb"

# ds FRAME WHAT [OPTION...]
ds() {
    "$igpu" ref --json - "${@:3}" "$t/$1.pb" | python3 -c '
import json, sys
print(json.load(sys.stdin)["ds"][sys.argv[1]])' "$2"
}
for frame in early late; do
    [ "$(ds $frame lines)" = 1536 ]
    report $? "$frame: each line twice"
    [ "$(ds $frame misses -s ds.cache_bytes=65536)" = 768 ]
    report $? "$frame: fetched once by a cache that holds all"
    misses=$(ds $frame misses)
    [ "$misses" -ge 768 ] && [ "$(ds $frame writebacks)" = "$((misses - 256))" ]
    report $? "$frame: what the cache did not hold at the end was written back"
    [ "$(ds $frame misses -s ds.cache_bytes=512 -s ds.cache_ways=8)" -gt 1400 ]
    report $? "$frame: a cache of less than a row of threads holds next to nothing"
    [ "$(ds $frame lines -s ds.cache_bytes=0)" = 0 ]
    report $? "$frame: none without a cache"
done
[ "$(ds cleared lines)" = "$((96 + 1536))" ]
report $? "a clear's lines are those of hierarchical depth, 8x16 pixels each"
expect 0 "a program without hierarchical depth" env INTEL_DEBUG=nohiz "$igpu" gl -o "$t/n.igf" -- "$t/deep"
expect 0 "its clear, recorded" "$igpu" frame trace --frame 3 -o "$t/nohiz.pb" "$t/n.igf"
[ "$(ds nohiz lines)" = "$((768 + 1536))" ]
report $? "it writes those of depth, with the next draw's, as no pixel shader ran for it"
# Its memory is new: what is noted of it is resolved first, all 96 lines of notes. A late draw
# asks its 16x24 blocks before its shader, each once; nothing is noted of them, nor after it.
[ "$(ds hizlate notes)" = $((96 + 384)) ] && [ "$(ds hizlate lines)" = $((96 + 384 + 1536)) ]
report $? "a resolve of notes writes them, and late draws read them"
expect 0 "and both engines agree" "$vigpu" --check "$t/hizlate.pb"
