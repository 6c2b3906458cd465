/* test_emu_alike_launch.c - launches whose hooks are told of threads that are like
 * those of the first group: by them each thread does what it is told to do where nobody
 * asks for such threads; as many as should be are alike, and none where groups differ;
 * on any number of host threads, translated and interpreted; errors are the same. What
 * is proved of instructions: test_emu_alike.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "emu_rig.h"
#include "tests/support/isa_material.h"

#include "igpu/isa_decode.h"

enum {
    ITEMS = 16,
    TOGETHER = 2, /* threads of a group */
    X = 10,
    Y = 5,
    Z = 4,
    GROUPS = X * Y * Z,
    THREADS = GROUPS * TOGETHER,
    WORDS = GROUPS * ITEMS + 64,
    EVENTS = 64,
    FIRST_INSIDE = (X + 1) * TOGETHER /* of the group behind the first in x and y */
};

struct event {
    uint32_t what, mask, space; /* what: block + BLOCK, or instruction */
    uint64_t addr[EMU_LANES];
};
enum { BLOCK = 1 << 20 };

struct told {
    uint32_t events;
    uint64_t hash; /* of all that the thread did */
    bool ended, alike;
};

struct outcome {
    uint32_t out[WORDS];
    struct told thread[THREADS];
    struct event model[TOGETHER][EVENTS]; /* of the first threads */
    uint32_t last, alike;                 /* last: thread that ended */
    uint64_t first;                       /* of those that others may be like */
    bool asked, proved, refuses;
    enum igpu_status status;
    struct igpu_err err;
};

static void mix(struct told *t, uint64_t x)
{
    t->hash = (t->hash ^ x) * UINT64_C(0x100000001B3);
}

static void mix_event(struct told *t, const struct event *e, uint64_t way)
{
    mix(t, e->what);
    mix(t, e->mask | (uint64_t)e->space << 40);
    for (uint32_t i = 0; i < EMU_LANES; i++)
        if (e->mask >> i & 1)
            mix(t, e->addr[i] + way);
}

static void note(struct outcome *o, uint64_t thread, const struct event *e)
{
    struct told *t = &o->thread[thread];

    if (thread - o->first < TOGETHER && t->events < EVENTS)
        o->model[thread - o->first][t->events] = *e;
    t->events++;
    mix_event(t, e, 0);
}

static void on_block(void *ctx, uint64_t thread, uint32_t block)
{
    note(ctx, thread, &(struct event){.what = block + BLOCK});
}

static void on_access(void *ctx, uint64_t thread, const struct emu_access *access)
{
    struct event e = {access->inst, access->mask, (uint32_t)access->space, {0}};

    for (uint32_t i = 0; i < EMU_LANES; i++)
        e.addr[i] = access->mask >> i & 1 ? access->addr[i] : 0;
    note(ctx, thread, &e);
}

static void on_end(void *ctx, uint64_t thread, const struct emu_counts *counts)
{
    struct outcome *o = ctx;

    assert_false(o->thread[thread].ended);
    o->thread[thread].ended = true;
    mix(&o->thread[thread], counts->instructions);
    mix(&o->thread[thread], counts->lane_instructions);
}

static void on_alike_begin(void *ctx, uint64_t first, uint32_t threads)
{
    struct outcome *o = ctx;

    assert_true(first == 0 || first == FIRST_INSIDE);
    assert_true(first == 0 || !o->proved);
    assert_int_equal(threads, TOGETHER);
    o->first = first;
}

static bool on_alike_ended(void *ctx, bool proved)
{
    struct outcome *o = ctx;

    assert_true(o->thread[o->first].ended && o->thread[o->first + 1].ended);
    o->asked = true;
    o->proved = proved;
    return !o->refuses;
}

