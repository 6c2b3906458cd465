/* view_without.c - what a launch would take without what holds it up, or with less of
 * it (docs/guide/profile.md, section 4); see view.h.
 *
 * What is used up takes its share of the launch, a wait its part of the threads'
 * cycles, with the waits of those behind it. What is left is not less than any other
 * limit would take, and that one is next. */
#include <math.h>
#include <string.h>

#include "bridge/programs/view/view.h"

/* Limits are never used up to the last cycle: copy reaches 0.92 of the DRAM, and
 * streams 0.94 to 0.96 of a bus (docs/lab/2026-11-profile.md). */
static const double reached = 0.95, reached_dram = 0.92;

struct sum {
    const struct view *v;
    uint32_t at;
    const struct view_verdict *d;
    const struct profile_result *r;
    double cycles;
};

static bool is(const struct sum *s, const char *cause)
{
    return strcmp(s->d->cause, cause) == 0;
}

/* Waits in front of the data port: they go away with what is slow behind it. */
static bool in_front(unsigned reason)
{
    return reason == PROFILE_QUEUE || reason == PROFILE_CREDIT ||
           reason == PROFILE_MSG_QUEUE || reason == PROFILE_MSG_CREDIT ||
           reason == PROFILE_MSG_TABLE || reason == PROFILE_MSG_PORT;
}

static bool behind_port(unsigned reason)
{
    return reason >= PROFILE_MSG_TABLE && reason <= PROFILE_MSG_TARGET;
}

static double of_waits(const struct sum *s)
{
    uint64_t sum[PROFILE_REASONS], issues, cycles = 0;
    unsigned reason = s->d->reason;

    profile_sum(s->r, sum, &issues);
    for (unsigned k = 0; k < PROFILE_REASONS; k++)
        if (view_alike(k, reason) || (in_front(k) && behind_port(reason)))
            cycles += sum[k];
    return s->cycles * (double)cycles / (double)s->r->thread_cycles;
}

static double share_of(const struct view_load *loads, unsigned count, const char *key)
{
    for (unsigned i = 0; i < count; i++)
        if (strcmp(loads[i].key, key) == 0)
            return loads[i].share;
    return 0;
}

static double of_fpus(const struct sum *s, const struct view_load *loads,
                      unsigned count)
{
    double fpu1 = share_of(loads, count, "fpu1");

    return is(s, "fpu1") ? fpu1 : (share_of(loads, count, "fpu0") + fpu1) / 2;
}

static double dispatching(const struct sum *s)
{
    return (double)s->r->threads * (double)s->v->config->disp_interval;
}

static double of_tail(const struct sum *s)
{
    double slots = (double)s->r->thread_cycles;

    for (unsigned i = 0; i < PROFILE_EMPTIES; i++)
        slots += (double)s->r->empty[i];
    return s->cycles * (double)s->r->empty[PROFILE_EMPTY_TAIL] / slots;
}

/* The cycles of the launch that the verdict's bound is to blame for. */
static double part_of(const struct sum *s, const struct view_load *loads,
                      unsigned count)
{
    double part;

    if (is(s, "fpus") || is(s, "fpu1"))
        part = s->cycles * of_fpus(s, loads, count);
    else if (is(s, "send-unit"))
        part = s->cycles * share_of(loads, count, "send");
    else if (is(s, "dispatch"))
        part = dispatching(s);
    else if (is(s, "tail"))
        part = of_tail(s);
    else if (s->d->load != NULL)
        part = s->cycles * share_of(loads, count, s->d->load);
    else
        part = of_waits(s);
    return fmin(part, s->cycles);
}

/* ---- what is next ---- */

static void at_least(struct view_without *w, double cycles, const char *what)
{
    if (cycles <= w->floor)
        return;
    w->floor = cycles;
    w->next = what;
}

/* Is this load the bound itself, or filled by it? */
static bool goes_too(const struct sum *s, const char *key)
{
    if (s->d->load != NULL && strcmp(key, s->d->load) == 0)
        return true;
    if (is(s, "port-lines"))
        return strcmp(key, "lines") == 0 || strcmp(key, "back") == 0;
    if (is(s, "send-unit"))
        return strcmp(key, "send") == 0;
    return strcmp(key, "table") == 0 &&
           (s->d->load != NULL || behind_port(s->d->reason));
}

static void next_limit(const struct sum *s, const struct view_load *loads,
                       unsigned count, struct view_without *w)
{
    bool fpus = is(s, "fpus") || is(s, "fpu1");

    for (unsigned i = 0; i < count; i++) {
        const char *key = loads[i].key;
        double most = strcmp(key, "dram") == 0 ? reached_dram : reached;

        if (strncmp(key, "fpu", 3) != 0 && !goes_too(s, key))
            at_least(w, s->cycles * loads[i].share / most, loads[i].text);
    }
    if (!fpus)
        at_least(w, s->cycles * of_fpus(s, loads, count) / reached, "the FPUs");
    if (!is(s, "dispatch"))
        at_least(w, dispatching(s), "the dispatch of threads");
}

