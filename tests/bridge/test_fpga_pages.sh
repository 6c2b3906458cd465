#!/bin/sh
# A kernel that is larger than the board's instruction store (1,303 instructions for
# 1,024): the host writes the store while time is held. Statistics byte for byte those of
# --engine rtl, counted by the board and by issues, on a good line and on a bad one; and
# back to a kernel that fits.
# tests/run: timeout=900 slow turn=1of3
. tests/support/cli.sh
mkdir -p "$IGPU_TMP"
. tests/support/board.sh

# 40 stretches of code, each with its constants, in a loop; loads and conditions.
{
    echo '__kernel void large(__global const float *x, __global float *y, int n)
    {
        int id = get_global_id(0);
        float a = x[id], b = x[id + 7], c = 0.5f;
        for (int i = 0; i < n; i++) {'
    awk 'BEGIN {
        for (i = 1; i <= 40; i++) {
            for (k = 0; k < 4; k++)
                printf "a = mad(a, b, %d.25f); b = mad(b, c, a * %d.5f);\n", 4 * i + k, i
            printf "c += x[(id * %d + i) & 1023];\n", i
            printf "if (c > %d.0f && (id & %d)) a -= c;\n", 3 * i, 1 + i % 7
        } }'
    echo '}
        y[id] = a + b + c;
    }'
} >"$IGPU_TMP/large.cl"
"$igpu" record -k large -g 192 -l 64 --arg buf:16K:randf32:1 --arg buf:4K --arg i32:1 \
    -o "$IGPU_TMP/large.pb" "$IGPU_TMP/large.cl" >"$IGPU_TMP/recorded"
grep -q 'large, SIMD16, [12][0-9]\{3\} instructions' "$IGPU_TMP/recorded"
report $? "the kernel has more than 1,024 instructions"

small="-s gpu.subslices=1 -s eu.count=3"
board --port 0 --shape 1x3 --watch
# shellcheck disable=SC2086 # options
{
    same "in pages" "$IGPU_TMP/large.pb" $small
    same "a kernel that fits, after it" traces/samples/mad_int.pb $small
    same "in pages, with each issue" "$IGPU_TMP/large.pb" $small --check
    same "another machine" "$IGPU_TMP/large.pb" -s gpu.subslices=1 -s eu.count=2 -s eu.threads=3
    "$vigpu" --engine "$place" $small "$IGPU_TMP/large.pb" >"$IGPU_TMP/said"
    grep -q ' threads, [0-9]* code, [1-9][0-9]* pages' "$IGPU_TMP/said"
    report $? "and says how often time was held"
    board --port 0 --shape 1x3 --loss 1 --dup 1 --delay 1 --reorder 1 --damage 1 --stall 20
    same "in pages, bad line" "$IGPU_TMP/large.pb" $small
}
exit $failures