static void on_alike(void *ctx, const struct emu_alike_thread *a,
                     const struct emu_counts *counts)
{
    struct outcome *o = ctx;
    struct told *t = &o->thread[a->thread];

    assert_int_equal(t->events, 0);
    assert_int_equal(a->like, o->first + a->thread % TOGETHER);
    t->alike = true;
    o->alike++;
    t->events = o->thread[a->like].events;
    for (uint32_t i = 0; i < t->events; i++) {
        const struct event *e = &o->model[a->like - o->first][i];
        uint64_t way = 0;

        for (uint32_t s = 0; s < a->sends; s++)
            way = a->inst[s] == e->what ? a->way[s] : way;
        mix_event(t, e, way);
    }
    on_end(ctx, a->thread, counts);
}

static const struct emu_alike_hooks alike_hooks = {on_alike_begin, on_alike_ended,
                                                   on_alike};

#define FINISH                                                                         \
    "(W) mov (8|M0) r127.0<1>:ud r0.0<8;8,1>:ud\n"                                     \
    "(W) send (8|M0) null r127 0x27 0x02000010 {EOT}\n"
/* r10: the item's number in the launch, of X * Y * Z groups; r11: its word's offset. */
#define PLACE                                                                          \
    "mov (8|M0) r10.0<1>:ud r1.0<8;8,1>:uw\n"                                          \
    "mul (8|M0) r13.0<1>:d r0.7<0;1,0>:d 5:w\n"                                        \
    "add (8|M0) r13.0<1>:d r13.0<8;8,1>:d r0.6<0;1,0>:d\n"                             \
    "mul (8|M0) r13.0<1>:d r13.0<8;8,1>:d 10:w\n"                                      \
    "add (8|M0) r13.0<1>:d r13.0<8;8,1>:d r0.1<0;1,0>:d\n"                             \
    "shl (8|M0) r13.0<1>:d r13.0<8;8,1>:d 4:w\n"                                       \
    "or (8|M0) r10.0<1>:ud r10.0<8;8,1>:ud r13.0<8;8,1>:ud\n"                          \
    "shl (8|M0) r11.0<1>:ud r10.0<8;8,1>:ud 2:w\n"                                     \
    "mov (8|M0) r12.0<1>:ud r10.0<8;8,1>:ud\n"
#define STORE "sends (8|M0) null:ud r11 r12 0x4C 0x02026E00\n"
#define LOAD "send (8|M0) r12:ud r11 0xC 0x02106E00\n"
/* Every item adds its number to a word behind the others. */
#define ADD                                                                            \
    "mov (8|M0) r15.0<1>:ud 0x3200:ud\n"                                               \
    "sends (8|M0) null:ud r15 r12 0x4C 0x02009700\n"
/* r14: laps of a loop, so many for each group; r12 changes in each. */
#define LOOP(until)                                                                    \
    "mov (8|M0) r14.0<1>:ud 0:ud\n"                                                    \
    "LLOOP:\n"                                                                         \
    "add (8|M0) r14.0<1>:ud r14.0<8;8,1>:ud 1:ud\n"                                    \
    "add (8|M0) r12.0<1>:ud r12.0<8;8,1>:ud r14.0<8;8,1>:ud\n"                         \
    "cmp (8|M0) (lt)f0.0 null<1>:ud r14.0<8;8,1>:ud " until "\n"                       \
    "(f0.0) while (8|M0) LLOOP\n"

struct how {
    uint32_t host_threads;
    bool asks, refuses, translated;
    uint32_t bytes; /* of the surface */
};

