/* test_jit_math.c - math functions of floats that are computed in doubles by translated
 * code (csim/jit/jit_math.c) against csim/fpu's, bit by bit: corners (of pow all
 * pairs), any bits, results of all sizes, and results next to the middle between two
 * floats, where the doubles do not decide; denormals kept and flushed.
 *
 *   test_jit_math [SEED]       IGPU_LONG=1: all operands of all but pow, and
 *                              300 times as many pairs of pow
 *
 * IGPU_JIT_LIBRARY: another translator than the build's (tests/fail).
 * Can not find: modifiers, masks, conditions and saturation (test_jit_random); what
 * csim/fpu does wrong (tests/fpu/test_math_accuracy).
 * tests/run: timeout=3000 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "csim/emu/emu_jit_int.h"
#include "emu_rig.h"
#include "igpu/fpu_math.h"
#include "tests/support/rng.h"

/* Instructions and lanes of a program; registers of its operands and results. */
enum { EACH = 8, WIDTH = 16, LANES = EACH * WIDTH, GRFS = 2 * EACH };
enum { FIRST_X = 2, FIRST_Y = FIRST_X + GRFS, FIRST_RESULT = FIRST_Y + GRFS };
enum { RANDOM = 20000, TRIES = 500000, LONGER = 300 };

static struct rng rng = {20261129};

struct batch {
    uint32_t x[LANES], y[LANES], expected[LANES], count;
};

/* A function's program. A NaN leaves all of it to the emulator: those are apart, and as
 * many as one batch has are enough. */
struct rig {
    enum fpu_math_fn fn;
    bool flushes, told;
    struct emu_machine m;
    struct emu_launch launch;
    struct emu_thread clean, t;
    struct batch numbers, nans;
    unsigned long compared;
};

static float float_of(uint32_t bits)
{
    float f;

    memcpy(&f, &bits, sizeof(f));
    return f;
}

static uint32_t bits_of(double x)
{
    float f = (float)x;
    uint32_t bits;

    memcpy(&bits, &f, sizeof(bits));
    return bits;
}

/* ---- the program ------------------------------------------------------------------
 */

static const struct emu_program *make_program(const struct rig *r)
{
    static struct isa_inst text[EACH + 1];
    static struct isa_kernel_code code = {text, EACH + 1, 16 * (EACH + 1)};
    struct emu_kernel kernel = {.name = "math",
                                .code = &code,
                                .simd = WIDTH,
                                .walk_order = {0, 1, 2},
                                .flushes = r->flushes,
                                .keeps = true};
    struct igpu_err err = {.text = ""};
    const struct emu_program *p;

    for (uint32_t i = 0; i < EACH; i++) {
        text[i] = emu_rig_inst(ISA_OP_MATH, WIDTH);
        text[i].math = (uint8_t)r->fn;
        text[i].nsrc = r->fn == FPU_MATH_POW ? 2 : 1;
        text[i].src[0] = emu_rig_packed(FIRST_X + 2 * i, ISA_TYPE_F);
        if (r->fn == FPU_MATH_POW)
            text[i].src[1] = emu_rig_packed(FIRST_Y + 2 * i, ISA_TYPE_F);
        text[i].dst = emu_rig_dst(FIRST_RESULT + 2 * i, ISA_TYPE_F, 1);
    }
    text[EACH] = emu_rig_eot();
    for (uint32_t i = 0; i <= EACH; i++)
        text[i].pc = 16 * i;
    p = emu_program_new(&kernel, &err);
    if (p == NULL)
        fail_msg("%s", err.text);
    return p;
}

static void open_rig(struct rig *r, enum fpu_math_fn fn, bool flushes)
{
    static struct igpu_err err;

    memset(r, 0, sizeof(*r));
    r->fn = fn;
    r->flushes = flushes;
    r->launch = (struct emu_launch){.work_dim = 1, .jit = EMU_JIT_NOW};
    r->m = (struct emu_machine){.launch = &r->launch, .mem = emu_mem_new()};
    r->m.p = make_program(r);
    r->m.err = &err;
    assert_int_equal(emu_jit_set_up(&r->m, &err), IGPU_OK);
    emu_jit_choose(&r->m);
    if (emu_jit_refused(r->m.p) != NULL)
        fail_msg("%s", emu_jit_refused(r->m.p));
    r->clean.ctrl[0] = flushes ? 0x400 : 0x4C0;
    r->clean.live = r->clean.active = (1u << WIDTH) - 1;
    r->clean.next_pc = UINT32_MAX;
    r->clean.m = &r->m;
    r->clean.turn_end = 2 * EACH;
    emu_ctrl_changed(&r->clean);
}

