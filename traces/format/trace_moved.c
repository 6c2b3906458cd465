/* trace_moved.c - see trace_moved.h. */
#include "traces/format/trace_moved.h"

#include <stdlib.h>
#include <string.h>

#include "igpu/grow.h"

enum { SETS = 32, KEPT = 4 * SETS };

struct kept {
    uint64_t hash[2];
    uint64_t *base;
    uint64_t *way; /* of the piece with it before, in section `told` */
    uint32_t n, base_room, way_room, told, kernel;
    struct trace_at at;
    size_t size;
    uint64_t stored; /* as how many-th */
    uint64_t times;  /* how often there was another one before */
};

struct trace_moved {
    struct kept kept[KEPT], *asked;    /* asked: the one not found */
    struct kept *last;                 /* the one found, or asked for */
    uint64_t way[TRACE_ACCESS_MAX];    /* to the one found.. */
    uint64_t differ[TRACE_ACCESS_MAX]; /* ..as told */
    uint64_t stored;                   /* how many there were */
};

struct trace_moved *trace_moved_new(void)
{
    return calloc(1, sizeof(struct trace_moved));
}

void trace_moved_free(struct trace_moved *m)
{
    for (uint32_t i = 0; m && i < KEPT; i++) {
        free(m->kept[i].base);
        free(m->kept[i].way);
    }
    free(m);
}

/* Are all addresses of each send equally far from those of k? */
static bool is_moved(const struct trace_pattern *p, const uint64_t *base,
                     const struct kept *k)
{
    uint64_t differ = 0;

    for (uint32_t i = 0; i < p->n; i += p->steady[i]) {
        const uint64_t *now = base + i, *then = k->base + i;
        uint32_t back = p->back[i], n = back != 0 ? p->steady[i] : 0;

        for (uint32_t j = 0; j < n; j++)
            differ |=
                (now[j] - then[j]) ^ (now[(int64_t)j - back] - then[(int64_t)j - back]);
        if (differ != 0)
            return false;
    }
    return true;
}

/* Bits of a number, without its sign. */
static inline uint32_t bits_of(uint64_t number)
{
    uint64_t value = (number ^ (uint64_t)((int64_t)number >> 63)) | 1;

    return 64 - (uint32_t)__builtin_clzll(value);
}

/* What is told of the ways from k: how they differ from those before in this section.
 * False: that is no shorter than the segment might be. */
static bool tell_ways(struct trace_moved *m, struct kept *k, uint32_t sends,
                      const uint64_t *way, uint32_t now, bool *any)
{
    bool told = k->told == now;
    uint64_t all = 0;
    uint32_t bits = 0;

    for (uint32_t s = 0; s < sends; s++) {
        m->differ[s] = way[s] - (told ? k->way[s] : 0);
        bits += bits_of(m->differ[s]);
        all |= way[s];
    }
    *any = all != 0;
    if (*any && bits > TRACE_WAYS_BITS + TRACE_WAY_BITS * sends)
        return false;
    k->told = now;
    memcpy(k->way, way, sends * sizeof(*way));
    return true;
}

/* The ways of a segment that is k's but moved. */
static void find_ways(struct trace_moved *m, const struct trace_pattern *p,
                      const uint64_t *base, const struct kept *k)
{
    for (uint32_t s = 0; s < p->sends; s++) {
        uint32_t at = p->first[s];

        m->way[s] = at < p->n ? base[at] - k->base[at] : 0;
    }
}

/* The one with this pattern, or the one of its set that was stored longest ago. */
static struct kept *find_kept(struct trace_moved *m, uint32_t kernel,
                              const struct trace_pattern *p)
{
    struct kept *oldest = &m->kept[p->hash[0] % SETS];

    for (uint32_t i = p->hash[0] % SETS; i < KEPT; i += SETS) {
        struct kept *k = &m->kept[i];

        if (k->n == p->n && k->kernel == kernel && k->hash[0] == p->hash[0] &&
            k->hash[1] == p->hash[1])
            return k;
        if (k->stored < oldest->stored)
            oldest = k;
    }
    oldest->at.chunk = 0;
    return oldest;
}

/* The next one with this pattern is looked for from here. */
static void remember(struct trace_moved *m, struct kept *k, uint32_t kernel,
                     const struct trace_pattern *p, const uint64_t *base)
{
    k->at.chunk = k->told = k->n = 0;
    k->times++;
    if (!IGPU_RESERVE(k->base, k->base_room, p->n) ||
        !IGPU_RESERVE(k->way, k->way_room, p->sends))
        return; /* it is stored all the same */
    memcpy(k->hash, p->hash, sizeof(k->hash));
    memcpy(k->base, base, p->n * sizeof(*base));
    k->n = p->n;
    k->kernel = kernel;
    m->asked = k;
}

struct trace_moved_from trace_moved_find(struct trace_moved *m, uint32_t kernel,
                                         const struct trace_pattern *p,
                                         const uint64_t *base, uint32_t now)
{
    struct kept *k = m->last = find_kept(m, kernel, p);
    bool any;

    m->asked = NULL;
    if (trace_is_near(k->at, now, k->size) && is_moved(p, base, k)) {
        find_ways(m, p, base, k);
        if (tell_ways(m, k, p->sends, m->way, now, &any))
            return (struct trace_moved_from){k->at, any ? p->sends : 0, m->differ};
    }
    remember(m, k, kernel, p, base);
    return (struct trace_moved_from){{0, 0}, 0, NULL};
}

const uint64_t *trace_moved_link(const struct trace_moved *m,
                                 struct trace_moved_link *link)
{
    if (m->last == NULL || m->last->at.chunk == 0)
        return NULL;
    *link = (struct trace_moved_link){(uint32_t)(m->last - m->kept), m->last->times};
    return m->last->base;
}

bool trace_moved_again(struct trace_moved *m, const struct trace_moved_link *link,
                       uint32_t sends, const uint64_t *way, uint32_t now,
                       struct trace_moved_from *from)
{
    struct kept *k = &m->kept[link->kept];
    bool any;

    if (k->times != link->times || !trace_is_near(k->at, now, k->size) ||
        !tell_ways(m, k, sends, way, now, &any))
        return false;
    *from = (struct trace_moved_from){k->at, any ? sends : 0, m->differ};
    return true;
}

void trace_moved_skip(struct trace_moved *m, const struct trace_moved_link *link,
                      uint32_t sends, const uint64_t *further)
{
    struct kept *k = &m->kept[link->kept];

    for (uint32_t s = 0; k->times == link->times && s < sends; s++)
        k->way[s] += further[s];
}

void trace_moved_stored(struct trace_moved *m, struct trace_at at, size_t size)
{
    struct kept *k = m->asked;

    m->asked = NULL;
    if (k == NULL)
        return;
    k->at = at;
    k->size = size;
    k->stored = ++m->stored;
}
