/* emu_image_send.c - messages to images: sampler reads, typed writes and reads, and
 * the images and samplers of a launch.
 * A sampler message has a header (dword 2 [15:12] switches channels of the response
 * off, dword 3 moves the sampler index on by 16s), then one coordinate after the other;
 * sample takes floats, ld integers; trailing ones that are 0 may be left out. A typed
 * message has its coordinates first, then four dwords a lane. Payload is all registers
 * of source 0, then those of source 1. Source: docs/develop/sources.md#images. */
#include <inttypes.h>

#include "emu_int.h"

enum { SAMPLE_LZ = 24, LD_LZ = 26 }; /* message types */
enum { STATE_BYTES = 16 };           /* of a sampler */

/* ---- binding ------------------------------------------------------------ */

static enum igpu_status bind_image(struct emu_machine *m, const struct emu_surface *s,
                                   struct igpu_err *err)
{
    const struct emu_arg *arg = &m->launch->arg[s->arg];
    struct texel_view *view = &m->surface[s->bti].view;
    enum igpu_status status;
    uint64_t bytes;

    if (arg->kind != EMU_ARG_IMAGE || arg->image == NULL)
        return igpu_fail(err, IGPU_USAGE, "kernel %s: argument %u must be an image",
                         m->p->name, s->arg);
    view->image = *arg->image;
    status = image_layout(&view->image, &bytes, err);
    if (status != IGPU_OK)
        return status;
    (void)texel_format(view->image.order, view->image.type, &view->format);
    view->host = emu_mem_host(m->mem, arg->image->va, bytes);
    if (view->host == NULL)
        return igpu_fail(err, IGPU_USAGE,
                         "kernel %s: the image of argument %u needs %" PRIu64
                         " bytes of mapped memory at 0x%" PRIX64,
                         m->p->name, s->arg, bytes, arg->image->va);
    m->surface[s->bti].is_image = true;
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

/* The parameter that starts at payload register k, of 8 lanes a register. */
static void parameter(struct emu_thread *t, const struct emu_op *op, uint32_t k,
                      uint32_t grfs, void *lanes)
{
    for (uint32_t r = 0; r < grfs; r++)
        memcpy((uint8_t *)lanes + (size_t)r * ISA_GRF_BYTES, payload_grf(t, op, k + r),
               ISA_GRF_BYTES);
}

static const struct texel_view *find_image(struct emu_thread *t,
                                           const struct emu_op *op)
{
    const struct emu_bound *bound = &t->m->surface[op->inst->msg.bti];

    if (bound->is_image)
        return &bound->view;
    emu_error(t, op, "no image is bound to surface %u", op->inst->msg.bti);
    return NULL;
}

/* Where to put the addresses that a trace records; NULL: nothing listens. */
static uint64_t *wanted(const struct emu_thread *t, uint64_t *recorded)
{
    return emu_reports(t) ? recorded : NULL;
}

/* Coordinates a message has: dimensions and the layer. */
static uint32_t coordinates(const struct emu_image *image)
{
    bool array = image->kind == IMAGE_1D_ARRAY || image->kind == IMAGE_2D_ARRAY;

    return image_dims(image->kind) + array;
}

/* ---- sampler ------------------------------------------------------------ */

/* Put a channel's lanes in place, `channel` counting those that come back. */
static void respond(struct emu_thread *t, const struct emu_op *op, uint32_t channel,
                    uint32_t mask, const uint32_t *bits)
{
    const struct isa_message *msg = &op->inst->msg;
    uint8_t *dst = t->grf + op->inst->dst.reg * ISA_GRF_BYTES;
    bool half = msg->desc >> 30 & 1; /* 16-bit: one register a channel */

    if (!half && mask == (1u << msg->simd) - 1) {
        memcpy(dst + (size_t)channel * msg->simd * 4, bits, msg->simd * 4u);
        return;
    }
    for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(rest);
        float value;

        memcpy(&value, &bits[i], sizeof(value));
        if (half)
            ((emu_uw *)dst)[channel * 16 + i] = igpu_float_to_half(value);
        else
            ((emu_ud *)dst)[channel * msg->simd + i] = bits[i];
    }
}

