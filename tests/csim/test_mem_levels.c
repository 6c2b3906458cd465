/* test_mem_levels.c - one message at a time against closed forms: the latency of each
 * level to the cycle, merging, coalesced bandwidth, fences, SLM, write policy. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "csim/mem/clock.h"
#include "tests/csim/mem_driver.h"

static struct igpu_config config;
static struct mem_system *mem;
static struct mem_done done[4096];

/* A preset with `settings`, a NULL-terminated list. */
static void build(const char *preset, const char *const *settings)
{
    struct igpu_err err = {.text = ""};

    assert_int_equal(igpu_config_preset(&config, preset, &err), IGPU_OK);
    for (; settings != NULL && *settings != NULL; settings++)
        if (igpu_config_set(&config, *settings, &err) != IGPU_OK)
            fail_msg("%s", err.text);
    if (mem_create(&mem, &config, &err) != IGPU_OK)
        fail_msg("%s", err.text);
}

static void run(const struct mem_msg *msg, uint32_t count)
{
    struct igpu_err err = {.text = ""};

    assert_true(count <= sizeof(done) / sizeof(done[0]));
    drive_messages(mem, &config, msg, count, done);
    if (mem_check(mem, &err) != IGPU_OK)
        fail_msg("%s", err.text);
}

static uint64_t latency_of(struct mem_msg msg)
{
    run(&msg, 1);
    return done[0].cycle - msg.cycle;
}

static void over(void)
{
    mem_destroy(mem);
    mem = NULL;
}

static const char *const plain[] = {"tlb.entries=0", "page.random=0", "dram.trefi=0",
                                    NULL};

static uint64_t l3_hit(void)
{
    return config.dp_in_latency + config.l3_request_latency + config.l3_latency +
           config.dp_out_latency;
}

static void an_l3_hit_takes_what_the_sum_says(void **unused)
{
    (void)unused;
    build("skl-gt2", plain);
    (void)latency_of(drive_read(0, 4096));
    assert_int_equal(latency_of(drive_read(100000, 4096)), l3_hit());
    assert_int_equal(l3_hit(), 109); /* 144 cycles a step less 35 of arithmetic */
    over();
}

/* Ring, slice and ring back, with the CPU idle. */
static uint64_t llc_ps(void)
{
    return clock_ps(config.llc_latency, config.llc_idle_clock_hz);
}

/* The cycle in which a line from the LLC is back in the EU, for a message of cycle 0
 * whose data are at the LLC at `ready_ps` (0: at once). */
static uint64_t from_llc(uint64_t extra_ps)
{
    uint64_t served = config.dp_in_latency + config.l3_request_latency;
    uint64_t ps = clock_ps(served, config.gpu_clock_hz) +
                  clock_ps(config.gti_request_latency, config.gpu_clock_hz) + llc_ps() +
                  extra_ps;

    return clock_tick(ps, config.gpu_clock_hz) + config.gti_return_latency +
           config.l3_latency + config.dp_out_latency;
}

/* One way only: lines 64 and 580 (68 + 512, whose upper bits turn 68 into 64) share
 * an L3 entry. */
static const char *const one_way[] = {"tlb.entries=0", "page.random=0", "dram.trefi=0",
                                      "l3.ways=1",     "l3.ways_slm=1", NULL};

static void an_llc_hit_takes_what_the_sum_says(void **unused)
{
    (void)unused;
    build("skl-gt2", one_way);
    (void)latency_of(drive_read(0, 64 * 64));
    (void)latency_of(drive_read(10000, 580 * 64));
    assert_int_equal(mem_stats(mem)->llc_hits, 0);
    /* A multiple of 23 cycles of 1.15 GHz is a whole number of picoseconds. */
    assert_int_equal(latency_of(drive_read(23000, 64 * 64)), from_llc(0));
    assert_int_equal(mem_stats(mem)->llc_hits, 1);
    over();
}

