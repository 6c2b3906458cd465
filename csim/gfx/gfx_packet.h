/* gfx_packet.h - packets.def and structs.def as names and accessors. */
#ifndef GFX_PACKET_H
#define GFX_PACKET_H
#include <stdint.h>

/* Bits low to high of a word. */
static inline uint32_t gfx_bits(uint32_t word, uint32_t low, uint32_t high)
{
    return word >> low & (high - low == 31 ? UINT32_MAX : (1u << (high - low + 1)) - 1);
}

/* Memory commands by their opcodes, other packets by bits 16 to 31 of their heads. */
enum gfx_packet {
#define GFX_MEMORY(name, opcode, handler) GFX_##name = (opcode),
#define GFX_BATCH(name, opcode) GFX_##name = (opcode),
#define GFX_PACKET(name, head, handler) GFX_##name = (head),
#define GFX_STATE(name, head, handler, counter) GFX_##name = (head),
#include "packets.def"
    /* Bits 24 to 31 of state that is pipelined, and of state that is not. */
    GFX_3DSTATE_PIPELINED = GFX_3DSTATE_VS >> 8,
    GFX_3DSTATE_NONPIPELINED = GFX_3DSTATE_DRAWING_RECTANGLE >> 8
};

/* Where a context keeps the packet. */
static inline uint32_t gfx_kept(enum gfx_packet packet)
{
    return packet & 255;
}

/* Fields of packets that are kept. */
enum gfx_field {
#define GFX_FIELD(name, packet, dword, low, high) GFX_##name,
#include "packets.def"
    GFX_FIELDS
};

/* Fields of packets and structures that are at hand. */
enum gfx_part {
#define GFX_PART(name, packet, dword, low, high) GFX_##name,
#include "packets.def"
#define GFX_PART(name, packet, dword, low, high) GFX_##name,
#include "structs.def"
    GFX_PARTS
};

enum gfx_value {
#define GFX_VALUE(name, of, value) GFX_##name = (value),
#include "structs.def"
};
enum gfx_register {
#define GFX_REGISTER(name, number, manual) GFX_REG_##name = (number),
#include "structs.def"
};

/* Where each field is. Here, so that a field that is named where it is asked for costs
 * no look-up. */
static const struct {
    uint8_t packet, dword, low, high;
} gfx_fields[] = {
#define GFX_FIELD(name, packet, dword, low, high)                                      \
    {GFX_##packet & 255, dword, low, high},
#include "packets.def"
};
static const struct {
    uint8_t dword, low, high;
} gfx_parts[] = {
#define GFX_PART(name, packet, dword, low, high) {dword, low, high},
#include "packets.def"
#define GFX_PART(name, packet, dword, low, high) {dword, low, high},
#include "structs.def"
};

/* Of a packet or structure at p, or of a single word. */
static inline uint32_t gfx_part(const uint32_t *p, enum gfx_part part)
{
    return gfx_bits(p[gfx_parts[part].dword], gfx_parts[part].low,
                    gfx_parts[part].high);
}
static inline uint32_t gfx_part_of(uint32_t word, enum gfx_part part)
{
    return gfx_bits(word, gfx_parts[part].low, gfx_parts[part].high);
}

/* The greatest number that fits. */
static inline uint32_t gfx_part_most(enum gfx_part part)
{
    return gfx_bits(UINT32_MAX, 0,
                    (uint32_t)gfx_parts[part].high - gfx_parts[part].low);
}

/* The field in its place: an offset from a base address, whose low bits are zeros. */
static inline uint32_t gfx_part_offset(const uint32_t *p, enum gfx_part part)
{
    return gfx_part(p, part) << gfx_parts[part].low;
}

/* An address in two dwords, from bit `low` of it on. */
static inline uint64_t gfx_address(const uint32_t *p, uint32_t low)
{
    return ((uint64_t)gfx_bits(p[1], 0, 15) << 32 | p[0]) >> low << low;
}
static inline uint64_t gfx_part_address(const uint32_t *p, enum gfx_part part)
{
    return gfx_address(p + gfx_parts[part].dword, gfx_parts[part].low);
}
#endif
