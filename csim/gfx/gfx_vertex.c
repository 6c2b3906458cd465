/* gfx_vertex.c - vertices: fetch by elements, and the vertex shader on up to eight. */
#include "gfx_geometry.h"
#include "gfx_message.h"
#include "gfx_texture.h"

enum { LANES = 8, GRF = 32, HANDLE_STEP = 64 };

/* ---- fetch -------------------------------------------------------------- */

/* Vertices of a call: four dwords a place, of which an element has one, or two where
 * its components have 64 bits and it stores a third. */
struct fetched {
    uint32_t value[LANES][GFX_ELEMENTS][4];
};

/* Components of a format whose 64 bits stay as they are; 0: it is none. */
static uint32_t wide_components(uint32_t format)
{
    return format == GFX_R64_PASSTHRU            ? 1
           : format == GFX_R64G64_PASSTHRU       ? 2
           : format == GFX_R64G64B64_PASSTHRU    ? 3
           : format == GFX_R64G64B64A64_PASSTHRU ? 4
                                                 : 0;
}

/* Channels of a format of doubles, which become floats; 0: it is none. */
static uint32_t doubles(uint32_t format)
{
    return format == GFX_R64_FLOAT            ? 1
           : format == GFX_R64G64_FLOAT       ? 2
           : format == GFX_R64G64B64_FLOAT    ? 3
           : format == GFX_R64G64B64A64_FLOAT ? 4
                                              : 0;
}

static void to_floats(const uint8_t *texel, uint32_t count, uint32_t rgba[4])
{
    for (uint32_t c = 0; c < 4; c++) {
        double d = c == 3 ? 1 : 0;
        float f;

        if (c < count)
            memcpy(&d, texel + 8 * c, sizeof(d));
        f = (float)d;
        memcpy(&rgba[c], &f, sizeof(f));
    }
}

/* The vertex's data of an element: in rgba, or of 64-bit components in wide. */
static enum igpu_status fetch_source(struct gfx *g, uint32_t element, uint32_t index,
                                     uint32_t rgba[4], uint32_t wide[8])
{
    const uint32_t *e = g->c->element[element];
    const struct gfx_vertex_buffer *b =
        &g->c->buffer[gfx_part(e, GFX_ELEMENT_BUFFER) % GFX_VERTEX_BUFFERS];
    uint32_t format = gfx_part(e, GFX_ELEMENT_FORMAT);
    const struct tex_format *f = tex_format(format);
    uint32_t double_count = doubles(format);
    uint32_t wide_count = wide_components(format);
    uint32_t bytes = wide_count ? 8 * wide_count : f ? f->bytes : 8 * double_count;
    uint64_t offset = (uint64_t)b->pitch * index + gfx_part(e, GFX_ELEMENT_OFFSET);
    uint8_t texel[32];
    enum igpu_status status;

    if (bytes == 0)
        return gfx_refuse(g, "vertex element %u of format 0x%x", element, format);
    memset(rgba, 0, 4 * sizeof(*rgba));
    if (offset + bytes > b->bytes) { /* outside the buffer: zeros */
        g->counters.vf_outside++;
        return IGPU_OK;
    }
    g->counters.vf_elements++;
    g->counters.vf_bytes += bytes;
    status = gfx_read(g, b->va + offset, texel, bytes);
    if (status == IGPU_OK && wide_count > 0)
        memcpy(wide, texel, bytes);
    else if (status == IGPU_OK && double_count > 0)
        to_floats(texel, double_count, rgba);
    else if (status == IGPU_OK)
        tex_unpack(f, texel, rgba);
    return status;
}

static uint32_t component(uint32_t control, uint32_t source, uint32_t before)
{
    switch (control) {
    case 1:
        return source;
    case 2:
        return 0;
    case 3:
        return GFX_FLOAT_ONE;
    case 4:
        return 1;
    default:
        return before;
    }
}

enum { NOT_STORED = 0 };

static uint32_t control_of(const struct gfx *g, uint32_t element, uint32_t c)
{
    return gfx_part(g->c->element[element], GFX_ELEMENT_CONTROL_0 - c);
}

