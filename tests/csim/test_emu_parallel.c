/* test_emu_parallel.c - a launch on several host threads is the same launch: memory,
 * counts, what the hooks are told and in which order, errors, the end by a hook.
 * Does not find: kernels whose groups race; those have no one right result. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "emu_rig.h"
#include "tests/support/isa_material.h"

#include "igpu/isa_decode.h"

enum { GROUPS = 200, ITEMS = 16, WORDS = GROUPS * ITEMS + 64 };

struct outcome {
    uint32_t out[WORDS];
    struct emu_counts counts;
    uint64_t events, hash, last_thread, stop_at;
    enum igpu_status status;
    struct igpu_err err;
};

static void mix(struct outcome *o, uint64_t x)
{
    o->hash = (o->hash ^ x) * UINT64_C(0x100000001B3);
    o->events++;
}

static bool on_begin(void *ctx, uint64_t thread)
{
    struct outcome *o = ctx;

    mix(o, thread);
    assert_true(thread == 0 || thread >= o->last_thread);
    o->last_thread = thread / 2 * 2; /* two threads a group */
    return thread < o->stop_at;
}

static void on_block(void *ctx, uint64_t thread, uint32_t block)
{
    mix(ctx, thread << 32 | block | 1u << 20);
}

static void on_access(void *ctx, uint64_t thread, const struct emu_access *access)
{
    mix(ctx, thread << 32 | access->inst);
    mix(ctx, access->mask | (uint64_t)access->space << 40);
    for (uint32_t i = 0; i < 32; i++)
        if (access->mask >> i & 1)
            mix(ctx, access->addr[i]);
}

static void on_end(void *ctx, uint64_t thread, const struct emu_counts *counts)
{
    mix(ctx, thread);
    mix(ctx, counts->instructions);
}

#define FINISH                                                                         \
    "(W) mov (8|M0) r127.0<1>:ud r0.0<8;8,1>:ud\n"                                     \
    "(W) send (8|M0) null r127 0x27 0x02000010 {EOT}\n"
/* r10: global id; r12: the sum of a loop whose length is the group's number. */
#define WORK                                                                           \
    "mov (8|M0) r10.0<1>:ud r1.0<8;8,1>:uw\n"                                          \
    "mul (8|M0) r13.0<1>:d r0.1<0;1,0>:d 16:w\n"                                       \
    "add (8|M0) r10.0<1>:ud r10.0<8;8,1>:ud r13.0<8;8,1>:ud\n"                         \
    "mov (8|M0) r12.0<1>:ud 0:ud\n"                                                    \
    "mov (8|M0) r14.0<1>:ud 0:ud\n"                                                    \
    "LLOOP:\n"                                                                         \
    "add (8|M0) r14.0<1>:ud r14.0<8;8,1>:ud 1:ud\n"                                    \
    "add (8|M0) r12.0<1>:ud r12.0<8;8,1>:ud r14.0<8;8,1>:ud\n"                         \
    "cmp (8|M0) (le)f0.0 null<1>:ud r14.0<8;8,1>:ud r0.1<0;1,0>:ud\n"                  \
    "(f0.0) while (8|M0) LLOOP\n"                                                      \
    "shl (8|M0) r11.0<1>:ud r10.0<8;8,1>:ud 2:w\n"
#define STORE "sends (8|M0) null:ud r11 r12 0x4C 0x02026E00\n"
/* Every item adds its sum to word GROUPS * ITEMS. */
#define ADD                                                                            \
    "mov (8|M0) r15.0<1>:ud 0x3200:ud\n"                                               \
    "sends (8|M0) null:ud r15 r12 0x4C 0x02009700\n"

