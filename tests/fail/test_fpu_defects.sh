#!/usr/bin/env bash
# A wrong bit in any block of the FPU's datapath is found by its vectors: each line
# below changes one file of a copy of rtl/fpu, and igpu_fpu_tb must print `not ok`.
# `later` lines are for --long.
set -u
copy=$IGPU_TMP/fpu

run() { # of the copy: the test bench's output
    iverilog -g2012 -Irtl/include -y "$copy" -s igpu_fpu_tb -o "$IGPU_TMP/tb" \
        tests/rtl/igpu_fpu_tb.v 2>&1 && vvp -N "$IGPU_TMP/tb" 2>&1
}

fresh() {
    rm -rf "$copy"
    cp -r rtl/fpu "$copy"
}

# defect FILE SED: with that change the vectors fail.
defect() {
    local file=$copy/igpu_fpu${1:+_$1}.v output
    fresh
    sed -i "$2" "$file"
    if cmp -s "$file" "rtl/fpu/$(basename "$file")"; then
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

defect norm      "s/count_o\[k\] = 1'b1/count_o[k] = k != 2/"
defect jam       's/data_o\[0\] || lost/data_o[0]/'
later  source    's/BIAS = 127/BIAS = 126/'
later  source    's/ ^ mod_i\[1\]/ | mod_i[1]/'
later  source    's/ftz_i\[0\];/ftz_i[1];/'
later  decode    "s/int_round_i ? rnd_i/int_round_i ? 2'd0/"
later  decode    's/s0 == 2.d3 || sd == 2.d3;/s0 == 2'"'"'d3;/'
later  operands  's/mod_i(mod_i\[3:2\])/mod_i(mod_i[1:0])/'
later  cond      's/!less_i && !nan_i;/!less_i;/'
later  compare   "s/equal = 1'b1/equal = 1'b0/"
later  compare   's/(less || y_nan)/(less)/'
later  bits      "s/32'd32 :/32'd31 :/"
later  bits      's/x\[31 - i\]/x[(31 - i) ^ (i == 7)]/'
defect special   "s/{1'b0, 2'b11/{1'b1, 2'b11/"
later  special   's/(p_inf \&\& p_zero) ||/(p_inf \&\& p_zero \&\& sum_i) ||/'
defect multiply  's/ + ONE : one/ : one/'
later  multiply  's/one\[NW\] ^ (mul/one[NW] | (mul/'
defect align     's/= pe + 1;/= pe;/'
later  align     's/<< (W\/2)) + /<< (W\/2)) - /'
defect add       's/none ? s3_ctl_i\[`IGPU_CTL_RND1\] == `IGPU_RTN/none ? 1'"'"'b0/'
defect normalize 's/, rest != {N{1.b0}}}/, 1'"'"'b0}/'
later  normalize 's/whole = low\[/whole = most[/'
defect round     's/half && (rest || (x & unit) != 0)/half \&\& (rest || (x \& unit) == 0)/'
later  round     's/rnd_i == `IGPU_RTZ || (rnd_i/(rnd_i/'
later  compute   's/full ? ones : mant/mant/'
defect convert   "s/{3{float}} & exc/3'd0/"
defect pack      's/else if (!flush)/else if (1'"'"'b1)/'
later  pack      's/field = bias;/field = biased;/'
later  toint     's/if (over)/if (1'"'"'b0)/'
later  elem      's/s2_hold_i(s2_hold)/s2_hold_i(!s2_hold)/'
later  lane      's/pred_i(pred_i\[1\])/pred_i(pred_i[0])/'
later  decode    's/= pass2_i;/= 1'"'"'b0;/'
