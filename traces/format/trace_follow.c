/* trace_follow.c - see trace_follow.h. */
#include "traces/format/trace_follow.h"

#include <stdlib.h>
#include <string.h>

#include "igpu/grow.h"
#include "igpu/vectors.h"
#include "traces/format/trace_lead.h"

enum {
    MOST_GOOD = 16,    /* threads that follow to the end are good for so many.. */
    GOOD_AT_FIRST = 4, /* ..of which one that does not takes.. */
    BAD = 2,
    MOST_PAUSE = 1 << 12, /* threads between two that may become the lead */
    MANY = 8,             /* sends of a group */
    GLANCE = 48           /* words of a thread that is compared at a glance */
};

/* The last thread that followed to the end and was told of at once. */
struct glance {
    struct trace_thread *of; /* it, if it has not ended and has no ways; or NULL */
    /* Its addresses, and how far they are from those of the one before it. */
    uint64_t addr[GLANCE], step[GLANCE];
    uint32_t known;  /* 1: the addresses, 2: the steps as well */
    bool steady;     /* the last piece's ways are these steps.. */
    uint64_t pieces; /* ..when there were so many.. */
    uint64_t again;  /* ..and so often, of which trace_moved has not heard */
    uint32_t send;   /* one that steps, and its way now; no send: none steps */
    uint64_t way;
};

struct trace_follow {
    struct lead lead[2], *now, *next; /* followed, and being told of.. */
    struct trace_thread *leads;       /* ..this one, if any */
    uint32_t followers, pause, pauses;
    int32_t good;
    const uint64_t *(*follow)(struct trace_follow *f, struct trace_thread *t,
                              const uint64_t *word, const uint64_t *end);
    struct glance glance;
    uint64_t way[LEAD_SENDS];
    struct lead_parts parts;
    uint64_t again[LEAD_HEADS];
    struct trace_moved *moved;
};

/* ---- a thread begins ------------------------------------------------------------ */

/* Its buffers need not grow for all that the lead did: they are as large as if it were
 * told by itself. */
static bool has_room(struct trace_thread *t, const struct lead *l)
{
    return t->block_capacity >= l->blocks && t->access_capacity >= l->bases &&
           (l->bases == 0 || t->differ_capacity >= TRACE_MAX_LANES - 1) &&
           IGPU_RESERVE(t->way, t->way_room, l->ways);
}

void trace_follow_begin(struct trace_thread *t)
{
    struct trace_follow *f = t->w->follow;
    const struct lead *l = f->now;
    bool good = f->good > 0 && l->kernel == t->w->launch->kernel;

    t->how = TRACE_ALONE;
    if (t->w->kernel->graphics)
        return;
    if (good && has_room(t, l)) {
        t->how = TRACE_FOLLOWS;
        t->step = t->at = 0;
        f->followers++;
    } else if (!good && f->leads == NULL && f->pause-- == 0) {
        f->pause = f->pauses;
        f->pauses += f->pauses < MOST_PAUSE ? f->pauses : 0;
        lead_begin(f->next, t->w->launch->kernel);
        f->leads = t;
        t->how = TRACE_LEADS;
    }
}

/* ---- it is told of -------------------------------------------------------------- */

/* What is told was written just before, word by word, and is read so: a host that reads
 * it in vectors waits until memory has it. */
#define INLINE inline __attribute__((always_inline))
enum { FOUR = 4 };

static INLINE bool same_heads(const uint64_t *one, const uint64_t *other, uint32_t n)
{
    const volatile uint64_t *lately = other;
    uint64_t differ = 0;

    for (; n >= FOUR; n -= FOUR, one += FOUR, lately += FOUR)
        differ |= (lately[0] ^ one[0]) | (lately[1] ^ one[1]) | (lately[2] ^ one[2]) |
                  (lately[3] ^ one[3]);
    while (n-- > 0)
        differ |= *lately++ ^ *one++;
    return differ == 0;
}

