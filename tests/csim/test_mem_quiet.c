/* test_mem_quiet.c - when the memory side is quiet (docs/contract/memory.md, section
 * 1): the cycle from which the next launch may begin. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "igpu/cpu.h"
#include "tests/csim/mem_driver.h"
#include "tests/support/rng.h"

/* Writes over small caches, then silence: run in steps of `window` until the memory
 * side is quiet. *seen: up to where it had run when it first said so. */
static struct mem_drain drain_writes(uint64_t seed, uint64_t window, uint64_t *seen)
{
    struct rng r = {seed * UINT64_C(0x9e3779b97f4a7c15)};
    uint64_t left = 64 + lcg_below(&r.state, 400), next = lcg_below(&r.state, 40);
    struct igpu_config config;
    struct mem_drain drain;
    struct mem_system *mem;
    struct mem_done done;
    uint64_t cycle = 0, last = 0;

    assert_int_equal(igpu_config_preset(&config, "skl-gt2", NULL), IGPU_OK);
    config.l3_sets = config.l3_ways = config.l3_ways_slm = 1;
    config.llc_size = 16384;
    config.dram_clock_hz = (2 + lcg_below(&r.state, 9)) * 100000000;
    config.edram_size = seed % 3 == 0 ? 1 << 20 : 0;
    config.dp_in_latency = lcg_below(&r.state, 64);
    config.dp_out_latency = 1 + lcg_below(&r.state, 63);
    config.cpu_agent = seed % 4 == 0 ? CPU_STREAM : CPU_NONE;
    config.cpu_ws = 1 << 20;
    if (window == 0)
        window = mem_min_latency(&config);
    assert_int_equal(mem_create(&mem, &config, NULL), IGPU_OK);
    for (;;) {
        /* The last come so fast that the ways below fill up. */
        for (; left > 0 && next<cycle + window; left--, next += left> 60
                   ? 1 + lcg_below(&r.state, 60)
                   : 1) {
            struct mem_msg msg =
                drive_read(next, (uint64_t)lcg_below(&r.state, 1 << 14) * 64);

            msg.op = (uint8_t)(lcg_below(&r.state, 8) ? MEM_WRITE : MEM_READ);
            msg.bytes = (uint16_t)(lcg_below(&r.state, 2) ? 64 : 4);
            mem_send(mem, &msg);
        }
        cycle += window;
        mem_run(mem, cycle);
        if (left == 0 && mem_drained(mem, &drain))
            break;
        while (mem_take(mem, cycle + window, &done))
            last = done.cycle;
    }
    *seen = cycle;
    while (mem_take(mem, UINT64_MAX, &done))
        last = done.cycle;
    assert_int_equal(drain.answered, last);
    assert_true(drain.quiet >= drain.answered && drain.quiet >= cycle);
    if (window == 1) /* it says so as soon as the last thing happened */
        assert_true(cycle + config.dp_in_latency + config.dp_out_latency <=
                    drain.quiet + 1);
    assert_int_equal(mem_check(mem, NULL), IGPU_OK);
    mem_destroy(mem);
    return drain;
}

/* docs/contract/memory.md, section 1: known when it happens, whatever the window. */
static void quiet_is_when_the_last_write_is_in_its_place(void **unused)
{
    unsigned behind = 0;

    (void)unused;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        uint64_t seen[2];
        struct mem_drain one = drain_writes(seed, 1, &seen[0]);
        struct mem_drain most = drain_writes(seed, 0, &seen[1]);

        assert_int_equal(one.answered, most.answered);
        assert_int_equal(one.quiet, most.quiet);
        behind += one.quiet > one.answered + 100;
    }
    assert_true(behind > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quiet_is_when_the_last_write_is_in_its_place)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
