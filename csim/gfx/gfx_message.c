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

enum igpu_status gfx_urb_write(struct gfx *g, const struct isa_inst *inst,
                               const uint8_t *grf, uint32_t mask,
                               const struct gfx_urb_entries *to)
{
    uint8_t payload[GFX_PAYLOAD_BYTES];
    uint32_t desc = inst->msg.desc, grfs = gfx_payload(inst, grf, payload);
    bool offsets = desc & GFX_URB_OFFSETS, masks = desc & GFX_URB_MASKS;
    uint32_t head = 1u + offsets + masks, data = grfs > head ? grfs - head : 0;

    g->counters.urb_writes++;
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
