/* gfx_overdraw.c - per pixel of each target: how often it was written, and what lies on
 * it of the draws' cycles. */
#include "gfx_int.h"

static bool same(const struct gfx_overdraw *o, const struct gfx_surface *s)
{
    return o->va == s->va && o->level == s->level && o->layer == s->first_layer &&
           o->width == gfx_minify(s->width, s->level) &&
           o->height == gfx_minify(s->height, s->level);
}

static void drop(struct gfx_overdraw *o)
{
    free(o->count);
    free(o->shaded);
    free(o->cycles);
    *o = (struct gfx_overdraw){.count = NULL};
}

/* The map of target s, made if it is not there; NULL: memory is short. */
static struct gfx_overdraw *map_of(struct gfx *g, const struct gfx_surface *s)
{
    struct gfx_overdraw *o = &g->told.overdraw[0];

    for (uint32_t i = 0; i < GFX_OVERDRAWS; i++) {
        if (g->told.overdraw[i].count != NULL && same(&g->told.overdraw[i], s)) {
            g->told.overdraw[i].used = g->counters.draws;
            return &g->told.overdraw[i];
        }
        if (g->told.overdraw[i].used < o->used)
            o = &g->told.overdraw[i];
    }
    drop(o);
    *o = (struct gfx_overdraw){.va = s->va,
                               .level = s->level,
                               .layer = s->first_layer,
                               .width = gfx_minify(s->width, s->level),
                               .height = gfx_minify(s->height, s->level),
                               .used = g->counters.draws};
    o->count = calloc((size_t)o->width * o->height, sizeof(*o->count));
    return o->count != NULL ? o : NULL;
}

static struct gfx_overdraw *drawn_over(struct gfx *g, const struct gfx_surface *s)
{
    struct gfx_overdraw *o = g->told.drawn_over;

    if (!g->told.counts_overdraw)
        return NULL;
    if (o == NULL || o->count == NULL || !same(o, s))
        g->told.drawn_over = o = map_of(g, s);
    /* Of several host threads nobody changes it. */
    if (o != NULL && gfx_get(g, GFX_VIEWPORT_TRANSFORM) && o->upward != g->d.upward)
        o->upward = g->d.upward;
    return o;
}

uint32_t *gfx_count_pixels(struct gfx *g, const struct gfx_surface *s)
{
    struct gfx_overdraw *o = drawn_over(g, s);

    return o != NULL ? o->count : NULL;
}

bool gfx_counts_pixels(const struct gfx *g, const struct gfx_surface *s)
{
    for (uint32_t i = 0; i < GFX_OVERDRAWS; i++)
        if (g->told.overdraw[i].count != NULL && same(&g->told.overdraw[i], s))
            return true;
    return !g->told.counts_overdraw;
}

/* The map of the target that is shown; NULL: there is none. */
static const struct gfx_overdraw *shown(const struct gfx *g)
{
    for (uint32_t i = 0; i < GFX_OVERDRAWS && g->has_shown; i++)
        if (g->told.overdraw[i].count != NULL && same(&g->told.overdraw[i], &g->shown))
            return &g->told.overdraw[i];
    return NULL;
}

static uint64_t written(const struct gfx_overdraw *o)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < (size_t)o->width * o->height; i++)
        sum += o->count[i];
    return sum;
}

/* The map of the target that most pixels were written of: of equal ones that which is
 * shown. */
static const struct gfx_overdraw *busiest_of(const struct gfx *g)
{
    const struct gfx_overdraw *most = shown(g);
    uint64_t pixels = most != NULL ? written(most) : 0;

    for (uint32_t i = 0; i < GFX_OVERDRAWS; i++) {
        const struct gfx_overdraw *o = &g->told.overdraw[i];
        uint64_t here = o->count != NULL ? written(o) : 0;

        if (here > pixels) {
            most = o;
            pixels = here;
        }
    }
    return most;
}

bool gfx_get_map(const struct gfx *g, bool busiest, struct gfx_map *map)
{
    const struct gfx_overdraw *seen = shown(g), *o = busiest ? busiest_of(g) : seen;

    if (o == NULL)
        return false;
    *map = (struct gfx_map){o->width, o->height, o->count, o->cycles,
                            seen != NULL && o->upward != seen->upward};
    return true;
}

