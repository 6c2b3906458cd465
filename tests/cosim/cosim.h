/* cosim.h - two engines on one random case, window by window: every issue,
 * message, open, end and launch end has to be the same. Can not find: what both
 * engines do wrong alike, and what the generator never does. */
#ifndef COSIM_H
#define COSIM_H
#include <stdbool.h>
#include <stdint.h>

#include "igpu/host.h"
#include "random_trace.h"

/* An engine and the way in which it is driven through a window. */
struct cosim_engine {
    const char *label;
    const struct host_engine_ops *ops;
    uint32_t slice; /* cycles of one run(); 0: the whole window */
    bool skip;      /* use next_event() and skip() */
};

struct cosim_totals {
    uint64_t cycles, issues, messages, threads, dones;
};

struct event;

struct cosim_report {
    struct cosim_totals totals; /* of engine a; added to */
    char text[1024];            /* the first difference, in words */
    uint64_t budget;            /* compare a case's first cycles; 0: all */
    /* Unless NULL, gets every event of both engines (side 0: a, 1: b), those of an
     * engine in the order of event_compare(). */
    void (*see)(void *ctx, unsigned side, const struct event *event);
    void *see_ctx;
};

/* Run *c on a and b. True: no difference. Windows are as long as the contract
 * allows, or random ones up to it. */
bool cosim_run(const struct rt_case *c, const struct cosim_engine *a,
               const struct cosim_engine *b, struct cosim_report *report);
#endif
