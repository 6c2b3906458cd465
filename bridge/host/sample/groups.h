/* groups.h - launches of a trace that execute the same (docs/guide/sampling.md, section
 * 4): which belong together, and what those that are simulated say of the others. */
#ifndef IGPU_SAMPLE_GROUPS_H
#define IGPU_SAMPLE_GROUPS_H
#include "bridge/host/sample/launches.h"
#include "bridge/host/sample/likes.h"

struct group {
    uint32_t first;   /* row that began it */
    uint32_t last;    /* that was simulated last */
    uint32_t skips;   /* left out, */
    uint64_t skipped; /* their instructions */
    struct likes likes;
};

struct grouping {
    struct launches *l;
    struct trace_reader *reader;
    uint32_t first; /* launch of row 0 */
    struct group *group;
};

/* Rows and groups of the launches first..last, which exist. groups_free() and
 * launches_free() are the caller's after every call. */
enum igpu_status groups_make(struct grouping *g, struct trace_reader *reader,
                             uint32_t first, uint32_t last, struct launches *l,
                             struct igpu_err *err);
void groups_free(struct grouping *g);

/* In the order of the rows: this one was simulated, and has its result; or is left out.
 */
void groups_take(struct grouping *g, uint32_t row);
void groups_leave(struct grouping *g, uint32_t row);
/* None was told: all rows will be, from the first one on. */
void groups_again(struct grouping *g);
/* All rows were told: those left out become as the others of their group, and *l has
 * its total. */
void groups_end(struct grouping *g);
#endif
