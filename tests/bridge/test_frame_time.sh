#!/usr/bin/env bash
# test_frame_time.sh - a frame's shaders recorded and timed: what is recorded is whole, RTL
# and C reference agree, and a slower part of the GPU is felt by the frames that it holds
# up and by no others (docs/contract/fixed-functions.md, "Timing").
. tests/support/cli.sh
. tests/bridge/graphics/mesa.sh
t=$IGPU_TMP
build_program timed
frames="samples fill arithmetic vertices" # and small, apart

expect 0 "six frames are captured" "$igpu" gl -o "$t/f.igf" -- "$t/timed"
n=0
for frame in $frames small apart; do
    n=$((n + 1))
    expect 0 "$frame: recorded" "$igpu" frame trace --frame $n -o "$t/$frame.pb" "$t/f.igf"
    grep -q "^frame $n: \(1\|2\|4\|40\) draws, 0 dispatches, [12] kernels; 0 of " "$t/out"
    report $? "$frame: all lines of all messages"
    expect 0 "$frame: the trace is whole" "$igpu" trace verify "$t/$frame.pb"
    expect 0 "$frame: RTL and C reference agree" "$vigpu" --check "$t/$frame.pb"
    grep -q '^check  *[1-9][0-9]* events equal' "$t/out"
    report $? "$frame: event by event"
done
expect 0 "another GPU" "$vigpu" -c kbl-gt3e -s eu.threads=3 --check "$t/samples.pb"

expect 3 "features are of compute kernels" "$igpu" features --csv "$t/f.csv" "$t/samples.pb"
[ ! -e "$t/f.csv" ]
report $? "and no file of them is left"

# ---- what is in it -------------------------------------------------------------
"$igpu" frame render --frame 1 --counters "$t/f.igf" >"$t/counters"
counter() { # counter NAME
    sed -n "s/^$1,\([0-9]*\),.*/\1/p" "$t/counters"
}
"$igpu" ref --json "$t/j.json" "$t/samples.pb" >/dev/null
python3 - "$t/j.json" "$(counter ps_threads16)" "$(counter ps_threads8)" "$(counter vs_threads)" \
    "$(counter sampled_lanes)" "$(counter sampler_messages)" "$(counter pixels_written)" \
    "$(counter sampler_lines)" <<'END'
import json, sys
ps16, ps8, vs, lanes, messages, pixels, lines = map(int, sys.argv[2:])
mem = json.load(open(sys.argv[1]))
assert mem["ff"]["threads"] == ps16 + ps8 + vs > 700
assert mem["tex"]["samples"] == lanes and mem["tex"]["messages"] == messages > 9000
assert mem["tex"]["l1_accesses"] == lines
assert mem["rt"]["pixels"] == pixels == 128 * 96 + 64 * 64 # and the texture's upload
END
report $? "threads, samples, lines and pixels are those of the frame's counters"
launches() { # launches FRAME: the first draw of each
    "$igpu" trace dump --format json "$t/$1.pb" | python3 -c '
import json, sys
print(*(l["draw"] for l in json.load(sys.stdin)["launches"]))'
}
[ "$(launches fill)" = 1 ] && [ "$(launches small)" = 1 ]
report $? "draws without a flush between them are one launch"
[ "$(launches apart)" = "$(seq -s ' ' 40)" ]
report $? "where each is waited for, each is one"

# ---- slower parts ----------------------------------------------------------------
cycles() { # cycles FRAME OPTION...
    "$igpu" ref "${@:2}" "$t/$1.pb" | awk '$1 == "cycles" {print $2}'
}
# feels FRAMES BEFORE AFTER: halving moves these frames by 40 % or more, others by less
# than 3 %. BEFORE and AFTER are options.
feels() {
    for frame in $frames; do
        a=$(cycles $frame $2) b=$(cycles $frame $3)
        case " $1 " in
        *" $frame "*)
            [ -n "$a" ] && [ $((b * 10)) -ge $((a * 14)) ]
            report $? "$frame: $a cycles, $b with $3"
            ;;
        *)
            [ -n "$a" ] && [ $((b * 100)) -lt $((a * 103)) ] && [ $((b * 100)) -gt $((a * 97)) ]
            report $? "$frame: $a cycles, $b with $3 as well"
            ;;
        esac
    done
}
feels samples "" "-s tex.samples=2"
feels fill "" "-s rt.pixels=4"
feels vertices "" "-s ff.vertex_cycles=2"
# While a draw's commands are read, its pixels' threads fill all slots, one each
# disp.interval; frames that the dispatch holds up are ahead by that.
subslices() { # subslices NUMBER [OPTION...]
    echo "-c kbl-gt3e -s gpu.subslices=$*"
}
feels "samples arithmetic" "$(subslices 4 -s ff.draw_cycles=0)" "$(subslices 2 -s ff.draw_cycles=0)"
a=$(cycles fill $(subslices 4)) b=$(cycles fill $(subslices 2))
[ -n "$a" ] && [ $((b - a)) = $((2 * 8 * 7 * 2)) ]
report $? "fill: $a cycles, $b with 112 slots less, filled meanwhile, 2 cycles each"

