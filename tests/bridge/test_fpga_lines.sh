#!/bin/sh
# The virtual board behind a serial line (a pseudo-terminal) and behind a bus's window (a
# mapped file), with the RTL of both: statistics byte for byte those of --engine rtl, on a
# good line and on one that loses, repeats and damages frames; and what is said of devices
# that are none. With --long: every sample.
# tests/run: timeout=1500 slow
. tests/support/cli.sh
mkdir -p "$IGPU_TMP"
. tests/support/board.sh

names="atomics32"
[ -z "${IGPU_LONG:-}" ] || names=$(cd traces/samples && echo *.pb | sed 's/\.pb//g')
if [ -e /dev/pts/ptmx ]; then
    pty=--pty
else # a bare root without devpts
    echo "# skipped: the serial line (no pseudo-terminals here)"
    pty=
fi
for line in $pty "--window $IGPU_TMP/window"; do
    # shellcheck disable=SC2086 # an option, or two words
    board $line --watch
    for name in $names; do same "$name, $line" "traces/samples/$name.pb"; done
    # shellcheck disable=SC2086
    board $line --loss 1 --dup 1 --damage 1 --stall 20
    for name in $names; do same "$name, $line, bad" "traces/samples/$name.pb"; done
done
if [ -n "$pty" ]; then
    board --pty --reset 20
    expect 1 "a board on a serial line is reset" "$vigpu" --quiet --engine "$place" traces/samples/atomics32.pb
    says "and the host says so" 'the board was reset'
fi
stop

# bad WHAT PLACE TEXT: refused with exit status 2 and the text.
bad() {
    expect 2 "$1" "$vigpu" --engine "fpga:$2" traces/samples/atomics32.pb
    says "says so" "$3"
}
printf 'no board' >"$IGPU_TMP/small"
head -c 16384 /dev/zero >"$IGPU_TMP/zeros"
bad "no such device" serial:/dev/no-such-tty 'serial:/dev/no-such-tty: No such file'
bad "a device that is no serial line" serial:/dev/null 'not a serial line'
bad "a rate that no driver has" serial:/dev/null:12345 'no rate of 12345 baud'
bad "a rate with letters" serial:/dev/null:9x 'expected fpga:serial:DEVICE'
bad "no device" serial: 'expected fpga:serial:DEVICE'
bad "no such file" pcie:/dev/no-such-bar 'pcie:/dev/no-such-bar: No such file'
bad "a file that is too small" "pcie:$IGPU_TMP/small" 'no window of 16 KiB'
bad "a window beyond the end" "pcie:$IGPU_TMP/zeros@4096" 'no window of 16 KiB'
bad "an offset inside a page" "pcie:$IGPU_TMP/zeros@12" 'an offset of whole pages'
bad "a window without a GPU" "pcie:$IGPU_TMP/zeros" 'no GPU there (its first word is 00000000'
bad "no file" pcie: 'expected fpga:pcie:FILE'
bad "another kind" bus:7 'fpga:serial:DEVICE\[:BAUD\] or fpga:pcie:FILE'
exit $failures
