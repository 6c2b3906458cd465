/* gfx_ahead.c - the vertices of a run without a cut: on several host threads where
 * nobody sees their order, and then, where no pixel writes what they are made of, while
 * primitives of those before them are drawn. Tests: tests/bridge/test_frame_threads.sh
 */
#include "gfx_geometry.h"
#include "gfx_pool.h"
#include "gfx_queue.h"
#include "gfx_texture.h"

#include <stdatomic.h>

/* MANY: vertices that are worth several host threads; PIECE: of a piece. */
enum { LANES = 8, MANY = 256, PIECE = 32 };

struct gfx_ahead {
    struct gfx_strip strip;
    uint64_t first;      /* the piece that is its first vertices */
    atomic_uchar over[]; /* pieces that are shaded */
};

/* ---- pieces ------------------------------------------------------------- */

static enum igpu_status some(struct gfx *g, const struct gfx_strip *s, uint32_t from,
                             uint32_t end)
{
    return gfx_vertices(g, s->index + from, end - from, s->instance, s->first_instance,
                        s->v + from);
}

static enum igpu_status run_piece(struct gfx *w, void *ctx, uint64_t number)
{
    struct gfx_ahead *a = ctx;
    uint64_t piece = number - a->first;
    uint32_t from = (uint32_t)piece * PIECE, left = a->strip.n - from;
    enum igpu_status status =
        some(w, &a->strip, from, left < PIECE ? a->strip.n : from + PIECE);

    if (status == IGPU_OK)
        atomic_store_explicit(&a->over[piece], 1, memory_order_release);
    return status;
}

enum igpu_status gfx_await_vertices(struct gfx *g, const struct gfx_triangle *t)
{
    struct gfx_ahead *a = g->ahead;
    uint32_t spins = 0;

    for (uint32_t i = 0; i < 3; i++)
        while (t->v[i] >= g->ahead_of) {
            size_t piece = (size_t)(g->ahead_of - a->strip.v) / PIECE;

            if (atomic_load_explicit(&a->over[piece], memory_order_acquire)) {
                g->ahead_of += PIECE;
                spins = 0;
            } else if (gfx_pool_failed(g, GFX_JOB_FRONT)) /* gfx_strip_end() has why */
                return IGPU_SIM_ERROR;
            else if (!gfx_pool_help(g, GFX_JOB_FRONT))
                gfx_pool_pause(&spins);
        }
    return IGPU_OK;
}

/* ---- which -------------------------------------------------------------- */

/* Nobody sees in which order its vertices are shaded. */
static bool have_no_order(struct gfx *g)
{
    const struct gfx_shader *s;

    if (!gfx_get(g, GFX_VS_ON) || gfx_is_watched(g))
        return false;
    s = gfx_find_shader(g, g->c->instruction_base + gfx_get_address(g, GFX_VS_KERNEL),
                        LANES, "vertex shader");
    return s != NULL && !s->reach.beyond;
}

/* Nothing that the draw does behind them reaches what vertices are made of. The stage
 * that is bound stays that of pixels. */
static bool are_apart(struct gfx *g)
{
    struct gfx_reads reads = {.count = 0};
    bool known;

    if (gfx_get(g, GFX_GS_ON) || gfx_get(g, GFX_HS_ON) ||
        gfx_get(g, GFX_STREAMOUT_ON) ||
        (gfx_get(g, GFX_PS_VALID) && gfx_get(g, GFX_PS_FAST_CLEAR)))
        return false;
    gfx_bind_stage(g, GFX_STAGE_VERTEX);
    known = gfx_vertex_reads(g, &reads);
    gfx_bind_stage(g, GFX_STAGE_PIXEL);
    return known && gfx_queue_spares(g, &reads);
}

static struct gfx_ahead *new_ahead(const struct gfx_strip *s)
{
    struct gfx_ahead *a = calloc(1, sizeof(*a) + (s->n + PIECE - 1) / PIECE);

    if (a != NULL)
        a->strip = *s;
    return a;
}

/* ---- runs --------------------------------------------------------------- */

enum igpu_status gfx_strip_begin(struct gfx *g, const struct gfx_strip *s)
{
    enum igpu_status status = gfx_queue_end(g); /* whose pixels may be read */
    bool many =
        status == IGPU_OK && s->n >= MANY && g->host_threads > 1 && have_no_order(g);
    struct gfx_ahead *a = many ? new_ahead(s) : NULL;
    bool apart = a != NULL && are_apart(g);

    gfx_bind_stage(g, GFX_STAGE_VERTEX);
    if (a != NULL &&
        gfx_pool_begin(g, GFX_JOB_FRONT, run_piece, a, GFX_POOL_ENOUGH, &a->first)) {
        gfx_pool_add(g, GFX_JOB_FRONT, (s->n + PIECE - 1) / PIECE);
        g->ahead = a;
        g->ahead_of = s->v;
        status = apart ? IGPU_OK : gfx_strip_end(g);
    } else {
        free(a);
        status = status == IGPU_OK ? some(g, s, 0, s->n) : status;
    }
    gfx_bind_stage(g, GFX_STAGE_PIXEL);
    return status;
}

/* A vertex that fails does so before all pixels: its error is the draw's. */
enum igpu_status gfx_strip_end(struct gfx *g)
{
    struct gfx_ahead *a = g->ahead;
    enum igpu_status status;

    if (a == NULL)
        return IGPU_OK;
    status = gfx_pool_end(g, GFX_JOB_FRONT);
    if (status != IGPU_OK) {
        struct igpu_err *err = g->batch.err;

        g->batch.err = NULL;
        (void)gfx_queue_end(g);
        g->batch.err = err;
    }
    g->ahead = NULL;
    g->ahead_of = NULL;
    free(a);
    return status;
}
