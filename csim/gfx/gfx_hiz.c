/* gfx_hiz.c - see gfx_hiz.h: tests of a primitive's blocks by their notes, and what
 * becomes of notes when depths are written. */
#include "gfx_depth.h"
#include "igpu/grow.h"

/* ---- a primitive -------------------------------------------------------- */

/* The shader has to run for pixels that fail, or it decides what is tested. */
static bool wants_all(const struct gfx *g)
{
    return gfx_get(g, GFX_WM_EARLY_CONTROL) == GFX_AFTER_PS ||
           gfx_get(g, GFX_PS_COMPUTED_DEPTH) != 0 ||
           gfx_get(g, GFX_PS_COMPUTES_STENCIL);
}

void gfx_hiz_draw(struct gfx *g)
{
    struct gfx_hiz *h = &g->hiz;

    h->on = !h->ignored && g->d.depth_on && gfx_get(g, GFX_DEPTH_HIZ);
    h->now = NULL;
    h->fails = h->on && gfx_stencil_keeps(g);
    h->rejects = h->fails && g->d.late && !wants_all(g);
    g->counters.hiz_draws += h->on && (!g->d.late || h->rejects);
}

/* Does the draw ask blocks before its shader? */
static bool asks(const struct gfx *g)
{
    return g->hiz.now != NULL && (!g->d.late || g->hiz.rejects);
}

/* Of the primitive no block was asked. */
static void begin(struct gfx *g, const struct gfx_setup *s)
{
    struct gfx_hiz *h = &g->hiz;
    uint32_t end = (uint32_t)(s->max_x + GFX_NOTE_WIDE - 1) / GFX_NOTE_WIDE;

    if (!asks(g))
        return;
    if (!IGPU_RESERVE_ZERO(h->block, h->block_cap, end)) {
        h->now = NULL;
        return;
    }
    h->row = UINT32_MAX;
    h->first = (uint32_t)s->min_x / GFX_NOTE_WIDE;
    h->end = end;
    h->stamp++;
}

void gfx_hiz_primitive(struct gfx *g, const struct gfx_setup *s)
{
    struct gfx_hiz *h = &g->hiz;

    if (!h->on)
        return;
    if (h->now != NULL && h->layer == g->d.layer)
        h->now->used = ++h->clock;
    else
        h->now = gfx_hiz_find(g, &g->d.depth, g->d.depth.first_layer + g->d.layer,
                              gfx_get(g, GFX_SAMPLES_LOG2));
    h->layer = g->d.layer;
    begin(g, s);
}

void gfx_hiz_rows(struct gfx *w, const struct gfx_setup *s, struct gfx_notes *notes)
{
    w->hiz.now = notes;
    w->hiz.layer = w->d.layer;
    begin(w, s);
}

/* The block's pixels that the buffer has, each so often as it has samples. */
static uint32_t samples_of(const struct gfx_notes *n, uint32_t x, uint32_t y)
{
    uint32_t wide = n->width - x * GFX_NOTE_WIDE, high = n->height - y * GFX_NOTE_HIGH;

    wide = wide < GFX_NOTE_WIDE ? wide : GFX_NOTE_WIDE;
    high = high < GFX_NOTE_HIGH ? high : GFX_NOTE_HIGH;
    return wide * high << n->samples_log2;
}

enum igpu_status gfx_hiz_finish(struct gfx *g)
{
    struct gfx_hiz *h = &g->hiz;
    bool room = true;

    if (!asks(g) || h->row == UINT32_MAX)
        return IGPU_OK;
    for (uint32_t x = h->first; x < h->end; x++) {
        const struct gfx_hiz_block *b = &h->block[x];
        struct gfx_note *note = gfx_note_at(h->now, x, h->row);

        if (b->stamp != h->stamp || note == NULL || b->written == 0 ||
            b->written != samples_of(h->now, x, h->row))
            continue;
        if (note->state != GFX_NOTE_RANGE || note->least != b->least ||
            note->most != b->most)
            room = gfx_hiz_touch(g, h->now, x, h->row, true) && room;
        *note = (struct gfx_note){b->least, b->most, GFX_NOTE_RANGE};
    }
    return room ? IGPU_OK : gfx_refuse(g, "memory is short for lines of depth");
}

/* fmin() and fmax(), which are calls: what is no number is left out. */
static inline double least_of(double a, double b)
{
    return a < b || b != b ? a : b;
}

static inline double most_of(double a, double b)
{
    return a > b || b != b ? a : b;
}

/* Between which depths the plane through the vertices lies at a rectangle's corners, of
 * a triangle within those of its vertices; *sum gets what their rounding is a part of.
 */
