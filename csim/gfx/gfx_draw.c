/* gfx_draw.c - 3DPRIMITIVE: what a draw needs, its vertices, its primitives. */
#include "gfx_commands.h"
#include "gfx_depth.h"
#include "gfx_geometry.h"
#include "gfx_queue.h"
#include "gfx_raster.h"
#include "gfx_texture.h"

#include <inttypes.h>

/* KEPT: that have room between draws, at most. */
enum { MAX_VERTICES = 1 << 24, KEPT = 1 << 19 };

/* ---- what is refused ---------------------------------------------------- */

/* Edges of strips and fans are always drawn. */
static bool has_edge_flags(const struct gfx *g)
{
    enum { TRILIST = 4, QUADLIST = 7, POLYGON = 14 };
    uint32_t topology = gfx_get(g, GFX_TOPOLOGY);
    bool found = false;

    if (topology != TRILIST && topology != QUADLIST && topology != POLYGON)
        return false;

    for (uint32_t e = 0; e < g->c->elements; e++)
        found |= gfx_part(g->c->element[e], GFX_ELEMENT_EDGE_FLAG);
    return found;
}

static enum igpu_status check_stages(struct gfx *g)
{
    if (gfx_get(g, GFX_FRONT_FILL) > 2 || gfx_get(g, GFX_BACK_FILL) > 2)
        return gfx_refuse(g, "a reserved fill mode");
    if (gfx_get(g, GFX_SF_TRIANGLE_PROVOKING) > 2 ||
        gfx_get(g, GFX_SF_FAN_PROVOKING) > 2 || gfx_get(g, GFX_INDEX_FORMAT) > 2)
        return gfx_refuse(g, "a reserved provoking vertex or index format");
    return IGPU_OK;
}

/* ---- what a draw needs -------------------------------------------------- */

static enum igpu_status find_pixel_shaders(struct gfx *g)
{
    uint32_t widths = gfx_get(g, GFX_PS_WIDTHS);
    bool single = (widths & (widths - 1)) == 0;
    /* The first is the only one or SIMD8, the second SIMD32, the third SIMD16. */
    const enum gfx_field kernel[3] = {GFX_PS_KERNEL_0,
                                      single ? GFX_PS_KERNEL_0 : GFX_PS_KERNEL_2,
                                      single ? GFX_PS_KERNEL_0 : GFX_PS_KERNEL_1};

    for (uint32_t i = 0; i < 3; i++) {
        g->d.ps[i] = NULL;
        if (!gfx_get(g, GFX_PS_VALID) || !(widths >> i & 1))
            continue;
        g->d.ps[i] =
            gfx_find_shader(g, g->c->instruction_base + gfx_get_address(g, kernel[i]),
                            8u << i, "pixel shader");
        if (g->d.ps[i] == NULL)
            return IGPU_SIM_ERROR;
    }
    return IGPU_OK;
}

static enum igpu_status find_depth(struct gfx *g)
{
    bool there = gfx_get(g, GFX_DEPTH_TYPE) != GFX_NULL;

    g->d.depth_on =
        there &&
        (gfx_get(g, GFX_DEPTH_TEST_ON) ||
         (gfx_get(g, GFX_DEPTH_WRITE_ON) && gfx_get(g, GFX_DEPTH_BUFFER_WRITE)));
    g->d.stencil_on = gfx_get(g, GFX_STENCIL_ON) && gfx_get(g, GFX_STENCIL_TEST_ON);
    g->d.tests.known = g->d.target.known = false;
    g->d.placed = 0;
    for (uint32_t i = 0; i < GFX_IMAGES; i++)
        g->d.registers[i].kept = 0;
    gfx_find_stencil_buffer(g, &g->d.stencil);
    return g->d.depth_on ? gfx_find_depth_buffer(g, &g->d.depth) : IGPU_OK;
}

/* Tests wait for the pixel shader where that decides about them. */
static enum igpu_status find_order(struct gfx *g)
{
    uint32_t blend = 0;
    enum igpu_status status = IGPU_OK;

    if (gfx_get(g, GFX_PS_VALID))
        status = gfx_read(g, g->c->dynamic_base + gfx_get_offset(g, GFX_BLEND_POINTER),
                          &blend, sizeof(blend));
    g->d.late = gfx_get(g, GFX_PS_VALID) &&
                (gfx_get(g, GFX_WM_EARLY_CONTROL) == GFX_AFTER_PS ||
                 (gfx_get(g, GFX_WM_EARLY_CONTROL) != GFX_BEFORE_PS &&
                  (gfx_get(g, GFX_PS_KILLS) || gfx_get(g, GFX_PS_COMPUTED_DEPTH) != 0 ||
                   gfx_get(g, GFX_PS_COMPUTES_STENCIL) || gfx_get(g, GFX_PS_OMASK) ||
                   gfx_part(&blend, GFX_BLEND_ALPHA_TEST) ||
                   gfx_part(&blend, GFX_BLEND_ALPHA_TO_COVERAGE))));
    return status;
}

