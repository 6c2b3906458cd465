/* gfx_multisample.c - draws to surfaces of several samples a pixel: which samples are
 * covered, their depths, and what pixel shaders need of them; blocks of 2x2 pixels, or
 * where a shader runs for each sample, of one sample of 2x2 pixels. */
#include "gfx_depth.h"
#include "gfx_raster.h"

enum { GRID = 256, STEP = GRID / 16 };

/* A block of 2x2 pixels; coverage has a bit a sample. */
struct block {
    int32_t x, y;
    uint32_t covered[4];
    struct gfx_point centre[4], centroid[4], at[GFX_SAMPLES][4];
    double part[4];
};

/* ---- coverage ----------------------------------------------------------- */

/* Is this place, in 1/256 pixel, covered? weight: what the vertices weigh there. */
static bool inside(const struct gfx *g, const struct gfx_setup *s,
                   const struct gfx_edge e[3], int64_t x, int64_t y, double weight[3])
{
    double area = s->thin ? 1 : fabs(s->area) * GRID * GRID;
    bool in = true;

    if (s->t->kind >= GFX_LINE)
        return gfx_covers_wide(s, (double)x / GRID, (double)y / GRID, weight) &&
               (!s->stippled || gfx_stipple_place(g, s, weight[1]));
    for (uint32_t k = 0; k < 3; k++) {
        int64_t value = e[k].a * x + e[k].b * y + e[k].c;

        in = in && value + e[k].bias >= 0;
        weight[k] = s->thin ? k == 0 : (double)value / area;
    }
    if (s->t->kind == GFX_RECTANGLE) {
        double px = (double)x / GRID, py = (double)y / GRID;

        return px >= fmin(fmin(s->x[0], s->x[1]), s->x[2]) &&
               px < fmax(fmax(s->x[0], s->x[1]), s->x[2]) &&
               py >= fmin(fmin(s->y[0], s->y[1]), s->y[2]) &&
               py < fmax(fmax(s->y[0], s->y[1]), s->y[2]);
    }
    return in;
}

/* Samples of pixel i that are covered; of a conservative primitive all, or none, by
 * whether it touches the pixel. */
static uint32_t cover_pixel(const struct gfx *g, const struct gfx_setup *s,
                            const struct gfx_edge e[3], uint32_t i, bool touched,
                            struct block *b)
{
    const struct gfx_multisample *m = &g->d.ms;
    int64_t x = (int64_t)(b->x + (int32_t)(i & 1)) * GRID;
    int64_t y = (int64_t)(b->y + (int32_t)(i >> 1)) * GRID;
    uint32_t covered = 0, first;
    double weight[3];
    bool in = inside(g, s, e, x + GRID / 2, y + GRID / 2, weight);

    b->centre[i] = b->centroid[i] = gfx_weigh(s, weight);
    for (uint32_t k = 0; k < m->count; k++) {
        if (!m->spread) {
            b->at[k][i] = b->centre[i];
            covered |= (uint32_t)in << k;
            continue;
        }
        in = inside(g, s, e, x + m->x[k] * STEP, y + m->y[k] * STEP, weight);
        covered |= (uint32_t)in << k;
        b->at[k][i] = gfx_weigh(s, weight);
    }
    if (s->conservative)
        covered = touched ? (1u << m->count) - 1 : 0;
    first = covered != 0 ? (uint32_t)__builtin_ctz(covered) : 0;
    if (covered != 0 && covered != (1u << m->count) - 1)
        b->centroid[i] = b->at[first][i];
    return covered & m->all;
}

/* False: nothing of it is covered. */
static bool cover(const struct gfx *g, const struct gfx_setup *s,
                  const struct gfx_edge e[3], struct block *b)
{
    const int32_t *c = g->d.clip;
    uint32_t touched = s->conservative ? gfx_touches(s, e, b->x, b->y) : 0;
    bool any = false;

    for (uint32_t i = 0; i < 4; i++) {
        int32_t x = b->x + (int32_t)(i & 1), y = b->y + (int32_t)(i >> 1);
        bool on = x >= c[0] && x < c[2] && y >= c[1] && y < c[3] &&
                  (!s->stippled || s->t->kind == GFX_LINE || gfx_stipple(g, s, x, y));

        b->covered[i] = cover_pixel(g, s, e, i, touched >> i & 1, b);
        b->covered[i] &= on ? UINT32_MAX : 0;
        any = any || b->covered[i] != 0;
    }
    return any;
}

static uint32_t pixels_with(const struct block *b, uint32_t samples)
{
    uint32_t mask = 0;

    for (uint32_t i = 0; i < 4; i++)
        mask |= (uint32_t)((b->covered[i] & samples) != 0) << i;
    return mask;
}

