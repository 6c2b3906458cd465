#!/bin/sh
# The command line: options, exit statuses, one clear line for each misuse.
# tests/run: timeout=120
. tests/support/cli.sh
t=traces/samples/reduce_u32.pb
mkdir -p "$IGPU_TMP"

# A compiler that needs 11 seconds, meanwhile: what a recording tells of it, at the end.
# An igpu that has no compile server beside it runs `ocloc` from PATH.
mkdir -p "$IGPU_TMP/slow"
cp "$igpu" "$IGPU_TMP/slow/igpu"
printf '#!/bin/sh\nsleep 11\nexit 1\n' >"$IGPU_TMP/slow/ocloc"
chmod 755 "$IGPU_TMP/slow/ocloc"
slow() { # slow NAME OPTION...
    XDG_CACHE_HOME="$IGPU_TMP/slow" PATH="$IGPU_TMP/slow:$PATH" "$IGPU_TMP/slow/igpu" record "${@:2}" \
        -g 8 -l 8 traces/kernels/mad.cl >"$IGPU_TMP/slow/$1" 2>&1
}
slow loud &
loud=$!
slow quiet --quiet &
quiet=$!

for program in "$igpu ref" "$vigpu"; do
    p=${program##*/}
    # shellcheck disable=SC2086
    run() { expect "$1" "$p: $2" $program $3; }
    run 0 "help" "--help"
    run 0 "version" "--version"
    run 0 "list of statistics" "--stats-help"
    run 2 "no trace" ""
    run 2 "two traces" "$t $t"
    run 2 "an unknown option" "--nonsense $t"
    run 2 "an option without its value" "--json"
    run 2 "an unknown configuration" "-c skl-gt9 $t"
    says "$p: which ones there are" "skl-gt2"
    run 2 "an unknown key" "-s eu.thread=4 $t"
    says "$p: the nearest key" "eu.threads"
    run 2 "a value out of range" "-s eu.threads=8 $t"
    says "$p: the range" "7"
    run 2 "a value that is no number" "-s eu.threads=many $t"
    run 2 "a key without value" "-s eu.threads $t"
    run 2 "a launch that is not there" "--kernels 5..6 $t"
    run 2 "a range that is none" "--kernels 1..x $t"
    run 2 "no cycles at all" "--max-cycles 0 $t"
    run 2 "no host thread" "--threads 0 $t"
    run 2 "an unknown engine" "--engine fast $t"
    run 2 "output into nowhere" "--json /nonexistent/x.json $t"
    run 3 "a trace that is not there" "$IGPU_TMP/none.pb"
    run 3 "a folder as trace" "$IGPU_TMP"
    run 3 "a configuration file that is not there" "-c $IGPU_TMP/none.yaml $t"
    run 0 "the sample" "--quiet $t"
    run 4 "a run stopped at a cycle" "--quiet --max-cycles 1000 $t"
done

: >"$IGPU_TMP/empty.pb"
echo "this is no trace" >"$IGPU_TMP/text.pb"
head -c 5000 /dev/urandom >"$IGPU_TMP/random.pb"
head -c 700 $t >"$IGPU_TMP/cut.pb"
for f in empty text random cut; do
    expect 3 "a trace that is $f" "$igpu" ref "$IGPU_TMP/$f.pb"
    says "its name" "$f.pb"
done

printf 'eu: [1, 2\n' >"$IGPU_TMP/bad.yaml"
printf 'eu.thread: 3\n' >"$IGPU_TMP/key.yaml"
printf 'base: skl-gt2\neu:\n  threads: 99\n' >"$IGPU_TMP/range.yaml"
printf 'base: kbl-gt3e\neu:\n  threads: 4\n' >"$IGPU_TMP/good.yaml"
expect 3 "a configuration that is no YAML" "$igpu" ref -c "$IGPU_TMP/bad.yaml" $t
expect 2 "a configuration with an unknown key" "$igpu" ref -c "$IGPU_TMP/key.yaml" $t
says "file and line" "key.yaml:1"
expect 2 "a configuration with a value out of range" "$igpu" ref -c "$IGPU_TMP/range.yaml" $t
says "file and line" "range.yaml:3"
expect 0 "a configuration file" "$igpu" ref -c "$IGPU_TMP/good.yaml" \
    --dump-config "$IGPU_TMP/dump.yaml" $t
expect 0 "a dumped configuration" "$igpu" ref -c "$IGPU_TMP/dump.yaml" \
    --dump-config "$IGPU_TMP/dump2.yaml" $t
cmp -s "$IGPU_TMP/dump.yaml" "$IGPU_TMP/dump2.yaml"
report $? "a dumped configuration reads back to the same"

"$igpu" ref --quiet --json - $t >"$IGPU_TMP/one.json"
python3 - "$IGPU_TMP/one.json" <<'PY'
import json, sys
d = json.load(open(sys.argv[1]))
need = ["schema", "version", "engine", "config", "trace", "cycles", "time_ns", "clock_hz",
        "instructions", "lane_instructions", "flops", "gflops", "threads_dispatched", "eu",
        "slm", "l3", "llc", "edram", "dram", "mem", "agents", "kernels", "complete", "host"]
missing = [k for k in need if k not in d]
assert not missing, missing
for section, keys in {
        "eu": "active stall idle fpu0 fpu1 fpu_both send branch",
        "l3": "accesses hits misses merged",
        "dram": "reads writes row_hits row_misses row_conflicts bytes",
        "mem": "requests latency_ns_avg latency_ns_p50 latency_ns_p99 "
               "messages_inflight_peak message_full_cycles lines_inflight_peak "
               "mshr_full_cycles",
        "host": "seconds cpu_seconds target_kcycles_per_s thread_minstr_per_s "
                "rss_bytes"}.items():
    for key in keys.split():
        assert key in d[section], (section, key)
eu = d["eu"]
assert eu["active"] + eu["stall"] + eu["idle"] == d["cycles"] * 24, eu
assert d["l3"]["hits"] + d["l3"]["misses"] + d["l3"]["merged"] == d["l3"]["accesses"]
assert d["complete"] is True and d["kernels"][0]["cycles"] == d["cycles"]
PY
report $? "JSON has every key of the contract, and its sums hold"
"$igpu" ref --quiet --max-cycles 1000 --json - $t | python3 -c '
import json, sys
d = json.load(sys.stdin)
assert d["complete"] is False and d["cycles"] == 1000, d["cycles"]'
report $? "a stopped run says so, with the cycles so far"
"$igpu" ref --quiet --json "$IGPU_TMP/x.json" $t >/dev/null
[ -s "$IGPU_TMP/x.json" ] && [ "$(ls "$IGPU_TMP"/x.json*)" = "$IGPU_TMP/x.json" ]
report $? "a JSON file is whole and leaves nothing beside it"

"$igpu" record --quiet -k mad_sp -g 5376 -l 32 -O -DSIMD=32 --arg buf:21504 --arg i32:9000 \
    --arg f32:0.5 --arg f32:0.5 -o "$IGPU_TMP/long.pb" traces/kernels/mad.cl
report $? "record a long run"
with_signals "$igpu" ref --quiet --json "$IGPU_TMP/int.json" "$IGPU_TMP/long.pb" >/dev/null &
# From when it simulates on: before that, a signal just ends it. 0.3 s of CPU time are more
# than its start takes, and a small part of its run.
for _ in {1..600}; do
    read -r -a stat <"/proc/$!/stat" && [ "${stat[13]}" -ge 30 ] && break
    sleep 0.1
done
for _ in {1..500}; do kill -INT $!; done 2>/dev/null # a launcher and a terminal may each send one
wait $!
[ $? = 4 ] && grep -q '"complete": false' "$IGPU_TMP/int.json"
report $? "Ctrl-C, pressed many times, ends with status 4 and the statistics so far"

with_signals "$igpu" record --quiet -k mad_sp -g 537600 -l 32 -O -DSIMD=32 --arg buf:2150400 --arg i32:900000 \
    --arg f32:0.5 --arg f32:0.5 -o "$IGPU_TMP/stopped.pb" traces/kernels/mad.cl &
being_written "$IGPU_TMP"
kill -INT $!
wait $!
[ $? = 130 ] && [ -z "$(ls "$IGPU_TMP"/stopped*)" ]
report $? "a recording that is stopped leaves nothing"
(trap '' HUP && exec "$igpu" record --quiet -k mad_sp -g 5376 -l 32 -O -DSIMD=32 --arg buf:21504 --arg i32:9000 \
    --arg f32:0.5 --arg f32:0.5 -o "$IGPU_TMP/kept.pb" traces/kernels/mad.cl) &
being_written "$IGPU_TMP"
kill -HUP $!
wait $! && "$igpu" trace verify "$IGPU_TMP/kept.pb" >/dev/null
report $? "nohup: a recording goes on"

expect 4 "waves of the RTL" "$vigpu" --quiet --wave "$IGPU_TMP/w.fst" --max-cycles 500 $t
[ -s "$IGPU_TMP/w.fst" ]
report $? "the wave file is there"
expect 2 "a value that the engine does not honour" "$igpu" ref -s eu.arbiter=young $t
says "its names are told" "eu.arbiter: 'young' is unknown; expected rr|oldest"
expect 2 "waves into nowhere" "$vigpu" --quiet --wave /nonexistent/w.fst $t
expect 2 "waves of the RTL's top" "$vigpu" --engine array --wave "$IGPU_TMP/w.fst" $t
expect 2 "waves of a program without RTL" "$igpu" ref --wave "$IGPU_TMP/w.fst" $t

expect 2 "igpu without a command" "$igpu"
expect 2 "igpu with an unknown command" "$igpu" swept
expect 0 "igpu help" "$igpu" --help

# A command of the Python package, with and without one beside igpu.
mkdir "$IGPU_TMP/bin" && cp "$igpu" "$IGPU_TMP/bin/igpu"
expect 2 "a Python command without the package" "$IGPU_TMP/bin/igpu" report
says "what to install" "report is part of the Python package.*make python"
# shellcheck disable=SC2016 # for the script
printf '#!/bin/sh\necho "$IGPU|$*"\nexit 7\n' >"$IGPU_TMP/bin/igpu-python" && chmod +x "$IGPU_TMP/bin/igpu-python"
out=$(cd / && env -u IGPU "$IGPU_TMP/bin/igpu" report -o "a b" --quick)
[ $? = 7 ] && [ "$out" = "$(realpath "$IGPU_TMP")/bin/igpu|report -o a b --quick" ]
report $? "a Python command is igpu-python's, with its words, status and this igpu"
out=$(IGPU=other "$IGPU_TMP/bin/igpu" plot)
[ "$out" = "other|plot" ]
report $? "unless IGPU names another"
mkdir -p "$IGPU_TMP/bin/build/bin" && mv "$IGPU_TMP/bin/igpu-python" "$IGPU_TMP/bin/build/bin"
out=$("$IGPU_TMP/bin/igpu" plot)
[ $? = 7 ] && [ "${out#*|}" = plot ]
report $? "also from a checkout's top, where it is in build/bin"
printf 'no program' >"$IGPU_TMP/bin/build/bin/igpu-python"
expect 2 "an igpu-python that cannot run" "$IGPU_TMP/bin/igpu" plot
says "the reason" "cannot run"

wait $loud
[ $? = 3 ] && [ "$(grep -cx 'igpu record: compiling for skl, 1[0-9] s' "$IGPU_TMP/slow/loud")" = 1 ]
report $? "a recording tells of a compilation of ten seconds"
wait $quiet
[ $? = 3 ] && [ "$(wc -l <"$IGPU_TMP/slow/quiet")" = 1 ]
report $? "and with --quiet only that it failed"
exit $failures
