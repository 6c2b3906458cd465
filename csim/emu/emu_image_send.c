/* emu_image_send.c - messages to images: sampler reads, typed writes and reads, and
 * the images and samplers of a launch.
 * A sampler message has a header (dword 2 [15:12] switches channels of the response
 * off, dword 3 moves the sampler index on by 16s), then one coordinate after the other;
 * sample takes floats, ld integers; trailing ones that are 0 may be left out. A typed
 * message has its coordinates first, then four dwords a lane. Payload is all registers
 * of source 0, then those of source 1. Source: docs/sources.md#images. */
#include <inttypes.h>

#include "emu_int.h"

enum { SAMPLE_LZ = 24, LD_LZ = 26 }; /* message types */
enum { STATE_BYTES = 16 };           /* of a sampler */

/* ---- binding ------------------------------------------------------------ */

static enum igpu_status bind_image(struct emu_machine *m, const struct emu_surface *s,
                                   struct igpu_err *err)
{
    const struct emu_arg *arg = &m->launch->arg[s->arg];
    struct emu_bound *bound = &m->surface[s->bti];
    enum igpu_status status;
    uint64_t bytes;

    if (arg->kind != EMU_ARG_IMAGE || arg->image == NULL)
        return igpu_fail(err, IGPU_USAGE, "kernel %s: argument %u must be an image",
                         m->p->name, s->arg);
    bound->image = *arg->image;
    status = image_layout(&bound->image, &bytes, err);
    if (status != IGPU_OK)
        return status;
    bound->host = emu_mem_host(m->mem, arg->image->va, bytes);
    if (bound->host == NULL)
        return igpu_fail(err, IGPU_USAGE,
                         "kernel %s: the image of argument %u needs %" PRIu64
                         " bytes of mapped memory at 0x%" PRIX64,
                         m->p->name, s->arg, bytes, arg->image->va);
    bound->is_image = true;
    return IGPU_OK;
}

static enum igpu_status bind_sampler(struct emu_machine *m,
                                     const struct emu_kernel_sampler *s,
                                     struct igpu_err *err)
{
    const struct emu_arg *arg = NULL;

    if (s->arg < 0) {
        m->sampler[s->index] = s->fixed;
        return IGPU_OK;
    }
    if ((uint32_t)s->arg < m->launch->arg_count)
        arg = &m->launch->arg[s->arg];
    if (arg == NULL || arg->kind != EMU_ARG_SAMPLER || arg->sampler == NULL ||
        arg->sampler->address >= SAMPLER_ADDRESS_COUNT)
        return igpu_fail(err, IGPU_USAGE, "kernel %s: argument %d must be a sampler",
                         m->p->name, s->arg);
    m->sampler[s->index] = *arg->sampler;
    return IGPU_OK;
}

enum igpu_status emu_bind_images(struct emu_machine *m, struct igpu_err *err)
{
    const struct emu_kernel *k = &m->p->k;
    enum igpu_status status = IGPU_OK;

    for (uint32_t i = 0; i < k->surface_count && status == IGPU_OK; i++) {
        if (!k->surface[i].is_image)
            continue;
        if (k->surface[i].arg >= m->launch->arg_count)
            return igpu_fail(err, IGPU_USAGE, "kernel %s: argument %u is missing",
                             m->p->name, k->surface[i].arg);
        status = bind_image(m, &k->surface[i], err);
    }
    for (uint32_t i = 0; i < k->sampler_count && status == IGPU_OK; i++)
        status = bind_sampler(m, &k->sampler[i], err);
    return status;
}

