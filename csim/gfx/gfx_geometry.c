/* gfx_geometry.c - geometry shaders in SIMD8: primitives wait until there are eight,
 * then threads read their vertices and write what becomes of them into entries of the
 * URB: the number of vertices unless the state has it, control bits, vertices. */
#include "gfx_geometry.h"
#include "gfx_message.h"
#include "gfx_texture.h"

enum { LANES = GFX_GS_LANES, GRF = 32, OWORD = 16, CONTROL_UNIT = 32 };
enum { SIMD8_DISPATCH = 3, INSTANCE_SHIFT = 27, MAX_VERTICES = 1024, CUTS = 0 };

/* A thread's lanes: which of the waiting primitives, and which instance of it. They are
 * primitives, or where there are several instances those of one primitive. */
struct lanes {
    struct gfx *g;
    uint32_t count, primitive[LANES], instance[LANES];
};

/* ---- messages ----------------------------------------------------------- */

/* Handles count vertices of waiting primitives. */
static const void *find_vertex(const void *ctx, uint32_t handle, size_t *bytes)
{
    const struct gfx *g = ctx;
    uint32_t primitive = handle / GFX_GS_VERTICES, vertex = handle % GFX_GS_VERTICES;

    *bytes = sizeof(g->gs.vertex[0][0]->slot);
    return primitive < g->gs.count ? g->gs.vertex[primitive][vertex]->slot : NULL;
}

static enum igpu_status geometry_message(void *ctx, const struct isa_inst *inst,
                                         uint8_t *grf, uint32_t mask,
                                         struct igpu_err *err)
{
    const struct lanes *l = ctx;
    const struct gfx_urb_entries to = {l->g->gs.entry, GFX_GS_ENTRY_BYTES,
                                       GFX_GS_ENTRY_BYTES};
    uint32_t live = mask & ((1u << l->count) - 1);

    (void)err;
    if (gfx_is_urb(inst, GFX_URB_READ))
        return gfx_urb_read(l->g, inst, grf, live, find_vertex, l->g);
    if (gfx_is_urb(inst, GFX_URB_WRITE))
        return gfx_urb_write(l->g, inst, grf, live, &to);
    return gfx_common_message(l->g, inst, grf, mask, "geometry");
}

/* ---- threads ------------------------------------------------------------ */

static void put_lane(uint8_t *grf, uint32_t reg, uint32_t lane, uint32_t value)
{
    memcpy(grf + reg * GRF + 4 * lane, &value, 4);
}

/* Vertices whole in registers, as far as the state asks for it: behind the constants.
 */
static enum igpu_status put_vertices(struct gfx *g, const struct lanes *l, uint8_t *grf,
                                     uint32_t reg)
{
    bool instances = gfx_get(g, GFX_GS_INSTANCES) != 0; /* read none */
    uint32_t slots = instances ? 0 : 2 * gfx_get(g, GFX_GS_READ_LENGTH);
    uint32_t first = 2 * gfx_get(g, GFX_GS_READ_OFFSET);

    if (reg + 4 * slots * g->gs.vertices > ISA_GRF_COUNT)
        return gfx_refuse(g, "a geometry shader's payload of too many registers");
    for (uint32_t v = 0; v < g->gs.vertices; v++)
        for (uint32_t i = 0; i < 4 * slots; i++, reg++)
            for (uint32_t lane = 0; lane < l->count; lane++)
                if (first + i / 4 < GFX_SLOTS)
                    memcpy(grf + reg * GRF + 4 * lane,
                           &g->gs.vertex[l->primitive[lane]][v]
                                ->slot[first + i / 4][i % 4],
                           4);
    g->d.payload = reg * GRF;
    return IGPU_OK;
}

/* Of vertex v: a register's lanes, or where lanes are instances one lane. */
static void put_handles(const struct gfx *g, const struct lanes *l, uint8_t *grf,
                        uint32_t reg, uint32_t v)
{
    if (gfx_get(g, GFX_GS_INSTANCES) != 0) {
        put_lane(grf, reg, v, l->primitive[0] * GFX_GS_VERTICES + v);
        return;
    }
    for (uint32_t lane = 0; lane < l->count; lane++)
        put_lane(grf, reg + v, lane, l->primitive[lane] * GFX_GS_VERTICES + v);
}