void gfx_count_overdraw(struct gfx *g, bool counted)
{
    g->told.counts_overdraw = counted;
}

void gfx_forget_overdraw(struct gfx *g)
{
    for (uint32_t i = 0; i < GFX_OVERDRAWS; i++)
        drop(&g->told.overdraw[i]);
    g->told.drawn_over = NULL;
    g->told.draw_number = 0;
}

/* ---- cycles ------------------------------------------------------------- */

void gfx_lay_cycles(struct gfx *g, const uint64_t *cycles, uint32_t count)
{
    g->told.draw_cycles = cycles;
    g->told.draw_cycles_count = count;
}

/* A draw begins to shade pixels of the target. */
static bool make_room(struct gfx_overdraw *o)
{
    size_t pixels = (size_t)o->width * o->height;

    if (o->shaded == NULL)
        o->shaded = calloc(pixels, sizeof(*o->shaded));
    if (o->cycles == NULL)
        o->cycles = calloc(pixels, sizeof(*o->cycles));
    return o->shaded != NULL && o->cycles != NULL;
}

static void count_one(struct gfx_overdraw *o, uint32_t x, uint32_t y)
{
    bool first = o->at_x[1] == 0;

    o->shaded[(size_t)y * o->width + x]++;
    o->at_x[0] = first || x < o->at_x[0] ? x : o->at_x[0];
    o->at_y[0] = first || y < o->at_y[0] ? y : o->at_y[0];
    o->at_x[1] = x >= o->at_x[1] ? x + 1 : o->at_x[1];
    o->at_y[1] = y >= o->at_y[1] ? y + 1 : o->at_y[1];
}

void gfx_count_shaded(struct gfx *g, const struct gfx_surface *s, uint32_t pixels)
{
    struct gfx_overdraw *o = drawn_over(g, s);

    if (o == NULL || !make_room(o))
        return;
    for (uint32_t rest = pixels; rest != 0; rest &= rest - 1) {
        uint32_t p = (uint32_t)__builtin_ctz(rest);
        uint32_t x = (uint32_t)g->d.group->x[p / 4] + (p & 1);
        uint32_t y = (uint32_t)g->d.group->y[p / 4] + (p >> 1 & 1);

        if (x < o->width && y < o->height)
            count_one(o, x, y);
    }
}

void gfx_count_cleared(struct gfx *g, const struct gfx_surface *s, const uint32_t at[4])
{
    struct gfx_overdraw *o = drawn_over(g, s);

    if (o == NULL || !make_room(o))
        return;
    for (uint32_t y = at[1]; y < at[3] && y < o->height; y++)
        for (uint32_t x = at[0]; x < at[2] && x < o->width; x++)
            count_one(o, x, y);
}

/* Over the pixels that the draw shaded, which are forgotten. */
static void spread(struct gfx_overdraw *o, uint64_t cycles)
{
    uint64_t all = 0;

    for (uint32_t y = o->at_y[0]; y < o->at_y[1]; y++)
        for (uint32_t x = o->at_x[0]; x < o->at_x[1]; x++)
            all += o->shaded[(size_t)y * o->width + x];
    for (uint32_t y = o->at_y[0]; y < o->at_y[1]; y++)
        for (uint32_t x = o->at_x[0]; x < o->at_x[1]; x++) {
            size_t i = (size_t)y * o->width + x;

            o->cycles[i] += (double)cycles * o->shaded[i] / (double)all;
            o->shaded[i] = 0;
        }
    memset(o->at_x, 0, sizeof(o->at_x));
    memset(o->at_y, 0, sizeof(o->at_y));
}

void gfx_spread_cycles(struct gfx *g)
{
    uint32_t i = g->told.draw_number++;

    for (uint32_t k = 0; k < GFX_OVERDRAWS; k++)
        if (g->told.overdraw[k].at_x[1] != 0)
            spread(&g->told.overdraw[k],
                   i < g->told.draw_cycles_count ? g->told.draw_cycles[i] : 0);
}
