/* frame_tess.c - in which order the threads of a draw with patches are dispatched, and
 * whom each needs: docs/contract/fixed-functions.md, "A frame as launches". */
#include <stdlib.h>
#include <string.h>

#include "traces/draws/frame_threads.h"

/* The draw's threads that deliver, in the order in which they are dispatched. */
struct line {
    struct frame_thread *thread; /* a copy of each */
    size_t count;
    uint64_t before; /* that deliver, of the launch's draws before it */
};

/* Hull shaders' threads and vertex shaders', which may be ahead of what comes of them.
 */
static bool leads(const struct frame_thread *p)
{
    return p->stage == TRACE_STAGE_HULL || p->stage == TRACE_STAGE_VERTEX;
}

/* The first of the threads from *i on that lead and, but vertex shaders', are of patch
 * `last` or before, to the line's end; *i goes behind them. */
static void lead(struct line *l, const struct frame_thread *thread, size_t count,
                 size_t *i, uint64_t last)
{
    for (; *i < count; ++*i) {
        const struct frame_thread *p = &thread[*i];

        if (!leads(p))
            continue;
        if (p->stage == TRACE_STAGE_HULL && p->patches > last)
            return;
        l->thread[l->count++] = *p;
    }
}

/* Those that lead are as many patches ahead of the others as the URB has room for. */
static void line_up(struct line *l, const struct frame_thread *thread, size_t count,
                    uint64_t patches)
{
    size_t ahead = 0;

    for (size_t i = 0; i < count; i++) {
        if (leads(&thread[i]) || thread[i].stage == TRACE_STAGE_PIXEL)
            continue;
        lead(l, thread, count, &ahead, thread[i].patches + patches - 1);
        l->thread[l->count++] = thread[i];
    }
    lead(l, thread, count, &ahead, UINT64_MAX);
}

/* How far those of a stage are looked through that others wait for. */
struct seen {
    uint8_t stage;
    size_t at;
    uint64_t done, needed;
};

/* Behind the last thread of those that shaded so many vertices, or of patches up to
 * this one: patches are numbered as they came, so it lies ever further behind. */
static uint64_t behind(const struct line *l, struct seen *s, uint64_t most)
{
    for (; s->at < l->count; s->at++) {
        const struct frame_thread *p = &l->thread[s->at];
        bool vertex = s->stage == TRACE_STAGE_VERTEX;

        if (p->stage != s->stage)
            continue;
        if (vertex ? s->done >= most : p->patches > most)
            break;
        s->done = p->work[TRACE_WORK_VERTICES];
        s->needed = l->before + s->at + 1;
    }
    return s->needed;
}

static void find_line_needs(struct line *l, const uint64_t all[TRACE_WORKS],
                            uint64_t patches)
{
    struct seen vertex = {TRACE_STAGE_VERTEX, 0, 0, l->before};
    struct seen hull = {TRACE_STAGE_HULL, 0, 0, l->before};
    uint64_t made = l->before;

    for (size_t i = 0; i < l->count; i++) {
        struct frame_thread *p = &l->thread[i];
        uint64_t vertices =
            (all[TRACE_WORK_VERTICES] * p->patches + patches - 1) / patches;

        if (p->stage == TRACE_STAGE_HULL)
            p->needed = behind(l, &vertex, vertices);
        else if (p->stage == TRACE_STAGE_DOMAIN)
            p->needed = behind(l, &hull, p->patches);
        else if (p->stage == TRACE_STAGE_GEOMETRY)
            p->needed = made;
        if (!leads(p))
            made = l->before + i + 1;
    }
}

/* Pixel shaders' threads need what was made before them: the next of the line's threads
 * that do not lead are those which ended next. */
static void find_pixel_needs(const struct line *l, struct frame_thread *thread,
                             size_t count)
{
    uint64_t made = l->before;
    size_t at = 0;

    for (size_t i = 0; i < count; i++) {
        if (thread[i].stage == TRACE_STAGE_PIXEL) {
            thread[i].needed = made;
            continue;
        }
        if (leads(&thread[i]))
            continue;
        while (leads(&l->thread[at]))
            at++;
        made = l->before + ++at;
    }
}

static void put_back(const struct line *l, struct frame_thread *thread, size_t count)
{
    size_t at = 0;

    for (size_t i = 0; i < count; i++)
        if (thread[i].stage != TRACE_STAGE_PIXEL)
            thread[i] = l->thread[at++];
}

bool frame_tess_order(const struct frame_threads *t, struct frame_thread *thread,
                      size_t count, const uint64_t all[TRACE_WORKS], uint64_t patches)
{
    struct line l = {calloc(count + 1, sizeof(*l.thread)), 0, t->delivering};

    if (l.thread == NULL)
        return false;
    line_up(&l, thread, count, t->room.patches > 0 ? t->room.patches : 1);
    find_line_needs(&l, all, patches);
    find_pixel_needs(&l, thread, count);
    put_back(&l, thread, count);
    free(l.thread);
    return true;
}
