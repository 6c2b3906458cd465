/* trace_segment.c - see trace_segment.h: work space, paths and cuts. */
#include "traces/format/trace_segment_work.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "igpu/grow.h"
#include "igpu/told.h"

struct trace_segment_work *trace_segment_work_new(void)
{
    struct trace_segment_work *work = calloc(1, sizeof(*work));

    if (work)
        work->column = trace_column_work_new();
    if (work && !work->column) {
        free(work);
        return NULL;
    }
    return work;
}

void trace_segment_work_free(struct trace_segment_work *work)
{
    if (!work)
        return;
    trace_column_work_free(work->column);
    trace_bytes_free(&work->other);
    free(work->forced);
    trace_shapes_free(work);
    free(work);
}

/* ---- paths -------------------------------------------------------------- */

enum { DECISION_OTHER = ISA_MAX_SUCC }; /* decisions from here on name a block */

/* The block that always follows: the only static successor. */
static bool inferable(const struct isa_block *b)
{
    return b->nsucc == 1 && !b->is_dynamic;
}

/* work->forced gets a zero byte for each block. */
static bool clear_forced(struct trace_segment_work *work, uint32_t count)
{
    if (!IGPU_RESERVE(work->forced, work->forced_count, count))
        return false;
    memset(work->forced, 0, count);
    return true;
}

static uint32_t decision_for(const struct isa_block *b, uint32_t next)
{
    for (uint32_t d = 0; d < b->nsucc; d++)
        if (b->succ[d] == next)
            return d;
    return DECISION_OTHER + next;
}

/* Decisions to work->tmp and their number to *m, as long as blocks of one successor are
 * followed by that; false: one is not. */
static bool plain_decisions(struct trace_segment_work *work,
                            const struct isa_block_list *blocks, const uint32_t *block,
                            uint32_t n, uint32_t *m)
{
    const struct isa_block *b = &blocks->block[block[0]];
    uint32_t k = 0;

    for (uint32_t i = 1; i < n; i++) {
        uint32_t next = block[i], d = b->succ[0] != next;

        if (d < b->nsucc && b->succ[d] == next) { /* nearly always: no branch more */
            work->tmp[k] = d;
            k += !inferable(b);
        } else if (!inferable(b)) {
            work->tmp[k++] = decision_for(b, next);
        } else {
            return false;
        }
        b = &blocks->block[next];
    }
    *m = k;
    return true;
}

static void encode_decisions(struct trace_segment_work *work, uint32_t m,
                             struct trace_bytes *out)
{
    trace_bytes_varint(out, m);
    trace_column_encode(work->column, work->tmp, m, TRACE_COLUMN_PLAIN, out);
}

void trace_path_encode(struct trace_segment_work *work,
                       const struct isa_block_list *blocks, const uint32_t *block,
                       uint32_t n, struct trace_bytes *out)
{
    uint32_t nforced = 0, m = 0;

    assert(n >= 1 && n <= TRACE_PATH_MAX);
    if (plain_decisions(work, blocks, block, n, &m)) {
        trace_bytes_varint(out, n);
        trace_bytes_varint(out, block[0]);
        trace_bytes_varint(out, 0);
        encode_decisions(work, m, out);
        return;
    }
    m = 0;
    if (!clear_forced(work, blocks->count)) {
        out->failed = true;
        return;
    }
    for (uint32_t i = 1; i < n; i++) {
        const struct isa_block *b = &blocks->block[block[i - 1]];

        if (inferable(b) && b->succ[0] != block[i] && !work->forced[block[i - 1]]) {
            work->forced[block[i - 1]] = 1;
            work->tmp[nforced++] = block[i - 1];
        }
    }
    trace_bytes_varint(out, n);
    trace_bytes_varint(out, block[0]);
    trace_bytes_varint(out, nforced);
    for (uint32_t i = 0; i < nforced; i++)
        trace_bytes_varint(out, work->tmp[i]);
    for (uint32_t i = 1; i < n; i++) {
        const struct isa_block *b = &blocks->block[block[i - 1]];

        if (!inferable(b) || work->forced[block[i - 1]])
            work->tmp[m++] = decision_for(b, block[i]);
    }
    encode_decisions(work, m, out);
}

static bool read_forced(struct trace_segment_work *work, struct trace_view *in,
                        uint32_t count)
{
    uint64_t nforced = trace_view_varint(in);

    if (in->bad || nforced > count || !clear_forced(work, count))
        return false;
    for (; nforced > 0; nforced--) {
        uint64_t b = trace_view_varint(in);

        if (in->bad || b >= count)
            return false;
        work->forced[b] = 1;
    }
    return true;
}

