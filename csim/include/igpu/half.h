/* half.h - IEEE 754 binary16 to binary32 and back, the one conversion of the
 * disassembler, the emulator, textures, argument specifications and the host's checks.
 * Inline: loops over lanes use it. Tests: tests/csim/test_half.c, every pattern against
 * the definition. */
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

/* The nearest, even on a tie; a NaN keeps its sign and the upper bits of its fraction,
 * and is a quiet one. */
static inline uint16_t igpu_float_to_half(float value)
{
    union {
        float f;
        uint32_t u;
    } v = {value}, magic = {.u = ((127 - 15) + (23 - 10) + 1) << 23};
    uint32_t sign = v.u >> 16 & 0x8000;

    v.u &= 0x7FFFFFFF;
    if (v.u >= 0x47800000) /* 2^16 and more, infinity, NaN */
        return (uint16_t)(sign |
                          (v.u > 0x7F800000 ? 0x7E00 | (v.u >> 13 & 0x3FF) : 0x7C00));
    if (v.u < 0x38800000) { /* the host's addition rounds to denormal steps */
        v.f += magic.f;
        return (uint16_t)(sign | (v.u - magic.u));
    }
    v.u += ((uint32_t)(15 - 127) << 23) + 0xFFF + (v.u >> 13 & 1);
    return (uint16_t)(sign | v.u >> 13);
}

#endif
