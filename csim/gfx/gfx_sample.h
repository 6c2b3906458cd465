/* gfx_sample.h - a call of the sampler, shared by the files that answer it:
 * gfx_sampler.c takes messages apart, gfx_lod.c finds levels, gfx_filter.c texels,
 * gfx_flat.c most of them, gfx_lanes.c those of all lanes at once, gfx_load.c those
 * that are not filtered. */
#ifndef GFX_SAMPLE_H
#define GFX_SAMPLE_H
#include "csim/tex/place.h"
#include "gfx_int.h"

enum gfx_message_type {
    GFX_SAMPLE = 0,
    GFX_SAMPLE_B,
    GFX_SAMPLE_L,
    GFX_SAMPLE_C,
    GFX_SAMPLE_D,
    GFX_SAMPLE_B_C,
    GFX_SAMPLE_L_C,
    GFX_LD,
    GFX_GATHER4,
    GFX_LOD,
    GFX_RESINFO,
    GFX_SAMPLEINFO,
    GFX_GATHER4_C = 16,
    GFX_GATHER4_PO,
    GFX_GATHER4_PO_C,
    GFX_SAMPLE_D_C = 20,
    GFX_SAMPLE_LZ = 24,
    GFX_SAMPLE_C_LZ,
    GFX_LD_LZ,
    GFX_LD2DMS_W = 28, /* of several samples; their MCS in two parameters */
    GFX_LD_MCS,
    GFX_LD2DMS
};
enum { GFX_LANES = 16, GFX_PARAMETERS = 11, GFX_FLAT_LINES = 8 };
enum { FILTER_NEAREST, FILTER_LINEAR, FILTER_ANISOTROPIC };
enum { MIP_NONE, MIP_NEAREST, MIP_LINEAR = 3 };
enum gfx_texels { GFX_BYTES, GFX_SRGB_BYTES, GFX_OTHERS }; /* 8 bits a channel, four */
enum gfx_reduction { REDUCE_MEAN, REDUCE_COMPARED, REDUCE_LEAST, REDUCE_GREATEST };

/* gfx_flat.c: a level and layer of a surface of two dimensions. */
struct gfx_plane {
    uint32_t level, layer;
    int32_t size[2];
    double scale[2]; /* from u and v to texels */
    struct gfx_level at;
    bool linear; /* of the lanes' texels here: */
    int32_t low[2][GFX_LANES];
    float weight[2][GFX_LANES]; /* of the second one */
};

/* What gfx_flat.c settles for a message, and counts in it. */
struct gfx_flat {
    bool on, edges; /* edges: what lies outside is another face's */
    enum gfx_texels kind;
    uint32_t red, alpha, bytes, tiling, wrap[2]; /* of the surface and the sampler */
    uint32_t border[4];
    struct gfx_plane plane[2]; /* those used last, of even and odd levels */
    /* Of the lines that the message touched and counted some, and where they are;
     * UINT64_MAX: none. */
    uint64_t line[GFX_FLAT_LINES];
    const uint8_t *host[GFX_FLAT_LINES];
    uint64_t texels, outside, linear, nearest;
};

struct gfx_call {
    const struct gfx_surface *s;
    struct gfx_sampler sampler;
    uint32_t lanes, mask, type;
    const struct gfx_plain *plain; /* NULL: the surface is none for gfx_bytes.c */
    uint32_t dims;                 /* that are filtered: 2 of a cube's face */
    int32_t offset[3];             /* texels */
    bool compares;
    uint32_t border[4];
    uint32_t layer[GFX_LANES], face[GFX_LANES];
    float lod[GFX_LANES];
    uint32_t probes[GFX_LANES]; /* along `way`, in u; 0 and 1: one */
    /* From here on what a message does not use has no value. */
    uint32_t rgba[4][GFX_LANES];
    uint32_t p[GFX_PARAMETERS][GFX_LANES]; /* as they came */
    float u[3][GFX_LANES], ref[GFX_LANES];
    float dx[3][GFX_LANES], dy[3][GFX_LANES]; /* gradients of u.. */
    uint32_t share; /* ..which so many lanes side by side have in common */
    float way[3][GFX_LANES];
    struct gfx_flat flat;
};

