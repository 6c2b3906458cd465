/* gfx_raster.c - setup and rasterization: vertices on a grid of 1/256 pixel, exact edge
 * functions with the top-left rule, blocks of 2x2 pixels row by row. */
#include "gfx_raster.h"
#include "gfx_band.h"
#include "gfx_depth.h"
#include "gfx_queue.h"

#include <stdalign.h>

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

/* Of a row of blocks those before *from, and from *to on, lie beside an edge of the
 * triangle. */
static void find_span(const struct gfx_setup *s, const struct gfx_edge e[3], int32_t y,
                      int32_t *from, int32_t *to)
{
    int64_t a = gfx_edge_at(&e[0], *from, y) + e[0].most;
    int64_t b = gfx_edge_at(&e[1], *from, y) + e[1].most;
    int64_t c = gfx_edge_at(&e[2], *from, y) + e[2].most;
    const int64_t step[3] = {2 * GRID * e[0].a, 2 * GRID * e[1].a, 2 * GRID * e[2].a};
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

#endif

/* Blocks behind those of the group, which wait for their tests; mask: their pixels, by
 * the group's. */
struct untested {
    uint32_t count, mask;
};

/* Notes on blocks that lie behind those of the group, side by side ones at once. */
static enum igpu_status ask_notes(struct gfx *g, const struct gfx_setup *s,
                                  const struct gfx_edge e[3],
                                  const struct gfx_group *group, uint32_t count)
{
    enum igpu_status status = IGPU_OK;

    for (uint32_t b = group->count, end = b + count; b < end && status == IGPU_OK;) {
        int32_t x = group->x[b], y = group->y[b];
        uint32_t pixels = 0;

        for (uint32_t first = b; b < end && gfx_is_one_note(group, first, b); b++)
            pixels |= 15u << 4 * b;
        status = gfx_hiz_test(g, s, e, x, y, pixels);
    }
    return status;
}

/* Tests before the pixel shader; what is left of the mask. */
static uint32_t early(struct gfx *g, const struct gfx_setup *s,
                      const struct gfx_edge e[3], const struct gfx_group *group,
                      const struct untested *u, enum igpu_status *status)
{
    uint32_t passed;

    *status = ask_notes(g, s, e, group, u->count);
    if (*status != IGPU_OK)
        return 0;
    passed = g->d.late
                 ? gfx_depth_reject(g, group, u->mask, group->z, status)
                 : gfx_depth_stencil(g, group, u->mask, group->z, s->front, status);
    if (passed != u->mask)
        g->counters.early_killed += igpu_count_bits(u->mask & ~passed);
    return passed;
}

/* Behind those that are there. */
static void keep(struct gfx_left *left, const struct gfx_group *group)
{
    const uint32_t n = GFX_FRONT + left->count;

    for (uint32_t b = 0; b < group->count; b++) {
        left->x[n + b] = group->x[b];
        left->y[n + b] = group->y[b];
        left->mask[n + b] = group->mask >> 4 * b & 15;
    }
#if defined(__x86_64__)
    gfx_keep_group_avx2(group, left->b[0] + 4 * n, left->b[1] + 4 * n);
#endif
    left->count += group->count;
}

/* The group's block `from` becomes its block `to`. */
static void move(const struct gfx_setup *s, struct gfx_group *group, uint32_t to,
                 uint32_t from)
{
    double *const all[5] = {group->z, group->b1, group->b2, group->w, group->part};

    group->x[to] = group->x[from];
    group->y[to] = group->y[from];
    for (uint32_t k = 0; k < (s->later ? 0 : group->smooth ? 5 : 4); k++)
        memcpy(all[k] + 4 * to, all[k] + 4 * from, 4 * sizeof(double));
}

/* The group is run, or its blocks go to others that are left. */
static enum igpu_status give(struct gfx *g, const struct gfx_setup *s,
                             struct gfx_group *group, struct gfx_left *left)
{
    enum igpu_status status = IGPU_OK;

    if (left != NULL)
        keep(left, group);
    else
        status = gfx_shade(g, s, group);
    group->count = group->mask = 0;
    return status;
}

/* Those that are left go to the group, which is run when it is full. */
static enum igpu_status test(struct gfx *g, const struct gfx_setup *s,
                             const struct gfx_edge e[3], struct gfx_group *group,
                             struct untested *u, struct gfx_left *to_left)
{
    enum igpu_status status = IGPU_OK;
    uint32_t left = early(g, s, e, group, u, &status), to = group->count;

    if (status != IGPU_OK)
        return status;
    if (left == u->mask) { /* as most */
        group->mask |= left;
        to += u->count;
    }
    for (uint32_t b = to; b < group->count + u->count; b++) {
        if ((left >> 4 * b & 15) == 0)
            continue;
        if (b != to)
            move(s, group, to, b);
        group->mask |= (left >> 4 * b & 15) << 4 * to++;
    }
    group->count = to;
    *u = (struct untested){0, 0};
    return group->count < gfx_group_room(g) ? IGPU_OK : give(g, s, group, to_left);
}

/* gfx_cover_avx2() of any primitive; p: there if it is simple. */
static uint32_t cover_any(const struct gfx *g, const struct gfx_setup *s,
                          const struct gfx_edge e[3], const struct gfx_planes *p,
                          struct gfx_walk *walk, struct gfx_group *group,
                          uint32_t first, uint32_t end)
{
    uint32_t found = 0;

#if defined(__x86_64__)
    if (s->simple)
        return gfx_cover_avx2(s, p, walk, group, first, end);
#endif
    (void)p;
    for (; walk->y < walk->until; walk->y += 2, walk->x = walk->start) {
        int32_t x = walk->x, stop = walk->stop;

        for (find_span(s, e, walk->y, &x, &stop); x < stop; x += 2) {
            uint32_t mask = gfx_cover(g, s, e, x, walk->y, group, 4 * first);

            if (mask == 0)
                continue;
            group->x[first] = x;
            group->y[first] = walk->y;
            found |= mask << 4 * first++;
            walk->x = x + 2;
            if (first == end)
                return found;
        }
    }
    return found;
}

/* The blocks on the way until now. */
static uint32_t walked(const struct gfx_setup *s, const struct gfx_walk *walk)
{
    return (uint32_t)(walk->y - (s->min_y & ~1)) / 2 * gfx_row_blocks(s) +
           (uint32_t)(walk->x - walk->start) / 2;
}

/* The next blocks into the group, before its block `end`. */
static void cover_blocks(struct gfx *g, const struct gfx_setup *s,
                         const struct gfx_edge e[3], const struct gfx_planes *p,
                         struct gfx_walk *walk, struct gfx_group *group,
                         struct untested *u, uint32_t end)
{
    const uint32_t before = walked(s, walk), first = group->count + u->count,
                   found = cover_any(g, s, e, p, walk, group, first, end);
    const uint32_t pairs = found & found >> 1;

    g->counters.blocks_visited += walked(s, walk) - before;
    if (found == 0)
        return;
    g->counters.subspans_full += igpu_count_bits(pairs & pairs >> 2 & UINT32_MAX / 15);
    g->counters.covered += igpu_count_bits(found);
    u->mask |= found;
    u->count = (35 - (uint32_t)__builtin_clz(found)) / 4 - group->count;
    g->counters.subspans += group->count + u->count - first;
}

/* How many wait for their tests at most: nobody sees that others wait as well, but who
 * is told of each thread or what memory it writes, and late tests go by one block's
 * note. */
static uint32_t most_untested(const struct gfx *g)
{
    return g->d.late || gfx_is_watched(g) ? 1 : gfx_group_room(g);
}

static struct gfx_walk walk_of(const struct gfx *g, const struct gfx_setup *s)
{
    struct gfx_walk walk = {.x = s->min_x & ~1,
                            .y = s->min_y & ~1,
                            .until = s->min_y & ~1,
                            .start = s->min_x & ~1,
                            .stop = s->max_x};
    const int32_t own[4] = {s->min_x, s->min_y, s->max_x, s->max_y};

    memcpy(walk.box, g->d.clip, sizeof(walk.box));
    for (uint32_t i = 0; i < 4 && s->t->kind == GFX_RECTANGLE; i++)
        walk.box[i] = (i < 2) == (own[i] > walk.box[i]) ? own[i] : walk.box[i];
    return walk;
}

/* From a row on that was reached: how far at once, before `end`, and its work. Notes go
 * by rows, as does work where little is left of it and where a rectangle may be filled.
 */
static enum igpu_status go_on(struct gfx *g, const struct gfx_setup *s,
                              struct gfx_walk *walk, int32_t end, bool by_rows)
{
    const uint64_t plenty = (uint64_t)1 << 32;
    int32_t rows = GFX_NOTE_HIGH - walk->y % GFX_NOTE_HIGH;

    if (by_rows || g->batch.most_work - g->batch.work < plenty)
        rows = 2;
    walk->until = walk->y + rows < end ? walk->y + rows : end;
    walk->until += walk->until & 1;
    return gfx_spend(g, (uint64_t)(uint32_t)(walk->until - walk->y) / 2 *
                            gfx_row_blocks(s));
}

/* gfx_band.h: those of some rows alone, which go to others that are left. */
static enum igpu_status find_left(struct gfx *w, const struct gfx_setup *s,
                                  const int32_t rows[2], struct gfx_left *left)
{
    struct gfx_group *group = &w->d.blocks;
    struct untested u = {0, 0};
    struct gfx_walk walk = walk_of(w, s);
    const uint32_t room = gfx_group_room(w);
    enum igpu_status status = IGPU_OK;

    gfx_place_edges(w, s);
    walk.y = walk.until = rows[0];
    left->count = group->count = group->mask = 0;
    group->smooth = s->smooth;
    while (walk.y < rows[1] && status == IGPU_OK) {
        if (walk.y == walk.until && u.count > 0)
            status = test(w, s, w->d.edge, group, &u, left);
        if (walk.y == walk.until && status == IGPU_OK)
            status = go_on(w, s, &walk, rows[1], false);
        if (status != IGPU_OK)
            break;
        cover_blocks(w, s, w->d.edge, &w->d.planes, &walk, group, &u, room);
        if (group->count + u.count == room)
            status = test(w, s, w->d.edge, group, &u, left);
    }
    if (status == IGPU_OK && u.count > 0)
        status = test(w, s, w->d.edge, group, &u, left);
    (void)give(w, s, group, left);
    return status == IGPU_OK ? gfx_hiz_finish(w) : status;
}

static enum igpu_status blocks(struct gfx *g, const struct gfx_setup *s,
                               const struct gfx_edge e[3])
{
    static const struct gfx_band_steps steps = {find_left, gfx_shade_later};
    struct gfx_group *group = &g->d.blocks;
    struct untested u = {0, 0};
    struct gfx_fill fill;
    struct gfx_walk walk = walk_of(g, s);
    alignas(64) struct gfx_planes planes;
    bool fills = s->t->kind == GFX_RECTANGLE && gfx_fill_begin(g, s, &fill);
    uint32_t room = gfx_group_room(g), most = fills ? 1 : most_untested(g), end;
    enum igpu_status status = IGPU_OK;

#if defined(__x86_64__)
    if (s->simple)
        gfx_planes_avx2(s, e, &planes);
#endif
    group->count = group->mask = 0;
    group->smooth = s->smooth;
    while (walk.y < s->max_y && status == IGPU_OK) {
        if (walk.y == walk.until && u.count > 0 && walk.y % GFX_NOTE_HIGH == 0)
            status = test(g, s, e, group, &u, NULL);
        if (walk.y == walk.until && status == IGPU_OK && gfx_is_high(s, walk.y) &&
            gfx_bands_take(g, s, walk.y, group, &steps, &status))
            return status == IGPU_OK ? gfx_hiz_finish(g) : status;
        if (walk.y == walk.until && status == IGPU_OK)
            status = go_on(g, s, &walk, s->max_y, fills);
        if (status != IGPU_OK)
            break;
        end = group->count + most < room ? group->count + most : room;
        cover_blocks(g, s, e, &planes, &walk, group, &u, end);
        if (u.count == most || group->count + u.count == room)
            status = test(g, s, e, group, &u, NULL);
        if (!fills || group->count > 0 || u.count > 0 || status != IGPU_OK)
            continue;
        fills = false;
        walk.x -= 2;
        gfx_fill(g, s, &fill, &walk.x, &walk.y);
        walk.x += 2;
        walk.until = walk.y + 2;
    }
    if (status == IGPU_OK && u.count > 0)
        status = test(g, s, e, group, &u, NULL);
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

static uint32_t fill_of(const struct gfx *g, const struct gfx_setup *s)
{
    return s->t->kind != GFX_TRIANGLE
               ? FILL_SOLID
               : gfx_get(g, s->front ? GFX_FRONT_FILL : GFX_BACK_FILL);
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

enum gfx_fate gfx_set_up(struct gfx *g, const struct gfx_triangle *t,
                         struct gfx_setup *s, enum igpu_status *status)
{
    *s = (struct gfx_setup){.t = t,
                            .width = gfx_width(g, t),
                            .smooth = gfx_is_smooth(g, t),
                            .conservative = gfx_is_conservative(g, t)};
    *status = choose_place(g, t);
    if (*status == IGPU_OK)
        *status = triangle_place(g, t, s);
    if (*status != IGPU_OK)
        return GFX_IS_OPEN;
    if (!facing(g, s)) {
        g->counters.culled++;
        g->counters.culled_facing += s->area == s->area && s->area != 0;
        return GFX_IS_GONE;
    }
    if (fill_of(g, s) != FILL_SOLID)
        return GFX_IS_OPEN;
    offset(g, s);
    gfx_find_stipple(g, s);
    bound(g, s);
    if (s->min_x >= s->max_x || s->min_y >= s->max_y) {
        g->counters.off_screen++;
        return GFX_IS_GONE;
    }
    if (t->kind == GFX_RECTANGLE &&
        !g->d.ms.spread) { /* pixels whose centres lie inside */
        s->min_x = clamp(ceil(least(s->x) - 0.5), s->min_x, s->max_x);
        s->min_y = clamp(ceil(least(s->y) - 0.5), s->min_y, s->max_y);
        s->max_x = clamp(ceil(most(s->x) - 0.5), s->min_x, s->max_x);
        s->max_y = clamp(ceil(most(s->y) - 0.5), s->min_y, s->max_y);
    }
#if defined(__x86_64__)
    s->simple = emu_has_avx2() && is_simple(s);
#endif
    return GFX_IS_SET_UP;
}

enum igpu_status gfx_rasterize_setup(struct gfx *g, struct gfx_setup *s)
{
    struct gfx_edge e[3];
    enum igpu_status status;

    count_kind(g, s);
    s->number = g->counters.rasterized;
    s->later = gfx_queue_is_on(g);
    status = g->pieces ? gfx_bands_begin(g, s) : IGPU_OK;
    if (status != IGPU_OK)
        return status;
    gfx_make_edges(s, e);
    gfx_hiz_primitive(g, s);
    return g->d.ms.count > 1 ? gfx_multisample_blocks(g, s, e) : blocks(g, s, e);
}

enum igpu_status gfx_rasterize(struct gfx *g, const struct gfx_triangle *t)
{
    struct gfx_setup s;
    enum igpu_status status;

    switch (gfx_set_up(g, t, &s, &status)) {
    case GFX_IS_SET_UP:
        return gfx_rasterize_setup(g, &s);
    case GFX_IS_OPEN:
        return status == IGPU_OK ? outline(g, &s, fill_of(g, &s) == FILL_POINTS)
                                 : status;
    default:
        return IGPU_OK;
    }
}