/* Time in DRAM beyond an LLC hit, for a request that arrives at the LLC at `at_ps`,
 * whose first command can be issued at once and takes `clocks` until its data end. */
static uint64_t dram_ps(uint64_t at_ps, uint64_t clocks)
{
    uint64_t there = at_ps + config.dram_latency_ps / 2;
    uint64_t begin = clock_tick(there, config.dram_clock_hz);
    uint64_t end = clock_ps(begin + clocks, config.dram_clock_hz);

    return end + (config.dram_latency_ps - config.dram_latency_ps / 2) - at_ps;
}

static uint64_t at_llc_ps(uint64_t cycle)
{
    return clock_ps(cycle + config.dp_in_latency + config.l3_request_latency,
                    config.gpu_clock_hz) +
           clock_ps(config.gti_request_latency, config.gpu_clock_hz) + llc_ps() / 2;
}

static uint64_t from_dram(uint64_t cycle, uint64_t clocks)
{
    uint64_t ps = at_llc_ps(cycle);

    ps += dram_ps(ps, clocks) + llc_ps() - llc_ps() / 2;
    return clock_tick(ps, config.gpu_clock_hz) + config.gti_return_latency +
           config.l3_latency + config.dp_out_latency - cycle;
}

static void dram_takes_closed_hit_or_conflict_time(void **unused)
{
    const char *const settings[] = {"tlb.entries=0", "page.random=0", "dram.trefi=0",
                                    "dram.idle_close=0", NULL};
    uint64_t closed = 15 + 15 + 4, hit = 15 + 4, conflict = 15 + 15 + 15 + 4;
    /* One channel has 16 banks x 2 ranks x 8 KB rows: the next row of a bank. */
    uint64_t row = UINT64_C(2) * 2 * 16 * 8192;

    (void)unused;
    build("skl-gt2", settings);
    assert_int_equal(latency_of(drive_read(0, 0)), from_dram(0, closed));
    /* Another column of the row: 16 lines on (8 would be in the other channel). */
    assert_int_equal(latency_of(drive_read(10000, 1024)), from_dram(10000, hit));
    assert_int_equal(mem_stats(mem)->dram_row_misses, 1);
    assert_int_equal(mem_stats(mem)->dram_row_hits, 1);
    /* Rows' bits are mixed into bank and channel: other rows until one meets the
     * first's bank. */
    for (uint64_t i = 1; mem_stats(mem)->dram_row_conflicts == 0; i++) {
        uint64_t cycle = 10000 + i * 10000, misses = mem_stats(mem)->dram_row_misses;
        uint64_t took = latency_of(drive_read(cycle, i * row));

        assert_int_equal(took, from_dram(cycle, mem_stats(mem)->dram_row_misses > misses
                                                    ? closed
                                                    : conflict));
        assert_true(i < 1000);
    }
    over();
}

static void an_idle_row_is_closed(void **unused)
{
    (void)unused;
    build("skl-gt2", plain);
    (void)latency_of(drive_read(0, 0));
    assert_int_equal(latency_of(drive_read(10000, 1024)), from_dram(10000, 34));
    assert_int_equal(mem_stats(mem)->dram_row_misses, 2);
    over();
}

static void a_tlb_miss_adds_its_walk(void **unused)
{
    const char *const settings[] = {"page.random=0", "dram.trefi=0",
                                    "tlb.pde_entries=0", NULL};
    uint64_t without[2], with[2], walk;

    (void)unused;
    build("skl-gt2", plain);
    without[0] = latency_of(drive_read(0, 0));
    without[1] = latency_of(drive_read(10000, 4096));
    over();
    build("skl-gt2", settings);
    with[0] = latency_of(drive_read(0, 0));
    with[1] = latency_of(drive_read(10000, 4096));
    walk = clock_tick(config.tlb_walk_ps, config.gpu_clock_hz);
    /* The first walk fetches the table's entry too, the second finds it in the LLC
     * (+- 2: clock crossings). */
    assert_in_range(with[0], without[0] + walk + 60, without[0] + walk + 100);
    assert_in_range(with[1], without[1] + walk - 2, without[1] + walk + 2);
    assert_int_equal(mem_stats(mem)->tlb_misses, 2);
    assert_int_equal(mem_stats(mem)->tlb_walk_misses, 1);
    over();
}

