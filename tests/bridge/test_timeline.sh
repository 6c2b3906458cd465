#!/bin/sh
# --timeline: agrees with the run's statistics, is the same for every engine, is whole
# when a run stops early, and is not there when it fails.
# tests/run: slow turn=2of3
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

# Waits, what answered messages, our own statistics; a window of cycles, EUs, launches.
expect 0 "with waits and statistics" "$igpu" profile --quiet --series-every 500 --timeline "$out/waits.json" $t
expect 0 "the same of the RTL for Perfetto" "$vigpu" --quiet --profile "$out/p.json" --series-every 500 \
    --timeline "$out/waits.pftrace" $t
for file in waits.pftrace waits.json; do
    "$python" tests/bridge/timeline.py --lines "$out/$file" >"$out/$file.lines"
done
expect 0 "the same events" cmp "$out/waits.pftrace.lines" "$out/waits.json.lines"
grep -q "slot 0 waits', 'barrier'" "$out/waits.json.lines" && grep -q "'answered_by': 'dram'" "$out/waits.json.lines"
report $? "waits by reason, messages by what answered them"
[ "$(grep -o "'counter', '[^']*'" "$out/waits.json.lines" | sort -u | wc -l)" = 10 ]
report $? "ten counter tracks"
expect 0 "of one EU" "$igpu" profile --quiet --timeline "$out/one.json" --timeline-eus 9..9 \
    --timeline-from 1000 --timeline-to 2000 $t
"$python" tests/bridge/timeline.py --lines "$out/one.json" | grep -v launches >"$out/one.lines"
grep "^(2, 'EU 1 " "$out/one.lines" | cmp -s - "$out/one.lines" && [ -s "$out/one.lines" ]
report $? "has that one alone"
expect 0 "of no launch" "$igpu" ref --quiet --timeline "$out/no.json" --timeline-launches 1..3 $t
! grep -q '"ph":"[be]"' "$out/no.json"
report $? "has no messages"
expect 2 "a window of no timeline" "$igpu" ref --timeline-eus 0..1 $t
expect 2 "no EUs" "$igpu" ref --timeline "$out/no.json" --timeline-eus x $t
says "says what is expected" "--timeline-eus x: expected A..B, EUs counted from 0"

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
