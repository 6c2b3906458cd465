/* gfx_thread.c - hardware threads of shaders, and who is told what they do. */
#include "gfx_int.h"

enum { GRF = 32, SAMPLE_TEXELS = 4, SAMPLE_BYTES = 4 };

void gfx_touch_line(struct gfx *g, uint64_t line)
{
    struct gfx_touched *t = &g->touched;

    if (g->watch.message == NULL || t->count == GFX_LINES)
        return;
    for (uint32_t i = t->count; i > 0; i--)
        if (t->line[i - 1] == line)
            return;
    t->line[t->count++] = line;
}

/* The slot of a page, or the empty one where it belongs. */
static struct gfx_depth_slot *depth_slot(const struct gfx_touched *t, uint64_t number)
{
    uint32_t mask = 2 * t->page_cap - 1;
    uint32_t i = (uint32_t)(number * UINT64_C(0x9e3779b97f4a7c15) >> 32) & mask;

    while (t->slot[i].stamp == t->stamp && t->slot[i].number != number)
        i = (i + 1) & mask;
    return &t->slot[i];
}

static bool more_depth_pages(struct gfx_touched *t)
{
    enum { FIRST = 64 };
    uint32_t cap = t->page_cap == 0 ? FIRST : 2 * t->page_cap;
    struct gfx_depth_slot *slot = calloc(2 * (size_t)cap, sizeof(*slot));
    struct gfx_depth_page *page = realloc(t->page, cap * sizeof(*page));

    if (page != NULL)
        t->page = page;
    if (page == NULL || slot == NULL) {
        free(slot);
        return false;
    }
    free(t->slot);
    t->slot = slot;
    t->page_cap = cap;
    t->stamp = 1;
    for (uint32_t i = 0; i < t->pages; i++)
        *depth_slot(t, page[i].number) =
            (struct gfx_depth_slot){page[i].number, i, t->stamp};
    return true;
}

bool gfx_touch_depth(struct gfx *g, uint64_t va, bool read, bool written)
{
    enum { PAGE = 4096, LINE = 64 };
    struct gfx_touched *t = &g->touched;
    uint64_t number = va / PAGE, bit = UINT64_C(1) << va % PAGE / LINE;
    struct gfx_depth_slot *slot;

    if (g->watch.message == NULL || !(read || written))
        return true;
    if (t->pages == t->page_cap && !more_depth_pages(t))
        return false;
    slot = depth_slot(t, number);
    if (slot->stamp != t->stamp) {
        *slot = (struct gfx_depth_slot){number, t->pages, t->stamp};
        t->page[t->pages++] = (struct gfx_depth_page){.number = number};
    }
    t->page[slot->index].read |= read ? bit : 0;
    t->page[slot->index].written |= written ? bit : 0;
    return true;
}

bool gfx_touch_note(struct gfx *g, uint64_t va, bool read, bool written)
{
    bool room = gfx_touch_depth(g, va, read, written);

    if (room && g->watch.message != NULL)
        g->touched.page[depth_slot(&g->touched, va / 4096)->index].notes = true;
    return room;
}

bool gfx_wrote_depth(const struct gfx *g, uint64_t va)
{
    enum { PAGE = 4096, LINE = 64 };
    const struct gfx_touched *t = &g->touched;
    uint64_t number = va / PAGE, bit = UINT64_C(1) << va % PAGE / LINE;
    const struct gfx_depth_slot *slot;

    if (t->pages == 0)
        return false;
    slot = depth_slot(t, number);
    return slot->stamp == t->stamp && (t->page[slot->index].written & bit) != 0 &&
           (t->page[slot->index].read & bit) == 0;
}

struct gfx_depth_lines gfx_take_depth(struct gfx *g)
{
    struct gfx_depth_lines lines = {g->touched.page, g->touched.pages};

    g->touched.pages = 0;
    if (++g->touched.stamp == 0 && g->touched.slot != NULL) { /* once in 2^32 */
        memset(g->touched.slot, 0, 2 * g->touched.page_cap * sizeof(*g->touched.slot));
        g->touched.stamp = 1;
    }
    return lines;
}

