/* coalesce.h - the lanes of a message to lines and bank cycles.
 * Tests: tests/csim/test_mem_parts.c */
#ifndef MEM_COALESCE_H
#define MEM_COALESCE_H
#include "csim/mem/lines.h"
#include "igpu/mem.h"

/* Fill lines->count and lines->line with the message's distinct lines, in lane order.
 * The message has at least one lane and 1..256 bytes a lane. */
void coalesce_lines(const struct mem_msg *msg, struct lines *lines);

/* What a message costs in SLM. */
struct coalesce_slm {
    uint32_t words;  /* 4-byte accesses, after broadcasts */
    uint32_t cycles; /* of the fullest bank, at least 1 */
    uint32_t even;   /* cycles if the words were spread evenly, at least 1 */
};

/* `banks`: a power of two, at most 64; atomic_cycles: bank cycles of an atomic. */
void coalesce_slm(const struct mem_msg *msg, uint32_t banks, uint32_t atomic_cycles,
                  struct coalesce_slm *cost);
/* Adds the words of each bank. */
void coalesce_slm_load(const struct mem_msg *msg, uint32_t banks, uint64_t *words);
#endif
