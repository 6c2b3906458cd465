#!/bin/sh
# The same trace and configuration give byte-identical JSON (outside `host`, `engine`,
# `version` and the trace's path): two runs, RTL, RTL's top and reference, one and two
# host threads. Other compilers and -O levels: `make test-long`.
# tests/run: timeout=900
. tests/support/cli.sh
mkdir -p "$IGPU_TMP"

json() { # json OUT COMMAND...
    out=$1
    shift
    "$@" --quiet --json - >"$IGPU_TMP/raw.json" || return 1
    python3 -c '
import json, sys
d = json.load(open(sys.argv[1]))
for key in ("host", "engine", "version"):
    d.pop(key)
d["trace"].pop("path")
json.dump(d, open(sys.argv[2], "w"), indent=1)' "$IGPU_TMP/raw.json" "$out"
}

same() { # same WHAT COMMAND...
    what=$1
    shift
    json "$IGPU_TMP/other.json" "$@" && cmp -s "$IGPU_TMP/base.json" "$IGPU_TMP/other.json"
    report $? "$what"
}

for name in mad_sp reduce_u32 histogram_local divergent chase_n; do
    t=traces/samples/$name.pb
    json "$IGPU_TMP/base.json" "$igpu" ref $t
    report $? "$name: reference"
    same "$name: the reference again" "$igpu" ref $t
    same "$name: RTL" "$vigpu" $t
    same "$name: RTL on two host threads" "$vigpu" --threads 2 $t
    same "$name: the RTL's top" "$vigpu" --engine array $t
done
exit $failures
