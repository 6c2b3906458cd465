/* test_emu_rounding.c - a launch computes the same whatever the thread that runs it has
 * set for floats of its own: interpreted and translated, on one host thread and two,
 * and by steps. What it had set is as it was afterwards, its flags of exceptions too.
 * Frames: tests/bridge/test_frame_rounding.sh. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include <fenv.h>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

#include "emu_rig.h"
#include "tests/support/isa_material.h"

#include "igpu/emu_step.h"
#include "igpu/isa_decode.h"

enum { GROUPS = 600, ITEMS = 16, WORDS = GROUPS * ITEMS };

/* Sums and quotients that are not exact, and denormals, which are kept, of r10, the
 * global id. */
static const char text[] =
    "(W) or (1|M0) cr0.0<1>:ud cr0.0<0;1,0>:ud 0x4C0:uw {Switch}\n"
    "mov (8|M0) r10.0<1>:ud r1.0<8;8,1>:uw\n"
    "mul (8|M0) r13.0<1>:d r0.1<0;1,0>:d 16:w\n"
    "add (8|M0) r10.0<1>:ud r10.0<8;8,1>:ud r13.0<8;8,1>:ud\n"
    "shl (8|M0) r11.0<1>:ud r10.0<8;8,1>:ud 2:w\n"
    "mov (8|M0) r12.0<1>:f r10.0<8;8,1>:ud\n"
    "mul (8|M0) r13.0<1>:f r12.0<8;8,1>:f 0.1:f\n"
    "add (8|M0) r13.0<1>:f r13.0<8;8,1>:f 0.3333333:f\n"
    "math.fdiv (8|M0) r14.0<1>:f r13.0<8;8,1>:f 7.0:f\n"
    "mul (8|M0) r15.0<1>:f r13.0<8;8,1>:f 0x00000123:f\n"
    "xor (8|M0) r12.0<1>:ud r13.0<8;8,1>:ud r14.0<8;8,1>:ud\n"
    "xor (8|M0) r12.0<1>:ud r12.0<8;8,1>:ud r15.0<8;8,1>:ud\n"
    "sends (8|M0) null:ud r11 r12 0x4C 0x02026E00\n"
    "(W) mov (8|M0) r127.0<1>:ud r0.0<8;8,1>:ud\n"
    "(W) send (8|M0) null r127 0x27 0x02000010 {EOT}\n";

static uint32_t want[WORDS], got[WORDS];

struct how {
    enum emu_jit_mode jit;
    uint32_t host_threads; /* 0: by steps */
};

static void run_by_steps(const struct emu_program *p, struct emu_mem *mem,
                         const struct emu_launch *launch)
{
    struct emu_access access;
    struct emu_step *step;
    struct igpu_err err;
    uint64_t now = 0;

    assert_int_equal(emu_step_new(&step, p, mem, launch, 1, &err), IGPU_OK);
    for (uint64_t i = 0; i < WORDS / 8; i++) {
        struct emu_step_thread *t = emu_step_begin(step, i);
        bool over;

        do {
            over = emu_step_issue(step, t, now++);
            while (emu_step_waiting(t) != 0)
                (void)emu_step_send(step, t, &access);
        } while (!over);
    }
    assert_int_equal(emu_step_status(step, &err), IGPU_OK);
    emu_step_free(step);
}

static void run(const struct how *how, uint32_t out[WORDS])
{
    static const struct emu_surface surface = {.bti = 0, .arg = 0};
    struct isa_kernel_code code;
    struct emu_kernel kernel = {.name = "rounding",
                                .code = &code,
                                .simd = 8,
                                .local_id_dims = 1,
                                .walk_order = {0, 1, 2},
                                .arg_count = 1,
                                .surface = &surface,
                                .surface_count = 1};
    struct emu_arg arg = {.kind = EMU_ARG_BUFFER, .size = sizeof(want)};
    struct emu_launch launch = {.work_dim = 1,
                                .global = {WORDS},
                                .local = {ITEMS},
                                .arg = &arg,
                                .arg_count = 1,
                                .jit = (uint8_t)how->jit,
                                .host_threads = how->host_threads,
                                .alone = 1};
    struct emu_mem *mem = emu_mem_new();
    struct igpu_err err = {.text = ""};
    struct emu_program *p;

    memset(out, 0, sizeof(want));
    material_code(text, &code);
    p = emu_program_new(&kernel, &err);
    if (p == NULL)
        fail_msg("%s", err.text);
    assert_int_equal(emu_mem_map(mem, out, sizeof(want), 0, &arg.va, &err), IGPU_OK);
    if (how->host_threads == 0)
        run_by_steps(p, mem, &launch);
    else if (emu_run(p, mem, &launch, NULL, &err) != IGPU_OK)
        fail_msg("%s", err.text);
    emu_program_free(p);
    isa_code_free(&code);
    emu_mem_free(mem);
}

/* Another rounding, and where the host has it denormals that count as zero. */
static void set(int rounding, bool flush)
{
    assert_int_equal(fesetenv(FE_DFL_ENV), 0);
    assert_int_equal(fesetround(rounding), 0);
#if defined(__x86_64__)
    _mm_setcsr(_mm_getcsr() | (flush ? 0x8040u : 0));
#else
    (void)flush;
#endif
}

static bool is_set(int rounding, bool flush)
{
#if defined(__x86_64__)
    if ((_mm_getcsr() & 0x8040u) != (flush ? 0x8040u : 0))
        return false;
#else
    (void)flush;
#endif
    return fegetround() == rounding && fetestexcept(FE_ALL_EXCEPT) == 0;
}

static void compare(enum emu_jit_mode jit, uint32_t host_threads)
{
    static const int roundings[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD,
                                    FE_TOWARDZERO};
    const struct how how = {jit, host_threads};

    for (unsigned i = 0; i < 8; i++) {
        int rounding = roundings[i % 4];

        set(rounding, i >= 4);
        run(&how, got);
        assert_true(is_set(rounding, i >= 4));
        set(FE_TONEAREST, false);
        assert_memory_equal(got, want, sizeof(want));
    }
}

static void interpreted(void **state)
{
    (void)state;
    compare(EMU_JIT_OFF, 1);
}

static void translated(void **state)
{
    (void)state;
    if (!emu_rig_use_jit())
        skip();
    compare(EMU_JIT_NOW, 1);
}

static void on_two_threads(void **state)
{
    (void)state;
    compare(EMU_JIT_OFF, 2);
}

static void by_steps(void **state)
{
    (void)state;
    compare(EMU_JIT_OFF, 0);
}

static int compute_what_is_wanted(void **state)
{
    const struct how how = {EMU_JIT_OFF, 1};

    (void)state;
    run(&how, want);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(interpreted),
        cmocka_unit_test(translated),
        cmocka_unit_test(on_two_threads),
        cmocka_unit_test(by_steps),
    };

    return cmocka_run_group_tests(tests, compute_what_is_wanted, NULL);
}
