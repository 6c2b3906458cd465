#!/usr/bin/env bash
# test_band.sh - --band against simulations with each of its sets by hand, the same from
# both engines, in proportion on other machines, and what is refused (docs/reference/measured.md).
# tests/run: timeout=300
. tests/support/cli.sh
mkdir -p "$IGPU_TMP"
t=traces/samples

"$vigpu" --quiet --band --json "$IGPU_TMP/rtl.json" $t/triad.pb >"$IGPU_TMP/rtl.txt"
"$igpu" ref --quiet --band --json "$IGPU_TMP/ref.json" $t/triad.pb >"$IGPU_TMP/ref.txt"
"$igpu" ref --quiet --json "$IGPU_TMP/off.json" $t/triad.pb >"$IGPU_TMP/off.txt"
grep '^band' "$IGPU_TMP/rtl.txt" >"$IGPU_TMP/a" && grep '^band' "$IGPU_TMP/ref.txt" | cmp -s - "$IGPU_TMP/a"
report $? "both engines print the same interval"
grep -v '"engine"\|"host"\|"band"' "$IGPU_TMP/ref.json" >"$IGPU_TMP/a"
grep -v '"engine"\|"host"' "$IGPU_TMP/off.json" | cmp -s - "$IGPU_TMP/a"
report $? "without --band all else is the same, and no band is there"

cat >"$IGPU_TMP/sets.py" <<'END'
import json, math, re, statistics, subprocess, sys
igpu, machine, trace, given = sys.argv[1:]
text = open("bridge/programs/cli/band.def").read()
bias, spread, widen = map(float, re.search(r"^BAND_ERROR\((.*), (.*), (.*)\)", text, re.M).groups())
rows = [(key, *map(int, numbers.split(",")))
        for key, numbers in re.findall(r'^BAND_PARAMETER\("(.*)", (.*)\)', text, re.M)]
params = json.loads(subprocess.check_output([igpu, "params", "--json"]))
keys = [p["key"] for p in params]
for key, was, *v in rows:
    p = params[keys.index(key)]
    assert was == p["default"], f"{key}: the sets were made for {was}: tests/perf/derive.py"
    assert all(p["min"] <= x <= p["max"] for x in v), key
found = subprocess.run([igpu, "params", "--resolve"], input=machine + "\n", text=True,
                       stdout=subprocess.PIPE).stdout.split()
values = dict(zip(keys, map(int, found[1:])))
cycles = []
for i in range(16):
    words = [f"{key}={(values[key] * v[i] + was // 2) // was}" for key, was, *v in rows]
    words = [w for word in words for w in ("-s", word)]
    out = subprocess.check_output([igpu, "ref", "--quiet", "-c", machine, *words, "--json", "-", trace])
    cycles.append(json.loads(out)["cycles"])
normal = statistics.NormalDist(bias, spread)
def quantile(share):
    low, high = 0.0, 50.0
    for _ in range(100):
        x = (low + high) / 2
        below = sum(normal.cdf(x - math.log(c)) for c in cycles) / 16
        low, high = (x, high) if below < share else (low, x)
    return math.exp(high)
band = json.load(open(given))["band"]
assert len(set(cycles)) > 1, "the sets move nothing"
assert (band["sets_least"], band["sets_most"], band["sets"]) == (min(cycles), max(cycles), 16), band
for key, share, out in (("cycles_low", .05, -widen), ("cycles_high", .95, widen)):
    wanted = quantile(share) * math.exp(out)
    assert abs(band[key] - wanted) <= 1, (band, wanted)
END
python3 "$IGPU_TMP/sets.py" "$igpu" skl-gt2 $t/triad.pb "$IGPU_TMP/ref.json"
report $? "the interval is that of 16 simulations by hand"
"$igpu" ref --quiet -c kbl-gt3e --band --json "$IGPU_TMP/gt3e.json" $t/stencil.pb >/dev/null
python3 "$IGPU_TMP/sets.py" "$igpu" kbl-gt3e $t/stencil.pb "$IGPU_TMP/gt3e.json"
report $? "another machine's values are moved in proportion"

expect 0 "a value at the end of its range stays in it" "$igpu" ref --quiet --band -s dp.messages=64 \
    -s dram.queue=256 -s dram.write_high=256 -s dram.write_low=255 $t/copy.pb
expect 0 "one launch of several" "$igpu" ref --quiet --band --kernels 0..0 $t/copy.pb
for other in "--sample error=2%" "-j 2" "--max-cycles 100" "--kernels 0..0 --warm" "--cpu trace:none"; do
    # shellcheck disable=SC2086
    expect 2 "$other: refused" "$igpu" ref --band $other $t/copy.pb
    words=${other#--kernels 0..0 }
    says "by a line that names it" "use it without ${words%% *}"
done
exit $failures
