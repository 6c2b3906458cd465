#!/bin/sh
# The boards of fpga/boards: each one's Verilog and scripts are made by LiteX, Yosys knows
# every module and port in them (but for the vendor's PCIe and processor blocks, which
# Vivado makes), the pins are those of the board, and what carries datagrams is right in
# simulation (fpga_datagrams.py). Can not find: what a real board, line or Vivado does.
# tests/run: timeout=900 long
. tests/support/cli.sh
mkdir -p "$IGPU_TMP"
export BUILD="$IGPU_TMP/build"
mkdir -p "$BUILD"
# One set of tools for all runs.
mkdir -p "$IGPU_BUILD/fpga-tools" && ln -s "$(cd "$IGPU_BUILD" && pwd)/fpga-tools" "$BUILD/fpga-tools"

# cells BOARD: the part's own modules, for Yosys.
cells() {
    case $1 in
    ulx3s | ecpix5 | versa_ecp5) echo +/ecp5/cells_sim.v +/ecp5/cells_bb.v ;;
    *) echo +/xilinx/cells_sim.v +/xilinx/cells_xtra.v ;;
    esac
}

# made BOARD CHECK PIN...: generated, all modules known, the pins there.
made() {
    board=$1 check=$2
    shift 2
    expect 0 "$board: Verilog and scripts are made" env SYNTH=0 fpga/soc.sh "$board"
    gateware=$BUILD/fpga/$board/gateware
    # shellcheck disable=SC2046 # words
    yosys -q -p "read_verilog -lib $(cells "$board" | tr '\n' ' ')
        read_verilog -lib -Irtl/include -Irtl/eu -Irtl/lib fpga/common/igpu_fpga_top.v rtl/link/igpu_link_slip.v \
            rtl/link/igpu_link_window.v
        read_verilog $gateware/igpu.v; hierarchy $check -top igpu; proc; check" \
        >"$IGPU_TMP/$board.log" 2>&1
    report $? "$board: Yosys knows all modules"
    own=$(grep -ohE "[^ {}]*/(rtl|fpga/common)/[^ {}]*\.v" "$gateware"/igpu.ys "$gateware"/igpu.tcl 2>/dev/null)
    # shellcheck disable=SC2046,SC2086 # words
    yosys -q -p "read_verilog -lib $(cells "$board" | tr '\n' ' ')
        read_verilog -Irtl/include -Irtl/eu -Irtl/lib $(echo $own)
        hierarchy -check -top igpu_fpga_top" >"$IGPU_TMP/$board.own.log" 2>&1
    report $? "$board: each of our modules is in the project"
    if [ -n "$check" ]; then # not where the vendor's blocks drive
        ! grep -E 'no driver|multiple conflicting drivers' "$IGPU_TMP/$board.log" | grep -q 'igpu\.'
        report $? "$board: nothing is undriven"
    fi
    for pin; do
        grep -qE "$pin" "$gateware"/igpu.lpf "$gateware"/igpu.xdc "$gateware"/igpu.tcl 2>/dev/null
        report $? "$board: $pin"
    done
}

made ulx3s -check '"clk25" SITE "G2"' '"serial_tx" SITE "L4"' '"serial_rx" SITE "M1"'
made ecpix5 -check '"clk100" SITE "K23"' '"eth_clocks_tx" SITE' 'FREQUENCY .*clk100'
made versa_ecp5 -check '"clk100" SITE "P3"' '"eth_clocks0_tx" SITE "P19"'
made arty_a7 -check 'LOC E3 .*clk100' 'LOC H16 .*eth_clocks_tx|eth_clocks_tx' 'xc7a100tcsg324-1'
made acorn '' 'LOC F6 .*pcie_x4_clk_p' 'xc7a200t-fbg484-3' 'create_ip.*pcie_7x'
made alveo_u200 '' 'LOC AM11 .*pcie_x4_clk_p' 'xcu200-fsgd2104-2-e' 'create_ip.*pcie4_uscale_plus'
made kv260 '' 'xck26-sfvc784-2lv-c' 'create_ip.*zynq_ultra_ps_e' 'PSU__USE__M_AXI_GP0'
expect 0 "datagrams in simulation" "$BUILD/fpga-tools/bin/python" tests/bridge/fpga_datagrams.py
expect 1 "no such board" fpga/soc.sh nosuch
says "names the boards" 'one of: acorn alveo_u200 arty_a7'
expect 1 "a shape of broken pipelines" env SYNTH=0 fpga/soc.sh ulx3s --shape 3x8x7
says "says what a shape is" 'expected SUBSLICESxEUSxCONTEXTS'
expect 1 "a store of no power of two" env SYNTH=0 fpga/soc.sh ulx3s --store 1000
says "says what a store is" 'expected a power of two'
expect 1 "a bitstream that was not made" fpga/load.sh ulx3s
says "says how to make it" 'make fpga BOARD=ulx3s'
touch "$BUILD/fpga/alveo_u200/gateware/igpu.bit"
expect 0 "a board that openFPGALoader does not know" fpga/load.sh alveo_u200
grep -q "hardware manager" "$IGPU_TMP/out"
report $? "says with what to load it"
exit $failures
