/* isa_message.c - Gen9 send descriptors to struct isa_message.
 * Source: docs/develop/sources.md#gen9-messages (IGA's message decoder, tables for HDC,
 * sampler, gateway; bit numbers below are those of the 32-bit descriptor). */
#include "igpu/isa.h"

#include <string.h>

enum { BTI_STATELESS_NONCOHERENT = 253, BTI_SLM = 254, BTI_STATELESS = 255 };

/* Reasons for UNSUPPORTED, kept in sub_type. */
enum note {
    NOTE_NONE,
    NOTE_REGISTER,
    NOTE_SFID,
    NOTE_TYPE,
    NOTE_SIMD4X2,
    NOTE_MODE,
    NOTE_LENGTH,
    NOTE_COUNT
};

static uint32_t bits(uint32_t word, uint32_t hi, uint32_t lo)
{
    return (word >> lo) & ((1u << (hi - lo + 1)) - 1);
}

static void unsupported(struct isa_message *msg, enum note note)
{
    msg->family = ISA_MSG_UNSUPPORTED;
    msg->sub_type = (uint8_t)note;
    msg->is_read = false;
    msg->is_write = false;
}

static void set_family(struct isa_message *msg, enum isa_family family, bool is_write)
{
    msg->family = (uint8_t)family;
    msg->is_read = !is_write;
    msg->is_write = is_write;
}

/* Address space of messages with 32-bit offsets. */
static void set_bti_model(struct isa_message *msg)
{
    msg->bti = (uint8_t)bits(msg->desc, 7, 0);
    if (msg->bti == BTI_SLM)
        msg->addr_model = ISA_ADDR_SLM;
    else if (msg->bti == BTI_STATELESS || msg->bti == BTI_STATELESS_NONCOHERENT)
        msg->addr_model = ISA_ADDR_STATELESS;
    else
        msg->addr_model = ISA_ADDR_BTI;
}

static void set_a64_model(struct isa_message *msg)
{
    msg->bti = (uint8_t)bits(msg->desc, 7, 0);
    msg->addr_model = ISA_ADDR_A64;
}

static void set_element(struct isa_message *msg, uint32_t elements, uint32_t bytes)
{
    msg->elements = (uint8_t)elements;
    msg->element_bytes = (uint8_t)bytes;
    msg->slot_bytes = bytes == 8 ? 8 : 4;
}

static void decode_untyped(struct isa_message *msg, bool is_write)
{
    uint32_t mode = bits(msg->desc, 13, 12), mask = ~bits(msg->desc, 11, 8) & 0xF;

    set_family(msg, is_write ? ISA_MSG_UNTYPED_WRITE : ISA_MSG_UNTYPED_READ, is_write);
    msg->comp_mask = (uint8_t)mask;
    set_element(msg, (mask & 1) + (mask >> 1 & 1) + (mask >> 2 & 1) + (mask >> 3), 4);
    msg->simd = mode == 1 ? 16 : 8;
    if (mode == 0)
        unsupported(msg, NOTE_SIMD4X2);
    else if (mode == 3 || mask == 0)
        unsupported(msg, NOTE_MODE);
}

static void decode_atomic(struct isa_message *msg, uint32_t simd, uint32_t bytes)
{
    msg->family = ISA_MSG_UNTYPED_ATOMIC;
    msg->is_read = msg->is_write = true;
    msg->atomic_op = (uint8_t)bits(msg->desc, 11, 8);
    msg->simd = (uint8_t)simd;
    msg->comp_mask = 1; /* cmpxchg64 compares two elements of `bytes` at a time */
    set_element(msg, msg->atomic_op == ISA_ATOMIC_CMPXCHG64 ? 2 : 1, bytes);
}

/* float min, max, compare-and-write; other codes are reserved on Gen9. */
static void decode_float_atomic(struct isa_message *msg, uint32_t simd)
{
    uint32_t op = bits(msg->desc, 10, 8);

    decode_atomic(msg, simd, 4);
    msg->family = ISA_MSG_FLOAT_ATOMIC;
    msg->atomic_op = (uint8_t)(16 + op);
    if (op < 1 || op > 3)
        unsupported(msg, NOTE_MODE);
}

/* Bytes of an oword block by its code; 0 for reserved codes. */
static uint32_t oword_block_bytes(uint32_t code)
{
    static const uint8_t bytes[8] = {16, 16, 32, 64, 128, 0, 0, 0};

    return bytes[code];
}