/* When the last of two pages' first lines, or of one page's two, is back; all entries
 * of the table are in the LLC. */
static uint64_t two_reads(const char *walks, const char *merge, uint64_t apart)
{
    const char *const settings[] = {
        "page.random=0", "dram.trefi=0", "tlb.pde_entries=0", walks, merge, NULL};
    struct mem_msg msg[2] = {drive_read(100000, 1 << 20),
                             drive_read(100001, (1 << 20) + apart)};
    uint64_t latency;

    build("skl-gt2", settings);
    (void)latency_of(drive_read(0, (1 << 20) + (2 << 12)));
    run(msg, 2);
    latency = done[1].cycle - msg[0].cycle;
    over();
    return latency;
}

static void walks_beyond_tlb_walks_wait_for_one_to_end(void **unused)
{
    uint64_t both = two_reads("tlb.walks=2", "tlb.merge=1", 4096);
    uint64_t one = two_reads("tlb.walks=1", "tlb.merge=1", 4096), walk;

    (void)unused;
    walk = clock_tick(config.tlb_walk_ps, config.gpu_clock_hz);
    assert_int_equal(both, two_reads("tlb.walks=2048", "tlb.merge=1", 4096));
    assert_in_range(one, both + walk - 3, both + walk + 3);
}

static void a_page_s_lines_share_a_walk_unless_told_not_to(void **unused)
{
    uint64_t shared = two_reads("tlb.walks=1", "tlb.merge=1", 64);
    uint64_t apart = two_reads("tlb.walks=1", "tlb.merge=0", 64), walk;

    (void)unused;
    walk = clock_tick(config.tlb_walk_ps, config.gpu_clock_hz);
    assert_in_range(apart, shared + walk - 3, shared + walk + 3);
    assert_int_equal(two_reads("tlb.walks=2", "tlb.merge=0", 4096),
                     two_reads("tlb.walks=2", "tlb.merge=1", 4096));
}

/* How many lines the LLC writes to make room for 64 that are read. */
static uint64_t written_by_64(const char *written)
{
    const char *const settings[] = {"page.random=0",   "dram.trefi=0", "tlb.entries=0",
                                    "llc.others_ps=0", written,        NULL};
    static struct mem_msg msg[64];
    uint64_t writebacks;

    build("skl-gt2", settings);
    for (uint32_t i = 0; i < 64; i++)
        msg[i] = drive_read(i * 1000, (uint64_t)i * 64);
    run(msg, 64);
    writebacks = mem_stats(mem)->llc_writebacks;
    over();
    return writebacks;
}

static void lines_that_others_wrote_are_written_when_they_give_way(void **unused)
{
    (void)unused;
    assert_int_equal(written_by_64("llc.written=0"), 0);
    assert_int_equal(written_by_64("llc.written=50"), 0);
    assert_int_equal(written_by_64("llc.written=100"), 64);
}

static void edram_answers_before_dram_would(void **unused)
{
    const char *const settings[] = {
        "tlb.entries=0", "page.random=0", "dram.trefi=0",  "llc.size=64K",
        "llc.slices=1",  "l3.ways=1",     "l3.ways_slm=1", NULL};
    static struct mem_msg msg[2048];
    uint64_t dram, edram, sum;

    (void)unused;
    build("kbl-gt3e", settings);
    dram = latency_of(drive_read(0, 0));
    for (uint32_t i = 0; i < 2048; i++) /* more than L3 and LLC hold */
        msg[i] = drive_read(23000 + i * 1000, (uint64_t)(i + 1) * 64);
    run(msg, 2048);
    assert_int_equal(mem_stats(mem)->edram_hits, 0);
    edram = latency_of(drive_read(23000000, 0));
    assert_int_equal(mem_stats(mem)->edram_hits, 1);
    assert_true(edram < dram);
    /* 1250 ps: two beats of 32 B at 1.6 GHz; line 0 is in the subslice's slice. */
    sum = from_llc(config.edram_tag_ps + config.edram_latency_ps + 1250);
    assert_int_equal(edram, sum);
    over();
}

