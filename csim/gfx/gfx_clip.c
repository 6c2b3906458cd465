/* gfx_clip.c - clipping in homogeneous coordinates, by the planes that the state asks
 * for: depth, user planes, and the guard band instead of the viewport's sides, which
 * the rasterizer cuts. Attributes of new vertices are interpolated slot by slot. */
#include "gfx_geometry.h"
#include "gfx_raster.h"

enum { CLIP_REJECT_ALL = 3, USER_PLANES = 8 };
/* The guard band's sides in viewports: pixels stay within 2^15. */
#define GUARD 8.0
/* Behind the eye nothing is divided by zero. */
#define LEAST_W 1e-6

struct polygon {
    struct gfx_vertex v[GFX_MAX_CLIPPED];
    bool hidden[GFX_MAX_CLIPPED]; /* the edge from it on; those along planes are, too */
    uint32_t count;
};

enum plane {
    PLANE_W,
    PLANE_NEAR,
    PLANE_FAR,
    PLANE_X0,
    PLANE_X1,
    PLANE_Y0,
    PLANE_Y1,
    PLANE_USER
};

/* From the planes before the user's. */
static inline void distances(const struct gfx *g, const struct gfx_vertex *v,
                             double d[PLANE_USER])
{
    const double x = (double)v->slot[1][0], y = (double)v->slot[1][1],
                 z = (double)v->slot[1][2], w = (double)v->slot[1][3];

    d[PLANE_W] = w - LEAST_W;
    d[PLANE_NEAR] = gfx_get(g, GFX_CLIP_ZERO_TO_ONE) ? z : z + w;
    d[PLANE_FAR] = w - z;
    d[PLANE_X0] = GUARD * w + x;
    d[PLANE_X1] = GUARD * w - x;
    d[PLANE_Y0] = GUARD * w + y;
    d[PLANE_Y1] = GUARD * w - y;
}

/* Clip distances are slots 2 and 3. */
static double distance(const struct gfx *g, const struct gfx_vertex *v, uint32_t plane)
{
    double d[PLANE_USER];

    if (plane >= PLANE_USER)
        return v->slot[2 + (plane - PLANE_USER) / 4][(plane - PLANE_USER) % 4];
    distances(g, v, d);
    return d[plane];
}

/* The distances that are looked at are the last stage's to say, where 3DSTATE_CLIP does
 * not insist on its own. */
static uint32_t clip_planes(const struct gfx *g)
{
    return gfx_get(g, GFX_CLIP_FORCES_PLANES) ? gfx_get(g, GFX_CLIP_USER_PLANES)
           : gfx_get(g, GFX_GS_ON)            ? gfx_get(g, GFX_GS_CLIP_PLANES)
           : gfx_get(g, GFX_DS_ON)            ? gfx_get(g, GFX_DS_CLIP_PLANES)
                                              : gfx_get(g, GFX_VS_CLIP_PLANES);
}

static uint32_t cull_planes(const struct gfx *g)
{
    return gfx_get(g, GFX_CLIP_FORCES_CULL_PLANES) ? gfx_get(g, GFX_CLIP_CULL_PLANES)
           : gfx_get(g, GFX_GS_ON)                 ? gfx_get(g, GFX_GS_CULL_PLANES)
           : gfx_get(g, GFX_DS_ON)                 ? gfx_get(g, GFX_DS_CULL_PLANES)
                                                   : gfx_get(g, GFX_VS_CULL_PLANES);
}

static uint32_t bit(uint32_t plane)
{
    return 1u << plane;
}

/* Those that are asked for, a bit each. */
static uint32_t planes_asked(const struct gfx *g)
{
    return bit(PLANE_W) | gfx_get(g, GFX_Z_NEAR_TEST) << PLANE_NEAR |
           gfx_get(g, GFX_Z_FAR_TEST) << PLANE_FAR | bit(PLANE_X0) | bit(PLANE_X1) |
           bit(PLANE_Y0) | bit(PLANE_Y1) | clip_planes(g) << PLANE_USER;
}

