/* test_mem_random.c - random traffic of every kind on random configurations: each
 * message is answered once, in its window, the conservation laws hold, and neither
 * the window nor the order of hand-over within it changes a cycle.
 * IGPU_SEED=N starts at another seed; IGPU_LONG=1 runs more of them.
 * tests/run: timeout=600 slow turn=2of3 */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/csim/mem_driver.h"
#include "tests/support/rng.h"

enum { THREADS = 6 * 8 * 7, CREDITS = 64, STORE = 1 << 16 };

static uint32_t draw(struct rng *r, uint32_t below)
{
    return lcg_below(&r->state, below);
}

static void set(struct igpu_config *config, const char *key, uint64_t value)
{
    char text[96];
    struct igpu_err err;

    (void)snprintf(text, sizeof(text), "%s=%" PRIu64, key, value);
    if (igpu_config_set(config, text, &err) != IGPU_OK)
        fail_msg("%s", err.text);
}

/* Small structures, so that everything fills up; on some seeds every latency is at
 * its minimum. */
static void random_config(struct igpu_config *config, struct rng *r)
{
    static const char *const small[] = {"dp.messages", "l3.mshrs", "l3.write_buffer",
                                        "gti.writes"};
    static const char *const latency[] = {
        "dp.in_latency",     "dp.out_latency",      "dp.release_latency",
        "dp.empty_latency",  "dp.other_latency",    "gw.latency",
        "slm.latency",       "l3.request_latency",  "l3.latency",
        "l3.fabric_latency", "gti.request_latency", "gti.return_latency",
        "llc.latency",       "tlb.walk_ps",         "tlb.pde_ps",
        "dram.latency_ps",   "edram.latency_ps",    "edram.tag_ps"};
    uint32_t mode = draw(r, 3);

    assert_int_equal(
        igpu_config_preset(config, draw(r, 2) ? "skl-gt2" : "kbl-gt3e", NULL), IGPU_OK);
    for (unsigned i = 0; mode != 0 && i < sizeof(latency) / sizeof(latency[0]); i++) {
        const struct igpu_param_info *p;
        size_t count;

        p = igpu_params(&count);
        while (strcmp(p->key, latency[i]) != 0)
            p++;
        set(config, latency[i], mode == 1 ? p->min : p->min + draw(r, 20));
    }
    if (draw(r, 2)) {
        for (unsigned i = 0; i < sizeof(small) / sizeof(small[0]); i++)
            set(config, small[i], 1 + draw(r, 4));
        set(config, "llc.queue", 32);
        set(config, "llc.size", 65536);
        set(config, "l3.ways", 1 + draw(r, 3));
        set(config, "l3.ways_slm", 1);
        if (config->edram_size != 0)
            set(config, "edram.size", 131072);
    }
    if (draw(r, 2)) {
        set(config, "tex.l1_ways", 1 + draw(r, 2));
        set(config, "tex.l1_bytes", 256 * config->tex_l1_ways);
        set(config, "tex.l2_ways", 1);
        set(config, "tex.l2_bytes", 1024);
        set(config, "rt.cache_ways", 1 + draw(r, 2));
        set(config, "rt.cache_bytes", draw(r, 3) * 128 * config->rt_cache_ways);
    }
    set(config, "gpu.subslices", 1 + draw(r, (uint32_t)config->gpu_subslices));
    set(config, "dram.trefi", draw(r, 2) ? 0 : 1000);
    set(config, "page.random", draw(r, 2));
    set(config, "tlb.entries", draw(r, 3) ? 64 : 0);
    set(config, "dp.return_grfs", 1 + draw(r, 3));
    set(config, "gti.read_bytes", draw(r, 4) ? 64 : 8);
    if (draw(r, 2)) {
        set(config, "l3.policy", draw(r, 4));
        set(config, "llc.policy", draw(r, 4));
        set(config, "llc.prefetch", draw(r, 3));
        set(config, "dram.schedule", draw(r, 3));
        set(config, "dram.bliss_clocks", 1 + draw(r, 3000));
    }
}

struct thread {
    uint64_t ready; /* the cycle from which it may send */
    bool waiting, ended;
};

/* A stand-in for the engines: every thread sends a message now and then, at most one
 * a subslice and cycle, credits counted. */
