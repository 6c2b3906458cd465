/* gfx_touch.c - lines of memory that messages and tests touch, kept for who watches
 * threads. */
#include "gfx_int.h"
#include "igpu/grow.h"

void gfx_touch_line(struct gfx *g, uint64_t line)
{
    struct gfx_touched *t = &g->told.touched;

    if (g->told.threads.message == NULL || t->count == GFX_LINES)
        return;
    for (uint32_t i = t->count; i > 0; i--)
        if (t->line[i - 1] == line)
            return;
    t->packs[t->count] =
        t->packed != NULL && gfx_pair_fits(g, t->packed, line) ? GFX_PACKED : 0;
    t->line[t->count++] = line;
}

/* The slot of a page, or the empty one where it belongs. */
static struct gfx_depth_slot *depth_slot(const struct gfx_touched *t, uint64_t number)
{
    uint32_t mask = 2 * t->page_cap - 1;
    uint32_t i = (uint32_t)(number * UINT64_C(0x9e3779b97f4a7c15) >> 32) & mask;

    while (t->slot[i].stamp == t->stamp && t->slot[i].number != number)
        i = (i + 1) & mask;
    return &t->slot[i];
}

static bool more_depth_pages(struct gfx_touched *t)
{
    enum { FIRST = 64 };
    uint32_t cap = t->page_cap;
    struct gfx_depth_slot *slot;

    if (!IGPU_RESERVE(t->page, cap, cap == 0 ? FIRST : 2 * (size_t)cap))
        return false;
    slot = calloc(2 * (size_t)cap, sizeof(*slot));
    if (slot == NULL)
        return false;
    free(t->slot);
    t->slot = slot;
    t->page_cap = cap;
    t->stamp = 1;
    for (uint32_t i = 0; i < t->pages; i++)
        *depth_slot(t, t->page[i].number) =
            (struct gfx_depth_slot){t->page[i].number, i, t->stamp};
    return true;
}

bool gfx_touch_depth(struct gfx *g, uint64_t va, bool read, bool written)
{
    enum { PAGE = 4096, LINE = 64 };
    struct gfx_touched *t = &g->told.touched;
    uint64_t number = va / PAGE, bit = UINT64_C(1) << va % PAGE / LINE;
    struct gfx_depth_slot *slot;

    if (g->told.threads.message == NULL || !(read || written))
        return true;
    if (t->pages == t->page_cap && !more_depth_pages(t))
        return false;
    slot = depth_slot(t, number);
    if (slot->stamp != t->stamp) {
        *slot = (struct gfx_depth_slot){number, t->pages, t->stamp};
        t->page[t->pages++] = (struct gfx_depth_page){.number = number};
    }
    t->page[slot->index].read |= read ? bit : 0;
    t->page[slot->index].written |= written ? bit : 0;
    return true;
}

bool gfx_touch_note(struct gfx *g, uint64_t va, bool read, bool written)
{
    bool room = gfx_touch_depth(g, va, read, written);

    if (room && g->told.threads.message != NULL)
        g->told.touched.page[depth_slot(&g->told.touched, va / 4096)->index].notes =
            true;
    return room;
}

bool gfx_wrote_depth(const struct gfx *g, uint64_t va)
{
    enum { PAGE = 4096, LINE = 64 };
    const struct gfx_touched *t = &g->told.touched;
    uint64_t number = va / PAGE, bit = UINT64_C(1) << va % PAGE / LINE;
    const struct gfx_depth_slot *slot;

    if (t->pages == 0)
        return false;
    slot = depth_slot(t, number);
    return slot->stamp == t->stamp && (t->page[slot->index].written & bit) != 0 &&
           (t->page[slot->index].read & bit) == 0;
}

struct gfx_depth_lines gfx_take_depth(struct gfx *g)
{
    struct gfx_depth_lines lines = {g->told.touched.page, g->told.touched.pages};

    g->told.touched.pages = 0;
    if (++g->told.touched.stamp == 0 &&
        g->told.touched.slot != NULL) { /* once in 2^32 */
        memset(g->told.touched.slot, 0,
               2 * g->told.touched.page_cap * sizeof(*g->told.touched.slot));
        g->told.touched.stamp = 1;
    }
    return lines;
}

bool gfx_put_ahead(struct gfx *g)
{
    struct gfx_touched *t = &g->told.touched;

    t->aheads = 0;
    if (!g->hiz.rejects || t->pages == 0)
        return true;
    if (!IGPU_RESERVE(t->ahead, t->ahead_cap, t->pages))
        return false;
    memcpy(t->ahead, t->page, t->pages * sizeof(*t->page));
    t->aheads = gfx_take_depth(g).pages;
    return true;
}
