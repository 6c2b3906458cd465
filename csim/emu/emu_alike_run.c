/* emu_alike_run.c - launches whose groups are alike, see emu_alike.h: when the first
 * one is looked at, and what runs otherwise behind it. */
#include "emu_alike.h"
#include "emu_jit_int.h"

#include <stdlib.h>

/* Groups of a launch from which on the look at the first one, some 50 times slower than
 * its translation, is no cost. */
enum { LEAST_GROUPS = 1024 };

/* How a group runs: as the launch's, or with nobody told of it but at its threads'
 * ends.
 */
struct side {
    const struct emu_launch *launch;
    bool translates, tells;
    jit_run_fn *translated;
    struct jit_place *places;
    const void *const *jit_table;
    uint64_t *log, *log_head;
    size_t log_words;
};

struct emu_alike_side {
    struct emu_alike *proof;
    bool own;                /* the proof */
    bool quiet;              /* the group that runs is alike */
    struct side other;       /* how those run that are not as this one */
    struct emu_launch alone; /* the launch without its hooks */
    emu_alike_tell_fn *tell;
    void *ctx;
    /* Of the thread that is told of. */
    uint64_t group, further[3];
    uint32_t *inst;
    uint64_t *way;
};

/* ---- how groups run ---------------------------------------------------------------
 */

static void take_turns(struct emu_machine *m)
{
    struct side *other = &m->alike->other;
    const struct side now = {m->launch,     m->translates, m->tells,
                             m->translated, m->places,     m->jit_table,
                             m->log,        m->log_head,   m->log_words};

    m->launch = other->launch;
    m->translates = other->translates;
    m->tells = other->tells;
    m->translated = other->translated;
    m->places = other->places;
    m->jit_table = other->jit_table;
    m->log = other->log;
    m->log_head = other->log_head;
    m->log_words = other->log_words;
    *other = now;
    m->alike->quiet = !m->alike->quiet;
}

/* Group `at` less the one that ran. False: it is not one of those that are alike. */
static bool find_further(const struct emu_alike *a, const uint64_t *at,
                         uint64_t *further)
{
    bool is = true;

    for (uint32_t d = 0; d < 3; d++) {
        further[d] = at[d] - a->first[d];
        is = is && further[d] <= a->most[d];
    }
    return is;
}

void emu_alike_rest(struct emu_machine *m)
{
    if (m->alike != NULL && m->alike->quiet)
        take_turns(m);
}

void emu_alike_turn(struct emu_machine *m)
{
    uint64_t further[3];

    if (find_further(m->alike->proof, m->group.at, further) != m->alike->quiet)
        take_turns(m);
}

static void thread_end(void *ctx, uint64_t thread, const struct emu_counts *counts)
{
    const struct emu_machine *m = ctx;

    m->alike->tell(m->alike->ctx, thread, counts);
}

static bool add_side(struct emu_machine *m, struct emu_alike *a, bool own,
                     emu_alike_tell_fn *tell, void *ctx)
{
    struct emu_alike_side *s = calloc(1, sizeof(*s));

    if (s == NULL) {
        if (own)
            emu_alike_free(a);
        return false;
    }
    s->proof = a;
    s->own = own;
    s->tell = tell;
    s->ctx = ctx;
    s->group = UINT64_MAX;
    s->alone = *m->launch;
    s->alone.hooks = (struct emu_hooks){.ctx = m, .thread_end = thread_end};
    s->other.launch = &s->alone;
    m->alike = s;
    if (own) {
        s->inst = malloc(a->p->code->count * sizeof(*s->inst));
        s->way = malloc(a->p->code->count * sizeof(*s->way));
        if (s->inst == NULL || s->way == NULL)
            return false;
    }
    take_turns(m);
    emu_jit_take_side(m);
    return true;
}

bool emu_alike_share(struct emu_machine *m, const struct emu_machine *base,
                     emu_alike_tell_fn *tell, void *ctx)
{
    m->alike = NULL;
    return base->alike == NULL || add_side(m, base->alike->proof, false, tell, ctx);
}

void emu_alike_end(struct emu_machine *m)
{
    struct emu_alike_side *s = m->alike;

    emu_alike_free(m->proves);
    m->proves = NULL;
    if (s == NULL)
        return;
    emu_alike_rest(m);
    free(s->other.places);
    if (s->own)
        emu_alike_free(s->proof);
    free(s->inst);
    free(s->way);
    free(s);
    m->alike = NULL;
}