static void messages_without_lanes_take_no_place(void **unused)
{
    const char *const settings[] = {"dp.messages=1", "tlb.entries=0", NULL};
    struct mem_msg msg[3] = {drive_read(0, 0), drive_read(1, 0), drive_read(2, 0)};

    (void)unused;
    build("skl-gt2", settings);
    msg[1].lanes = 0;
    run(msg, 3);
    assert_int_equal(done[0].cycle, 1 + config.dp_in_latency + config.dp_empty_latency +
                                        config.dp_out_latency);
    /* The third waits for the first's place. */
    assert_int_equal(done[2].cycle,
                     done[1].cycle + config.dp_release_latency + l3_hit());
    assert_int_equal(mem_stats(mem)->mem_requests, 2);
    assert_int_equal(mem_stats(mem)->mem_others, 1);
    assert_int_equal(mem_stats(mem)->mem_messages_inflight_peak, 1);
    over();
}

static struct mem_msg lanes_of(uint64_t cycle, uint64_t base, uint64_t stride,
                               uint16_t bytes, uint8_t rlen)
{
    struct mem_msg msg = drive_read(cycle, base);

    msg.lanes = 16;
    msg.bytes = bytes;
    msg.rlen = rlen;
    for (uint64_t i = 0; i < 16; i++)
        msg.addr[i] = base + i * stride;
    return msg;
}

static void a_gather_takes_a_cycle_a_line(void **unused)
{
    (void)unused;
    for (uint64_t words = 1; words <= 16; words *= 2) {
        build("skl-gt2", plain);
        (void)latency_of(lanes_of(0, 65536, words * 4, 4, 2));
        assert_int_equal(mem_stats(mem)->mem_lines, words);
        assert_int_equal(latency_of(lanes_of(100000, 65536, words * 4, 4, 2)),
                         l3_hit() + words - 1);
        assert_int_equal(mem_stats(mem)->l3_hits, words);
        over();
    }
}

/* A write has no answer for registers: it does not wait for the read's place, and what
 * reads SLM has places of its own. */
static void writes_take_no_place_and_slm_its_own(void **unused)
{
    const char *const settings[] = {"dp.messages=1", "slm.messages=1", "tlb.entries=0",
                                    NULL};
    struct mem_msg msg[4] = {drive_read(0, 0), drive_read(1, 64), drive_read(2, 0),
                             drive_read(3, 64)};

    (void)unused;
    build("skl-gt2", settings);
    msg[1].op = MEM_WRITE;
    msg[1].rlen = 0;
    msg[2].space = msg[3].space = MEM_SLM;
    run(msg, 4);
    /* In the order of answers: the write's and the first of SLM come back before the
     * read, which misses everything; the second of SLM waits for the first alone. */
    assert_int_equal(done[0].cycle, 1 + l3_hit());
    assert_int_equal(done[1].cycle, 2 + config.dp_in_latency + config.slm_latency +
                                        config.dp_out_latency);
    assert_int_equal(done[2].cycle, done[1].cycle + config.dp_release_latency +
                                        config.dp_in_latency + config.slm_latency +
                                        config.dp_out_latency);
    assert_int_equal(mem_stats(mem)->mem_messages_inflight_peak, 2);
    over();
}

/* Latency of the second of two writes of `bytes` bytes at addr, of one line. */
static uint64_t second_write(const char *const *settings, uint64_t addr, uint16_t bytes)
{
    struct mem_msg msg[2] = {drive_read(0, addr), drive_read(1, addr)};
    uint64_t latency;

    build("skl-gt2", settings);
    for (uint32_t i = 0; i < 2; i++) {
        msg[i].op = MEM_WRITE;
        msg[i].rlen = 0;
        msg[i].bytes = bytes;
    }
    run(msg, 2);
    latency = done[1].cycle - msg[1].cycle;
    over();
    return latency;
}

