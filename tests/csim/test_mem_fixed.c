/* test_mem_fixed.c - when threads of graphics have their payloads:
 * docs/contract/fixed-functions.md, "Fixed functions", to the cycle, by itself and
 * against the contract taken literally.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "csim/ff/fixed.h"
#include "tests/csim/mem_driver.h"
#include "tests/support/rng.h"

enum { START = 1000, THREADS = 3000, PLACES = 6 * 8 * 7 };

struct bed {
    struct igpu_config config;
    struct mem_stats stats;
    struct fixed fixed;
};

static void begin(struct bed *b)
{
    memset(b, 0, sizeof(*b));
    assert_int_equal(igpu_config_preset(&b->config, "skl-gt2", NULL), IGPU_OK);
    b->config.gpu_subslices = 6;
    b->config.ff_vertex_cycles = 3;
    b->config.ff_fetch_bytes = 64;
    b->config.ff_primitive_cycles = 2;
    b->config.ff_pixels = 16;
    b->config.ff_tests = 8;
    fixed_init(&b->fixed, &b->config, &b->stats);
}

static void open_at(struct bed *b, uint32_t place, const struct mem_graphics *t)
{
    fixed_begin(&b->fixed, (uint8_t)(place / 56), (uint8_t)(place / 7 % 8),
                (uint8_t)(place % 7), START, t);
}

static void end_at(struct bed *b, uint32_t place, uint64_t cycle)
{
    struct fixed_waiting w;

    fixed_end(&b->fixed, (uint8_t)(place / 56), (uint8_t)(place / 7 % 8),
              (uint8_t)(place % 7), cycle);
    while (fixed_made(&b->fixed, &w))
        continue;
}

/* Cycles from the launch's first, without the latency; FIXED_UNKNOWN. */
static uint64_t made(const struct bed *b, uint32_t place)
{
    uint64_t at = b->fixed.slot[place / 56][place / 7 % 8][place % 7].made;

    return at == FIXED_UNKNOWN ? at : at - START - b->config.ff_latency;
}

static struct mem_graphics pixel(enum mem_work kind, uint64_t work, uint64_t needed)
{
    struct mem_graphics t = {.pixel = true, .needed = needed};

    t.work[kind] = work;
    return t;
}

static uint64_t alone(enum mem_work kind, uint64_t work)
{
    struct mem_graphics t = pixel(kind, work, 0);
    struct bed b;

    begin(&b);
    open_at(&b, 0, &t);
    return made(&b, 0);
}

/* Commands are read one draw after the other, whatever its threads do; a thread of a
 * draw whose commands are read waits for nothing. */
static void each_draw_has_its_commands(void **unused)
{
    struct mem_graphics t = pixel(MEM_WORK_BLOCKS, 4, 0);
    struct bed b;

    (void)unused;
    begin(&b);
    b.config.ff_draw_cycles = 500;
    t.draw = 7; /* the launch's first */
    open_at(&b, 0, &t);
    open_at(&b, 1, &t);
    t.draw = 10; /* two have no threads */
    open_at(&b, 2, &t);
    t.draw = 8;
    open_at(&b, 3, &t);
    assert_int_equal(made(&b, 0), 500 + 1);
    assert_int_equal(made(&b, 1), 500 + 2);
    assert_int_equal(made(&b, 2), 2000 + 1);
    assert_int_equal(made(&b, 3), 2000 + 2); /* behind it, in order */
}

static void each_function_has_its_rate(void **unused)
{
    (void)unused;
    assert_int_equal(alone(MEM_WORK_VERTICES, 100), 300);
    assert_int_equal(alone(MEM_WORK_BYTES, 640), 10);
    assert_int_equal(alone(MEM_WORK_BYTES, 641), 11);
    assert_int_equal(alone(MEM_WORK_PRIMITIVES, 100), 200);
    assert_int_equal(alone(MEM_WORK_BLOCKS, 100), 25);
    assert_int_equal(alone(MEM_WORK_TESTS, 100), 13);
    assert_int_equal(alone(MEM_WORK_TESTS, 0), 0);
    assert_int_equal(alone(MEM_WORK_HIZ, 100), 50);
    assert_int_equal(alone(MEM_WORK_HIZ, 101), 51);
    for (enum mem_work w = MEM_WORK_VERTICES; w < MEM_WORKS; w++)
        assert_true(alone(w, UINT64_MAX) < UINT64_C(1) << 48);
}

