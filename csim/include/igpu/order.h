/* order.h - of two numbers the later or the earlier, and a number within bounds. */
#ifndef IGPU_ORDER_H
#define IGPU_ORDER_H
#include <stdint.h>

static inline uint64_t igpu_later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static inline uint64_t igpu_earlier(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static inline int64_t igpu_clamp(int64_t value, int64_t least, int64_t most)
{
    return value < least ? least : value > most ? most : value;
}
#endif
