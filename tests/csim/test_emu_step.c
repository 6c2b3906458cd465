/* test_emu_step.c - threads that the test steps (igpu/emu_step.h): when a message reads
 * its payload and memory, whom its answer reaches, what the clock reads, in which order
 * threads may go, and which of them never come to an end. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "igpu/emu_step.h"
#include "igpu/isa_decode.h"
#include "tests/support/isa_material.h"

enum { OUT_WORDS = 64, SLM_BYTES = 1024, SLOTS = 16, MOST_STEPS = 10000 };

struct rig {
    struct isa_kernel_code code;
    struct emu_mem *mem;
    struct emu_program *program;
    struct emu_arg arg;
    struct emu_launch launch;
    struct emu_step *step;
    uint32_t out[OUT_WORDS];
    struct igpu_err err;
};

/* The text at SIMD8 on `items` work-items in one group: r1 has the local ids, surface 0
 * is out. */
static void prepare(struct rig *r, const char *text, uint32_t items)
{
    static const struct emu_surface surface = {.bti = 0};
    struct emu_kernel kernel = {.name = "step",
                                .simd = 8,
                                .slm_bytes = SLM_BYTES,
                                .local_id_dims = 1,
                                .walk_order = {0, 1, 2},
                                .arg_count = 1,
                                .surface = &surface,
                                .surface_count = 1};

    memset(r, 0, sizeof(*r));
    material_code(text, &r->code);
    kernel.code = &r->code;
    r->mem = emu_mem_new();
    r->program = emu_program_new(&kernel, &r->err);
    if (r->program == NULL)
        fail_msg("%s", r->err.text);
    r->arg = (struct emu_arg){.kind = EMU_ARG_BUFFER, .size = OUT_WORDS * 4};
    assert_int_equal(emu_mem_map(r->mem, r->out, OUT_WORDS * 4, 0, &r->arg.va, &r->err),
                     IGPU_OK);
    r->launch = (struct emu_launch){.work_dim = 1,
                                    .global = {items},
                                    .local = {items},
                                    .arg = &r->arg,
                                    .arg_count = 1};
    if (emu_step_new(&r->step, r->program, r->mem, &r->launch, SLOTS, &r->err) !=
        IGPU_OK)
        fail_msg("%s", r->err.text);
}

static void forget(struct rig *r)
{
    emu_step_free(r->step);
    emu_program_free(r->program);
    isa_code_free(&r->code);
    emu_mem_free(r->mem);
}

/* Instructions up to the next message, with it, at cycles from *now on. */
static void to_message(struct rig *r, struct emu_step_thread *t, uint64_t *now)
{
    uint32_t waiting = emu_step_waiting(t);

    for (uint32_t i = 0; emu_step_waiting(t) == waiting && i < MOST_STEPS; i++)
        emu_step_issue(r->step, t, (*now)++);
    assert_int_equal(emu_step_waiting(t), waiting + 1);
}

/* To its end, each message granted at once. */
static void to_end(struct rig *r, struct emu_step_thread *t, uint64_t *now)
{
    struct emu_access access;
    bool ends = false;

    for (uint32_t i = 0; !ends && i < MOST_STEPS; i++) {
        ends = r->code.inst[emu_step_at(t)].eot;
        emu_step_issue(r->step, t, (*now)++);
        if (!ends && emu_step_waiting(t) != 0)
            (void)emu_step_send(r->step, t, &access);
    }
    assert_true(ends);
    if (emu_step_status(r->step, &r->err) != IGPU_OK)
        fail_msg("%s", r->err.text);
}

#define START                                                                          \
    "mov (8|M0) r10.0<1>:ud r1.0<8;8,1>:uw\n"                                          \
    "shl (8|M0) r11.0<1>:ud r10.0<8;8,1>:ud 2:w\n"                                     \
    "mov (8|M0) r12.0<1>:ud 7:ud\n"
#define STORE "sends (8|M0) null:ud r11 r12 0x4C 0x02026E00\n"
#define LOAD "send (8|M0) r14:ud r11 0xC 0x02106E00\n"
#define END                                                                            \
    "(W) mov (8|M0) r127.0<1>:ud r0.0<8;8,1>:ud\n"                                     \
    "(W) send (8|M0) null r127 0x27 0x02000010 {EOT}\n"

