#!/bin/sh
# verilator_direct.hpp calls a clock's process without evaluating first what follows from
# the inputs (Verilator's region "ico"): a wire that does would be that of before. So in
# these classes no wire may; and a clock has the number that it is called by.
. tests/support/cli.sh

clocks() { # CLASS: its clocks, in the order of their numbers
    cat "$IGPU_BUILD/verilated/$1/V"*___024root__DepSet*__0.cpp |
        sed -n 's/.*VactTriggered.at([0-9]*U) = ((IData)(vlSelf->\(.*\)).*/\1/p' | paste -sd ' '
}

while read -r class expected; do
    cat "$IGPU_BUILD/verilated/$class/V"*___024root__DepSet*.cpp >"$IGPU_TMP/class.cpp" &&
        grep -q '___eval_nba(' "$IGPU_TMP/class.cpp" &&
        ! grep -q '___ico_' "$IGPU_TMP/class.cpp"
    report $? "$class: nothing is computed of the inputs before a clock's process"
    [ "$(clocks "$class")" = "$expected" ]
    report $? "$class: its clocks are $expected"
done <<EOF
igpu_dpi_eu clk_i send_clk_i
igpu_dpi_global load_i clk_i
igpu_dpi_global3 load_i clk_i
EOF

# A class's processes by the triggers that call them, as eval_nba() has them.
processes() {
    cat "$IGPU_BUILD/verilated/$1/V"*___024root__DepSet*__0.cpp |
        sed -n '/___eval_nba(.*{/,/^}/p' |
        sed -n 's/.*if (*\(vlSelf->.*\)) {/\1/p; s/.*___nba_\(.*\)(vlSelf);/\1/p' |
        sed 's/vlSelf->__VnbaTriggered.at(\([0-9]*\)U)/\1/g; s/[()]//g' | paste -sd ' '
}

is() { # CLASS: what verilator_direct.hpp takes for granted
    found=$(processes "$1")
    [ "$found" = "$2" ]
    report $? "$1: processes of each trigger are those that are called: $found"
}
# In the local class only what follows from ce_i and what a launch and the configuration
# set is computed of inputs: engine_rtl.cpp sets it before both clocks, or calls eval().
[ "$(clocks igpu_dpi_local)" = "load_i send_load_i decode_clk_i clk_i send_clk_i" ]
report $? "igpu_dpi_local: its clocks"
is igpu_dpi_eu "1 sequent__TOP__0 0 sequent__TOP__1 1 sequent__TOP__2"
is igpu_dpi_local "2 sequent__TOP__0 3 sequent__TOP__1 4 sequent__TOP__2 1 sequent__TOP__3 \
0 sequent__TOP__4 3 sequent__TOP__5 1 | 4 comb__TOP__0 0 | 3 comb__TOP__1"
exit $failures
