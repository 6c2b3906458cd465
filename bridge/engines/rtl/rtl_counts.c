/* rtl_counts.c - see rtl_counts.h. */
#include "bridge/engines/rtl/rtl_counts.h"

#include "bridge/engines/rtl/rtl_fields.h"

/* Of two words, the low one first. */
static uint64_t value(const struct rtl_counts *c, unsigned at)
{
    return c->word[at] | (uint64_t)c->word[at + 1] << IGPU_COUNT_W;
}

static uint64_t since(const struct rtl_counts *now, const struct rtl_counts *before,
                      unsigned at)
{
    return (value(now, at) - value(before, at)) & ((UINT64_C(1) << IGPU_NOW_W) - 1);
}

void rtl_counts_since(const struct rtl_counts *now, const struct rtl_counts *before,
                      struct host_counts *c)
{
    struct eu_counters *e = &c->eu;
    uint32_t left = now->word[IGPU_COUNT_LEFT];

    *c = (struct host_counts){.last = value(now, IGPU_COUNT_LAST)};
    for (unsigned u = 0; u < EU_UNITS; u++)
        e->busy[u] = since(now, before, IGPU_COUNT_BUSY + 2 * u);
    e->fpu_both = since(now, before, IGPU_COUNT_BOTH);
    e->active = since(now, before, IGPU_COUNT_ACTIVE);
    /* The words of the last issue are of this launch only if there was one. */
    if (e->active == 0)
        c->last = left = 0;
    e->unit_until[EU_FPU0] = c->last + FIELD_OF(IGPU_LEFT_FPU0, left);
    e->unit_until[EU_FPU1] = c->last + FIELD_OF(IGPU_LEFT_FPU1, left);
    e->unit_until[EU_SEND] = c->last + FIELD_OF(IGPU_LEFT_SEND, left);
    e->unit_until[EU_BRANCH] = c->last;
    e->both_until = UINT64_MAX;
    for (unsigned u = 0; u <= EU_FPU1; u++)
        if (e->unit_until[u] < e->both_until)
            e->both_until = e->unit_until[u];
    for (unsigned u = 0; u < EU_UNITS; u++)
        if (e->unit_until[u] > e->active_until)
            e->active_until = e->unit_until[u];
    for (unsigned k = 0; k < HOST_SLOTS; k++) {
        uint64_t fetched = since(now, before, IGPU_COUNT_FETCHED + 2 * k);

        /* Who has fetched in this launch was visited: what it holds is of it too. */
        if (fetched != 0)
            c->issued[k] = fetched - (now->word[IGPU_COUNT_HELD] >> k & 1);
        e->instructions += c->issued[k];
    }
}