static void run(const char *text, const struct how *how, struct outcome *o)
{
    static const struct emu_surface surface = {.bti = 0, .arg = 0};
    struct isa_kernel_code code;
    struct emu_kernel kernel = {.name = "alike",
                                .simd = 8,
                                .local_id_dims = 1,
                                .walk_order = {0, 1, 2},
                                .arg_count = 1,
                                .surface = &surface,
                                .surface_count = 1};
    struct emu_arg arg = {.kind = EMU_ARG_BUFFER, .size = how->bytes};
    struct emu_launch launch = {.work_dim = 3,
                                .global = {X * ITEMS, Y, Z},
                                .local = {ITEMS, 1, 1},
                                .arg = &arg,
                                .arg_count = 1,
                                .host_threads = how->host_threads,
                                .jit = how->translated ? EMU_JIT_NOW : EMU_JIT_OFF,
                                .alike = 2,
                                .alone = 500};
    struct emu_mem *mem = emu_mem_new();
    struct emu_program *p;

    memset(o, 0, sizeof(*o));
    o->refuses = how->refuses;
    for (uint32_t i = 0; i < WORDS; i++)
        o->out[i] = i * 4 % 1024;
    launch.hooks = (struct emu_hooks){.ctx = o,
                                      .block = on_block,
                                      .access = on_access,
                                      .thread_end = on_end,
                                      .alike = how->asks ? &alike_hooks : NULL};
    material_code(text, &code);
    kernel.code = &code;
    p = emu_program_new(&kernel, &o->err);
    if (p == NULL)
        fail_msg("%s", o->err.text);
    assert_int_equal(emu_mem_map(mem, o->out, sizeof(o->out), 0, &arg.va, &o->err),
                     IGPU_OK);
    o->status = emu_run(p, mem, &launch, NULL, &o->err);
    emu_program_free(p);
    isa_code_free(&code);
    emu_mem_free(mem);
}

static struct outcome told, alike;
static bool groups_race; /* on memory: one host thread runs them */

/* So many threads are alike; each does the same whether it is told of or not. */
static void same(const char *text, uint32_t threads, uint32_t bytes)
{
    struct how how = {.host_threads = 1, .bytes = bytes};

    run(text, &how, &told);
    assert_int_equal(told.alike, 0);
    how.asks = true;
    for (uint32_t k = 0; k < 6; k++) {
        how.host_threads = groups_race ? 1 : 1 + k % 3;
        how.translated = k == 3 || k == 4;
        how.refuses = k == 5;
        run(text, &how, &alike);
        assert_int_equal(alike.status, told.status);
        assert_string_equal(alike.err.text, told.err.text);
        assert_true(alike.asked);
        if (told.status != IGPU_OK)
            continue;
        assert_int_equal(alike.alike, how.refuses ? 0 : threads);
        assert_memory_equal(alike.out, told.out, sizeof(told.out));
        for (uint32_t i = 0; i < THREADS; i++) {
            assert_true(alike.thread[i].ended);
            assert_int_equal(alike.thread[i].events, told.thread[i].events);
            assert_true(alike.thread[i].hash == told.thread[i].hash);
        }
    }
}

enum { ALL = sizeof(told.out) };

static int no_race(void **state)
{
    (void)state;
    groups_race = false;
    return 0;
}

static void rows_are_alike(void **state)
{
    (void)state;
    same(PLACE STORE FINISH, THREADS - TOGETHER, ALL);
    same(PLACE LOAD STORE FINISH, THREADS - TOGETHER, ALL);
    same(PLACE LOOP("7:ud") STORE FINISH, THREADS - TOGETHER, ALL);
    same(PLACE ADD FINISH, THREADS - TOGETHER, ALL);
}

/* By the end of the launch only: groups from which on items are beyond the bound. */
static void groups_within_a_bound_are_alike(void **state)
{
    (void)state;
    /* Planes of 800 items; of the last one whole groups are left away. */
    same(PLACE "cmp (8|M0) (lt)f0.0 null<1>:ud r10.0<8;8,1>:ud 3200:ud\n"
               "(f0.0) " STORE FINISH,
         THREADS - TOGETHER, ALL);
    same(PLACE "cmp (8|M0) (lt)f0.0 null<1>:d r0.1<0;1,0>:d 8:w\n"
               "(f0.0) " STORE FINISH,
         (8 * Y * Z - 1) * TOGETHER, ALL);
    same(PLACE "cmp (8|M0) (ge)f0.0 null<1>:d r0.7<0;1,0>:d 3:w\n"
               "(f0.0) " STORE FINISH,
         (X * Y * 3 - 1) * TOGETHER, ALL);
    /* The larger part differs from the first group. */
    same(PLACE "cmp (8|M0) (lt)f0.0 null<1>:d r0.1<0;1,0>:d 2:w\n"
               "(f0.0) " STORE FINISH,
         0, ALL);
}