# ---- side by side -----------------------------------------------------------------
a=$(cycles small) b=$(cycles apart)
[ -n "$a" ] && [ $((a * 4)) -lt "$b" ]
report $? "small draws: $a cycles together, $b one after the other"
expect 0 "small draws, on both engines, with few slots" "$vigpu" --check -s eu.threads=2 \
    -s eu.count=2 "$t/small.pb"
"$igpu" frame time --csv "$t/small.pb" | python3 -c '
import csv, sys
rows = list(csv.DictReader(sys.stdin))
assert [int(r["draw"]) for r in rows] == list(range(1, 41))
assert {r["launch"] for r in rows} == {"1"} and {r["vertex_threads"] for r in rows} == {"1"}
assert sum(int(r["cycles"]) for r in rows) == int(sys.argv[1])
' "$a"
report $? "their cycles add up to those of the frame"
for frame in $frames small apart; do
    "$igpu" frame time --csv -s ff.vertex_cycles=40 "$t/$frame.pb" | python3 -c '
import csv, sys
rows = list(csv.DictReader(sys.stdin))
parts = list(rows[0])[-5:]
assert max(float(r[p]) for r in rows for p in parts) <= 100 and parts[0] == "fixed"
'
    report $? "$frame: no part is busy for more than all of the time"
done

# ---- a frame's cycles ------------------------------------------------------------
expect 0 "the frame's time" "$igpu" frame time --frame 2 "$t/f.igf"
grep -q "^frame: $(cycles fill) cycles, " "$t/out"
report $? "is the trace's"
[ "$(grep -c '  targets$' "$t/out")" = 4 ]
report $? "its four draws are held up by render targets"
for frame in samples:sampler arithmetic:shaders vertices:fixed; do
    "$igpu" frame time "$t/${frame%:*}.pb" | grep -q "  ${frame#*:}$"
    report $? "${frame%:*}: held up by ${frame#*:}"
done
"$igpu" frame time --csv -s tex.samples=2 "$t/samples.pb" | python3 -c '
import csv, sys
rows = list(csv.DictReader(sys.stdin))
assert [r["draw"] for r in rows] == ["1", "2"] and float(rows[1]["sampler"]) > 90
'
report $? "and as CSV, with other settings"

# ---- geometry shaders --------------------------------------------------------------
build_program primitives
expect 0 "a geometry shader is captured" "$igpu" gl -o "$t/g.igf" -- "$t/primitives" "$t" geometry
expect 0 "and recorded" "$igpu" frame trace -o "$t/g.pb" "$t/g.igf"
expect 0 "its trace is whole" "$igpu" trace verify "$t/g.pb"
expect 0 "its threads, on both engines" "$vigpu" --check "$t/g.pb"
"$igpu" frame render --counters "$t/g.igf" >"$t/counters"
"$igpu" frame time --csv "$t/g.pb" | python3 -c '
import csv, sys
rows = list(csv.DictReader(sys.stdin))
threads = [sum(int(r[k + "_threads"]) for r in rows) for k in ("vertex", "geometry", "pixel")]
assert threads == [int(n) for n in sys.argv[1:4]] and min(threads) > 0, threads
' "$(counter vs_threads)" "$(counter gs_threads)" "$(($(counter ps_threads8) + $(counter ps_threads16)))"
report $? "they are those of the frame's counters"

# ---- errors ------------------------------------------------------------------------
expect 2 "no output" "$igpu" frame trace "$t/f.igf"
expect 2 "a frame that is none" "$igpu" frame trace --frame 9 -o "$t/x.pb" "$t/f.igf"
says "how many there are" 'the file has 6 frames'
expect 3 "no capture" "$igpu" frame trace -o "$t/x.pb" Makefile
expect 2 "no such key" "$igpu" frame time -s tex.nothing=1 "$t/f.igf"
expect 3 "a trace of another kind" "$igpu" frame time traces/samples/mad_sp.pb
says "how to make one" 'igpu frame trace makes one'
[ ! -e "$t/x.pb" ]
report $? "no trace is left"
head -c 3000 "$t/samples.pb" >"$t/cut.pb"
expect 3 "a trace cut short" "$vigpu" "$t/cut.pb"
exit $failures
