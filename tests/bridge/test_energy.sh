#!/bin/bash
# --energy: equal for RTL and C reference, sums, power within the parts' limits, absent
# when not asked for, and what is refused.
# tests/run: timeout=240 slow
. tests/support/cli.sh
mkdir -p "$IGPU_TMP"
t=traces/samples

"$vigpu" --quiet --energy --json "$IGPU_TMP/a.json" --csv "$IGPU_TMP/a.csv" $t/reduce_u32.pb >"$IGPU_TMP/a.txt"
"$igpu" ref --quiet --json "$IGPU_TMP/off.json" --csv "$IGPU_TMP/off.csv" $t/reduce_u32.pb >"$IGPU_TMP/off.txt"
! grep -q '^energy\|"energy"\|energy\.' "$IGPU_TMP/off.json" "$IGPU_TMP/off.csv" "$IGPU_TMP/off.txt" &&
    grep -q '"energy"' "$IGPU_TMP/a.json" && grep -q '^energy  ' "$IGPU_TMP/a.txt" &&
    grep -q 'energy.pkg_nj' "$IGPU_TMP/a.csv"
report $? "energies are there with --energy, and only with it"

for name in mad_sp reduce_u32 triad divergent; do
    for engine in rtl array ref; do
        "$vigpu" --quiet --engine $engine --energy-band 20:3 --json - $t/$name.pb |
            grep -v '"engine"\|"host"' >"$IGPU_TMP/$engine.json"
    done
    cmp -s "$IGPU_TMP/rtl.json" "$IGPU_TMP/ref.json" && cmp -s "$IGPU_TMP/array.json" "$IGPU_TMP/ref.json"
    report $? "$name: the three engines give the same energies"
done