/* Components of 64 bits: pairs of dwords, one after the other. Returns how many places
 * they take. */
static uint32_t store_wide(const struct gfx *g, uint32_t element,
                           const uint32_t source[8], uint32_t room, uint32_t (*to)[4])
{
    uint32_t stored = 0;

    for (uint32_t c = 0; c < 4; c++) {
        uint32_t control = control_of(g, element, c);

        if (control == NOT_STORED || c / 2 >= room)
            continue;
        stored = c / 2 + 1;
        for (uint32_t k = 0; k < 2; k++)
            to[c / 2][2 * (c % 2) + k] = control == 1 ? source[2 * c + k] : 0;
    }
    return stored > 0 ? stored : 1;
}

static enum igpu_status fetch_one(struct gfx *g, uint32_t index, uint32_t instance,
                                  uint32_t first_instance,
                                  uint32_t value[GFX_ELEMENTS][4])
{
    enum igpu_status status = IGPU_OK;
    uint32_t place = 0, place_of[GFX_ELEMENTS];

    for (uint32_t e = 0; e < GFX_ELEMENTS; e++)
        place_of[e] = e;
    for (uint32_t e = 0;
         e < g->c->elements && place < GFX_ELEMENTS && status == IGPU_OK; e++) {
        uint32_t at = index + g->d.first_vertex, rgba[4] = {0}, wide[8] = {0};
        bool is_wide =
            wide_components(gfx_part(g->c->element[e], GFX_ELEMENT_FORMAT)) > 0;

        place_of[e] = place;

        if (g->c->instancing[e].on)
            at = first_instance +
                 (g->c->instancing[e].rate ? instance / g->c->instancing[e].rate : 0);
        if (gfx_part(g->c->element[e], GFX_ELEMENT_VALID))
            status = fetch_source(g, e, at, rgba, wide);
        for (uint32_t c = 0; c < 4 && !is_wide; c++)
            value[place][c] = component(control_of(g, e, c), rgba[c], value[place][c]);
        place +=
            is_wide ? store_wide(g, e, wide, GFX_ELEMENTS - place, value + place) : 1;
    }
    if (gfx_get(g, GFX_VERTEX_ID_ON) &&
        gfx_get(g, GFX_VERTEX_ID_ELEMENT) < GFX_ELEMENTS)
        value[place_of[gfx_get(g, GFX_VERTEX_ID_ELEMENT)]]
             [gfx_get(g, GFX_VERTEX_ID_COMPONENT)] = index;
    if (gfx_get(g, GFX_INSTANCE_ID_ON) &&
        gfx_get(g, GFX_INSTANCE_ID_ELEMENT) < GFX_ELEMENTS)
        value[place_of[gfx_get(g, GFX_INSTANCE_ID_ELEMENT)]]
             [gfx_get(g, GFX_INSTANCE_ID_COMPONENT)] = instance;
    return status;
}

/* ---- shader ------------------------------------------------------------- */

struct urb {
    struct gfx *g;
    struct gfx_vertex *out;
    uint32_t lanes; /* that have a vertex: messages may be of others too */
};

static enum igpu_status vertex_message(void *ctx, const struct isa_inst *inst,
                                       uint8_t *grf, uint32_t mask,
                                       struct igpu_err *err)
{
    const struct urb *u = ctx;
    const struct gfx_urb_entries to = {u->out, sizeof(*u->out), sizeof(u->out->slot)};

    (void)err;
    if (gfx_is_urb(inst, GFX_URB_WRITE) &&
        !(inst->msg.desc & (GFX_URB_MASKS | GFX_URB_OFFSETS)))
        return gfx_urb_write(u->g, inst, grf, mask & u->lanes, &to);
    return gfx_common_message(u->g, inst, grf, mask, "vertex");
}