struct bed {
    struct igpu_config config;
    struct mem_system *mem;
    struct rng r;
    struct thread thread[THREADS];
    uint32_t open[6]; /* messages with credit under way */
    uint64_t credit_from[6];
    uint64_t sent, answered, hash, regions;
    bool graphics; /* some messages are */
};

static void random_lanes(struct bed *b, struct mem_msg *msg)
{
    static const uint16_t bytes[] = {1, 2, 4, 4, 4, 8, 16};
    uint64_t base = draw(&b->r, 1 << 20) * b->regions;
    uint32_t stride = draw(&b->r, 80);

    msg->lanes = (uint8_t)draw(&b->r, MEM_MAX_LANES + 1);
    msg->bytes = bytes[draw(&b->r, 7)];
    if (draw(&b->r, 10) == 0) {
        msg->lanes = 1;
        msg->bytes = (uint16_t)(1 + draw(&b->r, 256));
    }
    for (uint32_t i = 0; i < msg->lanes; i++)
        msg->addr[i] = base + (draw(&b->r, 8) ? i * stride : draw(&b->r, 4096));
    if (msg->space == MEM_SLM)
        for (uint32_t i = 0; i < msg->lanes; i++)
            msg->addr[i] %= 65536;
}

/* Payloads, texels, pixels: their work, and lines. */
static void random_graphics(struct bed *b, struct mem_msg *msg)
{
    uint32_t work = draw(&b->r, 8) ? draw(&b->r, 80) : draw(&b->r, 1 << 30) << 2;

    msg->space = MEM_GLOBAL;
    random_lanes(b, msg);
    if (msg->op == MEM_PAYLOAD)
        msg->lanes = 0;
    else if (msg->op == MEM_TEXTURE)
        msg->texture = (struct mem_texture){work, draw(&b->r, 2) * draw(&b->r, 64)};
    else
        msg->target = (struct mem_target){work, draw(&b->r, 2) * draw(&b->r, 16)};
    for (uint32_t i = 0; i < msg->lanes && draw(&b->r, 3) == 0; i++)
        msg->how[i] = (uint8_t)draw(&b->r, 32); /* perhaps a line of depth */
}

static void random_message(struct bed *b, uint32_t n, uint64_t cycle)
{
    static const uint8_t op[] = {MEM_READ,  MEM_READ,   MEM_READ,    MEM_WRITE,
                                 MEM_WRITE, MEM_ATOMIC, MEM_FENCE,   MEM_OTHER,
                                 MEM_READ,  MEM_WRITE,  MEM_BARRIER, MEM_READ};
    uint32_t s = n % (uint32_t)b->config.gpu_subslices;
    uint32_t local = n / (uint32_t)b->config.gpu_subslices;
    struct mem_msg msg;

    memset(&msg, 0, sizeof(msg));
    msg.cycle = cycle;
    msg.subslice = (uint8_t)s;
    msg.eu = (uint8_t)(local % 8);
    msg.slot = (uint8_t)(local / 8);
    msg.op = op[draw(&b->r, sizeof(op))];
    msg.space = draw(&b->r, 4) ? MEM_GLOBAL : MEM_SLM;
    msg.uop = n;
    msg.bytes = 4;
    if (b->graphics && draw(&b->r, 2))
        msg.op = (uint8_t)(MEM_PAYLOAD + draw(&b->r, 3));
    if (msg.op <= MEM_ATOMIC)
        random_lanes(b, &msg);
    else if (msg.op >= MEM_PAYLOAD)
        random_graphics(b, &msg);
    msg.rlen =
        msg.op == MEM_WRITE || msg.op == MEM_TARGET ? 0 : (uint8_t)draw(&b->r, 9);
    if (msg.op == MEM_BARRIER)
        msg.bslot = (uint8_t)(local % 4);
    else
        msg.credit = true;
    msg.wb = msg.rlen != 0 || msg.op == MEM_BARRIER;
    b->open[s] += msg.credit;
    /* Stores let their thread go on. */
    if (msg.op == MEM_WRITE) {
        b->thread[n].ready = cycle + 1 + draw(&b->r, 3);
        msg.uop |= STORE;
    } else {
        b->thread[n].waiting = true;
    }
    b->sent++;
    mem_send(b->mem, &msg);
}

