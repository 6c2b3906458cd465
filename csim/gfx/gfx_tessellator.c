/* gfx_tessellator.c - the points of a tessellated domain and what they make: edges are
 * cut, and rings within each other joined, by Direct3D's published rules. */
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
static void edge_cut(double f, enum gfx_partition how, struct edge *e)
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

static uint32_t point_add(struct gfx_tessellated *t, double u, double v)
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

/* A row of points: a side of a ring, from corner to corner. */
struct row {
    uint32_t count, point[MOST_POINTS];
};

static void row_put(struct row *r, uint32_t point)
{
    r->point[r->count++] = point;
}

/* ---- two rows side by side ---------------------------------------------- */

/* The walk along both: what comes next of the outer and of the inner one. */
struct walk {
    struct gfx_tessellated *t;
    const uint32_t *out, *in;
};

static void outer_step(struct walk *w)
{
    triangle(w->t, w->out[0], w->out[1], w->in[0]);
    w->out++;
}

static void inner_step(struct walk *w)
{
    triangle(w->t, w->in[0], w->out[0], w->in[1]);
    w->in++;
}

/* A step of both, with the diagonal from the inner row forwards, or from the outer one.
 */
static void both_from_inner(struct walk *w)
{
    triangle(w->t, w->in[0], w->out[0], w->out[1]);
    triangle(w->t, w->in[0], w->out[1], w->in[1]);
    w->in++;
    w->out++;
}

static void both_from_outer(struct walk *w)
{
    triangle(w->t, w->out[0], w->in[1], w->in[0]);
    triangle(w->t, w->out[0], w->out[1], w->in[1]);
    w->in++;
    w->out++;
}

/* Half an edge of the largest factor has 33 places. As a factor grows its points come
 * by halving: which one is that at this place? */
static uint32_t turn_of(uint32_t place)
{
    uint32_t zeros;

    if (place < 2)
        return place == 0 ? 0 : 32;
    zeros = (uint32_t)__builtin_ctz(place - 1);
    return (16u >> zeros) + ((place - 1) >> (zeros + 1));
}

/* An edge of its own factor and the ring inside of it: both are walked by their points'
 * places, to the middle and, mirrored, from it. The inner row lacks the first and the
 * last point of its factor's edge. */
static void join_edge(struct gfx_tessellated *t, const struct row *a, uint32_t outer,
                      const struct row *b, uint32_t inner)
{
    enum { PLACES = 33 };
    struct walk w = {t, a->point, b->point};

    for (uint32_t i = 0; i < PLACES; i++) {
        if (i > 0 && turn_of(i) < inner / 2)
            inner_step(&w);
        if (turn_of(i) < outer / 2)
            outer_step(&w);
    }
    if (outer % 2 && inner % 2) {
        inner_step(&w);
        triangle(t, w.in[0], w.out[0], w.out[1]);
        w.out++;
    } else if (inner % 2) {
        inner_step(&w);
    } else if (outer % 2) {
        triangle(t, w.in[0], w.out[0], w.out[1]);
        w.out++;
    }
    for (uint32_t i = PLACES; i-- > 0;) {
        if (turn_of(i) < outer / 2)
            outer_step(&w);
        if (i > 0 && turn_of(i) < inner / 2)
            inner_step(&w);
    }
}

/* Two rings of one factor: trapezoids, whose diagonals mirror each other. */
static void join_rings(struct gfx_tessellated *t, const struct row *a,
                       const struct row *b)
{
    struct walk w = {t, a->point, b->point};
    uint32_t i = 0;

    outer_step(&w);
    for (; i < b->count / 2; i++)
        both_from_outer(&w);
    for (; i + 1 < b->count; i++)
        both_from_inner(&w);
    outer_step(&w);
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
    return point_add(t, c[0], c[1]);
}

/* The ring's three sides, from v to w, to u and back. */
static void ring(struct gfx_tessellated *t, const struct edge *const e[3], uint32_t k,
                 struct row side[3])
{
    uint32_t first = t->points;