/* gfx_lod.c: cube coordinates to a face and its u and v, gradients with them; blocks:
 * those between the lanes of a block of pixels, which they then are anew. */
void gfx_find_faces(struct gfx_call *c, bool blocks);
/* Gradients by differences within each block of 2x2: right minus left, lower minus
 * upper. */
void gfx_find_gradients(struct gfx_call *c);
/* From gradients: level of detail, and probes of an anisotropic filter. */
void gfx_find_lod(struct gfx_call *c);
/* The same where only its sign matters, and nothing is anisotropic: 1 and -1. */
void gfx_find_lod_sign(struct gfx_call *c);
/* Levels (or signs) of blocks of pixels, by their places, where nobody else needs the
 * gradients: there is one probe. */
void gfx_find_block_lods(struct gfx_call *c, bool sign);
/* Texel x, y of a face, one step outside of it, on the face that it lies on. */
void gfx_cube_neighbour(uint32_t size, uint32_t *face, int32_t *x, int32_t *y);

/* The greatest number whose root is rounded to 1. */
#define GFX_ROOT_IS_ONE 0x1.0000000000001p0

/* gfx_load.c: ld; ld of a surface of several samples, and what its MCS says; resinfo;
 * sampleinfo. */
enum igpu_status gfx_load(struct gfx *g, struct gfx_call *c);
enum igpu_status gfx_load_sample(struct gfx *g, struct gfx_call *c);
void gfx_sample_places(struct gfx_call *c);
void gfx_describe(struct gfx_call *c);
void gfx_count_samples(struct gfx_call *c);

/* By what the sampler's state says. */
static inline float gfx_within(const struct gfx_call *c, float lod)
{
    lod = lod != lod ? 0 : lod;
    lod = lod < c->sampler.min_lod ? c->sampler.min_lod : lod;
    return lod > c->sampler.max_lod ? c->sampler.max_lod : lod;
}

/* Level of the first texel that is read; *lod: between 0 and the last level. */
static inline uint32_t gfx_first_level(const struct gfx_call *c, float *lod)
{
    const float last = (float)(c->s->levels - 1);

    const float most = c->sampler.mip == MIP_NONE ? 0 : last;
    float at = *lod > 0 ? *lod : 0;

    at = at < most ? at : most;
    *lod = at;
    return (uint32_t)(int32_t)(at + (c->sampler.mip == MIP_LINEAR ? 0 : 0.5f));
}

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

/* gfx_flat.c: its tables; what a message samples is settled; the same for lanes one by
 * one, too; and is counted. */
void gfx_flat_init(struct gfx *g);
enum gfx_texels gfx_kind_of(const struct tex_format *f); /* which is no block's */
void gfx_flat_settle(struct gfx_call *c);
void gfx_flat_begin(struct gfx_call *c);
void gfx_flat_end(struct gfx *g, struct gfx_call *c);
/* One filter's texels, where flat.on; shift: in u and v, NULL: none. NOT: gfx_filter.c
 * must, nothing has happened. */
enum gfx_flat_result { GFX_FLAT_DONE, GFX_FLAT_FAULT, GFX_FLAT_NOT };
enum gfx_flat_result gfx_flat_filter(struct gfx *g, struct gfx_call *c, uint32_t lane,
                                     uint32_t level, bool linear, const float *shift,
                                     float out[4]);
/* A message, all lanes at once. False: nothing has happened, each must be sampled. */
bool gfx_flat_lanes(struct gfx *g, struct gfx_call *c);
/* gfx_lanes.c, on any host and on one with AVX2: the same. */
bool gfx_sample_lanes_any(struct gfx *g, struct gfx_call *c);
bool gfx_sample_lanes_avx2(struct gfx *g, struct gfx_call *c);
#endif
