#!/usr/bin/env bash
# The EU's steps, by Yosys' SAT solver: for every operand, and where visits follow each
# other (units, FPUs, responses) in every state, by induction; and the scoreboard of the
# hardware shell beside a shadow of it. Each proof is refuted by a defect of its kind; every
# commit looks for a sixth of these, --long for all.
# tests/run: timeout=900 slow
set -u
. tests/support/cli.sh
# What is refuted is so by a counterexample, from the base of an induction alone: that no
# induction is found would refute nothing.

sat() { # sat TOP FOLDER [INDUCTION]: the proof TOP, with the steps and stages of that folder
    local induct=-set-assumes join='' ram k files=tests/formal/eu_steps_proof.v
    case $1 in
    eu_unit_* | eu_track_* | eu_resp_* | eu_board_*) induct+=" ${3:--tempinduct -maxsteps 4}" ;;
    esac
    local dut=''
    if [ "$1" = eu_board_proof ]; then
        files=tests/formal/eu_board_proof.v
        # Without -formal: the contracts of the RAMs are not what is proved here.
        dut="read_verilog -I$2 -Irtl/include $2/igpu_eu_board.v $2/igpu_eu_mark.v"
        dut+=" rtl/lib/igpu_ctx_ram.v"
        join="memory_collect; memory_map"
        for ram in lo:busy_lo hi:busy_hi x:busy_x nlo:need_lo nhi:need_hi nx:need_x; do
            for k in 0 1; do
                join+="; connect -set ${ram%:*}$k u_dut.u_${ram#*:}.g_any.mem[$k]"
            done
        done
    fi
    yosys -p "$dut
        read_verilog -sv -formal -I$2 -Irtl/lib -Irtl/include $files
        hierarchy -check -top $1; proc; flatten; $join; opt -full; dffunmap
        sat -verify -prove-asserts $induct -timeout 300" >"$IGPU_TMP/out" 2>&1
}

refuted=$(part_of 6)
prove() { # prove WHAT TOP
    if sat "$2" rtl/eu; then
        echo "ok $1"
    else
        tail -n 20 "$IGPU_TMP/out" | sed 's/^/# /'
        echo "not ok $1"
    fi
}

