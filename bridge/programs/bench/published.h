/* published.h - look-ups in published.def. */
#ifndef BRIDGE_BENCH_PUBLISHED_H
#define BRIDGE_BENCH_PUBLISHED_H
#include <stdint.h>

/* Nanoseconds of one step of a chase over `bytes`; agent: "gpu" or "cpu". NaN: not
 * published. *source, unless NULL, gets where it is from. */
double published_latency(const char *config, const char *agent, uint64_t bytes,
                         const char **source);
/* A cell of the interference tables 'a' to 'd'; NaN: not published. */
double published_cell(char table, uint64_t row_mb, uint64_t column_mb);

/* Per cent by which `ours` lies above `published`; NaN when that is NaN. */
double published_error(double ours, double published);
#endif
