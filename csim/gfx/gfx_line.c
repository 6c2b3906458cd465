/* gfx_line.c - lines by the diamond exit rule, points as squares, both smooth; depth
 * offset. */
#include "gfx_raster.h"

/* Fractions of the state's widths, and of the vertex's: 1/128 and 1/8 pixel. */
double gfx_width(const struct gfx *g, const struct gfx_triangle *t)
{
    double width;

    if (t->kind == GFX_LINE) /* none: as thin as can be */
        return fmax((double)gfx_get(g, GFX_SF_LINE_WIDTH) / 128, 1);
    if (t->kind != GFX_POINT)
        return 0;
    width = gfx_get(g, GFX_SF_POINT_WIDTH_OF_STATE)
                ? (double)gfx_get(g, GFX_SF_POINT_WIDTH) / 8
                : (double)t->v[0]->slot[0][3];
    return fmin(fmax(width, gfx_is_smooth(g, t) ? 0.125 : 1), 255.875);
}

/* A line along its longer direction. */
struct way {
    bool steep;
    double run, rise, from, to, across; /* across: where it is at `from` */
};

static struct way way_of(const struct gfx_setup *s)
{
    double dx = s->x[1] - s->x[0], dy = s->y[1] - s->y[0];
    bool steep = fabs(dy) > fabs(dx);

    return (struct way){.steep = steep,
                        .run = steep ? dy : dx,
                        .rise = steep ? dx : dy,
                        .from = steep ? s->y[0] : s->x[0],
                        .to = steep ? s->y[1] : s->x[1],
                        .across = steep ? s->x[0] : s->y[0]};
}

/* Does the line leave a diamond at `along`, the middle of a column? */
static bool leaves(const struct way *w, double along)
{
    double at = w->across + (along - w->from) / w->run * w->rise;
    double off = at - (floor(at) + 0.5), slope = w->rise / fabs(w->run);
    double leave = (0.5 - off) / (1 + slope);

    if (slope < 1)
        leave = fmin(leave, (0.5 + off) / (1 - slope));
    if (slope <= -1)
        leave = (0.5 + off) / (1 - slope);
    along += w->run > 0 ? leave : -leave;
    return w->run > 0 ? along > w->from && along <= w->to
                      : along < w->from && along >= w->to;
}

/* A line leaves the diamond of each pixel that it draws: of those whose centres are
 * within half a pixel in the shorter direction. Wide lines repeat it there. */
static bool line_covers(const struct gfx_setup *s, double cx, double cy,
                        double weight[3])
{
    const struct way w = way_of(s);
    double along = w.steep ? cy : cx, across = w.steep ? cx : cy, t, at;

    weight[0] = 1;
    weight[1] = weight[2] = 0;
    if (w.run == 0)
        return false;
    t = (along - w.from) / w.run;
    weight[0] = 1 - t;
    weight[1] = t;
    at = w.across + t * w.rise;
    return at - s->width / 2 < across && across <= at + s->width / 2 &&
           leaves(&w, along);
}

uint32_t gfx_line_pixels(const struct gfx_setup *s, int32_t *first)
{
    const struct way w = way_of(s);
    int32_t step = w.run > 0 ? 1 : -1, last = (int32_t)floor(w.to);

    *first = (int32_t)floor(w.from);
    if (w.run == 0)
        return 0;
    *first += leaves(&w, *first + 0.5) ? 0 : step;
    last -= leaves(&w, last + 0.5) ? 0 : step;
    return (last - *first) * step < 0 ? 0 : (uint32_t)((last - *first) * step) + 1;
}

static double limited(double v)
{
    return v < 0 ? 0 : v > 1 ? 1 : v;
}

/* A rectangle around the line, whose sides fade over a pixel. */
static double smooth_line(const struct gfx_setup *s, double cx, double cy,
                          double weight[3])
{
    double dx = s->x[1] - s->x[0], dy = s->y[1] - s->y[0], length = hypot(dx, dy);
    double along, across;

    if (length == 0)
        return 0;
    along = ((cx - s->x[0]) * dx + (cy - s->y[0]) * dy) / length;
    across = fabs((cx - s->x[0]) * dy - (cy - s->y[0]) * dx) / length;
    weight[1] = along / length;
    weight[0] = 1 - weight[1];
    weight[2] = 0;
    across = limited(s->width / 2 + 0.5 - across);
    return s->stippled /* ..whose pieces have ends of their own */
               ? across
               : across * limited(length / 2 + 0.5 - fabs(along - length / 2));
}