static void work_adds_up_without_rounding(void **unused)
{
    struct mem_graphics t = pixel(MEM_WORK_BYTES, 1, 0);
    struct bed b;

    (void)unused;
    begin(&b);
    for (uint32_t i = 0; i < 200; i++) {
        open_at(&b, i, &t);
        assert_int_equal(made(&b, i), i / 64 + 1);
    }
    assert_int_equal(b.stats.ff_fetch_cycles, 4);
}

static void pixels_wait_for_all_the_threads_that_they_need(void **unused)
{
    struct mem_graphics vertex = {.pixel = false, .work = {8}};
    struct mem_graphics t = pixel(MEM_WORK_PRIMITIVES, 5, 2);
    struct bed b;
    uint64_t in;

    (void)unused;
    begin(&b);
    in = b.config.dp_in_latency;
    open_at(&b, 0, &vertex);
    open_at(&b, 1, &vertex);
    open_at(&b, 2, &vertex); /* behind those needed */
    open_at(&b, 3, &t);
    assert_int_equal(made(&b, 0), 24);
    assert_int_equal(made(&b, 2), 72);
    end_at(&b, 1, START + 500);
    assert_int_equal(made(&b, 3), FIXED_UNKNOWN);
    end_at(&b, 0, START + 600);
    assert_int_equal(made(&b, 3), 600 + in + 10);
    /* Needed less, made later: in order. The primitives' time goes on from there. */
    t.needed = 1;
    open_at(&b, 0, &t);
    assert_int_equal(made(&b, 0), 600 + in + 20);
    t.work[MEM_WORK_PRIMITIVES] = 0;
    open_at(&b, 1, &t);
    assert_int_equal(made(&b, 1), 600 + in + 20);
}

static void functions_run_ahead_of_threads_that_are_opened_late(void **unused)
{
    struct mem_graphics vertex = {.pixel = false};
    struct mem_graphics t = pixel(MEM_WORK_PRIMITIVES, 5, 1);
    struct bed b;

    (void)unused;
    begin(&b);
    open_at(&b, 0, &vertex);
    open_at(&b, 1, &vertex);
    end_at(&b, 0, START + 100);
    end_at(&b, 1, START + 9000);
    open_at(&b, 2, &t); /* what it needs was there long before */
    assert_int_equal(made(&b, 2), 100 + b.config.dp_in_latency + 10);
}

static void nobody_waits_for_threads_behind(void **unused)
{
    struct mem_graphics vertex = {.pixel = false};
    struct mem_graphics t = pixel(MEM_WORK_PRIMITIVES, 5, UINT64_MAX);
    struct bed b;

    (void)unused;
    begin(&b);
    open_at(&b, 0, &t);
    assert_int_equal(made(&b, 0), 10);
    open_at(&b, 1, &vertex);
    open_at(&b, 2, &t);
    open_at(&b, 3, &vertex);
    end_at(&b, 1, START + 70);
    assert_int_equal(made(&b, 2), 70 + b.config.dp_in_latency + 10);
}

static void a_launch_begins_afresh(void **unused)
{
    struct mem_graphics t = pixel(MEM_WORK_PRIMITIVES, 500, 0);
    struct bed b;

    (void)unused;
    begin(&b);
    open_at(&b, 0, &t);
    end_at(&b, 0, START + 2000);
    fixed_launch(&b.fixed);
    open_at(&b, 0, &t);
    assert_int_equal(made(&b, 0), 1000);
}

/* ---- the contract, literally --------------------------------------------- */

struct thread {
    struct mem_graphics t;
    uint32_t place;
    uint64_t opened, ended, made; /* ended: UINT64_MAX: runs */
};

