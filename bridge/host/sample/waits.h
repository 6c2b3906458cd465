/* waits.h - the profile of a launch (igpu/profile.h) of which windows were simulated,
 * as that of all of it (docs/guide/profile.md).
 *
 * What a stratum leaves out waits, a thread instruction, as the measured threads of its
 * window did, reason by reason; so the reasons' thread-cycles add up as the cycles do.
 */
#ifndef IGPU_SAMPLE_WAITS_H
#define IGPU_SAMPLE_WAITS_H
#include "bridge/host/sample/measure.h"

/* A launch's profile, by itself or in a row of launches. */
struct waits_profile {
    struct profile_result result;
    bool sampled;                 /* not all was simulated */
    double half[PROFILE_REASONS]; /* half of the interval of each reason's cycles */
};
void waits_profile_free(struct waits_profile *w); /* what it holds; NULL is allowed */

/* While a launch's simulations follow each other. */
struct waits {
    struct profile_result sum; /* of all of them */
    uint64_t first[PROFILE_REASONS];
    bool begun;
};
void waits_free(struct waits *w);
/* Take *r, of a simulation of m's windows of groups of so many threads: what they
 * waited goes into *m, the rest into *w. `first`: windows of the first simulation that
 * are not added ones. IGPU_NO_MEMORY: memory is short. */
enum igpu_status waits_take(struct waits *w, struct profile_result *r,
                            uint64_t group_threads, struct measure *m, uint32_t first,
                            struct igpu_err *err);
/* All of the launch, of which *all has the windows that count: it takes `cycles`, has
 * these totals and threads, on a machine of `slots` thread slots. *w gives what it has.
 */
void waits_whole(struct waits *w, const struct measure *all, double cycles,
                 const struct trace_launch *launch, uint64_t slots,
                 struct waits_profile *to);
#endif