bool gfx_put_ahead(struct gfx *g)
{
    struct gfx_touched *t = &g->touched;

    t->aheads = 0;
    if (!g->hiz.rejects || t->pages == 0)
        return true;
    if (t->ahead_cap < t->pages) {
        struct gfx_depth_page *more = realloc(t->ahead, t->page_cap * sizeof(*more));

        if (more == NULL)
            return false;
        t->ahead = more;
        t->ahead_cap = t->page_cap;
    }
    memcpy(t->ahead, t->page, t->pages * sizeof(*t->page));
    t->aheads = gfx_take_depth(g).pages;
    return true;
}

/* Bilinear samples of 32 bits that a message's lanes and texels make: four texels are
 * one, and a lane is at least one; larger texels count by their bytes, but those of
 * blocks, which are small once unpacked. */
static uint32_t samples(const struct gfx_counters *n)
{
    uint64_t made = (n->texels + SAMPLE_TEXELS - 1) / SAMPLE_TEXELS;
    uint64_t plain = n->texels - n->texels_compressed;

    if (made < n->sampled_lanes)
        made = n->sampled_lanes;
    if (n->texels_compressed == 0 && n->texel_bytes > SAMPLE_BYTES * plain)
        made =
            (made * n->texel_bytes + SAMPLE_BYTES * plain - 1) / (SAMPLE_BYTES * plain);
    return (uint32_t)made;
}

/* The thread's own answer, and what it touched. */
static enum igpu_status answer(void *ctx, const struct isa_inst *inst, uint8_t *grf,
                               uint32_t mask, struct igpu_err *err)
{
    struct gfx *g = ctx;
    struct gfx_touched *t = &g->touched;
    const struct gfx_counters *now = &g->counters;
    const struct gfx_counters before = *now;
    const struct gfx_run *run = t->run;
    struct gfx_message message = {.inst = inst, .index = emu_shader_sent(g->machine)};
    enum igpu_status status;

    t->count = t->pixels_read = 0;
    status = run->answer(run->ctx, inst, grf, mask, err);
    if (status != IGPU_OK || gfx_is_image_message(inst)) /* told as an access */
        return status;
    if (inst->msg.sfid == ISA_SFID_SAMPLER) {
        struct gfx_counters made = {
            .texels = now->texels - before.texels,
            .texels_compressed = now->texels_compressed - before.texels_compressed,
            .texel_bytes = now->texel_bytes - before.texel_bytes,
            .sampled_lanes = now->sampled_lanes - before.sampled_lanes,
        };

        message.work = samples(&made);
    } else {
        uint64_t bytes = now->target_bytes - before.target_bytes;
        uint64_t read = now->target_bytes_read - before.target_bytes_read;

        message.work = (uint32_t)(now->pixels_written - before.pixels_written);
        message.read = bytes != 0 ? (uint32_t)(message.work * read / bytes) : 0;
        message.read += t->pixels_read;
        if (inst->msg.sfid == ISA_SFID_RENDER && g->d.late)
            message.depth = gfx_take_depth(g);
    }
    message.lines = t->count;
    message.line = t->line;
    g->watch.message(g->watch.ctx, emu_shader_sender(g->machine), &message);
    return IGPU_OK;
}

void gfx_draw_begins(struct gfx *g)
{
    struct gfx_draw_begin draw = {.apart = g->apart,
                                  .vertices = gfx_get(g, GFX_VS_ENTRIES),
                                  .patches = gfx_get(g, GFX_HS_ENTRIES)};

    if (!g->hiz.ignored) /* else the draw's first thread or message is told of them */
        draw.depth = gfx_take_depth(g);
    if (g->watch.draw != NULL)
        g->watch.draw(g->watch.ctx, &draw);
    g->apart = false;
}

void gfx_dispatch_begins(struct gfx *g, uint32_t threads, uint32_t slm_bytes)
{
    const struct gfx_dispatch dispatch = {threads, slm_bytes};

    if (g->watch.dispatch != NULL)
        g->watch.dispatch(g->watch.ctx, &dispatch);
}

void gfx_thread_ended(struct gfx *g, enum gfx_stage stage, const struct gfx_shader *s,
                      const struct emu_counts *counts)
{
    gfx_group_ended(g, stage, s, 1, counts);
}

static void tell_ended(struct gfx *g, struct gfx_thread *thread, uint32_t first,
                       uint32_t threads, const struct emu_counts *each)
{
    thread->counted = gfx_counters_since(&g->counters, &g->before);
    for (uint32_t i = 0; i < threads; i++) {
        thread->number = first + i;
        thread->last = i + 1 == threads;
        thread->counts = each[i];
        g->watch.end(g->watch.ctx, thread);
    }
}

