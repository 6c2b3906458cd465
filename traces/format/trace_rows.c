/* trace_rows.c - access segments of rows alone, see trace_segment.h. Threads of a
 * kernel mostly send the same in the same order: what is no address is kept as a shape.
 */
#include "igpu/told.h"
#include "traces/format/trace_segment_work.h"

#include <stdlib.h>
#include <string.h>

void trace_shapes_free(struct trace_segment_work *w)
{
    for (uint32_t i = 0; i < TRACE_SHAPES; i++) {
        struct trace_shape *sh = w->shape[i];

        if (sh == NULL)
            continue;
        trace_bytes_free(&sh->before);
        trace_bytes_free(&sh->distances);
        trace_bytes_free(&sh->in_order);
        free(sh);
    }
}

/* ---- shapes ------------------------------------------------------------- */

/* The column of distances for all accesses in path order, once it is asked for. */
static const struct trace_bytes *distances_in_order(struct trace_segment_work *w,
                                                    struct trace_shape *sh)
{
    if (sh->in_order.size == 0) {
        for (uint32_t i = 0; i < sh->like.n; i++)
            w->tmp[i] = told_count(sh->like.head[i]);
        trace_column_encode(w->column, w->tmp, sh->like.n, TRACE_COLUMN_ANY,
                            &sh->in_order);
    }
    return &sh->in_order;
}

/* Accesses send by send, and columns of their distances; w->send_of[] is
 * known. */
static void sort_shape(struct trace_segment_work *w, struct trace_shape *sh)
{
    uint32_t *at = w->send_first, first = 0;

    memset(at, 0, (sh->sends + 1) * sizeof(*at));
    for (uint32_t i = 0; i < sh->like.n; i++)
        at[w->send_of[i] + 1]++;
    for (uint32_t k = 0; k < sh->sends; k++)
        at[k + 1] += at[k];
    for (uint32_t i = 0; i < sh->like.n; i++) {
        uint32_t to = at[w->send_of[i]]++;

        sh->order[to] = (uint16_t)i;
        w->stride[to] = told_count(sh->like.head[i]);
    }
    for (uint32_t k = 0; k < sh->sends; k++) {
        trace_column_encode(w->column, w->stride + first, at[k] - first,
                            TRACE_COLUMN_ANY, &sh->distances);
        sh->distances_end[k] = (uint32_t)sh->distances.size;
        sh->end[k] = first = at[k];
    }
}

static void make_shape(struct trace_segment_work *w, const uint64_t *head, uint32_t n,
                       struct trace_shape *sh)
{
    /* Where the other way to encode has its numbers. */
    struct trace_access_list l = {
        .n = n, .nkind = n, .inst = w->order, .mask = w->base_at, .kind = w->kind};
    uint32_t s;

    sh->like.n = n;
    sh->has = (struct trace_rows){0, 0};
    sh->before.size = sh->distances.size = sh->in_order.size = 0;
    memcpy(sh->like.head, head, n * sizeof(*head));
    trace_pattern_begin(&sh->pattern, n);
    for (uint32_t i = 0; i < n; i++) {
        l.inst[i] = told_what(head[i]);
        l.mask[i] = told_mask(head[i]);
        trace_pattern_add(&sh->pattern, l.inst[i], l.mask[i], told_count(head[i]));
        sh->has.lanes += trace_lanes_of(l.mask[i]);
        if (l.inst[i] > sh->has.most_inst)
            sh->has.most_inst = l.inst[i];
    }
    memset(l.kind, TRACE_KIND_AFFINE, n);
    s = trace_number_sends(w, l.inst, n);
    trace_put_preamble(w, &l, s, &sh->before);
    sh->hint = s == 1 ? TRACE_COLUMN_ANY : TRACE_COLUMN_DIFFER;
    sh->sends = trace_sends_apart(n, s) ? s : 0;
    trace_pattern_find(w, w->send_of, n, s, &sh->pattern);
    if (sh->sends > 0)
        sort_shape(w, sh);
}

