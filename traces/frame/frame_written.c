/* frame_written.c - what executing a batch writes: pages by their numbers, in a table
 * of open addressing, each with the lines that were written and a copy of what the page
 * held before. What the program's threads write meanwhile can so be told apart, to the
 * line. */
#include "frame_int.h"

#include <stdlib.h>
#include <string.h>

#include "igpu/grow.h"

enum { LINE = 64, FIRST_CAP = 1024 };

struct frame_written {
    struct frame_written_page *page; /* in the order of the first write */
    uint32_t count, cap;
    uint32_t *slot; /* twice cap: index + 1 of a page, 0: none */
    uint64_t last;  /* number of the page that was told of last.. */
    uint32_t at;    /* ..and its index */
    bool short_of;  /* memory: all is taken for the GPU's */
};

struct frame_written *frame_written_new(void)
{
    return calloc(1, sizeof(struct frame_written));
}

void frame_written_free(struct frame_written *n)
{
    if (n == NULL)
        return;
    for (uint32_t i = 0; i < n->cap; i++)
        free(n->page[i].before);
    free(n->page);
    free(n->slot);
    free(n);
}

void frame_written_clear(struct frame_written *n)
{
    n->count = 0;
    n->short_of = false;
    if (n->slot != NULL)
        memset(n->slot, 0, 2 * (size_t)n->cap * sizeof(*n->slot));
}

/* The slot of a page, or the empty one where it belongs. */
static uint32_t *slot_of(const struct frame_written *n, uint64_t number)
{
    uint32_t cap = 2 * n->cap,
             at = (uint32_t)(number * 0x9E3779B97F4A7C15u >> 32) & (cap - 1);

    while (n->slot[at] != 0 && n->page[n->slot[at] - 1].number != number)
        at = (at + 1) & (cap - 1);
    return &n->slot[at];
}

static bool written_grow(struct frame_written *n)
{
    uint32_t cap = n->cap, *slot;

    if (!IGPU_RESERVE_ZERO(n->page, cap, n->cap ? 2 * (size_t)n->cap : FIRST_CAP))
        return false;
    slot = calloc(2 * (size_t)cap, sizeof(*slot));
    if (slot == NULL)
        return false;
    free(n->slot);
    n->slot = slot;
    n->cap = cap;
    for (uint32_t i = 0; i < n->count; i++)
        *slot_of(n, n->page[i].number) = i + 1;
    return true;
}

static bool meet(struct frame_written *n, uint64_t number, const uint8_t *page)
{
    struct frame_written_page *p;

    if (n->count == n->cap && !written_grow(n))
        return false;
    p = &n->page[n->count];
    if (p->before == NULL)
        p->before = malloc(FRAME_PAGE_BYTES);
    if (p->before == NULL)
        return false;
    memcpy(p->before, page, FRAME_PAGE_BYTES);
    p->number = number;
    p->lines = 0;
    *slot_of(n, number) = ++n->count;
    return true;
}

/* Of one page: bytes from `from` on, `page` being where it begins. */
static void written_add(struct frame_written *n, uint64_t number, uint32_t from,
                        uint32_t bytes, const uint8_t *page)
{
    uint32_t first = from / LINE, last = (from + bytes - 1) / LINE, found;

    if (n->count == 0 || n->last != number) {
        found = n->cap > 0 ? *slot_of(n, number) : 0;
        if (found == 0 && !meet(n, number, page)) {
            n->short_of = true;
            return;
        }
        n->at = found != 0 ? found - 1 : n->count - 1;
        n->last = number;
    }
    n->page[n->at].lines |= (UINT64_MAX >> (63 - (last - first))) << first;
}

void frame_written_add(struct frame_written *n, uint64_t va, uint64_t bytes,
                       const uint8_t *host)
{
    while (bytes > 0 && !n->short_of) {
        uint32_t from = (uint32_t)(va % FRAME_PAGE_BYTES),
                 part = FRAME_PAGE_BYTES - from;

        part = bytes < part ? (uint32_t)bytes : part;
        written_add(n, va / FRAME_PAGE_BYTES, from, part, host - from);
        va += part;
        host += part;
        bytes -= part;
    }
}

const struct frame_written_page *frame_written_find(const struct frame_written *n,
                                                    uint64_t number)
{
    uint32_t found = n->count > 0 ? *slot_of(n, number) : 0;

    return found != 0 ? &n->page[found - 1] : NULL;
}

bool frame_written_all(const struct frame_written *n)
{
    return n->short_of;
}

void frame_written_merge(const struct frame_written_page *p, const uint8_t *now,
                         uint8_t to[FRAME_PAGE_BYTES])
{
    for (uint32_t i = 0; i < FRAME_PAGE_BYTES / LINE; i++)
        memcpy(to + i * LINE, (p->lines >> i & 1 ? now : p->before) + i * LINE, LINE);
}
