#!/usr/bin/env bash
# synth.sh [--update] - size of the GPU's compute side on Lattice ECP5: with one EU, and
# with 24 in one pipeline.
#
# Synthesizes igpu_array with all that is below it with Yosys, with 512 instructions, as a
# board has it (LEAPS 0: no simulator's search for the next cycle). Prints the counts,
# compares them with fpga/baseline.txt and fails when one has grown by more than 5 %;
# --update rewrites that file. No placement and routing: no clock rate comes out of this
# (fpga/array.sh). -nowidelut: with wide multiplexers the counts are a third higher,
# and the same EU varied by a tenth with what was around it.
#   BUILD=DIR      where the log goes (default build)
#   BASELINE=FILE  compare with this file (tests)
set -euo pipefail
cd "$(dirname "$0")/.."

out=${BUILD:-build}/fpga
baseline=${BASELINE:-fpga/baseline.txt}
update=0
case "${1:-}" in
"") ;;
--update) update=1 ;;
*) echo "usage: fpga/synth.sh [--update]" >&2 && exit 2 ;;
esac
mkdir -p "$out"

version=$(yosys -V | cut -d' ' -f1,2)
libdirs=""
for dir in rtl rtl/*/; do libdirs+=" -libdir ${dir%/}"; done
start=$SECONDS

# size ROW PARAMETERS: synthesize that igpu_array, print its row of the table.
size() {
    cat >"$out/$1.ys" <<EOF
verilog_defaults -add -Irtl/include -Irtl/eu -Irtl/lib
read_verilog rtl/igpu_array.v
hierarchy -check -top igpu_array$libdirs $2
synth_ecp5 -top igpu_array -nowidelut
tee -o $out/$1.txt stat
EOF
    if ! nice yosys -q -l "$out/$1.log" "$out/$1.ys" >"$out/$1.out" 2>&1; then
        tail -n 5 "$out/$1.out" >&2
        echo "fpga/synth.sh: yosys failed; the log is $out/$1.log" >&2
        return 1
    fi
    awk -v row="$1" '
        BEGIN { n = split("LUT4 CCU2C TRELLIS_DPR16X4 TRELLIS_FF DP16KD MULT18X18D", kind) }
        NF == 2 { count[$1] = $2 }
        END {
            for (k = 1; k <= n; k++)
                row = row " " count[kind[k]] + 0
            print row
        }' "$out/$1.txt"
}
size 1x1 "-chparam LEAPS 0 -chparam TILES 1 -chparam EUS 1 -chparam CONTEXTS 1 -chparam CW 1" >"$out/1x1.row" &
one=$!
size 1x24 "-chparam LEAPS 0 -chparam TILES 3 -chparam EUS 8 -chparam CONTEXTS 24 -chparam CW 5" \
    >"$out/1x24.row" &
all=$!
failed=0
for job in $one $all; do wait "$job" || failed=1; done
[ "$failed" = 0 ] || exit 1
{
    echo "# igpu_array, pipelines x EUs, 512 instructions; $version, synth_ecp5 -nowidelut"
    echo "# shape LUT4 CCU2C DPR16X4 FF DP16KD MULT18"
    cat "$out/1x1.row" "$out/1x24.row"
} >"$out/size.txt"

column -t <(sed -n '2s/^# //p; 3,$p' "$out/size.txt")
echo "$version, $((SECONDS - start)) s"

if [ "$update" = 1 ]; then
    cp "$out/size.txt" "$baseline"
    echo "written to $baseline"
    exit 0
fi
if [ ! -f "$baseline" ]; then
    echo "fpga/synth.sh: no $baseline; make it with fpga/synth.sh --update" >&2
    exit 1
fi
was=$(sed -n '1s/.*; \(.*\), synth_ecp5 .*/\1/p' "$baseline")
[ "$was" = "$version" ] || echo "note: $baseline is of $was; counts may differ for that"
awk -v update="fpga/synth.sh --update" -f fpga/grown.awk "$baseline" "$out/size.txt"
