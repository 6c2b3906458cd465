/* random_program.h - whole legal Gen9 programs, drawn from a seed: instructions of
 * every form of tests/csim/isa_gen9.def with regions, indirect ones too, predicates,
 * conditions and flags; nested if, else, loops with break and cont, goto and join, brd
 * and brc to labels and to where registers say, jmpi, halt, calls; messages to a
 * buffer, by surface and by 64-bit address, to shared local memory and to scratch
 * memory, within their bounds. Every program ends: loops count down per lane, calls
 * lead forward.
 *
 * r0, r1.. come with the thread; r2 to r15 hold counters and addresses, r16 to r119 the
 * numbers that instructions work on, r121 and r122 return addresses, r123 distances of
 * branches. */
#ifndef COSIM_RANDOM_PROGRAM_H
#define COSIM_RANDOM_PROGRAM_H
#include <stdint.h>

#include "tests/support/rng.h"

enum {
    PROGRAM_BYTES = 32768,
    PROGRAM_LABELS = 512,
    PROGRAM_SCRATCH = 1024,  /* bytes a thread */
    PROGRAM_SLM = 4096,      /* bytes a group */
    PROGRAM_BUFFER = 65536,  /* of surface 0, */
    PROGRAM_VA = 0x20000000, /* at this address */
    PROGRAM_DATA = 16,       /* first register of numbers, */
    PROGRAM_DATA_END = 120   /* ... and behind the last */
};

struct random_program {
    struct rng rng;
    unsigned simd;
    bool spares_mme; /* one mme register is never written */
    uint32_t bytes;
    uint8_t text[PROGRAM_BYTES];
    /* while it is made */
    uint32_t labels, label[PROGRAM_LABELS]; /* their bytes in the text */
    uint32_t fixups;
    struct {
        uint32_t at, from; /* where the distance stands, where it counts from */
        uint32_t jip, uip; /* labels; uip ~0: none */
    } fixup[4 * PROGRAM_LABELS];
    uint32_t budget; /* instructions that may still come */
    uint32_t halt;   /* label of the end */
    unsigned loops, depth, sub;
};

void random_program_make(struct random_program *p, uint64_t seed);

/* random_program_flow.c, random_program_send.c: parts of it. Append bytes of an
 * instruction, a message, labels. */
void random_program_emit(struct random_program *p, const uint8_t *inst);
/* mov, and, add.. of packed elements: exec channels from chan on, no_mask. */
struct isa_inst;
void random_program_put(struct random_program *p, const struct isa_inst *inst);
void random_program_send(struct random_program *p);
/* Fill the registers of numbers from the buffer. */
void random_program_load(struct random_program *p);
/* Instructions that compute, one or, with what it needs, a few. */
void random_program_alu(struct random_program *p);
void random_program_macro(struct random_program *p);
uint32_t random_program_data(struct random_program *p, uint32_t registers);
#endif