static void planes(const struct gfx_setup *s, const struct gfx_edge e[3],
                   const int64_t from[2], const int64_t size[2], double z[2],
                   double *sum)
{
    double corner[4] = {s->z[0], s->z[0], s->z[0], s->z[0]}, all[4] = {0};

#if defined(__x86_64__)
    if (s->simple && gfx_find_span_avx2(s, e, from, size, z, sum))
        return;
#endif
    if (!s->thin)
        gfx_find_planes(s, e, from, size, corner, all);
    *sum = 0;
    for (uint32_t i = 0; i < 4; i++)
        *sum = most_of(*sum, all[i]);
    z[0] = least_of(least_of(corner[0], corner[1]), least_of(corner[2], corner[3]));
    z[1] = most_of(most_of(corner[0], corner[1]), most_of(corner[2], corner[3]));
    if (s->t->kind == GFX_TRIANGLE && !s->conservative) {
        z[0] = most_of(z[0], least_of(least_of(s->z[0], s->z[1]), s->z[2]));
        z[1] = least_of(z[1], most_of(most_of(s->z[0], s->z[1]), s->z[2]));
    }
}

/* Between which depths the primitive's pixels in the block lie. False: not known. */
static bool span(const struct gfx *g, const struct gfx_setup *s,
                 const struct gfx_edge e[3], uint32_t x, uint32_t y, double z[2])
{
    enum { GRID = 256 };
    int64_t inset = g->d.ms.spread ? 0 : GRID / 2;
    int64_t left = (int64_t)x * GFX_NOTE_WIDE * GRID + inset;
    int64_t top = (int64_t)y * GFX_NOTE_HIGH * GRID + inset;
    int64_t right = left + GFX_NOTE_WIDE * GRID - 2 * inset;
    int64_t bottom = top + GFX_NOTE_HIGH * GRID - 2 * inset;
    double sum;

    if (s->t->kind == GFX_LINE)
        return false;
    if (s->t->kind == GFX_POINT) {
        z[0] = z[1] = s->z[0];
        return z[0] == z[0];
    }
    planes(s, e, (const int64_t[2]){left, top},
           (const int64_t[2]){right - left, bottom - top}, z, &sum);
    z[0] -= 1e-14 * sum; /* more than what all roundings come to */
    z[1] += 1e-14 * sum;
    return isfinite(sum) && sum == sum;
}

static __attribute__((noinline)) enum igpu_status
test(struct gfx *g, const struct gfx_setup *s, const struct gfx_edge e[3], uint32_t x,
     uint32_t y, struct gfx_hiz_block *b)
{
    struct gfx_notes *n = g->hiz.now;
    struct gfx_note *note = gfx_note_at(n, x, y);
    struct gfx_counters *c = &g->counters;
    enum gfx_decision d = GFX_AMBIGUOUS;
    double z[2];

    *b = (struct gfx_hiz_block){.stamp = g->hiz.stamp};
    if (note == NULL)
        return IGPU_OK;
    if (note->state != GFX_NOTE_NONE && !gfx_depth_is_within(g, n, x, y, note)) {
        note->state = GFX_NOTE_NONE;
        c->hiz_stale++;
    }
    c->hiz_blocks++;
    c->hiz_clear += note->state == GFX_NOTE_CLEAR;
    c->hiz_unknown += note->state == GFX_NOTE_NONE;
    if (note->state != GFX_NOTE_NONE && span(g, s, e, x, y, z) &&
        gfx_depth_range(g, z) == IGPU_OK)
        d = gfx_hiz_decide(
            gfx_get(g, GFX_DEPTH_TEST_ON) ? gfx_get(g, GFX_DEPTH_FUNCTION) : 0, z[0],
            z[1], (double)note->least, (double)note->most);
    if (g->d.late ? d == GFX_PASSES : d == GFX_FAILS && !g->hiz.fails)
        d = GFX_AMBIGUOUS;
    c->hiz_failed += d == GFX_FAILS;
    c->hiz_passed += d == GFX_PASSES;
    c->hiz_ambiguous += d == GFX_AMBIGUOUS;
    b->decision = (uint8_t)d;
    return gfx_hiz_touch(g, n, x, y, false)
               ? IGPU_OK
               : gfx_refuse(g, "memory is short for lines of depth");
}

