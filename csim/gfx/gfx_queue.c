/* gfx_queue.c - see gfx_queue.h */
#include "gfx_queue.h"

#include <stdalign.h>
#include <stdatomic.h>

#include "gfx_pool.h"
#include "gfx_texture.h"

/* Groups that wait at most; of a draw, those that are shaded before any waits, since
 * what they have bound tells whether others may; last drawers of blocks, by hash. */
enum { RING = 512, ALONE = 16, PLACES = 4096, LINE = 64 };
/* Groups that one host thread shades, one after the other: mostly a primitive's, whose
 * pixels lie side by side, or small ones', which each are not worth waking a thread. */
enum { PIECE = 16 };

/* What a group's thread needs of its primitive, whose own is gone by then. */
struct primitive {
    struct gfx_setup setup;
    struct gfx_triangle triangle;
    struct gfx_vertex vertex[4]; /* the fourth: the provoking one */
    uint32_t layer, viewport;
};

struct waiting {
    struct gfx_group group;
    const struct primitive *of;
    uint64_t before[GFX_BLOCKS]; /* numbers of those that draw there before it */
    uint32_t befores;
    alignas(LINE) atomic_uint_fast64_t over; /* the last group here that is, and 1 */
};

struct gfx_queue {
    /* Which others read: */
    const struct gfx *g; /* whose it is */
    const struct gfx_shades *shades;
    struct piece {
        uint64_t first, end; /* groups */
    } piece[RING];
    struct waiting ring[RING];
    struct primitive copy[2 * RING]; /* by the group with which it was made */
    /* The owner's, which change with each group: */
    alignas(LINE) uint32_t slots; /* of vertices, that they read */
    bool depths, ws;              /* they need pixels' depths, 1 / w */
    bool on;
    uint32_t alone;        /* groups that were shaded before */
    uint64_t next, told;   /* groups: the next one, the first that is in no piece.. */
    uint64_t copied;       /* ..and that with the last copy.. */
    uint64_t primitive;    /* ..of this primitive */
    uint64_t pieces;       /* the next one's number */
    uint64_t last[PLACES]; /* group that drew there, and 1 */
};

struct gfx_turn {
    struct gfx_queue *queue;
    struct waiting *group; /* NULL: it has waited */
    uint64_t piece;
};

/* ---- which draws -------------------------------------------------------- */

/* The first byte of the buffer that has va; UINT64_MAX: there is none. */
static uint64_t buffer_of(const struct gfx *g, uint64_t va)
{
    uint64_t first, bytes;
    const void *host;
    uint32_t flags;

    for (uint32_t i = 0; emu_mem_mapping(g->mem, i, &first, &host, &bytes, &flags); i++)
        if (va - first < bytes)
            return first;
    return UINT64_MAX;
}

static bool is_in(const struct gfx *g, const struct gfx_surface *s, uint64_t buffer)
{
    return s->type != GFX_NULL &&
           (buffer_of(g, s->va) == buffer ||
            (s->samples_log2 > 0 && buffer_of(g, s->aux_va) == buffer));
}

/* Does the draw write to the buffer by no test, and to no target there but `own`? */
static bool is_spared(const struct gfx *g, uint64_t buffer,
                      const uint64_t targets[EMU_SHADER_BINDING_WORDS],
                      const struct gfx_surface *own)
{
    bool spared = !(g->d.depth_on && buffer_of(g, g->d.depth.va) == buffer) &&
                  !(g->d.stencil_on && buffer_of(g, g->d.stencil.va) == buffer);

    for (uint32_t i = 0; i < GFX_MAX_BINDINGS && spared; i++)
        if (targets[i / 64] >> i % 64 & 1 && &g->d.binding[i] != own)
            spared = !is_in(g, &g->d.binding[i], buffer);
    return spared;
}

/* Is surface s in another buffer than the draw's targets, and than what its tests
 * write? */
