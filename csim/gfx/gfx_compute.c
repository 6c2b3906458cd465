/* gfx_compute.c - GPGPU_WALKER: groups of threads of a compute shader, one group after
 * the other, unless they wait for each other. A thread has the group's number in its
 * header. Behind it, from a constant buffer (MEDIA_CURBE_LOAD), come constants of all
 * threads and then its own; from indirect data (the walker's own address) its own come
 * first. In memory those of all are first either way. */
#include "gfx_commands.h"
#include "gfx_message.h"
#include "gfx_pool.h"
#include "gfx_texture.h"

#include <stdatomic.h>

#include "igpu/va.h"

enum { GRF = 32, MAX_GROUPS = 1 << 22, MAX_THREADS = EMU_SHADER_GROUP_THREADS };
/* Pieces of the groups that are resident, at least; groups resident, at most. */
enum { PIECES = 8, MAX_RESIDENT = 512 };

/* A walker and the interface descriptor that it names. */
struct walk {
    uint32_t first[3], end[3]; /* groups */
    uint32_t threads, lanes;
    uint32_t mask[MAX_THREADS]; /* lanes of each that are there */
    uint64_t shader;
    uint32_t common, own; /* registers of constants: of all, of each */
    uint64_t constants;   /* where they lie */
    bool indirect;        /* as the walker's data */
    uint32_t slm_bytes;
    uint64_t table, samplers;
};

static enum igpu_status read_descriptor(struct gfx *g, uint32_t index, struct walk *w)
{
    uint32_t d[8], slm;
    enum igpu_status status =
        gfx_read(g, g->c->descriptors + index * (uint64_t)sizeof(d), d, sizeof(d));

    if (status != IGPU_OK)
        return status;
    w->shader = g->c->instruction_base + gfx_part_address(d, GFX_COMPUTE_KERNEL);
    w->samplers = g->c->dynamic_base + gfx_part_offset(d, GFX_COMPUTE_SAMPLERS);
    w->table = g->c->surface_base + gfx_part_offset(d, GFX_COMPUTE_BINDINGS);
    w->own = gfx_part(d, GFX_COMPUTE_DATA_GRFS);
    w->constants += (uint64_t)gfx_part(d, GFX_COMPUTE_DATA_OFFSET) * GRF;
    w->common = gfx_part(d, GFX_COMPUTE_COMMON_GRFS);
    slm = gfx_part(d, GFX_COMPUTE_SLM_SIZE);
    if (slm > 7)
        return gfx_refuse(g, "shared local memory of size %u", slm);
    w->slm_bytes = slm > 0 ? 512u << slm : 0;
    return IGPU_OK;
}

static enum igpu_status take_apart(struct gfx *g, const uint32_t *p, struct walk *w)
{
    const enum gfx_part first[3] = {GFX_WALKER_FIRST_X, GFX_WALKER_FIRST_Y,
                                    GFX_WALKER_FIRST_Z};
    const enum gfx_part end[3] = {GFX_WALKER_END_X, GFX_WALKER_END_Y, GFX_WALKER_END_Z};
    uint32_t simd = gfx_part(p, GFX_WALKER_SIMD);
    uint32_t high = gfx_part(p, GFX_WALKER_THREADS_Y);
    uint32_t deep = gfx_part(p, GFX_WALKER_THREADS_Z);
    uint64_t groups = 1;

    w->threads = (gfx_part(p, GFX_WALKER_THREADS_X) + 1) * (high + 1) * (deep + 1);
    if (simd > 2 || w->threads > MAX_THREADS)
        return gfx_refuse(g, "groups of %u threads, SIMD %u", w->threads, 8u << simd);
    if (high != 0 || deep != 0)
        return gfx_refuse(g, "groups of threads in two dimensions");
    w->lanes = 8u << simd;
    for (uint32_t i = 0; i < w->threads; i++)
        w->mask[i] = (uint32_t)((UINT64_C(1) << w->lanes) - 1);
    w->mask[w->threads - 1] &= gfx_part(p, GFX_WALKER_LAST_LANES);
    if (w->mask[w->threads - 1] == 0)
        return gfx_refuse(g, "a group whose last thread has no lane");
    for (uint32_t i = 0; i < 3; i++) {
        w->first[i] = gfx_part(p, first[i]);
        w->end[i] = gfx_part(p, GFX_WALKER_INDIRECT)
                        ? (uint32_t)gfx_register(g, GFX_REG_DISPATCH_X + 4 * i)
                        : gfx_part(p, end[i]);
    }
    for (uint32_t i = 0; i < 3; i++) {
        uint32_t n = w->end[i] > w->first[i] ? w->end[i] - w->first[i] : 0;

        w->end[i] = w->first[i] + n;
        if (n > MAX_GROUPS || (groups *= n) > MAX_GROUPS)
            return gfx_refuse(g, "more than %d groups of a compute shader", MAX_GROUPS);
    }
    w->indirect = gfx_part(p, GFX_WALKER_DATA_BYTES) != 0;
    w->constants =
        w->indirect ? g->c->indirect_base + gfx_part_offset(p, GFX_WALKER_DATA_OFFSET)
                    : g->c->curbe;
    return read_descriptor(g, gfx_part(p, GFX_WALKER_DESCRIPTOR), w);
}