    for (uint32_t s = 0; s < 3; s++) {
        double away = k > 0 ? e[s]->at[k] * 2 / 3 : 0;
        uint32_t last = e[s]->segments - k;

        side[s].count = 0;
        for (uint32_t i = k; i < last; i++)
            row_put(&side[s], on_side(t, s, away, e[s]->at[i] - away / 2));
    }
    for (uint32_t s = 0; s < 3; s++)
        row_put(&side[s], s < 2 ? side[s + 1].point[0] : first);
}

/* The outermost ring is `outer`'s, those inside of it are `inner`'s. */
static void triangle_rings(struct gfx_tessellated *t, const struct edge outer[3],
                           const struct edge *inner)
{
    const struct edge *e[3] = {inner, inner, inner};
    struct row rings[2][3];

    ring(t, (const struct edge *const[3]){&outer[0], &outer[1], &outer[2]}, 0,
         rings[0]);
    for (uint32_t k = 1; 2 * k <= inner->segments; k++) {
        struct row *now = rings[k % 2], *before = rings[1 - k % 2];

        if (2 * k == inner->segments) {
            uint32_t centre = point_add(t, 1.0 / 3, 1.0 / 3);

            for (uint32_t s = 0; s < 3; s++)
                now[s] = (struct row){.count = 1, .point = {centre}};
        } else {
            ring(t, e, k, now);
        }
        for (uint32_t s = 0; s < 3; s++)
            if (k == 1)
                join_edge(t, &before[s], outer[s].segments, &now[s], inner->segments);
            else
                join_rings(t, &before[s], &now[s]);
        if (2 * k + 1 == inner->segments)
            triangle(t, now[0].point[0], now[1].point[0], now[2].point[0]);
    }
}

static void triangles(struct gfx_tessellated *t, const struct gfx_factors *f)
{
    struct edge outer[3], inner;
    bool whole = true;

    for (uint32_t i = 0; i < 3; i++) {
        edge_cut(f->outer[i], f->how, &outer[i]);
        whole = whole && outer[i].segments == 1;
    }
    edge_cut(f->inner[0], f->how, &inner);
    if (!whole && inner.segments == 1)
        edge_cut(1.0001, f->how, &inner);
    if (!whole || inner.segments > 1) {
        triangle_rings(t, outer, &inner);
        return;
    }
    for (uint32_t s = 0; s < 3; s++)
        (void)on_side(t, s, 0, 0);
    triangle(t, 0, 1, 2);
}

/* ---- quads and lines ---------------------------------------------------- */

/* Inner points by their numbers across and up, or the ring's own. */
struct grid {
    uint32_t wide, high; /* segments */
    uint16_t point[MOST_POINTS][MOST_POINTS];
};

/* Point i of side s, counted from its beginning, of the ring that is k points within:
 * sides u = 0, v = 0, u = 1, v = 1, down, right, up and left. */
static void find_place(const struct grid *g, uint32_t k, uint32_t s, uint32_t i,
                       uint32_t at[2])
{
    uint32_t right = g->wide - k, top = g->high - k;

    at[0] = s == 0 ? k : s == 1 ? k + i : s == 2 ? right : right - i;
    at[1] = s == 0 ? top - i : s == 1 ? k : s == 2 ? k + i : top;
}

/* Points of the side from corner to corner. */
static uint32_t points_of_side(const struct grid *g, uint32_t k, uint32_t s)
{
    return (s % 2 ? g->wide : g->high) - 2 * k + 1;
}

static void grid_row(const struct grid *g, uint32_t k, uint32_t s, struct row *r)
{
    uint32_t at[2];

    r->count = 0;
    for (uint32_t i = 0; i < points_of_side(g, k, s); i++) {
        find_place(g, k, s, i, at);
        row_put(r, g->point[at[0]][at[1]]);
    }
}

/* The ring's points, once around; of one that is a row, once along it. */
static void grid_ring(struct gfx_tessellated *t, const struct edge inner[2],
                      struct grid *g, uint32_t k)
{
    bool is_row = g->wide == 2 * k || g->high == 2 * k;

    for (uint32_t s = 0; s < 4; s++) {
        uint32_t count = points_of_side(g, k, s), at[2];

        if (is_row && (s > 1 || (count == 1 && (s == 0 || g->high > 2 * k))))
            continue;
        for (uint32_t i = 0; i < count - !is_row; i++) {
            find_place(g, k, s, i, at);
            g->point[at[0]][at[1]] =
                (uint16_t)point_add(t, inner[0].at[at[0]], inner[1].at[at[1]]);
        }
    }
}

