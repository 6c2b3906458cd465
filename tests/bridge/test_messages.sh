#!/bin/sh
# --messages (docs/contract/formats.md): agrees with the run's statistics, is the same for every
# engine, has what a run that stops leaves, and is whole or not there.
. tests/support/cli.sh
mkdir -p "$IGPU_TMP"
out=$IGPU_TMP
samples=traces/samples

for t in reduce_u32 atomics32 chase_a64 stencil_tiled; do
    expect 0 "messages of $t" "$vigpu" --quiet --check --messages "$out/rtl.csv" \
        --json "$out/stats.json" $samples/$t.pb
    python3 - "$out" <<'PY'
import csv, json, sys
rows = list(csv.DictReader(open(sys.argv[1] + "/rtl.csv")))
stats = json.load(open(sys.argv[1] + "/stats.json"))
def ok(name, good):
    print("ok" if good else "not ok", name)
memory = [r for r in rows if r["operation"] in ("read", "write", "atomic") and r["addresses"]]
ok(f"{len(memory)} requests", len(memory) == stats["mem"]["requests"])
ok("their latencies", sum(int(r["answered"]) - int(r["granted"]) for r in memory)
   == stats["mem"]["latency_cycles"])
slm = [r for r in memory if r["space"] == "slm"]
ok(f"{len(slm)} in SLM", len(slm) == stats["slm"]["accesses"]
   and all((r["answered_by"] == "slm") == (r["space"] == "slm") for r in memory))
def lines(r):
    size = int(r["bytes"])
    return {line for a in r["addresses"].split()
            for line in range(int(a, 16) // 64, (int(a, 16) + size - 1) // 64 + 1)}
count = sum(len(lines(r)) for r in memory if r["space"] == "global")
ok(f"{count} lines", count == stats["mem"]["lines"])
barriers = sum(r["operation"] == "barrier" for r in rows)
ok(f"{barriers} arrivals at barriers", barriers == stats["gw"]["arrivals"])
ok("answers in order", [int(r["answered"]) for r in rows]
   == sorted(int(r["answered"]) for r in rows))
PY
    expect 0 "the reference's" "$igpu" ref --quiet --messages "$out/ref.csv" $samples/$t.pb
    expect 0 "are the same" cmp "$out/rtl.csv" "$out/ref.csv"
done
expect 4 "of a run that stops" "$igpu" ref --quiet --max-cycles 3000 --messages "$out/stopped.csv" \
    $samples/reduce_u32.pb
grep -q '^0,[0-9]*,,' "$out/stopped.csv"
report $? "has what was not answered"
expect 2 "not with a sample" "$igpu" ref --sample error=5% --messages "$out/none.csv" $samples/copy.pb
expect 2 "not into nowhere" "$igpu" ref --messages "$out/no/such.csv" $samples/copy.pb
expect 3 "not of a trace that is none" "$igpu" ref --messages "$out/none.csv" tests/run
expect 1 "and then no file" test -e "$out/none.csv"
exit $failures
