/* half.c - see half.h. */
#include "half.h"

#include <math.h>

#include "igpu/half.h"

double half_to_double(uint16_t bits)
{
    return (double)igpu_half_to_float(bits);
}

/* Nearest integer to a value in [0, 2048], ties to even. Independent of the
 * host's rounding mode; the subtraction below is exact in that range. */
static uint32_t nearest_even(double value)
{
    uint32_t whole = (uint32_t)value;
    double rest = value - (double)whole;

    if (rest > 0.5 || (rest >= 0.5 && (whole & 1) != 0))
        whole++;
    return whole;
}

uint16_t half_from_double(double value)
{
    uint16_t sign = signbit(value) ? 0x8000 : 0;
    double magnitude = fabs(value);
    int exponent;
    uint32_t steps;

    if (isnan(value))
        return (uint16_t)(sign | 0x7e00);
    if (magnitude >= 65520.0) /* half way from the largest number to 2^16 */
        return (uint16_t)(sign | 0x7c00);
    if (magnitude < 0x1p-14)
        return (uint16_t)(sign | nearest_even(ldexp(magnitude, 24)));
    (void)frexp(magnitude, &exponent); /* magnitude = f * 2^exponent, f >= 1/2 */
    steps = nearest_even(ldexp(magnitude, 11 - exponent)); /* 1024 .. 2048 */
    /* A carry to 2048 moves into the exponent field by itself. */
    return (uint16_t)(sign | (((uint32_t)(exponent + 13) << 10) + steps));
}
