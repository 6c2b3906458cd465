/* gfx_assemble.c - primitives of a draw's vertices, by topology. */
#include "gfx_commands.h"
#include "gfx_geometry.h"

enum { TOPO_POINTLIST = 1, TOPO_LINELIST, TOPO_LINESTRIP, TOPO_TRILIST, TOPO_TRISTRIP };
enum { TOPO_TRIFAN = 6, TOPO_QUADLIST, TOPO_QUADSTRIP };
enum { FIRST_EDGE = 1, LAST_EDGE = 4 }; /* of a triangle, as bits */
enum { TOPO_LINELIST_ADJ = 9, TOPO_LINESTRIP_ADJ, TOPO_TRILIST_ADJ, TOPO_TRISTRIP_ADJ };
enum { TOPO_POLYGON = 14, TOPO_RECTLIST, TOPO_LINELOOP, TOPO_PATCHLIST = 32 };

/* To stream output and the clipper. */
static enum igpu_status leave(struct gfx *g, const struct gfx_triangle *t, uint32_t n)
{
    uint32_t stream = g->gs.emits ? g->gs.stream : 0;
    enum igpu_status status = gfx_stream_out(g, t->v, n);

    if (status != IGPU_OK || stream != gfx_get(g, GFX_RENDERED_STREAM) ||
        (gfx_get(g, GFX_STREAMOUT_ON) && gfx_get(g, GFX_RENDERING_OFF)))
        return status;
    return gfx_clip(g, t);
}

/* Its vertices are shaded. */
static enum igpu_status await_vertices(struct gfx *g, const struct gfx_triangle *t)
{
    if (g->ahead == NULL ||
        (t->v[0] < g->ahead_of && t->v[1] < g->ahead_of && t->v[2] < g->ahead_of))
        return IGPU_OK;
    return gfx_await_vertices(g, t);
}

static gfx_assembler assemble_as;

/* To the geometry shader, or from it on. */
static enum igpu_status pass_on(struct gfx *g, struct gfx_triangle *t,
                                uint32_t vertices)
{
    if (await_vertices(g, t) != IGPU_OK)
        return IGPU_SIM_ERROR;
    t->id = g->tess.on ? g->tess.id : g->primitive;
    g->primitive += !(t->hidden & LAST_EDGE); /* a quad, a polygon: one */
    for (uint32_t i = 0; i < 3 && g->d.edge_flags; i++)
        t->hidden |= (uint32_t)t->v[i]->no_edge << i;
    if (g->gs.emits)
        g->counters.gs_primitives++;
    else
        g->counters.ia_primitives += !g->tess.on;
    return gfx_get(g, GFX_GS_ON) && !g->gs.emits
               ? gfx_geometry(g, t->v, vertices, assemble_as)
               : leave(g, t, vertices);
}

static enum igpu_status triangle(struct gfx *g, const struct gfx_vertex *a,
                                 const struct gfx_vertex *b, const struct gfx_vertex *c,
                                 const struct gfx_vertex *provoking, uint32_t hidden)
{
    struct gfx_triangle t = {
        .v = {a, b, c}, .provoking = provoking, .kind = GFX_TRIANGLE, .hidden = hidden};

    g->counters.ia_triangles += !g->gs.emits && !g->tess.on;
    return pass_on(g, &t, 3);
}

/* Number `number` of a list, of which more than its vertices may be there. */
static enum igpu_status listed(struct gfx *g, const struct gfx_vertex *v,
                               uint32_t number, uint32_t provoking)
{
    struct gfx_triangle t = {.v = {&v[0], &v[1], &v[2]},
                             .provoking = &v[provoking],
                             .kind = GFX_TRIANGLE,
                             .id = g->primitive};
    enum gfx_fate fate = GFX_IS_OPEN;
    struct gfx_setup s;

    if (await_vertices(g, &t) != IGPU_OK)
        return IGPU_SIM_ERROR;
    if (g->ahead != NULL)
        fate = gfx_fate_ahead(g, number, &t, &s);
    if (fate == GFX_IS_OPEN)
        return triangle(g, t.v[0], t.v[1], t.v[2], t.provoking, 0);
    g->primitive++;
    g->counters.ia_triangles++;
    g->counters.ia_primitives++;
    return fate == GFX_IS_SET_UP ? gfx_rasterize_setup(g, &s) : IGPU_OK;
}

/* The first two triangles of a quad share its provoking vertex. */
static enum igpu_status quad(struct gfx *g, const struct gfx_vertex *v,
                             const uint32_t order[4], uint32_t provoking)
{
    const struct gfx_vertex *p = &v[provoking];
    enum igpu_status status =
        triangle(g, &v[order[0]], &v[order[1]], &v[order[2]], p, LAST_EDGE);

    return status == IGPU_OK
               ? triangle(g, &v[order[0]], &v[order[2]], &v[order[3]], p, FIRST_EDGE)
               : status;
}

