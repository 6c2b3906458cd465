#!/bin/sh
# The EU pipelines as an engine of ./Vigpu: every sample's statistics are those of the
# default engine, byte for byte; every event is the reference's where the engine could
# differ: fewer subslices, EUs and threads than built, two pipelines, windows of one cycle.
# What it cannot find: see test_array.c.
# tests/run: timeout=900 slow
. tests/support/cli.sh
mkdir -p "$IGPU_TMP"

json() { # json FILE COMMAND...: its statistics but for the host's
    file=$1
    shift
    "$@" --quiet --json - >"$IGPU_TMP/json"
    [ $? = "$exits" ] &&
        python3 -c 'import json, sys
d = json.load(sys.stdin)
for key in ("host", "engine", "command"):
    d.pop(key, None)
json.dump(d, sys.stdout, indent=1)' <"$IGPU_TMP/json" >"$file"
}
exits=0 # how a run ends
same() { # same WHAT OPTIONS...: with --engine array and array:3x8 as without
    what=$1
    shift
    json "$IGPU_TMP/base" "$vigpu" "$@"
    report $? "$what: the default engine"
    for shape in array array:3x8; do
        json "$IGPU_TMP/other" "$vigpu" --engine $shape "$@" &&
            cmp -s "$IGPU_TMP/base" "$IGPU_TMP/other"
        report $? "$what: $shape"
    done
}
checked() { # checked WHAT SAMPLE OPTIONS...
    what=$1 sample=traces/samples/$2.pb
    shift 2
    expect 0 "$what" "$vigpu" --engine array --check --quiet "$@" "$sample"
    grep -q '^check  *[1-9][0-9]* events equal in array and ref' "$IGPU_TMP/out"
    report $? "$what: events were compared"
}

for t in traces/samples/*.pb; do
    same "$(basename "$t" .pb)" "$t"
done
# Stopped in the middle: what was occupied beyond, and threads that issued in part.
exits=4
for cycles in 350 1000 1600; do
    for name in atomics32 copy reduce_u32; do
        same "$name up to cycle $cycles" --max-cycles $cycles "traces/samples/$name.pb"
    done
done
exits=0
checked "messages wait for credits after the last end" ids_3d
checked "one subslice of one EU with one thread" ext_native \
    -s gpu.subslices=1 -s eu.count=1 -s eu.threads=1
checked "two subslices of five EUs with three threads" reduce_u32 \
    -s gpu.subslices=2 -s eu.count=5 -s eu.threads=3
checked "six subslices" histogram_local -c kbl-gt3e
checked "windows of one cycle" stencil -s disp.start_latency=1 -s disp.end_latency=1 \
    -s dp.in_latency=0 -s dp.out_latency=1
expect 2 "six subslices on three pipelines" "$vigpu" --engine array:3x8 -c kbl-gt3e \
    traces/samples/copy.pb
grep -q '3 subslices of 8 EUs were built; use --engine array$' "$IGPU_TMP/err"
report $? "it says what was built, and what to do"
expect 2 "a shape that was not built" "$vigpu" --engine array:2x12 traces/samples/copy.pb
expect 2 "waves of the pipelines" "$vigpu" --engine array --wave "$IGPU_TMP/w.fst" \
    traces/samples/copy.pb
exit $failures