static bool is_apart(const struct gfx *g, const struct gfx_surface *s,
                     const uint64_t targets[EMU_SHADER_BINDING_WORDS])
{
    return s->type == GFX_NULL || is_spared(g, buffer_of(g, s->va), targets, s);
}

/* Of the shaders of the draw's widths. */
static struct emu_shader_reach reach_of(const struct gfx *g)
{
    struct emu_shader_reach all = {.beyond = false};

    for (uint32_t i = 0; i < 3; i++)
        for (uint32_t k = 0; k < EMU_SHADER_BINDING_WORDS && g->d.ps[i] != NULL; k++) {
            all.reads[k] |= g->d.ps[i]->reach.reads[k];
            all.targets[k] |= g->d.ps[i]->reach.targets[k];
            all.beyond |= g->d.ps[i]->reach.beyond;
        }
    return all;
}

bool gfx_queue_spares(struct gfx *g, const struct gfx_reads *reads)
{
    const struct emu_shader_reach all = reach_of(g);
    bool spared = !all.beyond;

    for (uint32_t i = 0; i < GFX_MAX_BINDINGS && spared; i++)
        if (all.targets[i / 64] >> i % 64 & 1)
            spared = gfx_binding(g, i) != NULL;
    for (uint32_t i = 0; i < reads->count && spared; i++)
        spared = is_spared(g, buffer_of(g, reads->va[i]), all.targets, NULL);
    return spared;
}

/* What the shaders reach is known, and is read or written alone. */
static bool reach_allows(struct gfx *g)
{
    const struct emu_shader_reach all = reach_of(g);

    for (uint32_t i = 0; i < GFX_MAX_BINDINGS && !all.beyond; i++) {
        bool read = all.reads[i / 64] >> i % 64 & 1;
        bool target = all.targets[i / 64] >> i % 64 & 1;
        const struct gfx_surface *s = &g->d.binding[i];

        if ((read || target) && !(g->d.known[i / 64] >> i % 64 & 1))
            return false;
        if ((read || target) && !is_apart(g, s, all.targets))
            return false;
        if (target && (read || (s->type != GFX_NULL && !gfx_counts_pixels(g, s))))
            return false;
    }
    return !all.beyond;
}

/* Stages in front of the rasterizer run beside it, and some write memory. */
static bool is_plain(const struct gfx *g)
{
    return !gfx_is_watched(g) && !gfx_get(g, GFX_GS_ON) && !gfx_get(g, GFX_HS_ON) &&
           !gfx_get(g, GFX_STREAMOUT_ON) && !gfx_get(g, GFX_PS_FAST_CLEAR) &&
           gfx_get(g, GFX_CLIP_MOST_VIEWPORT) == 0 && g->d.ms.count == 1 &&
           !(g->d.late && g->hiz.on);
}

/* ---- lines of memory ---------------------------------------------------- */

/* What one host thread wrote last and another one writes or reads soon is fetched
 * ahead: a line of another processor takes as long as a hundred instructions. */
enum { TO_READ, TO_WRITE };
static void fetch(const void *from, size_t bytes, int how)
{
    const uint8_t *at = (const uint8_t *)from - (uintptr_t)from % LINE;
    const uint8_t *end = (const uint8_t *)from + bytes;

    for (; at < end; at += LINE)
        if (how == TO_WRITE)
            __builtin_prefetch(at, 1);
        else
            __builtin_prefetch(at, 0);
}

/* Of a group of most shaders' threads: what copy_group() copies. */
static void fetch_group(const struct gfx_queue *q, const struct waiting *w, int how)
{
    enum { PLACES_BYTES = 16 * sizeof(double) };
    const struct gfx_group *group = &w->group;

    fetch(group, offsetof(struct gfx_group, z), how);
    fetch(group->b1, PLACES_BYTES, how);
    fetch(group->b2, PLACES_BYTES, how);
    if (q->ws)
        fetch(group->w, PLACES_BYTES, how);
    if (q->depths)
        fetch(group->z, PLACES_BYTES, how);
    fetch(&w->of, sizeof(*w) - offsetof(struct waiting, of), how);
}