/* The ways of a kind of step that the thread comes to for the first time. */
static INLINE bool learn_ways(const struct lead *l, uint64_t *way,
                              const struct lead_step *s, const uint64_t *addr,
                              const uint64_t *base)
{
    const volatile uint64_t *lately = addr;
    uint64_t differ = 0;

    for (uint32_t i = s->way; i < s->way + s->sends; i++) {
        way[i] = *lately++ - *base++;
        differ |= way[i] ^ way[l->same[i]];
    }
    return differ == 0;
}

static INLINE bool learn_apart(const struct lead *l, uint64_t *way,
                               const struct lead_step *s, const uint64_t *word,
                               const uint64_t *base, const uint16_t *place)
{
    const volatile uint64_t *lately = word;
    uint64_t differ = 0;

    for (uint32_t i = s->way; i < s->way + s->sends; i++) {
        way[i] = lately[*place++] - *base++;
        differ |= way[i] ^ way[l->same[i]];
    }
    return differ == 0;
}

static INLINE bool same_ways(const uint64_t *way, const uint64_t *addr,
                             const uint64_t *base, uint32_t n)
{
    const volatile uint64_t *lately = addr;
    uint64_t differ = 0;

    for (; n >= FOUR; n -= FOUR, lately += FOUR, base += FOUR, way += FOUR)
        differ |= ((lately[0] - base[0]) ^ way[0]) | ((lately[1] - base[1]) ^ way[1]) |
                  ((lately[2] - base[2]) ^ way[2]) | ((lately[3] - base[3]) ^ way[3]);
    while (n-- > 0)
        differ |= (*lately++ - *base++) ^ *way++;
    return differ == 0;
}

/* The same where each word has its place. */
static INLINE uint64_t differ_apart(const uint64_t *one, const volatile uint64_t *other,
                                    const uint16_t *place, uint32_t n)
{
    uint64_t differ = 0;

    for (; n >= FOUR; n -= FOUR, one += FOUR, place += FOUR)
        differ |= (other[place[0]] ^ one[0]) | (other[place[1]] ^ one[1]) |
                  (other[place[2]] ^ one[2]) | (other[place[3]] ^ one[3]);
    for (; n > 0; n--)
        differ |= other[*place++] ^ *one++;
    return differ;
}

static INLINE uint64_t differ_ways(const uint64_t *way, const volatile uint64_t *addr,
                                   const uint64_t *base, const uint16_t *place,
                                   uint32_t n)
{
    uint64_t differ = 0;

    for (; n >= 2; n -= 2, base += 2, way += 2, place += 2)
        differ |= ((addr[place[0]] - base[0]) ^ way[0]) |
                  ((addr[place[1]] - base[1]) ^ way[1]);
    return n > 0 ? differ | ((addr[*place] - *base) ^ *way) : differ;
}

/* Is the step there? */
static INLINE bool is_step(const struct lead *l, uint64_t *way,
                           const struct lead_step *s, const uint64_t *word,
                           const uint64_t *base)
{
    const uint16_t *place = l->place + s->place;

    if (!s->apart)
        return same_heads(l->head + s->head, word, s->heads) &&
               (s->first ? learn_ways(l, way, s, word + s->addr, base)
                         : same_ways(way + s->way, word + s->addr, base, s->sends));
    if (differ_apart(l->head + s->head, word, place, s->heads) != 0)
        return false;
    place += s->heads;
    if (!s->first)
        return differ_ways(way + s->way, word, base, place, s->sends) == 0;
    return learn_apart(l, way, s, word, base, place);
}

/* A group of many sends, most of which were written a while ago, is compared in
 * vectors, if the host has such of four words. */
typedef uint64_t four_words __attribute__((vector_size(FOUR * 8), aligned(8)));

#define FOUR_AT(word) (*(const four_words *)(const void *)(word))

