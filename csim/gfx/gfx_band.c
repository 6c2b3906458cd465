/* gfx_band.c - see gfx_band.h */
#include "gfx_band.h"

#include "gfx_depth.h"
#include "gfx_queue.h"
#include "gfx_raster.h"

#include <stdalign.h>
#include <stdatomic.h>

/* Rows of a band, as many or fewer; bands that are known at once, half of which may be
 * under way; blocks at least of what is left of a primitive. */
enum { HIGH = 8, RING = 1024, MOST_ROWS = 2048, MANY = 1024 };
enum { LINE = 64, ROOM = GFX_FRONT };

/* Blocks that fill no thread of the shader. */
struct rest {
    uint32_t count;
    int32_t x[ROOM], y[ROOM];
    uint8_t mask[ROOM];
    float b[2][4 * ROOM];
};

/* What `over` has beside the band's number and 1: it has a rest, in which there are
 * blocks from before it. */
enum { HAS_REST = 1, HAS_OLDER = 2, NUMBER = 2 };

struct band {
    alignas(LINE) const struct gfx_setup *s;
    struct gfx_notes *notes;
    int32_t rows[2];
    uint32_t layer, viewport;
    bool first, last;   /* of the primitive; first: `before` is there */
    uint64_t behind;    /* 1 more than the number of the one at its rows before it */
    struct rest before; /* what the primitive's blocks above left */
    alignas(LINE) atomic_uint_fast64_t tested; /* the number and 1: .. */
    struct rest rest;                          /* ..this is there */
    alignas(LINE) atomic_uint_fast64_t over;
};

struct gfx_bands {
    const struct gfx *g; /* whose they are */
    const struct gfx_band_steps *steps;
    uint64_t first; /* band since other groups.. */
    uint64_t free;  /* ..and behind the last before which all are over */
    uint32_t layer;
    uint64_t last[MOST_ROWS / HIGH]; /* of these rows, 1 more than its number */
    struct band band[RING];
};

/* ---- blocks that are left ----------------------------------------------- */

/* Room for those of a band of the primitive, in one piece of memory. False: memory is
 * short. */
static bool make_room(struct gfx_left *left, const struct gfx_setup *s)
{
    const uint32_t room = gfx_row_blocks(s) * (HIGH / 2), all = room + 2 * GFX_FRONT;
    int32_t *x;

    if (room <= left->room)
        return true;
    x = calloc(all, 2 * sizeof(int32_t) + 8 * sizeof(float) + sizeof(uint8_t));
    if (x == NULL)
        return false;
    free(left->x);
    *left = (struct gfx_left){.room = room, .x = x, .y = x + all};
    left->b[0] = (float *)(void *)(x + 2 * (size_t)all);
    left->b[1] = left->b[0] + 4 * (size_t)all;
    left->mask = (uint8_t *)(left->b[1] + 4 * (size_t)all);
    return true;
}

/* In front of its blocks. */
static void put_before(const struct gfx_left *left, const struct rest *r)
{
    const uint32_t to = GFX_FRONT - r->count;

    memcpy(left->x + to, r->x, r->count * sizeof(r->x[0]));
    memcpy(left->y + to, r->y, r->count * sizeof(r->y[0]));
    memcpy(left->mask + to, r->mask, r->count);
    for (uint32_t k = 0; k < 2; k++)
        memcpy(left->b[k] + 4 * to, r->b[k], 4 * r->count * sizeof(float));
}

/* So many from block `from` on. */
static void take_rest(const struct gfx_left *left, uint32_t from, uint32_t count,
                      struct rest *r)
{
    r->count = count;
    memcpy(r->x, left->x + from, count * sizeof(r->x[0]));
    memcpy(r->y, left->y + from, count * sizeof(r->y[0]));
    memcpy(r->mask, left->mask + from, count);
    for (uint32_t k = 0; k < 2; k++)
        memcpy(r->b[k], left->b[k] + 4 * from, 4 * count * sizeof(float));
}

/* ---- a band ------------------------------------------------------------- */

/* False: a piece in front of `number` has failed. */
static bool await(const struct gfx_bands *b, uint64_t number,
                  const atomic_uint_fast64_t *what, uint64_t least, uint64_t *value)
{
    uint32_t spins = 0;

    for (;;) {
        *value = atomic_load_explicit(what, memory_order_acquire);
        if (*value >= least)
            return true;
        if (gfx_pool_failed_at(b->g, GFX_JOB_BACK) < number)
            return false;
        gfx_pool_pause(&spins);
    }
}

