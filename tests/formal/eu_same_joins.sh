# eu_same_joins.sh - joins: the Yosys commands that join eu_same_proof's wires to the state of
# the two shells; RING: responses that a ring holds.
# shellcheck shell=bash

join_flat() { # join_flat WIRE WIDTH NAME...: WIRE is what these hold, the first lowest
    local wire=$1 width=$2 at=0 name
    shift 2
    for name; do
        echo "connect -nomap -nounset -set $wire[$((at + width - 1)):$at] u_flat.$name"
        at=$((at + width))
    done
}

join_ram() { # join_ram WIRE WIDTH NAME...: p_WIRE is these RAMs' rows, l_WIRE is loaded
    local wire=$1 width=$2 at=0 name bits
    shift 2
    for name; do
        bits="[$((at + width - 1)):$at]"
        echo "connect -nomap -nounset -set p_$wire$bits u_pipe.$name.rows"
        echo "connect -nomap -nounset -set u_pipe.$name.words l_$wire$bits"
        echo "connect -nomap -nounset -set u_pipe.$name.load load"
        at=$((at + width))
    done
}

join_cut() { # what the pipeline takes from the flat shell, where the proof cuts it
    local k
    for k in own_fetch own_who own_may own_met own_issue own_picked; do
        echo "connect -nomap -nounset -set $k u_pipe.$k"
    done
    for k in cut_fetches cut_picks cut_mays cut_mets cut_who cut_may cut_met cut_issue \
        cut_picked; do
        echo "connect -nomap -nounset -set u_pipe.$k $k"
    done
}

joins() {
    local k n w s each
    for k in has:7 late:7 hold:7 held:7 ready:7 unit1:7 unit0:7 older:49 near:9 writes:1 \
        written:8 rwr:7 rrd:7; do
        join_flat "f_${k%:*}" "${k#*:}" "${k%:*}_m[0]"
    done
    join_flat t_who 7 who
    join_flat t_fresh 7 fresh
    join_flat t_cleared 7 cleared
    join_flat t_met 7 met
    join_flat t_issue 4 issues
    join_flat t_picked 7 who0 who1 who2 who3
    join_cut
    join_flat f_above 7 "fetch_above_m[0]"
    join_flat f_free 8 "free_at_m["{0..6}"]"
    join_flat f_late_at 63 "late_at_m[0]"
    join_flat f_resp 33 "response_m[0]"
    join_flat f_rr 7 "above0_m[0]" "above1_m[0]" "above2_m[0]" "above3_m[0]"
    for k in flying:1 head:35 wr:4 rd:4 last:7; do
        join_flat "f_${k%:*}" "${k#*:}" "${k%:*}0_m[0]" "${k%:*}1_m[0]"
    done
    for k in taken:1 until:10; do
        join_flat "f_${k%:*}" "${k#*:}" "${k%:*}0_m[0]" "${k%:*}1_m[0]" "${k%:*}2_m[0]"
    done
    join_flat f_ring 35 "ring0_m["{0..15}"]" "ring1_m["{0..15}"]"
    each=()
    for ((s = 0; s < RING; s++)); do each+=("rring_m[$s]"); done
    join_flat f_rring 33 "${each[@]}"
    for k in busy_lo:64 busy_hi:64 busy_x:8 need_lo:64 need_hi:64 need_x:8 word:64 place:29; do
        n=${k%:*}
        join_flat "f_$n" "${k#*:}" "${n}_m["{0..6}"]"
    done
    join_ram flags 56 u_look.u_flags
    join_ram free 56 u_look.u_free
    join_ram late_at 63 u_look.u_late
    join_ram above 7 u_look.u_above
    join_ram pairs 21 u_age.u_pairs
    join_ram rr 28 u_pick.u_above
    for k in head:head:36 track:state:15 ring:ring:560; do
        IFS=: read -r n s w <<<"$k"
        join_ram "$n" "$w" "g_track["{0,1}"].u_track.u_$s"
    done
    join_ram resp 23 u_resp.u_state
    join_ram rword 25 u_resp.u_word
    join_ram rring $((33 * RING)) u_resp.u_ring
    for k in busy_lo:64 busy_hi:64 busy_x:8 need_lo:64 need_hi:64 need_x:8; do
        join_ram "${k%:*}" "${k#*:}" "g_slot["{0..6}"].u_board.u_${k%:*}"
    done
    join_ram word 512 "u_held.g_unit["{0..3}"].u_word"
    join_ram last 29 "g_unit["{0..2}"].u_unit.u_last"
    join_ram until 11 "g_unit["{0..2}"].u_unit.u_until"
    join_ram first 232 u_fetch.u_first
    join_ram place 240 u_fetch.u_place
    echo "connect -nomap -nounset -set p_next u_pipe.u_rest.s8_next_q"
    echo "connect -nomap -nounset -set u_pipe.u_fetch.u_redir.load 1'b0"
    for s in word need resp; do
        echo "connect -nomap -nounset -set u_pipe.u_store.u_$s.load 1'b0"
    done
}
