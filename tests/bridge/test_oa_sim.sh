#!/usr/bin/env bash
# OA reports of simulations: Debian's i915-perf-reader and we say the same of them; any
# split adds up to the statistics; RTL and C reference write the same bytes; and what is
# wrong is one line. With IGPU_LONG=1 all samples at three intervals, else some.
# tests/run: timeout=1800
. tests/support/cli.sh
mkdir -p "$IGPU_TMP"
export PYTHONPATH=tests/support

# ---- the reader of Debian's intel-gpu-tools: three kernels, two sets ----
for name in reduce_u32 matmul_tiled copy; do
    for set in ComputeBasic RenderBasic; do
        trace=traces/samples/$name.pb oa=$IGPU_TMP/$name.$set.oa
        "$igpu" counters --set $set --format csv --oa "$oa" "$trace" >"$IGPU_TMP/ours"
        i915-perf-reader -c all "$oa" >"$IGPU_TMP/theirs" 2>&1
        "$igpu" counters --format csv "$oa" >"$IGPU_TMP/again"
        cmp -s "$IGPU_TMP/ours" "$IGPU_TMP/again" &&
            python3 - "$IGPU_TMP/theirs" "$IGPU_TMP/ours" <<'PYTHON'
import csv, re, sys
theirs = dict(re.findall(r"^   (\w+): (\S+)$", open(sys.argv[1]).read(), re.M))
ours = {k: v for k, v in next(csv.DictReader(open(sys.argv[2]))).items() if v != ""}
wrong = [f"{k}: {theirs.get(k)} and {ours.get(k)}" for k in sorted(theirs | ours)
         if k not in theirs or k not in ours or float(theirs[k]) != float(ours[k])]
if wrong or len(ours) < 30 or float(ours["EuActive"]) <= 0:
    print(f"{len(ours)} metrics;", *wrong, sep="\n    ")
    sys.exit(1)
PYTHON
        report $? "i915-perf-reader agrees: $name, $set"
    done
done

# ---- launch by launch: the reader sees one context's time each ----
cat >"$IGPU_TMP/add.cl" <<'CL'
kernel void add(global const float *a, global float *b, float c)
{
    b[get_global_id(0)] += a[get_global_id(0)] * c;
}
CL
three=$IGPU_TMP/three.pb
expect 0 "a trace of three launches" "$igpu" record -g 4096 -l 64 --arg buf:16384:iota \
    --arg buf:16384:zero --arg f32:2 --repeat 3 -o "$three" "$IGPU_TMP/add.cl"
"$igpu" counters --per-launch --format csv --oa "$IGPU_TMP/launches.oa" "$three" \
    >"$IGPU_TMP/ours"
i915-perf-reader -c all "$IGPU_TMP/launches.oa" >"$IGPU_TMP/theirs" 2>&1
python3 - "$IGPU_TMP/theirs" "$IGPU_TMP/ours" <<'PYTHON'
import csv, re, sys
theirs = [dict(re.findall(r"^   (\w+): (\S+)$", part, re.M))
          for part in open(sys.argv[1]).read().split("hw_id=")[1:]]
# Those without a context lie between the launches.
theirs = [t for t in theirs if t["CsThreads"] != "0"]
ours = list(csv.DictReader(open(sys.argv[2])))
keys = [k for k in ours[0] if k not in ("launch", "kernel") and ours[0][k] != ""]
assert len(ours) == len(theirs) == 3, (len(ours), len(theirs))
for o, t in zip(ours, theirs):
    for k in keys:
        assert float(o[k]) == float(t[k]), (o["launch"], k, o[k], t[k])
PYTHON
report $? "i915-perf-reader agrees launch by launch"

# ---- sums: any split, to the totals in --json ----
split=traces/samples/matmul_tiled.pb
"$igpu" ref --json "$IGPU_TMP/stats" $split >"$IGPU_TMP/out"
for every in 167ns 1us 4us 10us 1s; do
    for set in RenderBasic ComputeL3Cache MemoryReads; do
        "$igpu" counters --set $set --every $every --oa "$IGPU_TMP/split.oa" \
            $split >"$IGPU_TMP/out" 2>&1 &&
            python3 - "$IGPU_TMP/split.oa" "$IGPU_TMP/stats" $set $every <<'PYTHON'
import json, sys
import oa
path, stats, name, every = sys.argv[1:]
got, found, s = oa.total(path), oa.reports(path), json.load(open(stats))
a, c, eu, slm = got["a"], got["c"], s["eu"], s["slm"]
want = {7: eu["active"], 8: eu["stall"], 9: eu["fpu_both"], 4: s["threads_dispatched"],
        30: slm["read_blocks"], 31: slm["write_blocks"], 32: s["mem"]["lines"],
        34: s["l3"]["atomics"], 35: s["gw"]["arrivals"]}
