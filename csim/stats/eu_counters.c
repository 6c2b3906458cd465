/* eu_counters.c - see igpu/eu_counters.h. All quantities are lengths of unions of
 * intervals; each unit's intervals are disjoint and ascend, so one 'until' per
 * union is enough. */
#include "igpu/eu_counters.h"

#include <string.h>

void eu_counters_reset(struct eu_counters *c, uint64_t start)
{
    memset(c, 0, sizeof(*c));
    for (unsigned i = 0; i < EU_UNITS; i++)
        c->unit_until[i] = start;
    c->both_until = c->active_until = c->cover_until = start;
}

void eu_counters_open(struct eu_counters *c, uint64_t cycle)
{
    if (c->open++ == 0)
        c->open_since = cycle;
    c->resident -= cycle;
}

void eu_counters_end(struct eu_counters *c, uint64_t cycle)
{
    uint64_t to = c->active_until > cycle ? c->active_until : cycle + 1;

    c->resident += cycle + 1;
    if (--c->open == 0)
        eu_counters_cover(&c->cover, &c->cover_until, c->open_since, to);
}

static void sum_cut(uint64_t *sum, uint64_t until, uint64_t end)
{
    if (until > end)
        *sum -= until - end;
}

void eu_counters_finish(struct eu_counters *c, uint64_t end)
{
    if (c->open > 0) { /* stopped early */
        c->resident += c->open * end;
        eu_counters_cover(&c->cover, &c->cover_until, c->open_since, end);
        c->open = 0;
    }
    for (unsigned i = 0; i < EU_UNITS; i++)
        sum_cut(&c->busy[i], c->unit_until[i], end);
    sum_cut(&c->fpu_both, c->both_until, end);
    sum_cut(&c->active, c->active_until, end);
    sum_cut(&c->cover, c->cover_until, end);
}
