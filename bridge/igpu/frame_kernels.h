/* frame_kernels.h - shaders of a frame as kernels of a trace: those that a draw's
 * threads run in one stage, end to end, each between the message that loads its payload
 * and an end of thread of its own (docs/graphics.md, "Timing"). */
#ifndef BRIDGE_IGPU_FRAME_KERNELS_H
#define BRIDGE_IGPU_FRAME_KERNELS_H
#include "igpu/gfx.h"
#include "traces/format/trace.h"

enum { FRAME_PARTS = 3, FRAME_ADDED = 2 }; /* FRAME_ADDED: instructions a part */

/* What makes a kernel another one: its shaders, of SIMD8, 16 and 32 (NULL: none), and
 * the registers of their payloads. */
struct frame_shaders {
    enum gfx_stage stage;
    const struct emu_shader *shader[FRAME_PARTS];
    uint32_t payload[FRAME_PARTS];
};

struct frame_kernel {
    struct frame_shaders of;
    uint32_t number;             /* the trace's */
    uint32_t first[FRAME_PARTS]; /* index of a part's payload message */
    struct isa_kernel_code code;
    struct isa_block_list blocks;
};

struct frame_kernels {
    struct frame_kernel **kernel; /* each by itself: it is pointed to */
    uint32_t count;
};

/* The kernel of these shaders, written to the trace the first time. NULL and *err. */
const struct frame_kernel *frame_kernels_find(struct frame_kernels *k,
                                              const struct frame_shaders *of,
                                              struct trace_writer *writer,
                                              struct igpu_err *err);
void frame_kernels_free(struct frame_kernels *k);
#endif