static enum igpu_status draw_prepare(struct gfx *g)
{
    enum igpu_status status = check_stages(g);

    gfx_forget_bindings(g);
    g->d.references = NULL;
    g->d.passes = g->d.fails = 0;
    g->d.edge_flags = has_edge_flags(g);
    g->d.stipple_pixels = g->d.stipple_polygon = 0;
    gfx_find_samples(g);
    gfx_bind_stage(g, GFX_STAGE_PIXEL);
    g->d.constant_bytes = 0;
    emu_shader_unbind(g->thread.machine);
    if (status == IGPU_OK)
        status = find_pixel_shaders(g);
    if (status == IGPU_OK)
        status = find_depth(g);
    g->d.viewport = g->d.layer = 0;
    if (status == IGPU_OK)
        status = gfx_find_clip(g);
    if (status == IGPU_OK)
        status = find_order(g);
    gfx_hiz_draw(g);
    g->counters.depth_test_draws += g->d.depth_on && gfx_get(g, GFX_DEPTH_TEST_ON);
    g->counters.depth_write_draws += g->d.depth_on && gfx_get(g, GFX_DEPTH_WRITE_ON) &&
                                     gfx_get(g, GFX_DEPTH_BUFFER_WRITE);
    g->counters.stencil_draws += g->d.stencil_on;
    g->counters.late_draws += g->d.late;
    if (status == IGPU_OK && gfx_get(g, GFX_PS_VALID) &&
        gfx_get(g, GFX_PS_PUSH_CONSTANTS))
        status = gfx_constants(g, GFX_3DSTATE_CONSTANT_PS, g->d.constants,
                               sizeof(g->d.constants), &g->d.constant_bytes);
    g->counters.ps_constant_bytes += g->d.constant_bytes;
    gfx_find_payload(g);
    return status;
}

/* ---- vertices ----------------------------------------------------------- */

/* The vertices' numbers in order, as shaders see them: without the draw's first vertex,
 * which is added where their data are fetched. */
static enum igpu_status numbers(struct gfx *g, const uint32_t *p, uint32_t *index,
                                uint32_t *cuts)
{
    uint32_t count = p[2], size = 1u << gfx_get(g, GFX_INDEX_FORMAT);
    uint32_t cut =
        gfx_get(g, GFX_VF_CUT_INDEX) & (size == 4 ? UINT32_MAX : (1u << 8 * size) - 1);
    bool indexed = gfx_part(p, GFX_DRAW_INDEXED);
    bool cutting = indexed && gfx_get(g, GFX_VF_CUT_INDEXED);
    uint64_t va = gfx_get_address(g, GFX_INDEX_ADDRESS);
    enum igpu_status status = IGPU_OK;

    *cuts = 0;
    g->d.first_vertex = indexed ? p[6] : p[3];
    for (uint32_t i = 0; i < count && !indexed; i++)
        index[i] = i;
    for (uint32_t i = 0; i < count && indexed && status == IGPU_OK; i++) {
        uint32_t value = 0;

        if (((uint64_t)p[3] + i + 1) * size <= gfx_get(g, GFX_INDEX_BYTES))
            status = gfx_read(g, va + ((uint64_t)p[3] + i) * size, &value, size);
        g->counters.indices++;
        *cuts += cutting && value == cut;
        index[i] = cutting && value == cut ? UINT32_MAX : value;
    }
    return status;
}

/* A run of vertices without a cut. */
static enum igpu_status strip_of(struct gfx *g, const uint32_t *p,
                                 const uint32_t *index, uint32_t n, uint32_t instance,
                                 struct gfx_vertex *v)
{
    const struct gfx_strip s = {index, n, instance, p[5], v};
    enum igpu_status status = gfx_strip_begin(g, &s), shaded;

    if (status == IGPU_OK)
        status = gfx_assemble(g, v, n);
    shaded = gfx_strip_end(g);
    return shaded == IGPU_OK ? status : shaded;
}