static void run_batch(struct rig *r, struct batch *b)
{
    uint32_t result[LANES];

    r->t = r->clean;
    memcpy(r->t.grf + FIRST_X * ISA_GRF_BYTES, b->x, sizeof(b->x));
    memcpy(r->t.grf + FIRST_Y * ISA_GRF_BYTES, b->y, sizeof(b->y));
    emu_thread_run(&r->t);
    memcpy(result, r->t.grf + FIRST_RESULT * ISA_GRF_BYTES, sizeof(result));
    for (uint32_t i = 0; i < b->count; i++)
        if (result[i] != b->expected[i])
            fail_msg("function %d%s of 0x%08x, 0x%08x: 0x%08x, translated 0x%08x",
                     r->fn, r->flushes ? ", flushed," : "", b->x[i], b->y[i],
                     b->expected[i], result[i]);
    r->compared += b->count;
    b->count = 0;
}

static void close_rig(struct rig *r)
{
    run_batch(r, &r->numbers);
    run_batch(r, &r->nans);
    assert_non_null(r->m.translated);
    printf("# function %2d%s: %lu operands\n", r->fn, r->flushes ? ", flushed" : "",
           r->compared);
    free(r->m.places);
    emu_program_free((struct emu_program *)r->m.p);
    emu_mem_free(r->m.mem);
}

static void put(struct rig *r, uint32_t x, uint32_t y)
{
    const struct fpu_math_mode mode = {0, r->flushes};
    uint32_t expected = fpu_math_f32(r->fn, x, y, mode, NULL);
    bool is_nan = (expected & 0x7FFFFFFF) > 0x7F800000;
    struct batch *b = is_nan ? &r->nans : &r->numbers;

    if (is_nan && r->told)
        return;
    b->x[b->count] = x;
    b->y[b->count] = y;
    b->expected[b->count] = expected;
    if (++b->count < LANES)
        return;
    r->told |= is_nan;
    run_batch(r, b);
}

/* ---- operands ----------------------------------------------------------------------
 */

static void put_corners(struct rig *r)
{
    static const uint32_t corner[] = {
        0x00000000, 0x00000001, 0x000FFFFF, 0x007FFFFF, 0x00800000, 0x00800001,
        0x0DA24260, 0x20000000, 0x33000000, 0x33800000, 0x34000000, 0x3E800000,
        0x3EAAAAAB, 0x3F000000, 0x3F3504F3, 0x3F3504F4, 0x3F7FFFFE, 0x3F7FFFFF,
        0x3F800000, 0x3F800001, 0x3FB504F3, 0x3FB504F4, 0x3FC00000, 0x3FC90FDA,
        0x3FC90FDB, 0x40000000, 0x40400000, 0x40490FDB, 0x40C90FDB, 0x41200000,
        0x42FC0000, 0x42FCFFFF, 0x42FD0000, 0x42FDFFFF, 0x42FE0000, 0x42FEFFFF,
        0x42FF0000, 0x42FFFFFF, 0x43000000, 0x43000001, 0x43150000, 0x43160000,
        0x43170000, 0x43170001, 0x44800000, 0x487FFFFF, 0x48800000, 0x4B800000,
        0x5F000000, 0x7F000000, 0x7F7FFFFF, 0x7F800000, 0x7F800001, 0x7FC00000};
    enum { COUNT = sizeof(corner) / sizeof(corner[0]) };

    for (uint32_t i = 0; i < 2 * COUNT; i++)
        for (uint32_t k = 0; k < (r->fn == FPU_MATH_POW ? 2 * COUNT : 1); k++)
            put(r, corner[i / 2] | i << 31, corner[k / 2] | k << 31);
}

