/* trace_cache.c - thread sections and segments in memory. A section is kept while it
 * is among the last used; a segment while a cursor is in it, and then among the last
 * left; cursors in the same segment share it. See trace_reader_state.h. */
#include <stdlib.h>
#include <string.h>

#include "igpu/grow.h"
#include "igpu/hash.h"
#include "traces/format/trace_reader_state.h"

static enum igpu_status chunk_bad(const struct trace_reader *r, uint32_t chunk,
                                  const char *what, struct igpu_err *err)
{
    return trace_in_bad(&r->in, r->section[r->chunk[chunk].section].offset, what, err);
}

/* ---- thread sections ---------------------------------------------------- */

static void empty_chunk(struct trace_chunk_in *c)
{
    free(c->piece);
    free(c->at);
    free(c->way);
    trace_bytes_free(&c->segments);
    memset(c, 0, sizeof(*c));
}

static int by_thread(const void *a, const void *b)
{
    const struct trace_piece *x = a, *y = b;

    if (x->thread != y->thread)
        return x->thread < y->thread ? -1 : 1;
    return x->order < y->order ? -1 : 1;
}

static const char *read_segments(const Vigpu__Trace__ThreadChunk *m,
                                 struct trace_chunk_in *c)
{
    size_t at = 0;

    c->nsegments = (uint32_t)m->n_segment_size;
    c->at = calloc(m->n_segment_size + 1, sizeof(*c->at));
    trace_bytes_put(&c->segments, m->segments.data, m->segments.len);
    if (!c->at || c->segments.failed)
        return igpu_short_memory;
    for (uint32_t i = 0; i < c->nsegments; i++) {
        if (m->segment_size[i] > m->segments.len - at)
            return "its segments are longer than their content";
        at += m->segment_size[i];
        c->at[i + 1] = (uint32_t)at;
    }
    return at == m->segments.len ? NULL : "its segments do not fill their content";
}

/* How far the columns of a section have been read, and, where a piece is moved, which
 * piece has a segment last. */
struct progress {
    size_t ref, index, totals, way;
    uint32_t fresh;
    int64_t thread;
    struct trace_piece **last; /* by chunk and index of the segment; NULL: no piece */
    size_t mask;               /* of their number, which is a power of two */
};

/* The last piece with the access segment of p, which now is p. */
static const struct trace_piece *exchange(struct progress *at, struct trace_piece *p)
{
    uint64_t key = (uint64_t)p->chunk[TRACE_ACCESS] << 32 | p->index[TRACE_ACCESS];
    size_t i = igpu_mix(key) & at->mask;
    const struct trace_piece *before;

    while (at->last[i] && (at->last[i]->chunk[TRACE_ACCESS] != p->chunk[TRACE_ACCESS] ||
                           at->last[i]->index[TRACE_ACCESS] != p->index[TRACE_ACCESS]))
        i = (i + 1) & at->mask;
    before = at->last[i];
    at->last[i] = p;
    return before;
}

/* How far the sends of a piece that is moved are from those that are stored. */
static const char *read_ways(const Vigpu__Trace__ThreadChunk *m,
                             struct trace_chunk_in *c, struct trace_piece *p,
                             struct progress *at)
{
    size_t n = at->index < m->n_segment_index ? m->segment_index[at->index++] : 0;
    const struct trace_piece *before;
    const uint64_t *ways;

    if (n == 0 || n > TRACE_ACCESS_MAX || n > m->n_segment_way - at->way)
        return "it has too few ways of a segment that is moved";
    before = exchange(at, p);
    ways = before && before->sends == n ? before->ways : NULL;
    for (size_t i = at->way; i < at->way + n; i++)
        c->way[i] = (uint64_t)m->segment_way[i] + (ways ? ways[i - at->way] : 0);
    p->ways = c->way + at->way;
    p->sends = (uint32_t)n;
    at->way += n;
    return NULL;
}

static const char *read_piece(const Vigpu__Trace__ThreadChunk *m,
                              struct trace_chunk_in *c, struct trace_piece *p,
                              struct progress *at)
{
    bool moved = p->flags & TRACE_MOVED_PIECE;

