#!/bin/sh
# The extended-math tables that are committed, for C and for the RTL, are what
# .ci/math_tables.py makes.
. tests/support/cli.sh
mkdir -p "$IGPU_TMP"

same() { # same TABLE FILE
    python3 .ci/math_tables.py "$1" >"$IGPU_TMP/$1" && diff -u "$2" "$IGPU_TMP/$1"
    report $? "$2 is what math_tables.py $1 makes (make fpu-tables)"
}

same c csim/fpu/math_table.c
same turn rtl/fpu/igpu_math_rom_turn.v
for rom in inv rsqt log exp sin; do
    same "$rom" "rtl/include/igpu_math_rom_$rom.vh"
done
exit $failures
