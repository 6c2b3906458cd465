#!/usr/bin/env bash
# load.sh BOARD - load the bitstream that fpga/soc.sh made into the board, or say how.
set -eu
cd "$(dirname "$0")/.."
how=$(sed -n 's/^LOAD = "\(.*\)".*/\1/p' "fpga/boards/${1:?usage: fpga/load.sh BOARD}.py")
bit=${BUILD:-build}/fpga/$1/gateware/igpu.bit
if [ ! -f "$bit" ]; then
    echo "fpga/load.sh: no $bit; make it with make fpga BOARD=$1" >&2
    exit 1
fi
case $how in
openFPGALoader*)
    .ci/deps.sh ensure board
    # shellcheck disable=SC2086 # a command
    exec $how "$bit"
    ;;
*) echo "$bit: load it with $how" ;;
esac
