/* fpu_math.h - the extended-math unit: integer arithmetic only, so every machine
 * gives the same bits, and rtl/fpu/igpu_math.v gives them too.
 * Numbers are bit patterns. Inverse, quotient and square root are correctly rounded in
 * every mode; the others are within the bounds of docs/contract/fpu-math.md, and their
 * value of 34 or more good bits is what gets rounded. A NaN result is the quiet
 * 0x7FC00000 (0x7E00). Tests: tests/fpu/test_math_*.c */
#ifndef IGPU_FPU_MATH_H
#define IGPU_FPU_MATH_H
#include <stdbool.h>
#include <stdint.h>

/* Functions, as math's FC field codes them. */
enum fpu_math_fn {
    FPU_MATH_INV = 1,
    FPU_MATH_LOG = 2, /* base 2 */
    FPU_MATH_EXP = 3, /* base 2 */
    FPU_MATH_SQT = 4,
    FPU_MATH_RSQT = 5,
    FPU_MATH_SIN = 6,
    FPU_MATH_COS = 7,
    FPU_MATH_FDIV = 9,
    FPU_MATH_POW = 10 /* |x| to the power y */
};

/* IEEE exceptions, at their places in sr0.1. */
enum fpu_math_flag {
    FPU_MATH_INVALID = 1,
    FPU_MATH_DENORMAL = 2, /* a denormal operand, in a mode that keeps it */
    FPU_MATH_DIVZERO = 4,
    FPU_MATH_OVERFLOW = 8,
    FPU_MATH_UNDERFLOW = 16, /* tiny before rounding, and inexact or flushed */
    FPU_MATH_INEXACT = 32
};

struct fpu_math_mode {
    uint8_t round; /* cr0.0[5:4]: 0 nearest even, 1 up, 2 down, 3 towards zero */
    bool flush;    /* denormal operands and results become zeros of their sign */
};

/* fn of x, or of x and y for FDIV and POW. The exceptions are or'ed into *flags, which
 * may be NULL. fn is one of enum fpu_math_fn. */
uint32_t fpu_math_f32(enum fpu_math_fn fn, uint32_t x, uint32_t y,
                      struct fpu_math_mode mode, uint32_t *flags);
uint16_t fpu_math_f16(enum fpu_math_fn fn, uint16_t x, uint16_t y,
                      struct fpu_math_mode mode, uint32_t *flags);

struct fpu_math_division {
    uint32_t quotient, remainder;
};
/* x / y towards zero; the remainder has the sign of x. A divisor of zero gives all ones
 * and x; the least number by -1 gives itself and 0. */
struct fpu_math_division fpu_math_idiv(uint32_t x, uint32_t y, bool is_signed);

/* Start values of the division and root macros, 24 bits, for mant / 2^63 in [1, 2).
 * inverse: 1 / mant in units of 2^-24, never below the true value, above it by less
 *     than 1.01 units.
 * root: 1 / sqrt(mant), or 1 / sqrt(2 mant) when odd, in units of 2^-24; nearest, so
 *     off by less than 0.51 units. */
uint32_t fpu_math_start_inverse(uint64_t mant);
uint32_t fpu_math_start_root(uint64_t mant, bool odd);
#endif
