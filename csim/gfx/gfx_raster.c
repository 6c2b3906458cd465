/* gfx_raster.c - setup and rasterization: vertices on a grid of 1/256 pixel, exact edge
 * functions with the top-left rule, blocks of 2x2 pixels row by row. */
#include "gfx_raster.h"
#include "gfx_depth.h"

enum { GRID = 256, CULL_BOTH = 0, CULL_FRONT = 2, CULL_BACK = 3 };
enum { FILL_SOLID, FILL_LINES, FILL_POINTS };

/* ---- setup -------------------------------------------------------------- */

static enum igpu_status triangle_place(struct gfx *g, const struct gfx_triangle *t,
                                       struct gfx_setup *s)
{
    float view[6] = {1, 1, 1, 0, 0, 0};
    bool divide = gfx_get(g, GFX_VIEWPORT_TRANSFORM);
    enum igpu_status status = IGPU_OK;

    if (divide)
        status =
            gfx_read(g,
                     g->c->dynamic_base + gfx_get_offset(g, GFX_CLIP_VIEWPORT_POINTER) +
                         64 * g->d.viewport,
                     view, sizeof(view));
    for (uint32_t i = 0; i < 3 && status == IGPU_OK; i++) {
        const float *p = t->v[i]->slot[1];

        s->inv_w[i] = divide ? 1.0 / (double)p[3] : 1.0;
        s->x[i] = (double)p[0] * s->inv_w[i] * view[0] + view[3];
        s->y[i] = (double)p[1] * s->inv_w[i] * view[1] + view[4];
        s->z[i] = (double)p[2] * s->inv_w[i] * view[2] + view[5];
        s->x[i] = floor(s->x[i] * GRID + 0.5) / GRID;
        s->y[i] = floor(s->y[i] * GRID + 0.5) / GRID;
        if (!(fabs(s->x[i]) < 1 << 20) || !(fabs(s->y[i]) < 1 << 20))
            s->area = NAN; /* no place on the screen */
    }
    return status;
}

/* Layer and viewport are in the header of the provoking vertex. */
static enum igpu_status choose_place(struct gfx *g, const struct gfx_triangle *t)
{
    enum { MOST_LAYERS = 2048 };
    uint32_t where[3], before = g->d.viewport;

    memcpy(where, t->provoking->slot[0], sizeof(where));
    g->d.layer = gfx_get(g, GFX_CLIP_LAYER_ZERO) ? 0 : where[1] % MOST_LAYERS;
    g->d.viewport = where[2] <= gfx_get(g, GFX_CLIP_MOST_VIEWPORT) ? where[2] : 0;
    return g->d.viewport == before ? IGPU_OK : gfx_find_clip(g);
}

static int32_t clamp(double v, int32_t low, int32_t high)
{
    return v < low ? low : v > high ? high : (int32_t)v;
}

/* Of a primitive's coordinates, which are numbers. */
static double least(const double v[3])
{
    double ab = v[0] < v[1] ? v[0] : v[1];

    return ab < v[2] ? ab : v[2];
}
static double most(const double v[3])
{
    double ab = v[0] > v[1] ? v[0] : v[1];

    return ab > v[2] ? ab : v[2];
}

static void bound(const struct gfx *g, struct gfx_setup *s)
{
    const int32_t *c = g->d.clip;
    double wider = s->width / 2 + (s->t->kind == GFX_LINE ? 1 : 0) + s->smooth +
                   (s->conservative ? 1.0 / 512 : 0);

    s->min_x = clamp(floor(least(s->x) - wider), c[0], c[2]);
    s->min_y = clamp(floor(least(s->y) - wider), c[1], c[3]);
    s->max_x = clamp(ceil(most(s->x) + wider), c[0], c[2]);
    s->max_y = clamp(ceil(most(s->y) + wider), c[1], c[3]);
}

/* False: culled. */
static bool facing(struct gfx *g, struct gfx_setup *s)
{
    uint32_t cull = gfx_get(g, GFX_CULL_MODE);
    bool place = s->area == s->area;

    if (s->t->kind >= GFX_LINE) {
        s->front = !s->t->back;
        return place && s->width > 0;
    }
    s->area = !place ? 0
                     : (s->x[1] - s->x[0]) * (s->y[2] - s->y[0]) -
                           (s->x[2] - s->x[0]) * (s->y[1] - s->y[0]);
    s->front = (s->area < 0) == (bool)gfx_get(g, GFX_FRONT_CCW);
    s->thin = place && s->conservative && s->area == 0 &&
              gfx_get(g, GFX_FRONT_FILL) == FILL_SOLID;
    if (s->thin) /* it has no winding */
        s->front = true;
    if (s->t->kind == GFX_RECTANGLE) /* they have no facing */
        s->front = true;
    else if (cull == CULL_BOTH || (cull == CULL_FRONT && s->front) ||
             (cull == CULL_BACK && !s->front))
        return false;
    return s->area != 0 || s->thin;
}

