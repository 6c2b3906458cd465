/* gfx_message.h - messages that shaders of several stages send.
 * Tests: tests/bridge/test_gfx.sh, and those of docs/contract/frames.md. */
#ifndef GFX_MESSAGE_H
#define GFX_MESSAGE_H
#include "gfx_int.h"

/* What shaders of every stage may send: to the sampler, to images. Anything else is
 * refused, as a message of that stage's shader. */
enum igpu_status gfx_common_message(struct gfx *g, const struct isa_inst *inst,
                                    uint8_t *grf, uint32_t mask, const char *stage);

/* SIMD8 messages to the URB: handles, offsets a lane in 16 bytes and masks of dwords if
 * the descriptor says so, then data, eight lanes a register. */
enum gfx_urb_op { GFX_URB_WRITE = 7, GFX_URB_READ = 8 };
enum { GFX_URB_MASKS = 1 << 15, GFX_URB_OFFSETS = 1 << 17 };
static inline bool gfx_is_urb(const struct isa_inst *inst, enum gfx_urb_op op)
{
    return inst->msg.sfid == ISA_SFID_URB &&
           gfx_part_of(inst->msg.desc, GFX_URB_OPERATION) == (uint32_t)op;
}

/* Where the lanes of a write write, whatever their handles: lane i to `first` and
 * i * stride, of which `bytes` are its entry. */
struct gfx_urb_entries {
    void *first;
    size_t stride, bytes;
};
enum igpu_status gfx_urb_write(struct gfx *g, const struct isa_inst *inst,
                               const uint8_t *grf, uint32_t mask,
                               const struct gfx_urb_entries *to);

/* The entry of a handle and its bytes, behind which zeros are read; NULL: there is
 * none, which is a refusal. */
typedef const void *gfx_urb_find(const void *ctx, uint32_t handle, size_t *bytes);
enum igpu_status gfx_urb_read(struct gfx *g, const struct isa_inst *inst, uint8_t *grf,
                              uint32_t mask, gfx_urb_find *find, const void *ctx);
#endif
