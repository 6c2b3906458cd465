/* trace_cursor.c - reading one thread, see trace.h. */
#include <stdlib.h>
#include <string.h>

#include "igpu/grow.h"
#include "traces/format/trace_reader_state.h"

/* One stream's position: pieces up to `piece` of section `chunk` are behind it. */
struct stream {
    uint32_t chunk, piece;
    bool last; /* the piece behind is the thread's last one */
    struct trace_segment_in *segment;
    uint32_t at; /* blocks or accesses of the segment that have been read */
};

/* What an access of one lane takes, and nothing else of the cursor: many threads are
 * read in turns, and a host's near cache does not hold much of each. */
struct next_access {
    uint32_t left; /* accesses with this instruction and mask that follow each other */
    uint32_t inst, mask;
    uint64_t way; /* they are so much further than `base` says */
    const uint64_t *base;
    struct graphics *graphics; /* NULL: the kernel is none of graphics */
};

/* What its messages of graphics are about. */
struct graphics {
    const struct isa_inst *code;
    struct trace_graphics_in in; /* of the access segment */
    struct trace_graphics now;   /* of the access that was read last.. */
    bool has;                    /* ..which is one of these */
};

struct trace_cursor {
    struct next_access next;
    struct trace_access_list list; /* of the access segment, to have it at hand */
    uint32_t kind, stride, differ; /* its next entries */
    uint32_t last_differ;          /* first entry of its last irregular access */
    bool rows;                     /* trace_all_rows(), and none of graphics */
    struct trace_reader *r;
    uint32_t launch, thread;
    struct stream stream[2];
    const uint16_t *send; /* of the access segment, where it is moved; or NULL */
    uint64_t *way;        /* and how far each send is */
    uint32_t way_room;
    struct trace_totals totals; /* once a stream is past its last piece */
};

/* ---- pieces ------------------------------------------------------------- */