    if (moved && !(p->flags & 1u << TRACE_ACCESS))
        return "a piece without accesses is moved";
    for (unsigned s = 0; s < 2; s++) {
        uint32_t back;

        if (!(p->flags & 1u << s))
            continue;
        if (at->ref == m->n_segment_back)
            return "it has too few segments";
        back = m->segment_back[at->ref++];
        if (back == 0) {
            p->chunk[s] = c->number;
            p->index[s] = at->fresh++;
            continue;
        }
        if (back - 1 > c->number || at->index == m->n_segment_index)
            return "it refers to a section that does not exist";
        p->chunk[s] = c->number - (back - 1);
        p->index[s] = m->segment_index[at->index++];
    }
    if (moved) {
        const char *what = read_ways(m, c, p, at);

        if (what)
            return what;
    } else if (at->last && p->flags & 1u << TRACE_ACCESS) {
        (void)exchange(at, p);
    }
    if (!(p->flags & TRACE_LAST_PIECE))
        return NULL;
    if (at->totals == m->n_instructions)
        return "it has too few totals";
    p->totals.instructions = m->instructions[at->totals];
    p->totals.lane_instructions = m->lane_instructions[at->totals];
    p->totals.flops = m->flops[at->totals++];
    return NULL;
}

/* Room for what pieces that are moved need; nothing, where none is. */
static bool make_ways(const Vigpu__Trace__ThreadChunk *m, struct trace_chunk_in *c,
                      struct progress *at)
{
    size_t room = 2;

    if (m->n_segment_way == 0)
        return true;
    while (room < 2 * (size_t)c->npieces)
        room *= 2;
    c->way = calloc(m->n_segment_way, sizeof(*c->way));
    at->last = calloc(room, sizeof(struct trace_piece *));
    at->mask = room - 1;
    return c->way && at->last;
}

static const char *read_all_pieces(const Vigpu__Trace__ThreadChunk *m,
                                   const struct trace_chunk_entry *entry,
                                   struct trace_chunk_in *c, struct progress *at)
{
    for (uint32_t i = 0; i < c->npieces; i++) {
        struct trace_piece *p = &c->piece[i];
        const char *what;

        at->thread = (int64_t)((uint64_t)at->thread + (uint64_t)m->piece_thread[i]);
        if (at->thread < entry->first || at->thread > entry->last)
            return "a thread is not in the index";
        p->thread = (uint32_t)at->thread;
        p->order = i;
        p->flags = m->piece_flags[i];
        what = read_piece(m, c, p, at);
        if (what)
            return what;
    }
    return at->ref == m->n_segment_back && at->index == m->n_segment_index &&
                   at->totals == m->n_instructions && at->fresh == c->nsegments &&
                   at->way == m->n_segment_way
               ? NULL
               : "its columns do not match its pieces";
}

static const char *read_pieces(const Vigpu__Trace__ThreadChunk *m,
                               const struct trace_chunk_entry *entry,
                               struct trace_chunk_in *c)
{
    struct progress at = {0};
    const char *what = igpu_short_memory;

    if (m->n_piece_flags != m->n_piece_thread ||
        m->n_lane_instructions != m->n_instructions || m->n_flops != m->n_instructions)
        return "its columns differ in length";
    if (m->n_segment_way > TRACE_MAX_WAYS)
        return "it has too many ways of segments that are moved";
    c->npieces = (uint32_t)m->n_piece_thread;
    c->piece = calloc(c->npieces + 1u, sizeof(*c->piece));
    if (c->piece && make_ways(m, c, &at))
        what = read_all_pieces(m, entry, c, &at);
    free(at.last);
    qsort(c->piece, c->piece ? c->npieces : 0, sizeof(*c->piece), by_thread);
    return what;
}

