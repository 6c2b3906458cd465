/* depth.h - one slice's depth and stencil tests in memory: the lines that they read and
 * write pass a cache in front of the L3, one a cycle and the notes of hierarchical
 * depth beside them, in the order in which the tests are made. Contract:
 * docs/contract/fixed-functions.md, "Depth and stencil". Tests:
 * tests/csim/test_mem_depth.c */
#ifndef MEM_DEPTH_H
#define MEM_DEPTH_H
#include "csim/mem/cache.h"
#include "csim/mem/dataport.h"

enum {
    DEPTH_RUNS = MEM_MAX_LANES, /* of an item; a thread's are fewer */
    DEPTH_LATE = 64,            /* messages' at a time */
    DEPTH_QUEUE = 512           /* at least those and one for each slot; a power of 2 */
};

/* The lines of a thread's tests before it, or of a message's. */
struct depth_item {
    uint64_t came;  /* the cycle in which they take their place in the queue */
    uint64_t at;    /* they are not looked up before */
    uint64_t ready; /* the thread's payload is not there before; DEPTH_NO_THREAD */
    uint8_t tile, eu, slot;
    uint8_t run, runs; /* the next one, and how many there are */
    struct mem_depth line[DEPTH_RUNS];
};
#define DEPTH_NO_THREAD UINT64_MAX

struct depth {
    struct cache cache;    /* sets 0: there is none, and nothing is given to it */
    uint8_t *coming;       /* of each entry: its line is on its way */
    struct dataport *port; /* of every subslice, of which these are the slice's: */
    uint32_t first_port, ports;
    struct mem_stats *stats;
    uint64_t free_at; /* the next look-up's cycle */
    uint64_t last;    /* the latest one in which one was made, or a line came */
    bool stalled;     /* until a line has come */
    struct depth_item queue[DEPTH_QUEUE];
    uint32_t first, count, late; /* late: of these, messages' */
    /* A bit for each line that may be asked for, or be written back. */
    uint32_t read_free[LINES_MAX_PORTS], write_free[LINES_MAX_PORTS];
    uint32_t entry[LINES_MAX_PORTS][LINES_UNIT_ENTRIES]; /* that a read fills */
};

/* *depth is zero. ports: of all subslices. False: no memory. */
bool depth_init(struct depth *depth, uint32_t slice, const struct igpu_config *config,
                struct dataport *ports, struct mem_stats *stats);
void depth_free(struct depth *depth);
/* Behind those that came before it or in its cycle, however early they were added: a
 * thread's lines, or with item->ready DEPTH_NO_THREAD a message's, for which there
 * must be room. */
void depth_add(struct depth *depth, const struct depth_item *item);
static inline bool depth_has_room(const struct depth *depth)
{
    return depth->late < DEPTH_LATE;
}
/* PACKET_DEPTH takes effect. */
void depth_line(struct depth *depth, uint64_t now, uint32_t packet);
/* The next cycle in which depth_tick() has something to do; UINT64_MAX. */
static inline uint64_t depth_next(const struct depth *depth)
{
    uint64_t at;

    if (depth->count == 0 || depth->stalled)
        return UINT64_MAX;
    at = depth->queue[depth->first].at;
    return at > depth->free_at ? at : depth->free_at;
}
/* Look up a line, and the notes before and behind it. True: *done has no more. */
bool depth_tick(struct depth *depth, uint64_t now, struct depth_item *done);
/* Nothing waits, and all lines have come. */
bool depth_idle(const struct depth *depth);
/* Lines that are modified; call `flush` for each of them and be empty. */
uint32_t depth_modified(const struct depth *depth);
void depth_flush(struct depth *depth, void (*flush)(void *ctx, uint64_t line),
                 void *ctx);
#endif
