#!/usr/bin/env bash
# One mistake at a time in a copy of the translator (docs/contract/jit.md): random programs, or
# (functions of floats) test_jit_math, must see each.
# tests/run: timeout=1800 long
set -u
unset IGPU_LONG # the few programs see each, and 35 times the many take hours
PARTS="0 1 2 3 4 5 6 7" # of test_jit_random's programs: commits take turns
failures=0
config=$(command -v llvm-config-14) || {
    echo "1..0 # SKIP no LLVM 14: nothing is translated"
    exit 0
}

# The sources that are not changed are compiled once.
compile="${CC:-gcc} -std=c11 -fPIC -D_POSIX_C_SOURCE=200809L -Icsim/include -I$("$config" --includedir) -c"
mkdir -p "$IGPU_TMP/whole"
for source in csim/jit/*.c; do
    $compile -O1 -o "$IGPU_TMP/whole/$(basename "$source" .c).o" "$source" || exit 1
done

# seen TEST: does one part of the commits' see it?
seen() {
    for part in $PARTS; do
        IGPU_COMMIT=$part IGPU_JIT_LIBRARY="$library" "$IGPU_BUILD/tests/csim/$1" >"$IGPU_TMP/out" 2>&1 || return 0
    done
    return 1
}

# plant FILE SED [TEST]: is the copy with this change found out?
plant() {
    local copy="$IGPU_TMP/jit" library="$IGPU_TMP/libigpu_jit.so"
    rm -rf "$copy" && cp -r csim/jit "$copy" && sed -i "$2" "$copy/$1"
    if cmp -s "csim/jit/$1" "$copy/$1"; then
        echo "not ok $1: $2 changes nothing"
        failures=1
    elif ! $compile -I"$copy" -O0 -o "$IGPU_TMP/changed.o" "$copy/$1" || ! ${CC:-gcc} -shared -o "$library" \
        "$IGPU_TMP/changed.o" $(ls "$IGPU_TMP"/whole/*.o | grep -v "/${1%.c}\.o$") \
        "$IGPU_BUILD/lib/libigpu-isa.a" "$IGPU_BUILD/lib/libigpu-util.a" -lLLVM-14; then
        echo "not ok $1: $2 does not compile"
        failures=1
    elif ! seen "${3:-test_jit_random}"; then
        echo "not ok $1: $2 is not seen"
        failures=1
    else
        echo "ok $1: $2: $(grep -m1 -o 'program [0-9]*: .*\|function [0-9]*\(, flushed,\)\? of .*' "$IGPU_TMP/out")"
    fi
}

plant jit_alu.c 's/LLVMBuildAShr(g->b, a, by, "")/LLVMBuildLShr(g->b, a, by, "")/'
plant jit_alu.c 's/bool with_sign = is_signed(&in->src\[0\])/bool with_sign = 0 \&\& is_signed(\&in->src[0])/'
plant jit_alu.c 's/jit_to_bits(g, bits), jit_u32(g, first)/jit_to_bits(g, bits), jit_u32(g, 0 * first)/'
plant jit_float.c 's/? LLVMRealOLT : LLVMRealOGE/? LLVMRealOGT : LLVMRealOGE/'
plant jit_float.c 's/\[ISA_CMOD_NE\] = LLVMRealUNE/[ISA_CMOD_NE] = LLVMRealONE/'
plant jit_float.c 's/        jit_no_nan(g, v, mask);/        (void)mask;/'
plant jit_state.c 's/        jit_no_nan(g, r->unseen, NULL);/        (void)g;/'
plant jit_float.c 's/^                     flush(g, v));/                     v);/'
plant jit_float.c 's/        v = flush(g, v);/        (void)0;/'
plant jit_math.c 's/return LLVMBuildFDiv(g->b, jit_constant(s\[0\], 1), s\[0\], "");/return s[0];/'
plant jit_math.c 's/LLVMBuildFDiv(g->b, jit_constant(x, 1), jit_round_to/LLVMBuildFDiv(g->b, jit_constant(x, 1.0000001), jit_round_to/'
plant jit_math.c 's/NEAR_LOG = 1 << 16/NEAR_LOG = 1 << 10/' test_jit_math
plant jit_math.c 's/NEAR_EXP = 3 << 17/NEAR_EXP = 3 << 14/' test_jit_math
plant jit_math.c 's/NEAR_TRIG = 1 << 19/NEAR_TRIG = 1 << 17/' test_jit_math
plant jit_math.c 's/jit_constant(x, -INFINITY)/jit_constant(x, -1022)/' test_jit_math
plant jit_math.c 's/g->k->flushes ? -127.5 : -151/-127.5/' test_jit_math
plant jit_math.c 's/    x = magnitude(g, x);/    (void)0;/' test_jit_math
plant jit_macro.c 's/LLVMBuildFNeg(g->b, v, "")/v/'
plant jit_macro.c 's/        jit_make_odd_bits(g, part_of(g, far, c->part));/        (void)far;/'
plant jit_macro.c 's/    m->near = LLVMBuildOr(g->b, m->near, part_of(g, c->lanes, c->part), "");/    (void)0;/'
plant jit_macro.c 's/    must_be_near(g, jit_zero_off(g, v, c->mask));/    (void)0;/'
plant jit_macro.c 's/    \*early = LLVMBuildFCmp(g->b, LLVMRealOEQ, a/    *early = LLVMBuildFCmp(g->b, LLVMRealOLT, a/'
plant jit_macro.c 's/number(g, UP)/number(g, UP - 0x4000)/'
plant jit_start.c 's/, AT(header) + 4 \* i, /, AT(header), /'
plant jit_start.c 's/filled(g, b->fill)/filled(g, 0)/'
plant jit_start.c 's/            g->r\[i\].dirty = true;/            (void)0;/'
plant jit_start.c 's/            return b->word\[i\].value;/            return i == 3 ? 0 : b->word[i].value;/'
plant jit_state.c 's/    if (g->fresh) {/    if (0) {/'
plant jit_state.c 's/    if (g->needs_mode && !g->plain) {/    if (0) {/'
plant jit_state.c 's/    g->tally\[i\].lanes++;/    g->tally[i].lanes += i;/'
plant jit_state.c 's/bits = any_of(g, bits, 2u << k \/ 2)/bits = any_of(g, bits, 2u)/'
plant jit_flow.c 's/JIT_SETS_MODE && !g->is_set &&/JIT_SETS_MODE \&\&/'
plant jit_flow.c 's/\*target = in->uip;/*target = in->jip;/'
plant jit_flow.c 's/    g->active = p.here;/    g->active = active;/'
plant jit_flow.c 's/p.waits, p.target, true)/p.waits, 0, true)/'
plant jit_flow.c 's/waits_behind(g, waits, index, false), to, part/waits_behind(g, waits, 0, false), to, part/'
plant jit_flow.c 's/    g->bail = bail;/    (void)bail;/'
plant jit_send.c 's/LLVMConstInt(type, s->bytes - 1, 0)};/LLVMConstInt(type, s->bytes - 2, 0)};/'
plant jit_send.c 's/index\[i\] = (int32_t)(i \* s->count + j);/index[i] = (int32_t)(i * s->count);/'
plant jit_send.c 's/    s->parts\[s->count++\] = c;/    s->parts[s->count] = s->count, s->count++;/'
plant jit_flow.c '/^static void by_emulator/,/^}/s/    jit_forget(g);/    (void)0;/'
plant jit_split.c 's/here, none, v\[c\]/here, v[c], v[c]/'
plant jit_flow.c 's/jit_u32(g, in->mode)/jit_u32(g, in->value)/'
plant jit_flow.c 's/if (in->sets == JIT_SETS_MODE) {/if (0) {/'
plant jit_live.c 's/|= g->reads\[block->succ\[s\]\]\[k\] |/|=/'
plant jit_live.c 's/block->is_dynamic ? UINT64_MAX : 0/0/'
exit $failures