/* Tests of a block before the pixel shader, of late draws those of blocks of 8x4. */
static enum igpu_status early(struct gfx *g, const struct gfx_setup *s,
                              const struct gfx_edge e[3], struct block *b)
{
    struct gfx_group one = {.count = 1, .x = {b->x}, .y = {b->y}};
    enum igpu_status status = gfx_hiz_test(g, s, e, b->x, b->y, 15);
    uint32_t before = pixels_with(b, UINT32_MAX);

    for (uint32_t k = 0; k < g->d.ms.count && status == IGPU_OK; k++) {
        uint32_t mask = pixels_with(b, 1u << k), passed;
        double z[4];

        if (mask == 0)
            continue;
        for (uint32_t i = 0; i < 4; i++)
            z[i] = b->at[k][i].z;
        g->d.ms.sample = k;
        passed = g->d.late ? gfx_depth_reject(g, &one, mask, z, &status)
                           : gfx_depth_stencil(g, &one, mask, z, s->front, &status);
        for (uint32_t i = 0; i < 4; i++)
            b->covered[i] &= passed >> i & 1 ? UINT32_MAX : ~(1u << k);
    }
    g->counters.early_killed +=
        (uint32_t)__builtin_popcount(before & ~pixels_with(b, UINT32_MAX));
    return status;
}

/* ---- threads ------------------------------------------------------------ */

static void place_put(struct gfx_places *to, uint32_t lane, const struct gfx_point *p)
{
    to->b1[lane] = p->b1;
    to->b2[lane] = p->b2;
    to->w[lane] = p->w;
}

/* All of the block's pixels, or sample `only` of them; the group is run when full. */
static enum igpu_status sample_add(struct gfx *g, const struct gfx_setup *s,
                                   const struct block *b, uint32_t only,
                                   struct gfx_group *group)
{
    struct gfx_multisample *m = &g->d.ms;
    uint32_t samples = m->each ? 1u << only : UINT32_MAX, at = group->count;
    enum igpu_status status = IGPU_OK;

    if (pixels_with(b, samples) == 0)
        return IGPU_OK;
    group->x[at] = b->x;
    group->y[at] = b->y;
    m->slot[at] = (uint8_t)only;
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t lane = 4 * at + i;

        m->covered[lane] = b->covered[i] & samples;
        group->z[lane] = m->each ? b->at[only][i].z : b->centre[i].z;
        group->b1[lane] = b->centre[i].b1;
        group->b2[lane] = b->centre[i].b2;
        group->w[lane] = b->centre[i].w;
        group->part[lane] = 1;
        place_put(&m->centroid, lane, m->each ? &b->at[only][i] : &b->centroid[i]);
        place_put(&m->at_sample, lane, &b->at[only][i]);
        for (uint32_t k = 0; k < m->count; k++)
            m->z[k][lane] = b->at[k][i].z;
    }
    group->mask |= pixels_with(b, samples) << 4 * at;
    if (++group->count == gfx_group_room(g)) {
        status = gfx_shade(g, s, group);
        group->count = group->mask = 0;
    }
    return status;
}

static enum igpu_status block_at(struct gfx *g, const struct gfx_setup *s,
                                 const struct gfx_edge e[3], struct block *b,
                                 struct gfx_group *group)
{
    uint32_t passes = g->d.ms.each ? g->d.ms.count : 1, mask;
    enum igpu_status status = IGPU_OK;

    g->counters.blocks_visited++;
    if (!cover(g, s, e, b))
        return IGPU_OK;
    mask = pixels_with(b, UINT32_MAX);
    g->counters.subspans++;
    g->counters.subspans_full += mask == 15;
    g->counters.covered += (uint32_t)__builtin_popcount(mask);
    status = early(g, s, e, b);
    for (uint32_t k = 0; k < passes && status == IGPU_OK; k++)
        status = sample_add(g, s, b, k, group);
    return status;
}

enum igpu_status gfx_multisample_blocks(struct gfx *g, const struct gfx_setup *s,
                                        const struct gfx_edge e[3])
{
    struct gfx_group group = {.smooth = false};
    enum igpu_status status = IGPU_OK;
    struct block b;

    for (int32_t y = s->min_y & ~1; y < s->max_y && status == IGPU_OK; y += 2) {
        status = gfx_spend(g, gfx_row_blocks(s));
        for (int32_t x = s->min_x & ~1; x < s->max_x && status == IGPU_OK; x += 2) {
            b.x = x;
            b.y = y;
            status = block_at(g, s, e, &b, &group);
        }
    }
    if (status == IGPU_OK)
        status = gfx_hiz_finish(g);
    if (group.count > 0 && status == IGPU_OK)
        status = gfx_shade(g, s, &group);
    return status;
}
