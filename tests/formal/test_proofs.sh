#!/usr/bin/env bash
# Proofs by Yosys' SAT solver: for every input, not for samples. And that a proof can
# fail: a wrong block has a counterexample; every commit looks for a sixth of these, --long
# for all.
# tests/run: slow
set -u
. tests/support/cli.sh
# What is refuted is so by a counterexample, from the base of an induction alone: that no
# induction is found would refute nothing.

sat() { # sat TOP PARAMETERS FILE [INDUCTION]: the proof that TOP states about the block in FILE
    local top=$1 params=$2 dut=$3 induct='' join='' below='' base='' k
    # State machines, by induction; what a proof sees of the block's state is joined.
    case $top in
    rr_arb_*) below="rtl/lib/igpu_rr_arb.v rtl/lib/igpu_index.v" ;;
    rr_fair_*) join="connect -set above u_dut.above_q" below="rtl/lib/igpu_rr_arb.v rtl/lib/igpu_index.v" ;;
    send_arb_*)
        join="connect -set credits u_dut.credit_q"
        below="rtl/lib/igpu_rr_arb.v rtl/lib/igpu_rr_pick.v rtl/lib/igpu_index.v"
        ;;
    slots_*)
        join="connect -set free_slots u_dut.free_q"
        below="rtl/lib/igpu_rr_arb.v rtl/lib/igpu_rr_pick.v rtl/lib/igpu_index.v rtl/lib/igpu_lutram.v"
        ;;
    fifo_*)
        below=rtl/lib/igpu_ctx_ram.v
        join="connect -set wr u_dut.wr_q; connect -set rd u_dut.rd_q; memory_collect"
        join+="; memory_map; connect -set next_valid u_dut.next_valid_q"
        join+="; connect -set next u_dut.u_words.rdata_o"
        for k in 0 1 2 3; do join+="; connect -set mem$k u_dut.u_words.g_block.mem[$k]"; done
        ;;
    seq_proof)
        for k in due flying alarm wake flights late; do
            join+="connect -set ${k}_q u_dut.${k}_q; "
        done
        ;;
    rr_pick2_*) below=rtl/lib/igpu_rr_pick.v ;;
    array_time_proof)
        for k in now more ticked settle counted count; do
            join+="connect -set ${k}_q u_dut.${k}_q; "
        done
        ;;
    link_wall_proof)
        for k in host wall new looks walled mark marks; do
            join+="connect -set ${k}_q u_dut.${k}_q; "
        done
        ;;
    link_runs_proof)
        below="rtl/lib/igpu_lutram.v rtl/lib/igpu_ctx_ram.v"
        join="memory_collect; memory_map; "
        for k in clear short taken taken_slot; do
            join+="connect -set ${k}_q u_dut.${k}_q; "
        done
        for k in put wr rd set met; do
            join+="connect -set ${k}0 u_dut.u_$k.mem[0]; connect -set ${k}1 u_dut.u_$k.mem[1]; "
        done
        for k in 0 1; do
            join+="connect -set metp$k u_dut.u_met_of_push.mem[$k]; "
            join+="connect -set rdp$k u_dut.u_rd_of_push.mem[$k]; "
        done
        for k in 0 1 2 3 4 5 6 7; do join+="connect -set m$k u_dut.u_ram.g_any.mem[$k]; "; done
        ;;
    math_proof) join="connect -set stages u_dut.valid_q; connect -set again u_dut.again_q" ;;
    esac
    case $top in
    send_* | slots_* | fifo_* | seq_proof | math_proof | array_* | link_*)
        join+="; connect -set contract u_dut.contract_q"
        ;;
    esac
    case $top in
    rr_pick2_*) ;;
    rr_* | send_* | slots_* | fifo_* | seq_proof | math_proof | array_* | link_*)
        induct="-set-assumes ${4:--tempinduct -maxsteps 8}"
        ;;
    fpu_toint_*) induct=-set-assumes ;;
    esac
    # Two steps are found in half the time of one; that the first two hold is proved by itself.
    if [ "$top${4:-}" = seq_proof ]; then
        base="sat -verify -prove-asserts -set-assumes -tempinduct-baseonly -maxsteps 2;"
        induct+=" -tempinduct-skip 1"
    fi
    yosys -p "read_verilog -sv -formal -I$IGPU_TMP/wrong -Irtl/include -Irtl/lib tests/formal/$top.v $dut $below
        hierarchy -check -top $top $params; proc; flatten; $join; memory; opt -full
        dffunmap; $base sat -verify -prove-asserts $induct -timeout 120" >"$IGPU_TMP/out" 2>&1
}

prove() { # prove WHAT TOP PARAMETERS FILE
    if sat "$2" "$3" "$4"; then
        echo "ok $1"
    else
        tail -n 20 "$IGPU_TMP/out" | sed 's/^/# /'
        echo "not ok $1"
    fi
}

