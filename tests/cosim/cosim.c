/* cosim.c - see cosim.h. */
#include "cosim.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "recorder.h"
#include "responder.h"
#include "tests/support/rng.h"

enum { MOST_CYCLES = 40000000 /* of a case; the longest seen had 4.1 million */ };

struct side {
    const struct cosim_engine *engine;
    void *state;
    struct recorder rec;
};

struct cosim {
    const struct rt_case *c;
    struct side side[2];
    struct responder resp;
    struct rng windows;
    uint64_t window; /* the longest that the contract allows */
    bool random_windows;
    uint64_t now;
    unsigned launch;
    /* of the current launch */
    uint32_t ended;
    uint64_t end;        /* when the last END so far takes effect */
    uint64_t unanswered; /* messages issued, their DONE not taken */
    uint32_t begun[HOST_MAX_TILES][RESP_BARRIERS]; /* threads opened of a group */
    uint8_t bslot[HOST_MAX_TILES][HOST_EUS][HOST_SLOTS];
    struct cosim_report *report;
};

static bool differ(struct cosim *s, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static bool differ(struct cosim *s, const char *format, ...)
{
    char what[512], about[320];
    va_list args;

    va_start(args, format);
    (void)vsnprintf(what, sizeof(what), format, args);
    va_end(args);
    rt_describe(s->c, about, sizeof(about));
    (void)snprintf(s->report->text, sizeof(s->report->text), "%s (launch %u, %s)", what,
                   s->launch, about);
    return false;
}

/* ---- one window ---- */

static uint64_t next_window(struct cosim *s)
{
    return s->now + (s->random_windows ? rng_in(&s->windows, 1, s->window) : s->window);
}

static void give_dones(struct cosim *s, uint64_t until)
{
    struct host_done done;

    for (unsigned tile = 0; tile < s->c->config.gpu_subslices; tile++) {
        while (resp_take(&s->resp, tile, until, &done)) {
            s->unanswered--;
            s->report->totals.dones++;
            for (unsigned i = 0; i < 2; i++)
                s->side[i].engine->ops->done(s->side[i].state, &done);
        }
    }
}

/* One engine from s->now to `until`. */
static void run_side(struct cosim *s, struct side *side, uint64_t until)
{
    const struct cosim_engine *e = side->engine;
    uint64_t at = s->now;

    side->rec.events = 0;
    while (at < until) {
        uint64_t to = until;

        if (e->skip) {
            uint64_t event = e->ops->next_event(side->state);

            if (event > at) {
                at = event < until ? event : until;
                e->ops->skip(side->state, at);
                continue;
            }
        }
        if (e->slice > 0 && until - at > e->slice)
            to = at + e->slice;
        e->ops->run(side->state, to);
        at = to;
    }
    rec_sort(&side->rec);
    for (uint32_t i = 0; s->report->see != NULL && i < side->rec.events; i++)
        s->report->see(s->report->see_ctx, (unsigned)(side - s->side),
                       &side->rec.event[i]);
}

static bool compare_events(struct cosim *s, uint64_t until)
{
    const struct recorder *a = &s->side[0].rec, *b = &s->side[1].rec;
    const char *la = s->side[0].engine->label, *lb = s->side[1].engine->label;
    char ta[160] = "does nothing more", tb[160] = "does nothing more";
    uint32_t i = 0;

    while (i < a->events && i < b->events && event_equal(&a->event[i], &b->event[i]))
        i++;
    if (i < a->events)
        event_describe(&a->event[i], ta, sizeof(ta));
    if (i < b->events)
        event_describe(&b->event[i], tb, sizeof(tb));
    if (i < a->events || i < b->events)
        return differ(s, "in cycles %" PRIu64 "..%" PRIu64 " %s %s, but %s %s", s->now,
                      until - 1, la, ta, lb, tb);
    if (a->failed || b->failed)
        return differ(s, "%s asks for instructions behind EOT, or memory is short",
                      a->failed ? la : lb);
    for (i = 0; i < a->events; i++) {
        if (a->event[i].cycle < s->now || a->event[i].cycle >= until) {
            event_describe(&a->event[i], ta, sizeof(ta));
            return differ(s,
                          "in cycles %" PRIu64 "..%" PRIu64 " both engines report: %s",
                          s->now, until - 1, ta);
        }
    }
    return true;
}

/* ---- what the events mean to the memory side ---- */

static void on_open(struct cosim *s, const struct event *e)
{
    s->bslot[e->tile][e->eu][e->slot] = e->extra;
    s->report->totals.threads++;
    if (e->extra >= RESP_BARRIERS)
        return;
    if (s->begun[e->tile][e->extra] == 0)
        resp_group_begin(&s->resp, e->tile, e->extra,
                         s->c->launch[s->launch].launch.tpg);
    if (++s->begun[e->tile][e->extra] == s->c->launch[s->launch].launch.tpg)
        s->begun[e->tile][e->extra] = 0;
}

static void on_end(struct cosim *s, const struct event *e)
{
    uint64_t effect = e->cycle + s->c->config.disp_end_latency;

    s->ended++;
    if (effect > s->end)
        s->end = effect;
    if (e->extra < RESP_BARRIERS)
        resp_thread_end(&s->resp, e->tile, e->extra, e->cycle);
}

/* The events of a window, in cycle order, to the responder. */
static bool take_events(struct cosim *s)
{
    const struct recorder *r = &s->side[0].rec;
    const struct rt_kernel *kernel = &s->c->kernel[s->c->launch[s->launch].kernel];

    for (uint32_t i = 0; i < r->events; i++) {
        const struct event *e = &r->event[i];
        const struct uop *u = &kernel->uop[e->kind == EV_OPEN ? 0 : e->value];

        switch (e->kind) {
        case EV_OPEN:
            on_open(s, e);
            break;
        case EV_ISSUE:
            s->report->totals.issues++;
            if (u->unit == UOP_SEND && !(u->flags & UOP_EOT))
                s->unanswered++;
            break;
        case EV_MSG:
            s->report->totals.messages++;
            if (!resp_message(
                    &s->resp,
                    &(struct host_msg){e->cycle, e->value, e->tile, e->eu, e->slot}, u,
                    s->bslot[e->tile][e->eu][e->slot]))
                return differ(s, "both engines have more messages under way than "
                                 "credits and threads allow");
            break;
        default:
            on_end(s, e);
            break;
        }
    }
    return true;
}

static bool compare_over(struct cosim *s)
{
    bool all = s->ended == s->c->launch[s->launch].launch.threads;

    for (unsigned i = 0; i < 2; i++) {
        const struct cosim_engine *e = s->side[i].engine;
        uint64_t end = 0;
        bool over = e->ops->launch_over(s->side[i].state, &end);

        if (over && (!all || end != s->end))
            return differ(s,
                          "%s says the launch ended at %" PRIu64
                          ", but %u of its threads ended, the last at %" PRIu64,
                          e->label, end, (unsigned)s->ended, s->end);
        if (!over && all && s->now > s->end)
            return differ(s,
                          "%s says at %" PRIu64 " that the launch is not over; its "
                          "last END took effect at %" PRIu64,
                          e->label, s->now, s->end);
    }
    return true;
}

static bool step(struct cosim *s)
{
    uint64_t until = next_window(s);

    give_dones(s, until);
    for (unsigned i = 0; i < 2; i++)
        run_side(s, &s->side[i], until);
    if (!compare_events(s, until) || !take_events(s))
        return false;
    s->now = until;
    if (s->now > MOST_CYCLES)
        return differ(s, "both engines are not done after %" PRIu64 " cycles", s->now);
    return compare_over(s);
}

/* ---- launches ---- */

/* Has the engine oldest first? Those of this folder do; the array's other shapes are as
 * the RTL's engines. */
static bool has_oldest(const struct cosim_engine *engine)
{
    const char *name = engine->ops->name;
    size_t count;
    const struct igpu_param_info *p = igpu_params(&count);

    for (size_t i = 0; i < count; i++)
        if (strcmp(p[i].key, "eu.arbiter") == 0)
            return strcmp(name, "naive") == 0 || strncmp(name, "ref", 3) == 0 ||
                   (igpu_param_honoured(&p[i], "rtl") &&
                    igpu_param_honoured(&p[i], "array"));
    return false;
}

static bool start_launch(struct cosim *s)
{
    const struct rt_launch *l = &s->c->launch[s->launch];
    const struct rt_kernel *kernel = &s->c->kernel[l->kernel];
    struct host_launch launch = l->launch;
    struct igpu_err err;

    launch.oldest = l->launch.oldest && has_oldest(s->side[0].engine) &&
                    has_oldest(s->side[1].engine);
    if (s->launch > 0) {
        uint64_t drained = s->end > s->resp.last ? s->end : s->resp.last;

        /* The last window may have gone beyond: the engines go back, idle. */
        launch.cycle = drained + s->c->config.disp_launch_cycles;
        s->now = launch.cycle;
    }
    s->ended = 0;
    s->end = 0;
    for (unsigned i = 0; i < 2; i++) {
        struct side *side = &s->side[i];

        side->rec.launch = s->launch;
        if (side->engine->ops->load(side->state, kernel->uop, kernel->count, &err) !=
            IGPU_OK)
            return differ(s, "%s: %s", side->engine->label, err.text);
        side->engine->ops->launch(side->state, &launch);
    }
    return true;
}

static bool run_launches(struct cosim *s)
{
    const uint64_t budget = s->report->budget;

    for (s->launch = 0; s->launch < s->c->launches; s->launch++) {
        if (!start_launch(s))
            return false;
        while (s->ended < s->c->launch[s->launch].launch.threads || s->unanswered > 0 ||
               s->now <= s->end) {
            if (!step(s))
                return false;
            if (budget > 0 && s->now > budget) {
                s->report->totals.cycles += s->now;
                return true;
            }
        }
    }
    s->report->totals.cycles += s->end;
    return true;
}

static bool create_sides(struct cosim *s)
{
    struct igpu_err err;

    for (unsigned i = 0; i < 2; i++) {
        struct side *side = &s->side[i];
        struct host_calls calls = rec_calls(&side->rec);

        if (side->engine->ops->create(&side->state, &s->c->config, &calls, &err) !=
            IGPU_OK) {
            side->state = NULL;
            return differ(s, "%s: %s", side->engine->label, err.text);
        }
    }
    return true;
}

bool cosim_run(const struct rt_case *c, const struct cosim_engine *a,
               const struct cosim_engine *b, struct cosim_report *report)
{
    struct cosim *s = calloc(1, sizeof(*s));
    bool equal;

    if (s == NULL) {
        (void)snprintf(report->text, sizeof(report->text), "no memory");
        return false;
    }
    s->c = c;
    s->report = report;
    s->side[0].engine = a;
    s->side[1].engine = b;
    s->windows.state = c->seed + 1;
    s->random_windows = rng_once_in(&s->windows, 3);
    s->window = c->memory.min_latency;
    if (s->window > c->config.disp_start_latency)
        s->window = c->config.disp_start_latency;
    if (s->window > c->config.disp_end_latency)
        s->window = c->config.disp_end_latency;
    for (unsigned i = 0; i < 2; i++)
        rec_init(&s->side[i].rec, c);
    resp_init(&s->resp, c);
    equal = create_sides(s) && run_launches(s);
    for (unsigned i = 0; i < 2; i++) {
        if (s->side[i].state != NULL)
            s->side[i].engine->ops->destroy(s->side[i].state);
        rec_free(&s->side[i].rec);
    }
    free(s);
    return equal;
}
