/* gfx_depth.h - buffers that are drawn to, tests of depth and stencil, hierarchical
 * depth. */
#ifndef GFX_DEPTH_H
#define GFX_DEPTH_H
#include "gfx_int.h"

/* Of the pixels of a block of 2x2, as the buffer has them: of 24 bits at most, or
 * floats. */
struct gfx_depths {
    float of[4];
};
enum { GFX_DEPTH_24 = (1 << 24) - 1 };

/* The same side by side, and what is true of each: all ones. */
typedef float gfx_depths4 __attribute__((vector_size(16)));
typedef int32_t gfx_flags4 __attribute__((vector_size(16)));

/* Tests by the hardware's numbers. Floats are enough: what depth and stencil buffers
 * hold has 24 bits at most, or is one. */
static inline __attribute__((always_inline)) gfx_flags4
gfx_compare_depths(uint32_t function, gfx_depths4 a, gfx_depths4 b)
{
    switch (function) { /* 0 always, 1 never, then < == <= > != >= */
    case 0:
        return (gfx_flags4){-1, -1, -1, -1};
    case 2:
        return a < b;
    case 3:
        return a == b;
    case 4:
        return a <= b;
    case 5:
        return a > b;
    case 6:
        return a != b;
    case 7:
        return a >= b;
    default:
        return (gfx_flags4){0, 0, 0, 0};
    }
}

/* Do two of the group's blocks have one note? */
static inline bool gfx_is_one_note(const struct gfx_group *group, uint32_t a,
                                   uint32_t b)
{
    return (((uint32_t)group->x[a] ^ (uint32_t)group->x[b]) & ~(GFX_NOTE_WIDE - 1u)) ==
               0 &&
           (((uint32_t)group->y[a] ^ (uint32_t)group->y[b]) & ~(GFX_NOTE_HIGH - 1u)) ==
               0;
}

/* gfx_find.c: what may be drawn to with viewport g->d.viewport. */
enum igpu_status gfx_find_clip(struct gfx *g);
/* The buffers of the state's packets. */
enum igpu_status gfx_find_depth_buffer(struct gfx *g, struct gfx_surface *s);
void gfx_find_stencil_buffer(const struct gfx *g, struct gfx_surface *s);
/* gfx_samples.c: where samples lie; late tests of the group's pixels, which lose
 * samples: those left that have any. own: depths of pixels that the shader computed, or
 * NULL. */
void gfx_find_samples(struct gfx *g);
uint32_t gfx_multisample_late(struct gfx *g, uint32_t pixels, const double *own,
                              enum igpu_status *status);
/* gfx_blocks.c, on any host, and on one with AVX2: the pixels of mask that pass, of
 * which buffer s is written if t says so; at: where in memory their blocks lie; now: of
 * the blocks with pixels that pass, what these have; others have what one of these has.
 */
uint32_t gfx_test_blocks_any(const struct gfx_surface *s, const struct gfx_tests *t,
                             uint32_t mask, const double *z,
                             uint8_t *const at[GFX_BLOCKS],
                             struct gfx_depths now[GFX_BLOCKS]);
uint32_t gfx_test_blocks_avx2(const struct gfx_surface *s, const struct gfx_tests *t,
                              uint32_t mask, const double *z,
                              uint8_t *const at[GFX_BLOCKS],
                              struct gfx_depths now[GFX_BLOCKS]);
/* Depths at a rectangle's corners, of the plane through a primitive's vertices, and the
 * sums of what each is made of, without signs. Of a primitive whose blocks are
 * gfx_cover.c's, which has AVX2: between which these depths lie, of a triangle within
 * those of its vertices, and the greatest sum. False: one of them is no number, or
 * infinite. */
void gfx_find_planes(const struct gfx_setup *s, const struct gfx_edge e[3],
                     const int64_t from[2], const int64_t size[2], double z[4],
                     double sum[4]);
bool gfx_find_span_avx2(const struct gfx_setup *s, const struct gfx_edge e[3],
                        const int64_t from[2], const int64_t size[2], double z[2],
                        double *sum);
/* Between which depths so many blocks lie; whether all of a note's block of dwords do,
 * whose two columns in a tile lie at `at`. */
enum { GFX_NEXT_COLUMN = 512 };
void gfx_find_range_any(uint32_t count, const struct gfx_depths *v, float range[2]);
void gfx_find_range_avx2(uint32_t count, const struct gfx_depths *v, float range[2]);
bool gfx_are_within_any(bool floats, const uint8_t *at, float least, float most);
bool gfx_are_within_avx2(bool floats, const uint8_t *at, float least, float most);
/* gfx_depth.c: the pixels of mask that pass depth and stencil; buffers are written.
 * Notes settle those of d.passes and d.fails. */
