#!/usr/bin/env bash
# rates.sh - fpga/rates.txt: clocks, bytes up and round trips of a cycle, measured on the
# virtual board with the first CYCLES cycles (default 60000) of four programs. Takes some
# minutes. Needs build/bin/fpga-sim and ./Vigpu.
set -eu # Vigpu's exit status is 4 where it stops early; awk tells what failed
cd "$(dirname "$0")/.."
cycles=${CYCLES:-60000}
log=$(mktemp)
trap 'kill "$pid" 2>/dev/null; rm -f "$log"' EXIT
build/bin/fpga-sim --port 0 >"$log" &
pid=$!
until place=$(sed -n 's/.* at \(fpga:.*\)/\1/p' "$log") && [ -n "$place" ]; do sleep 0.1; done
{
    echo "# program, clocks a cycle, bytes up a cycle, round trips in 1000 cycles; fpga/rates.sh,"
    echo "# virtual board, 24 EUs, 1 x 24, the first $cycles cycles at most"
    for pair in mad:mad_sp chase:chase_n stream:triad matrix:matmul_tiled; do
        ./Vigpu --engine "$place" --max-cycles "$cycles" "traces/samples/${pair#*:}.pb" |
            awk -v name="${pair%%:*}" '
            /^board .*clocks a cycle/ { clocks = $(NF - 3) }
            /^round trips/ { trips = $4 }
            /^link / { up = $7 }
            END { print name, clocks, up, trips; exit clocks == "" }'
    done
} >fpga/rates.txt
cat fpga/rates.txt
