/* fpu_oracle_int.h - the integer half of fpu_oracle.h. */
#ifndef FPU_ORACLE_INT_H
#define FPU_ORACLE_INT_H
#include "fpu_case.h"

/* Fill c->want for an operation on integers with an integer result (or CMP). */
void fpu_oracle_int(struct fpu_case *c);

#endif