static void decode_oword_block(struct isa_message *msg, bool is_write, uint32_t unit)
{
    uint32_t code = bits(msg->desc, 10, 8);

    set_family(msg, is_write ? ISA_MSG_BLOCK_WRITE : ISA_MSG_BLOCK_READ, is_write);
    msg->simd = 1;
    msg->high_half = code == 1;
    msg->block_bytes = (uint16_t)oword_block_bytes(code);
    msg->block_unit = (uint16_t)unit;
    if (msg->block_bytes == 0)
        unsupported(msg, NOTE_MODE);
}

static void decode_scattered(struct isa_message *msg, bool is_write, uint32_t simd,
                             uint32_t elements, uint32_t bytes)
{
    set_family(msg, is_write ? ISA_MSG_SCATTERED_WRITE : ISA_MSG_SCATTERED_READ,
               is_write);
    msg->simd = (uint8_t)simd;
    set_element(msg, elements, bytes);
}

static void decode_scratch(struct isa_message *msg)
{
    bool is_write = bits(msg->desc, 17, 17) != 0;

    set_family(msg, is_write ? ISA_MSG_SCRATCH_WRITE : ISA_MSG_SCRATCH_READ, is_write);
    msg->addr_model = ISA_ADDR_SCRATCH;
    msg->simd = 1;
    msg->block_bytes = (uint16_t)(ISA_GRF_BYTES << bits(msg->desc, 13, 12));
    msg->block_unit = 1;
    msg->scratch_offset = bits(msg->desc, 11, 0) * ISA_GRF_BYTES;
}

static void decode_fence(struct isa_message *msg)
{
    set_bti_model(msg);
    msg->family = ISA_MSG_FENCE;
    msg->simd = 1;
    msg->commit = bits(msg->desc, 13, 13) != 0;
    msg->sub_type = (uint8_t)bits(msg->desc, 12, 8);
}

/* Dword and qword scattered: one element a lane. */
static void decode_dc0_wide(struct isa_message *msg, bool is_write, uint32_t bytes)
{
    decode_scattered(msg, is_write, bits(msg->desc, 8, 8) ? 16 : 8, 1, bytes);
    if (bits(msg->desc, 11, 10) != 0)
        unsupported(msg, NOTE_MODE);
}

static void decode_dc0(struct isa_message *msg)
{
    uint32_t type = bits(msg->desc, 17, 14), code = bits(msg->desc, 11, 10);
    uint32_t simd = bits(msg->desc, 8, 8) ? 16 : 8;

    if (bits(msg->desc, 18, 18)) {
        decode_scratch(msg);
        return;
    }
    set_bti_model(msg);
    switch (type) {
    case 0x0:
        decode_oword_block(msg, false, 16);
        break;
    case 0x1: /* unaligned: the header counts bytes */
        decode_oword_block(msg, false, 1);
        break;
    case 0x8:
        decode_oword_block(msg, true, 16);
        break;
    case 0x3:
    case 0xB:
        decode_dc0_wide(msg, type == 0xB, 4);
        break;
    case 0x4:
    case 0xC:
        decode_scattered(msg, type == 0xC, simd, 1u << code, 1);
        if (code == 3)
            unsupported(msg, NOTE_MODE);
        break;
    case 0x5:
    case 0xD:
        decode_dc0_wide(msg, type == 0xD, 8);
        break;
    case 0x7:
        decode_fence(msg);
        break;
    default:
        unsupported(msg, NOTE_TYPE);
        break;
    }
}

static void decode_a64_scattered(struct isa_message *msg, bool is_write)
{
    static const uint8_t bytes[4] = {1, 4, 8, 0};
    uint32_t size = bytes[bits(msg->desc, 9, 8)];
    uint32_t elements = 1u << bits(msg->desc, 11, 10);

    set_a64_model(msg);
    decode_scattered(msg, is_write, bits(msg->desc, 12, 12) ? 16 : 8, elements, size);
    if (size == 0 || (size == 1 && elements == 8))
        unsupported(msg, NOTE_MODE);
}

