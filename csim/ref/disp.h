/* disp.h - the global dispatcher (docs/contract/model.md section 2). */
#ifndef REF_DISP_H
#define REF_DISP_H
#include <stdbool.h>
#include <stdint.h>

#include "igpu/host.h"

enum {
    REF_BARRIERS = 16, /* barrier slots of a subslice, at most */
    /* Ends and starts of a tile under way: below this, as the dispatcher has
     * taken one of at most 56 slots for each. A power of two. */
    REF_RING = 64
};

/* A dispatched thread; `cycle`: when its START takes effect. */
struct ref_start {
    uint64_t cycle;
    uint32_t thread;
    uint8_t tile, bslot;
};

/* What is free in a subslice, and its ENDs that have not taken effect. */
struct ref_subslice {
    uint32_t slots, slm_kb, barriers; /* barriers: bit set */
    uint32_t threads[REF_BARRIERS];   /* not ended, of the group in a barrier slot */
    uint32_t end_first, end_count;    /* ring end[] */
    struct {
        uint64_t cycle; /* takes effect */
        uint8_t bslot;
    } end[REF_RING];
};

struct ref_disp {
    struct igpu_config config;
    struct host_launch launch;
    uint64_t now;    /* next cycle to simulate */
    uint64_t try_at; /* next cycle in which it may dispatch */
    bool blocked;    /* nothing fits until an END takes effect */
    bool over;
    uint64_t end;        /* the latest END so far */
    uint32_t thread;     /* next to dispatch */
    uint32_t ended;      /* threads whose END took effect */
    uint32_t group_left; /* threads of the current pinned group to dispatch */
    uint8_t group_tile, group_bslot;
    uint8_t rr;
    struct ref_subslice sub[HOST_MAX_TILES];
};

void ref_disp_init(struct ref_disp *d, const struct igpu_config *config);
void ref_disp_launch(struct ref_disp *d, const struct host_launch *launch);
/* It has so many threads, of which some are not dispatched yet. */
void ref_disp_extend(struct ref_disp *d, uint32_t threads);
/* An END of `tile` that takes effect at `cycle`; cycles ascend for one tile. */
void ref_disp_end(struct ref_disp *d, unsigned tile, uint64_t cycle, uint8_t bslot);
/* Simulate to `until` or to the next dispatch before it. True: *start is that
 * dispatch, and the call is to be repeated. */
bool ref_disp_run(struct ref_disp *d, uint64_t until, struct ref_start *start);
/* The next cycle in which it may do something, or HOST_NEVER. */
uint64_t ref_disp_next(const struct ref_disp *d);
#endif
