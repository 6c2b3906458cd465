#!/usr/bin/env bash
# pnr.sh [PART...] - clock of parts of the RTL on Lattice iCE40 HX8K, placed and routed
# by nextpnr (seed 1): the arbiter of an EU's threads, and stages of an FPU lane. Between registers: inputs come from a shift register, outputs
# go through two ranks of registers into one bit. The rate of a lane is that of its
# slowest stage; HX8K has no multipliers, so `multiply` says little.
#   BUILD=DIR   where the logs go (default build)
set -euo pipefail
cd "$(dirname "$0")/.."
out=${BUILD:-build}/pnr
mkdir -p "$out"

# wrap PART MODULE PARAMETERS: $out/PART.v, the module between registers. Its ports come
# from Yosys.
wrap() {
    yosys -q -p "verilog_defaults -add -Irtl/include; read_verilog rtl/*/$2.v
        hierarchy -check -top $2 -libdir rtl/fpu -libdir rtl/lib $3; proc
        write_json $out/$1.ports.json" >"$out/$1.ports.log"
    python3 - "$out/$1.ports.json" "$2" >"$out/$1.v" <<'PY'
import json, sys
modules = json.load(open(sys.argv[1]))["modules"]
name, m = next((n, m) for n, m in modules.items() if int(m["attributes"].get("top", "0"), 2))
pins, ins, outs = [], 0, 0
for port, p in m["ports"].items():
    n = len(p["bits"])
    if port in ("clk_i",):
        pins.append(".clk_i(clk)")
    elif p["direction"] == "input":
        pins.append(f".{port}(in[{ins} +: {n}])")
        ins += n
    else:
        pins.append(f".{port}(res[{outs} +: {n}])")
        outs += n
print(f"""module pnr_top (input clk, input bit_i, output reg bit_o);
    reg [{ins - 1}:0] in;
    wire [{outs - 1}:0] res;
    reg [{outs - 1}:0] kept;
    always @(posedge clk) begin
        in <= {{in, bit_i}};
        kept <= res;
        bit_o <= kept[0];
        if (in[0]) kept <= {{kept[{outs - 2}:0], kept[{outs - 1}]}};
    end
    dut u_dut ({', '.join(pins)});
endmodule""")
PY
}

# place PART MODULE PARAMETERS: a line of the table.
place() {
    wrap "$@"
    yosys -q -p "verilog_defaults -add -Irtl/include; read_verilog rtl/*/$2.v
        hierarchy -check -top $2 -libdir rtl/fpu -libdir rtl/lib $3
        flatten; rename -top dut; read_verilog $out/$1.v
        synth_ice40 -abc9 -device hx -top pnr_top -json $out/$1.json" >"$out/$1.log"
    if ! nextpnr-ice40 --hx8k --package ct256 --pcf-allow-unconstrained --seed 1 \
        --freq 100 --timing-allow-fail --json "$out/$1.json" >"$out/$1.pnr.log" 2>&1; then
        tail -n 3 "$out/$1.pnr.log" >&2
        echo "fpga/pnr.sh: nextpnr failed; the log is $out/$1.pnr.log" >&2
        exit 1
    fi
    awk -v part="$1" '
        /ICESTORM_LC:/ { sub(/\/.*/, "", $3); cells = $3 }
        /Max frequency for clock/ { for (i = 1; i < NF; i++) if ($(i + 1) == "MHz") mhz = $i }
        END { print "| `" part "` | " cells " | " mhz " |" }' "$out/$1.pnr.log"
}

parts=("$@")
[ $# -gt 0 ] || parts=(arbiter add compute)
echo "| part | logic cells | MHz |"
echo "|---|---|---|"
for part in "${parts[@]}"; do
    case $part in
    arbiter) place arbiter igpu_rr_arb "-chparam N 7" ;;
    operands | multiply | align | add | normalize | compute | convert | pack)
        place "$part" "igpu_fpu_$part" "" ;;
    *) echo "usage: fpga/pnr.sh [arbiter|STAGE]..." >&2 && exit 2 ;;
    esac
done