/* What a kernel asks of an image; 0 for what it has not. */
uint32_t emu_image_query(const struct emu_image *image, uint8_t kind)
{
    bool array = image->kind == IMAGE_1D_ARRAY || image->kind == IMAGE_2D_ARRAY;

    switch (kind) {
    case EMU_PAYLOAD_IMAGE_WIDTH:
        return image->width;
    case EMU_PAYLOAD_IMAGE_HEIGHT:
        return image->height;
    case EMU_PAYLOAD_IMAGE_DEPTH:
        return image->depth;
    case EMU_PAYLOAD_IMAGE_ARRAY_SIZE:
        return array ? image->array_size : 0;
    case EMU_PAYLOAD_IMAGE_TYPE:
        return image->type;
    case EMU_PAYLOAD_IMAGE_ORDER:
        return image->order;
    default:
        return 0; /* samples, levels: none */
    }
}

/* The compiler's own numbers: the mode as in enum sampler_address, 8 for normalised,
 * all ones where a nearest read near the border must be moved. */
uint32_t emu_sampler_query(const struct emu_sampler *s, uint8_t kind)
{
    if (kind == EMU_PAYLOAD_SAMPLER_ADDRESS)
        return s->address;
    if (kind == EMU_PAYLOAD_SAMPLER_NORMALIZED)
        return s->normalized ? 8 : 0;
    return s->address == SAMPLER_CLAMP && !s->linear ? UINT32_MAX : 0;
}

/* ---- payload ------------------------------------------------------------ */

static uint8_t *payload_grf(struct emu_thread *t, const struct emu_op *op, uint32_t k)
{
    const struct isa_inst *inst = op->inst;

    if (k < inst->msg.mlen)
        return t->grf + (inst->src[0].reg + k) * ISA_GRF_BYTES;
    return t->grf + (inst->src[1].reg + k - inst->msg.mlen) * ISA_GRF_BYTES;
}

static uint32_t payload_grfs(const struct isa_message *msg)
{
    return (uint32_t)msg->mlen + msg->ext_mlen;
}

/* Dword of lane i of the parameter that starts at payload register k. */
static uint32_t parameter(struct emu_thread *t, const struct emu_op *op, uint32_t k,
                          uint32_t i)
{
    return ((const emu_ud *)payload_grf(t, op, k + i / 8))[i % 8];
}

static const struct emu_bound *find_image(struct emu_thread *t, const struct emu_op *op)
{
    const struct emu_bound *bound = &t->m->surface[op->inst->msg.bti];

    if (bound->is_image)
        return bound;
    emu_error(t, op, "no image is bound to surface %u", op->inst->msg.bti);
    return NULL;
}

/* Coordinates a message has: dimensions and the layer. */
static uint32_t coordinates(const struct emu_image *image)
{
    bool array = image->kind == IMAGE_1D_ARRAY || image->kind == IMAGE_2D_ARRAY;

    return image_dims(image->kind) + array;
}

/* ---- sampler ------------------------------------------------------------ */

/* Put channel c of lane i in place, `channel` counting those that come back. */
static void respond(struct emu_thread *t, const struct emu_op *op, uint32_t channel,
                    uint32_t i, uint32_t bits)
{
    const struct isa_message *msg = &op->inst->msg;
    uint8_t *dst = t->grf + op->inst->dst.reg * ISA_GRF_BYTES;
    float value;

    if (!(msg->desc >> 30 & 1)) {
        ((emu_ud *)dst)[channel * msg->simd + i] = bits;
        return;
    }
    memcpy(&value, &bits, sizeof(value)); /* 16-bit: one register a channel */
    ((emu_uw *)dst)[channel * 16 + i] = emu_float_to_half(value);
}

/* ld: integer coordinates; outside is the border, layers are clamped. */
static void load_texel(const struct emu_bound *b, const uint32_t at[3],
                       uint32_t rgba[4], uint64_t *texel)
{
    const struct emu_image *image = &b->image;
    const uint32_t size[3] = {image->width, image->height, image->depth};
    uint32_t dims = image_dims(image->kind), place[3] = {0};

    *texel = UINT64_MAX;
    for (uint32_t d = 0; d < dims; d++) {
        if (at[d] >= size[d]) {
            image_border(image->order, image->type, rgba);
            return;
        }
        place[d] = at[d];
    }
    if (coordinates(image) > dims)
        place[dims] = at[dims] < image->array_size ? at[dims]
                      : at[dims] >> 31             ? 0
                                                   : image->array_size - 1;
    image_unpack(image->order, image->type,
                 b->host + image_offset(image, place[0], place[1], place[2]), rgba);
    *texel = image->va + image_tiled_offset(image, place[0], place[1], place[2]);
}

