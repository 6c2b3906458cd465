#!/bin/sh
# Launch files executed on the virtual board through UDP: the board waits at branches until
# the host, which executes what the board issues, says where their threads go on, of all in
# one answer.
# Statistics, events and buffers are those of --execute without a board, of kernels whose
# path is their data's and of such whose path is time's (traces/kernels/time.cl), on a good
# and on a bad line, with an instruction cache that has to be filled, and of a kernel that is
# larger than the store.
# tests/run: timeout=300 slow turn=2of3
. tests/support/cli.sh
mkdir -p "$IGPU_TMP"
. tests/support/board.sh
small="-s gpu.subslices=1 -s eu.count=3"

launch() { # launch NAME KERNEL GLOBAL ARG...: its launch file
    name=$1 kernel=$2 global=$3 args=
    shift 3
    for a in "$@"; do args="$args --arg $a"; done
    # shellcheck disable=SC2086 # options
    "$igpu" record -k "$kernel" -g "$global" -l 16 $args -O -DSIMD=16 --quiet \
        --launch "$IGPU_TMP/$name.pb" "$source" >/dev/null
    report $? "$name: its launch file"
}
# A line a buffer, with its checksum; those of the engine, the machine and its time differ.
told() { sed -e '/^config/d' -e '/^host /d' -e '/^board/,/^time  *waiting/d'; }
executed() { # executed WHAT FILE OPTIONS...: both ways the same CSV, lines and buffers
    what=$1 file=$IGPU_TMP/$2.pb
    shift 2
    "$vigpu" --quiet --execute "$@" --csv "$IGPU_TMP/rtl.csv" "$file" >"$IGPU_TMP/said" &&
        told <"$IGPU_TMP/said" >"$IGPU_TMP/rtl.txt"
    expect 0 "$what: runs on the board" "$vigpu" --quiet --execute --engine "$place" "$@" \
        --csv "$IGPU_TMP/fpga.csv" "$file"
    grep -q '^round trips .*[1-9][0-9]* branches$' "$IGPU_TMP/out"
    report $? "$what: the board waited at branches"
    told <"$IGPU_TMP/out" >"$IGPU_TMP/fpga.txt"
    cmp "$IGPU_TMP/rtl.csv" "$IGPU_TMP/fpga.csv" && cmp "$IGPU_TMP/rtl.txt" "$IGPU_TMP/fpga.txt" &&
        grep -q '^buffer 0 ' "$IGPU_TMP/fpga.txt"
    report $? "$what: statistics and buffers are those without a board"
}

source=traces/kernels/time.cl
launch spin spin_lock 96 buf:128 buf:64 buf:96 u32:1
launch ticket ticket_lock 96 buf:128 buf:64 buf:96 u32:1
launch steal steal 64 buf:672 buf:2K buf:2K buf:2K u32:4 u32:4
launch steal24 steal 256 buf:672 buf:2K buf:2K buf:2K u32:6 u32:8
cat >"$IGPU_TMP/ways.cl" <<'CL'
/* Loops of as many turns as the lane's number says, calls of a branch within, a barrier. */
kernel void ways(global uint *a, uint n)
{
    uint i = get_global_id(0), sum = 0;
    for (uint k = 0; k < i % n; k++)
        if (k % 3 == i % 3) sum += k * i; else if (sum > 7) sum -= 3;
    barrier(CLK_GLOBAL_MEM_FENCE);
    a[i] = sum;
}
CL
source=$IGPU_TMP/ways.cl
launch ways ways 64 buf:256 u32:9

# shellcheck disable=SC2086 # options
{
    board --port 0 --shape 1x3
    for name in spin ticket steal ways; do executed "$name, 3 EUs" $name $small; done
    executed "ways, code in the cache" ways $small -s icache.miss=0
    executed "steal, the oldest thread first" steal $small -s eu.arbiter=oldest
    expect 0 "--check" "$vigpu" --quiet --execute --check --engine "$place" $small "$IGPU_TMP/ways.pb"
    grep -q 'events equal in fpga and ref' "$IGPU_TMP/out"
    report $? "--check compares both engines' events"
    board --port 0 --shape 1x3 --loss 1 --dup 1 --delay 1 --reorder 1 --damage 1 --stall 20
    executed "spin, a bad line" spin $small
}
# A kernel that does not fit the store: loops, conditions and atomics in 60 stretches of code.
{
    echo 'kernel void large(global const float *x, global float *y, global int *order, int n)
    {
        int id = get_global_id(0);
        float a = x[id], b = x[id + 7], c = 0.5f;
        for (int i = 0; i < n + (id & 1); i++) {'
    awk 'BEGIN {
        for (i = 1; i <= 60; i++) {
            for (k = 0; k < 4; k++)
                printf "a = mad(a, b, %d.25f); b = mad(b, c, a * %d.5f);\n", 4 * i + k, i
            printf "c += x[(id * %d + i) & 255];\n", i
            printf "if (c > %d.0f && (id & %d)) a -= c;\n", 3 * i, 1 + i % 7
            if (i % 20 == 0) printf "a += atomic_inc(order + %d);\n", i / 20
        } }'
    echo '}
        y[id] = a + b + c;
    }'
} >"$IGPU_TMP/large.cl"
source=$IGPU_TMP/large.cl
launch large large 64 buf:4K:randf32:1 buf:4K buf:64 i32:1
# shellcheck disable=SC2086 # options
{
    board --port 0 --shape 1x3 --watch
    executed "large, in pages" large $small
    grep -q ' threads, [0-9]* code, [1-9][0-9]* pages' "$IGPU_TMP/out"
    report $? "of which some were written while the board waited"
    executed "ways, which fits, after it" ways $small
    expect 0 "large, --check" "$vigpu" --quiet --execute --check --engine "$place" $small "$IGPU_TMP/large.pb"
    board --port 0 --shape 1x3 --loss 1 --dup 1 --delay 1 --reorder 1 --damage 1 --stall 20
    executed "large, a bad line" large $small
}

board --port 0
executed "ticket, 24 EUs" ticket
# Branches of one time are answered together: with a round trip each they would be as many as
# the BRANCH unit's issues, and a third of these meet here.
executed "steal, 24 EUs" steal24
trips=$(sed -n 's/^round trips .* \([0-9]*\) branches$/\1/p' "$IGPU_TMP/out")
issues=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "eu.branch") k = i } NR == 2 { print $k }' \
    "$IGPU_TMP/fpga.csv")
[ "$trips" -gt 0 ] && [ $((trips * 10)) -lt $((issues * 8)) ]
report $? "steal, 24 EUs: $trips round trips for $issues branches"

# A recorded path is told as before: not one BRANCH.
expect 0 "a trace on the board" "$vigpu" --quiet --engine "$place" traces/samples/atomics32.pb
grep -q '^round trips .* 0 branches$' "$IGPU_TMP/out"
report $? "costs no round trip for branches"

exit $failures