static INLINE bool is_group(const struct lead *l, const uint64_t *way,
                            const struct lead_step *s, const uint64_t *word,
                            const uint64_t *base)
{
    const uint64_t *head = l->head + s->head, *addr = word + s->addr;
    four_words differ = {0};
    uint64_t rest = 0;
    uint32_t i, k;

    way += s->way;
    for (i = 0; i + FOUR <= s->heads; i += FOUR)
        differ |= FOUR_AT(word + i) ^ FOUR_AT(head + i);
    for (k = 0; k + FOUR <= s->sends; k += FOUR)
        differ |= (FOUR_AT(addr + k) - FOUR_AT(base + k)) ^ FOUR_AT(way + k);
    for (; i < s->heads; i++)
        rest |= word[i] ^ head[i];
    for (; k < s->sends; k++)
        rest |= (addr[k] - base[k]) ^ way[k];
    return (differ[0] | differ[1] | differ[2] | differ[3] | rest) == 0;
}

/* ---- at a glance ---------------------------------------------------------------- */

void trace_follow_settle(struct trace_follow *f)
{
    const struct lead *l = f->now;
    struct glance *g = &f->glance;

    for (uint32_t s = 0; g->again > 0 && s < l->sends; s++)
        f->way[s] = g->again * g->step[l->first[s]];
    g->steady = false;
    if (g->again > 0 && l->bases > 0)
        trace_moved_skip(f->moved, &l->link, l->sends, f->way);
    g->again = 0;
}

/* The thread's ways, which it has not if it was compared at a glance. */
static void find_ways(struct trace_follow *f, struct trace_thread *t)
{
    if (f->glance.of != t)
        return;
    f->glance.of = NULL;
    for (uint32_t i = 0; i < f->now->bases; i++)
        t->way[i] = f->glance.addr[i] - f->now->base[i];
}

/* The whole thread has the lead's heads, and its addresses are as far from those of the
 * one before as those were? */
static INLINE bool glance_at(struct trace_follow *f, struct trace_thread *t,
                             const uint64_t *word)
{
    const struct lead *l = f->now;
    struct glance *g = &f->glance;

    if ((differ_apart(l->head, word, l->place, l->heads) |
         differ_ways(g->step, word, g->addr, l->place + l->heads, l->bases)) != 0)
        return false;
    if (g->of != NULL)
        find_ways(f, g->of);
    for (uint32_t i = 0; i < l->bases; i++)
        g->addr[i] += g->step[i];
    g->of = t;
    return true;
}

/* The next one may be compared with this one, which was told of at once. */
static void note_glance(struct trace_follow *f, const struct trace_thread *t)
{
    struct glance *g = &f->glance;

    trace_follow_settle(f);
    if (g->of != NULL)
        find_ways(f, g->of);
    for (uint32_t i = 0; i < f->now->bases; i++) {
        uint64_t addr = f->now->base[i] + t->way[i];

        g->step[i] = addr - g->addr[i];
        g->addr[i] = addr;
    }
    g->known += g->known < 2;
}

static INLINE const uint64_t *follow(struct trace_follow *f, struct trace_thread *t,
                                     const uint64_t *word, const uint64_t *end,
                                     bool wide)
{
    const struct lead *l = f->now;
    uint32_t k = t->step, at = t->at;
    bool whole = l->glanced && k == 0 && l->step[0].words == (size_t)(end - word);

    if (whole && f->glance.known > 1 && glance_at(f, t, word)) {
        t->step = l->steps;
        return end;
    }
    for (; word < end && k < l->steps; k++) {
        const struct lead_step *s = &l->step[k];
        bool group = wide && s->sends >= MANY && !s->apart && !s->first;

        if (s->words > (size_t)(end - word) ||
            !(group ? is_group(l, t->way, s, word, l->base + at)
                    : is_step(l, t->way, s, word, l->base + at)))
            break;
        word += s->words;
        at += s->sends;
    }
    t->step = k;
    t->at = at;
    if (whole && word == end)
        note_glance(f, t);
    return word;
}