/* The messages of one window. Every thread of a group arrives before one ends: the
 * groups are local % 4; threads with a barrier to come always reach it. */
static void send_window(struct bed *b, uint64_t from, uint64_t to, uint64_t most,
                        uint32_t threads)
{
    uint32_t subslices = (uint32_t)b->config.gpu_subslices;

    for (uint64_t c = from; c < to; c++)
        for (uint32_t s = 0; s < subslices; s++) {
            uint32_t at = draw(&b->r, 64);

            if (b->sent >= most)
                return;
            for (uint32_t k = 0; k < 64; k++) {
                uint32_t n = (at + k) % 64 * subslices + s;

                if (n < threads && !b->thread[n].waiting && !b->thread[n].ended &&
                    b->thread[n].ready <= c && b->open[s] < CREDITS &&
                    b->credit_from[s] <= c) {
                    random_message(b, n, c);
                    break;
                }
            }
        }
}

static void take_window(struct bed *b, uint64_t from, uint64_t before)
{
    struct mem_done done;
    uint64_t last = 0;

    while (mem_take(b->mem, before, &done)) {
        uint64_t key = done.cycle * 6 + done.subslice;

        assert_true(done.cycle >= from && done.cycle < before);
        assert_true(b->answered == 0 || key > last); /* ascending, one a cycle */
        last = key;
        b->answered++;
        b->open[done.subslice] -= done.credit;
        if (done.credit)
            b->credit_from[done.subslice] = done.cycle + 1;
        if ((done.uop & STORE) == 0) {
            b->thread[done.uop].waiting = false;
            if (b->thread[done.uop].ready < done.cycle + 1)
                b->thread[done.uop].ready = done.cycle + 1;
        }
        b->hash =
            (b->hash ^ (done.cycle * 64 + done.uop * 4 + done.credit * 2U + done.wb)) *
            UINT64_C(0x100000001b3);
    }
}

/* Threads that wait at a barrier alone need the others to end. */
static void end_threads(struct bed *b, uint64_t cycle, uint32_t threads)
{
    for (uint32_t n = 0; n < threads; n++) {
        uint32_t s = n % (uint32_t)b->config.gpu_subslices;

        if (b->thread[n].waiting || b->thread[n].ended)
            continue;
        b->thread[n].ended = true;
        mem_thread_end(b->mem, (uint8_t)s,
                       (uint8_t)(n / (uint32_t)b->config.gpu_subslices % 4), cycle);
    }
}

static void begin_groups(struct bed *b, uint32_t threads)
{
    uint32_t subslices = (uint32_t)b->config.gpu_subslices;

    for (uint32_t s = 0; s < subslices; s++)
        for (uint32_t g = 0; g < 4; g++) {
            uint32_t count = 0;

            for (uint32_t n = 0; n < threads; n++)
                count += n % subslices == s && n / subslices % 4 == g;
            mem_group_begin(b->mem, (uint8_t)s, (uint8_t)g, count);
        }
}

static void soak(uint64_t seed, struct mem_stats *stats, uint64_t *hash)
{
    static struct bed bed;
    struct bed *b = &bed;
    uint64_t now = 0, window, most = 4000;
    struct igpu_err err = {.text = ""};
    uint32_t threads;

    memset(b, 0, sizeof(*b));
    b->r.state = seed * UINT64_C(0x9e3779b97f4a7c15);
    random_config(&b->config, &b->r);
    window = mem_min_latency(&b->config);
    assert_true(window >= 1);
    b->graphics = seed % 3 == 0;
    b->regions = UINT64_C(1) << draw(&b->r, 8);
    threads = (uint32_t)b->config.gpu_subslices * 56;
    if (mem_create(&b->mem, &b->config, &err) != IGPU_OK)
        fail_msg("seed %" PRIu64 ": %s", seed, err.text);
    begin_groups(b, threads);
    while (b->answered < b->sent || b->sent < most || !mem_idle(b->mem)) {
        uint64_t next;

        send_window(b, now, now + window, most, threads);
        if (b->sent >= most)
            end_threads(b, now + window - 1, threads);
        now += window;
        mem_run(b->mem, now);
        take_window(b, now, now + window);
        next = mem_next_event(b->mem);
        assert_true(next >= now);
        if (now > 20000000)
            fail_msg("seed %" PRIu64 ": %" PRIu64 " of %" PRIu64 " answered", seed,
                     b->answered, b->sent);
    }
    if (mem_check(b->mem, &err) != IGPU_OK)
        fail_msg("seed %" PRIu64 ": %s", seed, err.text);
    assert_int_equal(b->answered, b->sent);
    *stats = *mem_stats(b->mem);
    *hash = b->hash;
    mem_destroy(b->mem);
}

