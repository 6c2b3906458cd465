#!/bin/sh
# --series: lines add up to the run's statistics, follow one another, are the same for both
# engines, end where a run stops, and are whole or not there.
. tests/support/cli.sh
mkdir -p "$IGPU_TMP"
out=$IGPU_TMP
samples=traces/samples

for t in reduce_u32 chase_a64 ping_pong; do
    expect 0 "over time, $t" "$vigpu" --quiet --series "$out/rtl.csv" --series-every 300 \
        --json "$out/stats.json" $samples/$t.pb
    python3 - "$out" <<'PY'
import csv, json, sys
rows = list(csv.DictReader(open(sys.argv[1] + "/rtl.csv")))
stats = json.load(open(sys.argv[1] + "/stats.json"))
def ok(name, good):
    print("ok" if good else "not ok", name)
ok(f"{len(rows)} lines follow one another",
   len(rows) > 3 and all(a["to"] == b["from"] for a, b in zip(rows, rows[1:])))
ok("none longer than asked", all(0 < int(r["to"]) - int(r["from"]) <= 300 for r in rows))
bad, seen = [], 0
for name in rows[0]:
    section, _, key = name.partition("_")
    if key in stats.get(section, {}) and not key.startswith("peak"):
        seen += 1
        total = sum(int(r[name]) for r in rows)
        if total != stats[section][key]:
            bad.append((name, total, stats[section][key]))
print("#", *bad)
ok(f"{seen} counters add up", seen > 60 and not bad)
banks = sum(int(r[k]) for r in rows for k in r if k.startswith("bank") and k.endswith("accesses"))
ok("banks are the L3's", banks == stats["l3"]["accesses"])
PY
    expect 0 "of the reference" "$igpu" ref --quiet --series "$out/ref.csv" \
        --series-every 300 $samples/$t.pb
    cmp -s "$out/rtl.csv" "$out/ref.csv"
    report $? "the same file"
done

expect 4 "a run that stops" "$vigpu" --quiet --max-cycles 2500 --series "$out/stop.csv" \
    $samples/reduce_u32.pb
[ "$(tail -1 "$out/stop.csv" | cut -d, -f3)" = 2500 ]
report $? "ends there"
expect 2 "no interval without a file" "$vigpu" --series-every 5 $samples/copy.pb
says "and says what to do" "use it with --series FILE"
expect 2 "no interval of 0" "$vigpu" --series "$out/no.csv" --series-every 0 \
    $samples/copy.pb
says "names it" "series-every"
[ ! -e "$out/no.csv" ]
report $? "nothing is written"
expect 2 "not where time is left out" "$vigpu" --series "$out/no.csv" --sample error=2% \
    $samples/copy.pb
says "and says so" "series needs one run of every cycle"