static void decode_a64_block(struct isa_message *msg, bool is_write)
{
    uint32_t sub = bits(msg->desc, 12, 11), code = bits(msg->desc, 10, 8);

    set_a64_model(msg);
    decode_oword_block(msg, is_write, 1);
    if (sub == 3 && code >= 1 && code <= 4) { /* hwords: 1, 2, 4, 8 of 32 bytes */
        set_family(msg, is_write ? ISA_MSG_BLOCK_WRITE : ISA_MSG_BLOCK_READ, is_write);
        msg->high_half = false;
        msg->block_bytes = (uint16_t)(ISA_GRF_BYTES << (code - 1));
    } else if (sub >= 2) {
        unsupported(msg, NOTE_MODE);
    }
}

static void decode_typed(struct isa_message *msg, enum isa_family family, bool is_write)
{
    uint32_t mask = ~bits(msg->desc, 11, 8) & 0xF, group = bits(msg->desc, 13, 12);

    set_family(msg, family, is_write);
    msg->simd = 8;
    msg->slot_group = group == 2 ? 8 : 0;
    msg->comp_mask = (uint8_t)mask;
    set_element(msg, (mask & 1) + (mask >> 1 & 1) + (mask >> 2 & 1) + (mask >> 3), 4);
    if (group == 0)
        unsupported(msg, NOTE_SIMD4X2);
    else if (group == 3)
        unsupported(msg, NOTE_MODE);
}

/* A rectangle of bytes; its place and size are in the header. [10:8]: every second
 * line, for interlaced pictures. */
static void decode_media(struct isa_message *msg, bool is_write)
{
    set_family(msg, is_write ? ISA_MSG_TYPED_WRITE : ISA_MSG_TYPED_READ, is_write);
    msg->sub_type = ISA_TYPED_MEDIA;
    msg->element_bytes = msg->slot_bytes = 1;
    if (bits(msg->desc, 13, 8) != 0)
        unsupported(msg, NOTE_MODE);
}

static void decode_typed_atomic(struct isa_message *msg)
{
    decode_atomic(msg, 8, 4);
    msg->family = ISA_MSG_TYPED_ATOMIC;
    msg->slot_group = bits(msg->desc, 12, 12) ? 8 : 0;
}

static void decode_dc1(struct isa_message *msg)
{
    uint32_t type = bits(msg->desc, 18, 14);

    set_bti_model(msg);
    switch (type) {
    case 0x01:
    case 0x09:
        decode_untyped(msg, type == 0x09);
        break;
    case 0x02: /* [12] is reversed here: 1 is SIMD8 */
        decode_atomic(msg, bits(msg->desc, 12, 12) ? 8 : 16, 4);
        break;
    case 0x04:
    case 0x0A:
        decode_media(msg, type == 0x0A);
        break;
    case 0x05:
    case 0x0D:
        decode_typed(msg, type == 0x0D ? ISA_MSG_TYPED_WRITE : ISA_MSG_TYPED_READ,
                     type == 0x0D);
        break;
    case 0x06:
        decode_typed_atomic(msg);
        break;
    case 0x10:
    case 0x1A:
        decode_a64_scattered(msg, type == 0x1A);
        break;
    case 0x11:
    case 0x19:
        set_a64_model(msg);
        decode_untyped(msg, type == 0x19);
        break;
    case 0x12: /* always SIMD8; [12] is the data width */
        set_a64_model(msg);
        decode_atomic(msg, 8, bits(msg->desc, 12, 12) ? 8 : 4);
        break;
    case 0x14:
    case 0x15:
        decode_a64_block(msg, type == 0x15);
        break;
    case 0x1B:
        decode_float_atomic(msg, bits(msg->desc, 12, 12) ? 8 : 16);
        break;
    case 0x1D:
        set_a64_model(msg);
        decode_float_atomic(msg, 8);
        break;
    case 0x03:
        unsupported(msg, NOTE_SIMD4X2);
        break;
    default:
        unsupported(msg, NOTE_TYPE);
        break;
    }
}

static void decode_dcro(struct isa_message *msg)
{
    uint32_t type = bits(msg->desc, 18, 14);

    set_bti_model(msg);
    if (type == 0)
        decode_oword_block(msg, false, 16);
    else if (type == 1)
        decode_oword_block(msg, false, 1);
    else if (type == 3)
        decode_scattered(msg, false, bits(msg->desc, 8, 8) ? 16 : 8, 1, 4);
    else
        unsupported(msg, NOTE_TYPE);
}

