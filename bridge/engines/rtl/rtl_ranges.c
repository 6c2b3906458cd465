/* rtl_ranges.c - see rtl_ranges.h */
#include "bridge/engines/rtl/rtl_ranges.h"

#include "bridge/engines/rtl/rtl_fields.h"
#include "igpu_eu_words.h"

enum { GRFS = 128 };

_Static_assert(IGPU_NEED_W == RTL_SOURCES * IGPU_RANGE_W + IGPU_NEED_X_BITS &&
                   IGPU_NEED_X_AT == RTL_SOURCES * IGPU_RANGE_W,
               "what an instruction needs");

static const struct rtl_range nothing = {1, 0};

static bool has(const uint64_t *bits, unsigned i)
{
    return bits[i / 64] >> i % 64 & 1;
}

/* The first range of set bits from `from` on; false: there is none. */
static bool next_range(const uint64_t *bits, unsigned from, struct rtl_range *range)
{
    unsigned first = from, last;

    while (first < GRFS && !has(bits, first))
        first++;
    if (first == GRFS)
        return false;
    for (last = first; last + 1 < GRFS && has(bits, last + 1);)
        last++;
    *range = (struct rtl_range){(uint8_t)first, (uint8_t)last};
    return true;
}

/* At most one range. */
static bool find_set(const struct uop *u, struct rtl_range *range)
{
    struct rtl_range more;

    if (!next_range(u->set, 0, range)) {
        *range = nothing;
        return true;
    }
    return !next_range(u->set, range->last + 1u, &more);
}

/* Whole ranges of what it needs, but for one that is what it sets. */
static bool find_needs(const struct uop *u, struct rtl_ranges *r)
{
    struct rtl_range range;
    unsigned n = 0;

    for (unsigned from = 0; next_range(u->need, from, &range); from = range.last + 1u) {
        if (range.first >= r->dst.first && range.last <= r->dst.last)
            continue;
        if (n == RTL_SOURCES)
            return false;
        r->src[n++] = range;
    }
    return true;
}

bool rtl_ranges(const struct uop *u, struct rtl_ranges *r)
{
    for (unsigned i = 0; i < RTL_SOURCES; i++)
        r->src[i] = nothing;
    r->set_x = u->set_x;
    r->need_x = u->need_x;
    if (!find_set(u, &r->dst))
        return false;
    if (u->flags & UOP_EOT) {
        r->src[0] = (struct rtl_range){0, GRFS - 1};
        r->need_x = UINT8_MAX;
        return true;
    }
    return find_needs(u, r);
}

static uint32_t field(struct rtl_range range)
{
    return FIELD(IGPU_RANGE_LAST, range.last) | FIELD(IGPU_RANGE_FIRST, range.first);
}

uint32_t rtl_set_word(const struct rtl_ranges *r)
{
    return FIELD(IGPU_SET_X, r->set_x) | FIELD(IGPU_SET_RANGE, field(r->dst));
}

uint64_t rtl_need_word(const struct rtl_ranges *r)
{
    uint64_t word = FIELD64(IGPU_NEED_X, r->need_x);

    for (unsigned i = 0; i < RTL_SOURCES; i++)
        word |= (uint64_t)field(r->src[i]) << i * IGPU_RANGE_W;
    return word;
}

enum igpu_status rtl_ranges_check(const struct uop *uops, uint32_t count,
                                  struct igpu_err *err)
{
    struct rtl_ranges ranges;

    for (uint32_t u = 0; u < count; u++)
        if (!rtl_ranges(&uops[u], &ranges))
            return igpu_fail(err, IGPU_USAGE,
                             "instruction %u of the kernel: its registers are not %d "
                             "ranges and a destination; use --engine ref",
                             u, RTL_SOURCES);
    return IGPU_OK;
}