/* The first section from which on the thread may appear. */
static uint32_t first_chunk(const struct trace_reader *r, uint32_t launch,
                            uint32_t thread)
{
    uint32_t low = r->first_chunk[launch], high = r->first_chunk[launch + 1];

    while (low < high) {
        uint32_t mid = low + (high - low) / 2;

        if (r->chunk[mid].most < thread)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

static enum trace_next no_end(const struct trace_cursor *c, struct igpu_err *err)
{
    igpu_fail(
        err, IGPU_BAD_INPUT,
        "%s: launch %u: thread %u has no end; the file is corrupt, record it again",
        c->r->path, c->launch, c->thread);
    return TRACE_NEXT_ERROR;
}

/* Step s to the thread's next piece that has one of `flags`; copy it to *piece. END:
 * none is left. */
static enum trace_next next_piece(struct trace_cursor *c, struct stream *s,
                                  unsigned flags, struct trace_piece *piece,
                                  struct igpu_err *err)
{
    struct trace_reader *r = c->r;

    for (; !s->last; s->chunk++, s->piece = 0) {
        const struct trace_chunk_in *chunk;
        uint32_t first;

        if (s->chunk == r->first_chunk[c->launch + 1])
            return no_end(c, err);
        if (c->thread < r->chunk[s->chunk].first || c->thread > r->chunk[s->chunk].last)
            continue;
        chunk = trace_cache_chunk(r, s->chunk, err);
        if (!chunk)
            return TRACE_NEXT_ERROR;
        first = trace_chunk_find(chunk, c->thread);
        while (first + s->piece < chunk->npieces) {
            const struct trace_piece *p = &chunk->piece[first + s->piece];

            if (p->thread != c->thread)
                break;
            s->piece++;
            if (p->flags & TRACE_LAST_PIECE) {
                s->last = true;
                c->totals = p->totals;
            }
            if (p->flags & flags) {
                *piece = *p;
                return TRACE_NEXT_OK;
            }
            if (s->last)
                return TRACE_NEXT_END;
        }
    }
    return TRACE_NEXT_END;
}

/* Note how far the access segment is moved, if it is: its section may be forgotten
 * before it is read. */
static enum trace_next note_ways(struct trace_cursor *c, const struct trace_piece *p,
                                 struct igpu_err *err)
{
    struct stream *s = &c->stream[TRACE_ACCESS];
    struct trace_segment_in *segment = s->segment;

    c->send = NULL;
    c->next.way = 0;
    if (!(p->flags & TRACE_MOVED_PIECE))
        return TRACE_NEXT_OK;
    if (!segment->send)
        segment->send = trace_access_sends(c->r->work, &segment->list, &segment->sends);
    if (!segment->send || !IGPU_RESERVE(c->way, c->way_room, p->sends)) {
        igpu_no_memory(err, "%s", c->r->path);
        return TRACE_NEXT_ERROR;
    }
    if (p->sends != segment->sends) {
        igpu_fail(err, IGPU_BAD_INPUT,
                  "%s: launch %u: thread %u has %u ways of a segment of %u sends; the "
                  "file is corrupt, record it again",
                  c->r->path, c->launch, c->thread, p->sends, segment->sends);
        return TRACE_NEXT_ERROR;
    }
    memcpy(c->way, p->ways, p->sends * sizeof(*c->way));
    c->send = segment->send;
    return TRACE_NEXT_OK;
}

/* The next segment of a stream. */
static enum trace_next advance(struct trace_cursor *c, enum trace_stream which,
                               struct igpu_err *err)
{
    struct stream *s = &c->stream[which];
    struct trace_piece piece;
    enum trace_next next;

    trace_cache_release(c->r, s->segment);
    s->segment = NULL;
    s->at = 0;
    next = next_piece(c, s, 1u << which, &piece, err);
    if (next != TRACE_NEXT_OK)
        return next;
    if (c->r->launch[c->r->chunk[piece.chunk[which]].launch]->kernel !=
        c->r->launch[c->launch]->kernel) {
        igpu_fail(err, IGPU_BAD_INPUT,
                  "%s: launch %u: thread %u refers to another kernel; the file is "
                  "corrupt, record it again",
                  c->r->path, c->launch, c->thread);
        return TRACE_NEXT_ERROR;
    }
    s->segment =
        trace_cache_segment(c->r, piece.chunk[which], piece.index[which], which, err);
    if (!s->segment)
        return TRACE_NEXT_ERROR;
    return which == TRACE_ACCESS ? note_ways(c, &piece, err) : TRACE_NEXT_OK;
}

/* ---- interface ---------------------------------------------------------- */

static struct trace_cursor *new_cursor(const struct trace_kernel *kernel)
{
    struct trace_cursor *c = calloc(1, sizeof(*c));

    if (!c || !kernel->graphics)
        return c;
    c->next.graphics = calloc(1, sizeof(*c->next.graphics));
    if (!c->next.graphics) {
        free(c);
        return NULL;
    }
    c->next.graphics->code = kernel->code.inst;
    return c;
}

struct trace_cursor *trace_cursor_open(struct trace_reader *r, uint32_t launch,
                                       uint32_t thread, enum igpu_status *status,
                                       struct igpu_err *err)
{
    struct trace_cursor *c = NULL;
    enum igpu_status result = IGPU_OK;

    if (launch >= r->nlaunches || thread >= r->launch[launch]->threads) {
        result = igpu_fail(err, IGPU_USAGE,
                           "%s: no thread %u in launch %u; the trace has %u launches",
                           r->path, thread, launch, r->nlaunches);
    } else {
        c = new_cursor(r->kernel[r->launch[launch]->kernel]);
        if (!c)
            result = igpu_no_memory(err, "%s", r->path);
    }
    if (c) {
        c->r = r;
        c->launch = launch;
        c->thread = thread;
        c->stream[0].chunk = c->stream[1].chunk = first_chunk(r, launch, thread);
    }
    if (status)
        *status = result;
    return c;
}

void trace_cursor_close(struct trace_cursor *c)
{
    if (!c)
        return;
    trace_cache_release(c->r, c->stream[0].segment);
    trace_cache_release(c->r, c->stream[1].segment);
    free(c->next.graphics);
    free(c->way);
    free(c);
}

enum trace_next trace_cursor_blocks(struct trace_cursor *c, const uint32_t **blocks,
                                    uint32_t *count, struct igpu_err *err)
{
    struct stream *s = &c->stream[TRACE_PATH];

    if (!s->segment || s->at == s->segment->nblock) {
        enum trace_next next = advance(c, TRACE_PATH, err);

        if (next != TRACE_NEXT_OK)
            return next;
    }
    *blocks = s->segment->block + s->at;
    *count = s->segment->nblock - s->at;
    s->at = s->segment->nblock;
    return TRACE_NEXT_OK;
}

enum trace_next trace_cursor_next_block(struct trace_cursor *c, uint32_t *block,
                                        struct igpu_err *err)
{
    struct stream *s = &c->stream[TRACE_PATH];

    if (!s->segment || s->at == s->segment->nblock) {
        enum trace_next next = advance(c, TRACE_PATH, err);

        if (next != TRACE_NEXT_OK)
            return next;
    }
    *block = s->segment->block[s->at++];
    return TRACE_NEXT_OK;
}

/* Begin the access segment. */
static void begin_segment(struct trace_cursor *c)
{
    const struct trace_segment_in *s = c->stream[TRACE_ACCESS].segment;

    c->list = s->list;
    c->rows = trace_all_rows(&c->list) && !c->next.graphics;
    if (c->next.graphics)
        (void)trace_graphics_open(&c->next.graphics->in, s->graphics,
                                  s->graphics_bytes);
    c->kind = c->stride = c->differ = c->last_differ = 0;
    c->next.base = c->list.base;
}

/* The segment's next accesses with one instruction and one mask. */
static void begin_equal(struct trace_cursor *c)
{
    const struct trace_access_list *l = &c->list;
    uint32_t first = c->stream[TRACE_ACCESS].at, i = first;

    c->next.inst = l->inst[i];
    c->next.mask = l->mask[i];
    if (c->send)
        c->next.way = c->way[c->send[i]];
    do
        i++;
    while (i < l->n && l->inst[i] == c->next.inst && l->mask[i] == c->next.mask);
    c->next.left = i - first;
    c->stream[TRACE_ACCESS].at = i;
}

/* Do lanes `further` follow lane `first` without a gap? */
static bool no_gap(uint32_t first, uint32_t further)
{
    return (further & (further + (UINT32_C(2) << first))) == 0;
}

/* Addresses of the second and further lanes of a mask, one after the other; `last` is
 * that of lane `first`. Not inlined: few accesses come here, and all would save
 * registers for it. */
__attribute__((noinline)) static void read_lanes(struct trace_cursor *c, uint32_t first,
                                                 uint32_t further, uint64_t last,
                                                 uint64_t *addr)
{
    const struct trace_access_list *l = &c->list;
    uint8_t kind = l->kind[c->kind++];
    uint32_t differ;

    if (kind == TRACE_KIND_AFFINE) {
        uint64_t stride = l->stride[c->stride++];

        if ((further & (further + (UINT32_C(2) << first))) ==
            0) { /* no lane left out */
            for (uint32_t left = further >> first >> 1; left; left >>= 1)
                *addr++ = last += stride;
            return;
        }
        for (; further; further &= further - 1)
            *addr++ = last + stride * ((uint32_t)__builtin_ctz(further) - first);
        return;
    }
    if (kind == TRACE_KIND_IRREGULAR)
        c->last_differ = c->differ;
    differ = c->last_differ;
    for (; further; further &= further - 1)
        *addr++ = last += l->differ[differ++];
    if (kind == TRACE_KIND_IRREGULAR)
        c->differ = differ;
}

static enum trace_next next_segment(struct trace_cursor *c, struct igpu_err *err)
{
    enum trace_next got = advance(c, TRACE_ACCESS, err);

    if (got == TRACE_NEXT_OK)
        begin_segment(c);
    return got;
}

/* Past rows that nobody wants: each has an entry in every column. */
static void pass_rows(struct trace_cursor *c, const bool *wanted)
{
    uint32_t *at = &c->stream[TRACE_ACCESS].at, i = *at;

    while (i < c->list.n && !wanted[c->list.inst[i]])
        i++;
    c->kind += i - *at;
    c->stride += i - *at;
    c->next.base += i - *at;
    *at = i;
}

/* Have accesses in c->next; wanted: NULL, or rows that are not are passed. */
static inline enum trace_next more(struct trace_cursor *c, const bool *wanted,
                                   struct igpu_err *err)
{
    const struct stream *s = &c->stream[TRACE_ACCESS];

    do {
        enum trace_next got = TRACE_NEXT_OK;

        if (!s->segment || s->at == c->list.n)
            got = next_segment(c, err);
        if (got != TRACE_NEXT_OK)
            return got;
        if (wanted && c->rows)
            pass_rows(c, wanted);
    } while (wanted && s->at == c->list.n);
    begin_equal(c);
    return TRACE_NEXT_OK;
}

/* The same for what the next access in c->next is about: the segment was checked. */
static void next_graphics(struct next_access *next)
{
    struct graphics *g = next->graphics;
    const struct isa_inst *inst = &g->code[next->inst];

    g->has = trace_is_graphics(inst) &&
             trace_graphics_next(&g->in, inst->msg.family, trace_lanes_of(next->mask),
                                 &g->now);
}

const struct trace_graphics *trace_cursor_graphics(const struct trace_cursor *c)
{
    const struct graphics *g = c->next.graphics;

    return g && g->has ? &g->now : NULL;
}

/* Past the accesses in c->next, whose addresses nobody wants. */
static void pass(struct trace_cursor *c)
{
    struct next_access *next = &c->next;
    uint32_t further = next->mask & (next->mask - 1);

    for (uint32_t i = 0; next->graphics && i < next->left; i++)
        next_graphics(next);
    if (next->mask)
        next->base += next->left;
    for (; further && next->left; next->left--) {
        uint8_t kind = c->list.kind[c->kind++];

        c->stride += kind == TRACE_KIND_AFFINE;
        if (kind != TRACE_KIND_IRREGULAR)
            continue;
        c->last_differ = c->differ;
        c->differ += (uint32_t)__builtin_popcount(further);
    }
    next->left = 0;
}

/* The next access: its instruction, mask and the lowest lane's address, unless the mask
 * is empty. */
static enum trace_next next_first(struct trace_cursor *c, uint32_t *inst,
                                  uint32_t *mask, uint64_t *addr, struct igpu_err *err)
{
    struct next_access *next = &c->next;

    if (next->left == 0) {
        enum trace_next got = more(c, NULL, err);

        if (got != TRACE_NEXT_OK)
            return got;
    }
    next->left--;
    if (next->graphics)
        next_graphics(next);
    *inst = next->inst;
    *mask = next->mask;
    if (next->mask)
        *addr = *next->base++ + next->way;
    /* The threads' lists together do not fit into the host's nearer caches, but there
     * is time until the same thread's next access. */
    __builtin_prefetch(next->base);
    return TRACE_NEXT_OK;
}

enum trace_next trace_cursor_next_lanes(struct trace_cursor *c, uint32_t *inst,
                                        uint32_t *mask, uint64_t *addr,
                                        struct igpu_err *err)
{
    enum trace_next got = next_first(c, inst, mask, addr, err);
    uint32_t further = got == TRACE_NEXT_OK ? *mask & (*mask - 1) : 0;

    if (further)
        read_lanes(c, (uint32_t)__builtin_ctz(*mask), further, *addr, addr + 1);
    return got;
}

enum trace_next trace_cursor_next_even(struct trace_cursor *c, uint32_t *inst,
                                       uint32_t *mask, uint64_t *addr, bool *even,
                                       uint64_t *stride, struct igpu_err *err)
{
    enum trace_next got = next_first(c, inst, mask, addr, err);
    uint32_t further = got == TRACE_NEXT_OK ? *mask & (*mask - 1) : 0, first;

    *even = true;
    *stride = 0;
    if (further == 0)
        return got;
    first = (uint32_t)__builtin_ctz(*mask);
    *even = c->list.kind[c->kind] == TRACE_KIND_AFFINE && no_gap(first, further);
    if (*even) {
        c->kind++;
        *stride = c->list.stride[c->stride++];
    } else {
        read_lanes(c, first, further, *addr, addr + 1);
    }
    return got;
}

enum trace_next trace_cursor_next_of(struct trace_cursor *c, const bool *wanted,
                                     uint32_t *inst, uint32_t *mask, uint64_t *addr,
                                     bool *even, uint64_t *stride, struct igpu_err *err)
{
    while (c->next.left == 0 || !wanted[c->next.inst]) {
        enum trace_next got;

        pass(c);
        got = more(c, wanted, err);
        if (got != TRACE_NEXT_OK)
            return got;
    }
    return trace_cursor_next_even(c, inst, mask, addr, even, stride, err);
}

enum trace_next trace_cursor_next_access(struct trace_cursor *c,
                                         struct trace_access *access,
                                         struct igpu_err *err)
{
    uint64_t addr[TRACE_MAX_LANES];
    const uint64_t *next_addr = addr;
    enum trace_next next;

    memset(access, 0, sizeof(*access));
    next = trace_cursor_next_lanes(c, &access->inst, &access->mask, addr, err);
    if (next == TRACE_NEXT_OK)
        for (uint32_t m = access->mask; m; m &= m - 1)
            access->addr[__builtin_ctz(m)] = *next_addr++;
    return next;
}

enum igpu_status trace_cursor_totals(struct trace_cursor *c,
                                     struct trace_totals *totals, struct igpu_err *err)
{
    struct stream look = {0};
    struct trace_piece piece;
    enum trace_next next = TRACE_NEXT_END;

    if (!c->stream[0].last && !c->stream[1].last) {
        look = c->stream[TRACE_PATH];
        next = next_piece(c, &look, 0, &piece, err);
    }
    if (next == TRACE_NEXT_ERROR)
        return IGPU_BAD_INPUT;
    *totals = c->totals;
    return IGPU_OK;
}