static enum igpu_status put_payload(struct gfx *g, const struct fetched *in,
                                    uint32_t count, uint8_t *grf)
{
    uint32_t at = gfx_get(g, GFX_VS_FIRST_GRF) * GRF, bytes;
    uint32_t first = gfx_get(g, GFX_VS_READ_OFFSET) * 2;
    uint32_t elements = gfx_get(g, GFX_VS_READ_LENGTH) * 2;
    enum igpu_status status = gfx_constants(g, GFX_3DSTATE_CONSTANT_VS, grf + at,
                                            EMU_SHADER_GRF_BYTES - at, &bytes);

    if (status != IGPU_OK)
        return status;
    at += bytes;
    g->counters.vs_constant_bytes += bytes;
    if (at + elements * 4 * GRF > EMU_SHADER_GRF_BYTES)
        return gfx_refuse(g, "a vertex shader's payload of too many registers");
    g->d.payload = at + elements * 4 * GRF;
    gfx_put_pointers(g, grf);
    for (uint32_t i = 0; i < LANES; i++) { /* URB handles */
        uint32_t handle = i * HANDLE_STEP;

        memcpy(grf + GRF + i * 4, &handle, 4);
    }
    for (uint32_t e = 0; e < elements && first + e < GFX_ELEMENTS; e++)
        for (uint32_t c = 0; c < 4; c++)
            for (uint32_t i = 0; i < count; i++)
                memcpy(grf + at + (e * 4 + c) * GRF + i * 4,
                       &in->value[i][first + e][c], 4);
    return IGPU_OK;
}

static enum igpu_status shade(struct gfx *g, const struct fetched *in, uint32_t count,
                              struct gfx_vertex *out)
{
    uint8_t grf[EMU_SHADER_GRF_BYTES] = {0};
    struct urb u = {g, out, (1u << count) - 1};
    struct emu_counts counts = {0};
    struct emu_shader_classes classes = {{0}};
    struct gfx_shader *s;
    enum igpu_status status;

    if (!gfx_get(g, GFX_VS_SIMD8))
        return gfx_refuse(g, "a vertex shader that is not SIMD8");
    s = gfx_find_shader(g, g->c->instruction_base + gfx_get_address(g, GFX_VS_KERNEL),
                        8, "vertex shader");
    if (s == NULL)
        return IGPU_SIM_ERROR;
    g->d.in_pixels = false;
    status = gfx_bind_buffers(g, s);
    if (status == IGPU_OK)
        status = put_payload(g, in, count, grf);
    if (status == IGPU_OK)
        status =
            gfx_run_thread(g, &(struct gfx_run){s, grf, u.lanes, vertex_message, &u},
                           &counts, &classes);
    g->counters.vs_invocations += count;
    g->counters.vs_threads++;
    g->counters.vs_instructions += counts.instructions;
    g->counters.vs_lane_instructions += counts.lane_instructions;
    g->counters.vs_flops += counts.flops;
    gfx_count_classes(&g->counters.vs_move, &classes);
    if (status == IGPU_OK)
        gfx_thread_ended(g, GFX_STAGE_VERTEX, s, &counts);
    return status;
}

enum igpu_status gfx_vertices(struct gfx *g, const uint32_t *index, uint32_t count,
                              uint32_t instance, uint32_t first_instance,
                              struct gfx_vertex *out)
{
    struct fetched in;
    enum igpu_status status = IGPU_OK;

    memset(&in, 0, sizeof(in));
    for (uint32_t i = 0; i < count && status == IGPU_OK; i++)
        status = fetch_one(g, index[i], instance, first_instance, in.value[i]);
    if (status != IGPU_OK)
        return status;
    memset(out, 0, count * sizeof(*out));
    for (uint32_t i = 0; i < count && g->d.edge_flags; i++)
        out[i].no_edge = in.value[i][g->c->elements - 1][0] == 0;
    if (gfx_get(g, GFX_VS_ON))
        return shade(g, &in, count, out);
    for (uint32_t i = 0; i < count; i++) /* the driver's: elements are the slots */
        memcpy(out[i].slot, in.value[i], sizeof(in.value[i]));
    return IGPU_OK;
}
