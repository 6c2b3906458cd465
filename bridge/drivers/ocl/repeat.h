/* repeat.h - a launch that repeats the one before exactly takes the same cycles, and is
 * not simulated again. That is so when its trace is the same byte for byte, every line
 * that it used was in the L3 before, and nothing of earlier launches was under way:
 * then nothing outside of EUs, data ports and L3 took part, whose times count from the
 * launch's first cycle, and it left the L3 as a repetition of it will.
 *
 * A launch that reaches the LLC does not repeat exactly: refreshes of the DRAM, the
 * phases of the clocks and what others bring into the LLC depend on the time.
 * Device thread only. Tests: tests/ocl/test_ocl_repeat.c */
#ifndef IGPU_OCL_REPEAT_H
#define IGPU_OCL_REPEAT_H
#include "igpu/mem.h"
#include "igpu/mem_stats.h"

struct repeat {
    uint8_t *trace; /* of the launch before; NULL: none that can be repeated */
    size_t bytes;
    bool steady;           /* it can: */
    uint64_t cycles, span; /* its own, and to the next launch's first */
    /* While it is simulated: */
    bool rested;
    struct mem_stats before;
};

/* Before a launch is simulated from cycle `start` on. True: it repeats the one before,
 * and takes r->cycles, r->span. */
bool repeat_begin(struct repeat *r, const char *trace, const struct mem_system *mem,
                  uint64_t start);
/* It was simulated: whether the next one may repeat it. */
void repeat_end(struct repeat *r, const struct mem_system *mem, uint64_t start,
                uint64_t next, uint64_t cycles);
/* What comes next repeats nothing. */
void repeat_forget(struct repeat *r);
#endif
