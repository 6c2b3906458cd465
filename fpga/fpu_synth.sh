#!/usr/bin/env bash
# fpu_synth.sh [--update] - size of the FPU's datapath and of extended math, ECP5 and
# Xilinx 7.
#
# Synthesizes with Yosys the stages of a 32-bit element, the first six of extended math
# and its lane, each as a top of its own, flat; and for ECP5 alone, with their hierarchy
# kept, the elements of 16 bits, of 64 without and with double floats, and extended math as a whole,
# whose four lanes are so synthesized once (and none is the smaller for taking halves only).
# Prints the table and compares it with fpga/fpu_baseline.txt: more than 5 % of growth
# fails. --update rewrites the rows made in that file.
# No placement and routing: no clock rate comes out of this (fpga/pnr.sh).
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
    if ! nice yosys -q -p "verilog_defaults -add -Irtl/include
        read_verilog rtl/fpu/$2.v
        hierarchy -check -top $2 -libdir rtl/fpu -libdir rtl/lib $4
        $3; tee -o $out/$1.txt stat" >"$out/$1.log" 2>&1; then
        tail -n 5 "$out/$1.log" >&2
        echo "fpga/fpu_synth.sh: yosys failed; the log is $out/$1.log" >&2
        exit 1
    fi
}

# cells FILE REGEX: how many cells of these types; the whole hierarchy's where it is kept.
cells() {
    awk -v re="^($2)\$" '/=== design hierarchy ===/ { n = 0 }
        NF == 2 && $1 ~ re { n += $2 } END { printf " %d", n }' "$1"
}

# count ROW REGEX...: the counts of one synthesis.
count() {
    local file=$out/$1.txt
    shift
    for re in "$@"; do cells "$file" "$re"; done
}

# row NAME TOP [KEEP [PARAMETERS]]: a line of the table; with KEEP ECP5 alone.
row() {
    [[ $1 =~ ${BLOCKS:-.} ]] || return 0
    local xilinx=(- - - - -)
    synth "$1.ecp5" "$2" "synth_ecp5 -nowidelut${3:+ -noflatten}" "${4:-}"
    if [ -z "${3:-}" ]; then
        synth "$1.xilinx" "$2" "synth_xilinx -flatten -noiopad -noclkbuf" ""
        read -ra xilinx < <(count "$1.xilinx" 'LUT[1-6]' CARRY4 'FD[RSCP]E' DSP48E1 'RAMB.*'
            echo)
    fi
    echo "$1$(count "$1.ecp5" LUT4 CCU2C TRELLIS_FF MULT18X18D) ${xilinx[*]:0:4}$(count \
        "$1.ecp5" DP16KD) ${xilinx[4]}"
}

# stages ROW: a line for each stage in the hierarchy of an element's row.
stages() {
    [[ $1 =~ ${BLOCKS:-.} ]] || return 0
    awk -v row="$1" '
        /^===/ { part = $2; sub(/.*igpu_fpu_/, "", part); sub(/\\.*/, "", part) }
        /=== design hierarchy ===/ { exit }
        NF == 2 { n[part, $1] = $2; if (!(part in seen)) { seen[part] = 1; list[++k] = part } }
        END {
            for (i = 1; i <= k; i++)
                if (list[i] ~ /^[a-z]+$/ && list[i] != "elem")
                    print row "." list[i], n[list[i], "LUT4"] + 0, n[list[i], "CCU2C"] + 0, \
                        n[list[i], "TRELLIS_FF"] + 0, n[list[i], "MULT18X18D"] + 0, \
                        "- - - -", n[list[i], "DP16KD"] + 0, "-"
        }' "$out/$1.ecp5.txt"
}

version=$(yosys -V | cut -d' ' -f1,2)
{
    echo "# $version; ECP5 (synth_ecp5 -nowidelut), then Xilinx 7 (synth_xilinx)"
    echo "# block LUT4 CCU2C FF MULT18 LUT CARRY4 FF7 DSP48 DP16KD RAMB"
    for stage in operands multiply align add normalize compute convert pack; do
        row "$stage" "igpu_fpu_$stage"
    done
    for stage in unpack window product reduce arg rom lane; do
        row "math_$stage" "igpu_math_$stage"
    done
    row math igpu_math_slots keep
    row elem16 igpu_fpu_elem keep "-chparam W 16"
    stages elem16
    row elem64 igpu_fpu_elem keep "-chparam W 64"
    row elem64df igpu_fpu_elem keep "-chparam W 64 -chparam DF 1"
    stages elem64df
} >"$out/size.txt"

column -t <(sed -n '2s/^# //p; 3,$p' "$out/size.txt")
if [ "${1:-}" = --update ]; then
    # Rows not made this time stay, in their order behind the new ones.
    awk 'NR == FNR { print; made[$1] = 1; next } !/^#/ && !made[$1]' \
        "$out/size.txt" "$baseline" >"$out/baseline.txt"
    cp "$out/baseline.txt" "$baseline"
    echo "written to $baseline"
    exit 0
fi
awk -v update="fpga/fpu_synth.sh --update" -f fpga/grown.awk "$baseline" "$out/size.txt"
