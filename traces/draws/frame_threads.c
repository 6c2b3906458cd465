/* frame_threads.c - see frame_threads.h. */
#include "traces/draws/frame_threads.h"

#include <stdlib.h>
#include <string.h>

#include "igpu/grow.h"

/* A launch of more is written, so that what is kept stays within bounds. */
enum { MOST_THREADS = 1 << 20, MOST_ADDRESSES = 1 << 23, MOST_INSTRUCTIONS = 1 << 16 };
enum { MOST_PAGES = 1 << 22 };

/* ---- lists -------------------------------------------------------------- */

static void threads_fail(struct frame_threads *t)
{
    if (!t->failed)
        (void)igpu_no_memory(&t->err, "a draw's threads");
    t->failed = true;
}

static bool reserve(struct frame_threads *t, struct frame_list *list, size_t count,
                    size_t bytes)
{
    if (count <= list->cap ||
        igpu_grow(&list->item, bytes, &list->cap, sizeof(list->cap), count, false))
        return true;
    threads_fail(t);
    return false;
}

static void *list_add(struct frame_threads *t, struct frame_list *list, size_t bytes)
{
    if (!reserve(t, list, list->count + 1, bytes))
        return NULL;
    return (uint8_t *)list->item + bytes * list->count++;
}

static void add_addr(struct frame_threads *t, struct frame_running *r, uint64_t addr)
{
    uint64_t *to = list_add(t, &r->addr, sizeof(*to));

    if (to != NULL)
        *to = addr;
}

static void add_access(struct frame_threads *t, struct frame_running *r, uint32_t inst,
                       uint32_t mask, size_t about)
{
    struct frame_access *to = list_add(t, &r->access, sizeof(*to));

    if (to != NULL)
        *to = (struct frame_access){inst, mask, r->addr.count, about};
}

/* Append what is in `from`, which is then empty. False: memory is short. */
static bool move(struct frame_threads *t, struct frame_list *to,
                 struct frame_list *from, size_t bytes)
{
    size_t need = to->count + from->count;

    if (!reserve(t, to, need, bytes))
        return false;
    if (from->count > 0)
        memcpy((uint8_t *)to->item + bytes * to->count, from->item,
               bytes * from->count);
    to->count = need;
    from->count = 0;
    return true;
}

/* What tests touched is kept, in their order. */
static void keep_depth(struct frame_threads *t, const struct gfx_depth_lines *lines)
{
    for (uint32_t i = 0; i < lines->pages; i++) {
        struct gfx_depth_page *to = list_add(t, &t->depth, sizeof(*to));

        if (to != NULL)
            *to = lines->page[i];
    }
}

/* ---- what a thread does ------------------------------------------------- */

static void on_block(void *ctx, uint32_t thread, uint32_t block)
{
    struct frame_threads *t = ctx;
    uint32_t *to = t->on ? list_add(t, &t->running[thread].block, sizeof(*to)) : NULL;

    if (to != NULL)
        *to = block;
}

static void on_access(void *ctx, uint32_t thread, const struct emu_access *access)
{
    struct frame_threads *t = ctx;
    struct frame_running *r = &t->running[thread];

    if (!t->on)
        return;
    add_access(t, r, access->inst, access->mask, 0);
    for (uint32_t lane = 0; lane < TRACE_MAX_LANES; lane++)
        if (access->mask >> lane & 1)
            add_addr(t, r, access->addr[lane]);
}

static uint32_t depth_lines(const struct gfx_depth_lines *lines)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < lines->pages; i++)
        count += (uint32_t)__builtin_popcountll(lines->page[i].read |
                                                lines->page[i].written);
    return count;
}

/* The first `count` lines of late tests, a lane each, and how they are touched. */
static void add_depth(struct frame_threads *t, struct frame_running *r,
                      const struct gfx_depth_lines *lines, uint32_t count, uint8_t *how)
{
    for (uint32_t i = 0; i < lines->pages; i++) {
        const struct gfx_depth_page *p = &lines->page[i];

        for (uint64_t rest = p->read | p->written; rest != 0 && count > 0;
             rest &= rest - 1, count--) {
            uint32_t k = (uint32_t)__builtin_ctzll(rest);

            add_addr(t, r, p->number * TRACE_DEPTH_PAGE + k * 64);
            *how++ = (uint8_t)((p->written >> k & 1 ? TRACE_DEPTH_WRITTEN : 0) |
                               (p->read >> k & 1 ? TRACE_DEPTH_READ : 0) |
                               (p->notes ? TRACE_DEPTH_NOTE : 0));
        }
    }
}

