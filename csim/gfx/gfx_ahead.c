/* gfx_ahead.c - the vertices of a run without a cut: on several host threads where
 * nobody sees their order, and then, where no pixel writes what they are made of, while
 * primitives of those before them are drawn; of a list of triangles also what becomes
 * of these until they are rasterized. Tests: tests/bridge/test_frame_threads.sh */
#include "gfx_geometry.h"
#include "gfx_pool.h"
#include "gfx_queue.h"
#include "gfx_texture.h"

#include <stdalign.h>
#include <stdatomic.h>

/* MANY: vertices that are worth several host threads; PIECE: of a piece, whole threads
 * and whole triangles; MOST_READY: triangles at most that are set up. */
enum { LANES = 8, MANY = 256, PIECE = 48, LINE = 64, MOST_READY = 1 << 17 };

/* A triangle that is set up. */
struct gfx_ready {
    struct gfx_setup setup;
    uint32_t layer;
};

struct gfx_ahead {
    struct gfx_strip strip;
    uint64_t first;          /* the piece that is its first vertices */
    bool sets_up;            /* triangles, whose.. */
    uint32_t provoking;      /* ..vertex of this number is the provoking one.. */
    struct gfx_ready *ready; /* ..to here, by their numbers */
    struct piece {
        alignas(LINE) atomic_uchar over; /* its vertices are shaded */
        uint8_t fate[PIECE / 3];         /* enum gfx_fate, of its triangles */
    } piece[];
};

/* ---- pieces ------------------------------------------------------------- */

static enum igpu_status some(struct gfx *g, const struct gfx_strip *s, uint32_t from,
                             uint32_t end)
{
    return gfx_vertices(g, s->index + from, end - from, s->instance, s->first_instance,
                        s->v + from);
}

static struct gfx_triangle triangle_of(const struct gfx_ahead *a, uint32_t number)
{
    const struct gfx_vertex *v = a->strip.v + (size_t)3 * number;

    return (struct gfx_triangle){.v = {&v[0], &v[1], &v[2]},
                                 .provoking = &v[a->provoking],
                                 .kind = GFX_TRIANGLE};
}

/* The piece's triangles, whose vertices are there. */
static void set_up(struct gfx *w, struct gfx_ahead *a, size_t piece)
{
    const uint32_t first = (uint32_t)piece * (PIECE / 3);

    for (uint32_t i = 0; i < PIECE / 3 && 3 * (first + i) + 2 < a->strip.n; i++) {
        const struct gfx_triangle t = triangle_of(a, first + i);
        struct gfx_setup s;
        enum gfx_fate fate = gfx_clip_ahead(w, &t, &s);

        a->piece[piece].fate[i] = (uint8_t)fate;
        if (fate == GFX_IS_SET_UP)
            a->ready[first + i] = (struct gfx_ready){s, w->d.layer};
    }
}

static enum igpu_status run_piece(struct gfx *w, void *ctx, uint64_t number)
{
    struct gfx_ahead *a = ctx;
    uint64_t piece = number - a->first;
    uint32_t from = (uint32_t)piece * PIECE, left = a->strip.n - from;
    enum igpu_status status =
        some(w, &a->strip, from, left < PIECE ? a->strip.n : from + PIECE);

    if (status == IGPU_OK && a->sets_up)
        set_up(w, a, piece);
    if (status == IGPU_OK)
        atomic_store_explicit(&a->piece[piece].over, 1, memory_order_release);
    return status;
}

/* What another host thread wrote takes long to come. */
static void fetch(const struct gfx_ready *ready)
{
    for (size_t i = 0; i < sizeof(*ready); i += LINE)
        __builtin_prefetch((const uint8_t *)ready + i);
}

enum gfx_fate gfx_fate_ahead(struct gfx *g, uint32_t number,
                             const struct gfx_triangle *t, struct gfx_setup *s)
{
    enum { EARLIER = 3 };
    const struct gfx_ahead *a = g->ahead;
    const uint32_t i = number % (PIECE / 3);
    const uint8_t *fate = a->piece[number / (PIECE / 3)].fate;

    if (i + EARLIER < PIECE / 3 && fate[i + EARLIER] == GFX_IS_SET_UP)
        fetch(&a->ready[number + EARLIER]);
    if (fate[i] == GFX_IS_SET_UP) {
        *s = a->ready[number].setup;
        s->t = t;
        g->d.layer = a->ready[number].layer;
    }
    return (enum gfx_fate)fate[i];
}

enum igpu_status gfx_await_vertices(struct gfx *g, const struct gfx_triangle *t)
{
    struct gfx_ahead *a = g->ahead;
    uint32_t spins = 0;

    for (uint32_t i = 0; i < 3; i++)
        while (t->v[i] >= g->ahead_of) {
            size_t piece = (size_t)(g->ahead_of - a->strip.v) / PIECE;

            if (atomic_load_explicit(&a->piece[piece].over, memory_order_acquire)) {
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

/* Nothing that the draw does behind them reaches what vertices are made of, nor the
 * viewport. The stage that is bound stays that of pixels. */
static bool are_apart(struct gfx *g)
{
    enum { VIEWPORT_BYTES = 64 };
    struct gfx_reads reads = {.count = 0};
    bool known;

    if (gfx_get(g, GFX_GS_ON) || gfx_get(g, GFX_HS_ON) ||
        gfx_get(g, GFX_STREAMOUT_ON) ||
        (gfx_get(g, GFX_PS_VALID) && gfx_get(g, GFX_PS_FAST_CLEAR)))
        return false;
    gfx_bind_stage(g, GFX_STAGE_VERTEX);
    known = gfx_vertex_reads(g, &reads);
    gfx_bind_stage(g, GFX_STAGE_PIXEL);
    gfx_add_read(&reads,
                 g->c->dynamic_base + gfx_get_offset(g, GFX_CLIP_VIEWPORT_POINTER),
                 VIEWPORT_BYTES);
    return known && gfx_queue_spares(g, &reads);
}

/* Where they are apart: can triangles be set up as soon as their vertices are there? */
static bool sets_up(struct gfx *g, const struct gfx_strip *s)
{
    enum { TRIANGLES = 4 }; /* the topology's number */
    const uint32_t count = s->n / 3;

    if (gfx_get(g, GFX_TOPOLOGY) != TRIANGLES || g->d.edge_flags ||
        gfx_get(g, GFX_CLIP_MOST_VIEWPORT) != 0 ||
        gfx_get(g, GFX_RENDERED_STREAM) != 0 || count > MOST_READY)
        return false;
    if (count > g->readies) {
        free(g->ready);
        g->ready = gfx_new_array(count, sizeof(*g->ready));
        g->readies = g->ready != NULL ? count : 0;
    }
    return g->ready != NULL;
}

static struct gfx_ahead *new_ahead(const struct gfx_strip *s)
{
    const size_t pieces = (s->n + PIECE - 1) / PIECE,
                 bytes = sizeof(struct gfx_ahead) + pieces * sizeof(struct piece);
    struct gfx_ahead *a = aligned_alloc(LINE, bytes);

    if (a == NULL)
        return NULL;
    memset(a, 0, bytes);
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

    if (apart && sets_up(g, s)) {
        a->sets_up = true;
        a->provoking = gfx_get(g, GFX_SF_TRIANGLE_PROVOKING);
        a->ready = g->ready;
    }
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
