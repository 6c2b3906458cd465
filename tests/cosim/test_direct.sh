#!/bin/sh
# verilator_direct.hpp calls a clock's process without evaluating first what follows from
# the inputs (Verilator's region "ico"): a wire that does would be that of before. So in the
# classes of the EU and of the global dispatcher no wire may.
. tests/support/cli.sh

for class in igpu_dpi_eu igpu_dpi_global; do
    cat "$IGPU_BUILD/verilated/$class/V"*___024root__DepSet*.cpp >"$IGPU_TMP/class.cpp" &&
        grep -q '___eval_nba(' "$IGPU_TMP/class.cpp" &&
        ! grep -q '___ico_' "$IGPU_TMP/class.cpp"
    report $? "$class: nothing is computed of the inputs before a clock's process"
done
exit $failures
