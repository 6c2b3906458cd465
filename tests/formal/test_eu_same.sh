#!/usr/bin/env bash
# The two shells of the EU do the same, for one context: eu_same_proof's step of an induction
# over visits. The 23 clocks of one visit are unrolled by yosys-abc and each part of what has
# to be the same goes to a SAT solver (cadical). The rings of responses have four places here
# instead of 128, the store two instructions. And that the proof can fail: shells that do not
# do the same have a counterexample. An hour of CPU time.
# tests/run: long timeout=9000
set -u
RING=4
PARTS="place first until word needs rring rword resp ring track head rr pairs above late_at
    free_at issues asks next busy0 busy1 busy2 busy3 busy4 busy5 busy6 unit0 unit1 ready
    held young hold late has"
REACHED=35 FETCHES=36 PICKS=37 MAYS=38 METS=45 KEPT=52 FLAT_ENDS=80 PIPE_ENDS=89
OUTPUTS=111
. tests/formal/eu_same_joins.sh

shells() { # shells FOLDER: the shells with one row of each RAM, short rings and cuts
    mkdir -p "$1" && cp rtl/eu/*.v* tests/formal/eu_same_*.vh "$1"
    sed -i 's/ROWS = (CONTEXTS < 2) ? 2 : CONTEXTS/ROWS = 1/; s/ROWS = 1 << CW;/ROWS = 1;/
        s/rring_m \[0:128\*ROWS-1\]/rring_m [0:3]/
        s/rring_m\[{`CTX, r\(rd\|wr\)_m\[`CTX\]}\]/rring_m[r\1_m[`CTX][1:0]]/' \
        "$1"/igpu_eu_flat.v "$1"/igpu_eu_flat.vh "$1"/igpu_eu_pipe.v
    sed -i 's/DEPTH(128 \* ROWS), .AW(CW + 7)/DEPTH(4), .AW(2)/' "$1/igpu_eu_resp.v"
    sed -i 's/lk_\(fetch\|who\|fresh\)_q(lk_/lk_\1_q(own_/g; s/pk_issue_q(pk_/pk_issue_q(own_/
        s/pk_who_q(pk_who)/pk_who_q(own_picked)/; s/pk_slot_o(pk_/pk_slot_o(own_/
        s/^    wire \[6:0\]  lk_who;/`include "eu_same_cut.vh"/
        /^    wire        lk_fetch, lk_fresh;/d; /^    wire \[3:0\]  pk_issue;/d
        /^    wire \[27:0\] pk_who;/d; /^    wire \[11:0\] pk_slot;/d
        s/ft_met_o(ft_met)/ft_met_o(own_met)/; s/ft_read, ft_met, ft_last/ft_read, ft_last/
        s/^    wire \[6:0\]  s3_may = /    assign own_may = /' "$1/igpu_eu_pipe.v"
}

elaborate() { # elaborate FOLDER: the proof with those shells, unrolled: FOLDER/all.aig
    {
        echo "verilog_defaults -add -I$1 -Irtl/include -Irtl/lib"
        echo "read_verilog tests/formal/eu_same_proof.v tests/formal/eu_same_least.v"
        echo "read_verilog tests/formal/eu_same_ram.v"
        echo "hierarchy -check -top eu_same_proof -chparam RING $RING -libdir rtl/lib -libdir $1"
        echo "proc; memory_collect; memory_map"
        echo "setattr -mod -unset keep_hierarchy *; flatten"
        joins
        echo "opt_expr; opt_clean; opt -fast; dffunmap; techmap; opt_clean"
        echo 'dfflegalize -cell $_DFF_P_ 01; techmap; aigmap'
        echo "setundef -undriven -zero; opt_clean; write_aiger -zinit $1/same.aig"
    } >"$1/same.ys"
    yosys -q "$1/same.ys" >"$IGPU_TMP/out" 2>&1 &&
        yosys-abc -c "read_aiger $1/same.aig; frames -F 23 -i; strash; write_aiger $1/all.aig" \
            >"$IGPU_TMP/out" 2>&1
}

look() { # look FOLDER NUMBER: 0: this output is 0 in a visit; 1: it can be; 2: not known
    local cnf=$1/$2.cnf
    yosys-abc -c "read_aiger $1/all.aig; cone -O $((22 * OUTPUTS + $2)); strash; write_cnf $cnf" \
        >"$IGPU_TMP/out" 2>&1
    [ -s "$cnf" ] || return 2
    cadical -q -n "$cnf" >"$IGPU_TMP/out" 2>&1
    case $? in
    20) rm "$cnf" ;;
    10) return 1 ;;
    *) return 2 ;;
    esac
}

same() { # same FOLDER NUMBER WHAT
    look "$1" "$2"
    case $? in
    0) echo "ok $3" ;;
    1) echo "not ok $3: differs" ;;
    *) echo "not ok $3: not known" && tail -n 3 "$IGPU_TMP/out" | sed 's/^/# /' ;;
    esac
}

defect() { # defect FILE TEXT OTHER: in the shells of $bad
    sed -i "s/$2/$3/" "$bad/$1"
    cmp -s "$IGPU_TMP/shells/$1" "$bad/$1" && echo "not ok a defect in $1: nothing is wrong"
}

refuted() { # refuted NUMBER WHAT: with the defects this output can be 1
    look "$bad" "$1"
    if [ $? = 1 ]; then echo "ok $2 is refuted"; else echo "not ok $2 is refuted"; fi
}

shells "$IGPU_TMP/shells"
if ! elaborate "$IGPU_TMP/shells"; then
    tail -n 5 "$IGPU_TMP/out" | sed 's/^/# /'
    echo "not ok the proof elaborates"
    exit
fi
look "$IGPU_TMP/shells" $REACHED
if [ $? = 1 ]; then echo "ok a visit can issue to all units and ask for a run"; else
    echo "not ok a visit can issue to all units and ask for a run"
fi
same "$IGPU_TMP/shells" $FETCHES "who fetches: the same"
for thread in 0 1 2 3 4 5 6; do
    same "$IGPU_TMP/shells" $((MAYS + thread)) "whether thread $thread may issue: the same"
done
for thread in 0 1 2 3 4 5 6; do
    same "$IGPU_TMP/shells" $((METS + thread)) "whether what $thread fetches may issue: the same"
done
same "$IGPU_TMP/shells" $PICKS "what issues, of those that may: the same"
number=1
for part in $PARTS; do
    same "$IGPU_TMP/shells" $number "$part: the same after any visit"
    number=$((number + 1))
done
for ((k = 0; k < 28; k++)); do same "$IGPU_TMP/shells" $((KEPT + k)) "kept, sentence $k"; done
for ((k = 0; k < 9; k++)); do
    same "$IGPU_TMP/shells" $((FLAT_ENDS + k)) "flat: the next cycle is the first end, $k"
done
for ((k = 0; k < 22; k++)); do
    same "$IGPU_TMP/shells" $((PIPE_ENDS + k)) "pipe: the next cycle is the first end, $k"
done

# Three defects, each in what one part alone is about.
bad=$IGPU_TMP/bad
shells "$bad"
defect igpu_eu_rest.v '.valid_i({waits, s7_resp_i})' ".valid_i({waits, 1'b0})"
defect igpu_eu_board.v 'hit_q     <= {s2_issued_i, s2_hit_i}' "hit_q     <= {s2_issued_i, 3'd0}"
defect igpu_eu_flat_wait.vh 'cycles < near - now\[8:0\]' "cycles < 9'd0"
elaborate "$bad" || echo "not ok the defects elaborate"
refuted $((PIPE_ENDS + 19)) "a response's end that is forgotten"
refuted 20 "a result that clears nothing"
refuted $((KEPT + 0)) "a hold that is not among the ends"
