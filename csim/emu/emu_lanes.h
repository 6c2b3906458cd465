/* emu_lanes.h - operands of a message with an address a lane. */
#ifndef EMU_LANES_H
#define EMU_LANES_H

#include "emu_int.h"

/* Where each lane's data lie: at `row` and from there at every `pitch` bytes when all
 * lanes are on and so lie; else at host. */
struct emu_lane_msg {
    uint64_t addr[EMU_LANES]; /* virtual, or offset in SLM; for hooks alone in a row */
    uint8_t *row, *host[EMU_LANES];
    const uint8_t *offset; /* of each lane, as the payload has it */
    uint8_t *data, *dst;   /* payload behind the addresses; returned data */
    uint32_t mask, simd, bytes, pitch;
    uint32_t base, shift; /* of offsets of 32 bits: where they count from, and units */
    uint32_t outside;     /* lanes of mask that touch `nowhere` instead of memory */
    bool slm, a64;
    /* where a lenient launch puts them; emu_read_tail() */
    uint8_t nowhere[EMU_LANES][64];
};

/* Addresses and host places of the enabled lanes, `bytes` each; false after an error.
 * rows: the caller knows what to do with a row. */
bool emu_locate(struct emu_thread *t, const struct emu_op *op, uint32_t mask,
                uint32_t bytes, bool write, bool rows, struct emu_lane_msg *l);

/* Bytes of a thread's registers in front of register k of the payload: source 0, then
 * source 1. */
uint32_t emu_payload_at(const struct isa_inst *inst, uint32_t k);

/* Offsets of the dword messages count dwords. */
static inline uint32_t emu_offset_shift(const struct isa_message *msg)
{
    return (msg->family == ISA_MSG_SCATTERED_READ ||
            msg->family == ISA_MSG_SCATTERED_WRITE) &&
                   msg->addr_model != ISA_ADDR_A64 && msg->element_bytes == 4
               ? 2
               : 0;
}

/* Are all lanes of the message on? */
static inline bool emu_all_lanes(const struct emu_lane_msg *l)
{
    return l->mask == (1u << l->simd) - 1;
}

#endif
