/* warm.h - which lines of memory the threads that are executed but not simulated have
 * used last, for mem_warm(): as many as caches can hold. Of each the last read and the
 * last write, in their order: a line that was written long before it was read is clean
 * in the caches that it came back to, and one that was read before it was written has
 * been translated. Tests: tests/bridge/test_warm.c, tests/ocl/test_ocl_sample.c */
#ifndef IGPU_WARM_H
#define IGPU_WARM_H
#include <stdbool.h>
#include <stdint.h>

#include "igpu/isa.h"
#include "igpu/mem.h"

/* 2 x line (address / 64) + 1 where it is written; the last use at the end. */
struct warm_list {
    uint64_t *line;
    uint64_t count;
};

struct warm;

/* At least the `most` lines used last are kept. NULL: memory is short. */
struct warm *warm_new(uint64_t most);
void warm_free(struct warm *warm); /* NULL is allowed */

/* An instruction accessed global memory: lane i of `mask` at addr[i]. */
void warm_access(struct warm *warm, const struct isa_inst *inst, uint32_t mask,
                 const uint64_t *addr);
/* The same without gaps: the enabled lanes' addresses, lowest lane first. */
void warm_lanes(struct warm *warm, const struct isa_inst *inst, uint32_t mask,
                const uint64_t *addr);
/* The same where they lie `stride` apart. */
void warm_row(struct warm *warm, const struct isa_inst *inst, uint32_t mask,
              uint64_t addr, uint64_t stride);
/* Line address / 64 was used. */
void warm_line(struct warm *warm, uint64_t line, bool write);
/* What comes now was before all that came until now; so at most 65,535 times. */
void warm_older(struct warm *warm);
/* What was used until now is left out, as if nobody used it, until warm_take(). */
void warm_leave(struct warm *warm);
/* Different lines, and those of them that were written, until now; exact while they are
 * at most `most`. */
uint64_t warm_lines(const struct warm *warm);
uint64_t warm_written(const struct warm *warm);
/* Entries of a list of them. */
uint64_t warm_uses(const struct warm *warm);

/* Empty *warm into *list, which is the caller's to free. False: memory was short at
 * some time; then *list is empty. */
bool warm_take(struct warm *warm, struct warm_list *list);
/* Make the caches hold what they do after these lines; `running`: but for the L3, since
 * threads that run have their lines there. */
void warm_caches(const struct warm_list *list, struct mem_system *mem, bool running);
/* Lines of no buffer, of which a share is written: two arrays from their begin on. */
struct warm_source {
    double share;      /* written, 0..1 */
    uint64_t given[2]; /* so far: read, written */
};
/* A list of `count` of them. The same promises. */
bool warm_invent(struct warm_source *from, uint64_t count, struct warm_list *list);
#endif
