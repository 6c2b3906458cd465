/* trace_alike.c - see trace_alike.h. */
#include "traces/format/trace_alike.h"

#include <stdlib.h>
#include <string.h>

/* ---- memory -----------------------------------------------------------------------
 */

static void free_list(struct trace_access_list *l)
{
    free(l->inst);
    free(l->mask);
    free(l->base);
    free(l->kind);
    free(l->stride);
    free(l->differ);
}

void trace_alike_free(struct trace_alike *a)
{
    if (a == NULL)
        return;
    for (uint32_t k = 0; a->model != NULL && k < a->count; k++) {
        struct trace_model *m = &a->model[k];

        free_list(&m->list);
        free(m->block);
        free(m->of);
        free(m->inst);
        free(m->first);
        free(m->from);
    }
    free_list(&a->as.list);
    free(a->as.block);
    free(a->model);
    free(a->way);
    free(a->further);
    free(a);
}

/* n of an array's elements, once more. */
#define COPY(to, source, n) ((to) = copy((source), (n) * sizeof(*(to))))
static void *copy(const void *from, size_t bytes)
{
    void *to = malloc(bytes + 1);

    if (to != NULL && bytes > 0)
        memcpy(to, from, bytes);
    return to;
}

/* ---- the models -------------------------------------------------------------------
 */

void trace_writer_alike_begin(struct trace_writer *w, uint32_t first, uint32_t threads)
{
    struct trace_alike *a = calloc(1, sizeof(*a));

    trace_alike_free(w->alike);
    w->alike = a;
    if (a == NULL)
        return;
    a->first = first;
    a->count = threads;
    a->model = calloc(threads, sizeof(*a->model));
    a->way = malloc(TRACE_ACCESS_MAX * sizeof(*a->way));
    a->further = calloc(w->kernel->insts + 1u, sizeof(*a->further));
    a->failed =
        a->model == NULL || a->way == NULL || a->further == NULL || w->kernel->graphics;
}

bool trace_alike_is(const struct trace_alike *a, uint32_t thread)
{
    return a != NULL && !a->failed && thread >= a->first &&
           thread - a->first < a->count;
}

/* Of each address its send; of each send its instruction, and its first address. */
static bool find_sends(struct trace_model *m, struct trace_segment_work *work)
{
    uint16_t *send = trace_access_sends(work, &m->list, &m->sends);
    uint32_t base = 0, n = m->list.n;

    m->of = malloc((n + 1u) * sizeof(*m->of));
    m->inst = malloc((m->sends + 1u) * sizeof(*m->inst));
    m->first = malloc((m->sends + 1u) * sizeof(*m->first));
    m->from = malloc((m->sends + 1u) * sizeof(*m->from));
    if (send == NULL || m->of == NULL || m->inst == NULL || m->first == NULL ||
        m->from == NULL) {
        free(send);
        return false;
    }
    for (uint32_t s = 0; s < m->sends; s++)
        m->first[s] = m->list.nbase;
    for (uint32_t i = 0; i < n; i++) {
        m->inst[send[i]] = m->list.inst[i];
        if (m->list.mask[i] == 0)
            continue;
        m->first[send[i]] = base < m->first[send[i]] ? base : m->first[send[i]];
        m->of[base++] = send[i];
    }
    free(send);
    return true;
}

static bool copy_lists(struct trace_model *m, const struct trace_thread *t)
{
    const struct trace_access_list *l = &t->list;

    m->blocks = t->nblock;
    m->list = (struct trace_access_list){.n = l->n,
                                         .nbase = l->nbase,
                                         .nkind = l->nkind,
                                         .nstride = l->nstride,
                                         .ndiffer = l->ndiffer};
    return COPY(m->block, t->block, t->nblock) != NULL &&
           COPY(m->list.base, l->base, l->nbase) != NULL &&
           COPY(m->list.inst, l->inst, l->n) != NULL &&
           COPY(m->list.mask, l->mask, l->n) != NULL &&
           COPY(m->list.kind, l->kind, l->nkind) != NULL &&
           COPY(m->list.stride, l->stride, l->nstride) != NULL &&
           COPY(m->list.differ, l->differ, l->ndiffer) != NULL;
}

void trace_alike_note(struct trace_alike *a, const struct trace_thread *t)
{
    struct trace_model *m = &a->model[t->id - a->first];

    if (t->blocks != 0 || t->accesses != 0 || !t->started)
        return; /* it is in several pieces, or has none */
    a->failed = !copy_lists(m, t) || !find_sends(m, t->w->work);
    m->whole = !a->failed;
}

/* Room for the longest of them. */
static bool make_room(struct trace_writer *w, struct trace_alike *a)
{
    struct trace_thread *t = &a->as;
    uint32_t blocks = 1, accesses = 1, differ = 1;

    for (uint32_t k = 0; k < a->count; k++) {
        const struct trace_model *m = &a->model[k];

        blocks = m->blocks > blocks ? m->blocks : blocks;
        accesses = m->list.n > accesses ? m->list.n : accesses;
        differ = m->list.ndiffer > differ ? m->list.ndiffer : differ;
    }
    t->w = w;
    t->started = true;
    t->how = TRACE_ALONE;
    return IGPU_RESIZE(t->block, blocks) && IGPU_RESIZE(t->list.inst, accesses) &&
           IGPU_RESIZE(t->list.mask, accesses) && IGPU_RESIZE(t->list.base, accesses) &&
           IGPU_RESIZE(t->list.stride, accesses) &&
           IGPU_RESIZE(t->list.kind, accesses) && IGPU_RESIZE(t->list.differ, differ);
}

bool trace_writer_alike_ended(struct trace_writer *w, bool proved)
{
    struct trace_alike *a = w->alike;
    bool whole = proved && a != NULL && !a->failed && !w->failed;

    for (uint32_t k = 0; whole && k < a->count; k++)
        whole = a->model[k].whole;
    if (whole && make_room(w, a))
        return true;
    trace_alike_free(a);
    w->alike = NULL;
    return false;
}
