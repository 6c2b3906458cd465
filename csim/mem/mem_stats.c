/* mem_stats.c - see igpu/mem_stats.h. */
#include "igpu/mem_stats.h"

#include "csim/mem/clock.h"

enum { EXACT = 128, EXACT_BITS = 7, PER_DOUBLING_BITS = 6 };

void mem_stats_sub(struct mem_stats *to, const struct mem_stats *earlier)
{
#define MEM_STAT(section, name, unit, text)                                            \
    to->section##_##name -= earlier->section##_##name;
#define MEM_PEAK(section, name, unit, text)
#include "igpu/mem_stats.def"
#undef MEM_STAT
#undef MEM_PEAK
    for (unsigned i = 0; i < MEM_STATS_BUCKETS; i++)
        to->latency[i] -= earlier->latency[i];
}

void mem_stats_add(struct mem_stats *to, const struct mem_stats *other)
{
#define MEM_STAT(section, name, unit, text)                                            \
    to->section##_##name += other->section##_##name;
#define MEM_PEAK(section, name, unit, text)                                            \
    if (to->section##_##name < other->section##_##name)                                \
        to->section##_##name = other->section##_##name;
#include "igpu/mem_stats.def"
#undef MEM_STAT
#undef MEM_PEAK
    for (unsigned i = 0; i < MEM_STATS_BUCKETS; i++)
        to->latency[i] += other->latency[i];
}

unsigned mem_stats_bucket(uint64_t cycles)
{
    unsigned octave, bucket;

    if (cycles < EXACT)
        return (unsigned)cycles;
    octave = 63U - (unsigned)__builtin_clzll(cycles) - EXACT_BITS;
    bucket = EXACT + (octave << PER_DOUBLING_BITS) +
             (unsigned)(cycles >> (octave + 1) & ((1U << PER_DOUBLING_BITS) - 1));
    return bucket < MEM_STATS_BUCKETS ? bucket : MEM_STATS_BUCKETS - 1;
}

uint64_t mem_stats_bucket_cycles(unsigned bucket)
{
    unsigned octave;

    if (bucket < EXACT)
        return bucket;
    octave = (bucket - EXACT) >> PER_DOUBLING_BITS;
    return ((UINT64_C(1) << PER_DOUBLING_BITS) +
            (bucket & ((1U << PER_DOUBLING_BITS) - 1)))
           << (octave + 1);
}

uint64_t mem_stats_latency_avg_ps(const struct mem_stats *stats, uint64_t clock_hz)
{
    uint64_t whole, rest;

    if (stats->mem_answers == 0)
        return 0;
    whole = stats->mem_latency_cycles / stats->mem_answers;
    rest = stats->mem_latency_cycles % stats->mem_answers;
    return clock_ps(whole, clock_hz) +
           (uint64_t)((double)rest / (double)stats->mem_answers * 1e12 /
                      (double)clock_hz);
}

uint64_t mem_stats_latency_ps(const struct mem_stats *stats, unsigned permille,
                              uint64_t clock_hz)
{
    uint64_t need = stats->mem_answers / 1000 * permille +
                    (stats->mem_answers % 1000 * permille + 999) / 1000;
    uint64_t seen = 0;

    if (need == 0)
        return 0;
    for (unsigned i = 0; i < MEM_STATS_BUCKETS; i++) {
        seen += stats->latency[i];
        if (seen >= need)
            return clock_ps((mem_stats_bucket_cycles(i) +
                             mem_stats_bucket_cycles(i + 1) - (i < EXACT ? 1 : 0)) /
                                2,
                            clock_hz);
    }
    return 0;
}
