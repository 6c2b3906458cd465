#!/bin/bash
# The verdict of a profile (docs/guide/profile.md, section 4) names what holds a kernel up, for
# kernels that are bound by one thing each; and what a reason's cycles say of a latency
# that is made shorter comes true (tests/bridge/verdicts/verdicts.txt).
# tests/run: timeout=900 slow
. tests/support/cli.sh
mkdir -p "$IGPU_TMP"
dir=tests/bridge/verdicts

trace() { # trace NAME: recorded here, or a sample
    if [ -f "$IGPU_TMP/$1.pb" ]; then echo "$IGPU_TMP/$1.pb"; else echo "traces/samples/$1.pb"; fi
}

record() { # record NAME KERNEL GLOBAL LOCAL ARGUMENTS...
    local name=$1 words=(-k "$2" -g "$3" -l "$4")
    shift 4
    for a; do words+=(--arg "$a"); done
    "$igpu" record --quiet "${words[@]}" -o "$IGPU_TMP/$name.pb" $dir/verdicts.cl \
        >"$IGPU_TMP/log" 2>&1 || { sed 's/^/# /' "$IGPU_TMP/log"; report 1 "$name is recorded"; }
}

is() { # is CAUSE NAME SETTINGS...
    local cause=$1 name=$2 words=() got
    shift 2
    for s; do words+=(-s "$s"); done
    "$igpu" profile --quiet "${words[@]}" "$(trace "$name")" >"$IGPU_TMP/text" 2>&1
    got=$(sed -n '1s/.*(\([a-z0-9-]*\))$/\1/p' "$IGPU_TMP/text")
    [ "$got" = "$cause" ] || sed -n '1,2s/^/# /p' "$IGPU_TMP/text"
    [ "$got" = "$cause" ]
    report $? "$cause: $name $*"
}

less() { # less NAME REASON SHARE SETTING
    "$igpu" profile --quiet --json "$IGPU_TMP/more.json" "$(trace "$1")" >"$IGPU_TMP/log" &&
        "$igpu" profile --quiet --json "$IGPU_TMP/less.json" -s "$4" "$(trace "$1")" \
            >"$IGPU_TMP/log"
    python3 - "$IGPU_TMP" "$2" "$3" <<'PY'
import json, sys
more, less = (json.load(open(f"{sys.argv[1]}/{n}.json"))["launches"][0] for n in ("more", "less"))
reason, _, op = sys.argv[2].partition(":")
insts = more["instructions"]
waits = more["wait"][reason] if not op else sum(
    f["cycles"] for x in insts for f in x.get("for", ())
    if f["reason"] == reason and f" {op} " in f" {insts[f['producer']]['text']}")
said = more["cycles"] * waits / more["thread_cycles"] * float(sys.argv[3])
came = more["cycles"] - less["cycles"]
print(f"# {more['cycles']} cycles; {said:.0f} fewer were said, {came} came")
sys.exit(abs(came - said) > 0.15 * said)
PY
    report $? "$1 with $4: fewer cycles, as its $2 says"
}

while read -r word rest; do
    case $word in
    record | is | less) read -ra words <<<"$rest" && "$word" "${words[@]}" ;;
    esac
done <$dir/verdicts.txt
