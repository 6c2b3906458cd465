/* scatter.c - see scatter.h. Feistel networks. */
#include "csim/mem/scatter.h"

#include <assert.h>

enum { ROUNDS = 4 };

static uint64_t network(uint64_t number, unsigned half_bits, uint64_t key)
{
    const uint64_t mask = (UINT64_C(1) << half_bits) - 1;
    uint64_t left = number >> half_bits & mask, right = number & mask;

    for (unsigned round = 0; round < ROUNDS; round++) {
        uint64_t mixed =
            (right + (key << half_bits) + round + 1) * UINT64_C(0x9e3779b97f4a7c15);
        uint64_t next = left ^ ((mixed ^ mixed >> 29) * UINT64_C(0xbf58476d1ce4e5b9) >>
                                (64 - half_bits));

        left = right;
        right = next & mask;
    }
    return left << half_bits | right;
}

uint64_t scatter(uint64_t number, uint64_t key)
{
    return network(number, SCATTER_BITS / 2, key);
}

/* In the next larger even power of two, again until the number is small enough. */
uint64_t scatter_below(uint64_t number, uint64_t count, uint64_t key)
{
    unsigned half_bits = 1;

    assert(number < count && count <= UINT64_C(1) << SCATTER_BITS);
    while (UINT64_C(1) << 2 * half_bits < count)
        half_bits++;
    do
        number = network(number, half_bits, key);
    while (number >= count);
    return number;
}