/* An operand, or two, of which most results are ordinary, and of all sizes. */
static void pick(enum fpu_math_fn fn, uint32_t *x, uint32_t *y)
{
    uint64_t random = rng_next(&rng);
    double part = (double)(random >> 12) * 0x1p-51 - 1; /* -1 to 1 */

    *y = 0;
    switch (fn) {
    case FPU_MATH_LOG:
    case FPU_MATH_RSQT:
        *x = random & 1 ? bits_of(1 + part) : (uint32_t)(random >> 33);
        break;
    case FPU_MATH_EXP:
        *x = bits_of(random & 1 ? part : 160 * part);
        break;
    case FPU_MATH_POW:
        *x = random & 1 ? bits_of(4 * part) : (uint32_t)(random >> 32);
        part = (double)(int32_t)rng_next(&rng) * 0x1p-31;
        *y = bits_of((random & 2 ? 8 : 152) * part / log2(fabs(float_of(*x))));
        break;
    default:
        *x = bits_of(part * ldexp(1, (int)rng_below(&rng, 20)));
        break;
    }
}

static double in_double(enum fpu_math_fn fn, double x, double y)
{
    switch (fn) {
    case FPU_MATH_LOG:
        return log2(x);
    case FPU_MATH_EXP:
        return exp2(x);
    case FPU_MATH_POW:
        return pow(fabs(x), y);
    case FPU_MATH_RSQT:
        return 1 / sqrt(x);
    case FPU_MATH_SIN:
        return sin(x);
    default:
        return cos(x);
    }
}

/* Is the result within 0.001 of a float's unit of the middle, of pow 0.016? */
static bool is_near(enum fpu_math_fn fn, uint32_t x, uint32_t y)
{
    const uint32_t half = 1u << 28, part = fn == FPU_MATH_POW ? 32 : 512;
    double v = in_double(fn, float_of(x), float_of(y));
    uint64_t bits;

    memcpy(&bits, &v, sizeof(bits));
    return ((bits - half + half / part) & (2 * half - 1)) < 2 * half / part;
}

static void test_function(enum fpu_math_fn fn, bool flushes)
{
    static struct rig rig;
    unsigned longer = getenv("IGPU_LONG") && fn == FPU_MATH_POW ? LONGER : 1;
    uint32_t x, y;

    open_rig(&rig, fn, flushes);
    put_corners(&rig);
    for (unsigned i = 0; i < RANDOM * longer; i++) {
        put(&rig, (uint32_t)rng_next(&rng), (uint32_t)rng_next(&rng));
        pick(fn, &x, &y);
        put(&rig, x, y);
    }
    for (unsigned i = 0; i < TRIES * longer; i++) {
        pick(fn, &x, &y);
        if (is_near(fn, x, y))
            put(&rig, x, y);
    }
    if (getenv("IGPU_LONG") != NULL && fn != FPU_MATH_POW)
        for (uint64_t i = 0; i <= UINT32_MAX; i += flushes ? 61 : 1)
            put(&rig, (uint32_t)i, 0);
    close_rig(&rig);
}

static void test_both(enum fpu_math_fn fn)
{
    test_function(fn, false);
    test_function(fn, true);
}

static void test_logarithm(void **state)
{
    (void)state;
    test_both(FPU_MATH_LOG);
}

static void test_exponential(void **state)
{
    (void)state;
    test_both(FPU_MATH_EXP);
}

static void test_power(void **state)
{
    (void)state;
    test_both(FPU_MATH_POW);
}

static void test_inverse_root(void **state)
{
    (void)state;
    test_both(FPU_MATH_RSQT);
}

static void test_sine(void **state)
{
    (void)state;
    test_both(FPU_MATH_SIN);
}

static void test_cosine(void **state)
{
    (void)state;
    test_both(FPU_MATH_COS);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_logarithm), cmocka_unit_test(test_exponential),
        cmocka_unit_test(test_power),     cmocka_unit_test(test_inverse_root),
        cmocka_unit_test(test_sine),      cmocka_unit_test(test_cosine)};

    rng.state = argc > 1 ? strtoull(argv[1], NULL, 10) : rng.state;
    if (!emu_rig_use_jit()) {
        puts("1..0 # SKIP no LLVM 14: nothing is translated");
        return 0;
    }
    printf("# seed %llu\n", (unsigned long long)rng.state);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
