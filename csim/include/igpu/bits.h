/* bits.h - the lowest bits of a word; how many are set: not every x86-64 has an
 * instruction for that, and the compiler's is a call then.
 * Tests: tests/csim/test_gfx_depth.c */
#ifndef IGPU_BITS_H
#define IGPU_BITS_H
#include <stdint.h>

/* A bit for each of `count` lanes; all of a word from 32 on. */
static inline uint32_t igpu_low_bits(uint32_t count)
{
    return count >= 32 ? UINT32_MAX : (1u << count) - 1;
}

static inline uint32_t igpu_count_bits(uint32_t word)
{
    word -= word >> 1 & 0x55555555;
    word = (word & 0x33333333) + (word >> 2 & 0x33333333);
    return ((word + (word >> 4)) & 0x0F0F0F0F) * 0x01010101 >> 24;
}

static inline uint32_t igpu_count_bits64(uint64_t x)
{
    x -= x >> 1 & UINT64_C(0x5555555555555555);
    x = (x & UINT64_C(0x3333333333333333)) + (x >> 2 & UINT64_C(0x3333333333333333));
    x = (x + (x >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    return (uint32_t)(x * UINT64_C(0x0101010101010101) >> 56);
}

/* The same of a word below 16. */
static inline uint32_t igpu_count_bits4(uint32_t word)
{
    return (uint32_t)(UINT64_C(0x4332322132212110) >> 4 * word) & 15;
}

/* How many of a word's eight groups of four bits have any set. */
static inline uint32_t igpu_count_fours(uint32_t word)
{
    word |= word >> 1;
    word |= word >> 2;
    return igpu_count_bits(word & 0x11111111);
}
#endif