uint32_t gfx_depth_stencil(struct gfx *g, const struct gfx_group *group, uint32_t mask,
                           const double *z, bool front, enum igpu_status *status);
/* Before the shader of a draw whose tests are late: those of mask that are left, which
 * are all unless d.rejected, and else those whose depth does not fail all the same.
 * Nothing is written. */
uint32_t gfx_depth_reject(struct gfx *g, const struct gfx_group *group, uint32_t mask,
                          const double *z, enum igpu_status *status);
/* As the buffer holds it. */
void gfx_store_depth(const struct gfx_surface *s, double z, uint8_t *at);
/* So many side by side; the bytes of each that are written, of the format's. */
uint32_t gfx_store_depths(const struct gfx_surface *s, double z, uint8_t *at,
                          uint32_t count);
float gfx_depth_value(const struct gfx_surface *s, double z);
/* Depths of pixels become such as the draw's buffer would hold. */
enum igpu_status gfx_depth_range(struct gfx *g, double z[2]);
/* Nothing is written to stencil where a pixel fails. */
bool gfx_stencil_keeps(const struct gfx *g);
/* Does the draw's buffer have in this block what the note says? */
bool gfx_depth_is_within(struct gfx *g, const struct gfx_notes *n, uint32_t x,
                         uint32_t y, const struct gfx_note *note);
/* All lines of the block of s are written. False, as below: memory is short. */
bool gfx_touch_depth_block(struct gfx *g, const struct gfx_surface *s,
                           const struct gfx_notes *n, uint32_t x, uint32_t y);
/* The block's pixels; x, y, in pixels, of the first one, x1, y1 behind the last. */
struct gfx_note_pixels {
    uint32_t x, y, x1, y1;
};
struct gfx_note_pixels gfx_note_pixels(const struct gfx_notes *n, uint32_t x,
                                       uint32_t y);
/* Of a pixel of one sample, or one of its samples. */
uint64_t gfx_note_va(const struct gfx_surface *s, const struct gfx_level *level,
                     uint32_t log2, uint32_t sample, uint32_t x, uint32_t y);
/* gfx_notes.c, gfx_hiz.c: the notes on a layer of a depth buffer, made if there are
 * none; NULL: none can be. Behind what finds a draw's state; before a primitive's
 * pixels, and behind them. */
struct gfx_notes *gfx_hiz_find(struct gfx *g, const struct gfx_surface *s,
                               uint32_t layer, uint32_t samples_log2);
void gfx_hiz_draw(struct gfx *g);
void gfx_hiz_primitive(struct gfx *g, const struct gfx_setup *s);
/* The same on the copy of a host thread, of some rows of a primitive whose notes these
 * are. */
void gfx_hiz_rows(struct gfx *w, const struct gfx_setup *s, struct gfx_notes *notes);
enum igpu_status gfx_hiz_finish(struct gfx *g);
/* What the block's note says of the primitive's pixel x, y: `pixels` are in d.passes or
 * d.fails then, or in neither; rows of blocks come one after the other. Of a draw whose
 * tests are late: d.rejected. */
enum igpu_status gfx_hiz_test(struct gfx *g, const struct gfx_setup *s,
                              const struct gfx_edge e[3], int32_t x, int32_t y,
                              uint32_t pixels);
/* Are the depths around pixel x, y those of a clear alone? */
bool gfx_hiz_is_clear(const struct gfx *g, uint32_t x, uint32_t y);
/* Depth v was written there; the pixels of mask were written of `count` blocks that
 * have one note, the first one at x, y, and nobody is told of lines; v: of each block,
 * pixels outside of mask have what one in it has. */
bool gfx_hiz_written(struct gfx *g, uint32_t x, uint32_t y, float v);
void gfx_hiz_written_blocks(struct gfx *g, uint32_t x, uint32_t y, uint32_t mask,
                            uint32_t count, const struct gfx_depths *v);
/* The note's line is read, and perhaps written. */
bool gfx_hiz_touch(struct gfx *g, const struct gfx_notes *n, uint32_t x, uint32_t y,
                   bool written);
/* A clear, a resolve of depth (or of the notes) of pixels from at[0], at[1] to before
 * at[2], at[3]. */
void gfx_hiz_cleared(struct gfx *g, const struct gfx_surface *s, const uint32_t at[4],
                     bool all_samples, float v);
enum igpu_status gfx_hiz_resolve(struct gfx *g, const struct gfx_surface *s,
                                 const uint32_t at[4], bool depth);
void gfx_hiz_free(struct gfx *g);
#endif
