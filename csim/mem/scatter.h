/* scatter.h - keyed one-to-one maps that look random, instead of tables.
 * Tests: tests/csim/test_mem_parts.c, test_mem_cpu.c */
#ifndef MEM_SCATTER_H
#define MEM_SCATTER_H
#include <stdint.h>

enum { SCATTER_BITS = 36 };

/* Of 36-bit numbers onto themselves (higher bits of `number` are not looked at). */
uint64_t scatter(uint64_t number, uint64_t key);
/* Of 0..count-1 onto themselves; number < count <= 2^36. */
uint64_t scatter_below(uint64_t number, uint64_t count, uint64_t key);
#endif