static void on_message(void *ctx, uint32_t thread, const struct gfx_message *m)
{
    struct frame_threads *t = ctx;
    struct frame_running *r = &t->running[thread];
    bool target = m->inst->msg.sfid == ISA_SFID_RENDER;
    uint32_t room = target ? TRACE_TARGET_LINES : TRACE_TEXTURE_LINES;
    uint32_t tested = depth_lines(&m->depth);
    uint32_t lines = m->lines < room ? m->lines : room;
    struct frame_about *about;

    if (!t->on || !(target || m->inst->msg.sfid == ISA_SFID_SAMPLER))
        return;
    room -= lines;
    t->messages++;
    t->cut += lines < m->lines || tested > room;
    tested = tested < room ? tested : room;
    about = list_add(t, &r->about, sizeof(*about));
    if (about == NULL)
        return;
    *about = (struct frame_about){.work = m->work, .read = m->read};
    add_access(t, r, m->index, (UINT32_C(1) << (lines + tested)) - 1, r->about.count);
    for (uint32_t i = 0; i < lines; i++) {
        add_addr(t, r, m->line[i] * 64);
        about->how[i] = (uint8_t)((m->packs[i] & GFX_PACKED ? TRACE_LINE_PACKED : 0) |
                                  (m->packs[i] & GFX_PACKS ? TRACE_LINE_PACKS : 0));
    }
    add_depth(t, r, &m->depth, tested, about->how + lines);
}

static void count_work(const struct gfx_counters *n, uint64_t work[TRACE_WORKS])
{
    uint64_t depth = n->early_depth_tested - n->hiz_depth_tests;
    uint64_t stencil = n->early_stencil_tested - n->hiz_stencil_tests;

    work[TRACE_WORK_VERTICES] = n->vs_invocations;
    work[TRACE_WORK_BYTES] = n->vf_bytes;
    work[TRACE_WORK_PRIMITIVES] = n->ia_primitives + n->te_primitives;
    work[TRACE_WORK_BLOCKS] = n->subspans;
    work[TRACE_WORK_TESTS] = depth > stencil ? depth : stencil;
    work[TRACE_WORK_HIZ] = n->hiz_blocks;
}

static uint8_t stage_of(enum gfx_stage stage)
{
    static const uint8_t of[] = {
        [GFX_STAGE_VERTEX] = TRACE_STAGE_VERTEX,
        [GFX_STAGE_PIXEL] = TRACE_STAGE_PIXEL,
        [GFX_STAGE_GEOMETRY] = TRACE_STAGE_GEOMETRY,
        [GFX_STAGE_HULL] = TRACE_STAGE_HULL,
        [GFX_STAGE_DOMAIN] = TRACE_STAGE_DOMAIN,
        [GFX_STAGE_COMPUTE] = TRACE_STAGE_COMPUTE,
    };

    return of[stage];
}

/* What it did is put behind what others did. */
static bool thread_keep(struct frame_threads *t, struct frame_running *r,
                        struct frame_thread *to)
{
    struct frame_access *access = r->access.item;

    to->block = t->block.count;
    to->access = t->access.count;
    to->blocks = r->block.count;
    to->accesses = r->access.count;
    for (size_t i = 0; i < r->access.count; i++) {
        access[i].addr += t->addr.count;
        access[i].about += access[i].about != 0 ? t->about.count : 0;
    }
    return move(t, &t->block, &r->block, sizeof(uint32_t)) &&
           move(t, &t->access, &r->access, sizeof(*access)) &&
           move(t, &t->addr, &r->addr, sizeof(uint64_t)) &&
           move(t, &t->about, &r->about, sizeof(struct frame_about));
}

static bool is_full(const struct frame_threads *t)
{
    return t->thread.count > MOST_THREADS || t->addr.count > MOST_ADDRESSES ||
           t->depth.count > MOST_PAGES || t->shaders.instructions > MOST_INSTRUCTIONS;
}

