/* gfx.h - Gen9's 3D pipeline, functional: what batches of commands do to memory.
 *
 * Batches are executed command by command; the state that they set stays with their
 * hardware context. Shaders run on the emulator (igpu/emu_shader.h), fixed functions
 * here. It knows nothing of time. What is not executed is an error with the packet, its
 * address and a reason: never a wrong pixel. docs/graphics.md has the list.
 *
 * Order   Draws, primitives and groups of pixels one after the other; the same batches
 *         give the same memory on every host.
 * Units   Addresses are GPU virtual addresses below 2^47, sizes bytes.
 * Source  docs/sources.md#gen9-graphics     Tests: tests/bridge/test_gfx.sh */
#ifndef IGPU_GFX_H
#define IGPU_GFX_H
#include <stdio.h>

#include "igpu/emu.h"

/* X(name, unit, what it is) */
#define GFX_COUNTERS(X)                                                                \
    X(batches, "batches", "batches executed")                                          \
    X(commands, "commands", "commands executed, no-operations included")               \
    X(draws, "draws", "3DPRIMITIVE commands")                                          \
    X(driver_draws, "draws", "of these, rectangles of the driver: clears, copies")     \
    X(skipped_draws, "draws", "3DPRIMITIVE commands that a predicate turned off")      \
    X(ia_vertices, "vertices", "vertices that draws asked for")                        \
    X(ia_primitives, "primitives",                                                     \
      "points, lines, triangles and rectangles assembled")                             \
    X(vs_invocations, "vertices", "vertices that a vertex shader ran for")             \
    X(vs_threads, "threads", "hardware threads of vertex shaders")                     \
    X(vs_instructions, "instructions", "instructions of vertex shader threads")        \
    X(cl_invocations, "primitives", "primitives that reached the clipper")             \
    X(cl_primitives, "primitives", "primitives that left it")                          \
    X(culled, "primitives", "primitives dropped by facing or without area")            \
    X(rasterized, "primitives", "primitives that were rasterized")                     \
    X(subspans, "subspans", "blocks of 2x2 pixels with at least one covered")          \
    X(covered, "pixels", "pixels covered by primitives")                               \
    X(depth_tested, "pixels", "pixels that a depth test was made for")                 \
    X(depth_passed, "pixels", "of these, those that passed")                           \
    X(stencil_tested, "pixels", "pixels that a stencil test was made for")             \
    X(stencil_passed, "pixels", "of these, those that passed")                         \
    X(early_killed, "pixels", "pixels that failed a test before the pixel shader")     \
    X(samples_passed, "pixels", "pixels that passed all tests (occlusion count)")      \
    X(ps_invocations, "pixels", "covered pixels that a pixel shader ran for")          \
    X(ps_threads8, "threads", "hardware threads of pixel shaders, SIMD8")              \
    X(ps_threads16, "threads", "the same, SIMD16")                                     \
    X(ps_threads32, "threads", "the same, SIMD32")                                     \
    X(ps_instructions, "instructions", "instructions of pixel shader threads")         \
    X(ps_lane_instructions, "instructions", "the same, times the lanes that were on")  \
    X(urb_writes, "messages", "messages that write to the URB")                        \
    X(sampler_messages, "messages", "messages to the sampler")                         \
    X(texels, "texels", "texels read by the sampler")                                  \
    X(target_messages, "messages", "messages that write to a render target")           \
    X(pixels_written, "pixels", "pixels written to render targets")                    \
    X(pixels_blended, "pixels", "of these, those that were blended")

struct gfx_counters {
#define GFX_COUNTER_FIELD(name, unit, text) uint64_t name;
    GFX_COUNTERS(GFX_COUNTER_FIELD)
#undef GFX_COUNTER_FIELD
};

struct gfx;

/* A picture in memory, as 8-bit r g b a rows from the top; malloc'ed. */
struct gfx_picture {
    uint32_t width, height;
    uint8_t *rgba;
};

/* NULL: memory is short. */
struct gfx *gfx_new(void);
void gfx_free(struct gfx *g);

/* A buffer that batches may touch: host[bytes] (the caller's) at address va. */
struct gfx_buffer {
    uint64_t va, bytes;
    uint8_t *host;
};

/* These buffers and no others are there, until the next call. IGPU_SIM_ERROR: two of
 * them overlap, or memory is short; then none is there. */
enum igpu_status gfx_map(struct gfx *g, const struct gfx_buffer *buffer, uint32_t count,
                         struct igpu_err *err);

/* Execute a batch of hardware context `context` from address `start` on, to its end.
 * IGPU_SIM_ERROR: something that is not executed; what was done until then stays. */
enum igpu_status gfx_batch(struct gfx *g, uint32_t context, uint64_t start,
                           struct igpu_err *err);

const struct gfx_counters *gfx_get_counters(const struct gfx *g);

/* Did the last batch draw with a vertex shader? */
bool gfx_has_drawn(const struct gfx *g);
/* The first colour target of the last draw that had a vertex shader, as its memory is
 * now. IGPU_SIM_ERROR: nothing was drawn yet, or no buffer has its memory any more. */
enum igpu_status gfx_get_picture(struct gfx *g, struct gfx_picture *picture,
                                 struct igpu_err *err);

#endif
