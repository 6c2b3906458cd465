/* hash.h - numbers that stand for many: FNV-1a where a number is shown or kept, as its
 * definition is one line; SplitMix64's mixer for numbers by chance that anybody can
 * compute again. Content that must not collide has XXH3 (traces/frame, traces/program).
 * Sources: Fowler, Noll, Vo, draft-eastlake-fnv; Steele, Lea, Flood: Fast Splittable
 * Pseudorandom Number Generators, 2014.   Tests: tests/traces/test_record.c */
#ifndef IGPU_HASH_H
#define IGPU_HASH_H
#include <stddef.h>
#include <stdint.h>

#define IGPU_FNV_BEGIN UINT64_C(0xcbf29ce484222325)

/* `hash` continued by these bytes; it begins with IGPU_FNV_BEGIN. */
static inline uint64_t igpu_fnv(uint64_t hash, const void *data, size_t bytes)
{
    const uint8_t *p = (const uint8_t *)data;

    for (size_t i = 0; i < bytes; i++)
        hash = (hash ^ p[i]) * UINT64_C(0x100000001b3);
    return hash;
}

/* A bijection in which each bit decides about all. */
static inline uint64_t igpu_mix(uint64_t z)
{
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* What SplitMix64 answers behind `state`, which is one step further then. */
static inline uint64_t igpu_splitmix(uint64_t *state)
{
    return igpu_mix(*state += UINT64_C(0x9e3779b97f4a7c15));
}

#endif
