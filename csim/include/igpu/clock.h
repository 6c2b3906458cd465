/* clock.h - the host's clocks, of CLOCK_MONOTONIC and the like. What is simulated never
 * looks at them. */
#ifndef IGPU_CLOCK_H
#define IGPU_CLOCK_H
#include <stdint.h>
#include <time.h>

uint64_t igpu_nanoseconds(int which);
double igpu_seconds(int which);
/* So long from now, for pthread_cond_timedwait(); less than a second of nanoseconds. */
struct timespec igpu_in(time_t seconds, long nanoseconds);

#endif
