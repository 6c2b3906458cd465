/* trace_access.c - access segments, see trace_segment.h. */
#include "traces/format/trace_segment_work.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Sends with fewer accesses each than this share columns in path order: then what a
 * thread with straight code does repeats in the next thread. */
enum { GROUP_LEAST = 4 };

/* ---- common ------------------------------------------------------------- */

/* Fill order[] and send_first[] from send_of[n] (s sends): a stable counting sort. */
static void sort_by_send(struct trace_segment_work *w, uint32_t n, uint32_t s)
{
    memset(w->send_first, 0, (s + 1) * sizeof(w->send_first[0]));
    for (uint32_t i = 0; i < n; i++)
        w->send_first[w->send_of[i] + 1]++;
    for (uint32_t k = 0; k < s; k++)
        w->send_first[k + 1] += w->send_first[k];
    for (uint32_t i = 0; i < n; i++)
        w->order[w->send_first[w->send_of[i]]++] = i;
    for (uint32_t k = s; k > 0; k--)
        w->send_first[k] = w->send_first[k - 1];
    w->send_first[0] = 0;
}

/* One order for all: the identity, as a single group. */
static void keep_order(struct trace_segment_work *w, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        w->order[i] = i;
    w->send_first[0] = 0;
    w->send_first[1] = n;
}

/* Add what an access of several lanes has beside its base. */
static void count_kind(struct trace_access_list *at, uint8_t kind, uint32_t lanes)
{
    at->nstride += kind == TRACE_KIND_AFFINE;
    if (kind == TRACE_KIND_IRREGULAR)
        at->ndiffer += lanes - 1;
}

/* Note where each access's entries begin; returns the list's counts, from masks and
 * kinds. The kinds of list are known already. */
static struct trace_access_list list_place(struct trace_segment_work *w,
                                           const struct trace_access_list *list,
                                           uint32_t n)
{
    struct trace_access_list at = *list;

    at.n = n;
    at.nbase = at.nkind = at.nstride = at.ndiffer = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t lanes = trace_lanes_of(list->mask[i]);

        w->base_at[i] = at.nbase;
        w->kind_at[i] = at.nkind;
        w->stride_at[i] = at.nstride;
        w->differ_at[i] = at.ndiffer;
        at.nbase += lanes > 0;
        if (lanes > 1)
            count_kind(&at, list->kind[at.nkind++], lanes);
    }
    return at;
}

struct trace_access_list trace_access_prefix(const struct trace_access_list *list,
                                             uint32_t n)
{
    struct trace_access_list at = *list;

    if (trace_all_rows(list)) {
        at.n = at.nbase = at.nkind = at.nstride = n;
        return at;
    }
    at.n = n;
    at.nbase = at.nkind = at.nstride = at.ndiffer = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t lanes = trace_lanes_of(list->mask[i]);

        at.nbase += lanes > 0;
        if (lanes > 1)
            count_kind(&at, list->kind[at.nkind++], lanes);
    }
    return at;
}

enum which { BASES, STRIDES, DIFFERS };

/* How many entries of one column access i has, and where they begin. */
static uint32_t entries(const struct trace_segment_work *w,
                        const struct trace_access_list *list, uint32_t i, enum which c,
                        uint32_t *at)
{
    uint32_t mask = list->mask[i];
    bool several = (mask & (mask - 1)) != 0; /* the count itself is slow: last */

    switch (c) {
    case BASES:
        *at = w->base_at[i];
        return mask != 0;
    case STRIDES:
        *at = w->stride_at[i];
        return several && list->kind[w->kind_at[i]] == TRACE_KIND_AFFINE;
    default:
        *at = w->differ_at[i];
        if (!several || list->kind[w->kind_at[i]] != TRACE_KIND_IRREGULAR)
            return 0;
        return trace_lanes_of(mask) - 1;
    }
}

/* Entries that all accesses together have in a column. */
static uint32_t all_entries(const struct trace_access_list *list, enum which c)
{
    return c == BASES ? list->nbase : c == STRIDES ? list->nstride : list->ndiffer;
}

