#!/usr/bin/env bash
# test_frame_stages.sh - compute shaders, tessellation, reads of render targets, the pixel
# interpolator and descriptors in registers in a frame's trace: as many threads, barriers,
# pixels and messages as the scenes make, and both engines agree (docs/contract/fixed-functions.md,
# "Timing").
. tests/support/cli.sh
. tests/bridge/graphics/mesa.sh
t=$IGPU_TMP

record() { # record PROGRAM [SCENE...]: $t/PROGRAM.igf and .pb, checked
    build_program "$1"
    expect 0 "$*: captured" "$igpu" gl -o "$t/$1.igf" -- "$t/$1" "$t" "${@:2}"
    expect 0 "$*: recorded" "$igpu" frame trace -o "$t/$1.pb" "$t/$1.igf"
    cp "$t/out" "$t/said"
    expect 0 "$*: the trace is whole" "$igpu" trace verify "$t/$1.pb"
    expect 0 "$*: RTL and C reference agree" "$vigpu" --check "$t/$1.pb"
    grep -q '^check  *[1-9][0-9]* events equal' "$t/out"
    report $? "$*: event by event"
    "$igpu" ref --json "$t/$1.json" "$t/$1.pb" >"$t/out"
    "$igpu" frame time --csv "$t/$1.pb" >"$t/$1.csv"
    "$igpu" frame render --counters "$t/$1.igf" >"$t/$1.counters"
}

sends() { # sends NAME: executed messages of $t/NAME.pb by shared function, and those of
    # a descriptor in a register that have an address
    "$igpu" trace dump --format csv "$t/$1.pb" >"$t/rows.csv"
    "$igpu" trace dump --format json "$t/$1.pb" | python3 -c '
import collections, csv, json, sys
of = {i["ins_uid"]: i for k in json.load(sys.stdin)["kernels"] for i in k["instructions"]}
every, register = collections.Counter(), collections.Counter()
for row in csv.DictReader(open(sys.argv[1])):
    sent = of[row["ins_uid"]]
    if "msg_sfid" in sent:
        every[sent["msg_sfid"]] += 1
        register[sent["msg_sfid"]] += sent["asm"].endswith("a0.0") and row["addresses"] != ""
print(json.dumps({"all": every, "from a0.0": {k: n for k, n in register.items() if n}}))' "$t/rows.csv"
}

# ---- compute shaders -------------------------------------------------------------
# 200x150 pixels: 13x10 groups of 256 lanes in SIMD16, with a barrier; 6x2x3 groups of 64,
# with seven; 40x30 groups of 25, which fill two threads of 16 lanes.
record compute tiles sums odd_groups
grep -q '^frame 1: 20 draws, 3 dispatches, ' "$t/said"
report $? "its dispatches are told apart from its draws"
python3 - "$t/compute.json" "$t/compute.csv" <<'END'
import csv, json, sys
mem = json.load(open(sys.argv[1]))
rows = list(csv.DictReader(open(sys.argv[2])))
found = {r["draw"]: int(r["compute_threads"]) for r in rows if r["compute_threads"] != "0"}
assert found == {"c1": 13 * 10 * 16, "c2": 36 * 4, "c3": 40 * 30 * 2}, found
assert mem["gw"]["barriers"] == 13 * 10 + 36 * 7, mem["gw"]
assert mem["gw"]["arrivals"] == 13 * 10 * 16 + 36 * 7 * 4, mem["gw"]
draws = [int(r["draw"]) for r in rows if r["draw"][0] != "c"]
assert draws == sorted(set(draws)) and draws[-1] == 20, draws
END
report $? "threads and barriers are those of its groups"
expect 0 "a heat map passes dispatches by" "$igpu" frame render --times "$t/compute.csv" \
    --heat "$t/h.pfm" -o "$t/h.png" "$t/compute.igf"
expect 0 "groups one after the other, on both engines" "$vigpu" --check -c kbl-gt3e \
    -s gpu.subslices=2 -s disp.barriers=1 "$t/compute.pb"
expect 2 "groups that no subslice has room for" "$vigpu" -s eu.count=1 "$t/compute.pb"

