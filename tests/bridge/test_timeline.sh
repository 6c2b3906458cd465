#!/bin/sh
# --timeline: agrees with the run's statistics, is the same for every engine, is whole
# when a run stops early, and is not there when it fails.
. tests/support/cli.sh
mkdir -p "$IGPU_TMP"
t=traces/samples/reduce_u32.pb
out=$IGPU_TMP

for engine in ref rtl; do
    expect 0 "a timeline of $engine" "$vigpu" --quiet --engine $engine \
        --timeline "$out/$engine.json" --json "$out/$engine.stats" $t
    python3 tests/bridge/timeline.py "$out/$engine.json" "$out/$engine.stats"
    sed 's/,$//' "$out/$engine.json" | sort >"$out/$engine.lines"
done
expect 0 "the same lines from both" cmp "$out/ref.lines" "$out/rtl.lines"

# Perfetto's own format: the same, in whole nanoseconds.
export PERFETTO_PB2=$out
python=$(.ci/deps.sh python)
expect 0 "protoc" protoc --proto_path=bridge/host/sim --python_out="$out" bridge/host/sim/perfetto.proto
for engine in ref rtl; do
    expect 0 "a trace of $engine for Perfetto" "$vigpu" --quiet --engine $engine --energy --every 1us \
        --timeline "$out/$engine.pftrace" $t
    expect 0 "and as JSON" "$vigpu" --quiet --engine $engine --energy --every 1us \
        --timeline "$out/$engine.again.json" $t
    for file in pftrace again.json; do
        "$python" tests/bridge/timeline.py --lines "$out/$engine.$file" >"$out/$file.lines"
        report $? "$file is read"
    done
    grep -q counter "$out/pftrace.lines"
    report $? "it has counters"
    expect 0 "the same events" cmp "$out/pftrace.lines" "$out/again.json.lines"
done
[ $((3 * $(wc -c <"$out/rtl.pftrace"))) -lt "$(wc -c <"$out/rtl.again.json")" ]
report $? "in a third of the bytes"

expect 4 "one of a run that stops" "$igpu" ref --quiet --max-cycles 3000 \
    --timeline "$out/stopped.json" --json "$out/stopped.stats" $t
python3 tests/bridge/timeline.py "$out/stopped.json" "$out/stopped.stats"
expect 4 "the same for Perfetto" "$igpu" ref --quiet --max-cycles 3000 \
    --timeline "$out/stopped.pftrace" $t
for file in stopped.pftrace stopped.json; do
    "$python" tests/bridge/timeline.py --lines "$out/$file" >"$out/$file.lines"
done
expect 0 "with the same events" cmp "$out/stopped.pftrace.lines" "$out/stopped.json.lines"
expect 2 "not beside --check" "$vigpu" --check --timeline "$out/both.json" $t
expect 2 "not into nowhere" "$igpu" ref --timeline /nonexistent/t.json $t
expect 3 "not of a trace that is none" "$igpu" ref --timeline "$out/none.json" tests/run
expect 1 "and then no file" test -e "$out/none.json"
