/* gfx_queue.c - see gfx_queue.h */
#include "gfx_queue.h"

#include <stdalign.h>
#include <stdatomic.h>

#include "gfx_texture.h"

/* Groups that wait at most; of a draw, those that are shaded before any waits, since
 * what they have bound tells whether others may. */
enum { RING = 1024, ALONE = 16, LINE = 64 };
/* Blocks of 2x2 in a row, and rows, whose last drawers are known apart, by two's
 * logarithms at most: those of a draw that is larger wait for each other more often. */
enum { MOST_PLACES = 10 };
/* Those of an area of 4x4 blocks are in one line of memory. */
enum { SIDE = 2, AREA = (1 << SIDE) - 1 };
/* Groups that one host thread shades, one after the other: mostly a primitive's, whose
 * pixels lie side by side, or small ones', which each are not worth waking a thread;
 * and in a draw's first piece, which somebody may wait for. */
enum { PIECE = 32, FIRST = 4 };

/* What a group's thread needs of its primitive, whose own is gone by then. */
struct primitive {
    alignas(LINE) struct gfx_setup setup;
    struct gfx_triangle triangle;
    uint32_t layer, viewport;
};

/* Vertices that are not the draw's, as clipping makes them: the fourth is the provoking
 * one. */
struct corners {
    struct gfx_vertex of[4];
};

/* A group but for its pixels' places in their primitive, which whoever shades it finds
 * anew: what one host thread writes and another one reads is a line or two. */
struct waiting {
    alignas(LINE) const struct primitive *of;
    uint32_t mask;
    uint16_t count, befores;
    struct {
        int16_t x, y;
    } at[GFX_BLOCKS];
    uint32_t before[GFX_BLOCKS]; /* how far before it those are that draw there */
};

struct gfx_queue {
    /* Which others read: */
    const struct gfx *g; /* whose it is */
    const struct gfx_shades *shades;
    struct piece {
        uint64_t first, end; /* groups */
        gfx_piece *run;      /* instead of these, for.. */
        void *ctx;           /* ..this; NULL: groups */
    } piece[RING];
    struct waiting ring[RING];
    struct primitive copy[GFX_QUEUE_COPIES]; /* one after the other */
    /* Of each place in the ring the last group there that is over, and 1. */
    alignas(LINE) atomic_uint_fast64_t over[RING];
    /* The owner's, which change with each group: */
    alignas(LINE) uint32_t slots; /* of vertices, that they read */
    bool on;
    uint32_t alone;      /* groups that were shaded before */
    uint64_t first;      /* groups: the draw's first one, .. */
    uint64_t next, told; /* ..the next one, the first that is in no piece.. */
    uint64_t copied;     /* ..and that with the last copy.. */
    uint64_t primitive;  /* ..of this primitive */
    uint64_t copies;     /* the next one's number */
    uint64_t free;       /* groups before it are over */
    uint64_t pieces;     /* the next one's number */
    /* The group that drew to each block last, its number's low bits; malloc'ed. */
    uint32_t *last, lasts;
    uint32_t wide, high;     /* logarithms of how many columns and rows */
    struct corners *corners; /* of copies, by the same numbers; malloc'ed */
};

struct gfx_turn {
    struct gfx_queue *queue;
    const struct waiting *group; /* NULL: it has waited */
    uint64_t piece, number;
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

/* Does the draw write to the buffer by no test, and to no target there but `own`, and
 * levels that it has not? */
static bool is_spared(const struct gfx *g, uint64_t buffer,
                      const uint64_t targets[EMU_SHADER_BINDING_WORDS],
                      const struct gfx_surface *own)
{
    bool spared = !(g->d.depth_on && buffer_of(g, g->d.depth.va) == buffer) &&
                  !(g->d.stencil_on && buffer_of(g, g->d.stencil.va) == buffer);

    for (uint32_t i = 0; i < GFX_MAX_BINDINGS && spared; i++)
        if (targets[i / 64] >> i % 64 & 1 && &g->d.binding[i] != own)
            spared = !is_in(g, &g->d.binding[i], buffer) ||
                     (own != NULL && gfx_is_other_level(own, &g->d.binding[i]));
    return spared;
}

/* Is surface s in another buffer than what the draw's tests write, and than its targets
 * but for other levels? */
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

/* ---- a group ------------------------------------------------------------ */

/* In front of a piece that fails all are over some time; behind it groups may wait for
 * what is never done. */
enum igpu_status gfx_queue_await(struct gfx *g)
{
    struct gfx_turn *turn = g->turn;

