/* eu_counters.h - busy, stalled and idle cycles of one EU, from issue, open and
 * end events (docs/contract/model.md section 7). Events of one EU come in ascending
 * cycles; opens and ends of the same cycle in any order. */
#ifndef IGPU_EU_COUNTERS_H
#define IGPU_EU_COUNTERS_H
#include <stdint.h>

#include "igpu/uop.h"

struct eu_counters {
    uint64_t busy[EU_UNITS]; /* cycles each unit is occupied */
    uint64_t fpu_both, active;
    uint64_t cover; /* cycles with a thread open or a unit busy */
    uint64_t instructions;
    uint64_t resident; /* thread-cycles of open threads; less than zero, as unsigned
                          numbers wrap, while one is open */
    /* Running state: first cycle at which it is over. */
    uint64_t unit_until[EU_UNITS], both_until, active_until, cover_until;
    uint64_t open_since;
    uint32_t open; /* threads open */
};

/* Everything zero; nothing before cycle `start` counts. */
void eu_counters_reset(struct eu_counters *c, uint64_t start);
void eu_counters_open(struct eu_counters *c, uint64_t cycle);
void eu_counters_end(struct eu_counters *c, uint64_t cycle);

/* Add the part of [from, to) that lies at or behind *until. */
static inline void eu_counters_cover(uint64_t *sum, uint64_t *until, uint64_t from,
                                     uint64_t to)
{
    if (from < *until)
        from = *until;
    if (to > from) {
        *sum += to - from;
        *until = to;
    }
}

/* An instruction issued to `unit`, an enum eu_unit, which it occupies `occ` >= 1
 * cycles. Inline: called for every instruction. */
static inline void eu_counters_issue(struct eu_counters *c, unsigned unit,
                                     uint64_t cycle, uint32_t occ)
{
    uint64_t to = cycle + occ;

    c->instructions++;
    c->busy[unit] += occ;
    c->unit_until[unit] = to;
    eu_counters_cover(&c->active, &c->active_until, cycle, to);
    if (unit <= EU_FPU1) {
        uint64_t other = c->unit_until[unit ^ 1U];

        eu_counters_cover(&c->fpu_both, &c->both_until, cycle, to < other ? to : other);
    }
}

/* The launch is over at `end`: cut what lies at or behind it. With a copy of the
 * counters that has all events before `end` and none later, what was counted up to
 * there. */
void eu_counters_finish(struct eu_counters *c, uint64_t end);
#endif
