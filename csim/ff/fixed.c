/* fixed.c - see fixed.h. */
#include "csim/ff/fixed.h"

#include <assert.h>
#include <string.h>

/* Enough for any frame, and far from an overflow. */
#define MOST_WORK (UINT64_C(1) << 32)

void fixed_init(struct fixed *f, const struct igpu_config *config,
                struct mem_stats *stats)
{
    f->config = config;
    f->stats = stats;
}

void fixed_launch(struct fixed *f)
{
    const struct igpu_config *config = f->config;
    struct mem_stats *stats = f->stats;

    if (!f->used)
        return;
    memset(f, 0, sizeof(*f));
    fixed_init(f, config, stats);
}

/* ---- functions ---------------------------------------------------------- */

static uint64_t at_rate(uint64_t work, uint64_t rate)
{
    return (work + rate - 1) / rate;
}

/* What so much work takes, begun cycles as whole ones. */
static uint64_t cycles_of(const struct fixed *f, enum mem_work unit, uint64_t work)
{
    enum { BLOCK_PIXELS = 4 };
    const struct igpu_config *c = f->config;

    switch (unit) {
    case MEM_WORK_VERTICES:
        return work * c->ff_vertex_cycles;
    case MEM_WORK_BYTES:
        return at_rate(work, c->ff_fetch_bytes);
    case MEM_WORK_PRIMITIVES:
        return work * c->ff_primitive_cycles;
    case MEM_WORK_BLOCKS:
        return at_rate(work * BLOCK_PIXELS, c->ff_pixels);
    case MEM_WORK_TESTS:
        return at_rate(work, c->ff_tests);
    default:
        return c->ff_hiz_blocks > 0 ? at_rate(work, c->ff_hiz_blocks) : 0;
    }
}

static void count(struct fixed *f, enum mem_work unit, uint64_t cycles)
{
    uint64_t *const busy[MEM_WORKS] = {
        &f->stats->ff_vertex_cycles,    &f->stats->ff_fetch_cycles,
        &f->stats->ff_primitive_cycles, &f->stats->ff_pixel_cycles,
        &f->stats->ff_test_cycles,      &f->stats->ff_hiz_cycles};

    *busy[unit] += cycles;
}

/* The unit takes `work` that is there at `from`: when it is done. */
static uint64_t fixed_take(struct fixed *f, enum mem_work unit, uint64_t work,
                           uint64_t from)
{
    struct fixed_unit *u = &f->unit[unit];
    uint64_t done;

    if (from > u->done)
        *u = (struct fixed_unit){from, 0, from};
    u->work += work < MOST_WORK ? work : MOST_WORK;
    if (u->work > MOST_WORK)
        u->work = MOST_WORK;
    done = u->from + cycles_of(f, unit, u->work);
    count(f, unit, done - u->done);
    u->done = done;
    return done;
}

/* ---- deliveries --------------------------------------------------------- */

/* `delivered` threads had at `at`. Where too many steps are remembered, the two oldest
 * become one, the later. */
static void remember(struct fixed *f, uint64_t at)
{
    uint32_t last = (f->first_step + f->steps - 1) % FIXED_STEPS;

    if (f->steps > 0 && f->step[last].at == at) {
        f->step[last].count = f->delivered;
        return;
    }
    if (f->steps == FIXED_STEPS) {
        f->first_step = (f->first_step + 1) % FIXED_STEPS;
        f->steps--;
    }
    last = (f->first_step + f->steps++) % FIXED_STEPS;
    f->step[last].count = f->delivered;
    f->step[last].at = at;
}

/* When the first `needed` threads, which have ended, had delivered. Nobody asks for
 * fewer again. */
static uint64_t delivered_at(struct fixed *f, uint64_t needed)
{
    if (needed == 0 || f->steps == 0)
        return f->start;
    while (f->step[f->first_step].count < needed) {
        assert(f->steps > 1);
        f->first_step = (f->first_step + 1) % FIXED_STEPS;
        f->steps--;
    }
    return f->step[f->first_step].at;
}

