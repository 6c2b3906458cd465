/* heat.h - how evenly the memory side's banks are used, and how often lines are used
 * again, of each launch (docs/guide/profile.md, section 7). Only where somebody asks:
 * without a heat the memory side spends a test for each line. Knows nothing of time.
 * Tests: tests/csim/test_heat.c, tests/bridge/test_profile.sh */
#ifndef IGPU_HEAT_H
#define IGPU_HEAT_H
#include <stdbool.h>
#include <stdint.h>

enum {
    HEAT_L3_BANKS = 16,
    HEAT_LLC_SLICES = 8,
    HEAT_CHANNELS = 4,
    HEAT_DRAM_BANKS = 256, /* of a channel: ranks x groups x banks */
    HEAT_PORTS = 6,
    HEAT_SLM_BANKS = 64,
    HEAT_BUCKETS = 40 /* bucket b: from 2^b on; the last takes the rest */
};

struct heat_cell {
    uint64_t uses; /* lines */
    uint64_t lost; /* see below */
};

struct heat_result {
    struct heat_cell l3[HEAT_L3_BANKS];    /* lost: cycles, for an MSHR or the write
                                              buffer */
    struct heat_cell llc[HEAT_LLC_SLICES]; /* lost: ps, in front of the slice's port */
    struct heat_cell dram[HEAT_CHANNELS][HEAT_DRAM_BANKS]; /* lost: rows opened */
    uint64_t slm[HEAT_PORTS][HEAT_SLM_BANKS];              /* words */
    /* Of the lines that the L3's banks serve in the launch: uses by how many others
     * were served since the line's use before, plus 1; lines by how often used. */
    uint64_t again[HEAT_BUCKETS], times[HEAT_BUCKETS];
    uint64_t lines; /* different ones */
    bool whole;     /* false: memory was short, `again`, `times`, `lines` are not all */
};

struct heat;

/* NULL: no memory. */
struct heat *heat_create(void);
void heat_destroy(struct heat *heat);

/* A launch begins: what was counted since the last end belongs to nobody. */
void heat_begin(struct heat *heat);
/* It is over. False: no memory. */
bool heat_end(struct heat *heat);
/* Of the launches so far, in their order; valid until the next heat_end(). */
const struct heat_result *heat_results(const struct heat *heat, uint32_t *count);

/* ---- by the memory side ---- */
/* What is counted of the launch under way. */
struct heat_result *heat_now(struct heat *heat);
static inline void heat_use(struct heat_cell *cell, uint64_t lost)
{
    cell->uses++;
    cell->lost += lost;
}
/* A bank of the L3 has served this line. */
void heat_line(struct heat *heat, uint64_t line);

static inline unsigned heat_bucket(uint64_t n)
{
    unsigned bucket = n == 0 ? 0 : 63U - (unsigned)__builtin_clzll(n);

    return bucket < HEAT_BUCKETS ? bucket : HEAT_BUCKETS - 1;
}
#endif