/* When each of thread[count] has its payload, all ends being known. */
static void literally(const struct bed *b, struct thread *thread, uint32_t count)
{
    const struct igpu_config *c = &b->config;
    const uint64_t multiply[] = {
        c->ff_vertex_cycles, 1, c->ff_primitive_cycles, 4, 1, 1};
    const uint64_t divide[] = {1,           c->ff_fetch_bytes, 1, c->ff_pixels,
                               c->ff_tests, c->ff_hiz_blocks};
    uint64_t from[MEM_WORKS], work[MEM_WORKS] = {0}, pixels = START;

    for (unsigned u = 0; u < MEM_WORKS; u++)
        from[u] = START;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t ready = START, delivering = 0;

        for (uint32_t k = 0; k < i && delivering < thread[i].t.needed; k++)
            if (!thread[k].t.pixel) {
                uint64_t at = thread[k].ended + c->dp_in_latency;

                delivering++;
                ready = at > ready ? at : ready;
            }
        thread[i].made = ready;
        for (unsigned u = 0; u < MEM_WORKS; u++) {
            uint64_t done =
                from[u] + (work[u] * multiply[u] + divide[u] - 1) / divide[u];

            if (thread[i].t.work[u] == 0)
                continue;
            if (ready > done) {
                from[u] = ready;
                work[u] = 0;
            }
            work[u] += thread[i].t.work[u];
            done = from[u] + (work[u] * multiply[u] + divide[u] - 1) / divide[u];
            thread[i].made = done > thread[i].made ? done : thread[i].made;
        }
        if (!thread[i].t.pixel)
            continue;
        thread[i].made = thread[i].made > pixels ? thread[i].made : pixels;
        pixels = thread[i].made;
    }
}

/* Threads that vertex fetch and pixel functions share nothing of: then the order of
 * opening is that of the work. */
static struct mem_graphics random_thread(struct rng *r, uint64_t delivering,
                                         uint64_t *needed)
{
    struct mem_graphics t = {.pixel = rng_once_in(r, 3) == false};

    if (!t.pixel) {
        t.work[MEM_WORK_VERTICES] = rng_in(r, 1, 8);
        t.work[MEM_WORK_BYTES] = rng_in(r, 0, 300);
        return t;
    }
    *needed += rng_once_in(r, 2) ? rng_in(r, 0, delivering - *needed) : 0;
    t.needed = *needed;
    t.work[MEM_WORK_PRIMITIVES] = rng_in(r, 0, 5);
    t.work[MEM_WORK_BLOCKS] = rng_in(r, 0, 9);
    t.work[MEM_WORK_TESTS] = rng_in(r, 0, 40);
    t.work[MEM_WORK_HIZ] = rng_in(r, 0, 9);
    return t;
}

/* The running thread whose end comes first, of those that may end: pixels' need theirs
 * to have ended. */
static uint32_t pick_end(struct rng *r, const struct bed *b,
                         const struct thread *thread, const uint32_t *running,
                         uint32_t count)
{
    for (uint32_t tries = 0; tries < 8; tries++) {
        uint32_t i = (uint32_t)rng_in(r, 0, count - 1);

        if (made(b, thread[running[i]].place) != FIXED_UNKNOWN)
            return i;
    }
    return UINT32_MAX;
}