    if (turn == NULL || turn->group == NULL)
        return IGPU_OK;
    for (uint32_t i = 0, spins = 0; i < turn->group->befores;) {
        uint64_t n = turn->number - turn->group->before[i];
        const atomic_uint_fast64_t *over = &turn->queue->over[n % RING];

        if (atomic_load_explicit(over, memory_order_acquire) > n)
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
    const struct waiting *waits = &q->ring[number % RING];
    struct gfx_group *group = &w->d.blocks;
    struct gfx_turn turn = {q, waits, piece, number};
    enum igpu_status status;

    w->d.layer = waits->of->layer;
    w->d.viewport = waits->of->viewport;
    w->d.passes = w->d.fails = 0;
    w->turn = &turn;
    group->count = waits->count;
    group->mask = waits->mask;
    group->placed[0] = group->placed[1] = NULL;
    for (uint32_t b = 0; b < waits->count; b++) {
        group->x[b] = waits->at[b].x;
        group->y[b] = waits->at[b].y;
    }
    status = q->shades->shade(w, &waits->of->setup, group);
    /* Before those who wait for this one go on. */
    if (gfx_queue_await(w) == IGPU_OK)
        atomic_store_explicit(&q->over[number % RING], number + 1,
                              memory_order_release);
    w->turn = NULL;
    return status;
}

static enum igpu_status shade_piece(struct gfx *w, void *ctx, uint64_t number)
{
    enum { GROUPS = 4, PRIMITIVES = 2 }; /* fetched ahead */
    struct gfx_queue *q = ctx;
    const struct piece piece = q->piece[number % RING];
    const struct primitive *last = NULL;
    enum igpu_status status = IGPU_OK;

    if (piece.run != NULL)
        return piece.run(w, piece.ctx, number);
    for (uint64_t i = piece.first; i < piece.first + GROUPS; i++)
        fetch(&q->ring[i % RING], sizeof(q->ring[0]), TO_READ);
    for (uint64_t i = piece.first; i < piece.end && status == IGPU_OK; i++) {
        const struct primitive *of =
            i + PRIMITIVES < piece.end ? q->ring[(i + PRIMITIVES) % RING].of : last;

        if (of != last)
            fetch(of, sizeof(*of), TO_READ);
        last = of;
        if (i + GROUPS < piece.end)
            fetch(&q->ring[(i + GROUPS) % RING], sizeof(q->ring[0]), TO_READ);
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

void gfx_queue_free(struct gfx *g)
{
    if (g->queue == NULL)
        return;
    free(g->queue->last);
    free(g->queue->corners);
    free(g->queue);
    g->queue = NULL;
}

/* The logarithm of what holds so many pixels' blocks. */
static uint32_t log2_of(int32_t pixels)
{
    uint32_t log2 = 0;

    while (log2 < SIDE || (log2 < MOST_PLACES && 2 << log2 < pixels))
        log2++;
    return log2;
}

/* False: memory is short. */
static bool make_room(struct gfx *g)
{
    struct gfx_queue *q = g->queue;
    uint32_t places;

    q->wide = log2_of(g->d.clip[2]);
    q->high = log2_of(g->d.clip[3]);
    places = 1u << (q->wide + q->high);
    if (q->corners == NULL)
        q->corners = malloc(GFX_QUEUE_COPIES * sizeof(*q->corners));
    if (places > q->lasts) {
        free(q->last);
        q->last = calloc(places, sizeof(*q->last));
        q->lasts = q->last != NULL ? places : 0;
    }
    return q->corners != NULL && q->last != NULL;
}

/* All groups and pieces before are over. */
static void begin(struct gfx *g, const struct gfx_shades *shades)
{
    struct gfx_queue *q = g->queue;

    q->shades = shades;
    q->slots = shades->slots(g);
    q->first = q->told = q->copied = q->free = q->next;
    q->primitive = UINT64_MAX;
    for (uint32_t i = 0; i < RING; i++)
        atomic_store_explicit(&q->over[i], q->next, memory_order_relaxed);
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
        !reach_allows(g) || !make_room(g))
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
    q->piece[q->pieces++ % RING] = (struct piece){q->told, q->next, NULL, NULL};
    q->told = q->next;
    gfx_pool_add(g, GFX_JOB_BACK, 1);
}

/* A vertex that lasts as long as the draw's groups, or its copy. */
static const struct gfx_vertex *kept(const struct gfx *g, const struct gfx_vertex *v,
                                     struct gfx_vertex *copy)
{
    const uintptr_t first = (uintptr_t)g->vertices.v;