for i, w in want.items():
    assert a[i] == w, (i, a[i], w)
assert a[30] + a[31] == slm["cycles"] - slm["conflict_cycles"] > 0
assert a[32] == s["l3"]["accesses"]
# The last thread's END comes before the memory side is at rest.
idle = eu["idle"] + 24 * (got["clocks"] - s["cycles"])
assert a[7] + a[8] + idle == 24 * got["clocks"] and eu["idle"] >= 0
if name == "RenderBasic":
    assert c[4] == s["l3"]["fetches"] and c[5] == s["tlb"]["accesses"]
    assert c[6] == s["gti"]["reads"] > 0 and c[7] == s["gti"]["writes"]
elif name == "MemoryReads":
    assert c[0] == s["gti"]["reads"] == sum(c[4:8])
else:
    served = 2 * (c[0] + c[1] + got["b"][2] + got["b"][3])
    assert 0 <= s["l3"]["accesses"] - served <= 4  # each counts pairs
    assert a[10] == eu["fpu0"] and a[11] == eu["fpu1"] and a[12] == eu["send"]
    assert a[15] + a[17] + a[19] == a[10] and a[16] + a[18] + a[20] == a[11]
    assert a[15] > 0 and a[17] > 0 and a[19] > 0  # mads; adds; moves
for x, y in zip(found, found[1:]):
    d = oa.difference(x, y)
    assert d["a"][7] + d["a"][8] <= 24 * d["clocks"] and d["clocks"] < 1 << 31
if every != "1s":
    assert len(found) >= 3
PYTHON
        report $? "every $every, $set: sums are the statistics"
    done
done

# ---- RTL and reference ----
samples="reduce_u32 ping_pong atomics32 divergent"
everies=1us
if [ -n "${IGPU_LONG:-}" ]; then
    samples=$(ls traces/samples | sed 's/\.pb$//')
    everies="167ns 1us 10us"
fi
for name in $samples; do
    for every in $everies; do
        expect 0 "$name, every $every: RTL as the reference" "$vigpu" --check --quiet \
            --every $every --oa "$IGPU_TMP/rtl.oa" "traces/samples/$name.pb"
        grep -q '^OA reports .*equal in both' "$IGPU_TMP/out"
        report $? "and it was compared"
        "$igpu" counters --every $every --oa "$IGPU_TMP/ref.oa" \
            "traces/samples/$name.pb" >/dev/null 2>&1
        cmp "$IGPU_TMP/rtl.oa" "$IGPU_TMP/ref.oa"
        report $? "$name, every $every: the same file"
    done
    expect 0 "$name, launch by launch" "$vigpu" --check --quiet --per-launch \
        --counters RenderBasic "traces/samples/$name.pb"
done
expect 0 "three launches" "$vigpu" --check --quiet --every 1us --oa "$IGPU_TMP/rtl.oa" "$three"
expect 0 "launch by launch" "$vigpu" --check --quiet --per-launch --counters L3_1 "$three"
"$vigpu" --quiet --per-launch --json "$IGPU_TMP/stats" --oa "$IGPU_TMP/rtl.oa" "$three" \
    >"$IGPU_TMP/out"
python3 - "$IGPU_TMP/rtl.oa" "$IGPU_TMP/stats" <<'PYTHON'
import json, sys
import oa
found, s = oa.reports(sys.argv[1]), json.load(open(sys.argv[2]))
assert len(found) == 2 * len(s["kernels"]) == 6
for k, (x, y) in zip(s["kernels"], zip(found[::2], found[1::2])):
    d = oa.difference(x, y)
    assert d["a"][7] == k["eu"]["active"] > 0 and d["a"][8] == k["eu"]["stall"]
    assert d["a"][4] == k["threads_dispatched"] and d["a"][32] == k["l3"]["accesses"]
    assert d["clocks"] >= k["cycles"]
PYTHON
report $? "each launch's reports differ by its statistics"
expect 0 "three host threads" "$vigpu" --threads 3 --quiet --every 1us \
    --oa "$IGPU_TMP/threads.oa" traces/samples/reduce_u32.pb
"$igpu" counters --every 1us --oa "$IGPU_TMP/ref.oa" traces/samples/reduce_u32.pb \
    >/dev/null 2>&1
cmp "$IGPU_TMP/threads.oa" "$IGPU_TMP/ref.oa"
report $? "three host threads: the same file"
expect 4 "a stopped run" "$vigpu" --quiet --max-cycles 3000 --every 1us \
    --oa "$IGPU_TMP/stopped.oa" traces/samples/reduce_u32.pb
python3 -c 'import sys, oa; r = oa.reports(sys.argv[1]); assert r[-1]["clocks"] == 3000' \
    "$IGPU_TMP/stopped.oa"
