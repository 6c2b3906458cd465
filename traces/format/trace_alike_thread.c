/* trace_alike_thread.c - threads that are like others, see trace_alike.h. */
#include "traces/format/trace_alike.h"

#include <string.h>

#include "traces/format/trace_follow.h"

static void put_together(struct trace_thread *t, const struct trace_model *m,
                         const uint64_t *way)
{
    const struct trace_access_list *l = &m->list;
    struct trace_access_list *to = &t->list;

    t->instructions = t->blocks = t->accesses = t->lane_accesses = 0;
    t->nblock = m->blocks;
    memcpy(t->block, m->block, m->blocks * sizeof(*t->block));
    to->n = l->n;
    to->nbase = l->nbase;
    to->nkind = l->nkind;
    to->nstride = l->nstride;
    to->ndiffer = l->ndiffer;
    for (uint32_t i = 0; i < l->nbase; i++)
        to->base[i] = l->base[i] + way[m->of[i]];
    memcpy(to->inst, l->inst, l->n * sizeof(*to->inst));
    memcpy(to->mask, l->mask, l->n * sizeof(*to->mask));
    memcpy(to->kind, l->kind, l->nkind * sizeof(*to->kind));
    memcpy(to->stride, l->stride, l->nstride * sizeof(*to->stride));
    memcpy(to->differ, l->differ, l->ndiffer * sizeof(*to->differ));
}

/* What the thread that was just added by itself leaves for others like it. */
static void learn(struct trace_writer *w, struct trace_model *m)
{
    const uint64_t *base = NULL;

    m->path = w->failed ? NULL : w->path_taken;
    m->lane_accesses = w->alike->as.lane_accesses;
    if (m->path == NULL)
        return;
    m->path_times = m->path->times;
    if (m->list.nbase > 0)
        base = trace_moved_link(w->moved, &m->link);
    if (base == NULL && m->list.n > 0)
        m->path = NULL;
    for (uint32_t s = 0; base != NULL && s < m->sends; s++)
        m->from[s] = m->first[s] < m->list.nbase
                         ? m->list.base[m->first[s]] - base[m->first[s]]
                         : 0;
}

/* Its piece from what was learnt. False: it has to be put together. */
static bool add_known(struct trace_writer *w, struct trace_model *m, uint32_t thread,
                      const struct trace_totals *totals)
{
    struct trace_thread *t = &w->alike->as;
    uint64_t *way = w->alike->way;

    if (m->path == NULL || m->path->times != m->path_times ||
        m->path->instructions != totals->instructions)
        return false;
    trace_follow_settle(w->follow);
    w->from = (struct trace_moved_from){{0, 0}, 0, NULL};
    for (uint32_t s = 0; s < m->sends; s++)
        way[s] = m->first[s] < m->list.nbase ? way[s] + m->from[s] : 0;
    if (m->list.n > 0 && !trace_moved_again(w->moved, &m->link, m->sends, way,
                                            trace_section_now(w), &w->from)) {
        for (uint32_t s = 0; s < m->sends; s++)
            way[s] -= m->first[s] < m->list.nbase ? m->from[s] : 0;
        return false;
    }
    w->path_taken = m->path;
    trace_chunk_add(w, thread,
                    TRACE_PIECE_LAST | TRACE_PIECE_PATH |
                        (m->list.n > 0 ? TRACE_PIECE_ACCESS : 0),
                    totals);
    t->blocks = m->blocks;
    t->accesses = m->list.n;
    t->lane_accesses = m->lane_accesses;
    return true;
}

static void find_ways(struct trace_alike *a, const struct trace_model *m,
                      uint32_t sends, const uint32_t *inst, const uint64_t *way)
{
    for (uint32_t i = 0; i < sends; i++)
        a->further[inst[i]] = way[i];
    for (uint32_t s = 0; s < m->sends; s++)
        a->way[s] = a->further[m->inst[s]];
    for (uint32_t i = 0; i < sends; i++)
        a->further[inst[i]] = 0;
}

void trace_thread_alike(struct trace_writer *w, uint32_t thread, uint32_t like,
                        uint32_t sends, const uint32_t *inst, const uint64_t *way,
                        const struct trace_totals *totals)
{
    struct trace_alike *a = w->alike;
    struct trace_model *m;

    if (!trace_writer_begins(w, thread))
        return;
    m = &a->model[like - a->first];
    find_ways(a, m, sends, inst, way);
    if (!add_known(w, m, thread, totals)) {
        a->as.id = thread;
        put_together(&a->as, m, a->way);
        trace_thread_close(&a->as, totals);
        learn(w, m);
    }
    trace_thread_count(w, &a->as, totals);
}