static void random_traffic_is_conserved(void **unused)
{
    const char *text = getenv("IGPU_SEED");
    uint64_t first = text ? strtoull(text, NULL, 10) : 1;
    uint64_t count = getenv("IGPU_LONG") ? 2000 : 36;
    struct mem_stats stats, again;
    uint64_t hash, other, full = 0, merged = 0, texels = 0, pixels = 0;

    (void)unused;
    print_message("seeds %" PRIu64 "..%" PRIu64 "\n", first, first + count - 1);
    for (uint64_t seed = first; seed < first + count; seed++) {
        soak(seed, &stats, &hash);
        texels += stats.tex_l1_merged != 0 && stats.tex_l2_hits != 0;
        pixels += stats.rt_merged != 0 && stats.rt_writebacks != 0;
        full += stats.mem_message_full_cycles && stats.mem_mshr_full_cycles;
        merged += stats.l3_merged != 0;
        if (seed % 8 == 0) {
            soak(seed, &again, &other);
            assert_int_equal(hash, other);
            assert_memory_equal(&stats, &again, sizeof(stats));
        }
    }
    assert_true(full > count / 8 && merged > count / 8 && texels > count / 8 &&
                pixels > count / 16);
}

/* The same messages, in windows of every size: the same completions. */
static void the_window_changes_nothing(void **unused)
{
    static struct mem_msg msg[3000];
    static struct mem_done all[3000];
    struct igpu_config config;
    uint64_t reference = 0;
    struct mem_stats stats;
    struct rng r = {5};
    uint64_t cycle = 0;

    (void)unused;
    assert_int_equal(igpu_config_preset(&config, "skl-gt2", NULL), IGPU_OK);
    for (int i = 0; i < 3000; i++) {
        /* Sparse enough for 64 credits a subslice. */
        cycle += 10 + draw(&r, 20);
        msg[i] = drive_read(cycle, (uint64_t)draw(&r, 1 << 16) * 64);
        msg[i].subslice = (uint8_t)draw(&r, 3);
        msg[i].op = (uint8_t)(draw(&r, 4) ? MEM_READ : MEM_WRITE);
        if (draw(&r, 3) == 0) {
            msg[i].op = (uint8_t)(MEM_PAYLOAD + draw(&r, 3));
            msg[i].addr[1] = msg[i].addr[0];
            msg[i].lanes = msg[i].op == MEM_PAYLOAD ? 0 : 2;
            if (msg[i].op == MEM_TEXTURE)
                msg[i].texture = (struct mem_texture){draw(&r, 32), 0};
            else if (msg[i].op == MEM_TARGET)
                msg[i].target = (struct mem_target){draw(&r, 32), draw(&r, 2) * 8};
        }
        msg[i].uop = (uint32_t)i;
    }
    for (uint64_t window = 1; window <= mem_min_latency(&config); window += 3) {
        struct mem_system *mem;
        uint64_t now = 0, hash = 1;
        uint32_t sent = 0, taken = 0;

        assert_int_equal(mem_create(&mem, &config, NULL), IGPU_OK);
        while (taken < 3000 || !mem_idle(mem)) {
            for (; sent < 3000 && msg[sent].cycle < now + window; sent++)
                mem_send(mem, &msg[sent]);
            mem_run(mem, now += window);
            while (taken < 3000 && mem_take(mem, now + window, &all[taken]))
                taken++;
        }
        for (uint32_t i = 0; i < 3000; i++)
            hash =
                (hash ^ (all[i].cycle * 4096 + all[i].uop)) * UINT64_C(0x100000001b3);
        if (window == 1) {
            reference = hash;
            stats = *mem_stats(mem);
        }
        assert_int_equal(hash, reference);
        assert_memory_equal(mem_stats(mem), &stats, sizeof(stats));
        mem_destroy(mem);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_traffic_is_conserved),
                                       cmocka_unit_test(the_window_changes_nothing)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