static void run(const char *text, uint32_t host_threads, uint64_t stop_at,
                struct outcome *o)
{
    static const struct emu_surface surface = {.bti = 0, .arg = 0};
    struct isa_kernel_code code;
    struct emu_kernel kernel = {.name = "parallel",
                                .simd = 8,
                                .local_id_dims = 1,
                                .walk_order = {0, 1, 2},
                                .arg_count = 1,
                                .surface = &surface,
                                .surface_count = 1};
    struct emu_arg arg = {.kind = EMU_ARG_BUFFER, .size = sizeof(o->out)};
    struct emu_launch launch = {.work_dim = 1,
                                .global = {GROUPS * ITEMS},
                                .local = {ITEMS},
                                .arg = &arg,
                                .arg_count = 1,
                                .host_threads = host_threads,
                                .alone = host_threads % 2 ? 1 : 500};
    struct emu_mem *mem = emu_mem_new();
    struct emu_program *p;

    memset(o, 0, sizeof(*o));
    o->stop_at = stop_at;
    launch.hooks = (struct emu_hooks){.ctx = o,
                                      .thread_begin = on_begin,
                                      .block = on_block,
                                      .access = on_access,
                                      .thread_end = on_end};
    material_code(text, &code);
    kernel.code = &code;
    p = emu_program_new(&kernel, &o->err);
    if (p == NULL)
        fail_msg("%s", o->err.text);
    assert_int_equal(emu_mem_map(mem, o->out, sizeof(o->out), 0, &arg.va, &o->err),
                     IGPU_OK);
    o->status = emu_run(p, mem, &launch, &o->counts, &o->err);
    emu_program_free(p);
    isa_code_free(&code);
    emu_mem_free(mem);
}

static struct outcome one, many;

static void same(const char *text, enum igpu_status status, uint64_t stop_at)
{
    run(text, 1, stop_at, &one);
    assert_int_equal(one.status, status);
    for (uint32_t n = 2; n <= 5; n++) {
        run(text, n, stop_at, &many);
        assert_int_equal(many.status, one.status);
        assert_int_equal(many.events, one.events);
        assert_true(many.hash == one.hash);
        if (status == IGPU_STOPPED) /* groups were begun that the hook never saw */
            continue;
        assert_int_equal(many.counts.instructions, one.counts.instructions);
        assert_int_equal(many.counts.lane_instructions, one.counts.lane_instructions);
        assert_int_equal(many.counts.threads, one.counts.threads);
        if (status == IGPU_OK)
            assert_memory_equal(many.out, one.out, sizeof(one.out));
        else if (status == IGPU_SIM_ERROR)
            assert_string_equal(many.err.text, one.err.text);
    }
}

static void results_and_events_do_not_depend_on_host_threads(void **state)
{
    (void)state;
    same(WORK STORE FINISH, IGPU_OK, UINT64_MAX);
    for (uint32_t i = 0; i < GROUPS * ITEMS; i++) { /* 1 + .. + (group + 1) */
        uint32_t n = i / ITEMS + 1;

        assert_int_equal(one.out[i], n * (n + 1) / 2);
    }
}

static void atomics_that_return_nothing_add_up(void **state)
{
    uint64_t sum = 0;

    (void)state;
    same(WORK ADD FINISH, IGPU_OK, UINT64_MAX);
    for (uint64_t n = 1; n <= GROUPS; n++)
        sum += ITEMS * n * (n + 1) / 2;
    assert_int_equal(one.out[GROUPS * ITEMS], (uint32_t)sum);
}

/* The surface ends in the middle of the groups. */
static void the_first_group_in_order_that_fails_is_reported(void **state)
{
    (void)state;
    same(WORK "add (8|M0) r11.0<1>:ud r11.0<8;8,1>:ud 0x1900:ud\n" STORE FINISH,
         IGPU_SIM_ERROR, UINT64_MAX);
    assert_non_null(strstr(one.err.text, "kernel parallel, pc 0x"));
}

static void a_hook_can_end_the_launch(void **state)
{
    (void)state;
    same(WORK STORE FINISH, IGPU_STOPPED, 101);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_and_events_do_not_depend_on_host_threads),
        cmocka_unit_test(atomics_that_return_nothing_add_up),
        cmocka_unit_test(the_first_group_in_order_that_fails_is_reported),
        cmocka_unit_test(a_hook_can_end_the_launch),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