static void random_launch(uint64_t seed)
{
    struct rng r = {.state = seed};
    static struct thread thread[THREADS];
    static struct bed b;
    uint64_t now = START, delivering = 0, needed = 0;
    uint32_t count = 0, running[PLACES], runs = 0,
             places = (uint32_t)rng_in(&r, 2, PLACES);
    uint32_t most = (uint32_t)rng_in(&r, 10, THREADS);
    bool taken[PLACES] = {false};

    begin(&b);
    b.config.ff_vertex_cycles = rng_in(&r, 0, 4);
    b.config.ff_primitive_cycles = rng_in(&r, 0, 4);
    while (count < most || runs > 0) {
        now += rng_in(&r, 0, 5);
        if (count < most && runs < places) {
            struct thread *t = &thread[count];

            *t = (struct thread){.opened = now, .ended = UINT64_MAX};
            t->t = random_thread(&r, delivering, &needed);
            while (taken[t->place])
                t->place++;
            taken[t->place] = true;
            open_at(&b, t->place, &t->t);
            delivering += !t->t.pixel;
            running[runs++] = count++;
        }
        for (uint64_t ends = rng_in(&r, 0, 2); ends > 0 && runs > 0; ends--) {
            uint32_t i = pick_end(&r, &b, thread, running, runs);
            struct thread *t;

            if (i == UINT32_MAX)
                break;
            t = &thread[running[i]];
            t->made = made(&b, t->place);
            t->ended = now;
            running[i] = running[--runs];
            taken[t->place] = false;
            end_at(&b, t->place, now);
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        static struct thread expected[THREADS];

        if (i == 0) {
            memcpy(expected, thread, sizeof(expected));
            literally(&b, expected, count);
        }
        if (thread[i].made + START != expected[i].made)
            fail_msg("seed %llu, thread %u: made at %llu, expected %llu",
                     (unsigned long long)seed, i, (unsigned long long)thread[i].made,
                     (unsigned long long)(expected[i].made - START));
    }
}

static void random_launches_are_as_the_contract_says(void **unused)
{
    const char *text = getenv("IGPU_SEED");
    uint64_t first = text != NULL ? strtoull(text, NULL, 0) : 1;

    (void)unused;
    for (uint64_t seed = first; seed < first + 40; seed++)
        random_launch(rng_mix(seed));
}

/* ---- as messages --------------------------------------------------------- */

static void a_payload_is_there_when_it_is_made_and_not_before(void **unused)
{
    struct igpu_config config;
    struct mem_system *mem;
    uint64_t soon;

    (void)unused;
    assert_int_equal(igpu_config_preset(&config, "skl-gt2", NULL), IGPU_OK);
    config.ff_vertex_cycles = 1;
    config.ff_latency = 0;
    assert_int_equal(mem_create(&mem, &config, NULL), IGPU_OK);
    soon = config.dp_in_latency + config.dp_empty_latency;
    for (uint64_t late = 0; late <= 2; late++) {
        uint64_t at = 20000 + late * 20000;
        struct mem_graphics first = pixel(MEM_WORK_VERTICES, soon + late, 0);
        struct mem_graphics second = {.pixel = false};
        struct mem_msg msg[2] = {drive_read(at, 0), drive_read(at + 1, 0)};
        struct mem_done done[2];
        uint64_t waited = mem_stats(mem)->ff_wait_cycles;

        mem_launch(mem, false);
        msg[0].op = msg[1].op = MEM_PAYLOAD;
        msg[0].lanes = msg[1].lanes = 0;
        msg[1].slot = 1;
        mem_graphics_begin(mem, 0, 0, 0, at, at, &first);
        mem_graphics_begin(mem, 0, 0, 1, at, at, &second);
        drive_messages(mem, &config, msg, 2, done);
        /* The second is ready at once, and has its way back first or at last. */
        assert_int_equal(done[late == 2].cycle,
                         at + soon + late + config.dp_out_latency);
        assert_int_equal(mem_stats(mem)->ff_wait_cycles, waited + late);
    }
    mem_destroy(mem);
}

/* A message that is sent before the end that its thread waits for, and one after. */
static void an_end_lets_go_who_waits_for_it(void **unused)
{
    struct mem_graphics vertex = {.pixel = false};
    struct mem_graphics t = pixel(MEM_WORK_PRIMITIVES, 0, 1);
    struct igpu_config config;
    struct mem_system *mem;
    struct mem_done done;
    struct mem_msg msg = drive_read(100, 0);

    (void)unused;
    assert_int_equal(igpu_config_preset(&config, "skl-gt2", NULL), IGPU_OK);
    assert_int_equal(mem_create(&mem, &config, NULL), IGPU_OK);
    msg.op = MEM_PAYLOAD;
    msg.lanes = 0;
    msg.slot = 1;
    mem_launch(mem, false);
    mem_graphics_begin(mem, 0, 0, 0, 0, 0, &vertex);
    mem_graphics_begin(mem, 0, 0, 1, 0, 0, &t);
    mem_run(mem, 100);
    mem_send(mem, &msg);
    mem_run(mem, 5000);
    assert_false(mem_take(mem, UINT64_MAX, &done));
    assert_false(mem_idle(mem));
    mem_graphics_end(mem, 0, 0, 0, 5000);
    mem_run(mem, 6000);
    assert_true(mem_take(mem, UINT64_MAX, &done));
    assert_int_equal(done.cycle, 5000 + mem_min_latency(&config) + config.ff_latency);
    mem_destroy(mem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_draw_has_its_commands),
        cmocka_unit_test(each_function_has_its_rate),
        cmocka_unit_test(work_adds_up_without_rounding),
        cmocka_unit_test(pixels_wait_for_all_the_threads_that_they_need),
        cmocka_unit_test(functions_run_ahead_of_threads_that_are_opened_late),
        cmocka_unit_test(nobody_waits_for_threads_behind),
        cmocka_unit_test(a_launch_begins_afresh),
        cmocka_unit_test(random_launches_are_as_the_contract_says),
        cmocka_unit_test(a_payload_is_there_when_it_is_made_and_not_before),
        cmocka_unit_test(an_end_lets_go_who_waits_for_it),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