/* The one at the band's rows before it, and those that shade blocks of it. One whose
 * place another has is over for long, and all of its primitive. */
static bool await_behind(struct gfx_bands *b, const struct band *band, uint64_t number)
{
    uint64_t flag = HAS_REST;

    for (uint64_t i = band->behind; i > b->first; i++, flag = HAS_OLDER) {
        uint64_t value;

        if (!await(b, number, &b->band[(i - 1) % RING].over, i << NUMBER, &value))
            return false;
        if (value >> NUMBER > i || !(value & flag))
            break;
    }
    return true;
}

/* From block `from` to before `end`. */
static enum igpu_status shade(struct gfx *w, const struct gfx_bands *b,
                              const struct gfx_setup *s, uint32_t from, uint32_t end)
{
    const struct gfx_left *left = &w->thread.left;
    struct gfx_group *group = &w->d.blocks;
    const uint32_t room = gfx_group_room(w);
    enum igpu_status status = IGPU_OK;

    w->d.passes = w->d.fails = 0;
    for (; from < end && status == IGPU_OK; from += group->count) {
        group->count = end - from < room ? end - from : room;
        group->mask = 0;
        for (uint32_t i = 0; i < group->count; i++) {
            group->x[i] = left->x[from + i];
            group->y[i] = left->y[from + i];
            group->mask |= (uint32_t)left->mask[from + i] << 4 * i;
        }
        for (uint32_t k = 0; k < 2; k++)
            group->placed[k] = left->b[k] + 4 * from;
        status = b->steps->shade(w, s, group);
    }
    return status;
}

/* Tests. Of the host thread's blocks those from *from to before *end fill threads of
 * the shader; a failure: those before it. */
static enum igpu_status test(struct gfx *w, struct gfx_bands *b, uint64_t number,
                             uint32_t *from, uint32_t *end)
{
    struct band *band = &b->band[number % RING], *above = &b->band[(number - 1) % RING];
    const struct rest *before = band->first ? &band->before : &above->rest;
    struct gfx_left *left = &w->thread.left;
    enum igpu_status status;
    uint32_t rest = 0;
    uint64_t value;

    w->d.layer = band->layer;
    w->d.viewport = band->viewport;
    gfx_hiz_rows(w, band->s, band->notes);
    status = b->steps->find(w, band->s, band->rows, left);
    if (!band->first && !await(b, number, &above->tested, number, &value))
        return IGPU_SIM_ERROR;
    put_before(left, before);
    *from = GFX_FRONT - before->count;
    *end = GFX_FRONT + left->count;
    if (!band->last || status != IGPU_OK)
        rest = (*end - *from) % gfx_group_room(w);
    *end -= rest;
    take_rest(left, *end, rest, &band->rest);
    atomic_store_explicit(&band->tested, number + 1, memory_order_release);
    return status;
}

static enum igpu_status run_band(struct gfx *w, void *ctx, uint64_t number)
{
    struct gfx_bands *b = ctx;
    struct band *band = &b->band[number % RING];
    uint32_t from = 0, end = 0;
    uint64_t over = (number + 1) << NUMBER;
    enum igpu_status status, shaded;

    if (!await_behind(b, band, number))
        return IGPU_SIM_ERROR;
    if (!make_room(&w->thread.left, band->s))
        return gfx_refuse(w, "memory is short for blocks of pixels");
    status = test(w, b, number, &from, &end);
    shaded = shade(w, b, band->s, from, end);
    if (status != IGPU_OK || shaded != IGPU_OK)
        return IGPU_SIM_ERROR;
    over |= band->rest.count > 0 ? HAS_REST : 0;
    over |= band->rest.count > w->thread.left.count ? HAS_OLDER : 0;
    atomic_store_explicit(&band->over, over, memory_order_release);
    return IGPU_OK;
}

/* ---- primitives --------------------------------------------------------- */