/* ---- pixels ------------------------------------------------------------- */

/* What the vertices weigh at the centres of a block's pixels: gfx_weigh() takes three
 * such numbers. */
struct weights {
    double at[3][4];
};

/* Barycentric coordinates and depth there, inside or not: gfx_weigh(). */
static void interpolate(const struct gfx_setup *s, const struct weights *e,
                        struct gfx_group *group, uint32_t first)
{
    double *restrict z = group->z + first, *restrict w = group->w + first;
    double *restrict b1 = group->b1 + first, *restrict b2 = group->b2 + first;

    for (uint32_t i = 0; i < 4 && s->t->kind == GFX_POINT; i++) {
        struct gfx_point p =
            gfx_weigh(s, (const double[3]){e->at[0][i], e->at[1][i], e->at[2][i]});

        z[i] = p.z;
        b1[i] = p.b1;
        b2[i] = p.b2;
        w[i] = p.w;
    }
    if (s->t->kind == GFX_POINT)
        return;
    for (uint32_t i = 0; i < 4; i++) {
        w[i] = e->at[0][i] * s->inv_w[0] + e->at[1][i] * s->inv_w[1] +
               e->at[2][i] * s->inv_w[2];
        z[i] = s->z[0] + e->at[1][i] * (s->z[1] - s->z[0]) +
               e->at[2][i] * (s->z[2] - s->z[0]);
        b1[i] = e->at[1][i] * s->inv_w[1] / w[i];
        b2[i] = e->at[2][i] * s->inv_w[2] / w[i];
    }
}

static int64_t edge_at(const struct gfx_edge *e, int32_t x, int32_t y)
{
    return e->right * x + e->down * y + e->centre;
}

/* Which of the block's pixels are in the triangle, and what their vertices weigh there
 * where any is. */
static uint32_t inside(const struct gfx_setup *s, const struct gfx_edge e[3], int32_t x,
                       int32_t y, struct weights *weights)
{
    double area = s->thin ? 1 : fabs(s->area) * GRID * GRID;
    int64_t out[4] = {0, 0, 0, 0}; /* below 0: beside an edge */
    uint32_t mask = 0;

    for (uint32_t k = 0; k < 3; k++) {
        const int64_t first = edge_at(&e[k], x, y), right = e[k].right;
        const int64_t value[4] = {first, first + right, first + e[k].down,
                                  first + right + e[k].down};

        for (uint32_t i = 0; i < 4; i++) {
            out[i] |= value[i] + e[k].bias;
            weights->at[k][i] = (double)value[i];
        }
    }
    for (uint32_t i = 0; i < 4; i++)
        mask |= (uint32_t)(out[i] >= 0) << i;
    if (s->t->kind == GFX_RECTANGLE)
        mask = 15;
    if (s->conservative)
        mask = gfx_touches(s, e, x, y);
    for (uint32_t k = 0; k < 3 && mask != 0; k++)
        for (uint32_t i = 0; i < 4; i++)
            weights->at[k][i] /= area;
    for (uint32_t k = 0; k < 3 && s->thin; k++)
        for (uint32_t i = 0; i < 4; i++)
            weights->at[k][i] = k == 0;
    return mask;
}

/* Of a row of blocks those before *from, and from *to on, lie beside an edge of the
 * triangle. */
static void find_span(const struct gfx_setup *s, const struct gfx_edge e[3], int32_t y,
                      int32_t *from, int32_t *to)
{
    int64_t a = edge_at(&e[0], *from, y) + e[0].most;
    int64_t b = edge_at(&e[1], *from, y) + e[1].most;
    int64_t c = edge_at(&e[2], *from, y) + e[2].most;
    const int64_t step[3] = {2 * e[0].right, 2 * e[1].right, 2 * e[2].right};
    int32_t x = *from;

    if (s->t->kind != GFX_TRIANGLE || s->conservative)
        return;
    for (; x < *to && (a | b | c) < 0; x += 2, a += step[0], b += step[1], c += step[2])
        ;
    *from = x;
    for (; x < *to && (a | b | c) >= 0;
         x += 2, a += step[0], b += step[1], c += step[2])
        ;
    *to = x;
}

