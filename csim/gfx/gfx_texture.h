/* gfx_texture.h - what a stage has bound, and messages about it. */
#ifndef GFX_TEXTURE_H
#define GFX_TEXTURE_H
#include "gfx_int.h"

/* gfx_binding.c: from here on the bindings are those of this stage, which is none of
 * compute. An entry of its table; NULL after a refusal. */
void gfx_bind_stage(struct gfx *g, enum gfx_stage stage);
/* No binding is known any more. */
void gfx_forget_bindings(struct gfx *g);
const struct gfx_surface *gfx_binding(struct gfx *g, uint32_t index);
/* The surface of a message, in the table or not; as above, until the next one. */
const struct gfx_surface *gfx_surface_of(struct gfx *g, const struct isa_message *m);
/* The stage's buffers that a shader reaches through the data port; entry `index` of
 * struct gfx *ctx, as an emu_shader_binder. */
enum igpu_status gfx_bind_buffer(void *ctx, uint32_t index);
enum igpu_status gfx_bind_buffers(struct gfx *g, const struct gfx_shader *s);
/* gfx_sampler.c */
enum igpu_status gfx_sample(struct gfx *g, const struct isa_inst *inst, uint8_t *grf,
                            uint32_t mask);
/* gfx_image.c: typed messages, whose lanes are the lowest eight of mask. */
bool gfx_is_image_message(const struct isa_inst *inst);
enum igpu_status gfx_media_message(struct gfx *g, const struct isa_inst *inst,
                                   uint8_t *grf);
enum igpu_status gfx_image_message(struct gfx *g, const struct isa_inst *inst,
                                   uint8_t *grf, uint32_t mask);
#endif