static enum igpu_status load_chunk(struct trace_reader *r, struct trace_chunk_in *c,
                                   uint32_t number, struct igpu_err *err)
{
    const struct trace_chunk_entry *entry = &r->chunk[number];
    Vigpu__Trace__ThreadChunk *message;
    struct trace_budget budget;
    const char *what;
    enum igpu_status status = trace_reader_section(r, entry->section, &r->raw, err);

    if (status != IGPU_OK)
        return status;
    trace_budget_init(&budget, r->raw.size);
    message =
        vigpu__trace__thread_chunk__unpack(&budget.allocator, r->raw.size, r->raw.data);
    if (!message)
        return chunk_bad(r, number, "it cannot be read", err);
    c->number = number;
    what = message->launch != entry->launch ? "its launch is not the index's"
                                            : read_segments(message, c);
    if (!what)
        what = read_pieces(message, entry, c);
    vigpu__trace__thread_chunk__free_unpacked(message, &budget.allocator);
    return what ? chunk_bad(r, number, what, err) : IGPU_OK;
}

const struct trace_chunk_in *trace_cache_chunk(struct trace_reader *r, uint32_t number,
                                               struct igpu_err *err)
{
    struct trace_chunk_in *oldest = &r->cache[0];

    r->clock++;
    for (unsigned i = 0; i < TRACE_CACHE_CHUNKS; i++) {
        struct trace_chunk_in *c = &r->cache[i];

        if (c->used && c->number == number) {
            c->used = r->clock;
            return c;
        }
        if (c->used < oldest->used)
            oldest = c;
    }
    empty_chunk(oldest);
    if (load_chunk(r, oldest, number, err) != IGPU_OK) {
        empty_chunk(oldest);
        return NULL;
    }
    oldest->used = r->clock;
    return oldest;
}

uint32_t trace_chunk_find(const struct trace_chunk_in *c, uint32_t thread)
{
    uint32_t low = 0, high = c->npieces;

    while (low < high) {
        uint32_t mid = low + (high - low) / 2;

        if (c->piece[mid].thread < thread)
            low = mid + 1;
        else
            high = mid;
    }
    return low < c->npieces && c->piece[low].thread == thread ? low : c->npieces;
}

/* ---- segments ----------------------------------------------------------- */

static struct trace_segment_in **bucket_of(struct trace_reader *r, uint32_t chunk,
                                           uint32_t index)
{
    uint64_t h = ((uint64_t)chunk << 32 | index) * 0x9e3779b97f4a7c15u;

    return &r->bucket[h >> 52];
}
_Static_assert(TRACE_BUCKETS == 1 << 12, "bucket_of() takes 12 bits");

static const char *decode_path(struct trace_reader *r,
                               const struct trace_kernel *kernel, const uint8_t *data,
                               size_t size, struct trace_segment_in *s)
{
    s->block = malloc(TRACE_PATH_MAX * sizeof(*s->block));
    if (!s->block)
        return igpu_short_memory;
    if (!trace_path_decode(r->work, &kernel->blocks, data, size, s->block, &s->nblock))
        return "a path cannot be read";
    (void)IGPU_RESIZE(s->block, s->nblock);
    return NULL;
}

/* What is behind the accesses of a kernel of graphics, if it is right for each. */
static const char *decode_graphics(const struct trace_kernel *kernel,
                                   const struct trace_view *rest,
                                   struct trace_segment_in *s)
{
    struct trace_graphics_in in;
    struct trace_graphics g;
    bool ok;

    s->graphics_bytes = trace_view_left(rest);
    s->graphics = malloc(s->graphics_bytes + 1);
    if (!s->graphics)
        return igpu_short_memory;
    memcpy(s->graphics, rest->at, s->graphics_bytes);
    ok = trace_graphics_open(&in, s->graphics, s->graphics_bytes);
    for (uint32_t i = 0; ok && i < s->list.n; i++) {
        const struct isa_inst *inst = &kernel->code.inst[s->list.inst[i]];

        if (trace_is_graphics(inst))
            ok = trace_graphics_next(&in, inst->msg.family,
                                     trace_lanes_of(s->list.mask[i]), &g);
    }
    return ok && trace_graphics_over(&in)
               ? NULL
               : "what messages of graphics are about cannot be read";
}

static const char *decode_access(struct trace_reader *r,
                                 const struct trace_kernel *kernel, const uint8_t *data,
                                 size_t size, struct trace_segment_in *s)
{
    struct trace_view in = trace_view_of(data, size);
    bool short_memory;

    if (!trace_access_decode(r->work, &in, kernel->code.count, &s->list, &short_memory))
        return short_memory ? igpu_short_memory : "accesses cannot be read";
    if (kernel->graphics)
        return decode_graphics(kernel, &in, s);
    return in.at == in.end ? NULL : "accesses cannot be read";
}