refute() { # refute WHAT TOP FILE SED: the wrong line is in FILE; one of six without --long
    local wrong=$IGPU_TMP/wrong
    ((refuted++ % 6)) && [ -z "${IGPU_LONG-}" ] && return
    mkdir "$wrong" && cp rtl/eu/*.v* "$wrong"
    sed -i "$4" "$wrong/$3"
    if cmp -s "$wrong/$3" "rtl/eu/$3"; then
        echo "not ok $1: nothing is wrong"
    elif sat "$2" "$wrong" "-tempinduct-baseonly -maxsteps 16" || ! grep -q 'proof did fail\|model found' "$IGPU_TMP/out"; then
        tail -n 5 "$IGPU_TMP/out" | sed 's/^/# /'
        echo "not ok $1"
    else echo "ok $1"; fi
    rm -rf "$wrong"
}

prove "an instruction needs its ranges and what it sets; met: none of it is busy" eu_bits_proof
prove "a ready thread issues once, to its unit, the first after the last" eu_pick_proof
prove "... FPU1 of what FPU0 leaves, for a simulator" eu_pick_chain_proof
prove "a unit is occupied for its occupancy" eu_unit_proof
prove "a result is there at D = now + max(latency, D' - now) + occupancy" eu_track_proof
prove "a response takes its duration, in order of arrival" eu_resp_proof
prove "the front end holds for fe - 1 cycles; code comes when it comes" eu_front_proof
prove "the next cycle with work misses nobody" eu_rest_proof
refute "a result that clears GRFs 0 to 63 is refuted" eu_bits_proof igpu_eu_range.vh \
    's/lo = last\[6\] ? from : from & upto;/lo = RANGE_ONES;/'
refute "a range that ends early is refuted" eu_bits_proof igpu_eu_range.vh \
    's/RANGE_ONES >> ~last/RANGE_ONES >> -last/'
refute "a need whose range 2 is ignored is refuted" eu_bits_proof igpu_eu_fetch.vh \
    's/range_bits(need\[.IGPU_NEED_RANGE2\]/range_bits(set/'
refute "a need of which the upper half is ignored is refuted" eu_bits_proof igpu_eu_board.vh \
    's/ | (need_hi & busy_hi)//'
refute "a thread that is ready without its bits is refuted" eu_bits_proof igpu_eu_board.vh \
    's/held & cleared & met/held \& cleared/'
refute "FPU1 that takes what FPU0 took is refuted" eu_pick_proof igpu_eu_pick.vh \
    "s/if ((who0 & who1) != RR_0)/if (1'b0)/"
refute "FPU1 that takes what FPU0 took is refuted, for a simulator" eu_pick_chain_proof \
    igpu_eu_pick.vh "s/left1 = req1 & ~who0/left1 = req1/"
refute "FPU1 that takes the oldest, which FPU0 took, is refuted" eu_pick_proof \
    igpu_eu_pick.vh 's/pick_oldest(req1 & ~who0/pick_oldest(req1/'
refute "a thread that two units take is refuted" eu_pick_proof igpu_eu_pick.vh \
    's/send   = ready & unit1 & ~unit0/send   = ready \& unit1/'
refute "a unit that takes one although it cannot is refuted" eu_pick_proof igpu_eu_pick.vh \
    's/can\[2\] ? send : RR_0/send/'
refute "D one cycle early is refuted" eu_track_proof igpu_eu_track.vh \
    's/{{(`IGPU_DIST_W-8){1.b0}}, occ}/{{(`IGPU_DIST_W-8){1'"'"'b0}}, occ - 8'"'"'d1}/'
refute "a result that overtakes the one before it is refuted" eu_track_proof \
    igpu_eu_track.vh "s/busy ? last - now : 7'd0/7'd0/"
refute "a unit that is free too early is refuted" eu_unit_proof igpu_eu_unit.vh \
    's/left   = until_at - now/left   = until_at - now - 1/'
refute "a unit that forgets how old its stamp is is refuted" eu_unit_proof igpu_eu_unit.vh \
    's/busy && !old/busy/'
refute "a response one cycle early is refuted" eu_resp_proof igpu_eu_resp.vh \
    "s/busy && left == 8'd0/busy \&\& left <= 8'd1/"
refute "a response that overtakes is refuted" eu_resp_proof igpu_eu_resp.vh \
    's/from_q    = over && waits/from_q    = 1'"'"'b0/'
refute "a hold that does not end is refuted" eu_front_proof igpu_eu_look.vh \
    "s/look_freed = look_freed & hold/look_freed = 7'd0/"
refute "a hold of another thread is refuted" eu_front_proof igpu_eu_front.vh \
    "s/over} << {slot, 3'd0}/over} << {slot ^ 3'd1, 3'd0}/"
refute "a wait for code one cycle short is refuted" eu_front_proof igpu_eu_front.vh \
    "s/9'd1 + {1'b0, wait_n}/{1'b0, wait_n}/"
refute "a next cycle that misses SEND is refuted" eu_rest_proof igpu_eu_rest.vh \
    's/: !occupied\[2\]/: !occupied[1]/'
prove "a bit is busy from its issue to its result, and nothing is met before" eu_board_proof
refute "an issue that never sets a busy bit is refuted" eu_board_proof igpu_eu_board.v \
    "s/if (s2_issued_i != 3'd0)/if (1'b0)/"
refute "a result that clears GRFs 0 to 63 of a scoreboard is refuted" eu_board_proof \
    igpu_eu_mark.v 's/mk_lo_o\[64\*g +: 64\] = lo/mk_lo_o[64*g +: 64] = ~64'"'"'d0/'
refute "what another unit issued is refuted" eu_board_proof igpu_eu_board.v \
    's/{S{s2_issued_i\[1\]}} & s2_set_i\[S   +: S\]/{S{s2_issued_i[1]}} \& s2_set_i[0 +: S]/'
refute "another thread's result is refuted" eu_board_proof igpu_eu_board.v \
    's/{64{s2_hit_i\[0\]}} & s2_lo_i/{64{s2_hit_i[1]}} \& s2_lo_i/'
refute "a scoreboard that is not written is refuted" eu_board_proof igpu_eu_board.v \
    's/s3_valid_i && (hit_q || s3_first_i)/s3_valid_i \&\& hit_q/'
