#!/bin/bash
# igpu compare names what makes the difference of ten pairs of kernels in its first lines
# (tests/bridge/verdicts/pairs.txt).
# tests/run: timeout=900 slow
. tests/support/cli.sh
mkdir -p "$IGPU_TMP"
dir=tests/bridge/verdicts
python=$(.ci/deps.sh python)

record() { # record NAME KERNEL OPTIONS GLOBAL LOCAL ARGUMENTS...
    local name=$1 words=(-k "$2" -g "$4" -l "$5")
    words+=(-O "$([ "$3" = - ] || echo "$3") $defaults")
    shift 5
    for a; do words+=(--arg "$a"); done
    "$igpu" record --quiet "${words[@]}" -o "$IGPU_TMP/$name.pb" $dir/pairs.cl \
        >"$IGPU_TMP/log" 2>&1 || { sed 's/^/# /' "$IGPU_TMP/log"; report 1 "$name is recorded"; }
}

pair() { # pair A B WORDS...
    local a=$1 b=$2
    shift 2
    IGPU=$igpu PYTHONPATH=bridge/python "$python" -m vigpu compare "$IGPU_TMP/$a.pb" \
        "$IGPU_TMP/$b.pb" >"$IGPU_TMP/text" 2>&1
    sed '/^$/q' "$IGPU_TMP/text" >"$IGPU_TMP/head"
    sed "s/^/# /; s|$IGPU_TMP/||" "$IGPU_TMP/head"
    grep -qE "$*" "$IGPU_TMP/head"
    report $? "$a and $b: $*"
}

while read -r word rest; do
    case $word in
    record)
        # What a kernel does not ask for has a value too.
        defaults=
        for d in PITCH=16 UNROLL=1 TYPE=float LIVE=8; do
            [[ $rest == *-D${d%%=*}=* ]] || defaults+=" -D$d"
        done
        read -ra words <<<"$rest" && record "${words[@]}"
        ;;
    pair) read -r a b words <<<"$rest" && pair "$a" "$b" "$words" ;;
    esac
done <$dir/pairs.txt
