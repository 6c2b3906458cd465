/* icache.h - the instruction cache of one subslice (docs/contract/model.md
 * section 4.8): when a run of instructions that is delivered to an EU can be fetched.
 *
 * An engine has one for each subslice and asks for every run that it delivers. The
 * answers do not depend on the order in which EUs ask, as long as an EU's own cycles
 * ascend and no question is icache.miss cycles or more behind another EU's. Nor does
 * what is told of lines that were not there.
 * Lines have 64 bytes of the kernel's text. Times are in cycles.
 * Tests: tests/csim/test_icache.c */
#ifndef IGPU_ICACHE_H
#define IGPU_ICACHE_H
#include <stdbool.h>
#include <stdint.h>

#include "igpu/config.h"
#include "igpu/err.h"
#include "igpu/uop.h"

enum { ICACHE_LINE_BYTES = 64, ICACHE_EUS = 8 };

struct icache;

/* Whose run: a slot of an EU (0..7), and how many runs that slot's thread was given
 * behind it. */
struct icache_who {
    uint8_t eu, slot, behind;
};

static inline struct icache_who icache_of(unsigned eu, unsigned slot)
{
    struct icache_who who = {(uint8_t)eu, (uint8_t)slot, 0};

    return who;
}

/* Of the lines of its run: those that were requested from the L3, and those that its EU
 * had requested in a cycle before. */
typedef void (*icache_missed)(void *ctx, unsigned tile, struct icache_who who,
                              uint32_t misses, uint32_t merged);

static inline uint32_t icache_first_line(const struct uop *u)
{
    return u->at / ICACHE_LINE_BYTES;
}

static inline uint32_t icache_last_line(const struct uop *u)
{
    return (u->at + (u->bytes > 0 ? u->bytes - 1u : 0)) / ICACHE_LINE_BYTES;
}

/* An empty cache for *config; icache_load() comes before anything else.
 * IGPU_SIM_ERROR: out of memory. NULL may be destroyed. */
enum igpu_status icache_create(struct icache **cache, const struct igpu_config *config,
                               struct igpu_err *err);
void icache_destroy(struct icache *cache);
/* Another kernel; uops[0..count) stay the caller's and are used until the next load.
 * IGPU_SIM_ERROR: out of memory (then there are no misses). */
enum igpu_status icache_load(struct icache *cache, const struct uop *uops,
                             uint32_t count, struct igpu_err *err);
/* A launch begins: no line is there. */
void icache_launch(struct icache *cache);

/* From now on `missed` is told of each run that did not find all of its lines, from
 * within icache_wait(); NULL: nobody is. */
void icache_tell(struct icache *cache, icache_missed missed, void *ctx, unsigned tile);

/* A run is delivered in cycle t: its first instruction can be fetched from cycle t +
 * the result on (0, or 2 to icache.miss). */
uint32_t icache_wait(struct icache *cache, struct icache_who who, struct uop_run run,
                     uint64_t t);
/* True: whoever is asked about for this run from cycle t on, the answer will be 0, and
 * icache_wait() need not be told. Nobody is asked about for a cycle before t any more.
 */
bool icache_sure(struct icache *cache, struct uop_run run, uint64_t t);

#endif
