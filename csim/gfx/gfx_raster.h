/* gfx_raster.h - primitives to blocks of pixels, and the pixel shader on them. */
#ifndef GFX_RASTER_H
#define GFX_RASTER_H
#include "gfx_int.h"

/* gfx_raster.c, gfx_edge.c, gfx_pixel.c */
enum igpu_status gfx_rasterize(struct gfx *g, const struct gfx_triangle *t);
/* The same in two steps. In the first, which looks at the draw's state and counts what
 * is dropped alone, the primitive gets its setup, nothing is left of it, or it is open
 * what comes: *status, or an outline. */
enum gfx_fate { GFX_IS_OPEN, GFX_IS_SET_UP, GFX_IS_GONE };
enum gfx_fate gfx_set_up(struct gfx *g, const struct gfx_triangle *t,
                         struct gfx_setup *s, enum igpu_status *status);
enum igpu_status gfx_rasterize_setup(struct gfx *g, struct gfx_setup *s);
void gfx_make_edges(const struct gfx_setup *s, struct gfx_edge e[3]);
/* gfx_place.c: which pixels of the block at x, y, of even coordinates, are covered, and
 * if any is, their numbers into the group's, from `first` on. Of a group of which
 * blocks and mask alone are there, its pixels' numbers. */
uint32_t gfx_cover(const struct gfx *g, const struct gfx_setup *s,
                   const struct gfx_edge e[3], int32_t x, int32_t y,
                   struct gfx_group *group, uint32_t first);
void gfx_place(struct gfx *g, const struct gfx_setup *s, struct gfx_group *group);
/* The primitive's edges and planes, into the draw's. */
void gfx_place_edges(struct gfx *g, const struct gfx_setup *s);
enum igpu_status gfx_shade(struct gfx *g, const struct gfx_setup *s,
                           const struct gfx_group *group);
/* A group of which blocks and mask alone are there, or what `placed` has. */
enum igpu_status gfx_shade_later(struct gfx *w, const struct gfx_setup *s,
                                 struct gfx_group *group);
/* A way through a primitive's blocks, row by row: where it goes on, at what row it ends
 * for now; each row's first column, and what is behind its last one; the box (x0 y0 x1
 * y1) in which pixels count. */
struct gfx_walk {
    int32_t x, y, until, start, stop, box[4];
};
/* gfx_cover.c, with AVX2: what a primitive's pixels are made with; the next blocks on
 * the way that have covered pixels into the group, from its block `first` on to before
 * `end`, and which pixels, in the group's order. */
void gfx_planes_avx2(const struct gfx_setup *s, const struct gfx_edge e[3],
                     struct gfx_planes *p);
uint32_t gfx_cover_avx2(const struct gfx_setup *s, const struct gfx_planes *p,
                        struct gfx_walk *walk, struct gfx_group *group, uint32_t first,
                        uint32_t end);
/* gfx_place() of such primitives, with depths or without. */
void gfx_place_avx2(const struct gfx_planes *p, struct gfx_group *group, bool depths);
/* Behind what finds the draw's samples. */
void gfx_find_payload(struct gfx *g);
/* gfx_cover.c: what is another group's in the registers of a thread of at most 16
 * lanes behind another one of its primitive: corners, mask, both barycentrics of
 * pixels. */
void gfx_put_group_avx2(const struct gfx_group *group, uint32_t lanes, uint8_t *to);
/* These barycentrics of 16 lanes, for later. */
void gfx_keep_group_avx2(const struct gfx_group *group, float *b1, float *b2);
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

/* What an edge is at the pixel's centre. */
static inline int64_t gfx_edge_at(const struct gfx_edge *e, int32_t x, int32_t y)
{
    enum { GRID = 256 };

    return e->a * (x * GRID + GRID / 2) + e->b * (y * GRID + GRID / 2) + e->c;
}

/* The pixels of the block at x, y that lie in box (x0 y0 x1 y1). */
static inline uint32_t gfx_within(int32_t x, int32_t y, const int32_t box[4])
{
    uint32_t left, right, top, low;

    if (x >= box[0] && x + 2 <= box[2] && y >= box[1] && y + 2 <= box[3])
        return 15;
    left = x >= box[0] && x < box[2] ? 5 : 0;
    right = x + 1 >= box[0] && x + 1 < box[2] ? 10 : 0;
    top = y >= box[1] && y < box[3] ? 3 : 0;
    low = y + 1 >= box[1] && y + 1 < box[3] ? 12 : 0;
    return (left | right) & (top | low);
}

/* Blocks that a thread of the pixel shader takes. */
static inline uint32_t gfx_group_room(const struct gfx *g)
{
    return g->d.ps[2] != NULL && g->d.ps[1] == NULL ? 8 : g->d.ps[1] != NULL ? 4 : 2;
}
#endif