    if ((uintptr_t)v - first < g->vertices.count * sizeof(*v))
        return v;
    memcpy(copy->slot, v->slot, g->queue->slots * sizeof(v->slot[0]));
    return copy;
}

/* A copy of s, which lasts as long as groups of it wait: it is made anew often enough.
 */
static const struct primitive *copy_of(struct gfx *g, const struct gfx_setup *s)
{
    struct gfx_queue *q = g->queue;
    struct primitive *p = &q->copy[(q->copies - 1) % GFX_QUEUE_COPIES];
    struct corners *corners;

    if (q->primitive == g->counters.rasterized && q->next - q->copied < RING / 2)
        return p;
    q->copied = q->next;
    q->primitive = g->counters.rasterized;
    p = &q->copy[q->copies % GFX_QUEUE_COPIES];
    corners = &q->corners[q->copies % GFX_QUEUE_COPIES];
    q->copies++;
    p->setup = *s;
    p->setup.later = false;
    p->triangle = *s->t;
    p->setup.t = &p->triangle;
    p->layer = g->d.layer;
    p->viewport = g->d.viewport;
    for (uint32_t i = 0; i < 3; i++)
        p->triangle.v[i] = kept(g, s->t->v[i], &corners->of[i]);
    p->triangle.provoking = kept(g, s->t->provoking, &corners->of[3]);
    fetch(&q->copy[q->copies % GFX_QUEUE_COPIES], sizeof(*p), TO_WRITE);
    return p;
}

/* Which groups draw to its blocks before it, and may not be over; it does from now on.
 */
static void find_order(struct gfx_queue *q, struct waiting *w)
{
    const uint32_t columns = (1u << q->wide) - 1, rows = (1u << q->high) - 1;
    const uint32_t line = q->wide + SIDE;
    const uint64_t since = q->next - q->first;
    const uint32_t most = since < RING ? (uint32_t)since : RING;

    w->befores = 0;
    for (uint32_t b = 0; b < w->count; b++) {
        const uint32_t x = (uint32_t)w->at[b].x / 2 & columns,
                       y = (uint32_t)w->at[b].y / 2 & rows;
        uint32_t *last = &q->last[(y >> SIDE) << line | (x >> SIDE) << 2 * SIDE |
                                  (y & AREA) << SIDE | (x & AREA)];
        const uint32_t back = (uint32_t)q->next - *last;

        w->before[w->befores] = back; /* if it counts: which, no branch foresees */
        w->befores = (uint16_t)(w->befores + (back - 1 < most));
        *last = (uint32_t)q->next;
    }
}

static void put_group(struct waiting *w, const struct gfx_group *group)
{
    w->mask = group->mask;
    w->count = (uint16_t)group->count;
    for (uint32_t b = 0; b < group->count; b++) {
        w->at[b].x = (int16_t)group->x[b];
        w->at[b].y = (int16_t)group->y[b];
    }
}

/* Is there a place in the ring? Those that are over are looked for some at once: what
 * another host thread wrote takes long to come. */
static bool is_room(struct gfx_queue *q)
{
    enum { AT_ONCE = 64 };
    uint64_t end = q->free + AT_ONCE;

    if (q->next - q->free < RING)
        return true;
    while (q->free < end && atomic_load_explicit(&q->over[q->free % RING],
                                                 memory_order_acquire) > q->free)
        q->free++;
    return q->next - q->free < RING;
}

enum igpu_status gfx_queue_add(struct gfx *g, const struct gfx_setup *s,
                               const struct gfx_group *group)
{
    enum { AHEAD = 2 }; /* groups */
    struct gfx_queue *q = g->queue;
    struct waiting *w = &q->ring[q->next % RING];
    uint32_t spins = 0;

    /* Vertices first, which wait for nobody. */
    while (!is_room(q) && !gfx_pool_failed(g, GFX_JOB_BACK))
        if (!gfx_pool_help(g, GFX_JOB_FRONT))
            gfx_pool_pause(&spins);
    if (gfx_pool_failed(g, GFX_JOB_BACK)) /* gfx_queue_end() has the error */
        return IGPU_SIM_ERROR;
    put_group(w, group);
    w->of = copy_of(g, s);
    find_order(q, w);
    q->next++;
    if (q->next - q->told == (q->next - q->first <= PIECE ? FIRST : PIECE))
        end_piece(g);
    fetch(&q->ring[(q->next + AHEAD) % RING], sizeof(*w), TO_WRITE);
    return IGPU_OK;
}

bool gfx_queue_is_on(const struct gfx *g)
{
    return g->queue != NULL && g->queue->on;
}

/* ---- other pieces ------------------------------------------------------- */

enum igpu_status gfx_queue_turn(struct gfx *g, bool to_pieces)
{
    if (g->pieces == to_pieces)
        return IGPU_OK;
    end_piece(g);
    g->pieces = to_pieces;
    return gfx_pool_wait(g, GFX_JOB_BACK);
}

uint64_t gfx_queue_next_piece(const struct gfx *g)
{
    return g->queue->pieces;
}

void gfx_queue_add_piece(struct gfx *g, gfx_piece *run, void *ctx)
{
    struct gfx_queue *q = g->queue;

    q->piece[q->pieces++ % RING] = (struct piece){0, 0, run, ctx};
    gfx_pool_add(g, GFX_JOB_BACK, 1);
}

const struct gfx_setup *gfx_queue_copy(struct gfx *g, const struct gfx_setup *s)
{
    return &copy_of(g, s)->setup;
}

enum igpu_status gfx_queue_end(struct gfx *g)
{
    struct gfx_queue *q = g->queue;

    if (q == NULL)
        return IGPU_OK;
    q->alone = 0;
    if (!q->on)
        return IGPU_OK;
    q->on = g->pieces = false;
    end_piece(g);
    return gfx_pool_end(g, GFX_JOB_BACK);
}