refuted=$(part_of 6)
refute() { # refute WHAT TOP PARAMETERS FILE SED [INCLUDED]: the wrong line is in FILE,
    # or in the file of rtl/include or rtl/lib that it includes; one of six without --long
    local wrong=$IGPU_TMP/wrong dut=$4 right=$4
    ((refuted++ % 6)) && [ -z "${IGPU_LONG-}" ] && return
    rm -rf "$wrong"
    mkdir "$wrong"
    # Yosys looks for an included file beside the one that includes it first.
    [ -z "$4" ] || dut=$wrong/${4##*/}
    [ -z "$4" ] || cp "$4" "$dut"
    [ -z "${6:-}" ] || right=$(ls rtl/include/"$6" rtl/lib/"$6" 2>/dev/null)
    sed "$5" "$right" >"$wrong/${right##*/}"
    if cmp -s "$right" "$wrong/${right##*/}"; then
        echo "not ok $1: nothing is wrong"
    elif sat "$2" "$3" "$dut" "-tempinduct-baseonly -maxsteps 16"; then
        echo "not ok $1"
    elif ! grep -q 'proof did fail' "$IGPU_TMP/out"; then
        tail -n 20 "$IGPU_TMP/out" | sed 's/^/# /'
        echo "not ok $1: no counterexample"
    else echo "ok $1"; fi
    rm -rf "$wrong"
}

for n in "11 4" "24 5" "32 5" "53 6" "110 7"; do
    set -- $n
    prove "leading zeros of $1 bits" fpu_norm_proof "-chparam N $1 -chparam CW $2" \
        tests/formal/igpu_fpu_norm.v
done
for n in "25 5 8" "51 6 10" "109 7 13"; do
    set -- $n
    prove "sticky shift of $1 bits" fpu_jam_proof \
        "-chparam N $1 -chparam SW $2 -chparam XW $3" tests/formal/igpu_fpu_jam.v
done
prove "rounding to half precision" fpu_round_proof "-chparam M 11 -chparam XW 8" \
    tests/formal/igpu_fpu_round.v
prove "rounding to half and single precision" fpu_round_proof \
    "-chparam M 24 -chparam XW 10" tests/formal/igpu_fpu_round.v
for n in 1 2 7 8; do
    prove "arbiter of $n" rr_arb_proof "-chparam N $n" rtl/lib/igpu_rr_pick.v
done
for n in 3 7 8; do
    prove "arbiter of $n leaves nobody out" rr_fair_proof "-chparam N $n" \
        rtl/lib/igpu_rr_pick.v
done
for n in 1 2 3 7 8; do
    prove "two choices of $n are those of two arbiters" rr_pick2_proof "-chparam N $n" \
        rtl/lib/igpu_rr_pick2.v
done
prove "send arbiter: credits are kept, nobody waits without need" send_arb_proof "" \
    rtl/sched/igpu_send_arb.v
prove "local dispatcher: a slot has one thread at most" slots_proof "" \
    rtl/sched/igpu_sched_slots.v
prove "queue: what was pushed comes out, oldest first" fifo_proof "" rtl/lib/igpu_fifo.v
prove "sequencer: no cycle ends while an EU could act, no two visits of one EU at once" \
    seq_proof "" rtl/eu/igpu_eu_seq.v
prove "time: a cycle ends when all of it is done, as soon as it may, and none behind the limit" \
    array_time_proof "" rtl/sched/igpu_array_time.v
prove "link: no cycle is run that an unseen message could be answered in" link_wall_proof "" \
    rtl/link/igpu_link_wall.v
prove "link: runs come out as they went in, and who is short of them is told" \
    link_runs_proof "" rtl/link/igpu_link_runs.v
prove "extended math: a second pass meets no new operation, none is lost" math_proof "" \
    rtl/fpu/igpu_math.v
for n in "32 5" "64 6"; do
    set -- $n
    prove "extended math: leading zeros of $1 bits go" math_up_proof \
        "-chparam W $1 -chparam LOG $2" rtl/fpu/igpu_math_up.v
done
prove "float to integer: exact, or the type's nearest" fpu_toint_proof "" ""
refute "a wrong count is refuted" fpu_norm_proof "" tests/formal/igpu_fpu_norm.v \
    "s/count\[k\] = 1'b1/count[k] = k != 2/" igpu_fpu_norm.vh
refute "a lost sticky bit is refuted" fpu_jam_proof "" tests/formal/igpu_fpu_jam.v \
    's/out\[0\] || (data/out[0] \&\& (data/' igpu_fpu_jam.vh
refute "a wrong rounding is refuted" fpu_round_proof "" tests/formal/igpu_fpu_round.v \
    's/x & ~mask/x \& ~(mask >> 1)/' igpu_fpu_round.vh
refute "a wrong grant is refuted" rr_arb_proof "" rtl/lib/igpu_rr_pick.v \
    's/grant = pool & minus;/grant = pool;/' igpu_rr.vh
refute "an arbiter that forgets its last winner is refuted" rr_fair_proof "" \
    rtl/lib/igpu_rr_pick.v 's/after = pool ^ minus;/after = RR_0;/' igpu_rr.vh
refute "an arbiter that knows nobody but its last winner is refuted" rr_fair_proof "" \
    rtl/lib/igpu_rr_pick.v 's/after = pool ^ minus;/after = ~grant;/' igpu_rr.vh
refute "a lost credit is refuted" send_arb_proof "" rtl/sched/igpu_send_arb.v \
    's/take != credit_i/take \&\& !credit_i/'
refute "a slot given twice is refuted" slots_proof "" rtl/sched/igpu_sched_slots.v \
    's/free_q & ~((ce_i \&\& take_i) ? pick : 7.d0)/free_q/'
refute "a queue that pushes and forgets to pop is refuted" fifo_proof "" \
    rtl/lib/igpu_fifo.v 's/if (load || pop_i)/if (load || (pop_i \&\& !push_i))/'
refute "a queue that reads an entry before it was written is refuted" fifo_proof "" \
    rtl/lib/igpu_fifo.v 's/!load \&\& rd_q != wr_q/!load \&\& (push_i || rd_q != wr_q)/'
refute "a contract that allows less than the proof assumes is refuted" fifo_proof "" \
    rtl/lib/igpu_fifo.v 's/!(push_i \&\& wr_q + ONE == rd_q)/!(push_i \&\& wr_q == rd_q)/'
refute "a sequencer that forgets a visit of the cycle before is refuted" seq_proof "" \
    rtl/eu/igpu_eu_seq.v "s/due_q == NONE \&\& late_q == 4'd0/due_q == NONE/"
refute "a sequencer that misses a next cycle is refuted" seq_proof "" \
    rtl/eu/igpu_eu_seq.v 's/(more \&\& same) ? left : NONE/NONE/'
refute "a sequencer that visits an EU twice at once is refuted" seq_proof "" \
    rtl/eu/igpu_eu_seq.v 's/due_q \& ~flying_q /due_q /'
refute "a second choice that is the first again is refuted" rr_pick2_proof "" \
    rtl/lib/igpu_rr_pick2.v 's/line & seen & ~more;/line \& seen;/' igpu_rr.vh
refute "a pointer that stays behind the first choice is refuted" rr_pick2_proof "" \
    rtl/lib/igpu_rr_pick2.v 's/rr_second(.*);/& above2_o = above_o;/'
refute "a cycle that ends before its ENDs are counted is refuted" array_time_proof "" \
    rtl/sched/igpu_array_time.v "s/(!late_ends_i || counted_q)/1'b1/"
refute "a cycle behind the limit is refuted" array_time_proof "" \
    rtl/sched/igpu_array_time.v 's/tick_o ? gap\[.*\] : gap != NONE/gap != NONE/'
refute "ends that are not counted are refuted" array_time_proof "" \
    rtl/sched/igpu_array_time.v "s/ready \&\& ends_i;/1'b0;/"
refute "a cycle that waits without need is refuted" array_time_proof "" \
    rtl/sched/igpu_array_time.v 's/!(ticked_q \&\& decide_i)/!ticked_q/'
refute "a clock of the tiles that is left out too soon is refuted" array_time_proof "" \
    rtl/sched/igpu_array_time.v 's/done || ticked_q || settle_q/done || settle_q/'
refute "a wall that a farther one moves is refuted" link_wall_proof "" \
    rtl/link/igpu_link_wall.v 's/!walled_q || new_q < wall_q/1/'
refute "a wall that falls too early is refuted" link_wall_proof "" \
    rtl/link/igpu_link_wall.v 's/ \&\& limit_seen_i == marks_q//'
refute "a run that is lost is refuted" link_runs_proof "" rtl/link/igpu_link_runs.v \
    "s/: put + ONE;/: put + {ONE[DW:1], !read_i};/"
refute "a slot that is short, and nobody told, is refuted" link_runs_proof "" \
    rtl/link/igpu_link_runs.v "s/read_i \&\& wr == rd + ONE/read_i \&\& wr == rd/"
refute "a second pass that meets a new operation is refuted" math_proof "" \
    rtl/fpu/igpu_math.v 's/ready_o = !again_d/ready_o = !again_q/'
refute "a shift by too little is refuted" math_up_proof "" rtl/fpu/igpu_math_up.v \
    's/W - (1 << k)/W - (1 << k) - (k == 0)/'
refute "a limit that is one too low is refuted" fpu_toint_proof "" "" \
    "s/size > most/size >= most/" igpu_fpu_toint.vh
