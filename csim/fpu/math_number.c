/* math_number.c - results before they are rounded. */
#include "math_int.h"

struct math_out math_number(bool sign, uint64_t value, int32_t frac, bool low)
{
    int32_t up = __builtin_clzll(value);
    uint64_t top = value << up;

    low |= (top & 0xFFFFFF) != 0;
    return (struct math_out){MATH_FINITE, sign, 63 - up - frac, top >> 24 | low};
}