static const uint64_t *follow_any(struct trace_follow *f, struct trace_thread *t,
                                  const uint64_t *word, const uint64_t *end)
{
    return follow(f, t, word, end, false);
}

/* A host foresees a load by low bits of where its instruction is, and forgets another
 * one there, as of translated code. So where these are depends on nothing else. */
#if defined(__x86_64__)
__attribute__((target("avx2"), aligned(256))) static const uint64_t *
follow_avx2(struct trace_follow *f, struct trace_thread *t, const uint64_t *word,
            const uint64_t *end)
{
    return follow(f, t, word, end, true);
}
#endif

const uint64_t *trace_follow_told(struct trace_thread *t, const uint64_t *word,
                                  const uint64_t *end)
{
    struct trace_follow *f = t->w->follow;

    return f->follow(f, t, word, end);
}

size_t trace_follow_again(struct trace_thread *t, uint32_t k, const uint64_t **told)
{
    struct trace_follow *f = t->w->follow;
    const struct lead *l = f->now;
    const struct lead_step *s = &l->step[k];
    const uint16_t *place = l->place + s->place;

    find_ways(f, t);
    t->at = k == 0 ? 0 : t->at;
    for (uint32_t i = 0; i < s->heads; i++)
        f->again[s->apart ? place[i] : i] = l->head[s->head + i];
    for (uint32_t i = 0; i < s->sends; i++)
        f->again[s->apart ? place[s->heads + i] : s->addr + i] =
            l->base[t->at++] + t->way[s->way + i];
    *told = f->again;
    return s->words;
}

uint32_t trace_follow_stop(struct trace_thread *t)
{
    struct trace_follow *f = t->w->follow;
    uint8_t how = t->how;

    t->how = TRACE_ALONE;
    if (how == TRACE_LEADS)
        f->leads = NULL;
    if (how != TRACE_FOLLOWS)
        return 0;
    f->followers--;
    f->good -= BAD;
    return t->step;
}

void trace_follow_keep(struct trace_thread *t, const uint64_t *word,
                       const uint64_t *end)
{
    struct trace_follow *f = t->w->follow;

    if (!lead_keep(f->next, &f->parts, word, end))
        (void)trace_follow_stop(t);
}

/* ---- it ends -------------------------------------------------------------------- */

/* The last piece once more, as its ways are the same ones. */
static bool end_again(struct trace_thread *t, const struct trace_totals *totals)
{
    struct trace_follow *f = t->w->follow;
    struct glance *g = &f->glance;
    uint64_t way;

    if (g->of != t || !g->steady || g->pieces != t->w->chunk.pieces)
        return false;
    way = g->way + (g->send < f->now->sends ? g->step[f->now->first[g->send]] : 0);
    if ((way == 0 && g->way != 0) || !trace_chunk_again(t->w, t->id, totals))
        return false;
    g->of = NULL;
    g->way = way;
    g->again++;
    g->pieces = t->w->chunk.pieces;
    return true;
}

/* The ways that were told last, of the piece that is added next, are the steps? */
static void look_whether_steady(struct trace_follow *f, const struct trace_writer *w)
{
    const struct lead *l = f->now;
    struct glance *g = &f->glance;
    uint64_t differ = 0;

    g->steady = g->known > 1 && l->glanced;
    g->pieces = w->chunk.pieces + 1;
    g->send = l->sends;
    g->way = 0;
    for (uint32_t s = 0; g->steady && s < l->sends; s++) {
        uint64_t step = g->step[l->first[s]];

        differ |= step ^ (w->from.sends > 0 ? w->from.way[s] : 0);
        if (step != 0) {
            g->send = s;
            g->way = f->way[s];
        }
    }
    if (differ != 0)
        g->steady = false;
}