static void read_lane(const struct emu_thread *t, const struct emu_bound *b,
                      uint32_t sampler, bool load, const uint32_t at[3],
                      uint32_t rgba[4], uint64_t *texel)
{
    float c[3];

    if (load) {
        load_texel(b, at, rgba, texel);
        return;
    }
    memcpy(c, at, sizeof(c));
    image_sample(&b->image, b->host, &t->m->sampler[sampler], c, rgba, texel);
}

static bool choose_sampler(struct emu_thread *t, const struct emu_op *op,
                           const emu_ud *header, uint32_t *index)
{
    *index = op->inst->msg.sampler_index;
    if (header != NULL)
        *index += (header[3] & ~31u) / STATE_BYTES;
    if (*index < EMU_MAX_SAMPLERS && t->m->p->has_sampler[*index])
        return true;
    emu_error(t, op, "no sampler %u", *index);
    return false;
}

void emu_send_sampler(struct emu_thread *t, const struct emu_op *op, uint32_t mask)
{
    const struct isa_message *msg = &op->inst->msg;
    const emu_ud *header = msg->header ? (const emu_ud *)payload_grf(t, op, 0) : NULL;
    const struct emu_bound *b = find_image(t, op);
    uint32_t off = header != NULL ? header[2] >> 12 & 0xF : 0, wide = msg->simd / 8u;
    uint32_t first = msg->header, index = 0, count, seen = 0;
    uint64_t texel[EMU_LANES] = {0};
    bool load = msg->sub_type == LD_LZ;

    if (b == NULL || (!load && !choose_sampler(t, op, header, &index)))
        return;
    count = coordinates(&b->image);
    if (first + count * wide > payload_grfs(msg)) /* the rest is 0 */
        count = (payload_grfs(msg) - first) / wide;
    for (uint32_t i = 0; i < msg->simd; i++) {
        uint32_t at[3] = {0}, rgba[4], channel = 0;

        if (!(mask >> i & 1))
            continue;
        for (uint32_t d = 0; d < count; d++)
            at[d] = parameter(t, op, first + d * wide, i);
        read_lane(t, b, index, load, at, rgba, &texel[i]);
        seen |= (uint32_t)(texel[i] != UINT64_MAX) << i;
        for (uint32_t c = 0; c < 4; c++)
            if (!(off >> c & 1) && channel < op->image_channels)
                respond(t, op, channel++, i, rgba[c]);
    }
    emu_report(t, op, seen, EMU_SPACE_GLOBAL, texel);
}

/* ---- typed -------------------------------------------------------------- */

/* Where the lane's texel is, or false when it is outside. */
static bool place_typed(const struct emu_image *image, const uint32_t at[3],
                        uint32_t place[3])
{
    const uint32_t size[3] = {image->width, image->height, image->depth};
    uint32_t dims = image_dims(image->kind);

    for (uint32_t d = 0; d < coordinates(image); d++) {
        place[d] = at[d];
        if (at[d] >= (d < dims ? size[d] : image->array_size))
            return false;
    }
    return true;
}

