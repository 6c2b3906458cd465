/* frame_threads.c - see frame_threads.h. */
#include "bridge/igpu/frame_threads.h"

#include <stdlib.h>
#include <string.h>

/* A launch of more is written, so that what is kept stays within bounds. */
enum { MOST_THREADS = 1 << 20, MOST_ADDRESSES = 1 << 23, MOST_INSTRUCTIONS = 1 << 16 };

/* ---- lists -------------------------------------------------------------- */

static void fail(struct frame_threads *t)
{
    if (!t->failed)
        (void)igpu_fail(&t->err, IGPU_SIM_ERROR, "out of memory for a draw's threads");
    t->failed = true;
}

static void *add(struct frame_threads *t, struct frame_list *list, size_t bytes)
{
    if (list->count == list->cap) {
        size_t cap = list->cap == 0 ? 1024 : 2 * list->cap;
        void *bigger = realloc(list->item, cap * bytes);

        if (bigger == NULL) {
            fail(t);
            return NULL;
        }
        list->item = bigger;
        list->cap = cap;
    }
    return (uint8_t *)list->item + bytes * list->count++;
}

static void add_addr(struct frame_threads *t, uint64_t addr)
{
    uint64_t *to = add(t, &t->addr, sizeof(*to));

    if (to != NULL)
        *to = addr;
}

static void add_access(struct frame_threads *t, uint32_t inst, uint32_t mask)
{
    struct frame_access *to = add(t, &t->access, sizeof(*to));

    if (to != NULL)
        *to = (struct frame_access){inst, mask, t->addr.count};
}

/* ---- what a thread does ------------------------------------------------- */

static void on_block(void *ctx, uint32_t block)
{
    struct frame_threads *t = ctx;
    uint32_t *to = t->on ? add(t, &t->block, sizeof(*to)) : NULL;

    if (to != NULL)
        *to = block;
}

static void on_access(void *ctx, const struct emu_access *access)
{
    struct frame_threads *t = ctx;

    if (!t->on)
        return;
    add_access(t, access->inst, access->mask);
    for (uint32_t lane = 0; lane < TRACE_MAX_LANES; lane++)
        if (access->mask >> lane & 1)
            add_addr(t, access->addr[lane]);
}

static void on_message(void *ctx, const struct gfx_message *m)
{
    struct frame_threads *t = ctx;
    bool target = m->inst->msg.sfid == ISA_SFID_RENDER;
    uint32_t head = target ? TRACE_TARGET_LINES : TRACE_TEXTURE_LINES;
    uint32_t lines =
        m->lines < TRACE_MAX_LANES - head ? m->lines : TRACE_MAX_LANES - head;

    if (!t->on || m->inst->msg.sfid == ISA_SFID_URB)
        return;
    t->messages++;
    t->cut += lines < m->lines;
    add_access(t, m->index, (uint32_t)(((uint64_t)1 << (head + lines)) - 1));
    add_addr(t, m->work);
    if (target)
        add_addr(t, m->read);
    for (uint32_t i = 0; i < lines; i++)
        add_addr(t, m->line[i] * 64);
}

static void count_work(const struct gfx_counters *n, uint64_t work[TRACE_WORKS])
{
    uint64_t depth = n->early_depth_tested, stencil = n->early_stencil_tested;

    work[TRACE_WORK_VERTICES] = n->vs_invocations;
    work[TRACE_WORK_BYTES] = n->vf_bytes;
    work[TRACE_WORK_PRIMITIVES] = n->ia_primitives;
    work[TRACE_WORK_BLOCKS] = n->subspans;
    work[TRACE_WORK_TESTS] = depth > stencil ? depth : stencil;
}

static uint8_t stage_of(enum gfx_stage stage)
{
    return stage == GFX_STAGE_VERTEX  ? TRACE_STAGE_VERTEX
           : stage == GFX_STAGE_PIXEL ? TRACE_STAGE_PIXEL
                                      : TRACE_STAGE_GEOMETRY;
}

static void on_end(void *ctx, const struct gfx_thread *thread)
{
    struct frame_threads *t = ctx;
    const struct frame_shader shader = {thread->shader, thread->payload, thread->simd};
    uint32_t index = t->on ? frame_shaders_find(&t->shaders, &shader) : 0;
    struct frame_thread *to = t->on ? add(t, &t->thread, sizeof(*to)) : NULL;

    if (to == NULL || index == UINT32_MAX) {
        if (index == UINT32_MAX)
            fail(t);
        return;
    }
    *to = (struct frame_thread){.shader = index,
                                .draw = t->draws + 1,
                                .stage = stage_of(thread->stage),
                                .block = t->blocks,
                                .access = t->accesses,
                                .blocks = t->block.count - t->blocks,
                                .accesses = t->access.count - t->accesses,
                                .totals = {thread->counts.instructions + FRAME_ADDED,
                                           thread->counts.lane_instructions,
                                           thread->counts.flops}};
    count_work(&thread->counted, to->work);
    t->blocks = t->block.count;
    t->accesses = t->access.count;
}

/* ---- a draw that is over ------------------------------------------------ */

/* The draw's threads, by stage in the order in which they ended. */
struct draw {
    struct frame_thread *thread;
    size_t count;
    uint64_t vertex, pixel; /* threads */
    uint64_t all[TRACE_WORKS];
};