/* Of those that deliver and run: the oldest's number. */
static uint64_t oldest(const struct fixed *f)
{
    uint64_t number = f->begun;

    for (uint64_t i = 0; i < f->config->gpu_subslices; i++)
        for (uint64_t j = 0; j < f->config->eu_count; j++)
            for (uint64_t k = 0; k < f->config->eu_threads; k++) {
                const struct fixed_slot *s = &f->slot[i][j][k];

                if (s->runs && !s->pixel && s->number < number)
                    number = s->number;
            }
    return number;
}

/* ---- threads ------------------------------------------------------------ */

/* The commands of draws are read one after the other from the launch's start on, also
 * of draws without threads between two with. */
static uint64_t told_at(struct fixed *f, uint64_t draw)
{
    if (draw <= f->draw)
        return f->start;
    f->told += (f->draw == 0 ? 1 : draw - f->draw) * f->config->ff_draw_cycles;
    f->draw = draw;
    return f->told;
}

static void message_make(struct fixed *f, const struct fixed_waiting *w)
{
    const struct mem_graphics *t = &w->thread;
    struct fixed_slot *s = &f->slot[w->tile][w->eu][w->slot];
    uint64_t delivered = delivered_at(f, t->needed), told = told_at(f, t->draw);
    uint64_t from = told > delivered ? told : delivered, made = from;

    s->tested = from;
    for (enum mem_work u = MEM_WORK_VERTICES; u < MEM_WORKS; u++) {
        uint64_t done = t->work[u] > 0 ? fixed_take(f, u, t->work[u], from) : 0;

        made = done > made ? done : made;
        if (u >= MEM_WORK_TESTS && done > s->tested)
            s->tested = done;
    }
    if (t->pixel && f->pixels_made > made)
        made = f->pixels_made;
    if (t->pixel)
        f->pixels_made = made;
    s->made = made + f->config->ff_latency;
}

void fixed_begin(struct fixed *f, uint8_t tile, uint8_t eu, uint8_t slot,
                 uint64_t start, const struct mem_graphics *thread)
{
    struct fixed_waiting w = {*thread, tile, eu, slot};
    struct fixed_slot *s = &f->slot[tile][eu][slot];

    assert(!s->runs);
    if (!f->used) {
        f->used = true;
        f->start = f->pixels_made = f->told = start;
        for (unsigned u = 0; u < MEM_WORKS; u++)
            f->unit[u] = (struct fixed_unit){start, 0, start};
    }
    *s = (struct fixed_slot){FIXED_UNKNOWN, 0, f->begun, true, thread->pixel, false};
    if (w.thread.needed > f->begun) /* nobody waits for a thread behind it */
        w.thread.needed = f->begun;
    f->begun += !thread->pixel;
    /* The vertex fetch waits for nobody, all else in order. */
    if ((!thread->pixel && w.thread.needed == 0) ||
        (f->waiting == 0 && w.thread.needed <= f->delivered)) {
        message_make(f, &w);
        return;
    }
    assert(f->waiting < FIXED_QUEUE);
    f->queue[(f->first + f->waiting++) % FIXED_QUEUE] = w;
}

void fixed_end(struct fixed *f, uint8_t tile, uint8_t eu, uint8_t slot, uint64_t cycle)
{
    struct fixed_slot *s = &f->slot[tile][eu][slot];
    bool first = s->runs && !s->pixel && s->number == f->delivered;

    s->runs = false;
    if (!first)
        return;
    f->delivered = oldest(f);
    remember(f, cycle + f->config->dp_in_latency);
}

bool fixed_made(struct fixed *f, struct fixed_waiting *thread)
{
    if (f->waiting == 0 || f->queue[f->first].thread.needed > f->delivered)
        return false;
    *thread = f->queue[f->first];
    f->first = (f->first + 1) % FIXED_QUEUE;
    f->waiting--;
    message_make(f, thread);
    return true;
}
