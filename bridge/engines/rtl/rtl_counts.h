/* rtl_counts.h - the counters of rtl/eu/igpu_eu_count.v as the host wants them. */
#ifndef IGPU_RTL_COUNTS_H
#define IGPU_RTL_COUNTS_H
#include <stdint.h>

#include "igpu/host.h"
#include "igpu_regs_words.h"

/* All words of an EU, as they were read (igpu_regs.vh: IGPU_COUNT_*). */
struct rtl_counts {
    uint32_t word[IGPU_COUNT_WORDS];
};

/* What happened between two readings of one EU, `before` at a launch's begin. */
void rtl_counts_since(const struct rtl_counts *now, const struct rtl_counts *before,
                      struct host_counts *counts);
#endif
