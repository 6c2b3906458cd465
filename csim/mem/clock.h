/* clock.h - ticks of a clock and picoseconds. Tick n of a clock of f Hz happens at
 * floor(n x 10^12 / f) ps; all clocks start at 0. Tests: tests/csim/test_mem_parts.c */
#ifndef MEM_CLOCK_H
#define MEM_CLOCK_H
#include <stdint.h>

#define CLOCK_TERA UINT64_C(1000000000000)

/* ---- asked of every event: in the header, so that it is inlined. A quotient that is
 * estimated in floating point is wrong by one at most, which the exact rest shows; the
 * products wrap around, the rest does not ---- */

/* tick x 10^12 / hz, with the division's rest in *rest. */
static inline uint64_t clock_divide(uint64_t tick, uint64_t hz, uint64_t *rest)
{
    uint64_t whole = tick < hz ? 0 : tick / hz, left = tick - whole * hz;
    uint64_t ps =
        (uint64_t)(int64_t)((double)(int64_t)left * 1e12 / (double)(int64_t)hz);

    *rest = left * CLOCK_TERA - ps * hz;
    if ((int64_t)*rest < 0) {
        ps--;
        *rest += hz;
    } else if (*rest >= hz) {
        ps++;
        *rest -= hz;
    }
    return whole * CLOCK_TERA + ps;
}

/* When tick `tick` of a clock of `hz` (1..10^10) happens. */
static inline uint64_t clock_ps(uint64_t tick, uint64_t hz)
{
    uint64_t rest;

    return clock_divide(tick, hz, &rest);
}

/* The first tick that happens at `ps` or later: ps x hz / 10^12, rounded up. */
static inline uint64_t clock_tick(uint64_t ps, uint64_t hz)
{
    uint64_t whole = ps / CLOCK_TERA, left = ps % CLOCK_TERA;
    uint64_t tick =
        (uint64_t)(int64_t)((double)(int64_t)left * (double)(int64_t)hz / 1e12);
    int64_t rest = (int64_t)(left * hz - tick * CLOCK_TERA);

    if (rest > 0)
        tick += rest > (int64_t)CLOCK_TERA ? 2 : 1;
    else if (rest <= -(int64_t)CLOCK_TERA)
        tick--;
    return whole * hz + tick;
}

/* A clock that goes forward: the same results as clock_ps(), cheaper. */
struct clock {
    uint64_t hz, tick, ps;
    uint64_t rest;            /* tick x 10^12 - ps x hz */
    uint64_t step, step_rest; /* one period, and its rest */
};

/* The ticks after the clock's of which clock_at() is cheap: those whose rests' sum has
 * 64 bits. */
#define CLOCK_AHEAD (UINT64_C(1) << 30)

/* clock_ps(tick, clock->hz) */
static inline uint64_t clock_at(const struct clock *clock, uint64_t tick)
{
    uint64_t ahead = tick - clock->tick;

    if (ahead > CLOCK_AHEAD)
        return clock_ps(tick, clock->hz);
    return clock->ps + ahead * clock->step +
           (clock->rest + ahead * clock->step_rest) / clock->hz;
}

void clock_init(struct clock *clock, uint64_t hz);
/* Go to `tick`, which is not before clock->tick. */
static inline void clock_go(struct clock *clock, uint64_t tick)
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
#endif