static void free_segment(struct trace_segment_in *s)
{
    free(s->block);
    free(s->list.base);
    free(s->send);
    free(s->graphics);
    free(s);
}

static struct trace_segment_in *load_segment(struct trace_reader *r, uint32_t chunk,
                                             uint32_t index, enum trace_stream stream,
                                             struct igpu_err *err)
{
    const struct trace_chunk_in *c = trace_cache_chunk(r, chunk, err);
    const struct trace_kernel *kernel;
    struct trace_segment_in *s;
    const char *what;

    if (!c)
        return NULL;
    if (index >= c->nsegments) {
        chunk_bad(r, chunk, "a segment is missing", err);
        return NULL;
    }
    s = calloc(1, sizeof(*s));
    if (!s) {
        igpu_no_memory(err, "%s", r->path);
        return NULL;
    }
    kernel = r->kernel[r->launch[r->chunk[chunk].launch]->kernel];
    s->chunk = chunk;
    s->index = index;
    s->stream = stream;
    what = (stream == TRACE_PATH ? decode_path : decode_access)(
        r, kernel, c->segments.data + c->at[index], c->at[index + 1] - c->at[index], s);
    if (what) {
        chunk_bad(r, chunk, what, err);
        free_segment(s);
        return NULL;
    }
    return s;
}

enum { IDLE_LEAST = 8 << 10 };

/* ---- idle segments ------------------------------------------------------- */

/* What a segment takes, roughly; small ones count for more, so that buckets stay short.
 */
static size_t bytes_of(const struct trace_segment_in *s)
{
    const struct trace_access_list *l = &s->list;
    size_t wide = (size_t)l->nbase + l->nstride + l->ndiffer;

    return IDLE_LEAST + s->nblock * sizeof(*s->block) + wide * sizeof(*l->base) +
           l->n * (2 * sizeof(*l->inst) + sizeof(*s->send)) + s->graphics_bytes;
}

static void take_from_idle(struct trace_reader *r, struct trace_segment_in *s)
{
    *(s->older ? &s->older->newer : &r->oldest) = s->newer;
    *(s->newer ? &s->newer->older : &r->newest) = s->older;
    s->older = s->newer = NULL;
    r->idle_bytes -= bytes_of(s);
}

static void put_to_idle(struct trace_reader *r, struct trace_segment_in *s)
{
    s->older = r->newest;
    *(r->newest ? &r->newest->newer : &r->oldest) = s;
    r->newest = s;
    r->idle_bytes += bytes_of(s);
}

static void forget_idle(struct trace_reader *r, size_t bytes)
{
    while (r->oldest && r->idle_bytes > bytes) {
        struct trace_segment_in *s = r->oldest;
        struct trace_segment_in **at = bucket_of(r, s->chunk, s->index);

        while (*at != s)
            at = &(*at)->next;
        *at = s->next;
        take_from_idle(r, s);
        free_segment(s);
    }
}

struct trace_segment_in *trace_cache_segment(struct trace_reader *r, uint32_t chunk,
                                             uint32_t index, enum trace_stream stream,
                                             struct igpu_err *err)
{
    struct trace_segment_in **bucket = bucket_of(r, chunk, index), *s;

    for (s = *bucket; s; s = s->next)
        if (s->chunk == chunk && s->index == index && s->stream == stream) {
            if (s->refs++ == 0)
                take_from_idle(r, s);
            return s;
        }
    s = load_segment(r, chunk, index, stream, err);
    if (!s)
        return NULL;
    s->refs = 1;
    s->next = *bucket;
    *bucket = s;
    return s;
}

void trace_cache_release(struct trace_reader *r, struct trace_segment_in *segment)
{
    if (!segment || --segment->refs > 0)
        return;
    put_to_idle(r, segment);
    forget_idle(r, TRACE_IDLE_BYTES);
}

void trace_cache_free(struct trace_reader *r)
{
    forget_idle(r, 0);
    for (unsigned i = 0; i < TRACE_CACHE_CHUNKS; i++)
        empty_chunk(&r->cache[i]);
}
