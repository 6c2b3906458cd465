/* sim_tokens.c - tokens at a window's borders: completions to the engine; opens, ends
 * and messages to the memory side, in ascending (cycle, tile). */
#include <assert.h>

#include "bridge/host/sim/sim_state.h"

_Static_assert((int)SAMPLE_STAGES == (int)TRACE_STAGES, "a sample counts every stage");

uint64_t sim_window(const struct igpu_config *config)
{
    uint64_t window = mem_min_latency(config);

    if (config->disp_start_latency < window)
        window = config->disp_start_latency;
    if (config->disp_end_latency < window)
        window = config->disp_end_latency;
    return window;
}

void sim_tokens_deliver(struct sim *s, uint64_t until)
{
    struct mem_done d;

    while (mem_take(s->mem, until, &d)) {
        struct host_done done = {.cycle = d.cycle,
                                 .uop = d.uop,
                                 .tile = d.subslice,
                                 .eu = d.eu,
                                 .slot = d.slot,
                                 .credit = d.credit,
                                 .wb = d.wb};

        assert(d.cycle >= s->now); /* the window's promise */
        s->tile[d.subslice].eu[d.eu].slot[d.slot].responses -= d.wb;
        s->options.engine->done(s->engine, &done);
        if (s->options.profile != NULL)
            profile_done(s->options.profile, &d, mem_way(s->mem, d.subslice));
        if (s->options.messages.sent != NULL)
            s->options.messages.answered(s->options.messages.ctx, &d,
                                         mem_way(s->mem, d.subslice));
        if (s->options.log) {
            uint8_t level = mem_way(s->mem, d.subslice)->level;
            struct sim_event event = {d.cycle, d.uop,  SIM_ANSWER, d.subslice,
                                      d.eu,    d.slot, level};

            sim_log(s, &event);
        }
    }
}

/* A thread of graphics has fixed functions before it. */
static void open_graphics(struct sim *s, const struct sim_event *e)
{
    struct mem_graphics made;

    if (!feeder_graphics(s->feeder, e->tile, e->eu, e->slot, &made))
        return;
    s->sampling.graphics.threads[s->tile[e->tile].eu[e->eu].slot[e->slot].stage]++;
    s->sampling.graphics.blocks += made.work[MEM_WORK_BLOCKS];
    mem_graphics_begin(s->mem, e->tile, e->eu, e->slot, e->cycle, s->launch_start,
                       &made);
}

/* All messages before the open's cycle were handed over. */
static void tell_open(struct sim *s, const struct sim_event *e)
{
    if (s->options.threads.opened == NULL)
        return;
    mem_run(s->mem, e->cycle);
    s->options.threads.opened(s->options.threads.ctx, e);
}

static void tell_end(struct sim *s, const struct sim_event *e)
{
    if (s->options.threads.opened != NULL)
        s->options.threads.ended(s->options.threads.ctx, e);
}

static void apply_token(struct sim *s, const struct sim_event *e)
{
    if (e->kind == SIM_OPEN) {
        tell_open(s, e);
        if (s->shape.graphics)
            open_graphics(s, e);
        /* Threads of a group are dispatched, hence opened, in order. */
        if (e->unit != HOST_NO_BARRIER && e->value % s->shape.tpg == 0)
            mem_group_begin(s->mem, e->tile, e->unit, s->shape.tpg);
    } else if (e->kind == SIM_END) {
        tell_end(s, e);
        if (e->value != HOST_NO_BARRIER)
            mem_thread_end(s->mem, e->tile, (uint8_t)e->value, e->cycle);
        if (s->shape.graphics)
            mem_graphics_end(s->mem, e->tile, e->eu, e->slot, e->cycle);
    } else {
        struct mem_msg msg;

        msg.cycle = e->cycle;
        msg.bslot = 0;
        feeder_message(s->feeder, e->tile, e->eu, e->slot, e->value, &msg);
        if (msg.op == MEM_BARRIER)
            msg.bslot = s->tile[e->tile].eu[e->eu].slot[e->slot].bslot;
        if (s->options.messages.sent != NULL)
            s->options.messages.sent(s->options.messages.ctx, s->launch, &msg);
        if (s->options.profile != NULL)
            profile_sent(s->options.profile, &msg);
        mem_send(s->mem, &msg);
    }
}

/* An engine may report messages, opens and ends of a tile one kind after the other:
 * bring them into ascending cycles, and those of one cycle into one order, since fixed
 * functions take up threads in it. They are few and nearly sorted. */
static bool is_later(const struct sim_event *a, const struct sim_event *b)
{
    return a->cycle != b->cycle ? a->cycle > b->cycle : a->kind > b->kind;
}

static void sort_tokens(struct sim_event_list *list)
{
    for (uint32_t i = 1; i < list->count; i++) {
        struct sim_event moved = list->event[i];
        uint32_t j = i;

        if (!is_later(&list->event[i - 1], &moved))
            continue;
        for (; j > 0 && is_later(&list->event[j - 1], &moved); j--)
            list->event[j] = list->event[j - 1];
        list->event[j] = moved;
    }
}

/* The cycle of the tile's token `at`; UINT64_MAX behind the last. */
static uint64_t cycle_of(const struct sim_event_list *list, uint32_t at)
{
    return at < list->count ? list->event[at].cycle : UINT64_MAX;
}

/* Tokens of all tiles in ascending (cycle, tile). */
void sim_tokens_apply(struct sim *s)
{
    unsigned tiles = (unsigned)s->config->gpu_subslices;
    uint64_t cycle[HOST_MAX_TILES]; /* of each tile's next one */
    uint32_t at[HOST_MAX_TILES] = {0};

    for (unsigned i = 0; i < tiles; i++) {
        sort_tokens(&s->tile[i].tokens);
        cycle[i] = cycle_of(&s->tile[i].tokens, 0);
    }
    for (;;) {
        unsigned first = 0;

        for (unsigned i = 1; i < tiles; i++)
            if (cycle[i] < cycle[first])
                first = i;
        if (cycle[first] == UINT64_MAX)
            break;
        apply_token(s, &s->tile[first].tokens.event[at[first]]);
        cycle[first] = cycle_of(&s->tile[first].tokens, ++at[first]);
    }
    for (unsigned i = 0; i < tiles; i++)
        s->tile[i].tokens.count = 0;
}