static void groups_that_differ_are_told(void **state)
{
    (void)state;
    groups_race = true;
    same(PLACE LOOP("r0.1<0;1,0>:ud") STORE FINISH, 0, ALL);
    /* An address from memory; one whose distance is no multiple of the group's. */
    same(PLACE LOAD "mov (8|M0) r11.0<1>:ud r12.0<8;8,1>:ud\n" STORE FINISH, 0, ALL);
    same(PLACE "mul (8|M0) r11.0<1>:d r0.1<0;1,0>:d r0.1<0;1,0>:d\n"
               "shl (8|M0) r11.0<1>:d r11.0<8;8,1>:d 6:w\n" STORE FINISH,
         0, ALL);
    /* Of a group's place on the device. */
    same(PLACE "and (8|M0) r11.0<1>:ud r0.5<0;1,0>:ud 0x3C:ud\n" STORE FINISH, 0, ALL);
}

/* Only the first groups in x and y are at a border, beyond which nothing is read. */
static void groups_inside_are_alike(void **state)
{
    (void)state;
    same(PLACE "sel (8|M0) (ge)f0.0 r16.0<1>:d r0.1<0;1,0>:d 1:w\n"
               "sel (8|M0) (ge)f0.0 r17.0<1>:d r0.6<0;1,0>:d 1:w\n"
               "shl (8|M0) r16.0<1>:d r16.0<8;8,1>:d 6:w\n"
               "mul (8|M0) r17.0<1>:d r17.0<8;8,1>:d 640:w\n"
               "add (8|M0) r11.0<1>:d r16.0<8;8,1>:d r17.0<8;8,1>:d\n" LOAD FINISH,
         ((X - 1) * (Y - 1) * Z - 1) * TOGETHER, ALL);
}

/* What the group changes in an address is gone, or in some bits alone. */
static void bits_that_stay_are_alike(void **state)
{
    (void)state;
    groups_race = true;
    same(PLACE "and (8|M0) r11.0<1>:ud r11.0<8;8,1>:ud 0x3C:ud\n" STORE FINISH,
         THREADS - TOGETHER, ALL);
    same(PLACE "and (8|M0) r11.0<1>:ud r11.0<8;8,1>:ud 0xFFFFFFE0:ud\n" STORE FINISH,
         THREADS - TOGETHER, ALL);
    same(PLACE "and (8|M0) r11.0<1>:ud r11.0<8;8,1>:ud 0x7C:ud\n" STORE FINISH, 0, ALL);
    same(PLACE "shr (8|M0) r11.0<1>:ud r11.0<8;8,1>:ud 4:w\n"
               "shl (8|M0) r11.0<1>:ud r11.0<8;8,1>:ud 4:w\n" STORE FINISH,
         THREADS - TOGETHER, ALL);
    same(PLACE "shr (8|M0) r11.0<1>:ud r11.0<8;8,1>:ud 7:w\n"
               "shl (8|M0) r11.0<1>:ud r11.0<8;8,1>:ud 7:w\n" STORE FINISH,
         0, ALL);
}

/* The surface ends in the middle of the groups. */
static void an_error_is_the_same(void **state)
{
    (void)state;
    same(PLACE STORE FINISH, 0, ALL / 2);
    assert_int_equal(told.status, IGPU_SIM_ERROR);
    assert_non_null(strstr(told.err.text, "kernel alike, pc 0x"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_alike),
        cmocka_unit_test(groups_within_a_bound_are_alike),
        cmocka_unit_test_teardown(groups_that_differ_are_told, no_race),
        cmocka_unit_test(groups_inside_are_alike),
        cmocka_unit_test_teardown(bits_that_stay_are_alike, no_race),
        cmocka_unit_test(an_error_is_the_same),
    };

    (void)emu_rig_use_jit();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
