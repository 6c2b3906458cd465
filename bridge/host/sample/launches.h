/* launches.h - the launches of a trace, some of them simulated, the others as those
 * that execute the same (docs/guide/sampling.md, section 4). */
#ifndef IGPU_SAMPLE_LAUNCHES_H
#define IGPU_SAMPLE_LAUNCHES_H
#include "bridge/host/sample/machine.h"

/* One launch, all of it: statistics are extrapolated. */
struct launches_row {
    struct sim_stats stats;
    double cycles, statistical, allowed; /* as in struct estimate */
    uint64_t span;                       /* cycles to the next launch's begin */
    uint64_t threads;                    /* simulated; 0: it stands for others */
    uint32_t group, windows;
    struct waits_profile *profile; /* with machine.profile; NULL where threads are 0 */
    uint32_t stands_for; /* launches: it and those left out that are as it is */
};

struct launches {
    struct launches_row *row;
    uint32_t count, groups, simulated;
    struct launches_row total; /* .stats.run_cycles: to the last launch's end */
};

/* Launches first..last of the machine's trace, one after the other; options NULL: all
 * of them, whole. *l is freed by launches_free() after every call. */
enum igpu_status launches_run(struct launches *l, struct machine *m, uint32_t first,
                              uint32_t last, const struct sample_options *options,
                              struct igpu_err *err);
/* One launch, whole or sampled. */
enum igpu_status launches_one(struct launches_row *row, struct machine *m,
                              uint32_t launch, const struct sample_options *options,
                              struct igpu_err *err);
/* More launches follow: the total's cycles go to the next one's begin. */
void launches_go_on(struct launches *l);
void launches_free(struct launches *l);
#endif