static uint64_t *column_of(const struct trace_access_list *list, enum which c)
{
    return c == BASES ? list->base : c == STRIDES ? list->stride : list->differ;
}

/* ---- encode ------------------------------------------------------------- */

/* Number the sends by first use. Returns how many. The writer has seen to it that no
 * instruction is past the table's end. */
uint32_t trace_number_sends(struct trace_segment_work *w, const uint32_t *inst,
                            uint32_t n)
{
    uint32_t s = 0;

    for (uint32_t i = 0; i < n; i++) {
        uint16_t *number = &w->number[inst[i]];

        if (*number == 0) {
            w->send[s++] = inst[i];
            *number = (uint16_t)s;
        }
        w->send_of[i] = *number - 1u;
    }
    for (uint32_t k = 0; k < s; k++) /* few of many */
        w->number[w->send[k]] = 0;
    return s;
}

void trace_pattern_find(struct trace_segment_work *w, const uint32_t *send_of,
                        uint32_t n, uint32_t sends, struct trace_pattern *p)
{
    uint32_t *before = w->send_first; /* of each send, + 1 */

    p->n = n;
    p->sends = sends;
    memset(before, 0, sends * sizeof(*before));
    for (uint32_t s = 0; s < sends; s++)
        p->first[s] = (uint16_t)n;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t s = send_of[i];

        if (before[s] == 0)
            p->first[s] = (uint16_t)i;
        p->back[i] = (uint16_t)(before[s] != 0 ? i + 1 - before[s] : 0);
        before[s] = i + 1;
    }
    for (uint32_t i = n; i-- > 0;)
        p->steady[i] =
            (uint16_t)(i + 1 < n && p->back[i] == p->back[i + 1] ? p->steady[i + 1] + 1
                                                                 : 1);
}

/* Returns the differences behind its own. */
static const uint64_t *add_irregular(struct trace_pattern *p, uint32_t inst,
                                     uint32_t mask, const uint64_t *differ)
{
    uint32_t lanes = trace_lanes_of(mask) - 1;

    trace_hash_add(p->hash, (uint64_t)inst << 32 | mask);
    trace_hash_add(p->hash, ~(uint64_t)lanes); /* no stride has so many */
    for (uint32_t i = 0; i < lanes; i++)
        trace_hash_add(p->hash, differ[i]);
    return differ + lanes;
}

const struct trace_pattern *trace_access_pattern(struct trace_segment_work *w,
                                                 const struct trace_access_list *list,
                                                 uint32_t n)
{
    struct trace_pattern *p = &w->pattern;
    uint32_t sends = trace_number_sends(w, list->inst, n), stride = 0, kind = 0, m = 0;
    const uint64_t *differ = list->differ;

    trace_pattern_begin(p, n);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t mask = list->mask[i];
        bool several = (mask & (mask - 1)) != 0;

        if (several && list->kind[kind++] == TRACE_KIND_IRREGULAR)
            differ = add_irregular(p, list->inst[i], mask, differ);
        else
            trace_pattern_add(p, list->inst[i], mask,
                              several ? list->stride[stride++] : 0);
        if (mask != 0)
            w->order[m++] = w->send_of[i];
    }
    trace_pattern_find(w, w->order, m, sends, p);
    return p;
}

/* w->kind[] gets the kinds to store: an irregular access is as before when mask and
 * differences are those of the irregular one before it. Several arrays indexed by the
 * same random numbers look so. */
static void find_repeats(struct trace_segment_work *w,
                         const struct trace_access_list *list, uint32_t n)
{
    uint32_t last = n; /* n: none yet */

    for (uint32_t i = 0; i < n; i++) {
        uint32_t mask = list->mask[i];
        const uint64_t *differ = list->differ + w->differ_at[i];
        uint8_t *kind = &w->kind[w->kind_at[i]];

        if ((mask & (mask - 1)) == 0)
            continue;
        *kind = list->kind[w->kind_at[i]];
        if (*kind != TRACE_KIND_IRREGULAR)
            continue;
        if (last < n && list->mask[last] == mask &&
            memcmp(list->differ + w->differ_at[last], differ,
                   (trace_lanes_of(mask) - 1) * sizeof(*differ)) == 0)
            *kind = TRACE_KIND_AS_BEFORE;
        last = i;
    }
}

