/* profile_whole.c - results apart from their profile: added up, scaled to a whole of
 * which they are a part, and through a file; see igpu/profile.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "csim/profile/profile_int.h"

void profile_result_free(struct profile_result *r)
{
    free(r->inst);
    free(r->edge);
    free(r->send);
    free(r->part);
    memset(r, 0, sizeof(*r));
}

bool profile_take(struct profile *p, struct profile_result *r)
{
    if (p->results == 0)
        return false;
    *r = p->result[--p->results];
    return true;
}

/* ---- sums ---- */

static bool add_edge(struct profile_result *sum, uint32_t *room, uint32_t inst,
                     const struct profile_edge *more)
{
    struct profile_inst *to = &sum->inst[inst];

    for (uint32_t e = to->edge; e != PROFILE_NONE; e = sum->edge[e].next)
        if (sum->edge[e].producer == more->producer &&
            sum->edge[e].reason == more->reason) {
            sum->edge[e].cycles += more->cycles;
            return true;
        }
    if (!profile_room((void **)&sum->edge, sum->edges, room, sizeof(*sum->edge)))
        return false;
    sum->edge[sum->edges] = *more;
    sum->edge[sum->edges].next = to->edge;
    to->edge = sum->edges++;
    return true;
}

static void add_send(struct profile_send *sum, const struct profile_send *more)
{
    sum->messages += more->messages;
    sum->lines += more->lines;
    sum->bytes += more->bytes;
    for (unsigned i = 0; i < MEM_LINE_LEVELS; i++)
        sum->from[i] += more->from[i];
    for (unsigned i = 0; i < MEM_LEVELS; i++)
        sum->level[i] += more->level[i];
    sum->queued += more->queued;
    sum->full += more->full;
    sum->latency += more->latency;
    if (more->latency_most > sum->latency_most)
        sum->latency_most = more->latency_most;
    for (unsigned i = 0; i < PROFILE_BUCKETS; i++)
        sum->bucket[i] += more->bucket[i];
    if (more->low < sum->low)
        sum->low = more->low;
    if (more->high > sum->high)
        sum->high = more->high;
}

bool profile_result_add(struct profile_result *sum, const struct profile_result *more)
{
    uint32_t room = sum->edges; /* exactly what it has: it grows by copies */

    for (uint32_t i = 0; i < sum->count; i++) {
        sum->inst[i].issues += more->inst[i].issues;
        for (unsigned k = 0; k < PROFILE_REASONS; k++)
            sum->inst[i].wait[k] += more->inst[i].wait[k];
        for (uint32_t e = more->inst[i].edge; e != PROFILE_NONE; e = more->edge[e].next)
            if (!add_edge(sum, &room, i, &more->edge[e]))
                return false;
    }
    for (uint32_t i = 0; i < sum->sends; i++)
        add_send(&sum->send[i], &more->send[i]);
    for (unsigned i = 0; i < PROFILE_EMPTIES; i++)
        sum->empty[i] += more->empty[i];
    sum->threads += more->threads;
    sum->thread_cycles += more->thread_cycles;
    sum->end += more->end - more->start;
    return true;
}

/* ---- a part as the whole ---- */

static void scale(uint64_t *n, double times)
{
    *n = (uint64_t)llround((double)*n * times);
}

static void scale_send(struct profile_send *s, double times)
{
    scale(&s->messages, times);
    scale(&s->bytes, times);
    s->lines = 0;
    for (unsigned i = 0; i < MEM_LINE_LEVELS; i++) {
        scale(&s->from[i], times);
        s->lines += s->from[i];
    }
    for (unsigned i = 0; i < MEM_LEVELS; i++)
        scale(&s->level[i], times);
    scale(&s->queued, times);
    scale(&s->full, times);
    scale(&s->latency, times);
    for (unsigned i = 0; i < PROFILE_BUCKETS; i++)
        scale(&s->bucket[i], times);
}

/* Slots that no thread has are what is left; in the parts that they had. */
static void scale_empty(struct profile_result *r, uint64_t slot_cycles)
{
    uint64_t left = slot_cycles > r->thread_cycles ? slot_cycles - r->thread_cycles : 0;
    uint64_t all = 0, given = 0;

    for (unsigned i = 0; i < PROFILE_EMPTIES; i++)
        all += r->empty[i];
    for (unsigned i = 0; i < PROFILE_EMPTIES; i++) {
        scale(&r->empty[i], all != 0 ? (double)left / (double)all : 0);
        given += r->empty[i];
    }
    r->empty[PROFILE_EMPTY_TAIL] += left > given ? left - given : 0;
}

void profile_result_scale(struct profile_result *r, double issues,
                          const double wait[PROFILE_REASONS], uint64_t cycles,
                          uint64_t threads, uint64_t slots)
{
    r->thread_cycles = 0;
    for (uint32_t i = 0; i < r->count; i++) {
        scale(&r->inst[i].issues, issues);
        r->thread_cycles += r->inst[i].issues;
        for (unsigned k = 0; k < PROFILE_REASONS; k++) {
            scale(&r->inst[i].wait[k], wait[k]);
            r->thread_cycles += r->inst[i].wait[k];
        }
    }
    for (uint32_t i = 0; i < r->edges; i++)
        scale(&r->edge[i].cycles, wait[r->edge[i].reason]);
    for (uint32_t i = 0; i < r->sends; i++)
        scale_send(&r->send[i], issues);
    r->end = r->start + cycles;
    r->threads = threads;
    scale_empty(r, cycles * slots);
}

/* ---- through a file ---- */

bool profile_result_write(const struct profile_result *r, FILE *file)
{
    return fwrite(r, sizeof(*r), 1, file) == 1 &&
           fwrite(r->inst, sizeof(*r->inst), r->count, file) == r->count &&
           fwrite(r->edge, sizeof(*r->edge), r->edges, file) == r->edges &&
           fwrite(r->send, sizeof(*r->send), r->sends, file) == r->sends &&
           fwrite(r->part, sizeof(*r->part), r->parts, file) == r->parts;
}

bool profile_result_read(struct profile_result *r, FILE *file)
{
    if (fread(r, sizeof(*r), 1, file) != 1) {
        memset(r, 0, sizeof(*r));
        return false;
    }
    r->inst = calloc(r->count + 1U, sizeof(*r->inst));
    r->edge = calloc(r->edges + 1U, sizeof(*r->edge));
    r->send = calloc(r->sends + 1U, sizeof(*r->send));
    r->part = r->parts != 0 ? calloc(r->parts, sizeof(*r->part)) : NULL;
    if (r->inst != NULL && r->edge != NULL && r->send != NULL &&
        (r->parts == 0 || r->part != NULL) &&
        fread(r->inst, sizeof(*r->inst), r->count, file) == r->count &&
        fread(r->edge, sizeof(*r->edge), r->edges, file) == r->edges &&
        fread(r->send, sizeof(*r->send), r->sends, file) == r->sends &&
        fread(r->part, sizeof(*r->part), r->parts, file) == r->parts)
        return true;
    profile_result_free(r);
    return false;
}
