/* test_ref_speed.c - how fast the C reference engine alone simulates 24 EUs:
 * compute-bound (each thread two chains of dependent SIMD16 mads) and with 168
 * threads that chase pointers at an L3-like latency. CPU seconds of the loop,
 * one core; the floors are those of a whole simulation.
 * tests/run: timeout=120 alone */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

#include "igpu/host.h"
#include "igpu/ref.h"

enum { THREADS = 168, RUNS = 5, MADS = 64, LATENCY = 130, RING = 4096 };

struct load {
    const struct host_engine_ops *ops;
    void *engine;
    struct uop uops[MADS + 2];
    uint32_t loop, laps; /* uops of the loop; times a thread executes it */
    uint32_t left[HOST_MAX_TILES][HOST_EUS][HOST_SLOTS];
    uint64_t issues;
    /* memory side: FIFO of a fixed latency, one DONE a tile and cycle */
    struct host_msg msg[HOST_MAX_TILES][RING];
    uint32_t first[HOST_MAX_TILES], last[HOST_MAX_TILES];
};

static struct uop_run on_next(void *ctx, unsigned tile, unsigned eu, unsigned slot)
{
    struct load *l = ctx;

    if (l->left[tile][eu][slot]-- > 0)
        return (struct uop_run){0, l->loop, 0};
    return (struct uop_run){l->loop, 1, 0};
}

static struct uop_run on_open(void *ctx, unsigned tile, unsigned eu, unsigned slot,
                              uint32_t thread, uint8_t bslot, uint64_t cycle)
{
    struct load *l = ctx;

    (void)thread;
    (void)bslot;
    (void)cycle;
    l->left[tile][eu][slot] = l->laps;
    return on_next(ctx, tile, eu, slot);
}

static void on_issue(void *ctx, const struct host_issue *issue)
{
    struct load *l = ctx;

    (void)issue;
    l->issues++;
}

static void on_msg(void *ctx, const struct host_msg *msg)
{
    struct load *l = ctx;

    l->msg[msg->tile][l->last[msg->tile]++ % RING] = *msg;
}

static void on_end(void *ctx, unsigned tile, const struct host_end *end)
{
    (void)ctx;
    (void)tile;
    (void)end;
}

static uint64_t grfs(unsigned first, unsigned count)
{
    return ((UINT64_C(1) << count) - 1) << first;
}

static void fpu(struct uop *u, uint64_t sources, uint64_t destination)
{
    *u = (struct uop){.need = {sources | destination, 0},
                      .set = {destination, 0},
                      .unit = UOP_FPU_ANY,
                      .cls = UOP_ALU32,
                      .exec_grfs = 2,
                      .dst_grfs = 2};
}

static void eot(struct uop *u)
{
    *u = (struct uop){.unit = UOP_SEND, .cls = UOP_MSG, .payload = 1, .flags = UOP_EOT};
}

static void make_mad(struct load *l)
{
    for (unsigned i = 0; i < MADS; i++)
        fpu(&l->uops[i], grfs(20, 4), grfs(10 + 2 * (i & 1), 2));
    l->uops[MADS] = (struct uop){
        .need_x = UOP_X_F0_0, .unit = UOP_BRANCH, .cls = UOP_CTRL, .exec_grfs = 1};
    l->loop = MADS + 1;
    l->laps = 40;
    eot(&l->uops[l->loop]);
}

