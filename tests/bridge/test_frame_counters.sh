#!/usr/bin/env bash
# test_frame_counters.sh - OA reports of a frame: threads by shader, samplers and pixels are
# those of the statistics and of the frame's own counters, in any split, of both engines
# (docs/contract/oa.md, "Names").
. tests/support/cli.sh
. tests/bridge/graphics/mesa.sh
t=$IGPU_TMP
export PYTHONPATH=tests/support
build_program timed
expect 0 "frames are captured" "$igpu" gl --frames 1-3 -o "$t/f.igf" -- "$t/timed"
n=0
for frame in samples fill arithmetic; do
    n=$((n + 1))
    expect 0 "$frame: recorded" "$igpu" frame trace --frame $n -o "$t/$frame.pb" "$t/f.igf"
    "$igpu" frame render --frame $n --counters "$t/f.igf" >"$t/counters"
    "$igpu" ref -s gpu.subslices=2 --json "$t/j.json" "$t/$frame.pb" >"$t/out"
    for every in 1us 10us 1s; do
        "$igpu" counters -s gpu.subslices=2 --set RenderBasic --every $every \
            --oa "$t/$frame.oa" "$t/$frame.pb" >"$t/out" &&
            python3 - "$t/$frame.oa" "$t/j.json" "$t/counters" $frame <<'PYTHON'
import csv, json, sys
import oa
got, found, s = oa.total(sys.argv[1]), oa.reports(sys.argv[1]), json.load(open(sys.argv[2]))
frame = {r[0]: int(r[1]) for r in csv.reader(open(sys.argv[3])) if r[1].isdigit()}
a, b = got["a"], got["b"]
pixel = frame["ps_threads8"] + frame["ps_threads16"] + frame["ps_threads32"]
assert a[1] == frame["vs_threads"] > 0 and a[6] == pixel > 0, a
assert a[2] == a[3] == a[4] == a[5] == 0 and a[1] + a[6] == s["threads_dispatched"], a
assert a[21] == frame["subspans"] > 0, (a[21], frame)
tex, rt = s["tex"], s["rt"]
assert a[26] == rt["pixels"] // 4 > 0 and a[27] == rt["read_pixels"] // 4
assert a[28] == tex["samples"] // 4 and a[29] == tex["l2_misses"] and b[4] == a[29] // 8
assert b[0] + b[1] == tex["busy_cycles"]
eu = s["eu"]
for pipe, name in enumerate(("fpu0", "fpu1", "send")):
    assert name == "fpu1" or a[10 + pipe] > 0 < a[15 + pipe]
    assert a[10 + pipe] + a[15 + pipe] == eu[name], (name, a, eu)
assert a[18] <= min(a[15], a[16], eu["fpu_both"])
if sys.argv[4] == "arithmetic":
    assert 2 * a[18] > a[16] > 0, a
for x, y in zip(found, found[1:]):
    d = oa.difference(x, y)
    assert max(d["b"][:4]) <= d["clocks"], d
PYTHON
        report $? "$frame, every $every: the counters are the statistics"
    done
    expect 0 "$frame: RTL and reference report the same" "$vigpu" --check --quiet --every 1us \
        --counters RenderBasic "$t/$frame.pb"
done

# ---- what holds a frame up ----
metric() { # metric SET NAME FRAME
    "$igpu" counters --set $1 --format csv "$t/$3.pb" | python3 -c '
import csv, sys
print(next(csv.DictReader(sys.stdin))[sys.argv[1]])' $2
}
samples=$(metric RenderBasic SamplersBusy samples)
arithmetic=$(metric RenderBasic SamplersBusy arithmetic)
awk -v s="$samples" -v a="$arithmetic" 'BEGIN {exit !(s > 50 && s <= 100 && a < 5)}'
report $? "samplers are busy for $samples % of samples, for $arithmetic % of arithmetic"
for name in SamplerBottleneck PsThreads VsThreads RasterizedPixels SamplesWritten SamplerTexels; do
    echo "$(metric RenderBasic $name samples) $(metric RenderBasic $name arithmetic)"
done >"$t/metrics"
python3 - "$t/metrics" <<'PYTHON'
import sys
(stall, none), ps, vs, raster, written, texels = (
    tuple(map(float, line.split())) for line in open(sys.argv[1]))
assert stall > 30 > 5 > none and min(ps + vs) > 0
assert raster[0] >= written[0] - 64 * 64 > 0 and texels[0] > 10 * texels[1]
PYTHON
report $? "and wait in front of them"
waits=$(for i in 0 1 2; do metric Sampler Sampler0${i}InputAvailable samples; done | sort -g | tail -1)
bottleneck=$(metric RenderBasic SamplerBottleneck samples)
awk -v w="$waits" -v b="$bottleneck" 'BEGIN {exit !(w >= b && w > 30)}'
report $? "the set Sampler tells each subslice's, $waits % the most"

# ---- a damaged trace ----
expect 0 "a compute trace has compute threads alone" test "$("$igpu" counters --format csv \
    traces/samples/reduce_u32.pb | python3 -c '
import csv, sys
r = next(csv.DictReader(sys.stdin))
print(int(r["CsThreads"]) > 0, *(r[k] for k in ("VsThreads", "PsThreads", "SamplerTexels")))')" \
    = "True 0 0 0"
exit $failures
