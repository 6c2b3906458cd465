#!/bin/sh
# The comparison of extended math's RTL with csim/fpu can fail: one flipped bit in each
# stage, and around them, is found. All defects are built into one copy of the RTL; a number in the
# environment switches one on.
# tests/run: timeout=1200 long
. tests/support/cli.sh
rtl=$IGPU_TMP/rtl
mkdir -p "$rtl"
cp rtl/fpu/igpu_math*.v "$rtl"
number=0 names=""

# defect FILE SIGNAL BIT: flip that bit where the file's stage writes SIGNAL.
defect() {
    number=$((number + 1)) names="$names $1.$2[$3]"
    sed -i "s/^\( *\(assign \)\?$2 *<\?= \)\([^;]*\);/\1(\3) ^ (\`DEFECT($number) << $3);/" \
        "$rtl/igpu_math_$1.v"
    cmp -s "$rtl/igpu_math_$1.v" "rtl/fpu/igpu_math_$1.v" &&
        report 1 "nothing changed in igpu_math_$1"
}

defect unpack m_o 9
defect special divzero_o 0
defect operand exp_o 3
defect window k_o 2
defect product t_o 70
defect reduce r_o 60
defect arg b_o 3
defect rom data_q 4
# The lowest bit of a table shows in few results: half a minute until enough have come.
[ -z "${IGPU_LONG-}" ] || defect rom data_q 0
defect horner s_o 20
defect poly p_o 18
defect scale t_o 45
defect rem rest_o 1
defect fix v_o 20
defect fix whole_o 31
defect norm mant_o 15
defect pack result_o 0
defect pack flags_o 5
defect up up_o 1
defect slots pred_q 3
defect slots flags_o 2
defect slots kept_q 40
defect slots kept_pow_q 9
defect slots slot_on 3
cat >"$IGPU_TMP/defect.vh" <<'END'
`define DEFECT(n) (128'd0 | ($c32("({ extern int igpu_defect; igpu_defect; })") == n))
END
cat >"$IGPU_TMP/defect.cpp" <<'END'
#include <cstdlib>
int igpu_defect = std::atoi(std::getenv("IGPU_DEFECT"));
END
for file in "$rtl"/*.v; do
    { cat "$IGPU_TMP/defect.vh" "$file"; } >"$file.new" && mv "$file.new" "$file"
done

build() { # build TOP: its bench with the RTL that has the defects
    verilator --cc --exe --build -O3 -Wno-fatal -Wno-lint -y "$rtl" -y rtl/lib -Irtl/include \
        --Mdir "$IGPU_TMP/$1.d" -o bench --top-module "$1" -MAKEFLAGS "OPT_FAST=-O0 VM_GLOBAL_FAST=" -LDFLAGS -latomic \
        -CFLAGS "-I$PWD -I$PWD/csim/include" "$1.v" "$PWD/tests/rtl/$1_tb.cpp" \
        "$IGPU_TMP/defect.cpp" "$PWD/$IGPU_BUILD/lib/libigpu-fpu.a" \
        "$PWD/$IGPU_BUILD/verilated/rt/libverilated.a" >"$IGPU_TMP/log" 2>&1 || { tail -n 20 "$IGPU_TMP/log" && exit 1; }
}
build igpu_math
build igpu_math_slots

number=0
for name in $names; do
    number=$((number + 1)) bench=igpu_math
    case $name in slots.*) bench=igpu_math_slots ;; esac
    IGPU_DEFECT=$number "$IGPU_TMP/$bench.d/bench" >"$IGPU_TMP/out" 2>&1
    [ $? = 1 ] && grep -q '^not ok' "$IGPU_TMP/out"
    report $? "$name is found"
done
exit $failures
