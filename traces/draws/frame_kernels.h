/* frame_kernels.h - shaders of a frame as kernels of a trace: those that a launch's
 * threads run, end to end, each between the message that loads its payload and an end
 * of thread of its own (docs/contract/fixed-functions.md, "Timing"). */
#ifndef BRIDGE_DRAWS_FRAME_KERNELS_H
#define BRIDGE_DRAWS_FRAME_KERNELS_H
#include "igpu/gfx.h"
#include "traces/format/trace.h"

enum { FRAME_ADDED = 2 }; /* instructions to a shader, but to none of compute */

/* A shader, and the registers of its payload. */
struct frame_shader {
    const struct emu_shader *shader;
    uint32_t payload, simd;
    bool compute; /* it loads its payload as kernels do, and ends by itself */
};

/* Those of a launch, in the order in which they came; zeros: none. */
struct frame_shaders {
    struct frame_shader *shader; /* malloc'ed */
    uint32_t count, cap;
    uint32_t instructions; /* of the kernel that they make */
    uint32_t slm_bytes;    /* of a group */
};

/* The index of *shader in *of, which it is added to if it is new. UINT32_MAX: no
 * memory. */
uint32_t frame_shaders_find(struct frame_shaders *of,
                            const struct frame_shader *shader);

struct frame_kernel {
    struct frame_shaders of;
    uint32_t number; /* the trace's */
    uint32_t *first; /* index of a shader's first instruction, or payload message */
    struct isa_kernel_code code;
    struct isa_block_list blocks;
    bool barriers; /* of groups */
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