/* Constants of the group's threads. */
static enum igpu_status put_constants(struct gfx *g, const struct walk *w, uint8_t *grf)
{
    const uint32_t common = GRF + (w->indirect ? w->own * GRF : 0);
    const uint32_t own = GRF + (w->indirect ? 0 : w->common * GRF);
    enum igpu_status status = IGPU_OK;

    if ((1 + w->common + w->own) * GRF > EMU_SHADER_GRF_BYTES)
        return gfx_refuse(g, "a compute shader's payload of too many registers");
    for (uint32_t i = 0; i < w->threads && status == IGPU_OK; i++) {
        uint8_t *to = grf + (size_t)i * EMU_SHADER_GRF_BYTES;
        uint64_t from =
            w->constants + ((uint64_t)w->common + (uint64_t)i * w->own) * GRF;

        gfx_put_pointers(g, to);
        if (w->common > 0)
            status = gfx_read(g, w->constants, to + common, w->common * GRF);
        if (w->own > 0 && status == IGPU_OK)
            status = gfx_read(g, from, to + own, w->own * GRF);
    }
    return status;
}

static enum igpu_status compute_message(void *ctx, const struct isa_inst *inst,
                                        uint8_t *grf, uint32_t mask,
                                        struct igpu_err *err)
{
    (void)err;
    return gfx_common_message(ctx, inst, grf, mask, "compute");
}

/* Groups of a dispatch that run on *g, from the first on. */
struct dispatch {
    struct gfx *g;
    const struct walk *w;
    const struct gfx_shader *shader;
    uint8_t *grf; /* of a group's threads */
    uint32_t resident;
    uint64_t first;
};

/* The group's number, and its threads' parts of the pools that threads share: as
 * hardware threads take turns, and none of those that are there at a time has another's
 * (as csim/emu/emu_start.c does). */
static const uint8_t *begin_group(void *ctx, uint64_t number, uint32_t place)
{
    const struct dispatch *d = ctx;
    const struct walk *w = d->w;
    const uint64_t wide = w->end[0] - w->first[0], high = w->end[1] - w->first[1];
    const uint32_t scratch = gfx_scratch_of(d->g->c->scratch_size);

    (void)place;
    number += d->first;
    for (uint32_t i = 0; i < w->threads; i++) {
        uint32_t *r0 = (uint32_t *)(void *)(d->grf + (size_t)i * EMU_SHADER_GRF_BYTES);
        uint32_t thread = (uint32_t)((number * w->threads + i) % d->resident);

        r0[1] = w->first[0] + (uint32_t)(number % wide);
        r0[5] = IGPU_VA_SCRATCH_GAP + thread * scratch;
        if (w->indirect) /* whose kernels find their private memory by this number */
            r0[5] |= thread;
        r0[6] = w->first[1] + (uint32_t)(number / wide % high);
        r0[7] = w->first[2] + (uint32_t)(number / wide / high);
    }
    return d->grf;
}

static enum igpu_status end_group(void *ctx, uint32_t place,
                                  const struct emu_counts *each)
{
    const struct dispatch *d = ctx;
    uint64_t work = 0;

    for (uint32_t i = 0; i < d->w->threads; i++)
        work += each[i].instructions;
    gfx_dispatched_ended(d->g, d->shader, place * d->w->threads, d->w->threads, each);
    return gfx_spend(d->g, work);
}

/* CS_INVOCATION_COUNT: no statistics enable stops it, since drivers have no walkers of
 * their own beside a program's. */
static void count_invocations(struct gfx *g, const struct walk *w, uint64_t groups)
{
    const uint32_t low = GFX_REG_COMPUTE_INVOCATIONS, high = low + 4;
    uint64_t value = gfx_register(g, low) | gfx_register(g, high) << 32;

    for (uint32_t i = 0; i < w->threads; i++)
        value += groups * (uint32_t)__builtin_popcount(w->mask[i]);
    gfx_set_register(g, low, (uint32_t)value);
    gfx_set_register(g, high, (uint32_t)(value >> 32));
}

static uint32_t resident(const struct gfx *g, const struct walk *w)
{
    return g->hw.threads > w->threads ? g->hw.threads : w->threads;
}

