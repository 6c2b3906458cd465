#!/bin/bash
# --energy: equal for RTL and C reference, sums, power within the parts' limits, absent
# when not asked for, and what is refused.
# tests/run: timeout=240
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
    for engine in rtl rtl-full ref; do
        "$vigpu" --quiet --engine $engine --energy-band 20:3 --json - $t/$name.pb |
            grep -v '"engine"\|"host"' >"$IGPU_TMP/$engine.json"
    done
    cmp -s "$IGPU_TMP/rtl.json" "$IGPU_TMP/ref.json" && cmp -s "$IGPU_TMP/rtl-full.json" "$IGPU_TMP/ref.json"
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
