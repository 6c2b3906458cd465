#!/usr/bin/env bash
# fpu_synth.sh [--update] - size of the blocks of the FPU's datapath, ECP5 and Xilinx.
#
# Synthesizes with Yosys each stage of a 32-bit element's pipeline and the first
# five of extended math, prints the table and compares it with fpga/fpu_baseline.txt: more than 5 % of growth fails. --update
# rewrites that file.
# No placement and routing: no clock rate comes out of this.
#   BLOCKS=REGEX  only the rows whose name matches
#   BASELINE=FILE compare with this file
#   BUILD=DIR     where the logs go (default build)
set -euo pipefail
cd "$(dirname "$0")/.."

out=${BUILD:-build}/fpu_synth
baseline=${BASELINE:-fpga/fpu_baseline.txt}
case "${1:-}" in
"" | --update) ;;
*) echo "usage: fpga/fpu_synth.sh [--update]" >&2 && exit 2 ;;
esac
mkdir -p "$out"

# synth ROW TOP COMMAND PARAMETERS: the statistics in $out/ROW.txt
synth() {
    if ! yosys -q -p "verilog_defaults -add -Irtl/include
        read_verilog rtl/fpu/$2.v
        hierarchy -check -top $2 -libdir rtl/fpu -libdir rtl/lib $4
        $3; tee -o $out/$1.txt stat" >"$out/$1.log" 2>&1; then
        tail -n 5 "$out/$1.log" >&2
        echo "fpga/fpu_synth.sh: yosys failed; the log is $out/$1.log" >&2
        exit 1
    fi
}

# cells FILE REGEX: how many cells of these types.
cells() { awk -v re="^($2)\$" 'NF == 2 && $1 ~ re { n += $2 } END { printf " %d", n }' "$1"; }

# row NAME TOP PARAMETERS: a line of the table.
row() {
    [[ $1 =~ ${BLOCKS:-.} ]] || return 0
    synth "$1.ecp5" "$2" "synth_ecp5 -nowidelut" "${3:-}"
    synth "$1.xilinx" "$2" "synth_xilinx -flatten -noiopad -noclkbuf" "${3:-}"
    echo "$1$(for re in LUT4 CCU2C TRELLIS_FF MULT18X18D; do
        cells "$out/$1.ecp5.txt" "$re"; done)$(for re in 'LUT[1-6]' CARRY4 'FD[RSCP]E' \
        DSP48E1; do cells "$out/$1.xilinx.txt" "$re"; done)"
}

version=$(yosys -V | cut -d' ' -f1,2)
{
    echo "# $version; ECP5 (synth_ecp5 -nowidelut), then Xilinx 7 (synth_xilinx)"
    echo "# block LUT4 CCU2C FF MULT18 LUT CARRY4 FF7 DSP48"
    for stage in operands multiply align add normalize compute convert pack; do
        row "$stage" "igpu_fpu_$stage"
    done
    for stage in unpack window product reduce arg; do
        row "math_$stage" "igpu_math_$stage"
    done
} >"$out/size.txt"

column -t <(sed -n '2s/^# //p; 3,$p' "$out/size.txt")
if [ "${1:-}" = --update ]; then
    cp "$out/size.txt" "$baseline"
    echo "written to $baseline"
    exit 0
fi
awk '
    NR == 2 { split($0, name) }
    /^#/ { next }
    NR == FNR { for (i = 2; i <= NF; i++) old[$1, i] = $i; known[$1] = 1; next }
    !known[$1] { print $1 " is not in the baseline"; grown = 1; next }
    {
        for (i = 2; i <= NF; i++)
            if (100 * $i > 105 * old[$1, i]) {
                printf "%s %s grew from %d to %d\n", $1, name[i + 1], old[$1, i], $i
                grown = 1
            }
    }
    END {
        print grown ? "more than 5 %: make it smaller, or accept it with " \
                      "fpga/fpu_synth.sh --update and say why in the commit" : \
                      "within 5 % of the baseline"
        exit grown
    }' "$baseline" "$out/size.txt"
