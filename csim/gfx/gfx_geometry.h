/* gfx_geometry.h - vertices to primitives on the screen. */
#ifndef GFX_GEOMETRY_H
#define GFX_GEOMETRY_H
#include "gfx_int.h"
#include "gfx_queue.h"
#include "gfx_raster.h"

/* gfx_ahead.c: a run of n vertices without a cut, of an instance. Behind _begin the
 * stage of pixels is bound, and the vertices are shaded, or will be: gfx_assemble()
 * awaits those that it needs. _end: all are, and counted; the status and error of the
 * first that failed. */
struct gfx_strip {
    const uint32_t *index;
    uint32_t n, instance, first_instance;
    struct gfx_vertex *v;
};
enum igpu_status gfx_strip_begin(struct gfx *g, const struct gfx_strip *s);
enum igpu_status gfx_strip_end(struct gfx *g);
enum igpu_status gfx_await_vertices(struct gfx *g, const struct gfx_triangle *t);
/* Of triangle `number` of a run that is a list of such, whose vertices are there: what
 * whoever shaded them found of it; its setup, if it has one, into *s. */
enum gfx_fate gfx_fate_ahead(struct gfx *g, uint32_t number,
                             const struct gfx_triangle *t, struct gfx_setup *s);
/* The lines with a vertex' first slots are fetched, to be read or written: they lie far
 * apart. */
static inline void gfx_fetch_vertex(const struct gfx_vertex *v, bool writes)
{
    enum { LINE = 64 };
    const uint8_t *at = (const uint8_t *)v;

    for (uint32_t i = 0; i < 2 * LINE; i += LINE)
        if (writes)
            __builtin_prefetch(at + i, 1);
        else
            __builtin_prefetch(at + i, 0);
}

/* gfx_vertex.c: vertices `index[count]` of an instance through fetch and shader, eight
 * a thread. */
enum igpu_status gfx_vertices(struct gfx *g, const uint32_t *index, uint32_t count,
                              uint32_t instance, uint32_t first_instance,
                              struct gfx_vertex *out);
/* Slots of a vertex that the draw's vertices can have, the rest are zeros; all where
 * the shader is none that runs, which is refused when its first vertices are fetched.
 */
uint32_t gfx_vertex_slots(struct gfx *g);
/* Where what they are made of lies, with the stage of vertices bound, of a shader whose
 * reach is known. False: a refusal. */
bool gfx_vertex_reads(struct gfx *g, struct gfx_reads *reads);
/* gfx_clip.c */
enum igpu_status gfx_clip(struct gfx *g, const struct gfx_triangle *t);
/* Of a triangle of which is known that it stays whole, or that nothing is left: its
 * setup, counted; else nothing is. */
enum gfx_fate gfx_clip_ahead(struct gfx *g, const struct gfx_triangle *t,
                             struct gfx_setup *s);
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
