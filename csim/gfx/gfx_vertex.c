/* gfx_vertex.c - vertices: fetch by elements, and the vertex shader on up to eight. */
#include "gfx_geometry.h"
#include "gfx_message.h"
#include "gfx_texture.h"

enum { LANES = 8, GRF = 32, HANDLE_STEP = 64 };

/* ---- fetch -------------------------------------------------------------- */

/* Vertices of a call as a thread has them: four dwords a place, of eight lanes each. An
 * element has one place, or two where its components have 64 bits and it stores a
 * third.
 */
struct fetched {
    uint32_t value[GFX_ELEMENTS][4][LANES];
};

/* What the state says of an element. */
struct element {
    const struct gfx_vertex_buffer *buffer;
    const struct tex_format *format; /* NULL: of 64 bits, or none */
    uint32_t number, offset, bytes, doubles, wide;
    uint32_t control[4];
    uint32_t take[4], fixed[4];   /* the same as bits of the source's, and others; */
    uint32_t there[4], others[4]; /* of words: of the format's channels alone */
    uint32_t place;
    bool valid, words; /* words: 32 bits a channel, which stay as they are */
    bool instanced;
    uint32_t rate;
};
struct elements {
    struct element e[GFX_ELEMENTS];
    uint32_t count, places; /* places: those before it may be written */
    bool plain;             /* all are words of the vertex's own */
    /* Dwords of a vertex's and an instance's number, or NULL. */
    uint32_t (*vertex_id)[LANES], (*instance_id)[LANES];
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
static enum igpu_status fetch_source(struct gfx *g, const struct element *e,
                                     uint32_t index, uint32_t rgba[4], uint32_t wide[8])
{
    const struct gfx_vertex_buffer *b = e->buffer;
    uint64_t offset = (uint64_t)b->pitch * index + e->offset;
    uint8_t texel[32];
    enum igpu_status status;

    if (e->bytes == 0)
        return gfx_refuse(g, "vertex element %u of format 0x%x", e->number,
                          gfx_part(g->c->element[e->number], GFX_ELEMENT_FORMAT));
    if (offset + e->bytes > b->bytes) { /* outside the buffer: zeros */
        g->counters.vf_outside++;
        return IGPU_OK;
    }
    g->counters.vf_elements++;
    g->counters.vf_bytes += e->bytes;
    status = gfx_read(g, b->va + offset, texel, e->bytes);
    if (status != IGPU_OK)
        return status;
    if (e->words) {
        rgba[3] = e->format->type == TEX_FLOAT ? GFX_FLOAT_ONE : 1;
        memcpy(rgba, texel, e->bytes);
    } else if (e->wide > 0)
        memcpy(wide, texel, e->bytes);
    else if (e->doubles > 0)
        to_floats(texel, e->doubles, rgba);
    else
        tex_unpack(e->format, texel, rgba);
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

/* Components of 64 bits: pairs of dwords, one after the other. Returns how many places
 * they take; of `to` NULL nothing is stored. */
static uint32_t store_wide(const struct element *e, const uint32_t source[8],
                           uint32_t room, uint32_t (*to)[4][LANES], uint32_t lane)
{
    uint32_t stored = 0;

    for (uint32_t c = 0; c < 4; c++) {
        uint32_t control = e->control[c];

        if (control == NOT_STORED || c / 2 >= room)
            continue;
        stored = c / 2 + 1;
        for (uint32_t k = 0; k < 2 && to != NULL; k++)
            to[c / 2][2 * (c % 2) + k][lane] = control == 1 ? source[2 * c + k] : 0;
    }
    return stored > 0 ? stored : 1;
}

/* What a fourth channel has that a format of words has not. */
static uint32_t one_of(const struct tex_format *f)
{
    return f->type == TEX_FLOAT ? GFX_FLOAT_ONE : 1;
}

static struct element element_of(const struct gfx *g, uint32_t number)
{
    const uint32_t *state = g->c->element[number];
    uint32_t format = gfx_part(state, GFX_ELEMENT_FORMAT);
    const struct tex_format *f = tex_format(format);
    struct element e = {
        .buffer =
            &g->c->buffer[gfx_part(state, GFX_ELEMENT_BUFFER) % GFX_VERTEX_BUFFERS],
        .format = f,
        .number = number,
        .offset = gfx_part(state, GFX_ELEMENT_OFFSET),
        .doubles = doubles(format),
        .wide = wide_components(format),
        .valid = gfx_part(state, GFX_ELEMENT_VALID),
        .instanced = g->c->instancing[number].on,
        .rate = g->c->instancing[number].rate};

    e.bytes = e.wide ? 8 * e.wide : f ? f->bytes : 8 * e.doubles;
    e.words = f != NULL && e.wide == 0 && f->bits == 32 && f->as == TEX_COLOUR &&
              f->order == TEX_RGBA && f->bytes == 4 * f->channels &&
              (f->channels < 4 || f->alpha) &&
              (f->type == TEX_FLOAT || f->type == TEX_UINT || f->type == TEX_SINT);
    for (uint32_t c = 0; c < 4; c++) {
        e.control[c] = gfx_part(state, GFX_ELEMENT_CONTROL_0 - c);
        e.fixed[c] = component(e.control[c], 0, 0);
        e.take[c] = component(e.control[c], UINT32_MAX, 0) ^ e.fixed[c];
        if (e.words && c < f->channels) {
            e.there[c] = e.take[c];
            e.others[c] = e.fixed[c];
        } else if (e.words) {
            e.others[c] = e.fixed[c] | (c == 3 ? one_of(f) & e.take[c] : 0);
        }
    }
    return e;
}

/* The place of the dword that the state names; NULL: none is on. */
static uint32_t (*id_place(const struct gfx *g, struct elements *all,
                           struct fetched *in, enum gfx_field on,
                           enum gfx_field element, enum gfx_field component))[LANES]
{
    uint32_t e = gfx_get(g, element), place;

    if (!gfx_get(g, on) || e >= GFX_ELEMENTS)
        return NULL;
    place = e < all->count ? all->e[e].place : e;
    all->places = place < all->places ? all->places : place + 1;
    return &in->value[place][gfx_get(g, component)];
}

static void find_elements(const struct gfx *g, struct elements *all, struct fetched *in)
{
    uint32_t place = 0;

    all->plain = true;
    for (all->count = 0; all->count < g->c->elements && place < GFX_ELEMENTS;
         all->count++) {
        struct element *e = &all->e[all->count];

        *e = element_of(g, all->count);
        all->plain &= e->valid && e->words && !e->instanced;
        e->place = place;
        place += e->wide > 0 ? store_wide(e, NULL, GFX_ELEMENTS - place, NULL, 0) : 1;
    }
    all->places = place;
    all->vertex_id = id_place(g, all, in, GFX_VERTEX_ID_ON, GFX_VERTEX_ID_ELEMENT,
                              GFX_VERTEX_ID_COMPONENT);
    all->instance_id = id_place(g, all, in, GFX_INSTANCE_ID_ON, GFX_INSTANCE_ID_ELEMENT,
                                GFX_INSTANCE_ID_COMPONENT);
}

/* Which vertices of a call, all of one instance. */
struct call {
    const uint32_t *index;
    uint32_t count, instance, first_instance;
};

static void put_ids(const struct elements *all, const struct call *call, uint32_t lane)
{
    if (all->vertex_id != NULL)
        (*all->vertex_id)[lane] = call->index[lane];
    if (all->instance_id != NULL)
        (*all->instance_id)[lane] = call->instance;
}

static enum igpu_status fetch_one(struct gfx *g, const struct elements *all,
                                  const struct call *call, uint32_t lane,
                                  struct fetched *in)
{
    enum igpu_status status = IGPU_OK;

    for (uint32_t i = 0; i < all->count && status == IGPU_OK; i++) {
        const struct element *e = &all->e[i];
        uint32_t at = call->index[lane] + g->d.first_vertex, rgba[4] = {0},
                 wide[8] = {0};
        uint32_t(*to)[4][LANES] = in->value + e->place;

        if (e->instanced)
            at = call->first_instance + (e->rate ? call->instance / e->rate : 0);
        if (e->valid)
            status = fetch_source(g, e, at, rgba, wide);
        for (uint32_t c = 0; c < 4 && e->wide == 0; c++)
            to[0][c][lane] = component(e->control[c], rgba[c], to[0][c][lane]);
        if (e->wide > 0)
            (void)store_wide(e, wide, GFX_ELEMENTS - e->place, to, lane);
    }
    put_ids(all, call, lane);
    return status;
}

/* Places that are written or looked at: those of the elements, of the shader's payload,
 * of edge flags. */
static uint32_t places_read(const struct gfx *g, const struct elements *all)
{
    uint32_t read =
        2 * (gfx_get(g, GFX_VS_READ_OFFSET) + gfx_get(g, GFX_VS_READ_LENGTH));
    uint32_t places = all->places < g->c->elements ? g->c->elements : all->places;

    places = gfx_get(g, GFX_VS_ON) && places < read ? read : places;
    return places < GFX_ELEMENTS ? places : GFX_ELEMENTS;
}

typedef uint32_t words4 __attribute__((vector_size(16)));

/* Rows become columns, so many words apart. */
static inline void turn(const words4 row[4], uint32_t *to, size_t stride)
{
    const words4 a = __builtin_shufflevector(row[0], row[1], 0, 4, 1, 5),
                 b = __builtin_shufflevector(row[2], row[3], 0, 4, 1, 5),
                 c = __builtin_shufflevector(row[0], row[1], 2, 6, 3, 7),
                 d = __builtin_shufflevector(row[2], row[3], 2, 6, 3, 7);
    const words4 column[4] = {__builtin_shufflevector(a, b, 0, 1, 4, 5),
                              __builtin_shufflevector(a, b, 2, 3, 6, 7),
                              __builtin_shufflevector(c, d, 0, 1, 4, 5),
                              __builtin_shufflevector(c, d, 2, 3, 6, 7)};

    for (uint32_t i = 0; i < 4; i++)
        memcpy(to + i * stride, &column[i], sizeof(column[i]));
}

/* An element of words, of all the call's vertices, into zeros. Returns how many lie
 * outside of the buffer; UINT32_MAX: one lies in no memory. Mostly there are 16 bytes,
 * whatever is in those that are not taken. */
static uint32_t fetch_words(struct gfx *g, const struct element *e,
                            const struct call *call, uint32_t (*to)[LANES])
{
    const struct gfx_vertex_buffer *b = e->buffer;
    const bool alone = g->told.memory.find == NULL; /* nobody hears what is read */
    uint32_t outside = 0;
    words4 lane_of[LANES] = {{0}}, take, others;

    memcpy(&take, e->there, sizeof(take));
    memcpy(&others, e->others, sizeof(others));
    for (uint32_t lane = 0; lane < call->count; lane++) {
        uint64_t offset =
            (uint64_t)b->pitch * (call->index[lane] + g->d.first_vertex) + e->offset;
        words4 rgba = {0};
        const uint8_t *host;

        if (offset + e->bytes > b->bytes) {
            memcpy(&lane_of[lane], e->fixed, sizeof(lane_of[lane]));
            outside++;
            continue;
        }
        host = offset + sizeof(rgba) <= b->bytes && alone
                   ? gfx_host(g, b->va + offset, sizeof(rgba))
                   : NULL;
        if (host != NULL) {
            memcpy(&rgba, host, sizeof(rgba));
        } else {
            host = gfx_host(g, b->va + offset, e->bytes);
            if (host == NULL)
                return UINT32_MAX;
            memcpy(&rgba, host, e->bytes);
        }
        lane_of[lane] = (rgba & take) | others;
    }
    for (uint32_t lane = 0; lane < LANES; lane += 4)
        turn(&lane_of[lane], &to[0][lane], LANES);
    return outside;
}

/* All of plain elements. False: some lie in no memory, and nothing is counted. */
static bool fetch_plain(struct gfx *g, const struct elements *all,
                        const struct call *call, struct fetched *in)
{
    uint64_t outside = 0, bytes = 0;

    for (uint32_t i = 0; i < all->count; i++) {
        const struct element *e = &all->e[i];
        uint32_t n = fetch_words(g, e, call, in->value[e->place]);

        if (n == UINT32_MAX)
            return false;
        outside += n;
        bytes += (uint64_t)e->bytes * (call->count - n);
    }
    g->counters.vf_outside += outside;
    g->counters.vf_elements += (uint64_t)all->count * call->count - outside;
    g->counters.vf_bytes += bytes;
    for (uint32_t lane = 0; lane < call->count; lane++)
        put_ids(all, call, lane);
    return true;
}

static enum igpu_status fetch(struct gfx *g, const struct elements *all,
                              const struct call *call, struct fetched *in)
{
    const size_t bytes = places_read(g, all) * sizeof(in->value[0]);
    enum igpu_status status = IGPU_OK;

    memset(in, 0, bytes);
    if (all->plain && fetch_plain(g, all, call, in))
        return IGPU_OK;
    memset(in, 0, bytes);
    for (uint32_t i = 0; i < call->count && status == IGPU_OK; i++)
        status = fetch_one(g, all, call, i, in);
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
    const struct gfx_urb_entries to = {u->out->slot, sizeof(*u->out),
                                       sizeof(u->out->slot)};

    (void)err;
    if (gfx_is_urb(inst, GFX_URB_WRITE) &&
        !(inst->msg.desc & (GFX_URB_MASKS | GFX_URB_OFFSETS)))
        return gfx_urb_write(u->g, inst, grf, mask & u->lanes, &to);
    return gfx_common_message(u->g, inst, grf, mask, "vertex");
}

/* By 16 bytes, as they were fetched. Returns where they begin. */
static uint32_t put_vertices(const struct gfx *g, const struct fetched *in,
                             uint8_t *grf)
{
    uint32_t first = gfx_get(g, GFX_VS_READ_OFFSET) * 2;
    uint32_t elements = gfx_get(g, GFX_VS_READ_LENGTH) * 2;
    uint32_t at = g->d.payload - elements * 4 * GRF;
    const uint32_t room = first < GFX_ELEMENTS ? GFX_ELEMENTS - first : 0;
    const size_t bytes = (elements < room ? elements : room) * sizeof(in->value[0]);
    const uint8_t *from = (const uint8_t *)in->value[room > 0 ? first : 0];

    for (size_t i = 0; i < bytes; i += sizeof(words4))
        memcpy(grf + at + i, from + i, sizeof(words4));
    return at;
}

static enum igpu_status put_payload(struct gfx *g, const struct fetched *in,
                                    uint8_t *grf)
{
    uint32_t at = gfx_get(g, GFX_VS_FIRST_GRF) * GRF, bytes;
    uint32_t elements = gfx_get(g, GFX_VS_READ_LENGTH) * 2;
    enum igpu_status status = gfx_constants(g, GFX_3DSTATE_CONSTANT_VS, grf + at,
                                            EMU_SHADER_GRF_BYTES - at, &bytes);

    if (status != IGPU_OK)
        return status;
    at += bytes;
    g->d.vs_constant_bytes = bytes;
    if (at + elements * 4 * GRF > EMU_SHADER_GRF_BYTES)
        return gfx_refuse(g, "a vertex shader's payload of too many registers");
    g->d.payload = at + elements * 4 * GRF;
    gfx_put_pointers(g, grf);
    for (uint32_t i = 0; i < LANES; i++) { /* URB handles */
        uint32_t handle = i * HANDLE_STEP;

        memcpy(grf + GRF + i * 4, &handle, 4);
    }
    (void)put_vertices(g, in, grf);
    return IGPU_OK;
}

/* *shader: NULL, or what was found before; then the registers are those of the thread
 * before, but for the vertices, unless it may write to what constants are read from. */
static enum igpu_status shade(struct gfx *g, const struct fetched *in, uint32_t count,
                              struct gfx_vertex *out, struct gfx_shader **shader)
{
    struct urb u = {g, out, (1u << count) - 1};
    struct emu_counts counts = {0};
    struct emu_shader_classes classes = {{0}};
    struct gfx_shader *s = *shader;
    const bool same = s != NULL && !s->reach.beyond;
    struct gfx_registers *image = &g->d.registers[GFX_IMAGE_VERTEX];
    enum igpu_status status;

    if (s == NULL && !gfx_get(g, GFX_VS_SIMD8))
        return gfx_refuse(g, "a vertex shader that is not SIMD8");
    if (s == NULL)
        s = gfx_find_shader(g,
                            g->c->instruction_base + gfx_get_address(g, GFX_VS_KERNEL),
                            8, "vertex shader");
    if (s == NULL)
        return IGPU_SIM_ERROR;
    *shader = s;
    g->d.in_pixels = false;
    status = gfx_bind_buffers(g, s);
    if (same && !g->told.beside) {
        uint8_t *own = emu_shader_place(g->thread.machine, g->d.payload);

        memcpy(own, image->grf, put_vertices(g, in, own));
    } else if (same) {
        (void)put_vertices(g, in, image->grf);
    } else {
        memset(image->grf, 0, image->filled);
        if (status == IGPU_OK)
            status = put_payload(g, in, image->grf);
        image->filled = status == IGPU_OK ? g->d.payload : sizeof(image->grf);
    }
    g->counters.vs_constant_bytes += status == IGPU_OK ? g->d.vs_constant_bytes : 0;
    if (status == IGPU_OK)
        status = gfx_run_thread(
            g, &(struct gfx_run){s, image->grf, u.lanes, vertex_message, &u}, &counts,
            &classes);
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

uint32_t gfx_vertex_slots(struct gfx *g)
{
    const struct gfx_shader *s;
    struct elements all;
    struct fetched in;

    if (!gfx_get(g, GFX_VS_ON)) { /* the driver's: elements are the slots */
        find_elements(g, &all, &in);
        return all.places;
    }
    s = gfx_get(g, GFX_VS_SIMD8)
            ? gfx_find_shader(
                  g, g->c->instruction_base + gfx_get_address(g, GFX_VS_KERNEL), LANES,
                  "vertex shader")
            : NULL;
    return s != NULL ? s->slots : GFX_SLOTS;
}

bool gfx_vertex_reads(struct gfx *g, struct gfx_reads *reads)
{
    const uint64_t kernel = g->c->instruction_base + gfx_get_address(g, GFX_VS_KERNEL);
    const struct gfx_shader *s = gfx_find_shader(g, kernel, LANES, "vertex shader");
    const uint32_t *constants = g->c->state[gfx_kept(GFX_3DSTATE_CONSTANT_VS)];

    if (s == NULL)
        return false;
    gfx_add_read(reads, kernel, s->bytes);
    for (uint32_t i = 0; i < GFX_VERTEX_BUFFERS; i++)
        gfx_add_read(reads, g->c->buffer[i].va, g->c->buffer[i].bytes);
    for (uint32_t i = 0; i < 4; i++)
        gfx_add_read(reads, gfx_part_address(constants, GFX_CONSTANT_ADDRESS_0 + i),
                     32 * gfx_part(constants, GFX_CONSTANT_GRFS_0 + i));
    gfx_add_read(reads, g->d.samplers, 1);
    for (uint32_t i = 0; i < GFX_MAX_BINDINGS; i++) {
        const struct gfx_surface *b;

        if (!(s->reach.reads[i / 64] >> i % 64 & 1))
            continue;
        b = gfx_binding(g, i);
        if (b == NULL)
            return false;
        gfx_add_read(reads, b->va, b->type != GFX_NULL);
        gfx_add_read(reads, b->aux_va, b->samples_log2 > 0);
    }
    return true;
}

enum { AHEAD = 2 * LANES }; /* vertices whose lines are fetched */

/* Into out[left], the first ones. */
static enum igpu_status eight(struct gfx *g, const struct elements *all,
                              const struct call *call, struct fetched *in,
                              struct gfx_vertex *out, uint32_t left,
                              struct gfx_shader **shader)
{
    enum igpu_status status = fetch(g, all, call, in);

    if (status != IGPU_OK)
        return status;
    for (uint32_t i = AHEAD; i < AHEAD + LANES && i < left; i++)
        gfx_fetch_vertex(&out[i], true);
    for (uint32_t i = 0; i < call->count; i++) {
        memset(out[i].slot, 0, g->d.slots * sizeof(out->slot[0]));
        out[i].no_edge = g->d.edge_flags && in->value[g->c->elements - 1][0][i] == 0;
    }
    if (gfx_get(g, GFX_VS_ON))
        return shade(g, in, call->count, out, shader);
    for (uint32_t i = 0; i < call->count; i++)
        for (uint32_t s = 0; s < all->places; s++)
            for (uint32_t c = 0; c < 4; c++)
                memcpy(&out[i].slot[s][c], &in->value[s][c][i], sizeof(float));
    return IGPU_OK;
}

enum igpu_status gfx_vertices(struct gfx *g, const uint32_t *index, uint32_t count,
                              uint32_t instance, uint32_t first_instance,
                              struct gfx_vertex *out)
{
    struct fetched in;
    struct elements all;
    struct gfx_shader *shader = NULL;
    enum igpu_status status = IGPU_OK;

    for (uint32_t i = 0; i < AHEAD && i < count; i++)
        gfx_fetch_vertex(&out[i], true);
    find_elements(g, &all, &in);
    for (uint32_t i = 0; i < count && status == IGPU_OK; i += LANES) {
        const struct call call = {index + i, count - i < LANES ? count - i : LANES,
                                  instance, first_instance};

        status = eight(g, &all, &call, &in, out + i, count - i, &shader);
    }
    return status;
}
