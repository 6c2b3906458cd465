/* gfx_image.c - images through the data port: texels read, written and changed by typed
 * messages. Payload: coordinates (then the array's index), then data, eight lanes a
 * register; trailing coordinates that are 0 may be left out. */
#include "gfx_texture.h"

enum { GRF = 32, LANES = 8, COORDINATES = 3 };

struct access {
    const struct gfx_surface *s;
    const struct isa_inst *inst;
    uint32_t at[COORDINATES][LANES], data[4][LANES];
    uint8_t *host[LANES]; /* NULL: outside, or a lane that is off */
    uint64_t va[LANES];
};

/* Registers of data behind the coordinates. */
static uint32_t data_grfs(const struct isa_message *m)
{
    if (m->family == ISA_MSG_TYPED_ATOMIC)
        return emu_shader_atomic_operands(m->atomic_op);
    return m->family == ISA_MSG_TYPED_WRITE ? m->elements : 0;
}

static enum igpu_status take_apart(struct gfx *g, const uint8_t *grf, struct access *a)
{
    const struct isa_message *m = &a->inst->msg;
    uint8_t payload[GFX_PAYLOAD_BYTES];
    uint32_t count = gfx_payload(a->inst, grf, payload), data = data_grfs(m);
    uint32_t first = m->header, c = 0;

    if (count < first + 1 + data || m->slot_bytes != 4)
        return gfx_refuse(g, "a message 0x%08x to an image", m->desc);
    for (uint32_t k = 0; k < COORDINATES && first + k < count - data; k++)
        memcpy(a->at[k], payload + (first + k) * GRF, GRF);
    for (uint32_t k = 0; k < data; k++) {
        while (m->family == ISA_MSG_TYPED_WRITE && c < 3 && !(m->comp_mask >> c & 1))
            c++;
        memcpy(a->data[c++ & 3], payload + (count - data + k) * GRF, GRF);
    }
    return IGPU_OK;
}

/* False: outside of the image. */
static bool offset_of(const struct gfx_surface *s, const uint32_t at[COORDINATES],
                      uint64_t *offset)
{
    uint32_t level = s->min_lod + s->level, layer = 0, y = at[1];
    uint32_t layers = s->type == GFX_3D ? gfx_minify(s->depth, level) : s->depth;

    if (s->type == GFX_BUFFER) {
        *offset = (uint64_t)at[0] * s->pitch;
        return at[0] < s->width;
    }
    if (s->type == GFX_1D) {
        layer = s->array ? at[1] : 0;
        y = 0;
    } else if (s->array || s->type == GFX_3D || s->type == GFX_CUBE) {
        layer = at[2];
        layers *= s->type == GFX_CUBE ? 6 : 1;
    }
    if (at[0] >= gfx_minify(s->width, level) || y >= gfx_minify(s->height, level) ||
        layer >= layers)
        return false;
    *offset = gfx_texel_offset(s, at[0], y, level, s->first_layer + layer);
    return true;
}

static enum igpu_status locate(struct gfx *g, uint32_t mask, struct access *a)
{
    for (uint32_t i = 0; i < LANES; i++) {
        const uint32_t at[COORDINATES] = {a->at[0][i], a->at[1][i], a->at[2][i]};
        uint64_t offset;

        if (!(mask >> i & 1) || !offset_of(a->s, at, &offset))
            continue;
        a->va[i] = a->s->va + offset;
        a->host[i] = emu_mem_host(g->mem, a->va[i], a->s->format->bytes);
        if (a->host[i] == NULL)
            return gfx_refuse(g, "a texel lies outside the batch's buffers");
        if (a->inst->msg.family != ISA_MSG_TYPED_READ)
            gfx_tell_write(g, a->va[i], a->s->format->bytes, a->host[i]);
    }
    return IGPU_OK;
}

