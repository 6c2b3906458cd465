/* fpu_random_op.h - any operation with any types, modifiers and modes it may have. */
#ifndef FPU_RANDOM_OP_H
#define FPU_RANDOM_OP_H
#include "fpu_case.h"

void fpu_random_op(struct fpu_op *op, uint64_t *seed);

#endif
