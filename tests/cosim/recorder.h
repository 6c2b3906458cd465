/* recorder.h - one engine of a co-simulation: feeds it each thread's path and
 * keeps what it reports in a window. */
#ifndef RECORDER_H
#define RECORDER_H
#include <stdbool.h>
#include <stdint.h>

#include "igpu/host.h"
#include "random_trace.h"

enum event_kind { EV_OPEN, EV_ISSUE, EV_MSG, EV_END };

struct event {
    uint64_t cycle;
    uint32_t value; /* OPEN: thread; ISSUE, MSG: uop; END: 0 */
    uint8_t tile, eu, slot;
    uint8_t kind;  /* enum event_kind */
    uint8_t extra; /* OPEN, END: barrier slot; ISSUE: unit */
};

struct rec_thread {
    const struct rt_path *path;
    uint32_t at, given; /* the run that goes next, instructions of it that went */
    bool branches; /* the last that went ends in a branch whose way is not known, */
    bool none;     /* ... and so it was answered */
};

struct recorder {
    const struct rt_case *c;
    unsigned launch; /* current one */
    uint32_t events, capacity;
    struct event *event;
    bool failed; /* out of memory, or asked for a run behind the last */
    struct rec_thread thread[HOST_MAX_TILES][HOST_EUS][HOST_SLOTS];
};

void rec_init(struct recorder *r, const struct rt_case *c);
void rec_free(struct recorder *r);
/* The calls to give to the engine. */
struct host_calls rec_calls(struct recorder *r);
/* Bring the events into one order, whatever order the engine reported in. */
void rec_sort(struct recorder *r);
bool event_equal(const struct event *a, const struct event *b);
/* Order of rec_sort(): cycle, tile, EU, kind, slot. */
int event_compare(const struct event *a, const struct event *b);
/* "issues uop 12 to FPU1 in tile 0 EU 3 slot 2 at cycle 99" */
void event_describe(const struct event *e, char *buf, unsigned size);
#endif
