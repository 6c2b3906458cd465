/* math_int.h - what the files of csim/fpu share; nobody else includes it. */
#ifndef MATH_INT_H
#define MATH_INT_H
#include "igpu/fpu_math.h"

__extension__ typedef unsigned __int128 math_u128;

/* ---- tables (math_table.c, made by math_tables.py) ----------------------- */

/* In units of 2^-40; see math_tables.py. */
struct math_cubic {
    int64_t c0, c1;
    int32_t c2, c3;
};
enum {
    MATH_SEG_INV = 0,
    MATH_SEG_RSQT = 128,
    MATH_SEG_LOG = 384 + 64, /* segment 0; they start at -64 */
    MATH_SEG_EXP = 576,
    MATH_SEG_SIN = 704,
    MATH_TABLE_SIZE = 832,
    MATH_D_BITS = 28, /* of d, the place in a segment */
    MATH_UNIT = 40    /* fraction bits of a cubic's value */
};
extern const struct math_cubic math_table[MATH_TABLE_SIZE];
extern const uint64_t math_two_over_pi[3];

/* The cubic of segment seg at d / 2^28. Shifts of negative numbers round down. */
static inline uint64_t math_cubic_at(int32_t seg, uint32_t d)
{
    const struct math_cubic *c = &math_table[seg];
    int64_t s = c->c2 + ((c->c3 * (int64_t)(d >> 8)) >> 20);

    s = c->c1 + ((s * (int64_t)d) >> MATH_D_BITS);
    s = c->c0 + ((s * (int64_t)d) >> MATH_D_BITS);
    return (uint64_t)s;
}

/* ---- numbers (math_number.c, math_format.h) ------------------------------- */

enum math_class { MATH_ZERO, MATH_FINITE, MATH_INF, MATH_NAN };

struct math_in {
    uint8_t cls; /* enum math_class */
    bool sign;
    int32_t exp;   /* value: mant / 2^23 * 2^exp */
    uint32_t mant; /* 24 bits, the top one set */
};

/* A result before it is rounded: mant / 2^39 * 2^exp, 40 bits with the top one set; the
 * lowest also stands for everything below. */
struct math_out {
    uint8_t cls;
    bool sign;
    int32_t exp;
    uint64_t mant;
};

/* The finite number value / 2^frac; value is not zero. `low` says that the true value
 * lies above. */
struct math_out math_number(bool sign, uint64_t value, int32_t frac, bool low);

/* ---- functions of finite numbers that are not zero ------------------------ */

/* math_div.c */
struct math_out math_div(struct math_in x, struct math_in y);
struct math_out math_sqrt(struct math_in x);  /* x > 0 */
struct math_out math_rsqrt(struct math_in x); /* x > 0 */

/* math_log.c */
struct math_out math_log(struct math_in x); /* of |x|; zero for 1 */
struct math_out math_exp(struct math_in x);
struct math_out math_pow(struct math_in x, struct math_in y); /* |x| is not 1 */

/* math_trig.c: the sine, or the cosine */
struct math_out math_trig(struct math_in x, bool cosine);
#endif
