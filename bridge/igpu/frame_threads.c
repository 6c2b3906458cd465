/* frame_threads.c - see frame_threads.h. */
#include "bridge/igpu/frame_threads.h"

#include <stdlib.h>
#include <string.h>

/* A thread that has ended. */
struct kept {
    const struct emu_shader *shader;
    uint32_t part, payload;
    size_t block, access; /* its first; they end where the next one's begin */
    size_t blocks, accesses;
    struct trace_totals totals;
    uint64_t work[TRACE_WORKS];
};

struct kept_access {
    uint32_t inst, mask; /* of the shader's code */
    size_t addr;         /* the first of those of the lanes that are on */
};

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
    struct kept_access *to = add(t, &t->access, sizeof(*to));

    if (to != NULL)
        *to = (struct kept_access){inst, mask, t->addr.count};
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

static void on_end(void *ctx, const struct gfx_thread *thread)
{
    struct frame_threads *t = ctx;
    struct frame_list *list = &t->thread[thread->stage];
    struct kept *to = t->on ? add(t, list, sizeof(*to)) : NULL;

    if (to == NULL)
        return;
    *to = (struct kept){.shader = thread->shader,
                        .part = thread->simd == 32 ? 2 : thread->simd / 16,
                        .payload = thread->payload,
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

/* ---- a draw as launches ------------------------------------------------- */

static void write_path(const struct frame_threads *t, const struct kept *from,
                       const struct frame_kernel *k, struct trace_thread *to)
{
    const struct isa_block *own = emu_shader_blocks(from->shader)->block;
    const uint32_t *block = (const uint32_t *)t->block.item + from->block;
    uint32_t first = k->first[from->part], begin = k->blocks.block_of[first];

    trace_thread_block(to, begin);
    for (size_t i = 0; i < from->blocks; i++) {
        uint32_t b = k->blocks.block_of[first + 1 + own[block[i]].first];

        if (i > 0 || b != begin)
            trace_thread_block(to, b);
    }
}

static void write_accesses(const struct frame_threads *t, const struct kept *from,
                           const struct frame_kernel *k, struct trace_thread *to)
{
    const struct kept_access *a =
        (const struct kept_access *)t->access.item + from->access;
    uint64_t addr[TRACE_MAX_LANES] = {0};
    uint32_t first = k->first[from->part];

    memcpy(addr, from->work, sizeof(from->work));
    trace_thread_access(to, first, (1u << TRACE_WORKS) - 1, addr);
    for (size_t i = 0; i < from->accesses; i++, a++) {
        const uint64_t *lane = (const uint64_t *)t->addr.item + a->addr;

        for (uint32_t l = 0; l < TRACE_MAX_LANES; l++)
            addr[l] = a->mask >> l & 1 ? *lane++ : 0;
        trace_thread_access(to, first + 1 + a->inst, a->mask, addr);
    }
}

static enum igpu_status write_threads(struct frame_threads *t,
                                      const struct frame_list *list,
                                      const struct frame_kernel *k)
{
    const struct kept *thread = list->item;
    enum igpu_status status = IGPU_OK;

    for (uint32_t i = 0; i < list->count && status == IGPU_OK; i++) {
        struct trace_thread *to = trace_thread_begin(t->writer, i);

        if (to == NULL)
            break; /* the launch's end tells why */
        write_path(t, &thread[i], k, to);
        write_accesses(t, &thread[i], k, to);
        status = trace_thread_end(to, &thread[i].totals, &t->err);
    }
    return status;
}

static enum igpu_status write_launch(struct frame_threads *t, enum gfx_stage stage)
{
    const struct frame_list *list = &t->thread[stage];
    const struct kept *thread = list->item;
    struct frame_shaders of = {.stage = stage};
    struct trace_launch launch = {.dims = 1,
                                  .global = {list->count, 1, 1},
                                  .local = {1, 1, 1},
                                  .threads_per_group = 1,
                                  .threads = (uint32_t)list->count,
                                  .draw = t->draws};
    const struct frame_kernel *k;
    enum igpu_status status;

    for (size_t i = 0; i < list->count; i++) {
        of.shader[thread[i].part] = thread[i].shader;
        of.payload[thread[i].part] = thread[i].payload;
    }
    k = frame_kernels_find(&t->kernels, &of, t->writer, &t->err);
    if (k == NULL)
        return IGPU_SIM_ERROR;
    launch.kernel = k->number;
    status = trace_writer_launch_begin(t->writer, &launch, NULL, &t->err);
    if (status == IGPU_OK)
        status = write_threads(t, list, k);
    if (status == IGPU_OK)
        status = trace_writer_launch_end(t->writer, &t->err);
    return status;
}

/* Work w of the list's threads: as it was counted up to each (or for none but the
 * last), all of it for the last, and what draws before left. */
static void set_work(struct frame_list *list, uint32_t w, bool counted, uint64_t all,
                     uint64_t before)
{
    struct kept *thread = list->item;

    for (size_t i = 0; i < list->count; i++) {
        uint64_t now = counted ? thread[i].work[w] : 0;

        thread[i].work[w] = before + (i + 1 == list->count ? all : now);
    }
}

/* Vertices and their bytes are the vertex shaders' launch's, the rest is the pixel
 * shaders'; what no thread follows the last one has, or a thread of a later draw. */
static void share_work(struct frame_threads *t, const struct gfx_counters *counted)
{
    struct frame_list *vs = &t->thread[GFX_STAGE_VERTEX];
    struct frame_list *ps = &t->thread[GFX_STAGE_PIXEL];
    uint64_t all[TRACE_WORKS];

    count_work(counted, all);
    for (uint32_t w = 0; w < TRACE_WORKS; w++) {
        bool vertices = w <= TRACE_WORK_BYTES;
        bool to_vs = vs->count > 0 && (vertices || ps->count == 0);

        set_work(vs, w, vertices, to_vs ? all[w] : 0, to_vs ? t->carried[w] : 0);
        set_work(ps, w, !to_vs, to_vs ? 0 : all[w], to_vs ? 0 : t->carried[w]);
        t->carried[w] = vs->count + ps->count > 0 ? 0 : t->carried[w] + all[w];
    }
}

static void on_draw(void *ctx, const struct gfx_draw_info *info)
{
    struct frame_threads *t = ctx;
    enum igpu_status status = IGPU_OK;

    if (t->on && !t->failed) {
        t->draws++;
        share_work(t, &info->counted);
        for (uint32_t s = 0; s < 2 && status == IGPU_OK; s++)
            if (t->thread[s].count > 0)
                status = write_launch(t, (enum gfx_stage)s);
        t->failed = status != IGPU_OK;
    }
    t->thread[0].count = t->thread[1].count = 0;
    t->block.count = t->access.count = t->addr.count = 0;
    t->blocks = t->accesses = 0;
}

void frame_threads_watch(struct frame_threads *t, struct gfx *g)
{
    const struct gfx_watch watch = {t, on_block, on_access, on_message, on_end};

    gfx_watch_threads(g, &watch);
    gfx_watch_draws(g, on_draw, t);
}

void frame_threads_free(struct frame_threads *t)
{
    frame_kernels_free(&t->kernels);
    free(t->thread[0].item);
    free(t->thread[1].item);
    free(t->block.item);
    free(t->access.item);
    free(t->addr.item);
}
