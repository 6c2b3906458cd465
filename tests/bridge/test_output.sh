#!/bin/bash
# What the programs write: whole or not at all, by any number of writers, on a full disk,
# under signals; and what they print: lost output is an error.
# tests/run: timeout=240
. tests/support/cli.sh
t=traces/samples/reduce_u32.pb
d=$IGPU_TMP/d
mkdir -p "$d"

empty() { # nothing half-written is left
    left=$(ls -A "$d")
    [ -z "$left" ] || echo "# left: $left"
    report "$([ -z "$left" ]; echo $?)" "$1: nothing is left"
    rm -rf "${d:?}"/*
}

json() { # json FILE: it is whole
    python3 -c 'import json, sys; json.load(open(sys.argv[1]))' "$1"
}

# ---- standard output ---------------------------------------------------------
lost() { # lost COMMAND...: exit 1 and one line, on a full device and without stdout
    for where in "/dev/full" "&-"; do
        eval '"$@" >'"$where" 2>"$IGPU_TMP/err"
        got=$?
        # ... beside what the compiler warns of.
        [ $got = 1 ] && [ "$(grep -cv '^warning: kernel \|^$' "$IGPU_TMP/err")" = 1 ] &&
            grep -q 'standard output: cannot write' "$IGPU_TMP/err"
        report $? "${1##*/} ${*:2} >$where is an error (exit $got)"
    done
}
lost "$vigpu" --quiet --json - $t
lost "$vigpu" --quiet --csv - $t
lost "$vigpu" --quiet $t
lost "$vigpu" --quiet --check $t
lost "$vigpu" --dump-config -
lost "$vigpu" --stats-help
lost "$igpu" ref --quiet $t
lost "$igpu" trace info $t
lost "$igpu" trace dump --threads 0 $t
lost "$igpu" bench list
lost "$igpu" suite --case mad_sp traces/kernels/cases.yaml
lost "$igpu" record -k mad_sp -g 32 -l 32 -O -DSIMD=32 --arg buf:128 --arg i32:9 \
    --arg f32:0.5 --arg f32:0.5 traces/kernels/mad.cl
lost "$igpu" run --help
lost "$igpu" --version
"$igpu" ref --quiet --json "$d/x.json" $t >&- 2>/dev/null
json "$d/x.json"
report $? "no file takes the place of a stdout that is closed"
rm -f "$d/x.json"
"$igpu" trace dump $t | head -1 >/dev/null
[ "${PIPESTATUS[0]}" = 141 ]
report $? "a reader that has enough ends the program by SIGPIPE"

# ---- several writers of one name ---------------------------------------------
"$igpu" ref --quiet --json "$IGPU_TMP/a.json" $t >/dev/null
whole() { # without what differs between runs
    python3 -c 'import json, sys; d = json.load(open(sys.argv[1])); d.pop("host"); print(d)' "$1"
}
whole "$IGPU_TMP/a.json" >"$IGPU_TMP/a.txt"
good=0
for _ in 1 2 3 4 5; do
    for _ in 1 2 3; do "$igpu" ref --quiet --json "$d/x.json" $t >/dev/null & done
    wait
    whole "$d/x.json" | cmp -s - "$IGPU_TMP/a.txt" || good=1
done
rm -f "$d/x.json"
report $good "three at a time write one name: it is whole"
empty "three writers"
for i in 1 2; do # both have the file open before one ends
    "$igpu" ref --quiet --timeline "$d/x.json" --max-cycles $((i * 3000)) $t >/dev/null &
