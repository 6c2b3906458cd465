/* fpu_values.h - operands: corners of each type and seeded random ones. */
#ifndef FPU_VALUES_H
#define FPU_VALUES_H
#include <stddef.h>
#include <stdint.h>

/* xorshift64*; *state is not 0. */
uint64_t fpu_random(uint64_t *state);
/* A value that is likely to be special, near a power of two, near another's
 * cancellation, or just any, of the type (enum isa_type). */
uint64_t fpu_random_value(uint64_t *state, uint32_t type);
/* Corners of a float type: zeros, denormals, powers of two and their neighbours,
 * mantissas of few ones and zeros, infinities, NaNs, both signs. Writes at most max
 * and returns how many; density (1..) multiplies the exponents that are covered. */
size_t fpu_corners(uint32_t type, uint32_t density, uint64_t *out, size_t max);

#endif