/* Threads follow each other in a slot as soon as the dispatcher knows. */
static double of_slots(const struct sum *s)
{
    const struct igpu_config *c = s->v->config;
    double slots = (double)(c->gpu_subslices * c->eu_count * c->eu_threads);
    double turn = (double)(c->disp_start_latency + c->disp_end_latency);

    return ((double)s->r->thread_cycles + (double)s->r->threads * turn) / slots;
}

/* ---- each wait a few cycles shorter ---- */

/* Waits of `reason` hold what is `shorter` too: what lies behind a level passes it. */
static bool passes(unsigned reason, unsigned shorter)
{
    if (shorter == PROFILE_MSG_L3 || shorter == PROFILE_MSG_LLC)
        return reason >= shorter && reason <= PROFILE_MSG_DRAM;
    return view_alike(reason, shorter);
}

/* Of a send's messages, those that come to the level of the reason. */
static double passing(const struct sum *s, uint32_t producer, unsigned reason)
{
    static const enum mem_level level_of[PROFILE_REASONS] = {
        [PROFILE_MSG_L3] = MEM_AT_L3,
        [PROFILE_MSG_LLC] = MEM_AT_LLC,
        [PROFILE_MSG_EDRAM] = MEM_AT_EDRAM,
        [PROFILE_MSG_DRAM] = MEM_AT_DRAM};
    const struct profile_send *send;
    uint64_t came = 0;

    if (reason < PROFILE_MSG_L3 || reason > PROFILE_MSG_DRAM ||
        s->r->inst[producer].send == PROFILE_NONE)
        return 1;
    send = &s->r->send[s->r->inst[producer].send];
    for (unsigned k = level_of[reason]; k < MEM_LINE_LEVELS; k++)
        if (k == level_of[reason] || reason < PROFILE_MSG_EDRAM)
            came += send->level[k];
    return send->messages != 0 ? (double)came / (double)send->messages : 0;
}

/* A wait that is shorter than that on average is none of those. */
static double shorter(double cycles, double times, double by)
{
    return cycles >= 0.9 * by * times ? fmin(cycles, by * times) : 0;
}

static double shorter_for(const struct sum *s, const struct profile_inst *inst,
                          double by)
{
    double sum = 0;

    for (uint32_t e = inst->edge; e != PROFILE_NONE; e = s->r->edge[e].next) {
        uint32_t producer = s->r->edge[e].producer, k = inst->edge;
        double cycles = 0;

        while (k != e && (s->r->edge[k].producer != producer ||
                          !passes(s->r->edge[k].reason, s->d->reason)))
            k = s->r->edge[k].next;
        if (k != e || !passes(s->r->edge[e].reason, s->d->reason))
            continue; /* counted, or not of these */
        for (; k != PROFILE_NONE; k = s->r->edge[k].next)
            if (s->r->edge[k].producer == producer &&
                passes(s->r->edge[k].reason, s->d->reason))
                cycles += (double)s->r->edge[k].cycles;
        sum += shorter(cycles,
                       (double)inst->issues * passing(s, producer, s->d->reason), by);
    }
    return sum;
}

static double saved_by(const struct sum *s, double by)
{
    double sum = 0;

    for (uint32_t i = 0; i < s->r->count; i++) {
        const struct profile_inst *inst = &s->r->inst[i];
        uint64_t cycles = 0;

        if (inst->edge != PROFILE_NONE)
            sum += shorter_for(s, inst, by);
        for (unsigned k = 0; k < PROFILE_OPERAND; k++)
            if (view_alike(k, s->d->reason))
                cycles += inst->wait[k];
        sum += shorter((double)cycles, (double)inst->issues, by);
    }
    return s->cycles * sum / (double)s->r->thread_cycles;
}

void view_without(const struct view *v, uint32_t at, const struct view_verdict *d,
                  struct view_without *w)
{
    const struct profile_result *r = &v->result[at];
    struct sum s = {v, at, d, r, (double)(r->end - r->start)};
    struct view_load loads[VIEW_LOADS];
    unsigned count = view_loads(v, at, loads);
    double cut;

    memset(w, 0, sizeof(*w));
    w->next = "what the threads do beside that";
    if (r->thread_cycles == 0)
        return;
    w->part = part_of(&s, loads, count);
    /* Waits for something that is used up hide what threads would wait for then. */
    w->floor = d->load == NULL ? s.cycles - w->part : 0;
    next_limit(&s, loads, count, w);
    if (is(&s, "dispatch"))
        at_least(w, of_slots(&s), "threads that follow each other in a slot");
    w->floor = fmin(w->floor, s.cycles);
    cut = v->ease_share * w->part;
    if (v->ease_cycles > 0)
        cut = fmin(w->part, saved_by(&s, (double)v->ease_cycles));
    w->eased = fmax(s.cycles - cut, w->floor);
}