static enum igpu_status line(struct gfx *g, const struct gfx_vertex *a,
                             const struct gfx_vertex *b)
{
    struct gfx_triangle t = {.v = {a, b, a},
                             .provoking =
                                 gfx_get(g, GFX_SF_LINE_PROVOKING) == 0 ? a : b,
                             .kind = GFX_LINE};

    g->counters.ia_lines += !g->gs.emits && !g->tess.on;
    return pass_on(g, &t, 2);
}

static enum igpu_status lines(struct gfx *g, uint32_t topology,
                              const struct gfx_vertex *v, uint32_t n)
{
    uint32_t step = topology == TOPO_LINELIST ? 2 : 1;
    enum igpu_status status = IGPU_OK;

    g->d.stipple_pixels = 0;
    for (uint32_t i = 0; i + 1 < n && status == IGPU_OK; i += step) {
        if (topology == TOPO_LINELIST)
            g->d.stipple_pixels = 0;
        status = line(g, &v[i], &v[i + 1]);
    }
    if (topology == TOPO_LINELOOP && n > 1 && status == IGPU_OK)
        status = line(g, &v[n - 1], &v[0]);
    return status;
}

static enum igpu_status points(struct gfx *g, const struct gfx_vertex *v, uint32_t n)
{
    enum igpu_status status = IGPU_OK;

    for (uint32_t i = 0; i < n && status == IGPU_OK; i++) {
        struct gfx_triangle t = {
            .v = {&v[i], &v[i], &v[i]}, .provoking = &v[i], .kind = GFX_POINT};

        g->counters.ia_points += !g->gs.emits && !g->tess.on;
        status = pass_on(g, &t, 1);
    }
    return status;
}

/* One with its neighbours' vertices, which only a geometry shader sees. */
static enum igpu_status among_neighbours(struct gfx *g, bool triangles,
                                         const struct gfx_vertex *const all[6])
{
    uint32_t which = gfx_get(g, GFX_SF_TRIANGLE_PROVOKING);

    if (!gfx_get(g, GFX_GS_ON))
        return triangles ? triangle(g, all[0], all[2], all[4], all[2 * which], 0)
                         : line(g, all[1], all[2]);
    *(triangles ? &g->counters.ia_triangles : &g->counters.ia_lines) += 1;
    g->counters.ia_primitives++;
    return gfx_geometry(g, all, triangles ? 6 : 4, assemble_as);
}

/* Triangle i of n in a strip has the even vertices from 2i on; every second one is
 * turned round, so that all face alike. */
static enum igpu_status adjacent_strip(struct gfx *g, const struct gfx_vertex *v,
                                       uint32_t n)
{
    enum igpu_status status = IGPU_OK;

    for (uint32_t i = 0; i < n && status == IGPU_OK; i++, v += 2) {
        const struct gfx_vertex *before = i == 0 ? &v[1] : &v[-1],
                                *behind = i + 1 == n ? &v[5] : &v[6];
        const struct gfx_vertex *const even[6] = {&v[0],  before, &v[2],
                                                  behind, &v[4],  &v[3]},
                                       *const odd[6] = {&v[2], before, &v[0],
                                                        &v[3], &v[4],  behind};

        status = among_neighbours(g, true, i & 1 ? odd : even);
    }
    return status;
}

static enum igpu_status adjacent(struct gfx *g, uint32_t topology,
                                 const struct gfx_vertex *v, uint32_t n)
{
    bool triangles = topology == TOPO_TRILIST_ADJ;
    uint32_t size = triangles ? 6 : 4, step = topology == TOPO_LINESTRIP_ADJ ? 1 : size;
    enum igpu_status status = IGPU_OK;

    for (uint32_t i = 0; i + size <= n && status == IGPU_OK; i += step) {
        const struct gfx_vertex *all[6];

        for (uint32_t k = 0; k < size; k++)
            all[k] = &v[i + k];
        status = among_neighbours(g, triangles, all);
    }
    return status;
}

/* A polygon's triangles share edges that it has not. */
static enum igpu_status fan(struct gfx *g, bool polygon, const struct gfx_vertex *v,
                            uint32_t n)
{
    uint32_t which = polygon ? 0 : gfx_get(g, GFX_SF_FAN_PROVOKING);
    enum igpu_status status = IGPU_OK;

    for (uint32_t i = 1; i + 1 < n && status == IGPU_OK; i++)
        status = triangle(
            g, &v[0], &v[i], &v[i + 1], which == 0 ? &v[0] : &v[i + which - 1],
            polygon ? (i > 1 ? FIRST_EDGE : 0) | (i + 2 < n ? LAST_EDGE : 0) : 0);
    return status;
}