/* SIMD mode [18:17] with [29] above it: 1 is SIMD8, 2 is SIMD16. */
static void decode_sampler(struct isa_message *msg)
{
    uint32_t mode = bits(msg->desc, 18, 17) | bits(msg->desc, 29, 29) << 2;

    msg->bti = (uint8_t)bits(msg->desc, 7, 0);
    msg->addr_model = ISA_ADDR_BTI;
    msg->sampler_index = (uint8_t)bits(msg->desc, 11, 8);
    msg->sub_type = (uint8_t)bits(msg->desc, 16, 12);
    msg->simd = mode == 2 ? 16 : 8;
    if (msg->sub_type == 31) { /* cache flush */
        msg->family = ISA_MSG_SAMPLER_FLUSH;
        msg->simd = 1;
        return;
    }
    set_family(msg, ISA_MSG_SAMPLER, false);
    msg->comp_mask = 0xF;
    set_element(msg, 4, 4);
    if (mode != 1 && mode != 2)
        unsupported(msg, NOTE_MODE);
}

static void decode_gateway(struct isa_message *msg)
{
    enum { GATEWAY_BARRIER = 4 };

    msg->sub_type = (uint8_t)bits(msg->desc, 2, 0);
    msg->simd = 1;
    msg->family = msg->sub_type == GATEWAY_BARRIER ? ISA_MSG_BARRIER : ISA_MSG_GATEWAY;
}

static void decode_spawner(struct isa_message *msg)
{
    msg->simd = 1;
    if (bits(msg->exdesc, 5, 5))
        msg->family = ISA_MSG_EOT;
    else
        unsupported(msg, NOTE_TYPE);
}

static void decode_by_sfid(struct isa_message *msg)
{
    switch (msg->sfid) {
    case ISA_SFID_SAMPLER:
        decode_sampler(msg);
        break;
    case ISA_SFID_GATEWAY:
        decode_gateway(msg);
        break;
    case ISA_SFID_SPAWNER:
        decode_spawner(msg);
        break;
    case ISA_SFID_DCRO:
        decode_dcro(msg);
        break;
    case ISA_SFID_DC0:
        decode_dc0(msg);
        break;
    case ISA_SFID_DC1:
        decode_dc1(msg);
        break;
    default:
        unsupported(msg, NOTE_SFID);
        break;
    }
}

void isa_message_decode(struct isa_message *msg)
{
    struct isa_message clean = {.desc = msg->desc,
                                .exdesc = msg->exdesc,
                                .desc_reg = msg->desc_reg,
                                .exdesc_reg = msg->exdesc_reg,
                                .atomic_op = ISA_ATOMIC_NONE};

    *msg = clean;
    if (isa_message_is_extended(msg)) {
        msg->sfid = (uint8_t)bits(msg->exdesc, 3, 0);
        msg->ext_mlen = (uint8_t)bits(msg->exdesc, 9, 6);
    }
    if (isa_message_is_known(msg)) {
        msg->header = bits(msg->desc, 19, 19) != 0;
        msg->rlen = (uint8_t)bits(msg->desc, 24, 20);
        msg->mlen = (uint8_t)bits(msg->desc, 28, 25);
        msg->returns_data = msg->rlen > 0;
    }
    if (!isa_message_is_known(msg) || !isa_message_is_extended(msg))
        unsupported(msg, NOTE_REGISTER);
    else
        decode_by_sfid(msg);
    if (msg->family == ISA_MSG_BLOCK_READ && msg->rlen != 0 &&
        msg->rlen != (msg->block_bytes + ISA_GRF_BYTES - 1) / ISA_GRF_BYTES)
        unsupported(msg, NOTE_LENGTH);
}

const char *isa_message_note(const struct isa_message *msg)
{
    static const char *const notes[NOTE_COUNT] = {
        [NOTE_NONE] = "",
        [NOTE_REGISTER] = "the message descriptor comes from a register",
        [NOTE_SFID] = "a shared function that compute kernels do not use",
        [NOTE_TYPE] = "a message type outside the decoded set",
        [NOTE_SIMD4X2] = "a SIMD4x2 message",
        [NOTE_MODE] = "a reserved size or mode",
        [NOTE_LENGTH] = "a block of another size than its response",
    };

    if (msg->family != ISA_MSG_UNSUPPORTED || msg->sub_type >= NOTE_COUNT)
        return "";
    return notes[msg->sub_type];
}
