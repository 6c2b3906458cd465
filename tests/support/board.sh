# board.sh - the virtual board, for tests of the link; source it after cli.sh.
sim=$IGPU_BUILD/bin/fpga-sim
pid=
stop() { [ -z "$pid" ] || { kill "$pid" && wait "$pid"; } 2>/dev/null; pid=; }
trap stop EXIT

# board OPTIONS...: start one; sets place.
board() {
    stop
    : >"$IGPU_TMP/board"
    "$sim" "$@" >"$IGPU_TMP/board" 2>&1 &
    pid=$!
    place=
    while [ -z "$place" ]; do
        sleep 0.1
        kill -0 "$pid" || exit 1
        place=$(sed -n 's/.* at \(fpga:.*\)/\1/p' "$IGPU_TMP/board")
    done
}

# same WHAT TRACE OPTIONS...: both engines write the same CSV, and end with $exits.
exits=0
same() {
    what=$1 trace=$2
    shift 2
    "$vigpu" --quiet --engine rtl "$@" --csv "$IGPU_TMP/rtl.csv" "$trace" >/dev/null
    expect "$exits" "$what: runs on the board" "$vigpu" --quiet --engine "$place" "$@" \
        --csv "$IGPU_TMP/fpga.csv" "$trace"
    cmp "$IGPU_TMP/rtl.csv" "$IGPU_TMP/fpga.csv"
    report $? "$what: the statistics are those of --engine rtl"
}
