#!/bin/sh
# The tables of compacted instructions that are committed are what their script makes.
. tests/support/cli.sh
mkdir -p "$IGPU_TMP"
python3 .ci/igpu_isa_tables.py >"$IGPU_TMP/tables" &&
    diff -u rtl/include/igpu_isa_tables.vh "$IGPU_TMP/tables"
report $? "igpu_isa_tables.vh is what igpu_isa_tables.py makes (make fpu-tables)"
exit $failures
