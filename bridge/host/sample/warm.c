/* warm.c - see warm.h. */
#include "bridge/host/sample/warm.h"

#include <stdlib.h>
#include <string.h>

/* Lines of no buffer lie above what a process maps from below. */
#define NOWHERE (UINT64_C(1) << 40)

enum { READ, WRITE, USES };

struct place {
    uint64_t line;       /* + 1; 0: free */
    uint64_t time[USES]; /* of the last read and write; 0: none */
};

struct event {
    uint64_t time;
    uint64_t line; /* as in struct warm_list */
};

struct warm {
    struct place *table; /* open addressing, a power of two */
    uint64_t size, count, events, written, time, most;
    struct place *left; /* the same, of lines that are left out, or NULL */
    uint64_t left_size;
    bool failed;
};

/* Times ascend within an epoch; what is told later may be of an earlier one. */
enum { SMALLEST = 1 << 12, EPOCH_BITS = 44, EPOCHS = 1 << 16 };
/* Of the order by use. */
enum { DIGIT_BITS = 8, DIGIT = (1 << DIGIT_BITS) - 1 };

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
    if (w != NULL) {
        free(w->table);
        free(w->left);
    }
    free(w);
}

static struct place *place_find(struct place *table, uint64_t size, uint64_t line)
{
    uint64_t i = (line + 1) * UINT64_C(0x9e3779b97f4a7c15) >> 20;

    while (table[i & (size - 1)].line != 0 && table[i & (size - 1)].line != line + 1)
        i++;
    return &table[i & (size - 1)];
}

/* ---- in order ------------------------------------------------------------------- */

/* Least significant digits first: as many events as caches have lines take half the
 * time of qsort(), and launches are many. False: memory is short. */
static bool sort(struct event *event, uint64_t n)
{
    struct event *from = event, *to = malloc((n + 1) * sizeof(*to)), *spare = to;
    uint64_t all = 0;

    if (to == NULL)
        return false;
    for (uint64_t i = 0; i < n; i++)
        all |= event[i].time ^ event[0].time;
    for (unsigned shift = 0; shift < 64; shift += DIGIT_BITS) {
        uint64_t begin[(1 << DIGIT_BITS) + 1] = {0};
        struct event *other = to;

        if ((all >> shift & DIGIT) == 0)
            continue;
        for (uint64_t i = 0; i < n; i++)
            begin[(from[i].time >> shift & DIGIT) + 1]++;
        for (unsigned d = 0; d < DIGIT; d++)
            begin[d + 1] += begin[d];
        for (uint64_t i = 0; i < n; i++)
            to[begin[from[i].time >> shift & DIGIT]++] = from[i];
        to = from;
        from = other;
    }
    if (from != event)
        memcpy(event, from, n * sizeof(*event));
    free(spare);
    return true;
}

static uint64_t last_use(const struct place *p)
{
    return p->time[READ] > p->time[WRITE] ? p->time[READ] : p->time[WRITE];
}

/* The time from which on `keep` lines were used; 0 when memory is short. */
static uint64_t used_since(const struct warm *w, uint64_t keep)
{
    struct event *event = malloc(w->count * sizeof(*event));
    uint64_t n = 0, since = 0;

    for (uint64_t i = 0; i < w->size && event != NULL; i++)
        if (w->table[i].line != 0)
            event[n++] = (struct event){last_use(&w->table[i]), 0};
    if (event != NULL && sort(event, n))
        since = event[n - keep].time;
    free(event);
    return since;
}

/* ---- the lines ------------------------------------------------------------------ */

/* A table of `size` with the lines used last, `keep` > 0 of them. */
static bool rebuild(struct warm *w, uint64_t size, uint64_t keep)
{
    struct place *table = calloc(size, sizeof(*table));
    uint64_t since = keep < w->count ? used_since(w, keep) : 1;

    if (table == NULL || since == 0) {
        free(table);
        w->failed = true;
        return false;
    }
    w->count = w->events = 0;
    for (uint64_t i = 0; i < w->size; i++) {
        const struct place *p = &w->table[i];

        if (p->line == 0 || last_use(p) < since)
            continue;
        *place_find(table, size, p->line - 1) = *p;
        w->count++;
        w->events += (uint64_t)(p->time[READ] != 0) + (p->time[WRITE] != 0);
    }
    free(w->table);
    w->table = table;
    w->size = size;
    return true;
}