static void a_word_written_in_part_holds_its_bank(void **unused)
{
    const char *const settings[] = {"l3.partial_write=8", "l3.ecc_bytes=16",
                                    "tlb.entries=0", NULL};
    uint64_t whole = second_write(settings, 64, 64);

    (void)unused;
    assert_int_equal(whole, l3_hit());
    assert_int_equal(second_write(settings, 64 + 16, 32), whole);
    assert_int_equal(second_write(settings, 64 + 16, 4), whole + 7);
    assert_int_equal(second_write(settings, 64 + 8, 16), whole + 7);
}

static void two_misses_of_one_line_are_one_fetch(void **unused)
{
    struct mem_msg msg[3] = {drive_read(0, 0), drive_read(1, 4), drive_read(2, 64)};

    (void)unused;
    build("skl-gt2", plain);
    run(msg, 3);
    assert_int_equal(mem_stats(mem)->l3_misses, 2);
    assert_int_equal(mem_stats(mem)->l3_merged, 1);
    assert_int_equal(mem_stats(mem)->l3_fetches, 2);
    assert_int_equal(mem_stats(mem)->dram_reads, 2);
    assert_int_equal(done[1].cycle, done[0].cycle + 1);
    over();
}

static void full_mshrs_hold_a_bank(void **unused)
{
    const char *const settings[] = {"tlb.entries=0", "page.random=0", "l3.mshrs=1",
                                    "l3.banks=1",    "l3.sets=128",   NULL};
    struct mem_msg msg[2] = {drive_read(0, 0), drive_read(1, 64)};
    uint64_t first;

    (void)unused;
    build("skl-gt2", settings);
    run(msg, 2);
    first = done[0].cycle;
    /* The second is fetched only when the first line is in the L3. */
    assert_true(done[1].cycle >
                first + config.gti_request_latency + config.gti_return_latency);
    assert_int_equal(mem_stats(mem)->mem_lines_inflight_peak, 1);
    assert_true(mem_stats(mem)->mem_mshr_full_cycles > 100);
    over();
}

/* SIMD16 reads of `bytes` a lane, one after the other, from `ports` subslices, in a
 * region that the L3 holds; returns bytes per cycle of the second round. */
static double l3_stream(uint32_t ports, uint16_t bytes)
{
    enum { MESSAGES = 400, REGION = 128 << 10 };
    static struct mem_msg msg[MESSAGES * 6];
    enum { CREDITS = 40 };
    struct mem_done one;
    uint64_t now = 0, window, begin = 0, end = 0, size = 16U * bytes;
    uint64_t credit[6][MESSAGES + CREDITS] = {{0}}; /* when each may be used */
    uint32_t sent[6] = {0}, back[6] = {0}, got = 0;

    build("skl-gt2", plain);
    for (uint32_t i = 0; i < REGION / 1024; i++) {
        msg[i] = lanes_of(i * 100, i * UINT64_C(1024), 64, 4, 2);
    }
    run(msg, REGION / 1024);
    window = mem_min_latency(&config);
    now = begin = 1000000;
    mem_run(mem, now);
    /* Closed loop with CREDITS messages a subslice; one message a cycle at most. */
    while (got < MESSAGES * ports) {
        for (uint64_t c = now; c < now + window; c++)
            for (uint32_t s = 0; s < ports; s++)
                if (sent[s] < MESSAGES && sent[s] < back[s] + CREDITS &&
                    credit[s][sent[s]] <= c) {
                    struct mem_msg m =
                        lanes_of(c, (sent[s] * size + s * 40960) % REGION, bytes, bytes,
                                 (uint8_t)(size / 32));

                    m.subslice = (uint8_t)s;
                    mem_send(mem, &m);
                    sent[s]++;
                }
        now += window;
        mem_run(mem, now);
        while (mem_take(mem, now + window, &one)) {
            credit[one.subslice][CREDITS + back[one.subslice]++] = one.cycle + 1;
            end = one.cycle;
            got++;
        }
    }
    while (!mem_idle(mem))
        mem_run(mem, now += window);
    assert_int_equal(mem_check(mem, NULL), IGPU_OK);
    over();
    return (double)(size * MESSAGES * ports) / (double)(end - begin);
}