static void between(const struct gfx_vertex *a, const struct gfx_vertex *b, double da,
                    double db, struct gfx_vertex *out)
{
    double t = da / (da - db);

    for (uint32_t s = 0; s < GFX_SLOTS; s++)
        for (uint32_t c = 0; c < 4; c++)
            out->slot[s][c] =
                (float)(a->slot[s][c] + t * ((double)b->slot[s][c] - a->slot[s][c]));
}

static void polygon_cut(const struct gfx *g, const struct polygon *in, uint32_t plane,
                        struct polygon *out)
{
    out->count = 0;
    for (uint32_t i = 0; i < in->count; i++) {
        const struct gfx_vertex *a = &in->v[i], *b = &in->v[(i + 1) % in->count];
        double da = distance(g, a, plane), db = distance(g, b, plane);

        if (da >= 0 && out->count < GFX_MAX_CLIPPED) {
            out->hidden[out->count] = in->hidden[i];
            out->v[out->count++] = *a;
        }
        if ((da >= 0) != (db >= 0) && out->count < GFX_MAX_CLIPPED) {
            out->hidden[out->count] = da >= 0 || in->hidden[i];
            /* From the inner end, so that neighbours get one and the same vertex. */
            if (da >= 0)
                between(a, b, da, db, &out->v[out->count++]);
            else
                between(b, a, db, da, &out->v[out->count++]);
        }
    }
}

/* Wholly beside the viewport: nothing of a triangle is to be seen there. Points and
 * lines are wider than their vertices tell. */
static bool beside(const struct gfx *g, const struct gfx_triangle *t)
{
    uint32_t out[4] = {0, 0, 0, 0};

    if (t->kind != GFX_TRIANGLE || !gfx_get(g, GFX_CLIP_VIEWPORT_XY))
        return false;
    for (uint32_t i = 0; i < 3; i++) {
        const float *p = t->v[i]->slot[1];

        out[0] += p[0] < -p[3];
        out[1] += p[0] > p[3];
        out[2] += p[1] < -p[3];
        out[3] += p[1] > p[3];
    }
    return out[0] == 3 || out[1] == 3 || out[2] == 3 || out[3] == 3;
}

/* Of these planes those that the vertex lies outside of. */
static uint32_t outside(const struct gfx *g, const struct gfx_vertex *v,
                        uint32_t planes)
{
    uint32_t out = 0;
    double d[PLANE_USER];

    distances(g, v, d);
    for (uint32_t plane = 0; plane < PLANE_USER; plane++)
        out |= d[plane] >= 0 ? 0 : bit(plane);
    for (uint32_t plane = PLANE_USER; planes >> plane != 0; plane++)
        out |= distance(g, v, plane) >= 0 ? 0 : bit(plane);
    return out & planes;
}

/* 0: inside of every plane; 1: partly; 2: wholly outside of one, as which of a culling
 * plane it is dropped; the rest stays as it is. */
static uint32_t where(const struct gfx *g, const struct gfx_triangle *t)
{
    uint32_t asked = planes_asked(g), planes = asked | cull_planes(g) << PLANE_USER;
    uint32_t out[3];

    for (uint32_t i = 0; i < 3; i++)
        out[i] = outside(g, t->v[i], planes);
    return (out[0] & out[1] & out[2]) != 0 ? 2
                                           : ((out[0] | out[1] | out[2]) & asked) != 0;
}

static enum igpu_status clip_slowly(struct gfx *g, const struct gfx_triangle *t)
{
    struct polygon p[2];
    enum igpu_status status = IGPU_OK;
    uint32_t now = 0;

