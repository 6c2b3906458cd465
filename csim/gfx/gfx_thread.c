/* gfx_thread.c - hardware threads of shaders, and who is told what they and draws do.
 */
#include "gfx_texture.h"

enum { GRF = 32, SAMPLE_TEXELS = 4, SAMPLE_BYTES = 4 };

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

/* Which pairs one line holds behind a message to a target. */
static void note_packs(struct gfx *g)
{
    struct gfx_touched *t = &g->told.touched;

    for (uint32_t i = 0; i < t->count && t->packed != NULL; i++)
        if (gfx_pair_fits(g, t->packed, t->line[i]))
            t->packs[i] |= GFX_PACKS;
}

/* The thread's own answer, and what it touched. */
static enum igpu_status message_answer(void *ctx, const struct isa_inst *inst,
                                       uint8_t *grf, uint32_t mask,
                                       struct igpu_err *err)
{
    struct gfx *g = ctx;
    struct gfx_touched *t = &g->told.touched;
    const struct gfx_counters *now = &g->counters;
    const struct gfx_counters before = *now;
    const struct gfx_run *run = t->run;
    struct gfx_message message = {.inst = inst,
                                  .index = emu_shader_sent(g->thread.machine)};
    enum igpu_status status;

    t->count = t->pixels_read = 0;
    t->packed = NULL;
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
        note_packs(g);
    }
    message.lines = t->count;
    message.line = t->line;
    message.packs = t->packs;
    g->told.threads.message(g->told.threads.ctx, emu_shader_sender(g->thread.machine),
                            &message);
    return IGPU_OK;
}

void gfx_draw_begins(struct gfx *g)
{
    struct gfx_draw_begin draw = {.apart = g->batch.apart,
                                  .vertices = gfx_get(g, GFX_VS_ENTRIES),
                                  .patches = gfx_get(g, GFX_HS_ENTRIES)};

    if (!g->hiz.ignored) /* else the draw's first thread or message is told of them */
        draw.depth = gfx_take_depth(g);
    if (g->told.threads.draw != NULL)
        g->told.threads.draw(g->told.threads.ctx, &draw);
    g->batch.apart = false;
}

void gfx_dispatch_begins(struct gfx *g, uint32_t threads, uint32_t slm_bytes)
{
    const struct gfx_dispatch dispatch = {threads, slm_bytes};

    if (g->told.threads.dispatch != NULL)
        g->told.threads.dispatch(g->told.threads.ctx, &dispatch);
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
        g->told.threads.end(g->told.threads.ctx, thread);
    }
}

void gfx_group_ended(struct gfx *g, enum gfx_stage stage, const struct gfx_shader *s,
                     uint32_t threads, const struct emu_counts *each)
{
    struct gfx_thread thread;

    if (g->told.threads.end == NULL)
        return;
    thread = (struct gfx_thread){.stage = stage,
                                 .shader = s->shader,
                                 .simd = s->simd,
                                 .payload = (g->d.payload + GRF - 1) / GRF};
    if (stage == GFX_STAGE_PIXEL && g->hiz.rejects)
        thread.depth =
            (struct gfx_depth_lines){g->told.touched.ahead, g->told.touched.aheads};
    else if (stage == GFX_STAGE_PIXEL)
        thread.depth = gfx_take_depth(g);
    tell_ended(g, &thread, 0, threads, each);
}

void gfx_dispatched_ended(struct gfx *g, const struct gfx_shader *s, uint32_t first,
                          uint32_t threads, const struct emu_counts *each)
{
    struct gfx_thread thread = {
        .stage = GFX_STAGE_COMPUTE, .shader = s->shader, .simd = s->simd};

    if (g->told.threads.end != NULL)
        tell_ended(g, &thread, first, threads, each);
}

static void on_block(void *ctx, uint64_t thread, uint32_t block)
{
    struct gfx *g = ctx;

    g->told.threads.block(g->told.threads.ctx, (uint32_t)thread, block);
}

static void on_access(void *ctx, uint64_t thread, const struct emu_access *access)
{
    struct gfx *g = ctx;

    g->told.threads.access(g->told.threads.ctx, (uint32_t)thread, access);
}

static enum igpu_status run_thread(struct gfx *g, const struct gfx_run *run,
                                   struct emu_counts *counts,
                                   struct emu_shader_classes *classes)
{
    const struct emu_hooks hooks = {.ctx = g, .block = on_block, .access = on_access};
    enum igpu_status status;

    if (g->told.threads.message == NULL)
        return emu_shader_run(g->thread.machine, run->shader->shader, run->grf,
                              run->lanes, run->answer, run->ctx, counts, classes,
                              g->batch.err);
    g->told.touched.run = run;
    emu_shader_watch(g->thread.machine, &hooks);
    status =
        emu_shader_run(g->thread.machine, run->shader->shader, run->grf, run->lanes,
                       message_answer, g, counts, classes, g->batch.err);
    emu_shader_watch(g->thread.machine, NULL);
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

    if (g->told.threads.message == NULL) {
        status = emu_shader_run_group(g->thread.machine, group, run->answer, run->ctx,
                                      counts, g->batch.err);
    } else {
        g->told.touched.run = run;
        emu_shader_watch(g->thread.machine, &hooks);
        status = emu_shader_run_group(g->thread.machine, group, message_answer, g,
                                      counts, g->batch.err);
        emu_shader_watch(g->thread.machine, NULL);
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
    if (g->told.threads.message == NULL)
        return emu_shader_run_groups(g->thread.machine, &own, run->answer, run->ctx,
                                     g->batch.err);
    g->told.touched.run = run;
    emu_shader_watch(g->thread.machine, &hooks);
    status =
        emu_shader_run_groups(g->thread.machine, &own, message_answer, g, g->batch.err);
    emu_shader_watch(g->thread.machine, NULL);
    return status;
}

void gfx_watch_threads(struct gfx *g, const struct gfx_watch *watch)
{
    g->told.threads = watch != NULL ? *watch : (struct gfx_watch){.ctx = NULL};
}

bool gfx_is_watched(const struct gfx *g)
{
    const struct gfx_watch *w = &g->told.threads;

    return w->block != NULL || w->access != NULL || w->message != NULL ||
           w->end != NULL || g->told.memory.write != NULL ||
           g->told.draw_cycles != NULL || g->told.beside;
}

void gfx_step_beside(struct gfx *g, const struct emu_shader_beside *beside)
{
    g->told.beside = beside != NULL;
    emu_shader_step_beside(g->thread.machine, beside);
}

void gfx_watch_draws(struct gfx *g, gfx_on_draw *on_draw, void *ctx)
{
    g->told.on_draw = on_draw;
    g->told.on_draw_ctx = ctx;
}

void gfx_drawn(struct gfx *g)
{
    struct gfx_draw_info info = {
        g->batch.at, gfx_get(g, GFX_TOPOLOGY), !gfx_get(g, GFX_VS_ON),
        gfx_counters_since(&g->counters, &g->before), gfx_take_depth(g)};

    g->before = g->counters;
    gfx_count_statistics(g, &info.counted);
    gfx_spread_cycles(g);
    if (g->told.on_draw != NULL)
        g->told.on_draw(g->told.on_draw_ctx, &info);
}
