/* clock.c - see clock.h. */
#include "csim/mem/clock.h"

enum { MICRO = 1000000 }; /* 10^12 is applied as 10^6 twice: no overflow */

/* tick x 10^12 / hz, with the division's rest in *rest. */
static uint64_t divide(uint64_t tick, uint64_t hz, uint64_t *rest)
{
    uint64_t whole = tick / hz, left = tick % hz;
    uint64_t micro = left * MICRO / hz;

    left = left * MICRO % hz;
    *rest = left * MICRO % hz;
    return (whole * MICRO + micro) * MICRO + left * MICRO / hz;
}

uint64_t clock_ps(uint64_t tick, uint64_t hz)
{
    uint64_t rest;

    return divide(tick, hz, &rest);
}

uint64_t clock_tick(uint64_t ps, uint64_t hz)
{
    const uint64_t tera = (uint64_t)MICRO * MICRO;
    /* An estimate; the loops make it exact. */
    uint64_t tick =
        ps / tera * hz + (uint64_t)((double)(ps % tera) * (double)hz / 1e12);

    while (tick > 0 && clock_ps(tick - 1, hz) >= ps)
        tick--;
    while (clock_ps(tick, hz) < ps)
        tick++;
    return tick;
}

void clock_init(struct clock *clock, uint64_t hz)
{
    clock->hz = hz;
    clock->tick = clock->ps = clock->rest = 0;
    clock->step = divide(1, hz, &clock->step_rest);
}

void clock_go(struct clock *clock, uint64_t tick)
{
    if (tick == clock->tick + 1) {
        clock->ps += clock->step;
        clock->rest += clock->step_rest;
        if (clock->rest >= clock->hz) {
            clock->rest -= clock->hz;
            clock->ps++;
        }
    } else if (tick != clock->tick) {
        clock->ps = divide(tick, clock->hz, &clock->rest);
    }
    clock->tick = tick;
}