void gfx_group_ended(struct gfx *g, enum gfx_stage stage, const struct gfx_shader *s,
                     uint32_t threads, const struct emu_counts *each)
{
    struct gfx_thread thread = {.stage = stage,
                                .shader = s->shader,
                                .simd = s->simd,
                                .payload = (g->d.payload + GRF - 1) / GRF};

    if (g->watch.end == NULL)
        return;
    if (stage == GFX_STAGE_PIXEL && g->hiz.rejects)
        thread.depth = (struct gfx_depth_lines){g->touched.ahead, g->touched.aheads};
    else if (stage == GFX_STAGE_PIXEL)
        thread.depth = gfx_take_depth(g);
    tell_ended(g, &thread, 0, threads, each);
}

void gfx_dispatched_ended(struct gfx *g, const struct gfx_shader *s, uint32_t first,
                          uint32_t threads, const struct emu_counts *each)
{
    struct gfx_thread thread = {
        .stage = GFX_STAGE_COMPUTE, .shader = s->shader, .simd = s->simd};

    if (g->watch.end != NULL)
        tell_ended(g, &thread, first, threads, each);
}

static void on_block(void *ctx, uint64_t thread, uint32_t block)
{
    struct gfx *g = ctx;

    g->watch.block(g->watch.ctx, (uint32_t)thread, block);
}

static void on_access(void *ctx, uint64_t thread, const struct emu_access *access)
{
    struct gfx *g = ctx;

    g->watch.access(g->watch.ctx, (uint32_t)thread, access);
}

static enum igpu_status run_thread(struct gfx *g, const struct gfx_run *run,
                                   struct emu_counts *counts,
                                   struct emu_shader_classes *classes)
{
    const struct emu_hooks hooks = {.ctx = g, .block = on_block, .access = on_access};
    enum igpu_status status;

    if (g->watch.message == NULL)
        return emu_shader_run(g->machine, run->shader->shader, run->grf, run->lanes,
                              run->answer, run->ctx, counts, classes, g->err);
    g->touched.run = run;
    emu_shader_watch(g->machine, &hooks);
    status = emu_shader_run(g->machine, run->shader->shader, run->grf, run->lanes,
                            answer, g, counts, classes, g->err);
    emu_shader_watch(g->machine, NULL);
    return status;
}

enum igpu_status gfx_run_thread(struct gfx *g, const struct gfx_run *run,
                                struct emu_counts *counts,
                                struct emu_shader_classes *classes)
{
    uint64_t before = counts->instructions;
    enum igpu_status status = run_thread(g, run, counts, classes);

    return status == IGPU_OK ? gfx_spend(g, counts->instructions - before) : status;
}

enum igpu_status gfx_run_group(struct gfx *g, const struct gfx_run *run,
                               const struct emu_shader_group *group,
                               struct emu_counts *counts)
{
    const struct emu_hooks hooks = {.ctx = g, .block = on_block, .access = on_access};
    uint64_t before = counts->instructions;
    enum igpu_status status;

    if (g->watch.message == NULL) {
        status = emu_shader_run_group(g->machine, group, run->answer, run->ctx, counts,
                                      g->err);
    } else {
        g->touched.run = run;
        emu_shader_watch(g->machine, &hooks);
        status = emu_shader_run_group(g->machine, group, answer, g, counts, g->err);
        emu_shader_watch(g->machine, NULL);
    }
    return status == IGPU_OK ? gfx_spend(g, counts->instructions - before) : status;
}

enum igpu_status gfx_run_groups(struct gfx *g, const struct gfx_run *run,
                                const struct emu_shader_groups *groups)
{
    const struct emu_hooks hooks = {.ctx = g, .block = on_block, .access = on_access};
    struct emu_shader_groups own = *groups;
    enum igpu_status status;

    own.shader = run->shader->shader;
    if (g->watch.message == NULL)
        return emu_shader_run_groups(g->machine, &own, run->answer, run->ctx, g->err);
    g->touched.run = run;
    emu_shader_watch(g->machine, &hooks);
    status = emu_shader_run_groups(g->machine, &own, answer, g, g->err);
    emu_shader_watch(g->machine, NULL);
    return status;
}

void gfx_watch_threads(struct gfx *g, const struct gfx_watch *watch)
{
    g->watch = watch != NULL ? *watch : (struct gfx_watch){.ctx = NULL};
}