enum igpu_status gfx_hiz_test(struct gfx *g, const struct gfx_setup *s,
                              const struct gfx_edge e[3], int32_t x, int32_t y,
                              uint32_t pixels)
{
    struct gfx_hiz *h = &g->hiz;
    uint32_t column = (uint32_t)x / GFX_NOTE_WIDE, row = (uint32_t)y / GFX_NOTE_HIGH;
    enum igpu_status status = IGPU_OK;
    enum gfx_decision d;

    g->d.passes &= ~pixels;
    g->d.fails &= ~pixels;
    g->d.rejected = false;
    if (!asks(g) || column >= h->end)
        return IGPU_OK;
    if (row != h->row) {
        status = gfx_hiz_finish(g);
        h->row = row;
        h->stamp++;
    }
    if (status == IGPU_OK && h->block[column].stamp != h->stamp)
        status = test(g, s, e, column, row, &h->block[column]);
    d = h->block[column].decision;
    g->d.rejected = g->d.late && d == GFX_FAILS;
    g->d.passes |= !g->d.late && d == GFX_PASSES ? pixels : 0;
    g->d.fails |= !g->d.late && d == GFX_FAILS ? pixels : 0;
    return status;
}

/* ---- clears and resolves ------------------------------------------------ */

/* Those of a row of blocks; a block that is not cleared as a whole holds v as well. */
static void clear_notes(const struct gfx_notes *n, uint32_t y, const uint32_t at[4],
                        bool all_samples, float v)
{
    const struct gfx_note clear = {v, v, GFX_NOTE_CLEAR};
    const uint32_t y0 = y * GFX_NOTE_HIGH, y1 = y0 + GFX_NOTE_HIGH;
    const bool row =
        all_samples && y0 >= at[1] && (y1 < n->height ? y1 : n->height) <= at[3];
    struct gfx_note *note = &n->note[y * n->wide];

    for (uint32_t x = at[0] / GFX_NOTE_WIDE; x < n->wide; x++) {
        const uint32_t x0 = x * GFX_NOTE_WIDE, x1 = x0 + GFX_NOTE_WIDE;

        if (x0 >= at[2])
            return;
        if (row && x0 >= at[0] && (x1 < n->width ? x1 : n->width) <= at[2])
            note[x] = clear;
        else
            (void)gfx_note_widen(&note[x], v);
    }
}

void gfx_hiz_cleared(struct gfx *g, const struct gfx_surface *s, const uint32_t at[4],
                     bool all_samples, float v)
{
    struct gfx_notes *n =
        g->hiz.ignored
            ? NULL
            : gfx_hiz_find(g, s, s->first_layer, gfx_get(g, GFX_HZ_SAMPLES_LOG2));

    for (uint32_t y = at[1] / GFX_NOTE_HIGH;
         n != NULL && y < n->high && y * GFX_NOTE_HIGH < at[3]; y++)
        clear_notes(n, y, at, all_samples, v);
}

/* A block is resolved: depths into memory, or the note to say nothing. */
static bool resolve(struct gfx *g, const struct gfx_surface *s, struct gfx_notes *n,
                    uint32_t x, uint32_t y, bool depth)
{
    struct gfx_note *note = gfx_note_at(n, x, y);
    bool clear = note->state == GFX_NOTE_CLEAR;

    if (!depth) {
        note->state = GFX_NOTE_NONE;
        return gfx_hiz_touch(g, n, x, y, true);
    }
    if (clear)
        note->state = GFX_NOTE_RANGE;
    return gfx_hiz_touch(g, n, x, y, clear) &&
           (!clear || gfx_touch_depth_block(g, s, n, x, y));
}

enum igpu_status gfx_hiz_resolve(struct gfx *g, const struct gfx_surface *s,
                                 const uint32_t at[4], bool depth)
{
    struct gfx_notes *n =
        g->hiz.ignored
            ? NULL
            : gfx_hiz_find(g, s, s->first_layer, gfx_get(g, GFX_HZ_SAMPLES_LOG2));

    g->counters.hiz_resolves++;
    for (uint32_t y = at[1] / GFX_NOTE_HIGH;
         n != NULL && y < n->high && y * GFX_NOTE_HIGH < at[3]; y++) {
        enum igpu_status status = gfx_spend(g, n->wide);

        for (uint32_t x = at[0] / GFX_NOTE_WIDE;
             x < n->wide && x * GFX_NOTE_WIDE < at[2] && status == IGPU_OK; x++)
            if (!resolve(g, s, n, x, y, depth))
                status = gfx_refuse(g, "memory is short for lines of depth");
        if (status != IGPU_OK)
            return status;
    }
    return IGPU_OK;
}

void gfx_ignore_hiz(struct gfx *g, bool ignored)
{
    g->hiz.ignored = ignored;
}
