/* gfx_tessellator.c - the points of a tessellated domain and what they make: edges are
 * cut as Direct3D's reference cuts them, rings within each other; how two rings are
 * joined is this model's own, as the manuals leave it open. */
#include "gfx_tess.h"

enum { MOST_SEGMENTS = 64, MOST_POINTS = MOST_SEGMENTS + 1 };

/* ---- an edge ------------------------------------------------------------ */

/* Places of its points, from 0 to 1. */
struct edge {
    uint32_t segments;
    double at[MOST_POINTS];
};

/* v without its highest bit. */
static uint32_t without_top(uint32_t v)
{
    return v != 0 ? v & ~(1u << (31 - __builtin_clz(v))) : 0;
}

static double clamped(double f, enum gfx_partition how)
{
    double low = how == GFX_CUT_EVEN ? 2 : 1, high = how == GFX_CUT_ODD ? 63 : 64;

    f = f > low ? fmin(f, high) : low;
    return how == GFX_CUT_WHOLE ? ceil(f) : f;
}

/* Points of the first half, as between those of the whole factors below and above;
 * `split` is the one that comes in between. */
static void cut(double f, enum gfx_partition how, struct edge *e)
{
    double factor = clamped(f, how), half, low, high, part;
    bool odd = how == GFX_CUT_ODD || (how == GFX_CUT_WHOLE && (uint32_t)factor % 2);
    uint32_t points, split;

    half = factor / 2 + (odd ? 0.5 : 0);
    low = floor(half);
    high = ceil(half);
    part = half - low;
    points = (uint32_t)high;
    split = low == high       ? points + 1
            : odd && low == 1 ? 0
            : odd             ? (without_top((uint32_t)low - 1) << 1) + 1
                              : (without_top((uint32_t)low) << 1) + 1;
    e->segments = 2 * points - odd;
    for (uint32_t i = 0; i <= e->segments; i++) {
        bool flip = i >= points;
        uint32_t k = flip ? 2 * points - odd - i : i;
        double below = (double)(k > split ? k - 1 : k) / (2 * low - odd);
        double at = below * (1 - part) + (double)k / (2 * high - odd) * part;

        if (k == points)
            at = 0.5;
        e->at[i] = flip ? 1 - at : at;
    }
}

/* ---- what is made ------------------------------------------------------- */

static uint32_t add(struct gfx_tessellated *t, double u, double v)
{
    t->point[t->points][0] = (float)u;
    t->point[t->points][1] = (float)v;
    return t->points++;
}

/* Turned so that u to v is the way of the sun or against it. */
static void triangle(struct gfx_tessellated *t, uint32_t a, uint32_t b, uint32_t c)
{
    const float *p = t->point[a], *q = t->point[b], *r = t->point[c];
    float area = (q[0] - p[0]) * (r[1] - p[1]) - (r[0] - p[0]) * (q[1] - p[1]);
    bool turn = (area > 0) != t->against;
    uint16_t *to = t->index + t->indices;

    if (t->size != 3)
        return;
    to[0] = (uint16_t)a;
    to[1] = (uint16_t)(turn ? c : b);
    to[2] = (uint16_t)(turn ? b : c);
    t->indices += 3;
}

/* A row of points, their places along it beside them. */
struct row {
    uint32_t count, point[MOST_POINTS];
    double at[MOST_POINTS];
};

static void put(struct row *r, uint32_t point, double at)
{
    r->point[r->count] = point;
    r->at[r->count++] = at;
}

/* Triangles between two rows side by side. */
static void join(struct gfx_tessellated *t, const struct row *a, const struct row *b)
{
    uint32_t i = 0, k = 0;

    while (i + 1 < a->count || k + 1 < b->count) {
        bool first =
            k + 1 == b->count ||
            (i + 1 < a->count && a->at[i] + a->at[i + 1] < b->at[k] + b->at[k + 1]);

        triangle(t, a->point[i], first ? a->point[i + 1] : b->point[k + 1],
                 b->point[k]);
        *(first ? &i : &k) += 1;
    }
}

/* ---- triangles ---------------------------------------------------------- */

/* A point of side `side`, whose first coordinate of three is `away`: u, v or w. */
static uint32_t on_side(struct gfx_tessellated *t, uint32_t side, double away,
                        double to)
{
    double c[3];

    c[side] = away;
    c[(side + 1) % 3] = 1 - away - to;
    c[(side + 2) % 3] = to;
    return add(t, c[0], c[1]);
}

/* The ring's three sides, each from corner to corner. */
static void ring(struct gfx_tessellated *t, const struct edge *const e[3], uint32_t k,
                 struct row side[3])
{
    uint32_t first = t->points;

    for (uint32_t s = 0; s < 3; s++) {
        double away = k > 0 ? e[s]->at[k] * 2 / 3 : 0;
        uint32_t last = e[s]->segments - k;

        side[s].count = 0;
        for (uint32_t i = k; i < last; i++)
            put(&side[s], on_side(t, s, away, e[s]->at[i] - away / 2), e[s]->at[i]);
    }
    for (uint32_t s = 0; s < 3; s++)
        put(&side[s], s < 2 ? side[s + 1].point[0] : first,
            e[s]->at[e[s]->segments - k]);
}

