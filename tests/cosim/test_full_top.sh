#!/bin/sh
# The whole Verilated top against the reference, event by event, where it could differ
# from the tiles: messages that wait for a credit when the last thread has ended, fewer
# subslices, EUs and threads than built, all six subslices, windows of one cycle.
# tests/run: timeout=300
. tests/support/cli.sh
mkdir -p "$IGPU_TMP"

equal() { # equal WHAT SAMPLE OPTIONS...
    what=$1 sample=traces/samples/$2.pb
    shift 2
    expect 0 "$what" "$vigpu" --engine rtl-full --check --quiet "$@" "$sample"
    grep -q '^check  *[1-9][0-9]* events equal in rtl-full and ref' "$IGPU_TMP/out"
    report $? "$what: events were compared"
}

equal "messages wait for credits after the last end" ids_3d
equal "one message at a time" copy -s dp.queue=1
equal "one subslice of one EU with one thread" ext_native \
    -s gpu.subslices=1 -s eu.count=1 -s eu.threads=1
equal "two subslices of five EUs with three threads" reduce_u32 \
    -s gpu.subslices=2 -s eu.count=5 -s eu.threads=3
equal "six subslices" histogram_local -c kbl-gt3e
equal "windows of one cycle" stencil -s disp.start_latency=1 -s disp.end_latency=1 \
    -s dp.in_latency=0 -s dp.out_latency=1
exit $failures