# ---- tessellation ----------------------------------------------------------------
record patches
python3 - "$t/patches.counters" "$t/patches.csv" <<'END'
import csv, sys
counters = {r["counter"]: int(r["value"]) for r in csv.DictReader(open(sys.argv[1]))}
rows = list(csv.DictReader(open(sys.argv[2])))
for stage, names in {"hull": ["hs_threads"], "domain": ["ds_threads"], "vertex": ["vs_threads"],
                     "pixel": ["ps_threads8", "ps_threads16", "ps_threads32"]}.items():
    threads = sum(int(r[stage + "_threads"]) for r in rows)
    assert threads == sum(counters[n] for n in names) > 0, stage
END
report $? "hull and domain shaders' threads are those of the frame's counters"
"$igpu" trace dump --format json "$t/patches.pb" | python3 -c '
import json, sys
HULL, DOMAIN, VERTEX, PIXEL = 4, 5, 1, 2
dump = json.load(sys.stdin)
waits = 0
for launch in dump["launches"]:
    payload = [t["accesses"][0] for t in launch["threads"]]
    deliver = [p for p in payload if p["stage"] != PIXEL]
    for stage, of in ((HULL, VERTEX), (DOMAIN, HULL)):
        for at, p in enumerate(deliver):
            if p["stage"] == stage: # what it needs is before it, and ends with what it waits for
                last = deliver[p["needed"] - 1]
                assert 0 < p["needed"] <= at and last["stage"] == of, (at, p)
                assert last["draw"] == p["draw"], (at, p)
                waits += 1
    for p in payload:
        assert p["needed"] <= len(deliver)
assert waits > 300, waits
'
report $? "domain shaders wait for hull shaders, and these for vertices"
expect 0 "with few slots, on both engines" "$vigpu" --check -s eu.threads=1 -s eu.count=1 \
    "$t/patches.pb"

# ---- reads of render targets -------------------------------------------------------
record samples read_target
python3 - "$t/samples.json" "$t/samples.counters" <<'END'
import csv, json, sys
rt = json.load(open(sys.argv[1]))["rt"]
counters = {r["counter"]: int(r["value"]) for r in csv.DictReader(open(sys.argv[2]))}
assert rt["read_pixels"] * 4 == counters["target_bytes_read"] > 40000, rt
assert rt["pixels"] == counters["pixels_written"], rt
END
report $? "pixels that shaders read are those of the frame's counters"
slow=$("$igpu" ref -s rt.blend=1 "$t/samples.pb" | awk '$1 == "cycles" {print $2}')
fast=$("$igpu" ref "$t/samples.pb" | awk '$1 == "cycles" {print $2}')
[ "$slow" -gt $((fast + 2000)) ]
report $? "they take their time: $fast cycles, $slow at one pixel a cycle"

# ---- the pixel interpolator ----------------------------------------------------------
# Three messages a pixel shader's thread: an offset in the code, one in registers, centroid.
record samples at_offsets
sends samples >"$t/sends.json"
python3 - "$t/sends.json" "$t/samples.json" <<'END'
import json, sys
sends, ref = json.load(open(sys.argv[1])), json.load(open(sys.argv[2]))
of = {k: sum(n for s, n in sends["all"].items() if s == k)
      for k in ("pixel", "spawner", "render", "sampler", "urb")}
assert of["pixel"] > 1000 and of["pixel"] % 3 == 0, of
assert ref["mem"]["others_answered"] == sum(of.values()) - ref["threads_dispatched"], of
END
report $? "as many messages to it as the scene's threads send"
cycles() { "$igpu" ref "$@" "$t/samples.pb" | awk '$1 == "cycles" {print $2}'; }
fast=$(cycles)
slow=$(cycles -s pi.latency=1000)
[ "$slow" -gt $((fast + 1000 - 58)) ]
report $? "they take their time: $fast cycles, $slow at 1000 each"

# ---- descriptors in registers ----------------------------------------------------------
record tables
sends tables >"$t/sends.json"
python3 - "$t/sends.json" <<'END'
import json, sys
found = json.load(open(sys.argv[1]))["from a0.0"]
assert set(found) == {"sampler", "dc1", "dcro"} and min(found.values()) > 100, found
END
report $? "textures, images, buffers and constants by such messages, each with its addresses"
exit $failures