for config in kbl-gt2:15 skl-gt2:91 kbl-gt3e:28; do
    for trace in $t/*.pb; do
        "$igpu" ref --quiet -c ${config%:*} --energy --json "$IGPU_TMP/$(basename "$trace").json" "$trace" >/dev/null
    done
    python3 - "${config#*:}" "$IGPU_TMP"/*.pb.json <<'END'
import json, sys
limit = float(sys.argv[1])
def check(where, e):
    planes = e["pkg_nj"] + e["dram_nj"]
    parts = sum(e["parts_nj"].values())
    assert abs(planes - parts) < 1e-4, (where, planes, parts)
    assert e["pkg_nj"] > e["pp0_nj"] + e["pp1_nj"], where
    assert 0 < e["pkg_w"] < limit, (where, e["pkg_w"])
for path in sys.argv[2:]:
    d = json.load(open(path))
    check(path, d["energy"])
    for k in d["kernels"]:
        check(path, k["energy"])
    for key in ("pkg_nj", "dram_nj", "igpu_nj"):
        s = sum(k["energy"][key] for k in d["kernels"])
        assert abs(s - d["energy"][key]) < 1e-5 * len(d["kernels"]), (path, key)
END
    report $? "${config%:*}: every sample's parts add up, and its package takes less than ${config#*:} W"
done

# ---- data: what toggles costs ------------------------------------------------
pj() { # pj TRACE: of lanes and registers; RTL and reference agree
    for engine in rtl ref; do
        "$vigpu" --quiet --engine $engine --energy --json "$IGPU_TMP/$engine.json" "$1" >/dev/null
        grep -v '"engine"\|"host"' "$IGPU_TMP/$engine.json" >"$IGPU_TMP/$engine.txt"
    done
    cmp -s "$IGPU_TMP/rtl.txt" "$IGPU_TMP/ref.txt" || echo differ
    python3 -c "import json
d = json.load(open('$IGPU_TMP/ref.json'))
print(round(1e3 * (d['energy']['parts_nj']['fpu'] + d['energy']['parts_nj']['grf'])), d['cycles'])"
}
for data in zero iota randf32:1; do
    "$igpu" record --quiet -k matmul_tiled -g 32,32 -l 16,16 --arg buf:4K:$data --arg buf:4K:$data \
        --arg buf:4K --arg i32:32 --toggles -o "$IGPU_TMP/${data%:*}.pb" traces/kernels/matmul.cl >/dev/null
    "$igpu" trace verify "$IGPU_TMP/${data%:*}.pb" >/dev/null
    report $? "a trace with toggles of $data"
done
"$igpu" record --quiet -k matmul_tiled -g 32,32 -l 16,16 --arg buf:4K --arg buf:4K --arg buf:4K \
    --arg i32:32 -o "$IGPU_TMP/plain.pb" traces/kernels/matmul.cl >/dev/null
for name in zero iota randf32 plain; do pj "$IGPU_TMP/$name.pb"; done >"$IGPU_TMP/data"
python3 - "$IGPU_TMP/data" <<'END'
import sys
rows = [tuple(map(int, line.split())) for line in open(sys.argv[1])]
pj, cycles = zip(*rows)
assert len(rows) == 4 and len(set(cycles)) == 1, rows
assert pj[0] < pj[1] < pj[2] < pj[3] and pj[0] > 0.5 * pj[3], rows
END
report $? "data that toggle more take more, in the same time; both engines agree"
"$igpu" trace dump "$IGPU_TMP/zero.pb" | grep -q '^operand_toggles: [1-9]'
report $? "igpu trace dump tells toggles"
"$igpu" record -k matmul_tiled -g 32,32 -l 16,16 --toggles traces/kernels/matmul.cl >/dev/null 2>"$IGPU_TMP/err"
[ $? = 2 ] && [ "$(wc -l <"$IGPU_TMP/err")" = 1 ]
report $? "--toggles without a trace: refused"

refuse() { # refuse WHAT OPTIONS...: exit 2 and one line that names it
    what=$1
    shift
    "$vigpu" "$@" $t/mad_sp.pb >"$IGPU_TMP/out" 2>"$IGPU_TMP/err"
    [ $? = 2 ] && [ "$(wc -l <"$IGPU_TMP/err")" = 1 ] && grep -q -e "$what" "$IGPU_TMP/err"
    report $? "${*}: refused"
}
refuse --energy-band --energy-band 0
refuse --energy-band --energy-band 10:
refuse --energy-band --energy-band 100001
refuse --energy-band --energy-band 1x
refuse power.op.double_mul -s power.op.duoble_mul=3

# ---- power against time ------------------------------------------------------
for name in reduce_u32 triad divergent matmul_tiled; do
    for engine in rtl ref; do
        "$vigpu" --quiet --engine $engine --power "$IGPU_TMP/$engine.csv" --power-every 1us \
            --json "$IGPU_TMP/$engine.json" $t/$name.pb >/dev/null
    done
    cmp -s "$IGPU_TMP/rtl.csv" "$IGPU_TMP/ref.csv"
    report $? "$name: both engines give the same power against time"
    "$igpu" ref --quiet --power "$IGPU_TMP/fine.csv" --power-every 300ns $t/$name.pb >/dev/null
    "$igpu" ref --quiet --energy --json "$IGPU_TMP/plain.json" $t/$name.pb >/dev/null
    python3 - "$IGPU_TMP" <<'END'
import csv, json, sys
d = json.load(open(sys.argv[1] + "/rtl.json"))
plain = json.load(open(sys.argv[1] + "/plain.json"))
assert d["energy"] == plain["energy"], "looking changes the energy"
for name in ("rtl", "fine"):
    rows = list(csv.DictReader(open(f"{sys.argv[1]}/{name}.csv")))
    for launch in d["kernels"]:
        mine = [r for r in rows if int(r["launch"]) == launch["launch"]]
        assert all(a["to_us"] == b["from_us"] for a, b in zip(mine, mine[1:]))
        assert len(mine) >= launch["time_ns"] / (1000 if name == "rtl" else 300) - 1
        for key in ("pkg", "pp0", "pp1", "dram"):
            nj = sum(float(r[key + "_w"]) * (float(r["to_us"]) - float(r["from_us"])) for r in mine) * 1e3
            assert abs(nj - launch["energy"][key + "_nj"]) < 1e-3 * launch["energy"][key + "_nj"], (name, key)
        for part, value in launch["energy"]["parts_nj"].items():
            nj = sum(float(r[part + "_w"]) * (float(r["to_us"]) - float(r["from_us"])) for r in mine) * 1e3
            assert abs(nj - value) < 1e-3 * value + 1e-2, (name, part, nj, value)
END
    report $? "$name: intervals are a launch without gap and add up to its energy, of whatever length"
done
"$igpu" ref --quiet --energy --power-every 500ns --timeline "$IGPU_TMP/t.json" $t/stencil.pb >/dev/null
python3 -c "import json, sys
e = [x for x in json.load(open('$IGPU_TMP/t.json'))['traceEvents'] if x['ph'] == 'C']
sys.exit(0 if len({x['name'] for x in e}) >= 4 and any('PKG' in x['name'] for x in e) else 1)"
report $? "the timeline has the power as tracks"
"$igpu" ref --quiet --timeline "$IGPU_TMP/t.json" $t/stencil.pb >/dev/null
! grep -q 'power PKG' "$IGPU_TMP/t.json"
report $? "and without --energy it has not"
refuse --power-every --power-every 1us
refuse --power-every --energy --power-every 1us
refuse --power-every --power "$IGPU_TMP/x.csv" --power-every 10
refuse --power-every --power "$IGPU_TMP/x.csv" --power-every 1ns
refuse --power-every --power "$IGPU_TMP/x.csv" --power-every 2s
refuse --power-every --power "$IGPU_TMP/x.csv" --power-every us
[ ! -e "$IGPU_TMP/x.csv" ]
report $? "what is refused leaves no file"

# ---- the DRAM's commands -----------------------------------------------------
"$igpu" ref --quiet --energy --dram-commands "$IGPU_TMP/d.csv" --json "$IGPU_TMP/d.json" $t/strided_16.pb >/dev/null
python3 - "$IGPU_TMP" <<'END'
import csv, json, sys
rows = list(csv.DictReader(open(sys.argv[1] + "/d.csv")))
d = json.load(open(sys.argv[1] + "/d.json"))["dram"]
count = lambda name: sum(r["command"] == name for r in rows)
assert count("RD") == d["reads"] and count("WR") == d["writes"], d
assert count("REF") == d["refreshes"] and count("ACT") >= count("PRE") > 0
rows.sort(key=lambda r: int(r["clock"]))
open_row = {}
for r in rows:  # every burst finds its row open
    bank = r["channel"], r["rank"], r["bank"]
    if r["command"] == "ACT":
        assert bank not in open_row
        open_row[bank] = r["row"]
    elif r["command"] == "PRE":
        del open_row[bank]
    elif r["command"] != "REF":
        assert open_row[bank] == r["row"], r
END
report $? "--dram-commands: each burst and refresh, rows opened and closed around them"
refuse no/such --dram-commands "$IGPU_TMP/no/such/d.csv"