bool trace_path_decode(struct trace_segment_work *work,
                       const struct isa_block_list *blocks, const void *data,
                       size_t size, uint32_t *block, uint32_t *n)
{
    struct trace_view in = trace_view_of(data, size);
    uint64_t count = trace_view_varint(&in), now = trace_view_varint(&in), m, used = 0;

    if (in.bad || count < 1 || count > TRACE_PATH_MAX || now >= blocks->count ||
        !read_forced(work, &in, blocks->count))
        return false;
    m = trace_view_varint(&in);
    if (in.bad || m >= count || !trace_column_decode(&in, work->tmp, (uint32_t)m) ||
        in.at != in.end)
        return false;
    block[0] = (uint32_t)now;
    for (uint32_t i = 1; i < count; i++) {
        const struct isa_block *b = &blocks->block[now];
        uint64_t d = 0;

        if (!inferable(b) || work->forced[now]) {
            if (used == m)
                return false;
            d = work->tmp[used++];
        }
        if (d < b->nsucc)
            now = b->succ[d];
        else if (d >= DECISION_OTHER && d - DECISION_OTHER < blocks->count)
            now = d - DECISION_OTHER;
        else
            return false;
        block[i] = (uint32_t)now;
    }
    *n = (uint32_t)count;
    return used == m;
}

/* ---- cuts --------------------------------------------------------------- */

/* Each entry shifts the hash by one bit, so 64 entries make it; the cut is where it
 * is largest (the last of equals, for long segments), from a quarter of n on. */
struct cut {
    uint64_t hash, most;
    uint32_t at;
};

/* Entry 0 has no weight. */
static void cut_add(struct cut *c, uint64_t entry, uint32_t end, bool allowed)
{
    uint64_t h = (entry ^ (entry >> 32)) * 0x9e3779b97f4a7c15u;

    c->hash = (c->hash << 1) + (h ^ (h >> 31)) * 0xd6e8feb86659fd93u;
    if (allowed && c->hash >= c->most) {
        c->most = c->hash;
        c->at = end;
    }
}

uint32_t trace_path_cut(const uint32_t *block, uint32_t n)
{
    struct cut c = {0, 0, n};
    uint32_t from = n / 4, start = from > 64 ? from - 64 : 0;

    for (uint32_t i = start; i < n; i++)
        cut_add(&c, block[i], i + 1, i >= from);
    return c.at;
}

/* Sends of a stream are numbered: none has an address yet, and none a distance. */
static void number_sends(struct trace_segment_work *w, const uint32_t *inst, uint32_t n)
{
    memset(w->send_first, 0, trace_number_sends(w, inst, n) * sizeof(w->send_first[0]));
}

/* Access i of send s at `where` is an entry of weight where its distance from the
 * send's access before is another than that one's. */
static void cut_access(struct trace_segment_work *w, struct cut *c, uint64_t where,
                       uint32_t i, uint32_t from)
{
    uint32_t s = w->send_of[i], known = w->send_first[s];
    uint64_t distance = where - w->base[s];
    bool other = known > 1 && distance != w->stride[s];

    cut_add(c, other ? distance ^ w->send[s] << 48 : 0, i + 1, i >= from);
    w->base[s] = where;
    w->stride[s] = distance;
    w->send_first[s] = known + (known < 2);
}

uint32_t trace_rows_cut(struct trace_segment_work *w, const uint64_t *head,
                        const uint64_t *base, uint32_t n)
{
    struct cut c = {0, 0, n};

    for (uint32_t i = 0; i < n; i++)
        w->order[i] = told_what(head[i]);
    number_sends(w, w->order, n);
    for (uint32_t i = 0; i < n; i++)
        cut_access(w, &c, base[i], i, n / 4);
    return c.at;
}

uint32_t trace_access_cut(struct trace_segment_work *w,
                          const struct trace_access_list *list)
{
    struct cut c = {0, 0, list->n};
    uint32_t base = 0;

    number_sends(w, list->inst, list->n);
    for (uint32_t i = 0; i < list->n; i++)
        if (list->mask[i] != 0)
            cut_access(w, &c, list->base[base++], i, list->n / 4);
        else
            cut_add(&c, 0, i + 1, i >= list->n / 4);
    return c.at;
}
