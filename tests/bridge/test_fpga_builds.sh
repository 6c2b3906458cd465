#!/bin/sh
# What the host program says to boards that were built otherwise than the virtual one:
# without the retire stream, with a small store, with another version of the link. Between
# both, fpga_build.py changes what the board tells of itself; so nothing here finds whether
# such a board, once accepted, is served well.
# tests/run: timeout=300 turn=2of3
. tests/support/cli.sh
mkdir -p "$IGPU_TMP"
. tests/support/board.sh

# Straight code of 1,100 instructions and more.
{
    echo '__kernel void large(__global float *y) { float a = get_global_id(0), b = 0.5f;'
    awk 'BEGIN { for (i = 1; i <= 600; i++) printf "a = mad(a, b, %d.25f); b = mad(b, a, %d.5f);\n", i, i }'
    echo 'y[get_global_id(0)] = a + b; }'
} >"$IGPU_TMP/large.cl"
"$igpu" record -k large -g 16 -l 16 --arg buf:4K -o "$IGPU_TMP/large.pb" \
    "$IGPU_TMP/large.cl" >/dev/null
report $? "a large kernel was recorded"
small="-s gpu.subslices=1 -s eu.count=3"
board --port 0 --shape 1x3
behind=${place##*:}

# refused WHAT BUILD EXIT REGEX OPTIONS...: a board so built is refused with that line.
refused() {
    what=$1 build=$2 exit=$3 regex=$4
    shift 4
    # shellcheck disable=SC2086 # options
    python3 tests/bridge/fpga_build.py "$behind" $build >"$IGPU_TMP/port" &
    proxy=$!
    while [ ! -s "$IGPU_TMP/port" ]; do sleep 0.05; done
    rm -f "$IGPU_TMP/out.csv"
    # shellcheck disable=SC2086 # options
    "$vigpu" --quiet --engine "fpga:udp:127.0.0.1:$(cat "$IGPU_TMP/port")" $small \
        --csv "$IGPU_TMP/out.csv" "$@" >"$IGPU_TMP/said" 2>&1
    status=$?
    kill $proxy
    wait $proxy 2>/dev/null
    [ $status = "$exit" ] && [ "$(wc -l <"$IGPU_TMP/said")" = 1 ] && [ ! -e "$IGPU_TMP/out.csv" ] &&
        grep -q "$regex" "$IGPU_TMP/said"
    report $? "$what: exit $status, $(head -c 300 "$IGPU_TMP/said")"
    rm -f "$IGPU_TMP/port"
}

refused "no retire stream, a large kernel" 2=0x00000408 2 \
    "kernel has [0-9]* instructions, the board's store holds 1024; .* without$" \
    "$IGPU_TMP/large.pb"
refused "no retire stream, --check" 2=0x00000408 2 "built without the retire stream" \
    --check traces/samples/mad_int.pb
refused "a store too small for parts of a kernel" 1=512 2 \
    "the board's store holds 512; for parts of a kernel it needs to hold [0-9]*$" \
    "$IGPU_TMP/large.pb"
refused "another version of the link" 0=0x03010303 1 "version" traces/samples/mad_int.pb
refused "fewer EUs than the machine" 0=0x05010202 2 "EU" traces/samples/mad_int.pb

# Unchanged, it is served through the same program.
python3 tests/bridge/fpga_build.py "$behind" >"$IGPU_TMP/port" &
proxy=$!
while [ ! -s "$IGPU_TMP/port" ]; do sleep 0.05; done
place=fpga:udp:127.0.0.1:$(cat "$IGPU_TMP/port")
# shellcheck disable=SC2086 # options
same "a board as it was built" traces/samples/mad_int.pb $small
kill $proxy
exit $failures
