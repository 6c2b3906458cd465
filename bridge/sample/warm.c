/* warm.c - see warm.h. */
#include "bridge/sample/warm.h"

#include <stdlib.h>
#include <string.h>

/* Lines of no buffer lie above what a process maps from below. */
#define NOWHERE (UINT64_C(1) << 40)

struct place {
    uint64_t line; /* + 1; 0: free */
    uint64_t use;  /* 2 x time of the last use + 1 if it was written */
};

struct warm {
    struct place *table; /* open addressing, a power of two */
    uint64_t size, count, written, time, most;
    bool failed;
};

/* Times ascend within an epoch; what is told later may be of an earlier one. */
enum { SMALLEST = 1 << 12, EPOCH_BITS = 44, EPOCHS = 1 << 16 };

struct warm *warm_new(uint64_t most)
{
    struct warm *w = calloc(1, sizeof(*w));

    if (w == NULL)
        return NULL;
    w->most = most;
    w->size = SMALLEST;
    w->time = (uint64_t)EPOCHS << EPOCH_BITS;
    w->table = calloc(w->size, sizeof(*w->table));
    if (w->table == NULL) {
        free(w);
        return NULL;
    }
    return w;
}

void warm_free(struct warm *w)
{
    if (w != NULL)
        free(w->table);
    free(w);
}

static struct place *find(struct place *table, uint64_t size, uint64_t line)
{
    uint64_t i = (line + 1) * UINT64_C(0x9e3779b97f4a7c15) >> 20;

    while (table[i & (size - 1)].line != 0 && table[i & (size - 1)].line != line + 1)
        i++;
    return &table[i & (size - 1)];
}

static int by_use(const void *a, const void *b)
{
    uint64_t left = ((const struct place *)a)->use,
             right = ((const struct place *)b)->use;

    return left < right ? -1 : left > right;
}

/* The lines at the front of the table, by last use; the table is none any more. */
static void sort(struct warm *w)
{
    uint64_t n = 0;

    for (uint64_t i = 0; i < w->size; i++)
        if (w->table[i].line != 0)
            w->table[n++] = w->table[i];
    qsort(w->table, n, sizeof(*w->table), by_use);
}

/* A table of `size` with the `keep` lines that were used last. */
static bool rebuild(struct warm *w, uint64_t size, uint64_t keep)
{
    struct place *table = calloc(size, sizeof(*table));

    if (table == NULL) {
        w->failed = true;
        return false;
    }
    sort(w);
    for (uint64_t i = w->count - keep; i < w->count; i++)
        *find(table, size, w->table[i].line - 1) = w->table[i];
    free(w->table);
    w->table = table;
    w->size = size;
    w->count = keep;
    return true;
}

static void use(struct warm *w, uint64_t line, bool write)
{
    struct place *p = find(w->table, w->size, line);

    if (p->line == 0) {
        if (w->count >= 2 * w->most && !rebuild(w, w->size, w->most))
            return;
        if (w->count >= w->size / 2 && !rebuild(w, 2 * w->size, w->count))
            return;
        p = find(w->table, w->size, line);
        *p = (struct place){line + 1, 0};
        w->count++;
    }
    w->written += write && (p->use & 1) == 0;
    w->time++;
    if (w->time * 2 > p->use)
        p->use = w->time * 2 | (p->use & 1);
    p->use |= write;
}

/* The lines of a lane; returns the last one. Neighbours mostly share one. */
static uint64_t use_lane(struct warm *w, uint64_t at, uint32_t bytes, bool write,
                         uint64_t last)
{
    for (uint64_t line = at / 64; line <= (at + bytes - 1) / 64; line++) {
        if (line != last)
            use(w, line, write);
        last = line;
    }
    return last;
}

void warm_access(struct warm *w, const struct isa_inst *inst, uint32_t mask,
                 const uint64_t *addr)
{
    uint32_t first, bytes = isa_lane_bytes(&inst->msg, &first);
    uint64_t last = UINT64_MAX;

    for (; mask != 0 && !w->failed; mask &= mask - 1)
        last = use_lane(w, addr[__builtin_ctz(mask)] + first, bytes, inst->msg.is_write,
                        last);
}

void warm_lanes(struct warm *w, const struct isa_inst *inst, uint32_t mask,
                const uint64_t *addr)
{
    uint32_t first, bytes = isa_lane_bytes(&inst->msg, &first);
    uint64_t last = UINT64_MAX;

    for (; mask != 0 && !w->failed; mask &= mask - 1)
        last = use_lane(w, *addr++ + first, bytes, inst->msg.is_write, last);
}

void warm_older(struct warm *w)
{
    w->time = ((w->time >> EPOCH_BITS) - 1) << EPOCH_BITS;
}

uint64_t warm_lines(const struct warm *w)
{
    return w->count;
}

uint64_t warm_written(const struct warm *w)
{
    return w->written;
}

bool warm_take(struct warm *w, struct warm_list *list)
{
    uint64_t n = w->count < w->most ? w->count : w->most;
    bool good = !w->failed;

    *list = (struct warm_list){good ? malloc((n + 1) * sizeof(*list->line)) : NULL, 0};
    good = list->line != NULL;
    if (good) {
        sort(w);
        for (uint64_t i = w->count - n; i < w->count; i++)
            list->line[list->count++] =
                (w->table[i].line - 1) * 2 + (w->table[i].use & 1);
    }
    memset(w->table, 0, w->size * sizeof(*w->table));
    w->count = w->written = 0;
    w->time = (uint64_t)EPOCHS << EPOCH_BITS;
    w->failed = false;
    return good;
}

void warm_caches(const struct warm_list *list, struct mem_system *mem, bool running)
{
    void (*warm)(struct mem_system *, uint64_t, bool) =
        running ? mem_warm_below : mem_warm;

    for (uint64_t i = 0; i < list->count; i++)
        warm(mem, list->line[i] / 2, list->line[i] % 2 != 0);
}

bool warm_invent(struct warm_source *from, uint64_t count, struct warm_list *list)
{
    *list = (struct warm_list){malloc((count + 1) * sizeof(*list->line)), 0};
    if (list->line == NULL)
        return false;
    for (; list->count < count; list->count++) {
        double all = (double)(from->given[0] + from->given[1]);
        bool write = all * from->share >= (double)from->given[1] + 1;

        list->line[list->count] =
            (NOWHERE * (1 + write) + from->given[write]++) * 2 + write;
    }
    return true;
}
