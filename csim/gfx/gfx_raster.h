/* gfx_raster.h - primitives to blocks of pixels, and the pixel shader on them. */
#ifndef GFX_RASTER_H
#define GFX_RASTER_H
#include "gfx_int.h"

/* gfx_raster.c, gfx_edge.c, gfx_pixel.c */
enum igpu_status gfx_rasterize(struct gfx *g, const struct gfx_triangle *t);
void gfx_make_edges(const struct gfx_setup *s, struct gfx_edge e[3]);
enum igpu_status gfx_shade(struct gfx *g, const struct gfx_setup *s,
                           const struct gfx_group *group);
/* Behind what finds the draw's samples. */
void gfx_find_payload(struct gfx *g);
/* gfx_cover.c, with AVX2: which of these pixels of the block are covered, and the
 * group's numbers of it, from `first` on, if any is. */
uint32_t gfx_cover_avx2(const struct gfx_setup *s, const struct gfx_edge e[3],
                        int32_t x, int32_t y, uint32_t mask, struct gfx_group *group,
                        uint32_t first);
/* The same file: what is another group's in the registers of a thread of at most 16
 * lanes behind another one of its primitive: corners, mask, both barycentrics of
 * pixels. */
void gfx_put_group_avx2(const struct gfx_group *group, uint32_t lanes, uint8_t *to);
/* gfx_line.c: the width of t's line or point, and how much of the pixel at x, y it
 * covers: 0, 1, or between where it is smooth. weight: of its vertices there. */
double gfx_width(const struct gfx *g, const struct gfx_triangle *t);
bool gfx_is_smooth(const struct gfx *g, const struct gfx_triangle *t);
double gfx_covers(const struct gfx_setup *s, double cx, double cy, double weight[3]);
/* Of any place on the screen, and whole: lines are rectangles, as of several samples.
 */
bool gfx_covers_wide(const struct gfx_setup *s, double x, double y, double weight[3]);
/* The column, or of a steep line the row, of its first pixel; how many pixels it has
 * along itself. */
uint32_t gfx_line_pixels(const struct gfx_setup *s, int32_t *first);
/* gfx_stipple.c: whether s is stippled, and a line where in its pattern. Is the pixel
 * drawn? Of a line that is a rectangle, is the place, by what its second vertex weighs;
 * how much of a pixel's length around that, at most 1? */
void gfx_find_stipple(struct gfx *g, struct gfx_setup *s);
bool gfx_stipple(const struct gfx *g, const struct gfx_setup *s, int32_t x, int32_t y);
bool gfx_stipple_place(const struct gfx *g, const struct gfx_setup *s, double along);
double gfx_stipple_part(const struct gfx *g, const struct gfx_setup *s, double along);
/* What depth offset adds to a triangle's depth. */
double gfx_depth_offset(const struct gfx *g, const struct gfx_setup *s);
/* gfx_conservative.c: whether s is rasterized so; then which of the block's pixels it
 * touches, and which lie in it as a whole. */
bool gfx_is_conservative(const struct gfx *g, const struct gfx_triangle *t);
uint32_t gfx_touches(const struct gfx_setup *s, const struct gfx_edge e[3], int32_t x,
                     int32_t y);
uint32_t gfx_encloses(const struct gfx_setup *s, int32_t x, int32_t y);
/* gfx_multisample.c: instead of the rasterizer's blocks. */
enum igpu_status gfx_multisample_blocks(struct gfx *g, const struct gfx_setup *s,
                                        const struct gfx_edge e[3]);
/* gfx_interpolate.c: a message to the pixel interpolator. */
enum igpu_status gfx_interpolate(struct gfx *g, const struct isa_inst *inst,
                                 uint8_t *grf, uint32_t mask);

/* gfx_fill.c: a rectangle whose threads may all do the same. */
struct gfx_fill {
    uint32_t wide, blocks;      /* blocks of 2x2 in a row, and in all */
    struct gfx_counters before; /* its first block, as is.. */
    uint64_t work;              /* ..this of the batch */
    const struct gfx_surface *target;
    struct gfx_level level;
    uint32_t width;       /* of the level */
    uint32_t *drawn_over; /* how often each pixel was written; may be NULL */
};
/* Before its first block. False: each thread has to run. */
bool gfx_fill_begin(const struct gfx *g, const struct gfx_setup *s,
                    struct gfx_fill *fill);
/* Behind the first thread, whose last block is at *x, *y; where the last one lies that
 * is done then. */
void gfx_fill(struct gfx *g, const struct gfx_setup *s, struct gfx_fill *fill,
              int32_t *x, int32_t *y);

/* Blocks that a thread of the pixel shader takes. */
static inline uint32_t gfx_group_room(const struct gfx *g)
{
    return g->d.ps[2] != NULL && g->d.ps[1] == NULL ? 8 : g->d.ps[1] != NULL ? 4 : 2;
}
#endif
