/* half.h - IEEE 754 binary16 to binary32, the one conversion of the disassembler, the
 * emulator, argument specifications and the host's checks. Inline: loops over lanes use
 * it. Tests: tests/csim/test_half.c, every pattern against the definition. */
#ifndef IGPU_HALF_H
#define IGPU_HALF_H
#include <stdint.h>

/* The value of the pattern `bits`, exactly; a NaN keeps its sign and fraction. */
static inline float igpu_half_to_float(uint16_t bits)
{
    union {
        uint32_t u;
        float f;
    } v = {(uint32_t)(bits & 0x7FFF) << 13}, scale = {0x77800000}; /* 2^112 */

    v.f *= scale.f;
    if ((bits & 0x7C00) == 0x7C00)
        v.u |= 0x7F800000;
    v.u |= (uint32_t)(bits & 0x8000) << 16;
    return v.f;
}

#endif
