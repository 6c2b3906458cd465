/* rng.h - seeded random numbers for tests: the same on every machine.
 * SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators,
 * 2014), and the cheaper ones that some tests' inputs are made of: two linear
 * congruences (Knuth's for MMIX; Numerical Recipes) and xorshift (Marsaglia, 2003). */
#ifndef TESTS_RNG_H
#define TESTS_RNG_H
#include <stdbool.h>
#include <stdint.h>

struct rng {
    uint64_t state;
};

static inline uint64_t rng_mix(uint64_t z)
{
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static inline uint64_t rng_next(struct rng *r)
{
    r->state += UINT64_C(0x9e3779b97f4a7c15);
    return rng_mix(r->state);
}

/* low..high, both inclusive. */
static inline uint64_t rng_in(struct rng *r, uint64_t low, uint64_t high)
{
    return low + rng_next(r) % (high - low + 1);
}

/* Below n, by the upper half. */
static inline uint32_t rng_below(struct rng *r, uint32_t n)
{
    return (uint32_t)((rng_next(r) >> 32) * n >> 32);
}

/* True once in n times. */
static inline bool rng_once_in(struct rng *r, uint64_t n)
{
    return rng_next(r) % n == 0;
}

/* An index of weight[0..count), the larger the weight the more often. */
static inline unsigned rng_weighted(struct rng *r, const unsigned *weight,
                                    unsigned count)
{
    uint64_t sum = 0, at;
    unsigned i = 0;

    for (unsigned k = 0; k < count; k++)
        sum += weight[k];
    at = rng_next(r) % sum;
    while (at >= weight[i])
        at -= weight[i++];
    return i;
}

/* ---- the cheaper ones ----------------------------------------------------- */

/* 64 bits, of which the upper ones are good. */
static inline uint64_t lcg_next(uint64_t *state)
{
    return *state = *state * UINT64_C(6364136223846793005) + 1442695040888963407;
}

static inline uint32_t lcg_below(uint64_t *state, uint32_t below)
{
    return (uint32_t)((lcg_next(state) >> 33) % below);
}

/* 0 to 1, of 24 bits. */
static inline float lcg_unit(uint64_t *state)
{
    return (float)(lcg_next(state) >> 40) / (float)(1 << 24);
}

/* 32 bits, of which the upper ones are good. */
static inline uint32_t lcg32_next(uint32_t *state)
{
    return *state = *state * 1664525 + 1013904223;
}

static inline uint64_t xorshift_next(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    return *state ^= *state << 17;
}
#endif
