/* heat.c - see igpu/heat.h. Lines are kept in an open table, by number, with the count
 * of lines at their last use. */
#include "igpu/heat.h"
#include "igpu/grow.h"

#include <stdlib.h>
#include <string.h>

struct used {
    uint64_t line; /* plus 1; 0: free */
    uint64_t last, times;
};

struct heat {
    struct heat_result now;
    struct heat_result *result;
    uint32_t count, room;
    struct used *used;
    uint64_t size, taken, served; /* size: a power of two, or 0 */
};

struct heat *heat_create(void)
{
    struct heat *h = calloc(1, sizeof(*h));

    if (h != NULL)
        h->now.whole = true;
    return h;
}

void heat_destroy(struct heat *h)
{
    if (h == NULL)
        return;
    free(h->result);
    free(h->used);
    free(h);
}

struct heat_result *heat_now(struct heat *h)
{
    return &h->now;
}

void heat_begin(struct heat *h)
{
    memset(&h->now, 0, sizeof(h->now));
    h->now.whole = true;
    if (h->used != NULL)
        memset(h->used, 0, h->size * sizeof(*h->used));
    h->taken = h->served = 0;
}

/* The line's place, or a free one. */
static struct used *line_find(struct used *used, uint64_t size, uint64_t line)
{
    uint64_t at = (line * UINT64_C(0x9e3779b97f4a7c15) >> 20) & (size - 1);

    while (used[at].line != 0 && used[at].line != line + 1)
        at = (at + 1) & (size - 1);
    return &used[at];
}

/* Half of it stays free. */
static bool make_room(struct heat *h)
{
    uint64_t size = h->size == 0 ? 1024 : 2 * h->size;
    struct used *grown;

    if (2 * h->taken < h->size)
        return true;
    grown = calloc(size, sizeof(*grown));
    if (grown == NULL)
        return false;
    for (uint64_t i = 0; i < h->size; i++)
        if (h->used[i].line != 0)
            *line_find(grown, size, h->used[i].line - 1) = h->used[i];
    free(h->used);
    h->used = grown;
    h->size = size;
    return true;
}

void heat_line(struct heat *h, uint64_t line)
{
    struct used *u;

    h->served++;
    if (!h->now.whole || !make_room(h)) {
        h->now.whole = false;
        return;
    }
    u = line_find(h->used, h->size, line);
    if (u->line == 0) {
        u->line = line + 1;
        h->taken++;
    } else {
        h->now.again[heat_bucket(h->served - u->last)]++;
    }
    u->last = h->served;
    u->times++;
}

bool heat_end(struct heat *h)
{
    if (!IGPU_RESERVE(h->result, h->room, (size_t)h->count + 1))
        return false;
    for (uint64_t i = 0; i < h->size; i++)
        if (h->used[i].line != 0)
            h->now.times[heat_bucket(h->used[i].times)]++;
    h->now.lines = h->taken;
    h->result[h->count++] = h->now;
    heat_begin(h);
    return true;
}

const struct heat_result *heat_results(const struct heat *h, uint32_t *count)
{
    *count = h->count;
    return h->result;
}