/* A disc: all of a pixel whose centre lies in it. */
static double smooth_point(const struct gfx_setup *s, double cx, double cy)
{
    double radius = s->width / 2, dx = cx - s->x[0], dy = cy - s->y[0];

    return dx * dx + dy * dy <= radius * radius ? 1 : 0;
}

bool gfx_is_smooth(const struct gfx *g, const struct gfx_triangle *t)
{
    return t->kind == GFX_LINE    ? gfx_get(g, GFX_ANTIALIASING)
           : t->kind == GFX_POINT ? gfx_get(g, GFX_SMOOTH_POINTS)
                                  : false;
}

double gfx_covers(const struct gfx_setup *s, double cx, double cy, double weight[3])
{
    if (s->t->kind == GFX_LINE)
        return s->smooth ? smooth_line(s, cx, cy, weight)
                         : line_covers(s, cx, cy, weight);
    weight[0] = 0; /* the others: how far from the corner */
    weight[1] = (cx - s->x[0]) / s->width + 0.5;
    weight[2] = (cy - s->y[0]) / s->width + 0.5;
    if (s->smooth)
        return smooth_point(s, cx, cy);
    return weight[1] >= 0 && weight[1] < 1 && weight[2] >= 0 && weight[2] < 1;
}

bool gfx_covers_wide(const struct gfx_setup *s, double x, double y, double weight[3])
{
    double dx = s->x[1] - s->x[0], dy = s->y[1] - s->y[0], length = hypot(dx, dy);
    double along, across;

    if (s->t->kind == GFX_POINT) {
        weight[0] = 0;
        weight[1] = (x - s->x[0]) / s->width + 0.5;
        weight[2] = (y - s->y[0]) / s->width + 0.5;
        return s->smooth
                   ? smooth_point(s, x, y) > 0
                   : weight[1] >= 0 && weight[1] < 1 && weight[2] >= 0 && weight[2] < 1;
    }
    weight[0] = 1;
    weight[1] = weight[2] = 0;
    if (length == 0)
        return false;
    along = ((x - s->x[0]) * dx + (y - s->y[0]) * dy) / length;
    across = fabs((x - s->x[0]) * dy - (y - s->y[0]) * dx) / length;
    weight[1] = along / length;
    weight[0] = 1 - weight[1];
    return along >= 0 && along < length && across < s->width / 2;
}

/* The state's constant counts the least depth above 0 that the buffer's format has; of
 * a float, the least step at the largest depth. */
double gfx_depth_offset(const struct gfx *g, const struct gfx_setup *s)
{
    const struct tex_format *f = g->d.depth_on ? g->d.depth.format : NULL;
    double constant = (double)gfx_get_float(g, GFX_DEPTH_OFFSET_CONSTANT), least;
    double most = (double)gfx_get_float(g, GFX_DEPTH_OFFSET_CLAMP), more;
    double dzx = ((s->z[1] - s->z[0]) * (s->y[2] - s->y[0]) -
                  (s->z[2] - s->z[0]) * (s->y[1] - s->y[0])) /
                 s->area;
    double dzy = ((s->z[2] - s->z[0]) * (s->x[1] - s->x[0]) -
                  (s->z[1] - s->z[0]) * (s->x[2] - s->x[0])) /
                 s->area;
    int exponent = 0;

    if (s->thin)
        dzx = dzy = 0;
    if (f != NULL && f->type == TEX_FLOAT)
        (void)frexp(fmax(fmax(fabs(s->z[0]), fabs(s->z[1])), fabs(s->z[2])), &exponent);
    least = f == NULL              ? 0
            : f->type == TEX_FLOAT ? ldexp(1, exponent - 24)
            : f->bytes == 2        ? 1.0 / 65535
                                   : 1.0 / 16777215;
    more = constant * least + (double)gfx_get_float(g, GFX_DEPTH_OFFSET_SCALE) *
                                  fmax(fabs(dzx), fabs(dzy));
    if (most > 0)
        return fmin(more, most);
    return most < 0 ? fmax(more, most) : more;
}