done
wait
json "$d/x.json"
report $? "two timelines into one name: it is one of them"
rm -f "$d/x.json"
echo mine >"$d/x.json.part"
ln -s "$IGPU_TMP/elsewhere" "$d/y.json.part"
"$igpu" ref --quiet --json "$d/x.json" $t >/dev/null && "$igpu" ref --quiet --json "$d/y.json" $t >/dev/null
[ "$(cat "$d/x.json.part")" = mine ] && [ -L "$d/y.json.part" ] && [ ! -e "$IGPU_TMP/elsewhere" ]
report $? "a file NAME.part of the user's stays; a link of that name is not followed"
rm -f "$d"/*
echo old >"$IGPU_TMP/real"
ln -s ../real "$d/link"
"$igpu" ref --quiet --json "$d/link" $t >/dev/null && [ -L "$d/link" ] &&
    json "$IGPU_TMP/real"
report $? "a link stays one: the file behind it is replaced"
rm -f "$d"/*
expect 2 "a folder as output" "$igpu" ref --quiet --json "$d" $t

# ---- no room: a limit on file sizes is what a test can set -------------------
limited() { # limited KB WHAT COMMAND...
    kb=$1 what=$2
    shift 2
    (ulimit -f "$kb"; exec "$@") >/dev/null 2>"$IGPU_TMP/err"
    got=$?
    [ $got = 1 ] && [ "$(wc -l <"$IGPU_TMP/err")" = 1 ]
    report $? "$what without room: exit $got, $(head -c 200 "$IGPU_TMP/err")"
    empty "$what without room"
}
limited 4 "timeline" "$vigpu" --quiet --timeline "$d/x.json" $t
limited 1 "JSON" "$vigpu" --quiet --json "$d/x.json" $t
limited 4 "configuration" "$vigpu" -s eu.threads=3 --dump-config "$d/x.yaml" # 2-KB blocks
for kb in 30 200 600; do
    limited $kb "waves ($kb)" "$vigpu" --quiet --wave "$d/x.fst" --max-cycles 3000 $t
done
limited 1 "trace" "$igpu" record --quiet -k mad_sp -g 5376 -l 32 -O -DSIMD=32 \
    --arg buf:21504 --arg i32:9 --arg f32:0.5 --arg f32:0.5 -o "$d/x.pb" traces/kernels/mad.cl
limited 4 "a buffer" "$igpu" record --quiet -k mad_sp -g 5376 -l 32 -O -DSIMD=32 \
    --arg buf:21504 --arg i32:9 --arg f32:0.5 --arg f32:0.5 --dump-buf 0:"$d/x.bin" traces/kernels/mad.cl
full=/dev/full # where we may remove that, a copy, in case a defect does
[ ! -w /dev ] || { full=$IGPU_TMP/full && mknod "$full" c 1 7; }
expect 1 "waves on a full device" "$vigpu" --quiet --wave "$full" --max-cycles 3000 $t
expect 1 "a timeline on a full device" "$vigpu" --quiet --timeline "$full" $t
expect 1 "JSON on a full device" "$vigpu" --quiet --json "$full" $t
[ -c "$full" ]
report $? "a device stays one"
mkfifo "$d/fifo"
(cat "$d/fifo" >/dev/null) &
expect 2 "waves into a pipe" "$vigpu" --quiet --wave "$d/fifo" --max-cycles 30 $t
wait
rm -f "$d/fifo"
echo old >"$d/x.json"
(ulimit -f 1; exec "$igpu" ref --quiet --timeline "$d/x.json" $t) >/dev/null 2>&1
[ "$(cat "$d/x.json")" = old ]
report $? "without room an older file stays as it was"
rm -f "$d/x.json"

# A real full disk, where this machine lets us mount one.
if unshare -Urm true 2>/dev/null && unshare -Urm mount -t tmpfs -o size=64k none "$d" 2>/dev/null; then
    unshare -Urm sh -c "mount -t tmpfs -o size=64k none '$d' &&
        { '$vigpu' --quiet --wave '$d/x.fst' --max-cycles 3000 $t >/dev/null 2>'$IGPU_TMP/err'
          [ \$? = 1 ] && [ -z \"\$(ls -A '$d')\" ]; }"
    report $? "waves on a full disk: $(head -c 200 "$IGPU_TMP/err")"
else
    echo "# skipped: a full disk (no right to mount one here)"
fi

# ---- signals -----------------------------------------------------------------
"$igpu" record --quiet -k mad_sp -g 5376 -l 32 -O -DSIMD=32 --arg buf:21504 --arg i32:9000 \
    --arg f32:0.5 --arg f32:0.5 -o "$IGPU_TMP/long.pb" traces/kernels/mad.cl
record=("$igpu" record --quiet -k mad_sp -g 537600 -l 32 -O -DSIMD=32 --arg buf:2150400
    --arg "i32:900000" --arg f32:0.5 --arg f32:0.5 -o "$d/x.pb" traces/kernels/mad.cl)
for s in HUP INT QUIT TERM USR1 ALRM SEGV KILL; do
    (ulimit -c 0; with_signals "${record[@]}") &
    being_written "$d"
    kill -$s $!
    wait $! 2>/dev/null
    empty "a recording, SIG$s"
done
for s in HUP INT TERM; do
    with_signals "$igpu" ref --quiet --timeline "$d/x.json" --json "$d/y.json" "$IGPU_TMP/long.pb" >/dev/null &
    being_written "$d"
    kill -$s $!
    wait $!
    [ $? = 4 ] && ls "$d" | tr '\n' ' ' | grep -q '^x.json y.json $' &&
        grep -q '"complete": false' "$d/y.json"
    report $? "SIG$s ends a simulation early, with what was asked for"
    rm -f "$d"/*
done
for s in HUP INT TERM; do
    python3 -c 'import os, signal, sys
signal.signal(getattr(signal, "SIG" + sys.argv[1]), signal.SIG_IGN)
os.execvp(sys.argv[2], sys.argv[2:])' $s "$igpu" ref --quiet --timeline "$d/x.json" --max-cycles 20000 "$IGPU_TMP/long.pb" >/dev/null &
    being_written "$d"
    kill -$s $!
    wait $!
    [ $? = 4 ] && tail -c 4 "$d/x.json" | grep -q ']}'
    report $? "SIG$s that the caller ignores stops nothing"
    rm -f "$d"/*
done
# Too little memory at any point behind loading the program, which takes 13 MB itself: a line, no
# output, exit 5.
for kb in 13500 15000 18000 21000 24000 27000 30000 33000; do
    (ulimit -c 0 -v $kb && exec "$vigpu" --quiet --json "$d/x.json" $t) >"$IGPU_TMP/said" 2>&1
    status=$?
    [ $status = 0 ] || { [ $status = 5 ] && grep -q ': out of memory[,;] ' "$IGPU_TMP/said" &&
        [ "$(wc -l <"$IGPU_TMP/said")" = 1 ] &&
        grep -q '^Vigpu: ' "$IGPU_TMP/said" && [ -z "$(ls -A "$d")" ]; }
    report $? "Vigpu with $kb KB of memory"
    rm -f "$d"/*
done
exit $failures