static enum igpu_status instance_of(struct gfx *g, const uint32_t *p,
                                    const uint32_t *index, uint32_t cuts,
                                    uint32_t instance, struct gfx_vertex *v)
{
    enum igpu_status status = IGPU_OK;
    uint32_t from = 0;

    if (cuts == 0)
        return strip_of(g, p, index, p[2], instance, v);
    for (uint32_t i = 0; i <= p[2] && status == IGPU_OK; i++) {
        if (i < p[2] && index[i] != UINT32_MAX)
            continue;
        status = strip_of(g, p, index + from, i - from, instance, v);
        from = i + 1;
    }
    return status;
}

/* Room for so many vertices; NULL: memory is short. */
static struct gfx_vertex *room(struct gfx *g, uint32_t count)
{
    struct gfx_vertices *all = &g->vertices;
    uint32_t slots = gfx_vertex_slots(g);

    if (count > all->count) {
        free(all->v);
        *all = (struct gfx_vertices){.v = gfx_new_array(count, sizeof(*all->v)),
                                     .count = count};
    }
    all->slots = slots > all->slots ? slots : all->slots;
    g->d.slots = all->slots;
    return all->v;
}

/* What few draws need is not kept for all. */
static void leave_room(struct gfx *g)
{
    struct gfx_vertices *all = &g->vertices;

    if (all->v != NULL && all->count <= KEPT)
        return;
    free(all->v);
    *all = (struct gfx_vertices){.v = NULL};
}

static enum igpu_status draw(struct gfx *g, const uint32_t *p)
{
    uint32_t *index = malloc((size_t)p[2] * sizeof(*index));
    struct gfx_vertex *v = room(g, p[2]);
    enum igpu_status status;
    uint32_t cuts = 0;

    if (index == NULL || v == NULL)
        status = igpu_no_memory(g->batch.err, "%u vertices", p[2]);
    else
        status = numbers(g, p, index, &cuts);
    for (uint32_t i = 0; i < p[4] && status == IGPU_OK; i++) {
        g->counters.ia_vertices += p[2];
        g->counters.instances++;
        g->gs.first = g->gs.count = g->primitive = g->tess.id = 0;
        status = instance_of(g, p, index, cuts, i, v);
    }
    g->counters.restarts += cuts;
    free(index);
    return status;
}

/* A draw whose numbers are registers', which commands before it loaded. */
static void take_registers(struct gfx *g, uint32_t *p)
{
    static const enum gfx_register offset[5] = {
        GFX_REG_DRAW_VERTICES, GFX_REG_DRAW_FIRST_VERTEX, GFX_REG_DRAW_INSTANCES,
        GFX_REG_DRAW_FIRST_INSTANCE, GFX_REG_DRAW_BASE_VERTEX};

    for (uint32_t i = 0; i < 5; i++)
        p[2 + i] = (uint32_t)gfx_register(g, offset[i]);
}

enum igpu_status gfx_draw(struct gfx *g, const uint32_t *packet)
{
    enum igpu_status status, shaded;
    uint32_t p[7];

    memcpy(p, packet, sizeof(p));
    if (gfx_part(p, GFX_DRAW_PREDICATED) && !(gfx_register(g, GFX_REG_PREDICATE) & 1)) {
        g->counters.skipped_draws++;
        return IGPU_OK;
    }
    if (gfx_part(p, GFX_DRAW_INDIRECT))
        take_registers(g, p);
    if (p[2] > MAX_VERTICES || (uint64_t)p[2] * p[4] > MAX_VERTICES)
        return gfx_refuse(g, "a draw of %u vertices, %u times", p[2], p[4]);
    status = gfx_spend(g, (uint64_t)p[2] * p[4]);
    if (status != IGPU_OK)
        return status;
    if (gfx_get(g, GFX_PS_VALID) && gfx_get(g, GFX_PS_RESOLVE) != 0) {
        g->counters.resolves++; /* colours are where they belong: gfx_clear.c */
        return IGPU_OK;
    }
    gfx_count_draw(g, p);
    if (p[2] == 0 || p[4] == 0)
        return IGPU_OK;
    g->counters.fast_clears +=
        gfx_get(g, GFX_PS_VALID) && gfx_get(g, GFX_PS_FAST_CLEAR);
    gfx_draw_begins(g);
    status = draw_prepare(g);
    if (status == IGPU_OK)
        status = draw(g, p);
    shaded = gfx_queue_end(g);
    leave_room(g);
    status = status == IGPU_OK ? shaded : status;
    if (status == IGPU_OK)
        status = gfx_stream_end(g);
    gfx_drawn(g);
    return status;
}