/* Primitives of `size` vertices each, by n numbers of them, which a patch became. */
static enum igpu_status assemble_patch(struct gfx *g, uint32_t size,
                                       const struct gfx_vertex *v,
                                       const uint16_t *index, uint32_t n)
{
    uint32_t which = gfx_get(g, GFX_SF_TRIANGLE_PROVOKING);
    enum igpu_status status = IGPU_OK;

    for (uint32_t i = 0; i + size <= n && status == IGPU_OK; i += size) {
        const uint16_t *at = index + i;

        status = size == 1 ? points(g, &v[at[0]], 1)
                 : size == 2
                     ? line(g, &v[at[0]], &v[at[1]])
                     : triangle(g, &v[at[0]], &v[at[1]], &v[at[2]], &v[at[which]], 0);
    }
    return status == IGPU_OK ? gfx_geometry_flush(g, assemble_as) : status;
}

static enum igpu_status assemble_as(struct gfx *g, uint32_t topology,
                                    const struct gfx_vertex *v, uint32_t n)
{
    enum { AHEAD = 9 }; /* vertices; triangles of lists, of which there are many */
    static const uint32_t list[4] = {0, 1, 2, 3}, strip[4] = {0, 1, 3, 2};
    uint32_t which = gfx_get(g, GFX_SF_TRIANGLE_PROVOKING);
    enum igpu_status status = IGPU_OK;

    switch (topology) {
    case TOPO_POINTLIST:
        return points(g, v, n);
    case TOPO_LINELIST:
    case TOPO_LINESTRIP:
    case TOPO_LINELOOP:
        return lines(g, topology, v, n);
    case TOPO_LINELIST_ADJ:
    case TOPO_LINESTRIP_ADJ:
    case TOPO_TRILIST_ADJ:
        return adjacent(g, topology, v, n);
    case TOPO_TRISTRIP_ADJ:
        return n < 6 ? IGPU_OK : adjacent_strip(g, v, (n - 4) / 2);
    case TOPO_TRILIST:
        for (uint32_t i = 0; i + 2 < n && status == IGPU_OK; i += 3) {
            for (uint32_t k = i + AHEAD; k < i + AHEAD + 3 && k < n; k++)
                if (g->ahead == NULL)
                    gfx_fetch_vertex(&v[k], false);
            status = listed(g, &v[i], i / 3, which);
        }
        return status;
    case TOPO_TRISTRIP:
        for (uint32_t i = 0; i + 2 < n && status == IGPU_OK; i++)
            status = triangle(g, &v[i + (i & 1)], &v[i + 1 - (i & 1)], &v[i + 2],
                              &v[i + which], 0);
        return status;
    case TOPO_TRIFAN:
    case TOPO_POLYGON:
        return fan(g, topology == TOPO_POLYGON, v, n);
    case TOPO_QUADLIST:
        for (uint32_t i = 0; i + 3 < n && status == IGPU_OK; i += 4)
            status = quad(g, v + i, list, which == 0 ? 0 : 3);
        return status;
    case TOPO_QUADSTRIP:
        for (uint32_t i = 0; i + 3 < n && status == IGPU_OK; i += 2)
            status = quad(g, v + i, strip, which == 0 ? 0 : 3);
        return status;
    case TOPO_RECTLIST:
        for (uint32_t i = 0; i + 2 < n && status == IGPU_OK; i += 3) {
            const struct gfx_triangle t = {.v = {&v[i], &v[i + 1], &v[i + 2]},
                                           .provoking = &v[i],
                                           .kind = GFX_RECTANGLE};

            g->counters.ia_primitives++;
            g->counters.ia_rectangles++;
            status = await_vertices(g, &t);
            if (status == IGPU_OK)
                status = gfx_clip(g, &t);
        }
        return status;
    default:
        if (topology < TOPO_PATCHLIST)
            return gfx_refuse(g, "primitives of topology %u", topology);
        g->counters.ia_primitives += n / (topology - TOPO_PATCHLIST + 1);
        return gfx_patches(g, topology - TOPO_PATCHLIST + 1, v, n, assemble_patch);
    }
}

enum igpu_status gfx_assemble(struct gfx *g, const struct gfx_vertex *v, uint32_t n)
{
    enum igpu_status status = assemble_as(g, gfx_get(g, GFX_TOPOLOGY), v, n);

    return status == IGPU_OK ? gfx_geometry_flush(g, assemble_as) : status;
}
