/* trace_graphics.h - what messages of graphics have beside addresses, as bytes behind
 * an access segment and back: message Graphics of igpu_trace.proto, each of its columns
 * once, packed, without the zeros at its end. Internal to traces/trace_*.c. Tests:
 * tests/traces/test_trace_graphics.c */
#ifndef IGPU_TRACE_GRAPHICS_H
#define IGPU_TRACE_GRAPHICS_H
#include "traces/format/trace.h"
#include "traces/format/trace_bytes.h"

/* Fields of Graphics. */
enum {
    TRACE_G_WORK = 1,
    TRACE_G_NEEDED,
    TRACE_G_DRAW,
    TRACE_G_STAGE,
    TRACE_G_RUNS,
    TRACE_G_PAGE,
    TRACE_G_PAGE_HOW,
    TRACE_G_PAGE_LINES,
    TRACE_G_SAMPLES,
    TRACE_G_WRITTEN,
    TRACE_G_READ,
    TRACE_G_HOW,
    TRACE_G_HOW_LINES,
    TRACE_G_COLUMNS
};

/* What is gathered; zeros: nothing. used: bytes up to the last number that is not 0. */
struct trace_graphics_out {
    struct trace_bytes column[TRACE_G_COLUMNS];
    size_t used[TRACE_G_COLUMNS];
    uint64_t page; /* of the last run, / 4096 */
    uint32_t lines;
    uint8_t how; /* of the last `lines` lines */
};

static inline bool trace_is_graphics(const struct isa_inst *inst)
{
    return inst->msg.family == ISA_MSG_PAYLOAD || inst->msg.family == ISA_MSG_TEXTURE ||
           inst->msg.family == ISA_MSG_TARGET;
}

/* Add a message's, of so many lines. */
void trace_graphics_put(struct trace_graphics_out *out, const struct trace_graphics *g,
                        uint32_t lines);
/* Append all to *to and be empty. */
void trace_graphics_encode(struct trace_graphics_out *out, struct trace_bytes *to);
void trace_graphics_empty(struct trace_graphics_out *out);
void trace_graphics_free(struct trace_graphics_out *out);

struct trace_graphics_in {
    struct trace_view column[TRACE_G_COLUMNS];
    uint64_t page;
    uint32_t lines;
    uint8_t how;
};

/* The bytes stay the caller's. False: not well formed. */
bool trace_graphics_open(struct trace_graphics_in *in, const void *data, size_t size);
/* The next message's, of this family and so many lines. False: not well formed. */
bool trace_graphics_next(struct trace_graphics_in *in, uint8_t family, uint32_t lines,
                         struct trace_graphics *g);
/* Is nothing left? */
bool trace_graphics_over(const struct trace_graphics_in *in);
#endif