/* Rows alone, of all sends in path order: columns as they are. */
static void encode_rows(struct trace_segment_work *w, const uint64_t *base,
                        const uint64_t *stride, uint32_t n, enum trace_column_hint hint,
                        struct trace_bytes *out)
{
    trace_column_encode(w->column, base, n, hint, out);
    trace_column_encode(w->column, stride, n, TRACE_COLUMN_ANY, out);
}

/* Or send by send: as sort_by_send(), but of what they have. */
static void encode_sorted_rows(struct trace_segment_work *w,
                               const struct trace_access_list *list, uint32_t n,
                               uint32_t s, struct trace_bytes *out)
{
    uint32_t *at = w->send_first, first = 0;

    memset(at, 0, (s + 1) * sizeof(*at));
    for (uint32_t i = 0; i < n; i++)
        at[w->send_of[i] + 1]++;
    for (uint32_t k = 0; k < s; k++)
        at[k + 1] += at[k];
    for (uint32_t i = 0; i < n; i++) {
        uint32_t to = at[w->send_of[i]]++;

        w->base[to] = list->base[i];
        w->stride[to] = list->stride[i];
    }
    for (uint32_t k = 0; k < s; k++) { /* at[k] is the end of k now */
        encode_rows(w, w->base + first, w->stride + first, at[k] - first,
                    TRACE_COLUMN_ANY, out);
        first = at[k];
    }
}

static void encode_group(struct trace_segment_work *w,
                         const struct trace_access_list *list, uint32_t group,
                         enum trace_column_hint hint, struct trace_bytes *out)
{
    for (enum which c = BASES; c <= DIFFERS; c++) {
        const uint64_t *from = column_of(list, c);
        uint32_t m = 0;

        for (uint32_t k = w->send_first[group]; k < w->send_first[group + 1]; k++) {
            uint32_t at, count = entries(w, list, w->order[k], c, &at);

            for (uint32_t e = 0; e < count; e++)
                w->tmp[m++] = from[at + e];
        }
        trace_column_encode(w->column, w->tmp, m, c == BASES ? hint : TRACE_COLUMN_ANY,
                            out);
    }
}

static void encode_u32(struct trace_segment_work *w, const uint32_t *v, uint32_t n,
                       struct trace_bytes *out)
{
    for (uint32_t i = 0; i < n; i++)
        w->tmp[i] = v[i];
    trace_column_encode(w->column, w->tmp, n, TRACE_COLUMN_PLAIN, out);
}

static void encode_groups(struct trace_segment_work *w,
                          const struct trace_access_list *list, uint32_t n, uint32_t s,
                          unsigned mode, struct trace_bytes *out)
{
    uint32_t groups = mode == TRACE_MODE_SENDS ? s : 1;
    enum trace_column_hint hint =
        mode == TRACE_MODE_SENDS || s == 1 ? TRACE_COLUMN_ANY : TRACE_COLUMN_DIFFER;

    trace_bytes_u8(out, (uint8_t)mode);
    if (trace_all_rows(list)) {
        if (mode == TRACE_MODE_SENDS)
            encode_sorted_rows(w, list, n, s, out);
        else
            encode_rows(w, list->base, list->stride, n, hint, out);
        return;
    }
    if (mode == TRACE_MODE_SENDS)
        sort_by_send(w, n, s);
    else
        keep_order(w, n);
    for (uint32_t g = 0; g < groups; g++)
        encode_group(w, list, g, hint, out);
}

