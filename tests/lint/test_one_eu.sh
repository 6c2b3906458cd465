#!/bin/sh
# Every step of an EU is in a default run and on a board (one_eu.py), and a step that one
# shell has alone is told.
# tests/run: timeout=300
. tests/support/cli.sh
mkdir -p "$IGPU_TMP/tree/bridge/engines" "$IGPU_TMP/tree/fpga"

expect 0 "each step is in both shells" python3 tests/lint/one_eu.py
grep -q '^rtl/eu/igpu_eu_pick.vh  *igpu_eu_flat  *igpu_eu_pick' "$IGPU_TMP/out"
report $? "who calls a step is listed"
cp -r rtl "$IGPU_TMP/tree" && cp -r bridge/engines/rtl "$IGPU_TMP/tree/bridge/engines" &&
    cp -r fpga/common "$IGPU_TMP/tree/fpga"
printf '// igpu_eu_alone.vh - a step of one shell.\n' >"$IGPU_TMP/tree/rtl/eu/igpu_eu_alone.vh"
sed -i 's/^    `include "igpu_eu_rest.vh"/&\n    `include "igpu_eu_alone.vh"/' \
    "$IGPU_TMP/tree/rtl/eu/igpu_eu_rest.v"
expect 1 "a step of the hardware's shell alone" python3 tests/lint/one_eu.py "$IGPU_TMP/tree"
grep -q 'rtl/eu/igpu_eu_alone.vh decides on one side only' "$IGPU_TMP/err"
report $? "it is named"
exit $failures
