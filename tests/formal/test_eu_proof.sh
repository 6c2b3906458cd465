#!/usr/bin/env bash
# The EU's scoreboard, by Yosys' SAT solver and induction: in no state that it can reach
# may a thread issue while a bit that it needs is busy. In long runs also that the proof
# can fail.
# tests/run: timeout=900 slow
set -u

prove() { # prove INCLUDE: the proof, with the EU's steps from that folder
    local bits join="connect -set ready u_dut.ready; connect -set held u_dut.held"
    for bits in need_lo need_hi need_x busy_lo busy_hi busy_x; do
        join+=$'\n'"connect -set $bits u_dut.$bits[3]"
    done
    yosys -q -p "read_verilog -sv -formal -I$1 tests/formal/eu_proof.v rtl/eu/igpu_eu.v
        hierarchy -check -top eu_proof; proc; flatten; $join
        memory_collect; memory_map; opt -full; dffunmap
        sat -verify -prove-asserts -set-assumes -tempinduct -maxsteps 1 -timeout 600" \
        >"$IGPU_TMP/out" 2>&1
}

what="no thread issues while a bit that it needs is busy"
if prove rtl/include; then echo "ok $what"; else
    tail -n 20 "$IGPU_TMP/out" | sed 's/^/# /'
    echo "not ok $what"
fi
[ -n "${IGPU_LONG:-}" ] || exit 0
cp -r rtl/include "$IGPU_TMP/include"
sed -i 's/ready = ready & ~issue/ready = ready/' "$IGPU_TMP/include/igpu_eu_issue.vh"
if cmp -s "$IGPU_TMP/include/igpu_eu_issue.vh" rtl/include/igpu_eu_issue.vh ||
    prove "$IGPU_TMP/include"; then
    echo "not ok a thread that stays ready is refuted"
else echo "ok a thread that stays ready is refuted"; fi