static void a_message_takes_its_payload_when_it_issues(void **state)
{
    struct rig r;
    struct emu_step_thread *t;
    struct emu_access access;
    uint64_t now = 1;

    (void)state;
    prepare(&r,
            START STORE
            "mov (8|M0) r12.0<1>:ud 9:ud\n mov (8|M0) r11.0<1>:ud 0:ud\n" END,
            8);
    t = emu_step_begin(r.step, 0);
    to_message(&r, t, &now);
    emu_step_issue(r.step, t, now++);
    emu_step_issue(r.step, t, now++);
    assert_int_equal(r.out[1], 0); /* not granted yet */
    assert_true(emu_step_send(r.step, t, &access));
    assert_int_equal(access.mask, 0xFF);
    assert_true(access.addr[3] == r.arg.va + 12);
    for (uint32_t i = 0; i < 8; i++)
        assert_int_equal(r.out[i], 7);
    assert_int_equal(r.out[8], 0);
    to_end(&r, t, &now);
    forget(&r);
}

static void a_read_finds_what_is_there_when_it_is_granted(void **state)
{
    struct rig r;
    struct emu_step_thread *t;
    struct emu_access access;
    uint64_t now = 1;

    (void)state;
    prepare(&r, START LOAD "mov (8|M0) r12.0<1>:ud r14.0<8;8,1>:ud\n" STORE END, 8);
    t = emu_step_begin(r.step, 0);
    to_message(&r, t, &now);
    r.out[2] = 55;
    assert_true(emu_step_send(r.step, t, &access));
    r.out[2] = 66; /* too late */
    to_end(&r, t, &now);
    assert_int_equal(r.out[2], 55);
    forget(&r);
}

static void lanes_that_are_off_keep_what_they_had(void **state)
{
    struct rig r;
    struct emu_step_thread *t;
    uint64_t now = 1;

    (void)state;
    prepare(&r,
            START "mov (8|M0) r14.0<1>:ud 3:ud\n"
                  "cmp (8|M0) (lt)f0.0 null<1>:ud r10.0<8;8,1>:ud 4:ud\n"
                  "(f0.0) " LOAD "mov (8|M0) r12.0<1>:ud r14.0<8;8,1>:ud\n" STORE END,
            8);
    for (uint32_t i = 0; i < 8; i++)
        r.out[i] = 100 + i;
    t = emu_step_begin(r.step, 0);
    to_end(&r, t, &now);
    for (uint32_t i = 0; i < 8; i++)
        assert_int_equal(r.out[i], i < 4 ? 100 + i : 3);
    forget(&r);
}

static void an_answer_over_its_own_payload(void **state)
{
    struct rig r;
    struct emu_step_thread *t;
    struct emu_access access;
    uint64_t now = 1;

    (void)state;
    prepare(&r,
            START "send (8|M0) r11:ud r11 0xC 0x02106E00\n"
                  "mov (8|M0) r12.0<1>:ud r11.0<8;8,1>:ud\n"
                  "shl (8|M0) r11.0<1>:ud r10.0<8;8,1>:ud 2:w\n" STORE END,
            8);
    for (uint32_t i = 0; i < 8; i++)
        r.out[i] = 1000 + i;
    t = emu_step_begin(r.step, 0);
    to_message(&r, t, &now);
    assert_true(emu_step_send(r.step, t, &access));
    for (uint32_t i = 0; i < 8; i++)
        r.out[i] = 0;
    to_end(&r, t, &now);
    for (uint32_t i = 0; i < 8; i++)
        assert_int_equal(r.out[i], 1000 + i);
    forget(&r);
}

static void the_clock_is_the_cycle_of_the_issue(void **state)
{
    struct rig r;
    struct emu_step_thread *t;
    uint64_t now = (UINT64_C(5) << 32) + 1000;

    (void)state;
    prepare(&r,
            "mov (8|M0) r12.0<1>:ud tm0.0<0;1,0>:ud\n"
            "mov (8|M0) r10.0<1>:ud r1.0<8;8,1>:uw\n"
            "shl (8|M0) r11.0<1>:ud r10.0<8;8,1>:ud 2:w\n" STORE
            "mov (8|M0) r12.0<1>:ud tm0.1<0;1,0>:ud\n"
            "add (8|M0) r11.0<1>:ud r11.0<8;8,1>:ud 32:ud\n" STORE END,
            8);
    t = emu_step_begin(r.step, 0);
    to_end(&r, t, &now);
    assert_int_equal(r.out[0], 1000);
    assert_int_equal(r.out[8], 5);
    forget(&r);
}

static void straight_code_ends_where_the_path_may_part(void **state)
{
    struct rig r;
    bool ends;

    (void)state;
    prepare(&r,
            START "cmp (8|M0) (lt)f0.0 null<1>:ud r10.0<8;8,1>:ud 3:ud\n"
                  "(f0.0) if (8|M0) LEND LEND\n" /* 4 */
                  "add (8|M0) r12.0<1>:ud r12.0<8;8,1>:ud 100:ud\n"
                  "LEND:\n"
                  "endif (8|M0) LOUT\n"
                  "LOUT:\n" STORE END,
            8);
    assert_int_equal(emu_step_straight(r.step, 0, &ends), 5);
    assert_false(ends);
    assert_int_equal(emu_step_straight(r.step, 4, &ends), 1);
    assert_int_equal(emu_step_straight(r.step, 5, &ends), 5);
    assert_true(ends);
    forget(&r);
}

