/* math_trig.c - sine and cosine of any argument.
 * x 2/pi is computed modulo 4 with 88 fraction bits: 2/pi is cut to the 90 bits whose
 * product with the mantissa counts. A single-precision number is never nearer than
 * 2^-30 to a multiple of pi/2, so what is left has a relative error below 2^-33 for
 * every argument, the largest included. */
#include "math_int.h"

enum { FRAC = 88 };

/* 2/pi 2^(e + 65), cut to a whole number, modulo 2^90; e from -1 to 127. */
static math_u128 window(int32_t e)
{
    uint32_t down = (uint32_t)(127 - e), word = down / 64, bit = down % 64;
    uint64_t w0 = word < 3 ? math_two_over_pi[word] : 0;
    uint64_t w1 = word < 2 ? math_two_over_pi[word + 1] : 0;
    uint64_t w2 = word < 1 ? math_two_over_pi[word + 2] : 0;
    math_u128 w = ((math_u128)w1 << 64 | w0) >> bit;

    if (bit != 0)
        w |= (math_u128)w2 << (128 - bit);
    return w & (((math_u128)1 << 90) - 1);
}

/* r 2^adjust times the table's sin(r pi/2) / r at `place`; both fractions of 88 bits.
 */
static struct math_out sine(bool sign, math_u128 r, int32_t adjust, math_u128 place)
{
    int32_t seg = (int32_t)(place >> (FRAC - 7));
    uint32_t d = (uint32_t)(place >> (FRAC - 7 - MATH_D_BITS)) & 0xFFFFFFF;
    uint64_t high = (uint64_t)(r >> (FRAC - 64)), r36;
    int32_t up = high != 0 ? __builtin_clzll(high) : 63;
    math_u128 product;

    /* r is 2^-63 at the least: nothing that counts lies below its first 64 bits. */
    r36 = (uint64_t)((r << up) >> (FRAC - 36));
    product = (math_u128)r36 * math_cubic_at(MATH_SEG_SIN + seg, d); /* of 2^-76 */
    if (product >> 76 == 0)
        return (struct math_out){MATH_FINITE, sign, adjust - up - 1,
                                 (uint64_t)(product >> 36) | 1};
    if (up == 0 && adjust == 0) /* the sine is below 1 */
        return (struct math_out){MATH_FINITE, sign, -1, (UINT64_C(1) << 40) - 1};
    return (struct math_out){MATH_FINITE, sign, adjust - up,
                             (uint64_t)(product >> 37) | 1};
}

struct math_out math_trig(struct math_in x, bool cosine)
{
    /* Below 1/2 nothing is to be reduced: as if the exponent were -1, then scaled. */
    int32_t e = x.exp < -1 ? -1 : x.exp, adjust = x.exp - e;
    math_u128 turns = x.mant * window(e), one = (math_u128)1 << FRAC;
    math_u128 r = turns & (one - 1);
    math_u128 place = adjust > -FRAC ? r >> -adjust : 0;
    uint32_t quadrant = ((uint32_t)(turns >> FRAC) + cosine) & 3;
    bool sign = (quadrant >> 1) != (!cosine && x.sign);

    if (!(quadrant & 1))
        return sine(sign, r, adjust, place);
    place = one - place;
    if (place == one)
        return (struct math_out){MATH_FINITE, sign, -1, (UINT64_C(1) << 40) - 1};
    return sine(sign, place, 0, place);
}