void emu_send_typed(struct emu_thread *t, const struct emu_op *op, uint32_t mask)
{
    const struct isa_message *msg = &op->inst->msg;
    const struct emu_bound *b = find_image(t, op);
    uint64_t texel[EMU_LANES] = {0};
    uint32_t first = msg->header, seen = 0, data = payload_grfs(msg) - 4, sent;

    if (b == NULL)
        return;
    sent = coordinates(&b->image);
    if (first + sent > data) /* the rest is 0 */
        sent = data - first;
    for (uint32_t i = 0; i < msg->simd; i++) {
        uint32_t at[3] = {0}, place[3] = {0}, rgba[4];

        for (uint32_t d = 0; d < sent; d++)
            at[d] = parameter(t, op, first + d, i);
        if (!(mask >> i & 1) || !place_typed(&b->image, at, place))
            continue;
        for (uint32_t c = 0; c < 4; c++)
            rgba[c] = parameter(t, op, data + c, i);
        image_pack(b->image.order, b->image.type, rgba,
                   b->host + image_offset(&b->image, place[0], place[1], place[2]));
        texel[i] =
            b->image.va + image_tiled_offset(&b->image, place[0], place[1], place[2]);
        seen |= 1u << i;
    }
    emu_report(t, op, seen, EMU_SPACE_GLOBAL, texel);
}

/* ---- choice ------------------------------------------------------------- */

static bool payload_fits(const struct isa_inst *inst)
{
    bool split = inst->nsrc > 1 && inst->src[1].file == ISA_FILE_GRF;

    return inst->src[0].file == ISA_FILE_GRF && !inst->src[0].indirect &&
           inst->src[0].reg + inst->msg.mlen <= ISA_GRF_COUNT &&
           (inst->msg.ext_mlen == 0 ||
            (split && inst->src[1].reg + inst->msg.ext_mlen <= ISA_GRF_COUNT));
}

emu_run_fn *emu_pick_image(struct emu_op *op)
{
    const struct isa_inst *inst = op->inst;
    const struct isa_message *msg = &inst->msg;
    bool typed = msg->family == ISA_MSG_TYPED_WRITE;
    uint32_t half = msg->desc >> 30 & 1, grfs = half ? 1 : msg->simd / 8u;

    if (!typed && msg->family != ISA_MSG_SAMPLER)
        op->reason = "typed reads and atomics, which OpenCL C has not";
    else if (!payload_fits(inst) || (typed && payload_grfs(msg) < 5u + msg->header) ||
             (msg->header && msg->mlen == 0))
        op->reason = "an image message with an odd payload";
    else if (msg->bti >= EMU_MAX_SURFACES)
        op->reason = "a reserved binding table index";
    else if (typed && msg->comp_mask != 0xF)
        op->reason = "a typed write of some channels only";
    else if (!typed && msg->sub_type != SAMPLE_LZ && msg->sub_type != LD_LZ)
        op->reason = "a sampler message other than sample_lz and ld_lz";
    else if (!typed && (inst->dst.file != ISA_FILE_GRF || msg->rlen < grfs ||
                        inst->dst.reg + msg->rlen > ISA_GRF_COUNT))
        op->reason = "a sampler message without room for its data";
    if (op->reason == NULL && !typed)
        op->image_channels = (uint8_t)(msg->rlen / grfs);
    return typed ? emu_send_typed : emu_send_sampler;
}

/* Code without optimisation takes its images from memory and so has their descriptors
 * in a0.0. What such a message is, is known only now: it is executed, but nothing is
 * recorded of it, since a trace describes an instruction's message once. */
void emu_send_indirect(struct emu_thread *t, const struct emu_op *op, uint32_t mask)
{
    struct isa_inst inst = *op->inst;
    struct emu_op now = *op;
    emu_run_fn *run;

    inst.msg.desc = (uint32_t)t->addr[0] | (uint32_t)t->addr[1] << 16;
    inst.msg.desc_reg = false;
    isa_message_decode(&inst.msg);
    now.inst = &inst;
    now.reason = NULL;
    if (inst.msg.family != ISA_MSG_SAMPLER && inst.msg.family != ISA_MSG_TYPED_WRITE) {
        emu_error(t, op, "the descriptor 0x%X in a0.0 is not that of an image message",
                  inst.msg.desc);
        return;
    }
    run = emu_pick_image(&now);
    if (now.reason != NULL)
        emu_error(t, op, "%s (descriptor 0x%X in a0.0)", now.reason, inst.msg.desc);
    else
        run(t, &now, mask);
}
