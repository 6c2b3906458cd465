#!/usr/bin/env bash
# test_frame_cut.sh - `igpu frame cut`: frames by themselves have the pictures, counters
# and cycles that they have in the capture; damaged files.
. tests/support/cli.sh
. tests/bridge/graphics/mesa.sh
t=$IGPU_TMP
build_program kept
expect 0 "four frames that need each other" "$igpu" gl -o "$t/k.igf" -- "$t/kept"
grep -q '^1 written' "$t/out"
report $? "a query over two frames"

# look NAME FILE FRAME: all that is told of a frame, as $t/NAME.*
look() {
    "$igpu" frame render --frame "$3" --counters -o "$t/$1.png" --draws "$t/$1.csv" --overdraw "$t/$1.h.png" \
        "$2" >"$t/$1.counters" &&
        "$igpu" frame time --frame "$3" --csv "$2" >"$t/$1.time" &&
        "$igpu" frame trace --frame "$3" -o "$t/$1.pb" "$2" >"$t/$1.trace" &&
        "$igpu" ref --json "$t/$1.json" "$t/$1.pb" >"$t/$1.ref"
}
# same A B WHAT
same() {
    local bad=0 of end
    # A trace and its statistics name the file, and the frame; all else is the same.
    for of in $1 $2; do
        sed -i 's/frame [0-9]*//' "$t/$of.trace"
        sed -i 's/"host":.*//; /"\(source\|trace\|seconds\|path\)"/d; /per CPU second/d' "$t/$of.json" "$t/$of.ref"
    done
    for end in png csv h.png counters time trace ref json; do
        cmp "$t/$1.$end" "$t/$2.$end" || bad=1
    done
    report $bad "$3"
}
for frame in 1 2 3 4; do
    look "all$frame" "$t/k.igf" $frame
    report $? "frame $frame in its capture"
    expect 0 "cut out" "$igpu" frame cut --frame $frame -o "$t/$frame.igf" "$t/k.igf"
    expect 0 "verified" "$igpu" frame verify "$t/$frame.igf"
    look "one$frame" "$t/$frame.igf" 1
    same "all$frame" "one$frame" "frame $frame: pictures, counters, draws, cycles"
done
grep -q '^hiz_failed,[1-9]' "$t/one2.counters"
report $? "notes on depth of frames before are there"
expect 0 "four more that draw nothing" "$igpu" gl -o "$t/s.igf" -- "$t/kept" still
expect 0 "their picture" "$igpu" frame render -o "$t/still.png" "$t/s.igf"
cmp "$t/still.png" "$t/all4.png"
report $? "is that of the last one that draws"
cmp -s "$t/all2.png" "$t/all3.png"
[ $? = 1 ]
report $? "and frames differ"
expect 0 "two frames" "$igpu" frame cut --frame 2-3 -o "$t/23.igf" "$t/k.igf"
expect 0 "info" "$igpu" frame info "$t/23.igf"
grep -q '^frames    2 to 3 of a longer capture' "$t/out" && grep -q '^frame 2 ' "$t/out"
report $? "tells which"
look two "$t/23.igf" 2
same all3 two "the second is frame 3"
expect 0 "of these the second" "$igpu" frame cut -o "$t/of.igf" "$t/23.igf"
look of "$t/of.igf" 1
same all3 of "is frame 3, too"
"$igpu" frame info "$t/of.igf" | grep -q '^frames    3 to 3 of a longer capture'
report $? "and says so"
expect 0 "dump" "$igpu" frame dump "$t/2.igf"
grep -q '^state of [1-9][0-9]* bytes' "$t/out"
report $? "dump has the state"
expect 0 "the same again" "$igpu" frame cut --frame 2 -o "$t/2b.igf" "$t/k.igf"
cmp "$t/2.igf" "$t/2b.igf"
report $? "gives the same file"

# ---- errors ------------------------------------------------------------------
expect 2 "no output" "$igpu" frame cut "$t/k.igf"
expect 2 "frames that are none" "$igpu" frame cut --frame 3-2 -o "$t/x.igf" "$t/k.igf"
says "what is expected" 'expected N or N-M, M not below N'
expect 2 "a number that is none" "$igpu" frame cut --frame 2x -o "$t/x.igf" "$t/k.igf"
expect 2 "a frame behind the last" "$igpu" frame cut --frame 2-5 -o "$t/x.igf" "$t/k.igf"
says "how many there are" 'the file has 4 frames'
head -c 900 "$t/2.igf" >"$t/cut.igf"
expect 3 "a file cut" "$igpu" frame cut -o "$t/x.igf" "$t/cut.igf"
# Its records with other words in the state, packed again: the form, and contexts.
cat >"$t/bend.py" <<'END'
import struct, subprocess, sys
source, to, at, value = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
data = open(source, "rb").read()
body = bytearray(subprocess.run(["zstd", "-dc"], input=data[16:], stdout=subprocess.PIPE, check=True).stdout)
state = 8 + struct.unpack_from("<I", body, 4)[0]
assert struct.unpack_from("<I", body, state)[0] == 7
struct.pack_into("<I", body, state + at, value)
packed = subprocess.run(["zstd", "-c"], input=bytes(body), stdout=subprocess.PIPE, check=True).stdout
open(to, "wb").write(data[:16] + packed)
END
if command -v zstd >/dev/null; then
    python3 "$t/bend.py" "$t/2.igf" "$t/bent.igf" 8 9
    expect 3 "a state of another form" "$igpu" frame render -o "$t/x.png" "$t/bent.igf"
    says "is told" "a pipeline's state that cannot be: its form"
    python3 "$t/bend.py" "$t/2.igf" "$t/bent.igf" 12 99999
    expect 3 "too many contexts" "$igpu" frame render -o "$t/x.png" "$t/bent.igf"
    says "are told" 'hardware contexts; cut the frame out again'
fi
printf 'igpufrm\n\002\0\0\0\0\0\0\0' | cat - <(tail -c +17 "$t/k.igf") >"$t/v2.igf"
expect 3 "a file without the state that it should have" "$igpu" frame verify "$t/v2.igf"
says "is damaged" 'a state that is not where one belongs'
[ ! -e "$t/x.igf" ] && [ ! -e "$t/x.png" ] && [ -z "$(ls "$t" | grep -E 'part$')" ]
report $? "nothing is left of what failed"
exit $failures