static bool has_shape(const struct trace_shape *sh, const uint64_t *head, uint32_t n)
{
    return sh != NULL && sh->like.n == n &&
           (sh->like.head == head ||
            memcmp(sh->like.head, head, n * sizeof(*head)) == 0);
}

struct trace_shape *trace_rows_shape(struct trace_segment_work *w, const uint64_t *head,
                                     uint32_t n)
{
    uint32_t i = w->last_shape;

    for (uint32_t k = 0; k < TRACE_SHAPES; k++, i = (i + 1) % TRACE_SHAPES)
        if (has_shape(w->shape[i], head, n)) {
            w->last_shape = i;
            return w->shape[i];
        }
    /* Number 0 never has users. */
    for (i = 0; i < TRACE_SHAPES; i++) {
        w->next_shape = (w->next_shape + 1) % TRACE_SHAPES;
        if (w->shape[w->next_shape] == NULL || w->shape[w->next_shape]->users == 0)
            break;
    }
    i = w->last_shape = w->next_shape;
    if (w->shape[i] == NULL)
        w->shape[i] = calloc(1, sizeof(*w->shape[i]));
    if (w->shape[i] != NULL)
        make_shape(w, head, n, w->shape[i]);
    return w->shape[i];
}

const struct trace_rows *trace_shape_rows(const struct trace_shape *shape)
{
    return &shape->has;
}

const struct trace_pattern *trace_shape_pattern(const struct trace_shape *shape)
{
    return &shape->pattern;
}

const struct trace_like *trace_rows_like(struct trace_segment_work *w)
{
    struct trace_shape *sh = w->shape[w->last_shape];

    if (sh == NULL || w->last_shape == 0)
        return NULL;
    sh->users++;
    return &sh->like;
}

void trace_rows_unlike(struct trace_segment_work *w, const struct trace_like *like)
{
    for (uint32_t i = 0; i < TRACE_SHAPES; i++)
        if (w->shape[i] != NULL && &w->shape[i]->like == like)
            w->shape[i]->users--;
}

/* ---- encode ------------------------------------------------------------- */

static void encode_in_order(struct trace_segment_work *w, struct trace_shape *sh,
                            const uint64_t *base, struct trace_bytes *out)
{
    const struct trace_bytes *distances = distances_in_order(w, sh);

    trace_bytes_u8(out, TRACE_MODE_ORDER);
    trace_column_encode(w->column, base, sh->like.n, sh->hint, out);
    trace_bytes_put(out, distances->data, distances->size);
    out->failed |= distances->failed;
}

static void encode_by_send(struct trace_segment_work *w, const struct trace_shape *sh,
                           const uint64_t *base, struct trace_bytes *out)
{
    uint32_t first = 0, at = 0;

    trace_bytes_u8(out, TRACE_MODE_SENDS);
    for (uint32_t k = 0; k < sh->sends; k++) {
        for (uint32_t i = first; i < sh->end[k]; i++)
            w->base[i] = base[sh->order[i]];
        trace_column_encode(w->column, w->base + first, sh->end[k] - first,
                            TRACE_COLUMN_ANY, out);
        trace_bytes_put(out, sh->distances.data + at, sh->distances_end[k] - at);
        first = sh->end[k];
        at = sh->distances_end[k];
    }
    out->failed |= sh->distances.failed;
}

void trace_rows_encode(struct trace_segment_work *w, struct trace_shape *sh,
                       const uint64_t *base, struct trace_bytes *out)
{
    size_t columns;

    trace_bytes_put(out, sh->before.data, sh->before.size);
    out->failed |= sh->before.failed;
    columns = out->size;
    if (sh->sends == 0) {
        encode_in_order(w, sh, base, out);
        return;
    }
    encode_by_send(w, sh, base, out);
    if (out->size - columns > TRACE_ORDER_LEAST) { /* as in trace_access_encode() */
        w->other.size = 0;
        encode_in_order(w, sh, base, &w->other);
        if (w->other.size < out->size - columns) {
            out->size = columns;
            trace_bytes_put(out, w->other.data, w->other.size);
        }
        out->failed |= w->other.failed;
    }
}