    p[0].count = 3;
    for (uint32_t i = 0; i < 3; i++) {
        p[0].v[i] = *t->v[i];
        p[0].hidden[i] = t->hidden >> i & 1;
    }
    for (uint32_t plane = 0; plane < PLANE_USER + USER_PLANES; plane++) {
        if (!(planes_asked(g) & bit(plane)))
            continue;
        polygon_cut(g, &p[now], plane, &p[1 - now]);
        now = 1 - now;
    }
    for (uint32_t i = 1; i + 1 < p[now].count && status == IGPU_OK; i++) {
        const struct gfx_triangle part = {
            .v = {&p[now].v[0], &p[now].v[i], &p[now].v[i + 1]},
            .provoking = t->provoking,
            .id = t->id,
            .kind = GFX_TRIANGLE,
            .hidden = (uint32_t)(i > 1 || p[now].hidden[0]) |
                      (uint32_t)p[now].hidden[i] << 1 |
                      (uint32_t)(i + 2 < p[now].count || p[now].hidden[i + 1]) << 2};

        g->counters.cl_primitives++;
        status = gfx_rasterize(g, &part);
    }
    return status;
}

/* Each plane leaves a part of the line, or nothing. */
static enum igpu_status clip_line(struct gfx *g, const struct gfx_triangle *t)
{
    struct gfx_vertex v[2] = {*t->v[0], *t->v[1]}, cut_at;
    const struct gfx_triangle part = {.v = {&v[0], &v[1], &v[0]},
                                      .provoking = t->provoking,
                                      .id = t->id,
                                      .kind = GFX_LINE};

    for (uint32_t plane = 0; plane < PLANE_USER + USER_PLANES; plane++) {
        double a, b;

        if (!(planes_asked(g) & bit(plane)))
            continue;
        a = distance(g, &v[0], plane);
        b = distance(g, &v[1], plane);
        if (!(a >= 0) && !(b >= 0))
            return IGPU_OK;
        if (a >= 0 && b >= 0)
            continue;
        between(a >= 0 ? &v[0] : &v[1], a >= 0 ? &v[1] : &v[0], fmax(a, b), fmin(a, b),
                &cut_at);
        v[a >= 0] = cut_at;
    }
    g->counters.cl_primitives++;
    return gfx_rasterize(g, &part);
}

/* As where(), by all that the state says. */
static uint32_t sort(const struct gfx *g, const struct gfx_triangle *t)
{
    if (t->kind == GFX_RECTANGLE || !gfx_get(g, GFX_CLIP_ON))
        return 0;
    if (gfx_get(g, GFX_CLIP_MODE) == CLIP_REJECT_ALL || beside(g, t))
        return 2;
    return where(g, t);
}

static void count_accepted(struct gfx *g)
{
    g->counters.cl_invocations++;
    g->counters.cl_accepted++;
    g->counters.cl_primitives++;
}

static void count_rejected(struct gfx *g)
{
    g->counters.cl_invocations++;
    g->counters.cl_rejected++;
}

enum gfx_fate gfx_clip_ahead(struct gfx *g, const struct gfx_triangle *t,
                             struct gfx_setup *s)
{
    enum igpu_status status = IGPU_OK;
    uint32_t sorted = sort(g, t);
    enum gfx_fate fate = sorted == 0   ? gfx_set_up(g, t, s, &status)
                         : sorted == 2 ? GFX_IS_GONE
                                       : GFX_IS_OPEN;

    if (sorted == 2)
        count_rejected(g);
    else if (fate != GFX_IS_OPEN)
        count_accepted(g);
    return fate;
}

enum igpu_status gfx_clip(struct gfx *g, const struct gfx_triangle *t)
{
    switch (sort(g, t)) {
    case 0:
        count_accepted(g);
        return gfx_rasterize(g, t);
    case 1:
        g->counters.cl_invocations++;
        g->counters.cl_cut++;
        /* points go whole or not at all: they are outside then */
        return t->kind == GFX_LINE    ? clip_line(g, t)
               : t->kind == GFX_POINT ? IGPU_OK
                                      : clip_slowly(g, t);
    default:
        count_rejected(g);
        return IGPU_OK;
    }
}
