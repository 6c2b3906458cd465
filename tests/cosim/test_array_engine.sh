#!/bin/sh
# The RTL's top as an engine of ./Vigpu, in both shells: every sample's statistics are
# those of the default engine, byte for byte; every event is the reference's where the
# engine could differ: messages that wait for a credit when the last thread has ended, fewer
# subslices, EUs and threads than built, two pipelines, windows of one cycle.
# What it cannot find: see test_array.c.
# tests/run: timeout=900 slow turn=2of3
. tests/support/cli.sh
mkdir -p "$IGPU_TMP"

json() { # json FILE COMMAND...: its statistics but for the host's
    file=$1
    shift
    "$@" --quiet --json - >"$IGPU_TMP/json"
    [ $? = "$exits" ] &&
        grep -v '^  "\(host\|engine\|command\)": ' "$IGPU_TMP/json" >"$file"
}
exits=0 # how a run ends
turn=0
quarter=$(part_of 4)
same() { # same WHAT OPTIONS...: with the RTL's top as without, in the simulator's shell and
    # one of the hardware's, the larger one for a quarter by the commit; with --long in all
    what=$1
    shift
    json "$IGPU_TMP/base" "$vigpu" "$@"
    report $? "$what: the default engine"
    turn=$((turn + 1))
    shapes="array $([ $((turn % 4)) = $quarter ] && echo pipe:3x8 || echo pipe)"
    [ -z "${IGPU_LONG-}" ] || shapes="array pipe pipe:3x8"
    for shape in $shapes; do
        json "$IGPU_TMP/other" "$vigpu" --engine $shape "$@" &&
            cmp -s "$IGPU_TMP/base" "$IGPU_TMP/other"
        report $? "$what: $shape"
    done
}
checked() { # checked WHAT SAMPLE OPTIONS...
    what=$1 sample=traces/samples/$2.pb
    shift 2
    for engine in $engines; do
        expect 0 "$what: $engine" "$vigpu" --engine $engine --check --quiet "$@" "$sample"
        grep -q "^check  *[1-9][0-9]* events equal in $engine and ref" "$IGPU_TMP/out"
        report $? "$what: $engine: events were compared"
    done
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
engines="array pipe"
checked "messages wait for credits after the last end" ids_3d
checked "one subslice of one EU with one thread" ext_native \
    -s gpu.subslices=1 -s eu.count=1 -s eu.threads=1
checked "two subslices of five EUs with three threads" reduce_u32 \
    -s gpu.subslices=2 -s eu.count=5 -s eu.threads=3
checked "one message at a time" copy -s dp.queue=1
checked "windows of one cycle" stencil -s disp.start_latency=1 -s disp.end_latency=1 \
    -s dp.in_latency=0 -s dp.out_latency=1
engines=array
checked "six subslices" histogram_local -c kbl-gt3e
for shape in pipe pipe:3x8; do
    expect 2 "six subslices: $shape" "$vigpu" --engine $shape -s gpu.subslices=6 traces/samples/copy.pb
done
grep -q '3 subslices of 8 EUs were built; use --engine array$' "$IGPU_TMP/err"
report $? "it says what was built, and what to do"
expect 2 "a shape that was not built" "$vigpu" --engine pipe:2x12 traces/samples/copy.pb
for shape in array pipe; do
    expect 2 "waves: $shape" "$vigpu" --engine $shape --wave "$IGPU_TMP/w.fst" \
        traces/samples/copy.pb
done
exit $failures
