/* clock.c - see igpu/clock.h. */
#include "igpu/clock.h"

uint64_t igpu_nanoseconds(int which)
{
    struct timespec t;

    (void)clock_gettime(which, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

double igpu_seconds(int which)
{
    return (double)igpu_nanoseconds(which) * 1e-9;
}

struct timespec igpu_in(time_t seconds, long nanoseconds)
{
    const long second = 1000000000;
    struct timespec t;

    (void)clock_gettime(CLOCK_REALTIME, &t);
    t.tv_nsec += nanoseconds;
    t.tv_sec += seconds + t.tv_nsec / second;
    t.tv_nsec %= second;
    return t;
}