static void the_l3_gives_64_bytes_a_cycle_and_subslice(void **unused)
{
    (void)unused;
    for (uint32_t ports = 1; ports <= 3; ports++) {
        double rate = l3_stream(ports, 16);
        print_message("%u subslices: %.1f B/cycle\n", ports, rate);

        assert_true(rate > 64 * ports * 0.85);
        assert_true(rate <= 64 * ports);
    }
}

static void slm_takes_as_long_as_the_l3(void **unused)
{
    struct mem_msg msg = lanes_of(0, 0, 4, 4, 2),
                   conflict = lanes_of(1000, 0, 64, 4, 2);

    (void)unused;
    build("skl-gt2", plain);
    msg.space = conflict.space = MEM_SLM;
    assert_int_equal(latency_of(msg), l3_hit());
    assert_int_equal(latency_of(conflict), l3_hit() + 15);
    assert_int_equal(mem_stats(mem)->slm_conflict_cycles, 15);
    assert_int_equal(mem_stats(mem)->l3_accesses, 0);
    over();
}

static void a_fence_waits_for_its_threads_writes(void **unused)
{
    struct mem_msg msg[4];

    (void)unused;
    build("skl-gt2", plain);
    for (uint64_t i = 0; i < 4; i++)
        msg[i] = drive_read(i, i * 64);
    msg[0].op = MEM_ATOMIC; /* fetched from DRAM */
    msg[1].op = MEM_FENCE;
    msg[1].lanes = 0;
    msg[2].op = MEM_FENCE; /* of another thread: at once */
    msg[2].lanes = 0;
    msg[2].eu = 1;
    msg[3].op = MEM_FENCE; /* behind the first fence */
    msg[3].lanes = 0;
    for (uint32_t i = 0; i < 4; i++)
        msg[i].uop = i;
    run(msg, 4);
    assert_int_equal(done[0].uop, 2);
    assert_int_equal(done[0].cycle, 2 + config.dp_in_latency + config.dp_empty_latency +
                                        config.dp_out_latency);
    assert_int_equal(done[1].uop, 0);
    assert_int_equal(done[2].uop, 1);
    assert_int_equal(done[2].cycle, done[1].cycle + config.dp_empty_latency);
    assert_int_equal(done[3].uop, 3);
    over();
}

static void writes_allocate_without_a_fetch(void **unused)
{
    struct mem_msg whole = lanes_of(0, 4096, 4, 4, 0), part = drive_read(1000, 8192);

    (void)unused;
    build("skl-gt2", plain);
    whole.op = part.op = MEM_WRITE;
    part.rlen = 0;
    assert_int_equal(latency_of(whole), l3_hit());
    (void)latency_of(part);
    assert_int_equal(mem_stats(mem)->l3_fetches, 0);
    assert_int_equal(latency_of(drive_read(2000, 4096)), l3_hit());
    assert_int_equal(mem_stats(mem)->l3_hits, 1);
    /* A line of which only a part is known has to be fetched. */
    assert_true(latency_of(drive_read(3000, 8192)) > l3_hit());
    assert_int_equal(mem_stats(mem)->l3_fetches, 1);
    /* With SLM the L3 is smaller: it is flushed, the modified lines stay in the LLC. */
    mem_launch(mem, true);
    assert_int_equal(mem_stats(mem)->l3_flushed, 2);
    assert_true(latency_of(drive_read(23000000, 4096)) > l3_hit());
    assert_int_equal(mem_stats(mem)->llc_hits, 1);
    over();
}