static enum igpu_status put_payload(struct gfx *g, const struct lanes *l, uint8_t *grf)
{
    uint32_t reg = 2, bytes;
    enum igpu_status status;

    gfx_put_pointers(g, grf);
    for (uint32_t lane = 0; lane < l->count; lane++)
        put_lane(grf, 1, lane, l->instance[lane] << INSTANCE_SHIFT | lane);
    for (uint32_t lane = 0; lane < l->count && gfx_get(g, GFX_GS_PRIMITIVE_ID); lane++)
        put_lane(grf, 2, lane,
                 g->tess.on ? g->tess.id : g->gs.first + l->primitive[lane]);
    reg += gfx_get(g, GFX_GS_PRIMITIVE_ID);
    for (uint32_t v = 0; v < g->gs.vertices && gfx_get(g, GFX_GS_HANDLES); v++)
        put_handles(g, l, grf, reg, v);
    reg = gfx_get(g, GFX_GS_FIRST_GRF) | gfx_get(g, GFX_GS_FIRST_GRF_HIGH) << 4;
    status = gfx_constants(g, GFX_3DSTATE_CONSTANT_GS, grf + reg * GRF,
                           EMU_SHADER_GRF_BYTES - reg * GRF, &bytes);
    g->d.payload = reg * GRF + bytes;
    return status == IGPU_OK ? put_vertices(g, l, grf, reg + bytes / GRF) : status;
}

static enum igpu_status geometry_run(struct gfx *g, struct gfx_shader *s,
                                     struct lanes *l)
{
    uint8_t grf[EMU_SHADER_GRF_BYTES] = {0};
    struct emu_counts counts = {0};
    enum igpu_status status = put_payload(g, l, grf);

    memset(g->gs.entry, 0, (size_t)LANES * GFX_GS_ENTRY_BYTES);
    g->d.in_pixels = false;
    if (status == IGPU_OK)
        status = gfx_bind_buffers(g, s);
    if (status == IGPU_OK)
        status = gfx_run_thread(
            g, &(struct gfx_run){s, grf, (1u << l->count) - 1, geometry_message, l},
            &counts, NULL);
    g->counters.gs_invocations += l->count;
    g->counters.gs_threads++;
    g->counters.gs_instructions += counts.instructions;
    g->counters.gs_lane_instructions += counts.lane_instructions;
    if (status == IGPU_OK)
        gfx_thread_ended(g, GFX_STAGE_GEOMETRY, s, &counts);
    return status == IGPU_OK ? gfx_spend(g, counts.instructions) : status;
}

/* ---- what came of them -------------------------------------------------- */

/* Bits of vertex i: 1 of cuts, 2 of streams. */
static uint32_t control(const uint8_t *bits, uint32_t i, uint32_t width)
{
    return bits[i * width / 8] >> i * width % 8 & ((1u << width) - 1);
}

static enum igpu_status strips(struct gfx *g, const uint8_t *entry, uint32_t n,
                               struct gfx_vertex *v, gfx_assembler *assemble)
{
    uint32_t bytes = OWORD * (gfx_get(g, GFX_GS_VERTEX_SIZE) + 1), from = 0;
    uint32_t head = CONTROL_UNIT * gfx_get(g, GFX_GS_CONTROL_SIZE);
    const uint8_t *bits = entry + (gfx_get(g, GFX_GS_STATIC) ? 0 : CONTROL_UNIT);
    bool cuts = head > 0 && gfx_get(g, GFX_GS_CONTROL_FORMAT) == CUTS;
    bool streams = head > 0 && !cuts;
    enum igpu_status status = IGPU_OK;

    if ((uint64_t)(bits - entry) + head + (uint64_t)n * bytes > GFX_GS_ENTRY_BYTES ||
        n > MAX_VERTICES || n > 8 * head / (streams ? 2 : 1) + (head ? 0 : n))
        return gfx_refuse(g, "%u vertices of a geometry shader", n);
    memset(v, 0, n * sizeof(*v));
    for (uint32_t i = 0; i < n && status == IGPU_OK; i++) {
        memcpy(v[i].slot, bits + head + i * bytes,
               bytes < sizeof(v[i].slot) ? bytes : sizeof(v[i].slot));
        g->gs.stream = streams ? control(bits, from, 2) : 0;
        if (streams && control(bits, i, 2) != g->gs.stream) {
            status = assemble(g, gfx_get(g, GFX_GS_TOPOLOGY), v + from, i - from);
            from = i;
        } else if (cuts && control(bits, i, 1)) {
            status = assemble(g, gfx_get(g, GFX_GS_TOPOLOGY), v + from, i + 1 - from);
            from = i + 1;
        }
    }
    g->counters.gs_vertices += n;
    g->gs.stream = streams && n > 0 ? control(bits, from, 2) : 0;
    return status == IGPU_OK && from < n
               ? assemble(g, gfx_get(g, GFX_GS_TOPOLOGY), v + from, n - from)
               : status;
}

