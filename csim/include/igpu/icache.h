/* icache.h - the instruction cache of one subslice (docs/contract/model.md
 * section 4.8): when a run of instructions that is delivered to an EU can be fetched.
 *
 * An engine has one for each subslice and asks for every run that it delivers. The
 * answers do not depend on the order in which EUs ask, as long as an EU's own cycles
 * ascend and no question is icache.miss cycles or more behind another EU's.
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

/* A run is delivered to an EU (0..7) in cycle t: its first instruction can be
 * fetched from cycle t + the result on (0, or 2 to icache.miss). */
uint32_t icache_wait(struct icache *cache, unsigned eu, struct uop_run run, uint64_t t);
/* True: whoever is asked about for this run from cycle t on, the answer will be 0, and
 * icache_wait() need not be told. Nobody is asked about for a cycle before t any more.
 */
bool icache_sure(struct icache *cache, struct uop_run run, uint64_t t);

#endif
