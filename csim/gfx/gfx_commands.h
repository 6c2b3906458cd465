/* gfx_commands.h - draws and dispatches; registers and stream output. */
#ifndef GFX_COMMANDS_H
#define GFX_COMMANDS_H
#include "gfx_int.h"

/* gfx_registers.c: those that commands know by number; commands of n dwords. */
uint32_t gfx_read_register(struct gfx *g, uint32_t offset);
enum igpu_status gfx_predicate(struct gfx *g, const uint32_t *p);
enum igpu_status gfx_math(struct gfx *g, const uint32_t *p, uint32_t n);
/* gfx_stream.c: state packets of n dwords; registers that count; a primitive of n
 * vertices to the buffers of its stream; behind each draw. */
void gfx_stream_declare(struct gfx *g, const uint32_t *p, uint32_t n);
enum igpu_status gfx_stream_buffer(struct gfx *g, const uint32_t *p);
bool gfx_stream_counts(const struct gfx *g, uint32_t offset, uint64_t *value);
enum igpu_status gfx_stream_out(struct gfx *g, const struct gfx_vertex *const *v,
                                uint32_t n);
enum igpu_status gfx_stream_end(struct gfx *g);
/* gfx_draw.c: 3DPRIMITIVE */
enum igpu_status gfx_draw(struct gfx *g, const uint32_t *packet);
/* gfx_compute.c: GPGPU_WALKER */
enum igpu_status gfx_compute(struct gfx *g, const uint32_t *packet);
#endif
