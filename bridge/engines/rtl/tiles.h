/* tiles.h - the parts of the default engine: what engine_tiles.c (tiles, dispatchers,
 * host.h) and tile_eu.c (one EU) share. */
#ifndef IGPU_TILES_H
#define IGPU_TILES_H
#include "bridge/engines/rtl/rtl_pool.h"
#include "bridge/engines/rtl/rtl_shim.h"
#include "bridge/engines/rtl/rtl_tile.h"
#include "igpu/output.h"

enum {
    TILE_QUEUE =
        256, /* tokens under way to a tile: at most 56 threads, 127 responses */
    TILE_RING =
        256, /* cycles of ends under way: disp.end_latency + window, below 128 */
    TILE_AHEAD = 64, /* cycles for which a tile keeps who is due */
    TILE_SEND = 2,   /* units */
    TILE_BRANCH = 3,
    TILE_SENDS = 4,     /* messages of an EU's queue */
    TILE_DONES = 128,   /* responses under way to an EU */
    TILE_STAMP = 0x7ff, /* cycles modulo this + 1 */
    TILE_OLD = 256      /* igpu_eu_flat: s0_old_i */
};

/* Ends of one tile that take effect in one cycle. */
struct tile_ends {
    uint64_t cycle;
    uint64_t bslot; /* five bits an EU */
    uint8_t valid;  /* one bit an EU */
};

/* A message that an EU has issued. It joins the send queue at the end of `cycle`, the
 * one before it can be granted: until then SEND is occupied, and nobody asks whether
 * the queue is full. */
struct tile_push {
    uint64_t cycle;
    struct rtl_push word;
};

/* An EU runs ahead of its tile's time, up to the next cycle in which an input could
 * reach it; what it sends waits here for that time. */
struct tile_eu {
    void *model;
    uint64_t wake;     /* next cycle with work, by itself or for what it is given */
    uint64_t last;     /* its last visit */
    bool full;         /* its send queue */
    uint8_t branching; /* threads, a bit each, whose next run is not known yet */
    uint8_t sends;     /* messages issued and not granted; of them not in the queue: */
    uint8_t push_head, push_tail;
    struct tile_push push[TILE_SENDS];
    uint64_t done_at; /* the oldest response is given in this cycle, or RTL_NEVER */
    uint32_t done_head, done_tail;
    struct host_done done[TILE_DONES];
    struct rtl_visit given;
    struct host_counts counts; /* where the host does not want issues */
    const uint8_t *holds;      /* rtl_shim.eu_held */
    /* Where somebody lists issues: the same before the last visit; a thread's run is
     * there from then on; its last fetch, and from when on that was there. */
    uint8_t held;
    uint64_t from[8], fetched[8], there[8];
};

/* Threads of a tile that end in one cycle. */
struct tile_ended {
    uint8_t who;            /* EUs, one bit each */
    uint32_t slot;          /* three bits an EU */
    uint8_t left[HOST_EUS]; /* until no unit of the EU is occupied */
};

struct tile_live {
    struct rtl_tile dpi; /* what the RTL knows as its context */
    void *local;
    struct tile_eu eu[HOST_EUS];
    uint64_t pend;           /* bit t % TILE_AHEAD: due[t % TILE_AHEAD] is not 0 */
    uint8_t due[TILE_AHEAD]; /* EUs to look at, by cycle % TILE_AHEAD */
    uint8_t req, port;       /* EUs whose message can be granted; needs a credit */
    uint8_t denied;          /* req when the arbiter last granted none */
    struct tile_ended ended[TILE_AHEAD]; /* by cycle % TILE_AHEAD */
    struct rtl_opened opened;            /* in the cycle before */
    uint32_t start_head, start_tail, done_head, done_tail;
    struct host_start start[TILE_QUEUE];
    struct host_done done[TILE_QUEUE];
    uint64_t ends_last;               /* the last cycle in which ends take effect */
    struct tile_ends ends[TILE_RING]; /* that take effect in cycle mod TILE_RING */
};

struct tiles {
    const struct rtl_shim *shim;
    struct igpu_config config;
    struct host_calls calls;
    unsigned tiles, eus;
    uint64_t now, until;
    void *context;
    struct rtl_pool *pool;    /* NULL: one host thread */
    struct igpu_output waves; /* file: NULL without */
    void *global;
    uint64_t global_next;
    bool over;
    uint64_t end;
    struct uop *uops;
    uint8_t *occ; /* of each: for how long it occupies its unit */
    struct tile_live tile[HOST_MAX_TILES];
};

/* EU i of the tile is visited in cycle `at`, too, if not before; `next` is the next
 * cycle that the tile may execute. */
void tile_wake(struct tile_live *t, unsigned i, uint64_t at, uint64_t next);
/* Its send queue at the end of a cycle: a message joins, or NULL; the oldest leaves. */
struct rtl_queue tile_queue(const struct tiles *e, struct tile_live *t, unsigned i,
                            uint64_t cycle, const struct rtl_push *push, bool grant);
/* What the tile's EUs have to do in a cycle; they may run ahead of it. */
void tile_eus_due(struct tiles *e, struct tile_live *t, uint64_t cycle);
#endif
