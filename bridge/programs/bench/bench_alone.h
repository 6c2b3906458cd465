/* bench_alone.h - CPU agents without any GPU work, reported like a launch. */
#ifndef BRIDGE_BENCH_ALONE_H
#define BRIDGE_BENCH_ALONE_H
#include <stdint.h>
#include <stdio.h>

#include "igpu/config.h"

/* Run the agents of *config: `warm` accesses, then `measured` ones, whose statistics
 * go to `out` as stats_write_csv() writes them. */
enum igpu_status bench_alone(FILE *out, const struct igpu_config *config, uint64_t warm,
                             uint64_t measured, struct igpu_err *err);
#endif
