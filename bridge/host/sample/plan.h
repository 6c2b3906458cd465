/* plan.h - which groups of a launch are simulated: windows of its grid, the first at
 * its begin, the last at its end, the others one in each equal stratum between, at
 * random in it (docs/guide/sampling.md, section 2). Tests:
 * tests/bridge/test_sample_plan.c */
#ifndef IGPU_SAMPLE_PLAN_H
#define IGPU_SAMPLE_PLAN_H
#include <stdint.h>

#include "igpu/config.h"

enum { SAMPLE_MOST_STRATA = 256, SAMPLE_FIRST_STRATA = 8, SAMPLE_FEWEST_STRATA = 4 };

/* The first `lead` of its groups bring the machine into its stride and are not
 * measured. */
struct sample_window {
    uint64_t first, groups, lead;
};

struct sample_shape {
    uint64_t groups, group_threads;
    uint64_t at_once;          /* groups that the device holds at a time */
    double group_instructions; /* of hardware threads, mean of a group or a guess */
    uint64_t head; /* fillings of the device at the launch's begin, at least */
    uint64_t seed;
};

struct sample_plan {
    uint32_t windows; /* 2 more than strata; 0: the launch is simulated whole */
    struct sample_window window[SAMPLE_MOST_STRATA + 2];
};

/* Groups that a device of *config holds at a time. `pinned`: the kernel uses barriers
 * or SLM, slm_kb of it a group. At least 1. */
uint64_t sample_at_once(const struct igpu_config *config, uint64_t group_threads,
                        bool pinned, uint64_t slm_kb);
/* False, and windows 0: the strata would be less than half of the launch, or windows
 * more than half of these. Of twice as many strata the plan has the same windows, and
 * others. */
bool sample_plan_make(struct sample_plan *plan, const struct sample_shape *shape,
                      uint32_t strata);
/* Groups from the end of the window before window i to its begin. */
struct sample_window sample_plan_gap(const struct sample_plan *plan, uint32_t i);
/* Groups of stratum i - 1, in which window i lies; 0 < i < windows - 1. */
struct sample_window sample_plan_stratum(const struct sample_plan *plan, uint32_t i);
#endif
