/* gfx_message.c - see gfx_message.h. */
#include "gfx_message.h"
#include "gfx_texture.h"

enum { GRF = 32, OWORD = 16, LANES = 8 };

enum igpu_status gfx_common_message(struct gfx *g, const struct isa_inst *inst,
                                    uint8_t *grf, uint32_t mask, const char *stage)
{
    if (inst->msg.family == ISA_MSG_SAMPLER_FLUSH) /* nothing is kept */
        return IGPU_OK;
    if (inst->msg.sfid == ISA_SFID_SAMPLER)
        return gfx_sample(g, inst, grf, mask);
    if (gfx_is_image_message(inst) && inst->msg.sub_type == ISA_TYPED_MEDIA)
        return gfx_media_message(g, inst, grf);
    if (gfx_is_image_message(inst))
        return gfx_image_message(g, inst, grf, mask);
    return gfx_refuse(g, "a %s shader's message 0x%08x to %s", stage, inst->msg.desc,
                      isa_sfid_name(inst->msg.sfid));
}

static uint32_t word_of(const uint8_t *payload, uint32_t reg, uint32_t lane)
{
    uint32_t word;

    memcpy(&word, payload + reg * GRF + 4 * lane, sizeof(word));
    return word;
}

/* Byte of the lane's entry that the message is about. */
static uint64_t lane_place(uint32_t desc, const uint8_t *payload, uint32_t lane)
{
    uint32_t offset = desc & GFX_URB_OFFSETS ? word_of(payload, 1, lane) : 0;

    return ((uint64_t)gfx_part_of(desc, GFX_URB_OFFSET) + offset) * OWORD;
}

typedef uint32_t slot4 __attribute__((vector_size(OWORD)));

/* Data as most messages have them: slots of 16 bytes, whole ones, in registers side by
 * side, to one place of each entry. False: nothing has happened. */
static bool write_slots(struct gfx *g, const struct isa_inst *inst, const uint8_t *grf,
                        uint32_t mask, const struct gfx_urb_entries *to)
{
    const uint32_t part[2] = {inst->msg.mlen - 1u, inst->msg.ext_mlen};
    const uint32_t reg[2] = {inst->src[0].reg + 1u, inst->src[1].reg};
    uint64_t at = (uint64_t)gfx_part_of(inst->msg.desc, GFX_URB_OFFSET) * OWORD;

    if ((inst->msg.desc & (GFX_URB_MASKS | GFX_URB_OFFSETS)) != 0 ||
        inst->msg.mlen == 0 || part[0] % 4 != 0 || part[1] % 4 != 0 ||
        inst->msg.mlen > 15 || part[1] > 15 || reg[0] + part[0] > ISA_GRF_COUNT ||
        (part[1] > 0 && reg[1] + part[1] > ISA_GRF_COUNT) ||
        at + 4 * (uint64_t)(part[0] + part[1]) > to->bytes)
        return false;
    for (uint32_t k = 0; k < 2; k++)
        for (uint32_t i = 0; i < part[k]; i += 4, at += OWORD)
            for (uint32_t lane = 0; lane < LANES; lane++) {
                const uint8_t *from = grf + (reg[k] + i) * GRF;
                const slot4 slot = {word_of(from, 0, lane), word_of(from, 1, lane),
                                    word_of(from, 2, lane), word_of(from, 3, lane)};

                if (mask >> lane & 1)
                    memcpy((uint8_t *)to->first + lane * to->stride + at, &slot,
                           sizeof(slot));
            }
    g->counters.urb_bytes +=
        4 * (part[0] + part[1]) * igpu_count_bits(mask & UINT8_MAX);
    return true;
}

enum igpu_status gfx_urb_write(struct gfx *g, const struct isa_inst *inst,
                               const uint8_t *grf, uint32_t mask,
                               const struct gfx_urb_entries *to)
{
    uint8_t payload[GFX_PAYLOAD_BYTES];
    uint32_t desc = inst->msg.desc, grfs, head, data;
    bool offsets = desc & GFX_URB_OFFSETS, masks = desc & GFX_URB_MASKS;

    g->counters.urb_writes++;
    if (write_slots(g, inst, grf, mask, to))
        return IGPU_OK;
    grfs = gfx_payload(inst, grf, payload);
    head = 1u + offsets + masks;
    data = grfs > head ? grfs - head : 0;
    for (uint32_t lane = 0; lane < LANES; lane++) {
        uint64_t at = lane_place(desc, payload, lane);
        uint32_t wanted = masks ? word_of(payload, head - 1, lane) >> 16 & 255 : ~0u;
        uint8_t *entry;

        if (!(mask >> lane & 1))
            continue;
        entry = (uint8_t *)to->first + lane * to->stride;
        if (!masks && at + 4 * (uint64_t)data <= to->bytes) {
            for (uint32_t i = 0; i < data; i++)
                memcpy(entry + at + 4 * i, payload + (head + i) * GRF + 4 * lane, 4);
            g->counters.urb_bytes += 4 * data;
            continue;
        }
        for (uint32_t i = 0; i < data; i++) {
            if (!(wanted >> (i & 31) & 1))
                continue;
            if (at + 4 * i + 4 > to->bytes)
                return gfx_refuse(g, "a URB write behind an entry of %zu bytes",
                                  to->bytes);
            memcpy(entry + at + 4 * i, payload + (head + i) * GRF + 4 * lane, 4);
            g->counters.urb_bytes += 4;
        }
    }
    return IGPU_OK;
}

enum igpu_status gfx_urb_read(struct gfx *g, const struct isa_inst *inst, uint8_t *grf,
                              uint32_t mask, gfx_urb_find *find, const void *ctx)
{
    uint8_t payload[GFX_PAYLOAD_BYTES];
    uint32_t reg = inst->dst.reg, n = inst->msg.rlen;

    if (reg + n > ISA_GRF_COUNT)
        return gfx_refuse(g, "a URB read into register %u", reg);
    gfx_payload(inst, grf, payload);
    for (uint32_t lane = 0; lane < LANES; lane++) {
        uint64_t at = lane_place(inst->msg.desc, payload, lane);
        uint32_t handle = word_of(payload, 0, lane);
        const uint8_t *entry;
        size_t bytes = 0;

        if (!(mask >> lane & 1))
            continue;
        entry = find(ctx, handle, &bytes);
        if (entry == NULL)
            return gfx_refuse(g, "a URB read of handle %u", handle);
        for (uint32_t i = 0; i < n; i++) {
            uint8_t *to = grf + (reg + i) * GRF + 4 * lane;

            memset(to, 0, 4);
            if (at + 4 * i + 4 <= bytes)
                memcpy(to, entry + at + 4 * i, 4);
        }
    }
    return IGPU_OK;
}