void trace_put_preamble(struct trace_segment_work *w,
                        const struct trace_access_list *list, uint32_t s,
                        struct trace_bytes *out)
{
    trace_bytes_varint(out, list->n);
    trace_bytes_varint(out, s);
    trace_column_encode(w->column, w->send, s, TRACE_COLUMN_ANY, out);
    if (s > 1)
        encode_u32(w, w->send_of, list->n, out);
    encode_u32(w, list->mask, list->n, out);
    for (uint32_t i = 0; i < list->nkind; i++)
        w->tmp[i] = list->kind[i];
    trace_column_encode(w->column, w->tmp, list->nkind, TRACE_COLUMN_PLAIN, out);
}

bool trace_sends_apart(uint32_t n, uint32_t s)
{
    return s > 1 && n / s >= GROUP_LEAST;
}

void trace_access_encode(struct trace_segment_work *w,
                         const struct trace_access_list *all, uint32_t n,
                         struct trace_bytes *out)
{
    bool rows = trace_all_rows(all);
    struct trace_access_list at =
        rows ? trace_access_prefix(all, n) : list_place(w, all, n);
    const struct trace_access_list *list = &at;
    uint32_t s = trace_number_sends(w, all->inst, n);
    size_t columns;
    bool sends = trace_sends_apart(n, s);

    assert(n >= 1 && n <= TRACE_ACCESS_MAX);
    if (rows)
        memset(w->kind, TRACE_KIND_AFFINE, n);
    else
        find_repeats(w, all, n);
    at.kind = w->kind;
    trace_put_preamble(w, list, s, out);
    columns = out->size;
    encode_groups(w, list, n, s, sends ? TRACE_MODE_SENDS : TRACE_MODE_ORDER, out);
    /* Irregular: one chase through several sends is better kept whole. */
    if (sends && out->size - columns > TRACE_ORDER_LEAST) {
        w->other.size = 0;
        encode_groups(w, list, n, s, TRACE_MODE_ORDER, &w->other);
        if (w->other.size < out->size - columns) {
            out->size = columns;
            trace_bytes_put(out, w->other.data, w->other.size);
        }
        out->failed |= w->other.failed;
    }
}

/* ---- decode ------------------------------------------------------------- */

static bool decode_u32(struct trace_segment_work *w, struct trace_view *in, uint32_t *v,
                       uint32_t n, uint64_t below)
{
    if (!trace_column_decode(in, w->tmp, n))
        return false;
    for (uint32_t i = 0; i < n; i++) {
        if (w->tmp[i] >= below)
            return false;
        v[i] = (uint32_t)w->tmp[i];
    }
    return true;
}

static bool decode_group(struct trace_segment_work *w, struct trace_view *in,
                         const struct trace_access_list *list, uint32_t group)
{
    for (enum which c = BASES; c <= DIFFERS; c++) {
        uint64_t *to = column_of(list, c);
        uint32_t first = w->send_first[group], last = w->send_first[group + 1], at,
                 m = 0;

        if (all_entries(list, c) == 0)
            continue;
        for (uint32_t k = first; k < last; k++)
            m += entries(w, list, w->order[k], c, &at);
        if (!trace_column_decode(in, w->tmp, m))
            return false;
        m = 0;
        for (uint32_t k = first; k < last; k++) {
            uint32_t count = entries(w, list, w->order[k], c, &at);

            if (count == 1)
                to[at] = w->tmp[m];
            else
                memcpy(to + at, w->tmp + m, count * sizeof(*to));
            m += count;
        }
    }
    return true;
}

/* One allocation for all arrays of *list, whose counts are known. */
static bool allocate(struct trace_access_list *list)
{
    size_t wide = (size_t)list->nbase + list->nstride + list->ndiffer;
    size_t bytes =
        wide * sizeof(uint64_t) + 2 * sizeof(uint32_t) * list->n + list->nkind;
    uint64_t *at = malloc(bytes);

    if (!at)
        return false;
    list->base = at;
    list->stride = list->base + list->nbase;
    list->differ = list->stride + list->nstride;
    list->inst = (uint32_t *)(void *)(list->differ + list->ndiffer);
    list->mask = list->inst + list->n;
    list->kind = (uint8_t *)(list->mask + list->n);
    return true;
}

