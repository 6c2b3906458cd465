#!/bin/bash
# The verdict of a profile (docs/guide/profile.md, section 4) names what holds a kernel up, for
# kernels that are bound by one thing each; and where a parameter takes that away, cycles
# fall as the profile said (tests/bridge/verdicts/verdicts.txt).
# tests/run: timeout=900 slow turn=2of3
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

profile() { # profile FILE NAME WORDS...: JSON to $IGPU_TMP/FILE.json
    "$igpu" profile --quiet --json "$IGPU_TMP/$1.json" "${@:3}" "$(trace "$2")" >"$IGPU_TMP/log" 2>&1
}

# is CAUSE NAME SETTINGS... [: EASE SETTINGS...]: the verdict; and with the settings behind
# the colon cycles fall as --ease EASE said, within 15 % of what they fall by.
is() {
    local cause=$1 name=$2 words=() ease=() less=()
    shift 2
    while [ $# -gt 0 ] && [ "$1" != : ]; do words+=(-s "$1") && shift; done
    if [ "${1:-}" = : ]; then
        ease=(--ease "$2")
        shift 2
        for s; do less+=(-s "$s"); done
    fi
    profile more "$name" "${words[@]}" "${ease[@]}" || sed 's/^/# /' "$IGPU_TMP/log"
    if [ ${#less[@]} -gt 0 ]; then
        profile less "$name" "${words[@]}" "${less[@]}" || sed 's/^/# /' "$IGPU_TMP/log"
    fi
    python3 - "$IGPU_TMP" "$cause" ${#less[@]} <<'PY'
import json, sys
folder, cause, eased = sys.argv[1:]
more = json.load(open(f"{folder}/more.json"))["launches"][0]
good = more["cause"] == cause
if not good:
    print(f"# {more['cause']}: {more['evidence'][:200]}")
if int(eased):
    less = json.load(open(f"{folder}/less.json"))["launches"][0]
    said, came = more["cycles"] - more["without"]["eased"], more["cycles"] - less["cycles"]
    print(f"# {more['cycles']} cycles; {said:.0f} fewer were said, {came} came: "
          f"{100 * (came - said) / said if said else 0:+.1f} %")
    good = good and said > 0 and abs(came - said) <= 0.15 * said
sys.exit(not good)
PY
    report $? "$cause: $name ${words[*]}${less:+, less: ${ease[1]} ${less[*]}}"
}

while read -r word rest; do
    case $word in
    record | is) read -ra words <<<"$rest" && "$word" "${words[@]}" ;;
    esac
done <$dir/verdicts.txt
