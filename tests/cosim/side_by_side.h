/* side_by_side.h - a whole trace on the C reference and on another engine at once. */
#ifndef SIDE_BY_SIDE_H
#define SIDE_BY_SIDE_H
#include <stdint.h>

#include "igpu/config.h"
#include "igpu/host.h"

/* Compares events, ends and every launch's statistics of the trace at `path`; fails the
 * test at the first that differs, naming `seed`, of which the trace was made. */
void check_side_by_side(const char *path, const struct igpu_config *config,
                        const struct host_engine_ops *other, uint64_t seed);

#endif
