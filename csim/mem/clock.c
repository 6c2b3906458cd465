/* clock.c - see clock.h. */
#include "csim/mem/clock.h"

void clock_init(struct clock *clock, uint64_t hz)
{
    clock->hz = hz;
    clock->tick = clock->ps = clock->rest = 0;
    clock->step = clock_divide(1, hz, &clock->step_rest);
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
        clock->ps = clock_divide(tick, clock->hz, &clock->rest);
    }
    clock->tick = tick;
}
