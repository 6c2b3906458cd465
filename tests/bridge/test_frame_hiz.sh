#!/usr/bin/env bash
# test_frame_hiz.sh - tests by hierarchical depth, counted and in time, of frames whose
# blocks must pass, fail or be left to their pixels (docs/contract/frames.md, "Hierarchical
# depth"). 128x96 pixels are 384 blocks of 8x4.
. tests/support/cli.sh
. tests/bridge/graphics/mesa.sh
t=$IGPU_TMP
build_program hidden

expect 0 "thirteen frames are captured" "$igpu" gl -o "$t/f.igf" -- "$t/hidden"
expect 0 "and without hierarchical depth" env INTEL_DEBUG=nohiz "$igpu" gl -o "$t/n.igf" -- "$t/hidden"
# counted FRAME WHAT NAME VALUE...: the frame's counters of hierarchical depth
counted() {
    local frame=$1 what=$2 bad=0
    shift 2
    "$igpu" frame render --frame $frame --counters -o "$t/$frame.png" "$t/f.igf" >"$t/counters"
    while [ $# -gt 0 ]; do
        grep -q "^$1,$2," "$t/counters" || { echo "# $(grep "^$1," "$t/counters"), not $2" && bad=1; }
        shift 2
    done
    report $bad "$what"
    "$igpu" frame render --frame $frame -o "$t/n.png" "$t/n.igf"
    cmp "$t/$frame.png" "$t/n.png"
    report $? "$what: the picture is that without"
}
none="hiz_stale 0 hiz_unknown 0 hiz_clear 384"
counted 1 "front to back: all that is behind fails" $none hiz_draws 2 hiz_blocks 768 hiz_passed 384 \
    hiz_failed 384 hiz_pixels_failed 12288 hiz_depth_tests 24576 ps_invocations 12288
counted 2 "back to front: nothing does" $none hiz_blocks 768 hiz_passed 768 hiz_failed 0 \
    hiz_depth_tests 24576 ps_invocations 24576
counted 3 "through each other: a column of blocks has both" $none hiz_passed 576 hiz_failed 168 \
    hiz_ambiguous 24 hiz_depth_tests 23808
counted 4 "a part of nine blocks, one of them whole" $none hiz_blocks 393 hiz_passed 384 hiz_failed 1 \
    hiz_ambiguous 8 hiz_pixels_failed 32
counted 5 "depths of 16 bits" $none hiz_passed 384 hiz_failed 384
counted 6 "equal depths are left to the pixels" $none hiz_passed 384 hiz_ambiguous 384
counted 7 "stencil that keeps what it has" $none hiz_failed 384 hiz_stencil_tests 12288
counted 8 "stencil that counts what fails: no block may" $none hiz_failed 0 hiz_ambiguous 384 \
    hiz_stencil_tests 0
counted 9 "tests behind the shader: what is hidden is left out before it" $none hiz_draws 2 hiz_blocks 768 \
    hiz_failed 384 early_killed 12288 late_depth_tested 0 ps_invocations 12288
counted 10 "and what is not is tested behind it" $none hiz_draws 2 hiz_ambiguous 384 hiz_passed 384 \
    early_killed 0 late_depth_tested 12288 ps_invocations 24576
counted 11 "a shader that computes depth knows no blocks" $none hiz_draws 1 hiz_blocks 384 late_depth_passed 12288
counted 12 "half of a draw is left out" $none hiz_failed 192 hiz_ambiguous 192 early_killed 6144 \
    late_depth_tested 6144 late_killed 0
counted 13 "of each of four samples" $none hiz_failed 192 hiz_ambiguous 192 early_killed 6144 \
    late_depth_tested $((4 * 6144)) late_killed 0 ps_invocations 18432

for frame in 1 2 3 4 5 6 7 8 9 10 11 12 13; do
    "$igpu" frame trace --frame $frame -o "$t/$frame.pb" "$t/f.igf" >"$t/out" &&
        grep -q "; 0 of [0-9]* messages" "$t/out" && ! grep -q 'left out' "$t/out"
    report $? "frame $frame: recorded, with all of its lines"
    expect 0 "frame $frame: the trace is whole" "$igpu" trace verify "$t/$frame.pb"
    expect 0 "frame $frame: RTL and C reference agree" "$vigpu" --check "$t/$frame.pb"
done
expect 0 "on two slices" "$vigpu" -c kbl-gt3e --check "$t/3.pb"
expect 0 "with a small cache" "$vigpu" --check -s ds.cache_bytes=512 -s ds.cache_ways=2 "$t/3.pb"
for frame in 1 3; do
    expect 0 "frame $frame: recorded without" "$igpu" frame trace --no-hiz --frame $frame \
        -o "$t/no$frame.pb" "$t/f.igf"
done

# of FRAME PART WHAT [OPTION...]
of() {
    "$igpu" ref --json - "${@:4}" "$t/$1.pb" | python3 -c '
import json, sys
print(json.load(sys.stdin)[sys.argv[1]][sys.argv[2]])' "$2" "$3"
}
cycles() {
    "$igpu" ref "${@:2}" "$t/$1.pb" | awk '$1 == "cycles" {print $2}'
}
# is VALUE WANTED WHAT
is() {
    [ "$1" = "$2" ] || echo "# $1, not $2"
    [ "$1" = "$2" ]
    report $? "$3"
}
is "$(of 1 ff hiz_cycles)" 384 "768 blocks, two a cycle"
is "$(of 1 ff hiz_cycles -s ff.hiz_blocks=1)" 768 "one a cycle"
is "$(of 1 ff hiz_cycles -s ff.hiz_blocks=0)" 0 "as many as there are"
is "$(of 1 ff test_cycles)" 0 "no pixel is tested"
is "$(of 9 ff test_cycles)" 0 "nor of those that are left out before a shader"
[ "$(cycles 9)" -lt "$(cycles 10)" ]
report $? "which takes less time than to shade them"
is "$(of 3 ff test_cycles)" $((24 * 32 / 16)) "but those of the column that has both"
is "$(of no1 ff hiz_cycles)" 0 "recorded without, no block is"
is "$(of no1 ff test_cycles)" $((24576 / 16)) "and all pixels are"
is "$(cycles 1 -s ff.tests=1)" "$(cycles 1)" "the pixels' rate is not felt"
[ "$(cycles no1 -s ff.tests=1)" -gt 24576 ] && [ "$(cycles 1)" -lt "$(cycles no1)" ]
report $? "where they are tested it is, and what is hidden takes time"
# Two threads for each line of 4x4 pixels and for each block, whose note is touched with
# its test and its first pixel (a cleared one), and again with the block's last one. The
# latter's are told with the next row's first thread, of which one in four is in another
# line of notes.
notes=$((384 + 23 * 16 - 18 + 16 + 96 + 96))
is "$(of 1 ds notes)" $notes "lines of notes: clear, first and last pixel of a block, and what fails"
is "$(of 1 ds lines)" $((1536 + notes)) "lines of depth: those that are written"
is "$(of no1 ds lines)" $((96 + 1536 + 768)) "without: those that are hidden besides"
big="-s ds.cache_bytes=1048576"
is "$(of 1 ds misses $big)" $((768 + 96)) "each line once, in a cache that holds all"
is "$(($(of no1 l3 reads $big) - $(of 1 l3 reads $big)))" 672 "no line of depth is fetched, but those of notes"
expect 2 "a trace has what it has" "$igpu" frame time --no-hiz "$t/1.pb"
