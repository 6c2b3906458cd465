/* rtl_parts.h - the Verilated parts of a GPU as C objects: one EU, the local
 * dispatcher with send arbiter and decode of one tile, the global dispatcher. Each
 * has a step of one cycle. Reset is after making; rst resets registers too. */
#ifndef IGPU_RTL_PARTS_H
#define IGPU_RTL_PARTS_H
#include "bridge/rtl/rtl_shim.h"

enum { RTL_STORE_DEPTH = 16384 }; /* instructions; STORE_DEPTH of igpu_dpi.sv */
#define RTL_NEVER UINT64_MAX

struct rtl_eu {
    const struct rtl_shim *shim;
    struct rtl_eu_shows shows;
    struct rtl_eu_ports p;
};

struct rtl_local {
    const struct rtl_shim *shim;
    struct rtl_local_ports p;
};

struct rtl_global {
    const struct rtl_shim *shim;
    struct rtl_global_ports p;
};

/* ---- EU: `tile` is the context of its DPI imports ---- */
void rtl_eu_make(struct rtl_eu *eu, const struct rtl_shim *shim, void *context,
                 const char *name, void *tile, unsigned number);
void rtl_eu_rst(struct rtl_eu *eu);
void rtl_eu_store(struct rtl_eu *eu, uint32_t index, const struct uop *uop,
                  uint32_t ctl, uint8_t dur);
/* Decide a cycle and report what the EU does in it; eu->shows follows. Returns: its
 * message or its end are new. */
static inline bool rtl_eu_decide(struct rtl_eu *eu, uint64_t cycle)
{
    return eu->shim->eu_decide(eu->p.model, cycle, &eu->shows);
}
/* What the EU is given in a cycle, for rtl_eu_take: a response; the first run
 * (struct rtl_opened) of a thread opened in the cycle before; the arbiter's grant. */
void rtl_eu_done(struct rtl_eu *eu, const struct host_done *done);
void rtl_eu_open(struct rtl_eu *eu, unsigned slot, uint64_t run);
void rtl_eu_grant(struct rtl_eu *eu);
/* Take them; eu->shows follows. */
static inline void rtl_eu_take(struct rtl_eu *eu, uint64_t cycle)
{
    eu->shim->eu_take(eu->p.model, cycle, &eu->shows);
}
/* shows.wake: the next cycle to decide if nothing is given before; shows.from: the
 * first in which the waiting message can be granted. RTL_EU_NEVER: none. */
#define RTL_EU_NEVER ((UINT64_C(1) << 48) - 1)

/* ---- local dispatcher, send arbiter, decode ---- */
struct rtl_opened {
    uint64_t run; /* first run: wait * 2^48 + length * 2^32 + first index */
    uint8_t eu, slot;
    bool valid;
};
void rtl_local_make(struct rtl_local *local, const struct rtl_shim *shim, void *context,
                    const char *name, void *tile);
void rtl_local_config(struct rtl_local *local, uint8_t addr, uint8_t data);
void rtl_local_launch(struct rtl_local *local);
void rtl_local_decode(struct rtl_local *local, uint64_t uctl, uint32_t *ctl,
                      uint8_t *dur);
/* A cycle of the dispatcher: a START or NULL; which EUs end a thread (a bit each) and
 * in which slot (three bits each). */
struct rtl_opened rtl_local_step(struct rtl_local *local,
                                 const struct host_start *start, uint8_t end,
                                 uint32_t end_slot);
/* A cycle of the send arbiter: which EUs request and need a credit, a bit each; a
 * credit comes back. Returns the grant, one bit or none. */
uint8_t rtl_local_send(struct rtl_local *local, uint8_t req, uint8_t port, bool credit);

/* ---- global dispatcher ---- */
struct rtl_ends {
    uint64_t cycle;                 /* in which they take effect */
    uint64_t valid;                 /* eight bits a tile, one an EU */
    uint64_t bslot[HOST_MAX_TILES]; /* five bits an EU */
};
struct rtl_dispatch {
    uint64_t next; /* next cycle to step if no end comes before; RTL_NEVER: none */
    uint32_t thread;
    uint8_t start; /* tile that gets a thread, a bit each */
    uint8_t bslot;
    bool over; /* the last end takes effect */
};
void rtl_global_make(struct rtl_global *global, const struct rtl_shim *shim,
                     void *context, const char *name);
void rtl_global_config(struct rtl_global *global, uint8_t addr, uint8_t data);
void rtl_global_launch(struct rtl_global *global, const struct host_launch *launch);
struct rtl_dispatch rtl_global_step(struct rtl_global *global, uint64_t cycle,
                                    const struct rtl_ends *ends);
#endif
