#!/usr/bin/env bash
# synth_math.sh [MODULE...] - size of the extended-math unit and of its stages (all of
# them, or those named), each as a top of its own with all below it, for Lattice ECP5
# and Xilinx 7-series, by Yosys alone: a table in Markdown. Some minutes. Xilinx's LUT
# column leaves out what it puts into shift registers (SRL).
set -euo pipefail
cd "$(dirname "$0")/.."
out=${BUILD:-build}/fpga
mkdir -p "$out"

modules=("$@")
[ $# -gt 0 ] || modules=(igpu_math{,_unpack,_window,_product,_reduce,_arg,_rom,_poly,_scale,_rem,_fix,_norm,_pack})

# sum REPORT REGEX: cells of the flat top whose type matches.
sum() {
    awk -v type="^($2)\$" '$1 ~ type && NF == 2 { n += $2 } END { print n + 0 }' "$1"
}

echo "| module | ECP5: LUT4, carry cells, FF, MULT18, block RAM | Xilinx: LUT, SRL, FF, DSP48, block RAM |"
echo "|---|---|---|"
for module in "${modules[@]}"; do
    for target in ecp5 xilinx; do
        flat=$([ "$target" = xilinx ] && echo -flatten || true)
        yosys -q -p "read_verilog -Irtl/include rtl/fpu/igpu_math*.v; \
            synth_$target -top $module $flat; \
            tee -o $out/$module.$target.txt stat -top $module" >"$out/$module.$target.log"
    done
    e=$out/$module.ecp5.txt x=$out/$module.xilinx.txt
    echo "| \`$module\` | $(sum "$e" LUT4), $(sum "$e" CCU2C), $(sum "$e" TRELLIS_FF)," \
        "$(sum "$e" MULT18X18D), $(sum "$e" DP16KD) | $(sum "$x" 'LUT[1-6]')," \
        "$(sum "$x" 'SRL.*'), $(sum "$x" 'FD[RSCP]E'), $(sum "$x" 'DSP48E1')," \
        "$(sum "$x" 'RAMB.*') |"
done