static struct draw draw_of(struct frame_threads *t, const struct gfx_counters *counted)
{
    struct draw d = {.thread = (struct frame_thread *)t->thread.item + t->draw,
                     .count = t->thread.count - t->draw};

    for (size_t i = 0; i < d.count; i++) {
        d.vertex += d.thread[i].stage == TRACE_STAGE_VERTEX;
        d.pixel += d.thread[i].stage == TRACE_STAGE_PIXEL;
    }
    count_work(counted, d.all);
    return d;
}

/* So many vertices are needed for the first `primitives` ones: their share, which is
 * exact for lists. */
static uint64_t vertices_for(const struct draw *d, uint64_t primitives)
{
    uint64_t all = d->all[TRACE_WORK_PRIMITIVES];

    return all == 0 ? 0 : (d->all[TRACE_WORK_VERTICES] * primitives + all - 1) / all;
}

/* Threads behind the vertex shader's need those of it that shaded what their primitive
 * is made of; pixel shaders' of a draw with a geometry shader need all that ended
 * before them. Works are those since the draw's begin yet. */
static void find_needed(struct frame_threads *t, const struct draw *d)
{
    bool geometry = d->vertex + d->pixel < d->count;
    uint64_t shaded = 0, vertices, needed = t->delivering, others = t->delivering;
    size_t vertex = 0;

    for (size_t i = 0; i < d->count;
         others += d->thread[i++].stage != TRACE_STAGE_PIXEL) {
        struct frame_thread *p = &d->thread[i];

        p->ahead = t->entries / 8 > 0 ? t->entries / 8 : 1;
        if (p->stage == TRACE_STAGE_VERTEX)
            continue;
        vertices = d->vertex > 0 ? vertices_for(d, p->work[TRACE_WORK_PRIMITIVES]) : 0;
        for (; shaded < vertices && vertex < i; vertex++)
            if (d->thread[vertex].stage == TRACE_STAGE_VERTEX) {
                shaded = d->thread[vertex].work[TRACE_WORK_VERTICES];
                needed++;
            }
        p->needed = geometry && p->stage == TRACE_STAGE_PIXEL ? others : needed;
    }
    t->delivering += d->count - d->pixel;
}

/* Does the work wait for a thread of this stage? Vertices and their bytes are the
 * vertex shaders', the rest is the pixel shaders'. */
static bool is_for(const struct draw *d, uint32_t work, uint8_t stage)
{
    bool vertices = work <= TRACE_WORK_BYTES && d->vertex > 0;

    return stage == (vertices ? TRACE_STAGE_VERTEX : TRACE_STAGE_PIXEL);
}

/* Each thread has what was done since the one before it, the first one also what draws
 * before left, and the last one all that is left of this draw; what no thread is for is
 * left to draws behind it. */
static void share_work(struct frame_threads *t, const struct draw *d)
{
    for (uint32_t w = 0; w < TRACE_WORKS; w++) {
        struct frame_thread *last = NULL;
        uint64_t done = 0;

        for (size_t i = 0; i < d->count; i++) {
            struct frame_thread *to = &d->thread[i];
            uint64_t now = to->work[w];

            to->work[w] = 0;
            if (!is_for(d, w, to->stage))
                continue;
            to->work[w] = now - done + t->carried[w];
            t->carried[w] = 0;
            done = now;
            last = to;
        }
        if (last != NULL)
            last->work[w] += d->all[w] - done;
        else
            t->carried[w] += d->all[w];
    }
}

void frame_threads_flush(struct frame_threads *t)
{
    if (t->thread.count > 0 && !t->failed) {
        t->failed = frame_launch_write(t) != IGPU_OK;
        t->launches++;
    }
    t->thread.count = t->block.count = t->access.count = t->addr.count = 0;
    t->blocks = t->accesses = t->draw = 0;
    t->delivering = 0;
    t->shaders.count = t->shaders.instructions = 0;
}

static void on_begin(void *ctx, bool apart, uint32_t entries)
{
    struct frame_threads *t = ctx;

    if (apart)
        frame_threads_flush(t);
    t->entries = entries;
}

static void on_draw(void *ctx, const struct gfx_draw_info *info)
{
    struct frame_threads *t = ctx;

    if (t->on && !t->failed) {
        struct draw d = draw_of(t, &info->counted);

        t->draws++;
        find_needed(t, &d);
        share_work(t, &d);
    }
    t->draw = t->thread.count;
    if (t->thread.count > MOST_THREADS || t->addr.count > MOST_ADDRESSES ||
        t->shaders.instructions > MOST_INSTRUCTIONS)
        frame_threads_flush(t);
}

void frame_threads_watch(struct frame_threads *t, struct gfx *g)
{
    const struct gfx_watch watch = {t,         on_begin,   on_block,
                                    on_access, on_message, on_end};

    gfx_watch_threads(g, &watch);
    gfx_watch_draws(g, on_draw, t);
}

void frame_threads_free(struct frame_threads *t)
{
    frame_kernels_free(&t->kernels);
    free(t->shaders.shader);
    free(t->thread.item);
    free(t->block.item);
    free(t->access.item);
    free(t->addr.item);
}