/* ---- a group ------------------------------------------------------------ */

/* In front of a piece that fails all are over some time; behind it groups may wait for
 * what is never done. */
enum igpu_status gfx_queue_await(struct gfx *g)
{
    struct gfx_turn *turn = g->turn;

    if (turn == NULL || turn->group == NULL)
        return IGPU_OK;
    for (uint32_t i = 0, spins = 0; i < turn->group->befores;) {
        uint64_t n = turn->group->before[i];

        if (atomic_load_explicit(&turn->queue->ring[n % RING].over,
                                 memory_order_acquire) > n)
            i++;
        else if (gfx_pool_failed_at(turn->queue->g, GFX_JOB_BACK) < turn->piece)
            return IGPU_SIM_ERROR;
        else
            gfx_pool_pause(&spins);
    }
    turn->group = NULL;
    return IGPU_OK;
}

static enum igpu_status shade_group(struct gfx *w, struct gfx_queue *q, uint64_t piece,
                                    uint64_t number)
{
    struct waiting *group = &q->ring[number % RING];
    struct gfx_turn turn = {q, group, piece};
    enum igpu_status status;

    w->d.layer = group->of->layer;
    w->d.viewport = group->of->viewport;
    w->d.passes = w->d.fails = 0;
    w->turn = &turn;
    status = q->shades->shade(w, &group->of->setup, &group->group);
    /* Before those who wait for this one go on. */
    if (gfx_queue_await(w) == IGPU_OK)
        atomic_store_explicit(&group->over, number + 1, memory_order_release);
    w->turn = NULL;
    return status;
}

static enum igpu_status shade_piece(struct gfx *w, void *ctx, uint64_t number)
{
    struct gfx_queue *q = ctx;
    const struct piece piece = q->piece[number % RING];
    enum igpu_status status = IGPU_OK;

    fetch_group(q, &q->ring[piece.first % RING], TO_READ);
    for (uint64_t i = piece.first; i < piece.end && status == IGPU_OK; i++) {
        if (i + 1 < piece.end)
            fetch_group(q, &q->ring[(i + 1) % RING], TO_READ);
        status = shade_group(w, q, number, i);
    }
    return status;
}

/* ---- the queue ---------------------------------------------------------- */

static struct gfx_queue *new_queue(void)
{
    struct gfx_queue *q = aligned_alloc(LINE, sizeof(*q));

    if (q != NULL)
        memset(q, 0, sizeof(*q));
    return q;
}

/* All groups and pieces before are over. */
static void begin(struct gfx *g, const struct gfx_shades *shades)
{
    struct gfx_queue *q = g->queue;

    q->shades = shades;
    q->slots = shades->slots(g);
    q->depths = g->d.late || gfx_get(g, GFX_PS_USES_DEPTH);
    q->ws = shades->reads_w(g);
    q->told = q->next;
    q->copied = q->next;
    q->primitive = UINT64_MAX;
    for (uint32_t i = 0; i < RING; i++)
        atomic_store_explicit(&q->ring[i].over, q->next, memory_order_relaxed);
}

bool gfx_queue_takes(struct gfx *g, const struct gfx_shades *shades)
{
    struct gfx_queue *q = g->queue;

    if (g->host_threads < 2)
        return false;
    if (q == NULL)
        q = g->queue = new_queue();
    if (q == NULL || q->on)
        return q != NULL;
    /* Now and then: what is bound may not be known yet. */
    if (++q->alone < ALONE || (q->alone & (q->alone - 1)) != 0 || !is_plain(g) ||
        !reach_allows(g))
        return false;
    q->g = g;
    q->on =
        gfx_pool_begin(g, GFX_JOB_BACK, shade_piece, q, GFX_POOL_ENOUGH, &q->pieces);
    if (q->on)
        begin(g, shades);
    return q->on;
}

