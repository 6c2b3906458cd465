/* clock.c - see clock.h. */
#include "csim/mem/clock.h"

void clock_init(struct clock *clock, uint64_t hz)
{
    clock->hz = hz;
    clock->tick = clock->ps = clock->rest = 0;
    clock->step = clock_divide(1, hz, &clock->step_rest);
}