/* Is its rest, from row y on, worth it, and known to be alike in any order of tests? */
static bool may_have(const struct gfx *g, const struct gfx_setup *s, int32_t y)
{
    return s->simple && s->t->kind == GFX_TRIANGLE && g->d.pixel.plain && !g->d.late &&
           gfx_group_room(g) <= ROOM && s->max_y <= MOST_ROWS && s->min_y >= 0 &&
           gfx_is_high(s, y) &&
           (uint32_t)(s->max_y - y) / 2 * gfx_row_blocks(s) >= MANY;
}

/* NULL: memory is short. */
static struct gfx_bands *bands_of(struct gfx *g)
{
    if (g->bands != NULL)
        return g->bands;
    g->bands = aligned_alloc(LINE, sizeof(*g->bands));
    if (g->bands != NULL)
        memset(g->bands, 0, sizeof(*g->bands));
    return g->bands;
}

void gfx_bands_free(struct gfx *g)
{
    free(g->bands);
    g->bands = NULL;
}

enum igpu_status gfx_bands_begin(struct gfx *g, const struct gfx_setup *s)
{
    return g->bands->layer == g->d.layer && may_have(g, s, s->min_y & ~1)
               ? IGPU_OK
               : gfx_queue_turn(g, false);
}

/* For the next band; meanwhile others are done. */
static enum igpu_status await_place(struct gfx *g, uint64_t number)
{
    struct gfx_bands *b = g->bands;
    uint32_t spins = 0;

    while (number - b->free >= RING / 2) {
        const uint64_t over =
            atomic_load_explicit(&b->band[b->free % RING].over, memory_order_acquire);

        if (over >> NUMBER > b->free)
            b->free++;
        else if (gfx_pool_failed(g, GFX_JOB_BACK)) /* gfx_queue_end() has the error */
            return IGPU_SIM_ERROR;
        else if (!gfx_pool_help(g, GFX_JOB_BACK))
            gfx_pool_pause(&spins);
    }
    return IGPU_OK;
}

/* What its rows above left, as threads get it. */
static void put_group(struct rest *r, const struct gfx_group *group)
{
    r->count = group->count;
    for (uint32_t i = 0; i < group->count; i++) {
        r->x[i] = group->x[i];
        r->y[i] = group->y[i];
        r->mask[i] = group->mask >> 4 * i & 15;
    }
    for (uint32_t i = 0; i < 4 * group->count; i++) {
        r->b[0][i] = (float)group->b1[i];
        r->b[1][i] = (float)group->b2[i];
    }
}

/* From row y on to before row `end`, where the last one ends. */
static void put_band(const struct gfx *g, struct band *band,
                     const struct gfx_setup *copy, int32_t y, int32_t end)
{
    band->s = copy;
    band->notes = g->hiz.now;
    band->rows[0] = y;
    band->rows[1] = end < copy->max_y ? end : copy->max_y;
    band->layer = g->d.layer;
    band->viewport = g->d.viewport;
    band->last = end >= copy->max_y;
    band->behind = g->bands->last[y / HIGH];
}

bool gfx_bands_take(struct gfx *g, const struct gfx_setup *s, int32_t y,
                    struct gfx_group *group, const struct gfx_band_steps *steps,
                    enum igpu_status *status)
{
    const struct gfx_setup *copy;
    struct gfx_bands *b;

    if (!gfx_queue_is_on(g) || (y % HIGH != 0 && y != (s->min_y & ~1)) ||
        !may_have(g, s, y) || bands_of(g) == NULL)
        return false;
    b = g->bands;
    if (!g->pieces) {
        *status = gfx_queue_turn(g, true);
        b->g = g;
        b->steps = steps;
        b->layer = g->d.layer;
        b->first = b->free = gfx_queue_next_piece(g);
    }
    if (s->later && group->count > 0)
        gfx_place(g, s, group);
    copy = gfx_queue_copy(g, s);
    for (bool first = true; y < s->max_y && *status == IGPU_OK; first = false) {
        const uint64_t number = gfx_queue_next_piece(g);
        const int32_t next = (y / HIGH + 1) * HIGH;
        struct band *band = &b->band[number % RING];

        *status = await_place(g, number);
        if (*status != IGPU_OK)
            break;
        put_band(g, band, copy, y, next);
        band->first = first;
        if (first)
            put_group(&band->before, group);
        b->last[y / HIGH] = number + 1;
        gfx_queue_add_piece(g, run_band, b);
        y = next;
    }
    return true;
}
