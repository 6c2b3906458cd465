#!/bin/sh
# Blocks of the FPU and of extended math have not grown by more than 5 % over
# fpga/fpu_baseline.txt (Yosys), and growth fails.
# tests/run: timeout=3600 long
log=$IGPU_TMP/log
if BUILD=$IGPU_TMP fpga/fpu_synth.sh >"$log" 2>&1; then
    echo "ok within the baseline"
else
    sed 's/^/# /' "$log"
    echo "not ok within the baseline"
fi
# The same against a baseline that had a tenth less.
awk '/^add / { $2 = int($2 * 9 / 10) } { print }' fpga/fpu_baseline.txt >"$IGPU_TMP/less"
if BUILD=$IGPU_TMP BASELINE=$IGPU_TMP/less BLOCKS='^add$' fpga/fpu_synth.sh >"$log" 2>&1; then
    echo "not ok growth is found"
elif grep -q '^add LUT4 grew' "$log"; then
    echo "ok growth is found"
else
    sed 's/^/# /' "$log"
    echo "not ok growth is found: another failure"
fi
