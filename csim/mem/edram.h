/* edram.h - the eDRAM: a memory-side cache between LLC and DRAM with its own clock
 * and one bus each way. State only; the LLC drives it and asks the DRAM.
 * Contract: docs/contract/memory.md. Tests: tests/csim/test_mem_levels.c */
#ifndef MEM_EDRAM_H
#define MEM_EDRAM_H
#include <stdbool.h>
#include <stdint.h>

#include "csim/mem/cache.h"
#include "igpu/config.h"
#include "igpu/mem_stats.h"

struct edram {
    bool present;
    uint32_t set_bits;
    uint64_t tag_ps, latency_ps, burst_ps;
    uint64_t read_free_ps, write_free_ps; /* the buses */
    struct cache cache;
    struct mem_stats *stats;
};

/* False: no memory. */
bool edram_init(struct edram *edram, const struct igpu_config *config,
                struct mem_stats *stats);
void edram_free(struct edram *edram);

/* Look up `line` for reading at `ps`. True: *data_ps gets the time of its data. */
bool edram_read(struct edram *edram, uint64_t ps, uint64_t line, uint64_t *data_ps);

enum edram_source { EDRAM_FROM_LLC, EDRAM_FROM_DRAM };
/* Store a line that the LLC evicted (modified) or the DRAM delivered. True: *victim
 * gets a modified line that has to go to the DRAM. */
bool edram_store(struct edram *edram, uint64_t ps, uint64_t line,
                 enum edram_source source, uint64_t *victim);

/* Outside of time: a line that the LLC evicted (`dirty`) or that was read through it.
 */
void edram_warm(struct edram *edram, uint64_t line, bool dirty);
#endif
