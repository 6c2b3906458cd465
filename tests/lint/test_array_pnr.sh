#!/bin/sh
# 24 EUs on one pipeline, placed and routed for an LFE5UM5G-85F (fpga/array.sh): at least
# 60 MHz, at most 45 % of the LUTs and 75 % of the block RAM. What nextpnr said stays in
# build/tests/array_1x24.txt.
# tests/run: long timeout=7200
log=$IGPU_TMP/log
if ! BUILD=$IGPU_TMP fpga/array.sh >"$log" 2>&1; then
    sed 's/^/# /' "$log"
    echo "not ok placed and routed"
    exit 0
fi
sed 's/^/# /' "$log"
mkdir -p "$IGPU_BUILD/tests" && cp "$IGPU_TMP/fpga/array_1x24.txt" "$IGPU_BUILD/tests/"
least() { # least WHAT VALUE FLOOR
    awk -v v="$2" -v f="$3" 'BEGIN { exit !(v != "" && v >= f) }' && echo "ok $1" ||
        echo "not ok $1: '$2'"
}
percent() { # percent CELL: what is left of it
    sed -n "s/.*$1: *[0-9]*\/ *[0-9]* *\([0-9]*\)%.*/\1/p" "$log" | awk '{ print 100 - $1 }'
}
least "60 MHz" "$(sed -n 's/.*Max frequency.*: \([0-9.]*\) MHz.*/\1/p' "$log")" 60
least "45 % of the LUTs" "$(percent TRELLIS_COMB)" 55
least "75 % of the block RAM" "$(percent DP16KD)" 25
