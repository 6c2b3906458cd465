/* gfx_target.h - render targets: clears and messages. */
#ifndef GFX_TARGET_H
#define GFX_TARGET_H
#include "gfx_int.h"

/* gfx_clear.c: 3DSTATE_WM_HZ_OP as it is set; what pixel x, y of a fast clear's
 * rectangle stands for. */
enum igpu_status gfx_hz_operation(struct gfx *g);
enum igpu_status gfx_fast_clear(struct gfx *g, const struct gfx_surface *s, uint32_t x,
                                uint32_t y);
/* gfx_target.c, gfx_target_read.c */
enum igpu_status gfx_target_write(struct gfx *g, const struct isa_inst *inst,
                                  const uint8_t *grf, uint32_t mask);
enum igpu_status gfx_target_read(struct gfx *g, const struct isa_inst *inst,
                                 uint8_t *grf, uint32_t mask);
#endif
