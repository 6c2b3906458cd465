#!/bin/sh
# Every sample, RTL against the C reference side by side: each issue, message, thread and
# statistic, at 1, 3, 24 and 48 EUs.
# tests/run: timeout=1500
. tests/support/cli.sh
mkdir -p "$IGPU_TMP"
one="-s gpu.subslices=1 -s eu.count=1"
three="-s eu.count=1"
refused=
large= # groups of 8 threads, and one EU has 7
for name in histogram_local matmul_tiled reduce_u32 stencil_tiled; do
    large="$large $name: 1 EU $name: 3 EUs"
done
# few NAME SETTINGS TRACE: runs, to its end or the limit; or has no room, and says so.
few() {
    # shellcheck disable=SC2086
    "$vigpu" --check --quiet $2 --max-cycles 60000 "$3" >/dev/null 2>"$IGPU_TMP/err"
    got=$?
    case $got in
    0 | 4) ;;
    2)
        refused="$refused $1"
        grep -q 'a work-group with barrier or SLM has [0-9]* threads, a subslice has eu.count x eu.threads = 7 slots' "$IGPU_TMP/err"
        got=$?
        ;;
    esac
    [ $got = 0 ] || [ $got = 4 ]
    report $? "$1 (exit $got)"
}
for t in traces/samples/*.pb; do
    name=$(basename "$t" .pb)
    expect 0 "$name: 24 EUs" "$vigpu" --check --quiet "$t"
    expect 0 "$name: 48 EUs" "$vigpu" --check --quiet -c kbl-gt3e "$t"
    few "$name: 1 EU" "$one" "$t"
    few "$name: 3 EUs" "$three" "$t"
done
[ "$refused" = "$large" ]
report $? "what has no room in one EU:$refused"
exit $failures
