#!/usr/bin/env bash
# test_frame_packed.sh - compressed colour in time: a pass that halves a target of noise in
# squares, of which pairs of lines pack or not (docs/contract/frames.md, "Compressed
# colour"). 256x256 pixels are 4,096 lines, 2,048 pairs of 8x4 pixels.
. tests/support/cli.sh
. tests/bridge/graphics/mesa.sh
t=$IGPU_TMP
"${CC:-cc}" -std=c11 -O1 -Wall -Wextra -Werror -o "$t/packed" traces/workloads/packed.c -lEGL -lGLESv2
report $? "the program is compiled"
for square in 0 2 3 9; do
    expect 0 "square $square: two frames" "$igpu" gl -o "$t/f.igf" -- "$t/packed" $square 256
    expect 0 "the second one as a trace" "$igpu" frame trace --frame 2 -o "$t/$square.pb" "$t/f.igf"
done
# of SQUARE PART WHAT [OPTION...]
of() {
    "$igpu" ref --json - "${@:4}" "$t/$1.pb" | python3 -c '
import json, sys
print(json.load(sys.stdin)[sys.argv[1]][sys.argv[2]])' "$2" "$3"
}
is() { # WHAT A B
    [ "$2" = "$3" ]
    report $? "$1: $2, must be $3"
}
is "noise: no pair" "$(of 0 tex packed)" 0
is "noise: each line is fetched" "$(of 0 gti reads)" 4096
is "one colour a pair: all" "$(of 3 tex packed)" "$(of 3 tex l1_accesses)"
is "half of the lines are fetched" "$(of 3 gti reads)" 2048
is "without it all" "$(of 3 gti reads -s ff.ccs=0)" 4096
is "one colour: of what noise writes one half is written" "$(of 9 rt writebacks)" $(($(of 0 rt writebacks) / 2))
is "and one half is spared" "$(of 9 rt spared)" "$(of 9 rt writebacks)"
cycles() {
    "$igpu" ref "${@:2}" "$t/$1.pb" | sed -n 's/^cycles *//p'
}
noise=$(cycles 0) packed=$(cycles 9)
[ -n "$noise" ] && [ "$packed" -lt $((noise * 95 / 100)) ]
report $? "which takes less time: $packed cycles of $noise"
is "and without as much" "$(cycles 9 -s ff.ccs=0)" "$noise"
two=$(of 2 gti reads)
[ $((2 * (4096 - two))) -gt $((4096 * 30 / 100)) ] && [ $((2 * (4096 - two))) -lt $((4096 * 40 / 100)) ]
report $? "two random colours a pair: 35 % of the pairs ($two lines)"
for square in 0 2 9; do
    expect 0 "square $square: RTL and C reference agree" "$vigpu" --check "$t/$square.pb"
done
"$igpu" frame info "$t/f.igf" >/dev/null && "$igpu" trace verify "$t/9.pb" >/dev/null
report $? "the trace is whole"
