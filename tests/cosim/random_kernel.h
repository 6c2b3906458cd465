/* random_kernel.h - static instructions of a random kernel. */
#ifndef RANDOM_KERNEL_H
#define RANDOM_KERNEL_H
#include "random_trace.h"
#include "tests/support/rng.h"

/* Fill uop[], count and gates of *kernel; `large`: with more instructions than a small
 * store holds. Its last instruction is its EOT; any order of the others is a legal
 * path. */
void random_kernel(struct rng *r, struct rt_kernel *kernel, bool large);
#endif
