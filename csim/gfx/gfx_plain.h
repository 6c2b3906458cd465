/* gfx_plain.h - sampler messages from textures of two dimensions with 8 bits a channel,
 * on a host with AVX2 or AVX-512: what is known of them, and who answers them. */
#ifndef GFX_PLAIN_H
#define GFX_PLAIN_H
#include "gfx_sample.h"

/* gfx_plain.c: into *p, which is off where such messages are not for gfx_bytes.c. */
void gfx_plan(struct gfx *g, const struct gfx_surface *s, const struct gfx_sampler *t,
              struct gfx_plain *p);
/* The same, found again while the binding stays; sampler: address of the state *t.
 * NULL: not for it. */
const struct gfx_plain *gfx_find_plain(struct gfx *g, const struct gfx_surface *s,
                                       uint64_t sampler, const struct gfx_sampler *t);

/* Lanes with coordinates u[0] and u[1], and levels: those of blocks of four, or zero,
 * and `level` of each added, unless that is NULL. Into registers from `to` on, so many
 * channels; *s and *t are those of *p. False: nothing has happened. */
struct gfx_plain_message {
    const struct gfx_surface *s;
    const struct gfx_sampler *t;
    const float *u[2], *level; /* of 16 lanes, where there are 8, too */
    bool blocks, sign;         /* sign: the level's alone matters */
    uint32_t lanes, mask, channels;
    uint8_t *to;
};
typedef bool gfx_plain_fn(struct gfx *g, const struct gfx_plain *p,
                          const struct gfx_plain_message *m);
typedef bool gfx_bytes_fn(struct gfx *g, const struct gfx_plain *p, struct gfx_call *c);
/* Levels (signs: 1 and -1) of its blocks, each four times. */
typedef void gfx_lods_fn(const struct gfx_plain *p, const float *const u[2], bool sign,
                         float lod[GFX_LANES]);
/* gfx_bytes.c */
extern gfx_plain_fn gfx_sample_plain_avx2, gfx_sample_plain_avx512;
extern gfx_bytes_fn gfx_sample_bytes_avx2, gfx_sample_bytes_avx512;
extern gfx_lods_fn gfx_find_block_lods_avx2, gfx_find_block_lods_avx512;
#endif
