/* clock.h - ticks of a clock and picoseconds. Tick n of a clock of f Hz happens at
 * floor(n x 10^12 / f) ps; all clocks start at 0. Tests: tests/csim/test_mem_parts.c */
#ifndef MEM_CLOCK_H
#define MEM_CLOCK_H
#include <stdint.h>

/* When tick `tick` of a clock of `hz` (1..10^10) happens. */
uint64_t clock_ps(uint64_t tick, uint64_t hz);

/* The first tick that happens at `ps` or later. */
uint64_t clock_tick(uint64_t ps, uint64_t hz);

/* A clock that goes forward: the same results as clock_ps(), cheaper. */
struct clock {
    uint64_t hz, tick, ps;
    uint64_t rest;            /* tick x 10^12 - ps x hz */
    uint64_t step, step_rest; /* one period, and its rest */
};

void clock_init(struct clock *clock, uint64_t hz);
/* Go to `tick`, which is not before clock->tick. */
void clock_go(struct clock *clock, uint64_t tick);
#endif