/* ---- several threads ------------------------------------------------------------ */

#define BARRIER                                                                        \
    "(W) and (8|M0) r30.0<1>:ud r0.2<0;1,0>:ud 0x8F000000:ud\n"                        \
    "(W) mov (1|M0) n0.0<1>:ud 0:ud\n"                                                 \
    "(W) send (1|M0) null r30 0x3 0x02000004\n"                                        \
    "(W) wait n0.0<0;1,0>:ud\n"

/* slm[id] = id + 1; barrier; x = slm[31 - id]; out[id] = x */
static const char meet[] =
    START "add (8|M0) r12.0<1>:ud r10.0<8;8,1>:ud 1:ud\n"
          "sends (8|M0) null:ud r11 r12 0x4C 0x02026EFE\n" BARRIER
          "add (8|M0) r13.0<1>:d -r11.0<8;8,1>:d 124:d\n"
          "send (8|M0) r12:ud r13 0xC 0x02106EFE\n" STORE END;

static bool at_wait(const struct rig *r, const struct emu_step_thread *t)
{
    return r->code.inst[emu_step_at(t)].op == ISA_OP_WAIT;
}

/* Any order of threads that keeps a barrier gives what emu_run() gives. */
static void threads_of_a_group_share_its_memory(void **state)
{
    struct emu_access access;
    uint64_t now = 1, seed = 11;
    struct rig r;

    (void)state;
    for (uint32_t turn = 0; turn < 50; turn++) {
        struct emu_step_thread *t[4];
        bool over[4] = {false, false, false, false};
        uint32_t waiting = 0, left = 4;

        prepare(&r, meet, 32);
        for (uint32_t i = 0; i < 4; i++)
            t[i] = emu_step_begin(r.step, i);
        while (left > 0) {
            uint32_t k = material_random(&seed) % 4;

            if (over[k] || (at_wait(&r, t[k]) && waiting < 4))
                continue;
            over[k] = r.code.inst[emu_step_at(t[k])].eot;
            left -= over[k];
            emu_step_issue(r.step, t[k], now++);
            if (over[k] || emu_step_waiting(t[k]) == 0)
                continue;
            (void)emu_step_send(r.step, t[k], &access);
            waiting += at_wait(&r, t[k]);
        }
        assert_int_equal(emu_step_status(r.step, &r.err), IGPU_OK);
        assert_int_equal(emu_step_counts(r.step).threads, 4);
        for (uint32_t i = 0; i < 32; i++)
            assert_int_equal(r.out[i], 32 - i);
        forget(&r);
    }
}

static void ended_threads_are_missed_at_a_barrier(void **state)
{
    struct emu_step_thread *t[4];
    uint64_t now = 1;
    struct rig r;

    (void)state;
    prepare(&r,
            "cmp (8|M0) (lt)f0.0 null<1>:ud r1.0<8;8,1>:uw 8:uw\n"
            "(W&f0.0.any8h) jmpi LEND\n" BARRIER "LEND:\n" END,
            32);
    for (uint32_t i = 0; i < 4; i++)
        t[i] = emu_step_begin(r.step, i);
    to_end(&r, t[0], &now);
    to_message(&r, t[1], &now);
    assert_false(emu_step_send(r.step, t[1], &(struct emu_access){0}));
    assert_int_equal(emu_step_status(r.step, &r.err), IGPU_SIM_ERROR);
    assert_non_null(strstr(r.err.text, "1 of the group's 4 threads never reach"));
    for (uint32_t i = 1; i < 4; i++)
        emu_step_drop(r.step, t[i]);
    forget(&r);
}

/* ---- threads that go round ------------------------------------------------------ */

/* Steps, each message granted at once. */
static void steps(struct rig *r, struct emu_step_thread *t, uint32_t n)
{
    static uint64_t now = 1;
    struct emu_access access;

    for (uint32_t i = 0; i < n; i++) {
        emu_step_issue(r->step, t, now++);
        if (emu_step_waiting(t) != 0)
            (void)emu_step_send(r->step, t, &access);
    }
}

