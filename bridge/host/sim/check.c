/* check.c - see check.h. The two sims may step differently (one engine may know
 * better when nothing can happen), so events wait in streams until both sims have
 * passed their cycle. */
#include "bridge/host/sim/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "igpu/grow.h"

enum { SIDES = 2 };

struct stream {
    struct sim_event *event;
    uint32_t head, count, capacity;
};

struct check {
    struct sim *sim[SIDES];
    enum sim_state state[SIDES];
    struct stream stream[SIDES][HOST_MAX_TILES];
    uint64_t compared;
    enum igpu_status status;
    struct igpu_err err;
};

enum igpu_status check_create(struct check **check, struct sim *a, struct sim *b,
                              struct igpu_err *err)
{
    *check = calloc(1, sizeof(**check));
    if (*check == NULL)
        return igpu_no_memory(err, "check");
    (*check)->sim[0] = a;
    (*check)->sim[1] = b;
    return IGPU_OK;
}

void check_destroy(struct check *c)
{
    if (c == NULL)
        return;
    for (unsigned i = 0; i < SIDES; i++)
        for (unsigned j = 0; j < HOST_MAX_TILES; j++)
            free(c->stream[i][j].event);
    free(c);
}

static bool same(const struct sim_event *a, const struct sim_event *b)
{
    return sim_event_compare(a, b) == 0 && a->value == b->value && a->tile == b->tile;
}

static bool append(struct stream *s, const struct sim_event *event, uint32_t count)
{
    if (s->head > 0) {
        memmove(s->event, s->event + s->head, (s->count - s->head) * sizeof(*s->event));
        s->count -= s->head;
        s->head = 0;
    }
    if (!IGPU_RESERVE(s->event, s->capacity, (size_t)s->count + count))
        return false;
    if (count > 0)
        memcpy(s->event + s->count, event, count * sizeof(*event));
    s->count += count;
    return true;
}

static void say_event(const struct sim_event *e, char *text, size_t size)
{
    static const char *const units[] = {"FPU0", "FPU1", "SEND", "BRANCH"};

    if (e == NULL) {
        (void)snprintf(text, size, "nothing");
        return;
    }
    switch (e->kind) {
    case SIM_ISSUE:
        (void)snprintf(text, size, "issues uop #%u to %s from EU %u slot %u at %llu",
                       e->value, units[e->unit & 3U], e->eu, e->slot,
                       (unsigned long long)e->cycle);
        break;
    case SIM_MSG:
        (void)snprintf(text, size,
                       "grants the message of uop #%u of EU %u slot %u at %llu",
                       e->value, e->eu, e->slot, (unsigned long long)e->cycle);
        break;
    case SIM_ANSWER:
        (void)snprintf(text, size,
                       "gets the answer to uop #%u of EU %u slot %u at %llu", e->value,
                       e->eu, e->slot, (unsigned long long)e->cycle);
        break;
    case SIM_OPEN:
        (void)snprintf(text, size, "opens thread %u in EU %u slot %u at %llu", e->value,
                       e->eu, e->slot, (unsigned long long)e->cycle);
        break;
    default:
        (void)snprintf(text, size, "ends EU %u slot %u at %llu", e->eu, e->slot,
                       (unsigned long long)e->cycle);
        break;
    }
}

static enum sim_state differ(struct check *c, unsigned tile, const struct sim_event *a,
                             const struct sim_event *b)
{
    char first[128], second[128];
    uint64_t cycle = a == NULL                          ? b->cycle
                     : b == NULL || a->cycle < b->cycle ? a->cycle
                                                        : b->cycle;

    say_event(a, first, sizeof(first));
    say_event(b, second, sizeof(second));
    c->status = igpu_fail(&c->err, IGPU_SIM_ERROR,
                          "engines differ first at cycle %llu, launch %u, subslice %u: "
                          "the first %s; the reference %s",
                          (unsigned long long)cycle, sim_launch(c->sim[0]), tile, first,
                          second);
    return SIM_FAILED;
}

static const struct sim_event *head_before(const struct stream *s, uint64_t cycle)
{
    return s->head < s->count && s->event[s->head].cycle < cycle ? &s->event[s->head]
                                                                 : NULL;
}

/* Compare the two streams of a tile up to (not including) `before`. */
static enum sim_state compare_tile(struct check *c, unsigned tile, uint64_t before)
{
    struct stream *a = &c->stream[0][tile], *b = &c->stream[1][tile];

    for (unsigned i = 0; i < SIDES; i++) {
        struct stream *s = &c->stream[i][tile];

        if (s->count > s->head)
            qsort(s->event + s->head, s->count - s->head, sizeof(*s->event),
                  sim_event_compare);
    }
    for (;;) {
        const struct sim_event *x = head_before(a, before);
        const struct sim_event *y = head_before(b, before);

        if (x == NULL && y == NULL)
            return SIM_RUNNING;
        if (x == NULL || y == NULL || !same(x, y))
            return differ(c, tile, x, y);
        a->head++;
        b->head++;
        c->compared++;
    }
}

static enum sim_state compare_end(struct check *c)
{
    uint32_t n[SIDES];
    const struct sim_stats *launch[SIDES];
    const struct sim_stats *total[SIDES];

    for (unsigned i = 0; i < SIDES; i++)
        total[i] = sim_stats(c->sim[i], &n[i], &launch[i]);
    if (n[0] != n[1] || memcmp(total[0], total[1], sizeof(*total[0])) != 0 ||
        memcmp(launch[0], launch[1], n[0] * sizeof(*launch[0])) != 0) {
        c->status = igpu_fail(&c->err, IGPU_SIM_ERROR,
                              "engines differ in their statistics, though every issue, "
                              "message and thread is the same; compare their --json");
        return SIM_FAILED;
    }
    return c->state[0];
}

enum sim_state check_step(struct check *c)
{
    uint64_t a = sim_now(c->sim[0]), b = sim_now(c->sim[1]);
    unsigned behind =
        c->state[0] == SIM_RUNNING && (c->state[1] != SIM_RUNNING || a <= b) ? 0 : 1;
    enum sim_state state;

    c->state[behind] = sim_step(c->sim[behind]);
    for (unsigned t = 0; t < HOST_MAX_TILES; t++) {
        uint32_t count;
        const struct sim_event *event = sim_events(c->sim[behind], t, &count);

        if (!append(&c->stream[behind][t], event, count)) {
            c->status = igpu_no_memory(&c->err, "check");
            return SIM_FAILED;
        }
    }
    if (c->state[behind] == SIM_FAILED) {
        c->status = sim_status(c->sim[behind], &c->err);
        return SIM_FAILED;
    }
    a = c->state[0] == SIM_RUNNING ? sim_now(c->sim[0]) : UINT64_MAX;
    b = c->state[1] == SIM_RUNNING ? sim_now(c->sim[1]) : UINT64_MAX;
    for (unsigned t = 0; t < HOST_MAX_TILES; t++) {
        state = compare_tile(c, t, a < b ? a : b);
        if (state != SIM_RUNNING)
            return state;
    }
    if (c->state[0] != SIM_RUNNING && c->state[1] != SIM_RUNNING)
        return compare_end(c);
    return SIM_RUNNING;
}

enum igpu_status check_status(const struct check *c, struct igpu_err *err)
{
    if (err != NULL)
        *err = c->err;
    return c->status;
}

uint64_t check_events(const struct check *c)
{
    return c->compared;
}