static void thread_end(void *ctx, const struct gfx_thread *thread)
{
    struct frame_threads *t = ctx;
    bool compute = thread->stage == GFX_STAGE_COMPUTE;
    const struct frame_shader shader = {thread->shader, compute ? 0 : thread->payload,
                                        thread->simd, compute};
    uint32_t index = t->on ? frame_shaders_find(&t->shaders, &shader) : 0;
    struct frame_thread *to = t->on ? list_add(t, &t->thread, sizeof(*to)) : NULL;

    if (to == NULL || index == UINT32_MAX) {
        if (index == UINT32_MAX)
            threads_fail(t);
        return;
    }
    *to = (struct frame_thread){
        .shader = index,
        .draw = t->draws + !compute,
        .stage = stage_of(thread->stage),
        .pages = t->depth.count + thread->depth.pages,
        .patches = thread->counted.ia_patches,
        .totals = {thread->counts.instructions + (compute ? 0 : FRAME_ADDED),
                   thread->counts.lane_instructions, thread->counts.flops}};
    if (!thread_keep(t, &t->running[thread->number], to))
        return;
    keep_depth(t, &thread->depth);
    if (!compute)
        count_work(&thread->counted, to->work);
    else if (thread->last && is_full(t))
        frame_threads_flush(t);
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

static void order_draw(struct frame_threads *t, const struct gfx_counters *counted)
{
    struct draw d = draw_of(t, counted);
    uint32_t ahead = t->room.vertices / 8;

    for (size_t i = 0; i < d.count; i++)
        d.thread[i].ahead = ahead > 0 ? ahead : 1;
    if (counted->ia_patches == 0)
        find_needed(t, &d);
    else if (!frame_tess_order(t, d.thread, d.count, d.all, counted->ia_patches))
        threads_fail(t);
    t->delivering += d.count - d.pixel;
    share_work(t, &d);
}

void frame_threads_forget_depth(struct frame_threads *t)
{
    t->depth_cut += t->depth.count;
    t->depth.count = 0;
}

void frame_threads_flush(struct frame_threads *t)
{
    if (t->thread.count > 0 && !t->failed) {
        t->failed = frame_launch_write(t) != IGPU_OK;
        t->launches++;
        if (t->dispatch.threads == 0)
            t->depth.count = 0;
    } else if (t->depth.count > MOST_PAGES) { /* no thread has taken them */
        frame_threads_forget_depth(t);
    }
    t->thread.count = t->block.count = t->access.count = t->addr.count = 0;
    t->about.count = 0;
    t->draw = 0;
    t->delivering = 0;
    t->shaders.count = t->shaders.instructions = 0;
}

static void on_begin(void *ctx, const struct gfx_draw_begin *draw)
{
    struct frame_threads *t = ctx;

    if (draw->apart || t->dispatch.threads > 0)
        frame_threads_flush(t);
    t->dispatch.threads = t->shaders.slm_bytes = 0;
    t->room = *draw;
    if (t->on)
        keep_depth(t, &draw->depth);
    t->room.depth.pages = 0;
}

static void on_dispatch(void *ctx, const struct gfx_dispatch *dispatch)
{
    struct frame_threads *t = ctx;

    frame_threads_flush(t);
    t->dispatch = *dispatch;
    t->shaders.slm_bytes = dispatch->slm_bytes;
    t->draws += t->on;
    t->dispatches += t->on;
}

static void on_draw(void *ctx, const struct gfx_draw_info *info)
{
    struct frame_threads *t = ctx;

    if (t->on && !t->failed) {
        t->draws++;
        order_draw(t, &info->counted);
        keep_depth(t, &info->depth);
    }
    t->draw = t->thread.count;
    if (is_full(t))
        frame_threads_flush(t);
}

void frame_threads_watch(struct frame_threads *t, struct gfx *g)
{
    const struct gfx_watch watch = {t,         on_begin,   on_dispatch, on_block,
                                    on_access, on_message, thread_end};

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
    free(t->about.item);
    free(t->depth.item);
    for (uint32_t i = 0; i < GFX_MAX_HW_THREADS; i++) {
        free(t->running[i].block.item);
        free(t->running[i].access.item);
        free(t->running[i].addr.item);
        free(t->running[i].about.item);
    }
}
