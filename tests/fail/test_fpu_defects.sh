#!/usr/bin/env bash
# A wrong bit in any block of the FPU's datapath is found by its vectors: each line
# below changes one file of a copy of rtl/fpu or rtl/include, and igpu_fpu_tb must print `not ok`.
# `later` lines are for --long.
# tests/run: slow turn=2of3
set -u
copy=$IGPU_TMP/fpu

run() { # of the copy: the test bench's output
    iverilog -g2012 -I"$copy" -y "$copy" -s igpu_fpu_tb -o "$IGPU_TMP/tb" \
        tests/rtl/igpu_fpu_tb.v 2>&1 && vvp -N "$IGPU_TMP/tb" 2>&1
}

fresh() {
    rm -rf "$copy"
    cp -r rtl/fpu "$copy"
    cp rtl/include/*.vh "$copy"
}

# defect FILE SED: with that change the vectors fail.
defect() {
    local file=$copy/igpu_fpu_$1.v output
    fresh
    [ ! -e "${file}h" ] || file=${file}h # a task in a file of its own
    cp "$file" "$IGPU_TMP/before"
    sed -i "$2" "$file"
    if cmp -s "$file" "$IGPU_TMP/before"; then
        echo "not ok $1: the defect '$2' changes nothing"
        return
    fi
    output=$(run)
    if grep -q '^not ok' <<<"$output"; then
        echo "ok $1: '$2' is found"
    else
        echo "not ok $1: '$2' is not found"
    fi
}

later() { [ -z "${IGPU_LONG:-}" ] || defect "$@"; }

fresh
if run | grep -q '^ok'; then echo "ok as it stands"; else echo "not ok as it stands"; fi

defect norm      "s/count\[k\] = 1'b1/count[k] = k != 2/"
defect jam       's/out\[0\] || (data/out[0] \&\& (data/'
later  source    's/BIAS_F  = 127/BIAS_F  = 126/'
later  source    's/ ^ mod\[1\]/ | mod[1]/'
later  source    's/ftz\[0\];/ftz[1];/'
later  decode    "s/int_round_i ? rnd_i/int_round_i ? 2'd0/"
later  decode    's/s0 == 2.d3 || sd == 2.d3;/s0 == 2'"'"'d3;/'
later  operands  's/y_i, type_i\[7:4\], mod_i\[3:2\]/y_i, type_i[7:4], mod_i[1:0]/'
later  cond      's/!less && !nan;/!less;/'
later  compare   "s/equal = 1'b1/equal = 1'b0/"
later  compare   's/(less || y_nan)/(less)/'
later  bits      "s/32'd32 :/32'd31 :/"
later  bits      's/x\[31 - i\]/x[(31 - i) ^ (i == 7)]/'
defect special   "s/{1'b0, 2'b11/{1'b1, 2'b11/"
later  special   's/(p_inf \&\& p_zero) ||/(p_inf \&\& p_zero \&\& sum) ||/'
defect multiply  's/ + ONE : one/ : one/'
later  multiply  's/one\[NW\] ^ (mul/one[NW] | (mul/'
defect align     's/= pe + 1;/= pe;/'
later  align     's/<< (W\/2)) + /<< (W\/2)) - /'
defect add       's/none ? s3_ctl_i\[`IGPU_FCTL_RND1\] == `IGPU_RTN/none ? 1'"'"'b0/'
defect normalize 's/, rest != {N{1.b0}}}/, 1'"'"'b0}/'
later  normalize 's/whole = low\[/whole = most[/'
defect away      's/half && (rest || odd)/half \&\& (rest || !odd)/'
later  round     's/rnd == `IGPU_RTZ || (rnd/(rnd/'
later  compute   "s/mant = {M{1'b1}}/mant = mant/"
defect convert   "s/{1'b0, exc}/4'd0/"
defect pack      's/none   = zero || flush/none   = zero/'
later  pack      's/field = bias;/field = biased;/'
later  toint     's/if (bad)/if (1'"'"'b0)/'
later  elem      's/s2_hold_i(s2_hold)/s2_hold_i(!s2_hold)/'
later  lane      's/pred_i(pred_i\[1\])/pred_i(pred_i[0])/'
later  control   's/valid_o\[2\] \&\& !first/valid_o[2]/'
later  decode    's/= pass2_i;/= 1'"'"'b0;/'
