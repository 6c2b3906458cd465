/* fpu_oracle.h - what an FPU operation must give, by MPFR (floats) and by plain
 * definitions in 128 bits (integers). Knows neither the RTL nor the emulator. */
#ifndef FPU_ORACLE_H
#define FPU_ORACLE_H
#include "fpu_case.h"

/* Fill c->want. Floats: every operation of docs/contract/fpu.md but CMP to a float
 * type. Integers: every operation. */
void fpu_oracle(struct fpu_case *c);

/* The value of bits of a float type, NaN for NaN. */
double fpu_value(uint64_t bits, uint32_t type);
void fpu_oracle_free(void);

#endif
