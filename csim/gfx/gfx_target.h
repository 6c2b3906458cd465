/* gfx_target.h - render targets: clears and messages. */
#ifndef GFX_TARGET_H
#define GFX_TARGET_H
#include "csim/tex/lanes.h"
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
/* gfx_store.c: behind a message from which how the target is written is known, whose
 * colours are at these places of the registers: the next ones of its instruction may be
 * gfx_store_avx2()'s. That on a host with AVX2; false: nothing has happened,
 * gfx_target_write() must. */
void gfx_find_store(struct gfx *g, const struct gfx_surface *s,
                    const struct gfx_store *store);
bool gfx_store_avx2(struct gfx *g, const struct isa_inst *inst, const uint8_t *grf,
                    uint32_t mask);

/* gfx_blend.c. What is blended, of some of a message's lanes; to: what was there. */
struct gfx_operands {
    struct tex_texels from, to, second, constant;
};
/* The second source in the payload, and bytes from channel to channel; NULL: none. */
struct gfx_second {
    const uint8_t *colour;
    size_t stride;
};
/* What o->from becomes, of so many lanes. */
void gfx_blend(const struct gfx_target *how, const struct tex_format *f,
               const struct gfx_second *second, uint32_t lanes, struct gfx_operands *o);
/* The same of texels of four bytes: `texel`, which has those that were there if
 * how->reads, gets those that are to be stored. On any host, and on one with AVX2. */
void gfx_merge_lanes_any(const struct gfx_target *how, const struct tex_format *f,
                         const struct gfx_second *second, uint32_t lanes,
                         struct gfx_operands *o, uint8_t texel[TEX_PACKED][4]);
void gfx_merge_lanes_avx2(const struct gfx_target *how, const struct tex_format *f,
                          const struct gfx_second *second, uint32_t lanes,
                          struct gfx_operands *o, uint8_t texel[TEX_PACKED][4]);
#endif