static void lane_put(const struct isa_inst *inst, uint8_t *grf, uint32_t reg,
                     uint32_t lane, uint32_t value)
{
    if (inst->dst.file == ISA_FILE_GRF && reg < inst->msg.rlen &&
        inst->dst.reg + reg < ISA_GRF_COUNT)
        memcpy(grf + (inst->dst.reg + reg) * GRF + lane * 4, &value, sizeof(value));
}

static void read(const struct access *a, uint8_t *grf, uint32_t mask)
{
    for (uint32_t i = 0; i < LANES; i++) {
        uint32_t rgba[4] = {0}, reg = 0;

        if (!(mask >> i & 1))
            continue;
        if (a->host[i] != NULL)
            tex_unpack(a->s->format, a->host[i], rgba);
        for (uint32_t c = 0; c < 4; c++)
            if (a->inst->msg.comp_mask >> c & 1)
                lane_put(a->inst, grf, reg++, i, rgba[c]);
    }
}

static void write(const struct access *a)
{
    for (uint32_t i = 0; i < LANES; i++) {
        const uint32_t rgba[4] = {a->data[0][i], a->data[1][i], a->data[2][i],
                                  a->data[3][i]};

        if (a->host[i] != NULL)
            tex_pack(a->s->format, rgba, a->host[i]);
    }
}

/* One lane after the other: some may name the same texel. */
static void change(const struct access *a, uint8_t *grf, uint32_t mask)
{
    for (uint32_t i = 0; i < LANES; i++) {
        uint32_t old = 0, now;

        if (!(mask >> i & 1))
            continue;
        if (a->host[i] != NULL) {
            memcpy(&old, a->host[i], sizeof(old));
            now = emu_shader_atomic(a->inst->msg.atomic_op, old, a->data[0][i],
                                    a->data[1][i]);
            memcpy(a->host[i], &now, sizeof(now));
            if (a->inst->msg.atomic_op == ISA_ATOMIC_PREDEC)
                old = now;
        }
        lane_put(a->inst, grf, 0, i, old);
    }
}

static void image_tell(struct gfx *g, const struct access *a)
{
    struct emu_access access = {.space = EMU_SPACE_GLOBAL, .addr = a->va};

    if (g->told.threads.access == NULL)
        return;
    access.inst = emu_shader_sent(g->thread.machine);
    for (uint32_t i = 0; i < LANES; i++)
        access.mask |= (uint32_t)(a->host[i] != NULL) << i;
    g->told.threads.access(g->told.threads.ctx, emu_shader_sender(g->thread.machine),
                           &access);
}

bool gfx_is_image_message(const struct isa_inst *inst)
{
    return inst->msg.family == ISA_MSG_TYPED_READ ||
           inst->msg.family == ISA_MSG_TYPED_WRITE ||
           inst->msg.family == ISA_MSG_TYPED_ATOMIC;
}

enum igpu_status gfx_image_message(struct gfx *g, const struct isa_inst *inst,
                                   uint8_t *grf, uint32_t mask)
{
    struct access a = {.s = gfx_surface_of(g, &inst->msg), .inst = inst};
    enum igpu_status status;

    if (a.s == NULL)
        return IGPU_SIM_ERROR;
    mask &= (1u << LANES) - 1;
    if (a.s->type != GFX_NULL && (a.s->format == NULL || a.s->format->block))
        return gfx_refuse(g, "an image of this format");
    if (inst->msg.family == ISA_MSG_TYPED_ATOMIC && a.s->type != GFX_NULL &&
        a.s->format->bytes != 4)
        return gfx_refuse(g, "atomics on an image of %u bytes a texel",
                          a.s->format->bytes);
    status = take_apart(g, grf, &a);
    if (status == IGPU_OK && a.s->type != GFX_NULL)
        status = locate(g, mask, &a);
    if (status != IGPU_OK)
        return status;
    if (inst->msg.family == ISA_MSG_TYPED_READ)
        read(&a, grf, mask);
    else if (inst->msg.family == ISA_MSG_TYPED_WRITE)
        write(&a);
    else
        change(&a, grf, mask);
    image_tell(g, &a);
    return IGPU_OK;
}