static void go_round(const char *body, bool stuck)
{
    struct emu_step_thread *t;
    char text[2048];
    struct rig r;

    snprintf(text, sizeof(text), START "LTOP:\n%s jmpi LTOP\n" END, body);
    prepare(&r, text, 8);
    t = emu_step_begin(r.step, 0);
    steps(&r, t, 1000);
    assert_false(emu_step_stuck(r.step)); /* nobody watches */
    emu_step_watch(r.step, true);
    assert_false(emu_step_stuck(r.step));
    steps(&r, t, 1000);
    assert_int_equal(emu_step_stuck(r.step), stuck);
    emu_step_watch(r.step, false);
    assert_false(emu_step_stuck(r.step));
    emu_step_drop(r.step, t);
    forget(&r);
}

static void a_thread_that_waits_in_a_loop_is_found(void **state)
{
    (void)state;
    go_round("", true);
    go_round(LOAD, true);
    go_round(LOAD STORE, true); /* always the same */
    go_round("mov (8|M0) r15.0<1>:ud 1:ud\n mov (8|M0) r15.0<1>:ud 2:ud\n", true);
}

static void a_thread_that_does_something_is_not(void **state)
{
    (void)state;
    go_round("add (8|M0) r15.0<1>:ud r15.0<8;8,1>:ud 1:ud\n", false);
    go_round("add (8|M0) r12.0<1>:ud r12.0<8;8,1>:ud 1:ud\n" STORE, false);
    go_round("mov (8|M0) r15.0<1>:ud tm0.0<0;1,0>:ud\n", false);
    /* memory alone changes: twice the same registers, each time another word */
    go_round("mov (8|M0) r12.0<1>:ud 1:ud\n" STORE
             "mov (8|M0) r12.0<1>:ud 2:ud\n" STORE,
             false);
}

static void one_that_works_keeps_the_others(void **state)
{
    struct emu_step_thread *t[2];
    struct rig r;

    (void)state;
    prepare(&r,
            START "cmp (8|M0) (lt)f0.0 null<1>:ud r10.0<8;8,1>:ud 8:ud\n"
                  "LTOP:\n"
                  "(f0.0) add (8|M0) r15.0<1>:ud r15.0<8;8,1>:ud 1:ud\n"
                  "jmpi LTOP\n" END,
            16);
    t[0] = emu_step_begin(r.step, 0);
    t[1] = emu_step_begin(r.step, 1);
    emu_step_watch(r.step, true);
    for (uint32_t i = 0; i < 200; i++) {
        steps(&r, t[0], 1);
        steps(&r, t[1], 1);
    }
    assert_false(emu_step_stuck(r.step)); /* thread 0 counts */
    emu_step_drop(r.step, t[0]);
    for (uint32_t i = 0; i < 200; i++)
        steps(&r, t[1], 1);
    assert_true(emu_step_stuck(r.step));
    emu_step_drop(r.step, t[1]);
    forget(&r);
}

static void shares_of_the_pools_are_apart(void **state)
{
    struct emu_step_thread *t[3];
    uint64_t now = 1;
    struct rig r;

    (void)state;
    prepare(&r, START "and (8|M0) r12.0<1>:ud r0.5<0;1,0>:ud 0x3FF:ud\n" STORE END, 8);
    emu_step_free(r.step);
    r.launch.global[0] = 8 * 400;
    assert_int_equal(emu_step_new(&r.step, r.program, r.mem, &r.launch, 170, &r.err),
                     IGPU_OK);
    t[0] = emu_step_begin(r.step, 1);
    t[1] = emu_step_begin(r.step, 1 + 168); /* would have the same */
    to_end(&r, t[1], &now);
    assert_int_equal(r.out[0], 2);
    to_end(&r, t[0], &now);
    assert_int_equal(r.out[0], 1);
    t[2] = emu_step_begin(r.step, 1 + 2 * 168);
    to_end(&r, t[2], &now);
    assert_int_equal(r.out[0], 1);
    forget(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_message_takes_its_payload_when_it_issues),
        cmocka_unit_test(a_read_finds_what_is_there_when_it_is_granted),
        cmocka_unit_test(lanes_that_are_off_keep_what_they_had),
        cmocka_unit_test(an_answer_over_its_own_payload),
        cmocka_unit_test(the_clock_is_the_cycle_of_the_issue),
        cmocka_unit_test(straight_code_ends_where_the_path_may_part),
        cmocka_unit_test(threads_of_a_group_share_its_memory),
        cmocka_unit_test(ended_threads_are_missed_at_a_barrier),
        cmocka_unit_test(a_thread_that_waits_in_a_loop_is_found),
        cmocka_unit_test(a_thread_that_does_something_is_not),
        cmocka_unit_test(one_that_works_keeps_the_others),
        cmocka_unit_test(shares_of_the_pools_are_apart),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
