/* check.h - two engines side by side: every issue, message, open and end must be
 * the same, in the same cycle, and at the end every statistic. */
#ifndef IGPU_CHECK_H
#define IGPU_CHECK_H
#include "bridge/host/sim/sim.h"

struct check;

/* Compare sims a and b (both created with options.log over the same trace and
 * configuration); they stay the caller's. */
enum igpu_status check_create(struct check **check, struct sim *a, struct sim *b,
                              struct igpu_err *err);
void check_destroy(struct check *check);

/* Step the sim that is behind, and compare what both have passed. SIM_FAILED: a
 * sim failed or they differ; check_status() says in words. */
enum sim_state check_step(struct check *check);
enum igpu_status check_status(const struct check *check, struct igpu_err *err);
/* Events compared so far. */
uint64_t check_events(const struct check *check);
#endif
