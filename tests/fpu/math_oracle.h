/* math_oracle.h - the true values of the extended-math functions, by MPFR. */
#ifndef MATH_ORACLE_H
#define MATH_ORACLE_H
#include <stdint.h>

#include "igpu/fpu_math.h"

struct oracle_format {
    int precision, emin, emax; /* of normal numbers */
};
extern const struct oracle_format oracle_f32, oracle_f16;

extern const uint8_t oracle_functions[9];
const char *oracle_name(enum fpu_math_fn fn);

/* Number of format f to and from a double, which holds it exactly; NaN is quiet. */
double oracle_value(const struct oracle_format *f, uint32_t bits);
uint32_t oracle_bits(const struct oracle_format *f, double value);

/* The correctly rounded result (round as in struct fpu_math_mode) and its exceptions;
 * denormals are kept. Not said: which operands are denormal or signalling. */
uint32_t oracle_round(const struct oracle_format *f, enum fpu_math_fn fn, uint32_t x,
                      uint32_t y, uint32_t round, uint32_t *flags);

/* |result - true value| in units of the true value's last place (of its format, with
 * denormals); 0 when result is the correctly rounded one and the true value is no
 * finite number of the format's range; -1 when they have nothing to do with each
 * other (NaN, infinity or sign against something else). */
double oracle_ulp(const struct oracle_format *f, enum fpu_math_fn fn, uint32_t x,
                  uint32_t y, uint32_t result);

/* Free what MPFR keeps. */
void oracle_close(void);
#endif
