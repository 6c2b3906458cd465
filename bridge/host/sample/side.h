/* side.h - runs of launches that are simulated side by side, each on a machine of its
 * own that begins with what the launches before it leave in the caches. Results do not
 * depend on the number of processes. */
#ifndef IGPU_SAMPLE_SIDE_H
#define IGPU_SAMPLE_SIDE_H
#include "bridge/host/sample/launches.h"

enum { SIDE_MOST = 64 };

struct side {
    const struct machine *machine; /* its engine is made in the processes; its stop() is
                                      asked there, and here */
    const char *path;              /* of the trace that it has open */
    uint32_t first;                /* launch of row 0 */
    uint32_t earliest;             /* launch before which the caches are empty */
    uint32_t jobs;                 /* processes, 1..SIDE_MOST */
    const struct sample_options *sample; /* NULL: each launch whole */
};

/* Rows begin..end - 1. */
struct side_job {
    uint32_t begin, end;
};

/* Do `count` jobs, the first ones first. Their rows of *l get their results, except for
 * `group`; with an error *l stays as it is. */
enum igpu_status side_run(const struct side *side, const struct side_job *job,
                          uint32_t count, struct launches *l, struct igpu_err *err);
#endif