static void modified_lines_reach_dram(void **unused)
{
    const char *const settings[] = {"l3.ways=1", "l3.ways_slm=1", "llc.size=64K",
                                    "llc.slices=1", NULL};
    static struct mem_msg msg[4096];

    (void)unused;
    build("skl-gt2", settings);
    for (uint64_t i = 0; i < 4096; i++) {
        msg[i] = lanes_of(i * 20, i * 64, 4, 4, 0);
        msg[i].op = MEM_WRITE;
    }
    run(msg, 4096);
    assert_int_equal(mem_stats(mem)->l3_writebacks, 4096 - 128);
    assert_true(mem_stats(mem)->dram_writes >= 4096 - 128 - 1024);
    assert_int_equal(mem_stats(mem)->dram_reads, 0);
    over();
}

static void atomics_on_one_word_take_turns(void **unused)
{
    struct mem_msg msg[2] = {lanes_of(1000, 4096, 0, 4, 2), drive_read(1001, 4096)};

    (void)unused;
    build("skl-gt2", plain);
    (void)latency_of(drive_read(0, 4096));
    msg[0].op = MEM_ATOMIC;
    run(msg, 2);
    assert_int_equal(done[0].cycle, 1000 + l3_hit());
    assert_int_equal(done[1].cycle, 1000 + 16 + l3_hit());
    over();
}

static void a_bad_configuration_is_refused(void **unused)
{
    static const char *const bad[] = {
        "l3.banks=3",     "llc.size=7M",     "dram.write_high=65", "dram.write_low=60",
        "l3.ways_slm=65", "tlb.entries=500", "page.bytes=5000"};
    struct igpu_err err;

    (void)unused;
    for (unsigned i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        struct mem_system *none;

        assert_int_equal(igpu_config_preset(&config, "skl-gt2", &err), IGPU_OK);
        assert_int_equal(igpu_config_check_memory(&config, &err), IGPU_OK);
        assert_int_equal(igpu_config_set(&config, bad[i], &err), IGPU_OK);
        err.text[0] = 0;
        assert_int_equal(mem_create(&none, &config, &err), IGPU_USAGE);
        assert_null(none);
        assert_non_null(strstr(err.text, "."));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_l3_hit_takes_what_the_sum_says),
        cmocka_unit_test(an_llc_hit_takes_what_the_sum_says),
        cmocka_unit_test(dram_takes_closed_hit_or_conflict_time),
        cmocka_unit_test(an_idle_row_is_closed),
        cmocka_unit_test(a_tlb_miss_adds_its_walk),
        cmocka_unit_test(walks_beyond_tlb_walks_wait_for_one_to_end),
        cmocka_unit_test(a_page_s_lines_share_a_walk_unless_told_not_to),
        cmocka_unit_test(lines_that_others_wrote_are_written_when_they_give_way),
        cmocka_unit_test(edram_answers_before_dram_would),
        cmocka_unit_test(messages_without_lanes_take_no_place),
        cmocka_unit_test(a_gather_takes_a_cycle_a_line),
        cmocka_unit_test(writes_take_no_place_and_slm_its_own),
        cmocka_unit_test(a_word_written_in_part_holds_its_bank),
        cmocka_unit_test(two_misses_of_one_line_are_one_fetch),
        cmocka_unit_test(full_mshrs_hold_a_bank),
        cmocka_unit_test(the_l3_gives_64_bytes_a_cycle_and_subslice),
        cmocka_unit_test(slm_takes_as_long_as_the_l3),
        cmocka_unit_test(a_fence_waits_for_its_threads_writes),
        cmocka_unit_test(writes_allocate_without_a_fetch),
        cmocka_unit_test(modified_lines_reach_dram),
        cmocka_unit_test(atomics_on_one_word_take_turns),
        cmocka_unit_test(a_bad_configuration_is_refused)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