/* ld: integer coordinates; outside is the border, layers are clamped. */
static uint32_t load_texels(const struct texel_view *v, uint32_t at[3][TEXEL_LANES],
                            uint32_t mask, uint32_t rgba[4][TEXEL_LANES],
                            uint64_t *recorded)
{
    const struct emu_image *image = &v->image;
    const uint32_t size[3] = {image->width, image->height, image->depth};
    uint32_t dims = image_dims(image->kind);
    int32_t place[3][TEXEL_LANES] = {{0}};

    for (uint32_t d = 0; d < dims; d++)
        for (uint32_t i = 0; i < TEXEL_LANES; i++)
            place[d][i] = at[d][i] < size[d] ? (int32_t)at[d][i] : -1;
    for (uint32_t i = 0; i < TEXEL_LANES && coordinates(image) > dims; i++) {
        int32_t layer = (int32_t)at[dims][i], last = (int32_t)image->array_size - 1;

        place[dims][i] = layer < 0 ? 0 : layer > last ? last : layer;
    }
    return texel_note_samples(v, false, texel_read(v, place, mask, rgba, recorded),
                              recorded);
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
    const struct texel_view *v = find_image(t, op);
    uint32_t off = header != NULL ? header[2] >> 12 & 0xF : 0, wide = msg->simd / 8u;
    uint32_t first = msg->header, index = 0, count, seen, channel = 0;
    uint32_t at[3][TEXEL_LANES] = {{0}}, rgba[4][TEXEL_LANES];
    uint64_t texel[EMU_LANES];
    bool load = msg->sub_type == LD_LZ;

    if (v == NULL || (!load && !choose_sampler(t, op, header, &index)))
        return;
    mask &= (1u << msg->simd) - 1;
    count = coordinates(&v->image);
    if (first + count * wide > payload_grfs(msg)) /* the rest is 0 */
        count = (payload_grfs(msg) - first) / wide;
    for (uint32_t d = 0; d < count; d++)
        parameter(t, op, first + d * wide, wide, at[d]);
    if (load) {
        seen = load_texels(v, at, mask, rgba, wanted(t, texel));
    } else {
        float coordinate[3][TEXEL_LANES];

        memcpy(coordinate, at, sizeof(coordinate));
        seen = texel_sample(v, &t->m->sampler[index], coordinate, mask, rgba,
                            wanted(t, texel));
    }
    for (uint32_t c = 0; c < 4; c++)
        if (!(off >> c & 1) && channel < op->image_channels)
            respond(t, op, channel++, mask, rgba[c]);
    emu_report(t, op, seen, EMU_SPACE_GLOBAL, texel, NULL);
}

/* ---- typed -------------------------------------------------------------- */

/* The lanes of mask whose texels are inside, and where those are. */
static uint32_t place_typed(const struct emu_image *image, uint32_t at[3][TEXEL_LANES],
                            uint32_t mask, int32_t place[3][TEXEL_LANES])
{
    const uint32_t size[3] = {image->width, image->height, image->depth};
    uint32_t dims = image_dims(image->kind);

    for (uint32_t d = 0; d < coordinates(image); d++) {
        uint32_t limit = d < dims ? size[d] : image->array_size;

        for (uint32_t i = 0; i < TEXEL_LANES; i++)
            mask &= ~((uint32_t)(at[d][i] >= limit) << i);
        memcpy(place[d], at[d], sizeof(place[d]));
    }
    return mask;
}

void emu_send_typed(struct emu_thread *t, const struct emu_op *op, uint32_t mask)
{
    const struct isa_message *msg = &op->inst->msg;
    const struct texel_view *v = find_image(t, op);
    uint32_t first = msg->header, data = payload_grfs(msg) - 4, sent;
    uint32_t at[3][TEXEL_LANES] = {{0}}, rgba[4][TEXEL_LANES] = {{0}};
    int32_t place[3][TEXEL_LANES] = {{0}};
    uint64_t texel[EMU_LANES];
    uint8_t *host[TEXEL_LANES];

    if (v == NULL)
        return;
    sent = coordinates(&v->image);
    if (first + sent > data) /* the rest is 0 */
        sent = data - first;
    for (uint32_t d = 0; d < sent; d++)
        parameter(t, op, first + d, 1, at[d]);
    for (uint32_t c = 0; c < 4; c++)
        parameter(t, op, data + c, 1, rgba[c]);
    mask = place_typed(&v->image, at, mask & ((1u << msg->simd) - 1), place);
    texel_locate(v, place, mask, host, wanted(t, texel));
    texel_pack(&v->format, mask, rgba, host);
    emu_report(t, op, mask, EMU_SPACE_GLOBAL, texel, NULL);
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
