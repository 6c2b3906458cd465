/* gfx_sample.h - a call of the sampler, shared by the files that answer it:
 * gfx_sampler.c takes messages apart, gfx_lod.c finds levels, gfx_filter.c texels. */
#ifndef GFX_SAMPLE_H
#define GFX_SAMPLE_H
#include "gfx_int.h"

enum { GFX_LANES = 16, GFX_PARAMETERS = 11 };
enum { WRAP, MIRROR, CLAMP, WRAP_CUBE, CLAMP_BORDER, MIRROR_ONCE, HALF_BORDER };
enum { FILTER_NEAREST, FILTER_LINEAR, FILTER_ANISOTROPIC };
enum { MIP_NONE, MIP_NEAREST, MIP_LINEAR = 3 };

struct gfx_sampler {
    uint32_t min_filter, mag_filter, mip, compare;
    uint32_t wrap[3];
    float bias, min_lod, max_lod;
    float most_probes;           /* of an anisotropic filter */
    bool unnormalized, seamless; /* of cubes: filters go on behind a face's edge */
    uint64_t border;
};

struct gfx_call {
    const struct gfx_surface *s;
    struct gfx_sampler sampler;
    uint32_t lanes, mask, type;
    uint32_t dims;                         /* that are filtered: 2 of a cube's face */
    uint32_t p[GFX_PARAMETERS][GFX_LANES]; /* as they came */
    float u[3][GFX_LANES], lod[GFX_LANES], ref[GFX_LANES];
    float dx[3][GFX_LANES], dy[3][GFX_LANES]; /* gradients of u */
    uint32_t probes[GFX_LANES];               /* along `way`, in u; 0 and 1: one */
    float way[3][GFX_LANES];
    int32_t offset[3]; /* texels */
    bool compares;
    uint32_t layer[GFX_LANES], face[GFX_LANES];
    uint32_t border[4];
    uint32_t rgba[4][GFX_LANES];
};

/* gfx_lod.c: cube coordinates to a face and its u and v, gradients with them; blocks:
 * those between the lanes of a block of pixels, which they then are anew. */
void gfx_find_faces(struct gfx_call *c, bool blocks);
/* Gradients by differences within each block of 2x2: right minus left, lower minus
 * upper. */
void gfx_find_gradients(struct gfx_call *c);
/* From gradients: level of detail, and probes of an anisotropic filter. */
void gfx_find_lod(struct gfx_call *c);
/* Texel x, y of a face, one step outside of it, on the face that it lies on. */
void gfx_cube_neighbour(uint32_t size, uint32_t *face, int32_t *x, int32_t *y);

/* gfx_filter.c. False: a texel lies outside of the batch's memory. */
bool gfx_fetch(struct gfx *g, const struct gfx_call *c, const int32_t at[3],
               uint32_t level, uint32_t layer, uint32_t rgba[4]);
/* The level that would be read, whole unless two are, and the computed one. */
void gfx_lod_lane(struct gfx_call *c, uint32_t lane);
bool gfx_sample_lane(struct gfx *g, struct gfx_call *c, uint32_t lane);
/* Channel `channel` of the four texels that a linear filter would weigh; more: offsets
 * of this lane, texels. */
bool gfx_gather_lane(struct gfx *g, struct gfx_call *c, uint32_t lane, uint32_t channel,
                     const int32_t more[2]);
#endif