/* The pixels of the block at x, y that lie in the rectangle of these corners. */
static inline uint32_t within(int32_t x, int32_t y, int32_t x0, int32_t y0, int32_t x1,
                              int32_t y1)
{
    uint32_t left, right, top, low;

    if (x >= x0 && x + 2 <= x1 && y >= y0 && y + 2 <= y1)
        return 15;
    left = x >= x0 && x < x1 ? 5 : 0;
    right = x + 1 >= x0 && x + 1 < x1 ? 10 : 0;
    top = y >= y0 && y < y1 ? 3 : 0;
    low = y + 1 >= y0 && y + 1 < y1 ? 12 : 0;
    return (left | right) & (top | low);
}

#if defined(__x86_64__)
/* gfx_cover.c knows all that is to be known of its blocks. */
static bool is_simple(const struct gfx_setup *s)
{
    const double most = 1 << 15; /* edges have 50 bits then */
    bool near = true;

    for (uint32_t i = 0; i < 3; i++)
        near = near && fabs(s->x[i]) <= most && fabs(s->y[i]) <= most;
    return near && (s->t->kind == GFX_TRIANGLE || s->t->kind == GFX_RECTANGLE) &&
           !s->conservative && !s->stippled;
}

static bool is_inner(const struct gfx *g, const struct gfx_setup *s)
{
    const int32_t *c = g->d.clip;

    return (s->min_x & ~1) >= c[0] && (s->min_y & ~1) >= c[1] &&
           s->max_x + (s->max_x & 1) <= c[2] && s->max_y + (s->max_y & 1) <= c[3];
}

static uint32_t cover_simple(const struct gfx_setup *s, const struct gfx_edge e[3],
                             int32_t x, int32_t y, uint32_t mask,
                             struct gfx_group *group, uint32_t first)
{
    if (s->t->kind == GFX_RECTANGLE)
        mask &= within(x, y, s->min_x, s->min_y, s->max_x, s->max_y);
    return gfx_cover_avx2(s, e, x, y, mask, group, first);
}
#endif

/* The block at x, y, of even coordinates: which of its pixels are covered. */
static uint32_t cover(const struct gfx *g, const struct gfx_setup *s,
                      const struct gfx_edge e[3], int32_t x, int32_t y,
                      struct gfx_group *group, uint32_t first)
{
    const int32_t *c = g->d.clip;
    uint32_t mask = s->inner ? 15 : within(x, y, c[0], c[1], c[2], c[3]);
    struct weights weights;

#if defined(__x86_64__)
    if (s->simple)
        return cover_simple(s, e, x, y, mask, group, first);
#endif
    if (s->t->kind >= GFX_LINE) {
        for (uint32_t i = 0; i < 4; i++) {
            double weight[3], part = gfx_covers(s, (double)x + (i & 1) + 0.5,
                                                (double)y + (i >> 1) + 0.5, weight);

            for (uint32_t k = 0; k < 3; k++)
                weights.at[k][i] = weight[k];
            if (s->stippled && s->smooth)
                part *= gfx_stipple_part(g, s, weight[1]);
            group->part[first + i] = part;
            mask &= part > 0 ? 15 : ~(1u << i);
        }
    } else {
        mask &= inside(s, e, x, y, &weights);
        if (s->t->kind == GFX_RECTANGLE)
            mask &= within(x, y, s->min_x, s->min_y, s->max_x, s->max_y);
    }
    for (uint32_t i = 0; i < 4 && s->stippled && !s->smooth; i++)
        if (!gfx_stipple(g, s, x + (int32_t)(i & 1), y + (int32_t)(i >> 1)))
            mask &= ~(1u << i);
    if (mask != 0)
        interpolate(s, &weights, group, first);
    return mask;
}

/* Blocks behind those of the group, which wait for their tests; mask: their pixels, by
 * the group's. */
struct untested {
    uint32_t count, mask;
};

/* Tests before the pixel shader; what is left of the mask. */
static uint32_t early(struct gfx *g, const struct gfx_setup *s,
                      const struct gfx_edge e[3], const struct gfx_group *group,
                      const struct untested *u, enum igpu_status *status)
{
    const uint32_t end = group->count + u->count;
    uint32_t passed;

    for (uint32_t b = group->count, next; b < end; b = next) {
        uint32_t pixels = 15u << 4 * b;

        for (next = b + 1; next < end && gfx_is_one_note(group, b, next); next++)
            pixels |= 15u << 4 * next;
        *status = gfx_hiz_test(g, s, e, group->x[b], group->y[b], pixels);
        if (*status != IGPU_OK)
            return 0;
    }
    passed = g->d.late
                 ? gfx_depth_reject(g, group, u->mask, group->z, status)
                 : gfx_depth_stencil(g, group, u->mask, group->z, s->front, status);
    if (passed != u->mask)
        g->counters.early_killed += igpu_count_bits(u->mask & ~passed);
    return passed;
}