/* ---- hooks ------------------------------------------------------------------------
 */

static const struct emu_launch *told_launch(const struct emu_machine *m)
{
    return m->alike->quiet ? m->alike->other.launch : m->launch;
}

/* How much further the threads of this one's group are. */
static void find_group(const struct emu_machine *m, struct emu_alike_side *s,
                       uint64_t thread)
{
    uint64_t group = thread / s->proof->threads, row = group / m->groups[0];
    const uint64_t at[3] = {group % m->groups[0], row % m->groups[1],
                            row / m->groups[1]};

    if (group != s->group)
        (void)find_further(s->proof, at, s->further);
    s->group = group;
}

void emu_alike_tell(struct emu_machine *m, uint64_t thread,
                    const struct emu_counts *counts)
{
    struct emu_alike_side *s = m->alike;
    const struct emu_alike *a = s->proof;
    uint32_t index = (uint32_t)(thread % a->threads), sends = 0;
    const struct emu_hooks *hooks = &told_launch(m)->hooks;
    const struct alike_thread *like = &a->thread[index];

    find_group(m, s, thread);
    for (uint32_t i = 0; i < like->sends; i++) {
        const struct alike_slope *slope = &a->slope[like->send[i].slope];

        s->inst[sends] = like->send[i].inst;
        s->way[sends++] = (uint64_t)slope->by[0] * s->further[0] +
                          (uint64_t)slope->by[1] * s->further[1] +
                          (uint64_t)slope->by[2] * s->further[2];
    }
    if (counts->instructions !=
        like->instructions) /* lanes that are on may be others */
        m->status =
            igpu_fail(m->err, IGPU_SIM_ERROR,
                      "kernel %s: thread %llu ran otherwise than proved; please "
                      "report this",
                      m->p->name, (unsigned long long)thread);
    hooks->alike->thread(
        hooks->ctx,
        &(struct emu_alike_thread){thread, a->number + index, sends, s->inst, s->way},
        counts);
}

static void tell_own(void *ctx, uint64_t thread, const struct emu_counts *counts)
{
    emu_alike_tell(ctx, thread, counts);
}

/* ---- the first group --------------------------------------------------------------
 */

static bool is_worth(const struct emu_machine *m)
{
    const struct emu_launch *l = m->launch;
    uint64_t least = l->alike != 0 ? l->alike : LEAST_GROUPS;

    return l->hooks.alike != NULL && l->hooks.values == NULL && !l->lenient &&
           l->max_instructions == 0 && m->watch == NULL && m->beside == NULL &&
           m->mem->hooks.write == NULL && m->clock == NULL &&
           m->end_group - m->first_group >= least && emu_any_order(m->p);
}

void emu_alike_set_up(struct emu_machine *m)
{
    m->prove_at = is_worth(m) ? m->first_group : UINT64_MAX;
}

/* Where the first group is at a border that the others are not at: the one behind it in
 * the first two dimensions, if it comes soon. */
static uint64_t second_try(const struct emu_machine *m)
{
    enum { SOON = 16 };
    uint64_t behind = 1 + (m->groups[1] > 2 ? m->groups[0] : 0);

    if (m->prove_at != m->first_group || m->first_group != 0 || m->groups[0] < 3 ||
        behind > m->end_group / SOON)
        return UINT64_MAX;
    return behind;
}

void emu_alike_begin(struct emu_machine *m)
{
    const struct emu_hooks *hooks = &m->launch->hooks;

    m->proves = emu_alike_new(m);
    if (m->proves != NULL)
        hooks->alike->begin(hooks->ctx, m->group.first, m->threads_per_group);
    else
        m->prove_at = UINT64_MAX;
}

void emu_alike_thread_ended(const struct emu_thread *t)
{
    struct emu_alike *a = t->m->proves;

    a->thread[t->number - a->number].instructions = t->counts.instructions;
}

void emu_alike_ended(struct emu_machine *m)
{
    const struct emu_hooks *hooks = &m->launch->hooks;
    struct emu_alike *a = m->proves;
    bool proved = !a->failed && emu_alike_gather(a);

    m->proves = NULL;
    m->prove_at = proved ? UINT64_MAX : second_try(m);
    if (hooks->alike->ended(hooks->ctx, proved) && proved) {
        if (add_side(m, a, true, tell_own, m))
            return;
        m->status = igpu_no_memory(m->err, "a launch whose groups are alike");
        emu_alike_end(m);
    } else {
        emu_alike_free(a);
    }
}
