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

expect 4 "one of a run that stops" "$igpu" ref --quiet --max-cycles 3000 \
    --timeline "$out/stopped.json" --json "$out/stopped.stats" $t
python3 tests/bridge/timeline.py "$out/stopped.json" "$out/stopped.stats"
expect 2 "not beside --check" "$vigpu" --check --timeline "$out/both.json" $t
expect 2 "not into nowhere" "$igpu" ref --timeline /nonexistent/t.json $t
expect 3 "not of a trace that is none" "$igpu" ref --timeline "$out/none.json" tests/run
expect 1 "and then no file" test -e "$out/none.json"