/* The group's block `from` becomes its block `to`. */
static void move(struct gfx_group *group, uint32_t to, uint32_t from)
{
    double *const all[5] = {group->z, group->b1, group->b2, group->w, group->part};

    group->x[to] = group->x[from];
    group->y[to] = group->y[from];
    for (uint32_t k = 0; k < (group->smooth ? 5 : 4); k++)
        memcpy(all[k] + 4 * to, all[k] + 4 * from, 4 * sizeof(double));
}

/* Those that are left go to the group, which is run when it is full. */
static enum igpu_status test(struct gfx *g, const struct gfx_setup *s,
                             const struct gfx_edge e[3], struct gfx_group *group,
                             struct untested *u)
{
    enum igpu_status status = IGPU_OK;
    uint32_t left = early(g, s, e, group, u, &status), to = group->count;

    if (status != IGPU_OK)
        return status;
    for (uint32_t b = to; b < group->count + u->count; b++) {
        if ((left >> 4 * b & 15) == 0)
            continue;
        if (b != to)
            move(group, to, b);
        group->mask |= (left >> 4 * b & 15) << 4 * to++;
    }
    group->count = to;
    *u = (struct untested){0, 0};
    if (group->count < gfx_group_room(g))
        return IGPU_OK;
    status = gfx_shade(g, s, group);
    group->count = group->mask = 0;
    return status;
}

/* The block at x, y, into the group, if any of it is covered. */
static void block(struct gfx *g, const struct gfx_setup *s, const struct gfx_edge e[3],
                  int32_t x, int32_t y, struct gfx_group *group, struct untested *u)
{
    uint32_t at = group->count + u->count, mask = cover(g, s, e, x, y, group, 4 * at);

    g->counters.blocks_visited++;
    if (mask == 0)
        return;
    g->counters.subspans_full += mask == 15;
    group->x[at] = x;
    group->y[at] = y;
    g->counters.subspans++;
    g->counters.covered += igpu_count_bits4(mask);
    u->mask |= mask << 4 * at;
    u->count++;
}

/* How many wait for their tests at most: nobody sees that others wait as well, but who
 * is told of each thread or what memory it writes, and late tests go by one block's
 * note. */
static uint32_t most_untested(const struct gfx *g)
{
    return g->d.late || gfx_is_watched(g) ? 1 : gfx_group_room(g);
}

static enum igpu_status blocks(struct gfx *g, const struct gfx_setup *s,
                               const struct gfx_edge e[3])
{
    struct gfx_group *group = &g->d.blocks;
    struct untested u = {0, 0};
    struct gfx_fill fill;
    bool fills = gfx_fill_begin(g, s, &fill);
    uint32_t row = gfx_row_blocks(s), room = gfx_group_room(g),
             most = fills ? 1 : most_untested(g);
    enum igpu_status status = IGPU_OK;

    group->count = group->mask = 0;
    group->smooth = s->smooth;
    for (int32_t y = s->min_y & ~1; y < s->max_y && status == IGPU_OK; y += 2) {
        int32_t from = s->min_x & ~1, to = s->max_x;

        if (u.count > 0 && y % GFX_NOTE_HIGH == 0) /* notes go by rows */
            status = test(g, s, e, group, &u);
        if (status == IGPU_OK)
            status = gfx_spend(g, row);
        find_span(s, e, y, &from, &to);
        g->counters.blocks_visited += row - (uint32_t)(to - from + 1) / 2;
        for (int32_t x = from; x < to && status == IGPU_OK; x += 2) {
            block(g, s, e, x, y, group, &u);
            if (u.count == most || group->count + u.count == room)
                status = test(g, s, e, group, &u);
            if (!fills || group->count > 0 || u.count > 0 || status != IGPU_OK)
                continue;
            fills = false;
            gfx_fill(g, s, &fill, &x, &y);
        }
    }
    if (status == IGPU_OK && u.count > 0)
        status = test(g, s, e, group, &u);
    if (status == IGPU_OK)
        status = gfx_hiz_finish(g);
    if (group->count > 0 && status == IGPU_OK)
        status = gfx_shade(g, s, group);
    return status;
}

