#!/bin/sh
# The virtual board (the FPGA's design under Verilator) through UDP: statistics byte for
# byte those of --engine rtl, on a good line and on one that loses, repeats, delays and
# reorders frames; and what is said where there is no board, where it is reset, or where
# the configuration does not fit. With --long: every sample, both ways.
# tests/run: timeout=1500 slow turn=0of3
. tests/support/cli.sh
mkdir -p "$IGPU_TMP"
. tests/support/board.sh

names="atomics32 mad_int reduce_u32"
[ -z "${IGPU_LONG:-}" ] || names=$(cd traces/samples && echo *.pb | sed 's/\.pb//g')
board --port 0
for name in $names; do same "$name" "traces/samples/$name.pb"; done
exits=4
same "stopped in the middle" traces/samples/reduce_u32.pb --max-cycles 1001
exits=0
# Ctrl-C while the board is ahead of the host, which it mostly is in a kernel that has no
# messages: so long (clock ticks of the board's CPU time) after the start.
busy() { cut -d' ' -f14 "/proc/$pid/stat"; }
interrupted() { # interrupted TICKS OPTIONS...
    what="Ctrl-C after $1 ticks, $board" ticks=$1
    shift
    from=$(busy)
    with_signals "$vigpu" --quiet --engine "$place" "$@" --csv "$IGPU_TMP/fpga.csv" \
        traces/samples/mad_sp.pb >/dev/null &
    run=$!
    while [ $(($(busy) - from)) -lt "$ticks" ] && kill -0 $run; do sleep 0.02; done
    kill -INT $run
    wait $run
    [ $? = 4 ]
    report $? "$what: a run on the board ends with status 4"
    cycles=$(tail -n 1 "$IGPU_TMP/fpga.csv" | cut -d, -f2)
    "$vigpu" --quiet "$@" --max-cycles "$cycles" --csv "$IGPU_TMP/rtl.csv" \
        traces/samples/mad_sp.pb >/dev/null
    cmp "$IGPU_TMP/rtl.csv" "$IGPU_TMP/fpga.csv"
    report $? "$what: and the statistics are those of --engine rtl up to its cycle"
}
board=1x24
interrupted 50
"$vigpu" --quiet --every 1us --oa "$IGPU_TMP/rtl.oa" traces/samples/atomics32.pb
"$vigpu" --quiet --every 1us --oa "$IGPU_TMP/fpga.oa" --engine "$place" traces/samples/atomics32.pb
cmp "$IGPU_TMP/rtl.oa" "$IGPU_TMP/fpga.oa"
report $? "OA reports on a grid are those of --engine rtl"
expect 0 "--check runs beside the reference" "$vigpu" --quiet --check --engine "$place" \
    traces/samples/atomics32.pb
# Every issue is told, so the board has more to say than its frames hold when the run ends.
expect 4 "--check stops in the middle" "$vigpu" --quiet --check --max-cycles 1000 \
    --engine "$place" traces/samples/mad_sp.pb
expect 4 "and the next run hears nothing of it" "$vigpu" --quiet --check --max-cycles 1000 \
    --engine "$place" traces/samples/mad_sp.pb
expect 2 "6 subslices do not fit" "$vigpu" -s gpu.subslices=6 --engine "$place" traces/samples/atomics32.pb
says "the board tells what was built" '3 subslices of 8 EUs were built'

# Few EUs: the board opens threads by itself, and stands until their first runs come.
board=1x3
board --port 0 --shape 1x3
for ticks in 5 9 14 20 27; do
    interrupted $ticks -s gpu.subslices=1 -s eu.count=3
done

board --port 0 --loss 1 --dup 1 --delay 1 --reorder 1 --damage 1 --stall 20
for name in $names; do same "$name, bad line" "traces/samples/$name.pb"; done

board --port 0 --reset 40
expect 1 "a board that is reset ends the run" "$vigpu" --quiet --engine "$place" traces/samples/mad_int.pb
says "and the host says so" 'the board was reset'
stop
expect 1 "nobody answers" "$vigpu" --quiet --engine "$place" traces/samples/mad_int.pb
says "and the host asks for the board" 'no answer within 5 s'
expect 2 "a place that is none" "$vigpu" --engine fpga:bus:7 traces/samples/mad_int.pb
says "names the form" 'expected fpga:udp:HOST'
expect 2 "an address without a host" "$vigpu" --engine fpga:udp::7 traces/samples/mad_int.pb
says "names the form of an address" 'expected fpga:udp:HOST\[:PORT\]'
exit $failures