/* The groups since the last piece are one. */
static void end_piece(struct gfx *g)
{
    struct gfx_queue *q = g->queue;

    if (q->next == q->told)
        return;
    q->piece[q->pieces++ % RING] = (struct piece){q->told, q->next};
    q->told = q->next;
    gfx_pool_add(g, GFX_JOB_BACK, 1);
}

/* A copy of s, which lasts as long as groups of it wait: it is made anew often enough.
 */
static const struct primitive *copy_of(struct gfx *g, const struct gfx_setup *s)
{
    struct gfx_queue *q = g->queue;
    struct primitive *p = &q->copy[q->copied % (2 * RING)];

    if (q->primitive == g->counters.rasterized && q->next - q->copied < RING / 2)
        return p;
    q->copied = q->next;
    q->primitive = g->counters.rasterized;
    p = &q->copy[q->copied % (2 * RING)];
    p->setup = *s;
    p->triangle = *s->t;
    p->setup.t = &p->triangle;
    p->layer = g->d.layer;
    p->viewport = g->d.viewport;
    for (uint32_t i = 0; i < 4; i++)
        memcpy(p->vertex[i].slot, i < 3 ? s->t->v[i]->slot : s->t->provoking->slot,
               q->slots * sizeof(p->vertex[i].slot[0]));
    for (uint32_t i = 0; i < 3; i++)
        p->triangle.v[i] = &p->vertex[i];
    p->triangle.provoking = &p->vertex[3];
    return p;
}

static void copy_group(const struct gfx_queue *q, const struct gfx_group *from,
                       struct gfx_group *to)
{
    size_t bytes = from->count * 4 * sizeof(from->z[0]);

    to->count = from->count;
    to->mask = from->mask;
    to->smooth = from->smooth;
    memcpy(to->x, from->x, sizeof(to->x));
    memcpy(to->y, from->y, sizeof(to->y));
    memcpy(to->b1, from->b1, bytes);
    memcpy(to->b2, from->b2, bytes);
    if (q->ws)
        memcpy(to->w, from->w, bytes);
    if (q->depths)
        memcpy(to->z, from->z, bytes);
    if (from->smooth)
        memcpy(to->part, from->part, bytes);
}

/* Which groups draw to its blocks before it; it does from now on. */
static void find_order(struct gfx_queue *q, struct waiting *w)
{
    w->befores = 0;
    for (uint32_t b = 0; b < w->group.count; b++) {
        uint32_t x = (uint32_t)w->group.x[b] / 2, y = (uint32_t)w->group.y[b] / 2;
        uint64_t *last = &q->last[(x + y * 61) % PLACES];

        if (*last != 0 && *last != q->next + 1)
            w->before[w->befores++] = *last - 1;
        *last = q->next + 1;
    }
}

enum igpu_status gfx_queue_add(struct gfx *g, const struct gfx_setup *s,
                               const struct gfx_group *group)
{
    struct gfx_queue *q = g->queue;
    struct waiting *w = &q->ring[q->next % RING];
    uint32_t spins = 0;

    while (q->next >= RING && !gfx_pool_failed(g, GFX_JOB_BACK) &&
           atomic_load_explicit(&w->over, memory_order_acquire) <= q->next - RING)
        if (!gfx_pool_help(g, GFX_JOB_BACK))
            gfx_pool_pause(&spins);
    if (gfx_pool_failed(g, GFX_JOB_BACK)) /* gfx_queue_end() has the error */
        return IGPU_SIM_ERROR;
    copy_group(q, group, &w->group);
    w->of = copy_of(g, s);
    find_order(q, w);
    if (++q->next - q->told == PIECE)
        end_piece(g);
    fetch_group(q, &q->ring[q->next % RING], TO_WRITE);
    return IGPU_OK;
}

enum igpu_status gfx_queue_end(struct gfx *g)
{
    struct gfx_queue *q = g->queue;

    if (q == NULL)
        return IGPU_OK;
    q->alone = 0;
    if (!q->on)
        return IGPU_OK;
    q->on = false;
    end_piece(g);
    return gfx_pool_end(g, GFX_JOB_BACK);
}