report $? "ends where it stopped"

# ---- the formats ----
trace=traces/samples/ping_pong.pb
expect 0 "JSON" "$igpu" counters --every 1us --format json $trace
python3 - "$IGPU_TMP/out" <<'PYTHON'
import json, sys
s = json.load(open(sys.argv[1]))
assert s["set"] == "ComputeBasic" and len(s["intervals"]) == s["reports"] - 1 > 2
for x, y in zip(s["intervals"], s["intervals"][1:]):
    assert x["end_ns"] == y["begin_ns"]
PYTHON
report $? "its intervals follow each other"
expect 0 "the period that was picked is told" "$igpu" counters --every 10us $trace
says "with its exponent" 'every 10.6667 us (OA exponent 6)'
expect 0 "a list says what is not simulated" "$igpu" counters --list --set RenderBasic
grep -q '^EarlyDepthTestFails .*not simulated' "$IGPU_TMP/out" &&
    ! grep -q '^EuActive .*not simulated' "$IGPU_TMP/out" &&
    grep -q '^A7 *eu.active' "$IGPU_TMP/out"
report $? "and what a counter counts"

# ---- counter tracks of the timeline ----
expect 0 "a timeline with counter tracks" "$vigpu" --quiet --timeline "$IGPU_TMP/t.json" \
    --every 1us $trace
"$igpu" counters --every 1us --format json $trace >"$IGPU_TMP/intervals" 2>"$IGPU_TMP/err"
python3 - "$IGPU_TMP/t.json" "$IGPU_TMP/intervals" <<'PYTHON'
import json, sys
events = json.load(open(sys.argv[1]))["traceEvents"]
intervals = json.load(open(sys.argv[2]))["intervals"]
tracks = {}
for e in events:
    if e["ph"] == "C":
        tracks.setdefault(e["name"], []).append((e["ts"], e["args"]["value"]))
assert "EuActive (%)" in tracks and "GtiReadThroughput (GB/s)" in tracks, sorted(tracks)
assert "SamplesWritten (%)" not in tracks and len(tracks) > 8
for name, values in tracks.items():
    metric, unit = name.rstrip(")").split(" (")
    assert len(values) == len(intervals) + 1 and values[-1][1] == 0
    for (ts, value), i, (end, _) in zip(values, intervals, values[1:]):
        want = i[metric] if unit == "%" else i[metric] / (end - ts) / 1000
        assert abs(value - want) <= 1e-4 + 1e-4 * want, (name, ts, value, want)
        assert abs(ts * 1000 - i["begin_ns"]) < 84, (name, ts, i["begin_ns"])
PYTHON
report $? "their values are those of igpu counters"

# ---- bad input ----
expect 2 "an unknown set" "$igpu" counters --set Compute $trace
says "its name" "Compute: no metric set"
for every in 0 0us 2h 3600s 10 -1us 1e300s; do
    expect 2 "an interval of $every" "$igpu" counters --every $every $trace
    expect 2 "Vigpu: an interval of $every" "$vigpu" --oa "$IGPU_TMP/x" --every $every $trace
done
expect 2 "both ways" "$igpu" counters --every 1us --per-launch $trace
expect 2 "Vigpu: both ways" "$vigpu" --oa "$IGPU_TMP/x" --every 1us --per-launch $trace
expect 2 "an interval of nothing" "$vigpu" --every 1us $trace
expect 2 "Vigpu: an unknown set" "$vigpu" --counters Compute $trace
expect 2 "no folder" "$vigpu" --oa "$IGPU_TMP/none/x.oa" $trace
expect 2 "--reports of a trace" "$igpu" counters --reports $trace
expect 2 "slices that are not alike" "$igpu" counters -s gpu.slices=2 $trace
expect 2 "a configuration that there is not" "$igpu" counters -c skl-gt9 $trace
"$igpu" counters --oa "$IGPU_TMP/good.oa" $trace >"$IGPU_TMP/out"
expect 2 "a recording with --every" "$igpu" counters --every 1us "$IGPU_TMP/good.oa"
expect 2 "a recording's set is its own" "$igpu" counters --set L3_1 "$IGPU_TMP/good.oa"
for cut in 4 100 400 700 900; do
    head -c $cut "$IGPU_TMP/good.oa" >"$IGPU_TMP/cut.oa"
    expect 3 "cut at $cut" "$igpu" counters "$IGPU_TMP/cut.oa"
done
head -c 200 $trace >"$IGPU_TMP/cut.pb"
expect 3 "a cut trace" "$igpu" counters "$IGPU_TMP/cut.pb"
expect 3 "a foreign file" "$igpu" counters Makefile
expect 3 "no file" "$igpu" counters "$IGPU_TMP/none"
[ ! -e "$IGPU_TMP/x" ]
report $? "nothing half-written"
exit $failures
