/* before.c - see before.h. */
#include "bridge/host/sample/before.h"

#include <stdlib.h>
#include <string.h>

#include "bridge/host/sample/machine_int.h"
#include "bridge/host/sample/repeats.h"
#include "bridge/host/sample/walk.h"

/* Looking further back ends where as many launches again bring less than this part of
 * new lines. */
#define FEW_NEW 0.01
/* Lines that are kept of launches that were read; and at most so many launches are read
 * for one: warm_older(). */
enum { KEEP = 1 << 22, MOST_READ = 60000 };

struct before {
    struct trace_reader *reader;
    uint64_t most;          /* lines that the caches hold */
    uint32_t *like;         /* by launch: repeats_find() */
    uint32_t *round;        /* by launch: in which it was met last */
    struct warm_list *list; /* by launch: its lines; NULL: they are not known */
    uint64_t kept;
    struct warm *one, *all; /* a launch's lines, those of all that were met */
    uint32_t launches, now;
    /* Of a round. */
    uint32_t last; /* launch before the one that begins */
    uint32_t read;
    /* Uses of the launches since the L3 was last divided anew: a kernel with shared
     * memory has another one than a kernel without, and the change empties it. */
    bool divided;
    uint64_t since;
};

struct before *before_new(const struct machine *m, struct igpu_err *err)
{
    struct before *b = calloc(1, sizeof(*b));

    if (b != NULL) {
        size_t launches = trace_summary(m->reader)->launches;

        b->reader = m->reader;
        b->most = machine_cache_lines(m->sim.config);
        b->launches = (uint32_t)launches;
        b->like = repeats_find(m->reader);
        b->round = calloc(launches + 1, sizeof(*b->round));
        b->list = calloc(launches + 1, sizeof(*b->list));
        b->one = warm_new(b->most);
        b->all = warm_new(b->most);
    }
    if (b == NULL || b->like == NULL || b->round == NULL || b->list == NULL ||
        b->one == NULL || b->all == NULL) {
        (void)igpu_no_memory(err, "caches before a launch");
        before_free(b);
        return NULL;
    }
    return b;
}

void before_free(struct before *b)
{
    if (b == NULL)
        return;
    for (uint32_t i = 0; b->list != NULL && i < b->launches; i++)
        free(b->list[i].line);
    free(b->like);
    free(b->round);
    free(b->list);
    warm_free(b->one);
    warm_free(b->all);
    free(b);
}

static bool uses_slm(const struct before *b, uint32_t launch)
{
    return trace_launch(b->reader, launch)->slm_bytes > 0;
}

/* Have the launch's lines in its list. */
static enum igpu_status read_launch(struct before *b, uint32_t launch,
                                    struct igpu_err *err)
{
    struct warm_list *list = &b->list[launch];
    enum igpu_status status;

    if (list->line != NULL)
        return IGPU_OK;
    status = walk_lines(b->reader, launch, 0, trace_launch(b->reader, launch)->threads,
                        b->one, err);
    if (!warm_take(b->one, list) && status == IGPU_OK)
        status = igpu_no_memory(err, "caches before a launch");
    b->kept += list->count;
    return status;
}

/* The launch is before all that were met. */
static enum igpu_status meet(struct before *b, uint32_t launch, struct igpu_err *err)
{
    uint32_t like = b->like[launch];
    struct warm_list *list = &b->list[like];
    enum igpu_status status;

    if (!b->divided && uses_slm(b, launch) != uses_slm(b, b->last)) {
        b->divided = true;
        b->since = warm_uses(b->all);
    }
    if (b->round[like] == b->now)
        return IGPU_OK;
    b->round[like] = b->now;
    if (b->read++ > 0)
        warm_older(b->all);
    status = read_launch(b, like, err);
    for (uint64_t i = 0; i < list->count && status == IGPU_OK; i++)
        warm_line(b->all, list->line[i] / 2, list->line[i] % 2 != 0);
    if (b->kept > KEEP) {
        b->kept -= list->count;
        free(list->line);
        *list = (struct warm_list){NULL, 0};
    }
    return status;
}

static enum igpu_status look_back(struct before *b, uint32_t first,
                                  struct igpu_err *err)
{
    enum igpu_status status = IGPU_OK;
    uint32_t from = b->last + 1;
    uint64_t lines = 0;

    for (uint32_t step = 1; from > first; step *= 2) {
        uint32_t to = from - first < step ? first : from - step;

        while (from > to && warm_lines(b->all) < b->most && b->read < MOST_READ &&
               status == IGPU_OK)
            status = meet(b, --from, err);
        if (from > to || (step > 1 && (double)(warm_lines(b->all) - lines) <
                                          FEW_NEW * (double)lines))
            break;
        lines = warm_lines(b->all);
    }
    return status;
}

/* The lines that were met into the caches: those of before the L3 was divided anew into
 * one as it was then. */
static enum igpu_status pour(struct before *b, struct mem_system *mem,
                             struct igpu_err *err)
{
    bool slm = uses_slm(b, b->last);
    struct warm_list all = {NULL, 0}, old, late;

    if (!warm_take(b->all, &all))
        return igpu_no_memory(err, "caches before a launch");
    old = late = all;
    old.count = b->divided && b->since < all.count ? all.count - b->since : 0;
    late.line += old.count;
    late.count -= old.count;
    if (old.count > 0)
        mem_launch(mem, !slm);
    warm_caches(&old, mem, false);
    mem_launch(mem, slm);
    warm_caches(&late, mem, false);
    free(all.line);
    return IGPU_OK;
}

enum igpu_status before_launch(struct before *b, struct machine *m, uint32_t first,
                               uint32_t launch, struct igpu_err *err)
{
    enum igpu_status status;

    machine_free(m);
    m->next = 0;
    status = machine_ready(m, err);
    if (status != IGPU_OK || launch == first)
        return status;
    b->last = launch - 1;
    b->now++;
    b->read = 0;
    b->divided = false;
    b->since = 0;
    status = look_back(b, first, err);
    return status == IGPU_OK ? pour(b, m->mem, err) : status;
}
