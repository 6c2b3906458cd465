/* gfx_tess.h - tessellation: gfx_tess.c runs hull and domain shaders,
 * gfx_tessellator.c makes the points between them. */
#ifndef GFX_TESS_H
#define GFX_TESS_H
#include "gfx_int.h"

enum gfx_domain { GFX_DOMAIN_QUAD, GFX_DOMAIN_TRI, GFX_DOMAIN_LINES };
/* To whole numbers of segments, or with two that grow from nothing. */
enum gfx_partition { GFX_CUT_WHOLE, GFX_CUT_ODD, GFX_CUT_EVEN };

/* Of a patch, in the API's order. */
struct gfx_factors {
    enum gfx_domain domain;
    enum gfx_partition how;
    float outer[4], inner[2];
};

enum {
    GFX_TESS_POINTS = 65 * 65 + 4 * 65,
    GFX_TESS_INDICES = 6 * 65 * 65 + 6 * 4 * 65
};
struct gfx_tessellated {
    uint32_t size;                   /* of a primitive: 1 to 3 points; the caller's */
    bool against;                    /* triangles go from u to v: the caller's */
    uint32_t points, indices;        /* indices: all primitives' */
    float point[GFX_TESS_POINTS][2]; /* u, v */
    uint16_t index[GFX_TESS_INDICES];
};

/* Nothing, where a factor of an outer edge is not above 0. */
void gfx_tessellate(struct gfx_tessellated *t, const struct gfx_factors *f);
#endif
