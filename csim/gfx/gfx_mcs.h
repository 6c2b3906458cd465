/* gfx_mcs.h - notes on the samples of pixels. Layers are the buffer's. */
#ifndef GFX_MCS_H
#define GFX_MCS_H
#include "gfx_int.h"

/* What a note says where each sample is in its own place. */
uint64_t gfx_mcs_places(uint32_t samples_log2);
/* Do all samples have the clear colour, whatever memory has? */
bool gfx_mcs_is_clear(struct gfx *g, const struct gfx_surface *s, uint32_t x,
                      uint32_t y, uint32_t layer);
/* All samples become the clear colour, which is `texel`, in memory too; of one sample a
 * pixel as well. */
enum igpu_status gfx_mcs_clear(struct gfx *g, const struct gfx_surface *s, uint32_t x,
                               uint32_t y, uint32_t layer, const uint8_t *texel);
/* A sample is read or written in its place next: there all are from now on. */
enum igpu_status gfx_mcs_place(struct gfx *g, const struct gfx_surface *s, uint32_t x,
                               uint32_t y, uint32_t layer);
#endif
