/* gfx_geometry.h - vertices to primitives on the screen. */
#ifndef GFX_GEOMETRY_H
#define GFX_GEOMETRY_H
#include "gfx_int.h"

/* gfx_vertex.c: vertices `index[count]`, at most 8, of an instance through fetch and
 * shader. */
enum igpu_status gfx_vertices(struct gfx *g, const uint32_t *index, uint32_t count,
                              uint32_t instance, uint32_t first_instance,
                              struct gfx_vertex *out);
/* Slots of a vertex that the draw's vertices can have, the rest are zeros; all where
 * the shader is none that runs, which is refused when its first vertices are fetched.
 */
uint32_t gfx_vertex_slots(struct gfx *g);
/* gfx_clip.c */
enum igpu_status gfx_clip(struct gfx *g, const struct gfx_triangle *t);
/* gfx_assemble.c: primitives of n vertices of the draw's topology, or of one that a
 * stage in front of it made; of `size` vertices each, by n numbers of them. */
enum igpu_status gfx_assemble(struct gfx *g, const struct gfx_vertex *v, uint32_t n);
typedef enum igpu_status gfx_assembler(struct gfx *g, uint32_t topology,
                                       const struct gfx_vertex *v, uint32_t n);
typedef enum igpu_status gfx_patch_assembler(struct gfx *g, uint32_t size,
                                             const struct gfx_vertex *v,
                                             const uint16_t *index, uint32_t n);
/* gfx_tess.c: patches of n vertices, some corners each; each is assembled at once. */
enum igpu_status gfx_patches(struct gfx *g, uint32_t corners,
                             const struct gfx_vertex *v, uint32_t n,
                             gfx_patch_assembler *assemble);
/* gfx_geometry.c: a primitive of n vertices for the geometry shader, which stay until
 * the flush that runs it for all that wait. */
enum igpu_status gfx_geometry(struct gfx *g, const struct gfx_vertex *const *v,
                              uint32_t n, gfx_assembler *assemble);
enum igpu_status gfx_geometry_flush(struct gfx *g, gfx_assembler *assemble);
#endif
