/* recorder.c - see recorder.h. */
#include "recorder.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "igpu/grow.h"

static void add(struct recorder *r, struct event e)
{
    r->failed |= !IGPU_APPEND(r->event, r->events, r->capacity, e);
}

static bool is_branch(const struct recorder *r, uint32_t uop)
{
    return r->c->kernel[r->c->launch[r->launch].kernel].uop[uop].unit == UOP_BRANCH;
}

/* Where paths are executed a run ends with its first branch, and there is none behind
 * it before that has issued: the first answer is 0, the second the run. */
static struct uop_run on_next(void *ctx, unsigned tile, unsigned eu, unsigned slot)
{
    struct recorder *r = ctx;
    struct rec_thread *t = &r->thread[tile][eu][slot];
    struct uop_run run;

    if (t->path == NULL || t->at == t->path->runs) {
        r->failed = true;
        return (struct uop_run){0, 1, 0};
    }
    t->none = t->branches && !t->none;
    if (t->none)
        return (struct uop_run){0, 0, 0};
    run = t->path->run[t->at];
    run.pc += t->given;
    run.len -= t->given;
    for (uint32_t i = 0; r->c->executes && i < run.len; i++)
        if (is_branch(r, run.pc + i))
            run.len = i + 1;
    t->branches = r->c->executes && is_branch(r, run.pc + run.len - 1);
    t->given += run.len;
    if (t->given == t->path->run[t->at].len) {
        t->at++;
        t->given = 0;
    }
    return run;
}

static struct uop_run on_open(void *ctx, unsigned tile, unsigned eu, unsigned slot,
                              uint32_t thread, uint8_t bslot, uint64_t cycle)
{
    struct recorder *r = ctx;

    add(r, (struct event){.cycle = cycle,
                          .value = thread,
                          .tile = (uint8_t)tile,
                          .eu = (uint8_t)eu,
                          .slot = (uint8_t)slot,
                          .kind = EV_OPEN,
                          .extra = bslot});
    r->thread[tile][eu][slot] =
        (struct rec_thread){.path = rt_path(r->c, r->launch, thread)};
    return on_next(ctx, tile, eu, slot);
}

static void on_issue(void *ctx, const struct host_issue *i)
{
    add(ctx, (struct event){.cycle = i->cycle,
                            .value = i->uop,
                            .tile = i->tile,
                            .eu = i->eu,
                            .slot = i->slot,
                            .kind = EV_ISSUE,
                            .extra = i->unit});
}

static void on_msg(void *ctx, const struct host_msg *m)
{
    add(ctx, (struct event){.cycle = m->cycle,
                            .value = m->uop,
                            .tile = m->tile,
                            .eu = m->eu,
                            .slot = m->slot,
                            .kind = EV_MSG});
}

static void on_end(void *ctx, unsigned tile, const struct host_end *e)
{
    add(ctx, (struct event){.cycle = e->cycle,
                            .tile = (uint8_t)tile,
                            .eu = e->eu,
                            .slot = e->slot,
                            .kind = EV_END,
                            .extra = e->bslot});
}

void rec_init(struct recorder *r, const struct rt_case *c)
{
    memset(r, 0, sizeof(*r));
    r->c = c;
}

void rec_free(struct recorder *r)
{
    free(r->event);
}

struct host_calls rec_calls(struct recorder *r)
{
    return (struct host_calls){.ctx = r,
                               .open = on_open,
                               .next = on_next,
                               .issue = on_issue,
                               .msg = on_msg,
                               .end = on_end,
                               .executes = r->c->executes};
}

#define ORDER(field)                                                                   \
    if (a->field != b->field)                                                          \
    return a->field < b->field ? -1 : 1

int event_compare(const struct event *a, const struct event *b)
{
    ORDER(cycle);
    ORDER(tile);
    ORDER(eu);
    ORDER(kind);
    ORDER(slot);
    ORDER(extra);
    ORDER(value);
    return 0;
}

bool event_equal(const struct event *a, const struct event *b)
{
    return event_compare(a, b) == 0;
}

static int compare(const void *a, const void *b)
{
    return event_compare(a, b);
}

void rec_sort(struct recorder *r)
{
    if (r->events > 1)
        qsort(r->event, r->events, sizeof(r->event[0]), compare);
}

void event_describe(const struct event *e, char *buf, unsigned size)
{
    static const char *const unit[] = {"FPU0", "FPU1", "SEND", "BRANCH"};
    char what[64] = "?";

    switch (e->kind) {
    case EV_OPEN:
        (void)snprintf(what, sizeof(what), "opens thread %u (barrier slot %u)",
                       (unsigned)e->value, (unsigned)e->extra);
        break;
    case EV_ISSUE:
        (void)snprintf(what, sizeof(what), "issues uop %u to %s", (unsigned)e->value,
                       e->extra < 4 ? unit[e->extra] : "?");
        break;
    case EV_MSG:
        (void)snprintf(what, sizeof(what), "grants the message of uop %u",
                       (unsigned)e->value);
        break;
    case EV_END:
        (void)snprintf(what, sizeof(what), "ends a thread (barrier slot %u)",
                       (unsigned)e->extra);
        break;
    default:
        break;
    }
    (void)snprintf(buf, size, "%s in tile %u EU %u slot %u at cycle %" PRIu64, what,
                   (unsigned)e->tile, (unsigned)e->eu, (unsigned)e->slot, e->cycle);
}