/* The sides of the patch. */
static void outer_rows(struct gfx_tessellated *t, const struct edge outer[4],
                       struct row side[4])
{
    for (uint32_t s = 0; s < 4; s++) {
        const struct edge *e = &outer[s];

        side[s].count = 0;
        for (uint32_t i = 0; i < e->segments; i++) {
            double at = e->at[s == 1 || s == 2 ? i : e->segments - i];

            row_put(&side[s],
                    s % 2 ? point_add(t, at, s == 3) : point_add(t, s == 2, at));
        }
    }
    for (uint32_t s = 0; s < 4; s++)
        row_put(&side[s], side[(s + 1) % 4].point[0]);
}

/* What is left in the middle is a row of quads, whose diagonals go one way; but of a
 * row that stands, or of a single quad, the middle one's goes the other way. */
static void middle_row(struct gfx_tessellated *t, const struct grid *g, uint32_t k)
{
    bool across = g->wide > g->high;
    struct row a, b;
    struct walk w = {t, a.point, b.point};

    grid_row(g, k, across ? 1 : 0, &a);
    grid_row(g, k, across ? 3 : 2, &b);
    for (uint32_t i = 0; 2 * i < b.count; i++) { /* both go the same way */
        uint32_t last = b.point[b.count - 1 - i];

        b.point[b.count - 1 - i] = b.point[i];
        b.point[i] = last;
    }
    for (uint32_t i = 0; i + 1 < a.count; i++)
        if (across || a.count % 2 == 1) {
            both_from_inner(&w);
        } else if (2 * i + 2 == a.count) {
            both_from_outer(&w);
        } else {
            outer_step(&w);
            triangle(t, w.in[0], w.out[0], w.in[1]);
            w.in++;
        }
}

static void quad_rings(struct gfx_tessellated *t, const struct edge outer[4],
                       const struct edge inner[2])
{
    struct grid g = {.wide = inner[0].segments, .high = inner[1].segments};
    uint32_t least = g.wide < g.high ? g.wide : g.high;
    struct row side[4], a, b;

    outer_rows(t, outer, side);
    for (uint32_t k = 1; 2 * k <= least; k++)
        grid_ring(t, inner, &g, k);
    for (uint32_t k = 1; 2 * k <= least; k++)
        for (uint32_t s = 0; s < 4; s++) {
            grid_row(&g, k, s, &b);
            if (k == 1) {
                join_edge(t, &side[s], outer[s].segments, &b,
                          inner[s % 2 ? 0 : 1].segments);
            } else {
                grid_row(&g, k - 1, s, &a);
                join_rings(t, &a, &b);
            }
        }
    if (least % 2)
        middle_row(t, &g, least / 2);
}

static void quads(struct gfx_tessellated *t, const struct gfx_factors *f)
{
    struct edge outer[4], inner[2];
    bool whole = true;

    for (uint32_t i = 0; i < 4; i++) {
        edge_cut(f->outer[i], f->how, &outer[i]);
        whole = whole && outer[i].segments == 1;
    }
    for (uint32_t i = 0; i < 2; i++) {
        edge_cut(f->inner[i], f->how, &inner[i]);
        whole = whole && inner[i].segments == 1;
    }
    for (uint32_t i = 0; i < 2 && !whole; i++)
        if (inner[i].segments == 1)
            edge_cut(1.0001, f->how, &inner[i]);
    if (!whole) {
        quad_rings(t, outer, inner);
        return;
    }
    for (uint32_t i = 0; i < 4; i++)
        point_add(t, i & 1, i >> 1);
    triangle(t, 0, 1, 2);
    triangle(t, 2, 1, 3);
}

static void lines(struct gfx_tessellated *t, const struct gfx_factors *f)
{
    struct edge many, each;

    edge_cut(f->outer[0], GFX_CUT_WHOLE, &many);
    edge_cut(f->outer[1], f->how, &each);
    for (uint32_t k = 0; k < many.segments; k++)
        for (uint32_t i = 0; i <= each.segments; i++) {
            uint32_t p = point_add(t, each.at[i], (double)k / many.segments);

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