static void count_kind(struct gfx *g, const struct gfx_setup *s)
{
    bool triangle = s->t->kind == GFX_TRIANGLE;

    g->counters.rasterized++;
    g->counters.rasterized_points += s->t->kind == GFX_POINT;
    g->counters.rasterized_lines += s->t->kind == GFX_LINE;
    g->counters.rasterized_triangles += triangle;
    g->counters.rasterized_rectangles += s->t->kind == GFX_RECTANGLE;
    g->counters.front_facing += triangle && s->front;
    g->counters.back_facing += triangle && !s->front;
}

static void offset(struct gfx *g, struct gfx_setup *s)
{
    double more = s->t->kind == GFX_TRIANGLE && gfx_get(g, GFX_DEPTH_OFFSET_ON)
                      ? gfx_depth_offset(g, s)
                      : s->t->offset;

    for (uint32_t i = 0; i < 3; i++)
        s->z[i] += more;
}

/* Their depth is the polygon's, and so is its offset, where the state says so. */
static enum igpu_status outline(struct gfx *g, const struct gfx_setup *s, bool corners)
{
    bool offset =
        gfx_get(g, corners ? GFX_DEPTH_OFFSET_POINTS : GFX_DEPTH_OFFSET_LINES);
    enum igpu_status status = IGPU_OK;

    g->counters.outlined++;
    if (g->d.stipple_polygon != s->t->id) /* the pattern goes on around a polygon */
        g->d.stipple_pixels = 0;
    g->d.stipple_polygon = s->t->id;
    for (uint32_t i = 0; i < 3 && status == IGPU_OK; i++) {
        const struct gfx_vertex *a = s->t->v[i], *b = s->t->v[(i + 1) % 3];
        struct gfx_triangle part = {.v = {a, corners ? a : b, a},
                                    .provoking = s->t->provoking,
                                    .id = s->t->id,
                                    .kind = corners ? GFX_POINT : GFX_LINE};

        if (s->t->hidden >> i & 1)
            continue;
        g->counters.outline_parts++;
        part.back = !s->front;
        part.offset = offset ? gfx_depth_offset(g, s) : 0;
        status = gfx_rasterize(g, &part);
    }
    return status;
}

enum igpu_status gfx_rasterize(struct gfx *g, const struct gfx_triangle *t)
{
    struct gfx_setup s = {.t = t,
                          .width = gfx_width(g, t),
                          .smooth = gfx_is_smooth(g, t),
                          .conservative = gfx_is_conservative(g, t)};
    struct gfx_edge e[3];
    enum igpu_status status = choose_place(g, t);

    if (status == IGPU_OK)
        status = triangle_place(g, t, &s);
    if (status != IGPU_OK)
        return status;
    if (!facing(g, &s)) {
        g->counters.culled++;
        g->counters.culled_facing += s.area == s.area && s.area != 0;
        return IGPU_OK;
    }
    if (t->kind == GFX_TRIANGLE &&
        gfx_get(g, s.front ? GFX_FRONT_FILL : GFX_BACK_FILL) != FILL_SOLID)
        return outline(
            g, &s, gfx_get(g, s.front ? GFX_FRONT_FILL : GFX_BACK_FILL) == FILL_POINTS);
    offset(g, &s);
    gfx_find_stipple(g, &s);
    bound(g, &s);
    if (s.min_x >= s.max_x || s.min_y >= s.max_y) {
        g->counters.off_screen++;
        return IGPU_OK;
    }
    if (t->kind == GFX_RECTANGLE &&
        !g->d.ms.spread) { /* pixels whose centres lie inside */
        s.min_x = clamp(ceil(least(s.x) - 0.5), s.min_x, s.max_x);
        s.min_y = clamp(ceil(least(s.y) - 0.5), s.min_y, s.max_y);
        s.max_x = clamp(ceil(most(s.x) - 0.5), s.min_x, s.max_x);
        s.max_y = clamp(ceil(most(s.y) - 0.5), s.min_y, s.max_y);
    }
    count_kind(g, &s);
    s.number = g->counters.rasterized;
#if defined(__x86_64__)
    s.simple = emu_has_avx2() && is_simple(&s);
    s.inner = s.simple && is_inner(g, &s);
#endif
    gfx_make_edges(&s, e);
    gfx_hiz_primitive(g, &s);
    return g->d.ms.count > 1 ? gfx_multisample_blocks(g, &s, e) : blocks(g, &s, e);
}
