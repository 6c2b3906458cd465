/* mem_stats.h - the memory side's counters, taken as a snapshot with mem_stats().
 * Names, units and definitions: mem_stats.def. Tests: tests/csim/test_mem_parts.c */
#ifndef IGPU_MEM_STATS_H
#define IGPU_MEM_STATS_H
#include <stdint.h>

/* Message latencies in cycles: one bucket for each value below 128, then 64 for each
 * doubling (1.6 % wide at most); the last one takes the rest. */
enum { MEM_STATS_BUCKETS = 128 + 64 * 20 };

struct mem_stats {
#define MEM_STAT(section, name, unit, text) uint64_t section##_##name;
#define MEM_PEAK(section, name, unit, text) uint64_t section##_##name;
#include "igpu/mem_stats.def"
#undef MEM_STAT
#undef MEM_PEAK
    uint64_t latency[MEM_STATS_BUCKETS]; /* answers */
};

/* *to -= *earlier; the peaks stay those of *to. */
void mem_stats_sub(struct mem_stats *to, const struct mem_stats *earlier);
/* *to += *other; of each peak the higher. */
void mem_stats_add(struct mem_stats *to, const struct mem_stats *other);

/* Mean message latency in picoseconds, rounded down; 0 without answers. */
uint64_t mem_stats_latency_avg_ps(const struct mem_stats *stats, uint64_t clock_hz);
/* The least latency (a bucket's middle), in picoseconds, that at least `permille` of
 * the answers did not exceed; 0 without answers. permille: 1..1000. */
uint64_t mem_stats_latency_ps(const struct mem_stats *stats, unsigned permille,
                              uint64_t clock_hz);

/* The bucket of a latency of `cycles`, and the least cycles of a bucket. */
unsigned mem_stats_bucket(uint64_t cycles);
uint64_t mem_stats_bucket_cycles(unsigned bucket);
#endif
