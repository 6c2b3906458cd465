#!/bin/sh
# Every sample, RTL against the C reference side by side: each issue, message, thread and
# statistic, at 1, 3, 24 and 48 EUs.
# tests/run: timeout=1500
. tests/support/cli.sh
mkdir -p "$IGPU_TMP"
one="-s gpu.subslices=1 -s eu.count=1"
three="-s eu.count=1"
for t in traces/samples/*.pb; do
    name=$(basename "$t" .pb)
    expect 0 "$name: 24 EUs" "$vigpu" --check --quiet "$t"
    expect 0 "$name: 48 EUs" "$vigpu" --check --quiet -c kbl-gt3e "$t"
    # A group that needs more thread slots than one EU has cannot run there (exit 2).
    # shellcheck disable=SC2086
    "$vigpu" --check --quiet $one --max-cycles 60000 "$t" >/dev/null 2>&1
    got=$?
    [ $got = 0 ] || [ $got = 4 ] || [ $got = 2 ]
    report $? "$name: 1 EU (exit $got)"
    # shellcheck disable=SC2086
    "$vigpu" --check --quiet $three --max-cycles 60000 "$t" >/dev/null 2>&1
    got=$?
    [ $got = 0 ] || [ $got = 4 ] || [ $got = 2 ]
    report $? "$name: 3 EUs (exit $got)"
done
exit $failures