/* The entries are read before the next thread writes others. */
static enum igpu_status emit(struct gfx *g, const struct lanes *l,
                             gfx_assembler *assemble)
{
    struct gfx_vertex *v = malloc(MAX_VERTICES * sizeof(*v));
    enum igpu_status status =
        v != NULL ? IGPU_OK : igpu_no_memory(g->batch.err, "vertices");

    gfx_bind_stage(g, GFX_STAGE_PIXEL);
    g->gs.emits = true;
    for (uint32_t lane = 0; lane < l->count && status == IGPU_OK; lane++) {
        const uint8_t *entry = g->gs.entry + lane * GFX_GS_ENTRY_BYTES;
        uint32_t n = gfx_get(g, GFX_GS_STATIC_COUNT);

        if (!gfx_get(g, GFX_GS_STATIC))
            memcpy(&n, entry, sizeof(n));
        status = strips(g, entry, n, v, assemble);
    }
    g->gs.emits = false;
    gfx_bind_stage(g, GFX_STAGE_GEOMETRY);
    free(v);
    return status;
}

static enum igpu_status shader_find(struct gfx *g, struct gfx_shader **s)
{
    if (gfx_get(g, GFX_GS_DISPATCH) != SIMD8_DISPATCH)
        return gfx_refuse(g, "a geometry shader that is not SIMD8");
    if (gfx_get(g, GFX_GS_EXPECTED) != g->gs.vertices)
        return gfx_refuse(g, "primitives of %u vertices for a geometry shader of %u",
                          g->gs.vertices, gfx_get(g, GFX_GS_EXPECTED));
    if (g->gs.entry == NULL)
        g->gs.entry = malloc((size_t)LANES * GFX_GS_ENTRY_BYTES);
    if (g->gs.entry == NULL)
        return igpu_no_memory(g->batch.err, "entries");
    *s = gfx_find_shader(g, g->c->instruction_base + gfx_get_address(g, GFX_GS_KERNEL),
                         8, "geometry shader");
    return *s != NULL ? IGPU_OK : IGPU_SIM_ERROR;
}

enum igpu_status gfx_geometry_flush(struct gfx *g, gfx_assembler *assemble)
{
    uint32_t instances = gfx_get(g, GFX_GS_INSTANCES) + 1;
    struct lanes l = {.g = g};
    struct gfx_shader *s = NULL;
    enum igpu_status status = IGPU_OK;

    if (g->gs.count == 0)
        return IGPU_OK;
    status = shader_find(g, &s);
    gfx_bind_stage(g, GFX_STAGE_GEOMETRY);
    for (uint32_t i = 0; i < g->gs.count * instances && status == IGPU_OK; i++) {
        l.primitive[l.count] = i / instances;
        l.instance[l.count++] = i % instances;
        if (l.count < LANES && i + 1 < g->gs.count * instances &&
            (instances == 1 || (i + 1) % instances != 0))
            continue;
        status = geometry_run(g, s, &l);
        if (status == IGPU_OK)
            status = emit(g, &l, assemble);
        l.count = 0;
    }
    gfx_bind_stage(g, GFX_STAGE_PIXEL);
    g->gs.first += g->gs.count;
    g->gs.count = 0;
    return status;
}

enum igpu_status gfx_geometry(struct gfx *g, const struct gfx_vertex *const *v,
                              uint32_t n, gfx_assembler *assemble)
{
    for (uint32_t i = 0; i < n; i++)
        g->gs.vertex[g->gs.count][i] = v[i];
    g->gs.vertices = n;
    return ++g->gs.count < LANES ? IGPU_OK : gfx_geometry_flush(g, assemble);
}