/* Does each access as before follow an irregular one of its mask? */
static bool repeats_known(const uint32_t *mask, const uint8_t *kind, uint32_t n)
{
    uint32_t last = 0; /* no mask of several lanes */

    for (uint32_t i = 0; i < n; i++) {
        if ((mask[i] & (mask[i] - 1)) == 0)
            continue;
        if (*kind == TRACE_KIND_AS_BEFORE && mask[i] != last)
            return false;
        if (*kind++ != TRACE_KIND_AFFINE)
            last = mask[i];
    }
    return true;
}

/* Read what comes before the groups: sends, masks and kinds into the work space. */
struct preamble {
    uint32_t n, s, groups;
    uint32_t mask[TRACE_ACCESS_MAX];
    uint8_t kind[TRACE_ACCESS_MAX];
};

static bool decode_preamble(struct trace_segment_work *w, struct trace_view *in,
                            uint32_t insts, struct preamble *p)
{
    uint64_t n = trace_view_varint(in), s = trace_view_varint(in);
    uint32_t nkind = 0, mode;

    if (in->bad || n < 1 || n > TRACE_ACCESS_MAX || s < 1 || s > n ||
        !trace_column_decode(in, w->send, (uint32_t)s))
        return false;
    for (uint32_t k = 0; k < s; k++)
        if (w->send[k] >= insts)
            return false;
    p->n = (uint32_t)n;
    p->s = (uint32_t)s;
    memset(w->send_of, 0, p->n * sizeof(w->send_of[0]));
    if ((s > 1 && !decode_u32(w, in, w->send_of, p->n, s)) ||
        !decode_u32(w, in, p->mask, p->n, (uint64_t)UINT32_MAX + 1))
        return false;
    for (uint32_t i = 0; i < p->n; i++)
        nkind += trace_lanes_of(p->mask[i]) > 1;
    if (!trace_column_decode(in, w->tmp, nkind))
        return false;
    for (uint32_t i = 0; i < nkind; i++) {
        if (w->tmp[i] > TRACE_KIND_AS_BEFORE)
            return false;
        p->kind[i] = (uint8_t)w->tmp[i];
    }
    if (!repeats_known(p->mask, p->kind, p->n))
        return false;
    mode = trace_view_u8(in);
    p->groups = mode == TRACE_MODE_SENDS ? p->s : 1;
    return !in->bad && mode <= TRACE_MODE_SENDS;
}

bool trace_access_decode(struct trace_segment_work *w, struct trace_view *in,
                         uint32_t insts, struct trace_access_list *list,
                         bool *short_memory)
{
    struct preamble p;

    *short_memory = false;
    memset(list, 0, sizeof(*list));
    if (!decode_preamble(w, in, insts, &p))
        return false;
    list->mask = p.mask;
    list->kind = p.kind;
    *list = list_place(w, list, p.n);
    if (list->ndiffer > TRACE_DIFFER_MAX) {
        memset(list, 0, sizeof(*list));
        return false;
    }
    *short_memory = !allocate(list);
    if (*short_memory)
        return false;
    memcpy(list->mask, p.mask, p.n * sizeof(*list->mask));
    memcpy(list->kind, p.kind, list->nkind);
    for (uint32_t i = 0; i < p.n; i++)
        list->inst[i] = (uint32_t)w->send[w->send_of[i]];
    if (p.groups > 1)
        sort_by_send(w, p.n, p.s);
    else
        keep_order(w, p.n);
    for (uint32_t g = 0; g < p.groups; g++)
        if (!decode_group(w, in, list, g)) {
            free(list->base);
            memset(list, 0, sizeof(*list));
            return false;
        }
    return true;
}

uint16_t *trace_access_sends(struct trace_segment_work *w,
                             const struct trace_access_list *list, uint32_t *sends)
{
    uint16_t *send = malloc(list->n * sizeof(*send));

    if (!send)
        return NULL;
    *sends = trace_number_sends(w, list->inst, list->n);
    for (uint32_t i = 0; i < list->n; i++)
        send[i] = (uint16_t)w->send_of[i];
    return send;
}