/* The same by its ways. */
static bool end_by_ways(struct trace_thread *t, const struct trace_totals *totals)
{
    struct trace_writer *w = t->w;
    struct trace_follow *f = w->follow;
    const struct lead *l = f->now;

    trace_follow_settle(f);
    find_ways(f, t);
    if (t->step != l->steps || l->path->times != l->path_times ||
        l->path->instructions != totals->instructions)
        return false;
    for (uint32_t s = 0; s < l->sends; s++)
        f->way[s] = l->from[s] + t->way[l->way[s]];
    w->from = (struct trace_moved_from){{0, 0}, 0, NULL};
    if (l->bases > 0 &&
        (!l->linked || !trace_moved_again(w->moved, &l->link, l->sends, f->way,
                                          trace_section_now(w), &w->from)))
        return false;
    w->path_taken = l->path;
    look_whether_steady(f, w);
    trace_chunk_add(w, t->id,
                    TRACE_PIECE_LAST | TRACE_PIECE_PATH |
                        (l->bases > 0 ? TRACE_PIECE_ACCESS : 0),
                    totals);
    return true;
}

bool trace_follow_end(struct trace_thread *t, const struct trace_totals *totals)
{
    struct trace_follow *f = t->w->follow;

    if (t->w->failed || (!end_again(t, totals) && !end_by_ways(t, totals)))
        return false;
    t->blocks = f->now->blocks;
    t->accesses = f->now->bases;
    t->lane_accesses = f->now->lane_accesses;
    f->followers--;
    f->good += f->good < MOST_GOOD;
    f->pauses = 1;
    return true;
}

/* The segment that was found last, or stored, is the lead's, but moved. */
static void find_link(struct trace_writer *w, struct lead *l)
{
    const uint64_t *base = trace_moved_link(w->moved, &l->link);

    l->linked = base != NULL;
    for (uint32_t s = 0; base != NULL && s < l->sends; s++)
        l->from[s] = l->base[l->first[s]] - base[l->first[s]];
}

/* The thread's path is in one piece, and so are its accesses, all of them rows. */
static bool can_lead(const struct trace_thread *t, const struct trace_follow *f)
{
    const struct trace_path_known *path = t->w->path_taken;

    return f->followers == 0 && path != NULL && path->n == t->blocks &&
           f->next->bases == t->accesses;
}

void trace_follow_ended(struct trace_thread *t, uint8_t how)
{
    struct trace_writer *w = t->w;
    struct trace_follow *f = w->follow;
    struct lead *l = how == TRACE_LEADS ? f->next : f->now;

    if (how == TRACE_LEADS) {
        f->leads = NULL;
        if (w->failed || !can_lead(t, f))
            return;
        l->blocks = t->blocks;
        l->lane_accesses = t->lane_accesses;
        l->glanced = l->steps == 1 && l->step[0].apart && l->heads + l->bases <= GLANCE;
        trace_follow_settle(f);
        f->glance.known = 0;
        f->next = f->now;
        f->now = l;
        f->good = GOOD_AT_FIRST;
    } else if (how == TRACE_ALONE || w->failed || t->step < l->steps) {
        return;
    } else {
        f->good += BAD;
    }
    l->path = w->path_taken;
    l->path_times = l->path->times;
    if (l->bases > 0)
        find_link(w, l);
}

/* ---- the follower's own -----------------------------------------------------------
 */

struct trace_follow *trace_follow_new(struct trace_moved *moved)
{
    struct trace_follow *f = calloc(1, sizeof(*f));

    if (f == NULL)
        return NULL;
    f->moved = moved;
    f->now = &f->lead[0];
    f->next = &f->lead[1];
    f->pauses = 1;
    f->follow = follow_any;
#if defined(__x86_64__)
    if (igpu_host_vectors() >= IGPU_VECTORS_AVX2)
        f->follow = follow_avx2;
#endif
    return f;
}

void trace_follow_free(struct trace_follow *f)
{
    free(f);
}