static void triangles(struct gfx_tessellated *t, const struct gfx_factors *f)
{
    struct edge outer[3], inner;
    const struct edge *e[3] = {&outer[0], &outer[1], &outer[2]};
    struct row rings[2][3];
    bool whole = true;
    uint32_t k = 0;

    for (uint32_t i = 0; i < 3; i++) {
        cut(f->outer[i], f->how, &outer[i]);
        whole = whole && outer[i].segments == 1;
    }
    cut(f->inner[0], f->how, &inner);
    if (!whole && inner.segments == 1)
        cut(1.0001, f->how, &inner);
    ring(t, e, 0, rings[0]);
    if (whole && inner.segments == 1) {
        triangle(t, 0, 1, 2);
        return;
    }
    e[0] = e[1] = e[2] = &inner;
    for (k = 1; 2 * k <= inner.segments; k++) {
        if (2 * k == inner.segments) {
            uint32_t centre = add(t, 1.0 / 3, 1.0 / 3);

            for (uint32_t s = 0; s < 3; s++) {
                rings[k % 2][s].count = 0;
                put(&rings[k % 2][s], centre, 0.5);
            }
        } else {
            ring(t, e, k, rings[k % 2]);
        }
        for (uint32_t s = 0; s < 3; s++)
            join(t, &rings[1 - k % 2][s], &rings[k % 2][s]);
    }
    if (inner.segments % 2)
        triangle(t, rings[1 - k % 2][0].point[0], rings[1 - k % 2][1].point[0],
                 rings[1 - k % 2][2].point[0]);
}

/* ---- quads and lines ---------------------------------------------------- */

/* Sides u = 0, v = 0, u = 1, v = 1, as their factors come; both rows of points go the
 * same way. */
static void sides(struct gfx_tessellated *t, const struct edge outer[4],
                  const struct edge inner[2], uint32_t inside)
{
    uint32_t nu = inner[0].segments - 1, nv = inner[1].segments - 1;
    uint32_t corner[4] = {add(t, 0, 0), add(t, 1, 0), add(t, 0, 1), add(t, 1, 1)};
    static const uint8_t from[4] = {0, 0, 1, 2}, to[4] = {2, 1, 3, 3};

    for (uint32_t s = 0; s < 4; s++) {
        const struct edge *e = &outer[s];
        bool upright = s % 2 == 0;
        struct row a = {.count = 0}, b = {.count = 0};

        put(&a, corner[from[s]], 0);
        for (uint32_t i = 1; i < e->segments; i++)
            put(&a, add(t, upright ? s / 2 : e->at[i], upright ? e->at[i] : s / 2),
                e->at[i]);
        put(&a, corner[to[s]], 1);
        for (uint32_t i = 0; i < (upright ? nv : nu); i++)
            put(&b,
                inside + (upright ? i * nu + (s == 2 ? nu - 1 : 0)
                                  : i + (s == 3 ? (nv - 1) * nu : 0)),
                inner[upright].at[i + 1]);
        join(t, &a, &b);
    }
}

static void quads(struct gfx_tessellated *t, const struct gfx_factors *f)
{
    struct edge outer[4], inner[2];
    bool whole = true;
    uint32_t nu;

    for (uint32_t i = 0; i < 4; i++) {
        cut(f->outer[i], f->how, &outer[i]);
        whole = whole && outer[i].segments == 1;
    }
    for (uint32_t i = 0; i < 2; i++) {
        cut(f->inner[i], f->how, &inner[i]);
        whole = whole && inner[i].segments == 1;
    }
    if (whole) {
        for (uint32_t i = 0; i < 4; i++)
            add(t, i & 1, i >> 1);
        triangle(t, 0, 1, 2);
        triangle(t, 2, 1, 3);
        return;
    }
    for (uint32_t i = 0; i < 2; i++)
        if (inner[i].segments == 1)
            cut(1.0001, f->how, &inner[i]);
    nu = inner[0].segments - 1;
    for (uint32_t k = 1; k < inner[1].segments; k++)
        for (uint32_t i = 1; i < inner[0].segments; i++)
            add(t, inner[0].at[i], inner[1].at[k]);
    for (uint32_t k = 0; k + 2 < inner[1].segments; k++)
        for (uint32_t i = 0; i + 1 < nu; i++) {
            triangle(t, k * nu + i, k * nu + i + 1, (k + 1) * nu + i + 1);
            triangle(t, k * nu + i, (k + 1) * nu + i + 1, (k + 1) * nu + i);
        }
    sides(t, outer, inner, 0);
}

static void lines(struct gfx_tessellated *t, const struct gfx_factors *f)
{
    struct edge many, each;

    cut(f->outer[0], GFX_CUT_WHOLE, &many);
    cut(f->outer[1], f->how, &each);
    for (uint32_t k = 0; k < many.segments; k++)
        for (uint32_t i = 0; i <= each.segments; i++) {
            uint32_t p = add(t, each.at[i], (double)k / many.segments);

            if (i == 0 || t->size != 2)
                continue;
            t->index[t->indices++] = (uint16_t)(p - 1);
            t->index[t->indices++] = (uint16_t)p;
        }
}

void gfx_tessellate(struct gfx_tessellated *t, const struct gfx_factors *f)
{
    uint32_t outer = f->domain == GFX_DOMAIN_QUAD  ? 4
                     : f->domain == GFX_DOMAIN_TRI ? 3
                                                   : 2;

    t->points = t->indices = 0;
    for (uint32_t i = 0; i < outer; i++)
        if (!(f->outer[i] > 0)) /* a patch that is not to be seen */
            return;
    if (f->domain == GFX_DOMAIN_QUAD)
        quads(t, f);
    else if (f->domain == GFX_DOMAIN_TRI)
        triangles(t, f);
    else
        lines(t, f);
    for (uint32_t i = 0; i < t->points && t->size == 1; i++)
        t->index[t->indices++] = (uint16_t)i;
}