static void use(struct warm *w, uint64_t line, bool write)
{
    struct place *p = place_find(w->table, w->size, line);

    if (w->left != NULL && place_find(w->left, w->left_size, line)->line != 0)
        return;
    if (p->line == 0) {
        if (w->count >= 2 * w->most && !rebuild(w, w->size, w->most))
            return;
        if (w->count >= w->size / 2 && !rebuild(w, 2 * w->size, w->count))
            return;
        p = place_find(w->table, w->size, line);
        *p = (struct place){.line = line + 1};
        w->count++;
    }
    if (p->time[write] == 0) {
        w->events++;
        w->written += write ? 1 : 0;
    }
    w->time++;
    if (w->time > p->time[write])
        p->time[write] = w->time;
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

/* Lanes that begin no more than a line apart leave none out, and use them in order. */
void warm_row(struct warm *w, const struct isa_inst *inst, uint32_t mask, uint64_t addr,
              uint64_t stride)
{
    uint32_t first, bytes = isa_lane_bytes(&inst->msg, &first);
    uint32_t lanes = (uint32_t)__builtin_popcount(mask), each = 1;
    uint64_t last = UINT64_MAX;

    if (stride <= 64 && lanes > 0) {
        bytes += (uint32_t)stride * (lanes - 1);
        each = lanes;
    }
    for (uint32_t i = 0; i < lanes && !w->failed; i += each)
        last = use_lane(w, addr + i * stride + first, bytes, inst->msg.is_write, last);
}

void warm_line(struct warm *w, uint64_t line, bool write)
{
    if (!w->failed)
        use(w, line, write);
}

void warm_older(struct warm *w)
{
    w->time = ((w->time >> EPOCH_BITS) - 1) << EPOCH_BITS;
}

/* Nothing was used until now. */
static void begin(struct warm *w)
{
    w->count = w->events = w->written = 0;
    w->time = (uint64_t)EPOCHS << EPOCH_BITS;
}

void warm_leave(struct warm *w)
{
    struct place *table = calloc(SMALLEST, sizeof(*table));

    if (table == NULL) {
        w->failed = true;
        return;
    }
    free(w->left);
    w->left = w->table;
    w->left_size = w->size;
    w->table = table;
    w->size = SMALLEST;
    begin(w);
}

uint64_t warm_lines(const struct warm *w)
{
    return w->count;
}

uint64_t warm_written(const struct warm *w)
{
    return w->written;
}

uint64_t warm_uses(const struct warm *w)
{
    return w->events;
}

/* All that the table has, in order, as list->line. */
static bool line_put(const struct warm *w, struct warm_list *list)
{
    struct event *event = malloc((w->events + 1) * sizeof(*event));
    uint64_t n = 0;

    for (uint64_t i = 0; i < w->size && event != NULL; i++) {
        const struct place *p = &w->table[i];

        for (unsigned kind = 0; kind < USES && p->line != 0; kind++)
            if (p->time[kind] != 0)
                event[n++] = (struct event){p->time[kind], (p->line - 1) * 2 + kind};
    }
    if (event == NULL || !sort(event, n)) {
        free(event);
        return false;
    }
    for (uint64_t i = 0; i < n; i++)
        list->line[list->count++] = event[i].line;
    free(event);
    return true;
}

bool warm_take(struct warm *w, struct warm_list *list)
{
    bool good = !w->failed && (w->count <= w->most || rebuild(w, w->size, w->most));

    *list = (struct warm_list){
        good ? malloc((w->events + 1) * sizeof(*list->line)) : NULL, 0};
    good = list->line != NULL && line_put(w, list);
    if (!good) {
        free(list->line);
        *list = (struct warm_list){NULL, 0};
    }
    memset(w->table, 0, w->size * sizeof(*w->table));
    begin(w);
    free(w->left);
    w->left = NULL;
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
