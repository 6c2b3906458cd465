#!/usr/bin/env bash
# values_synth.sh FAMILY THREADS [MODULE] - size of igpu_eu_values, one pipeline of values for the
# threads of several EUs, on an FPGA.
#
# FAMILY is Yosys's: xc7 (Artix-7), xcup (UltraScale+), ecp5. THREADS: 7 an EU; 168 is 24 EUs,
# 56 is 8. Prints lookup tables, registers, memories and multipliers as Yosys counts them; no
# placement and routing, so no clock rate. Not flattened: 5 minutes of one core. Of ECP5 also
# whether it fits an LFE5U-85F. MODULE: that one of rtl/eu or rtl/isa alone.
#   URAM=1         large memories in UltraRAM (xcup)
#   LANES=N        lanes of the FPU: 1 or 4 (default)
#   READERS=N      copies of the registers: 1 or 3 (default); of igpu_eu_grf alone 2 too
#   PW=N           log2 of the code's words of 8 bytes (default 13)
#   BUILD=DIR      where the log goes (default build)
set -euo pipefail
cd "$(dirname "$0")/.."

top=${3:-igpu_eu_values}
if [ $# -lt 2 ] || [ $# -gt 3 ] || ! [[ $2 =~ ^[0-9]+$ ]] || ! ls rtl/*/"$top.v" >/dev/null; then
    echo "usage: fpga/values_synth.sh FAMILY THREADS [MODULE]" >&2
    exit 2
fi
out=${BUILD:-build}/fpga
mkdir -p "$out"
name=${top}_$1_$2_${LANES:-4}_${READERS:-3}
bits=1
while [ $((1 << bits)) -lt "$2" ]; do bits=$((bits + 1)); done
parameters=""
for p in "THREADS $2" "TW $bits" "PW ${PW:-13}" "LANES ${LANES:-4}" "READERS ${READERS:-3}"; do
    if grep -q "parameter ${p% *} " rtl/*/"$top.v"; then parameters+=" -chparam $p"; fi
done
libdirs=""
for dir in rtl/eu rtl/isa rtl/fpu rtl/lib; do libdirs+=" -libdir $dir"; done
synth="synth_xilinx -family $1 -top $top${URAM:+ -uram}"
if [ "$1" = ecp5 ]; then synth="synth_ecp5 -top $top -nowidelut -noflatten"; fi
cat >"$out/$name.ys" <<EOF
verilog_defaults -add -Irtl/include -Irtl/eu -Irtl/lib
read_verilog $(ls rtl/*/$top.v)
hierarchy -check -top $top$libdirs$parameters
$synth
tee -o $out/$name.txt stat
EOF
if ! nice yosys -q -l "$out/$name.log" "$out/$name.ys" >"$out/$name.out" 2>&1; then
    tail -n 5 "$out/$name.out" >&2
    echo "fpga/values_synth.sh: yosys failed; the log is $out/$name.log" >&2
    exit 1
fi
# Of an LFE5U-85F: sites of LUT4 (LUT4 + 2 CCU2C + 4 DPR16X4), blocks of 18 Kbit, multipliers.
if [ "$1" = ecp5 ]; then
    awk -v row="$top $1 $2" '
        /^===/ { delete count }
        NF == 2 { count[$1] += $2 }
        END {
            print "module family threads LUT4 CCU2C DPR16X4 FF DP16KD MULT18"
            print row, count["LUT4"] + 0, count["CCU2C"] + 0, count["TRELLIS_DPR16X4"] + 0, \
                count["TRELLIS_FF"] + 0, count["DP16KD"] + 0, count["MULT18X18D"] + 0
            sites = count["LUT4"] + 2 * count["CCU2C"] + 4 * count["TRELLIS_DPR16X4"]
            fits = sites <= 83640 && count["DP16KD"] <= 208 && count["MULT18X18D"] <= 156
            printf "LFE5U-85F: %d of 83640 sites, %d of 208 blocks, %d of 156 multipliers: %s\n", \
                sites, count["DP16KD"], count["MULT18X18D"], fits ? "fits" : "does not fit" \
                >"/dev/stderr"
        }' "$out/$name.txt" 2>"$out/$name.fits" | column -t
    cat "$out/$name.fits"
    exit 0
fi
# The last table of the statistics is that of the whole.
awk -v row="$top $1 $2" '
    /^===/ { delete count }
    NF == 2 { count[$1] += $2 }
    END {
        for (kind in count) {
            if (kind ~ /^LUT[1-6]$/) lut += count[kind]
            if (kind ~ /^RAM(32|64|128|256)/) ram += count[kind]
            if (kind ~ /^FD/) ff += count[kind]
            if (kind ~ /^DSP/) dsp += count[kind]
        }
        print "module family threads LUT LUTRAM FF CARRY RAMB18 RAMB36 URAM288 DSP"
        print row, lut + 0, ram + 0, ff + 0, count["CARRY4"] + count["CARRY8"] + 0, \
            count["RAMB18E1"] + count["RAMB18E2"] + 0, \
            count["RAMB36E1"] + count["RAMB36E2"] + 0, count["URAM288"] + 0, dsp + 0
    }' "$out/$name.txt" | column -t