/* `count` groups from the first on, by turns where one waits for another. */
static enum igpu_status run_groups(struct gfx *g, const struct walk *w,
                                   const struct gfx_shader *s, uint64_t first,
                                   uint64_t count)
{
    struct dispatch d = {
        g, w, s, calloc(w->threads, EMU_SHADER_GRF_BYTES), resident(g, w), first};
    const struct emu_shader_groups groups = {.threads = w->threads,
                                             .slm_bytes = w->slm_bytes,
                                             .resident = d.resident,
                                             .count = count,
                                             .lanes = w->mask,
                                             .ctx = &d,
                                             .begin = begin_group,
                                             .end = end_group};
    const struct gfx_run thread = {s, d.grf, w->mask[0], compute_message, g};
    enum igpu_status status;

    if (d.grf == NULL)
        return igpu_no_memory(g->batch.err, "%u threads", w->threads);
    status = gfx_bind_buffers(g, s);
    if (status == IGPU_OK)
        status = put_constants(g, w, d.grf);
    if (status == IGPU_OK)
        status = gfx_make_scratch(g, d.resident, g->c->scratch_size);
    if (status == IGPU_OK)
        status = gfx_run_groups(g, &thread, &groups);
    free(d.grf);
    return status;
}

/* ---- on several host threads -------------------------------------------- */

/* Pieces of so many groups. A piece begins when that a ring before it is over: then no
 * two threads at work have one number, by which they find their private memory. */
struct pieces {
    const struct walk *w;
    const struct gfx_shader *shader;
    uint64_t groups, each, number; /* groups in all, of a piece; the first piece's */
    uint32_t ring;
    atomic_uint_fast64_t over[MAX_RESIDENT]; /* the last piece of its place, and 1 */
};

static enum igpu_status run_piece(struct gfx *g, void *ctx, uint64_t number)
{
    struct pieces *p = ctx;
    uint64_t piece = number - p->number, first = piece * p->each;
    uint64_t left = p->groups - first;
    enum igpu_status status =
        run_groups(g, p->w, p->shader, first, left < p->each ? left : p->each);

    atomic_store_explicit(&p->over[piece % p->ring], piece + 1, memory_order_release);
    return status;
}

static enum igpu_status add_pieces(struct gfx *g, struct pieces *p)
{
    uint64_t pieces = (p->groups + p->each - 1) / p->each;
    uint32_t spins = 0;

    for (uint64_t i = 0; i < pieces && !gfx_pool_failed(g, GFX_JOB_BACK);) {
        if (i < p->ring || atomic_load_explicit(&p->over[i % p->ring],
                                                memory_order_acquire) > i - p->ring) {
            gfx_pool_add(g, GFX_JOB_BACK, 1);
            spins = 0;
            i++;
        } else if (!gfx_pool_help(g, GFX_JOB_BACK))
            gfx_pool_pause(&spins);
    }
    return gfx_pool_end(g, GFX_JOB_BACK);
}

/* All groups: on several host threads where no order of theirs can be seen, unless
 * they race on memory. */
static enum igpu_status run_all(struct gfx *g, const struct walk *w,
                                const struct gfx_shader *s, uint64_t count)
{
    uint64_t room = resident(g, w) / w->threads;
    struct pieces p = {.w = w, .shader = s, .groups = count};

    room = room < MAX_RESIDENT ? room : MAX_RESIDENT;
    p.each = room / PIECES < count / PIECES ? room / PIECES : count / PIECES;
    p.each = p.each > 0 ? p.each : 1;
    p.ring = (uint32_t)(room / p.each);
    if (p.ring < 2 || count < 2 || gfx_is_watched(g) ||
        !emu_shader_any_order(s->shader) ||
        !gfx_pool_begin(g, GFX_JOB_BACK, run_piece, &p, 1, &p.number))
        return run_groups(g, w, s, 0, count);
    return add_pieces(g, &p);
}

enum igpu_status gfx_compute(struct gfx *g, const uint32_t *p)
{
    struct walk w = {.threads = 0};
    const struct gfx_shader *s;
    enum igpu_status status;
    uint64_t groups;

    if (gfx_part(p, GFX_WALKER_PREDICATED) && !(gfx_register(g, GFX_REG_PREDICATE) & 1))
        return IGPU_OK;
    status = take_apart(g, p, &w);
    if (status != IGPU_OK)
        return status;
    s = gfx_find_shader(g, w.shader, w.lanes, "compute shader");
    if (s == NULL)
        return IGPU_SIM_ERROR;
    gfx_forget_bindings(g);
    g->d.table = w.table;
    g->d.samplers = w.samplers;
    g->d.in_pixels = false;
    groups = (uint64_t)(w.end[0] - w.first[0]) * (w.end[1] - w.first[1]) *
             (w.end[2] - w.first[2]);
    gfx_dispatch_begins(g, w.threads, w.slm_bytes);
    status = run_all(g, &w, s, groups);
    if (status == IGPU_OK)
        count_invocations(g, &w, groups);
    return status;
}