/* while (n--) p = *(base + p * 8): shl and add of addresses, send, counter. */
static void make_chase(struct load *l)
{
    for (unsigned half = 0; half < 2; half++) {
        fpu(&l->uops[half], grfs(10 + 2 * half, 2), grfs(20 + 4 * half, 4));
        l->uops[half].cls = UOP_ALU64;
        fpu(&l->uops[2 + half], grfs(20 + 4 * half, 4), grfs(30 + 4 * half, 4));
        l->uops[2 + half].cls = UOP_ALU64;
        l->uops[4 + half] =
            (struct uop){.need = {grfs(30 + 4 * half, 4) | grfs(10 + 2 * half, 2), 0},
                         .set = {grfs(10 + 2 * half, 2), 0},
                         .unit = UOP_SEND,
                         .cls = UOP_MSG,
                         .payload = 4,
                         .rlen = 2,
                         .flags = UOP_PORT | UOP_WB};
    }
    fpu(&l->uops[6], grfs(50, 1), grfs(50, 1));
    l->uops[6].set_x = l->uops[6].need_x = UOP_X_F0_0;
    l->uops[6].dst = UOP_DST_FLAG;
    l->uops[7] = (struct uop){
        .need_x = UOP_X_F0_0, .unit = UOP_BRANCH, .cls = UOP_CTRL, .exec_grfs = 1};
    l->loop = 8;
    l->laps = 1000;
    eot(&l->uops[l->loop]);
}

static void give_dones(struct load *l, uint64_t until)
{
    for (unsigned tile = 0; tile < HOST_MAX_TILES; tile++) {
        while (l->first[tile] != l->last[tile]) {
            const struct host_msg *m = &l->msg[tile][l->first[tile] % RING];
            struct host_done done = {.cycle = m->cycle + LATENCY,
                                     .uop = m->uop,
                                     .tile = m->tile,
                                     .eu = m->eu,
                                     .slot = m->slot,
                                     .credit = true,
                                     .wb = true};

            if (done.cycle >= until)
                break;
            l->ops->done(l->engine, &done);
            l->first[tile]++;
        }
    }
}

/* Simulated kilocycles per CPU second, and instructions and cycles. */
static double once(void (*make)(struct load *), uint64_t *cycles, uint64_t *issues)
{
    struct load *l = calloc(1, sizeof(*l));
    struct host_calls calls = {.ctx = l,
                               .open = on_open,
                               .next = on_next,
                               .issue = on_issue,
                               .msg = on_msg,
                               .end = on_end};
    struct host_launch launch = {.threads = THREADS, .tpg = 1};
    struct igpu_config config;
    uint64_t now = 0;
    clock_t start;
    double seconds;

    assert_non_null(l);
    assert_int_equal(igpu_config_preset(&config, "skl-gt2", NULL), IGPU_OK);
    make(l);
    l->ops = &host_engine_ref;
    assert_int_equal(l->ops->create(&l->engine, &config, &calls, NULL), IGPU_OK);
    assert_int_equal(l->ops->load(l->engine, l->uops, l->loop + 1, NULL), IGPU_OK);
    l->ops->launch(l->engine, &launch);
    start = clock();
    while (!l->ops->launch_over(l->engine, cycles)) {
        give_dones(l, now + config.disp_end_latency);
        now += config.disp_end_latency;
        l->ops->run(l->engine, now);
    }
    seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    *issues = l->issues;
    l->ops->destroy(l->engine);
    free(l);
    return (double)*cycles / 1000 / seconds;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static double measure(const char *what, void (*make)(struct load *))
{
    double khz[RUNS];
    uint64_t cycles = 0, issues = 0;

    for (unsigned i = 0; i < RUNS; i++)
        khz[i] = once(make, &cycles, &issues);
    qsort(khz, RUNS, sizeof(khz[0]), by_value);
    print_message("%s: %.0f kHz (median of %d), %llu cycles, %llu instructions, "
                  "%.1f ns an instruction\n",
                  what, khz[RUNS / 2], RUNS, (unsigned long long)cycles,
                  (unsigned long long)issues,
                  (double)cycles / khz[RUNS / 2] * 1e6 / (double)issues);
    return khz[RUNS / 2];
}

static void mad_on_168_threads_runs_above_900_khz(void **state)
{
    (void)state;
    assert_true(measure("mad, 168 threads", make_mad) > 900);
}

static void chase_on_168_threads_runs_above_1700_khz(void **state)
{
    (void)state;
    assert_true(measure("chase, 168 threads", make_chase) > 1700);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mad_on_168_threads_runs_above_900_khz),
        cmocka_unit_test(chase_on_168_threads_runs_above_1700_khz),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
