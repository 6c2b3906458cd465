/* trace_chunk_out.c - thread sections of the writer: pieces, segments, and references
 * to segments that were stored before. See trace_writer_state.h. */
#include <stdlib.h>
#include <string.h>

#include "igpu/grow.h"
#include "traces/format/trace_writer_state.h"

/* ---- columns ------------------------------------------------------------- */

static bool add(struct trace_chunk_out *c, enum trace_column_out column, uint64_t value)
{
    struct trace_packed *to = &c->column[column];

    trace_bytes_varint(&to->bytes, value);
    to->count++;
    return !to->bytes.failed;
}

static void begin_piece(struct trace_chunk_out *c)
{
    for (uint32_t i = 0; i < TRACE_OUT_COLUMNS; i++) {
        c->column[i].last_size = c->column[i].bytes.size;
        c->column[i].last_count = c->column[i].count;
    }
}

/* What the last piece added, `again` times more. */
static bool repeat(struct trace_packed *column, size_t again)
{
    struct trace_bytes *b = &column->bytes;
    size_t size = b->size - column->last_size, all = again * size;

    if (size == 0)
        return true;
    if (!IGPU_RESERVE(b->data, b->capacity, b->size + all))
        return false;
    column->count += again * (column->count - column->last_count);
    if (size == 1) {
        memset(b->data + b->size, b->data[column->last_size], all);
        b->size += all;
        return true;
    }
    while (all > 0) { /* what there is of them is twice as much each time */
        size_t done = b->size - column->last_size, more = done <= all ? done : all;

        memcpy(b->data + b->size, b->data + column->last_size, more);
        b->size += more;
        all -= more;
    }
    return true;
}

static bool add_again(struct trace_chunk_out *c)
{
    bool ok = true;

    for (uint32_t i = 0; i < TRACE_OUT_COLUMNS && c->again > 0; i++)
        ok = ok && repeat(&c->column[i], c->again);
    c->again = 0;
    return ok;
}

/* ---- segments stored before --------------------------------------------- */

static void hash_bytes(const struct trace_bytes *b, uint64_t seed, uint64_t hash[2])
{
    size_t i = 0;

    hash[0] = trace_mix(seed, b->size);
    hash[1] = trace_mix(~seed, b->size + 0x8a5cd789635d2dffu);
    for (; i + 8 <= b->size; i += 8)
        trace_hash_add(hash, trace_get_le64(b->data + i));
    for (; i < b->size; i++) {
        hash[0] = trace_mix(hash[0], b->data[i] + 1u);
        hash[1] = trace_mix(hash[1] + 0x165667b19e3779f9u, b->data[i] + 1u);
    }
}

/* The place of a segment with this hash, or the one to put it: the oldest of its set,
 * which then is empty. */
static struct trace_seen *find_seen(struct trace_writer *w, const uint64_t hash[2])
{
    struct trace_seen *set =
        &w->seen[hash[0] % TRACE_SEEN_SETS * (size_t)TRACE_SEEN_WAYS];
    struct trace_seen *oldest = set;

    for (unsigned i = 0; i < TRACE_SEEN_WAYS; i++) {
        if (set[i].at.chunk && set[i].hash[0] == hash[0] && set[i].hash[1] == hash[1])
            return &set[i];
        if (set[i].at.chunk < oldest->at.chunk)
            oldest = &set[i];
    }
    memset(oldest, 0, sizeof(*oldest));
    return oldest;
}

static bool add_reference(struct trace_writer *w, struct trace_at at)
{
    struct trace_chunk_out *c = &w->chunk;

    return add(c, TRACE_OUT_BACK, 1 + trace_section_now(w) - at.chunk) &&
           add(c, TRACE_OUT_INDEX, at.index);
}

/* Refer to the segment, or store it; where it is. */
static bool add_segment(struct trace_writer *w, const struct trace_bytes *segment,
                        unsigned stream, uint64_t *new_bytes, struct trace_at *at)
{
    struct trace_chunk_out *c = &w->chunk;
    uint64_t hash[2], seed = (uint64_t)w->launch->kernel << 2 | stream;
    struct trace_seen *seen;

    hash_bytes(segment, seed, hash);
    seen = find_seen(w, hash);
    if (trace_is_near(seen->at, trace_section_now(w), segment->size)) {
        *at = seen->at;
        return add_reference(w, seen->at);
    }
    seen->hash[0] = hash[0];
    seen->hash[1] = hash[1];
    seen->at = (struct trace_at){trace_section_now(w),
                                 (uint32_t)c->column[TRACE_OUT_SIZE].count};
    *at = seen->at;
    trace_bytes_put(&c->segments, segment->data, segment->size);
    *new_bytes += segment->size;
    return add(c, TRACE_OUT_BACK, 0) && add(c, TRACE_OUT_SIZE, segment->size) &&
           !c->segments.failed;
}

static bool add_path(struct trace_writer *w)
{
    struct trace_path_known *k = w->path_taken;
    struct trace_at unused;

    if (k == NULL)
        return add_segment(w, &w->encoded[0], 0, &w->path_bytes, &unused);
    if (trace_is_near(k->at, trace_section_now(w), k->bytes.size))
        return add_reference(w, k->at);
    return add_segment(w, &k->bytes, 0, &w->path_bytes, &k->at) && !k->bytes.failed;
}

/* Refer to the access segment that was found to be moved. */
static bool add_moved(struct trace_writer *w, const struct trace_moved_from *from)
{
    struct trace_chunk_out *c = &w->chunk;
    bool ok = add_reference(w, from->at);

    if (from->sends == 0)
        return ok;
    w->moved_any = true;
    ok = ok && add(c, TRACE_OUT_INDEX, from->sends);
    for (uint32_t s = 0; s < from->sends && ok; s++)
        ok = add(c, TRACE_OUT_WAY, trace_zigzag((int64_t)from->way[s]));
    return ok;
}

static bool add_accesses(struct trace_writer *w)
{
    struct trace_at at;

    if (w->from.at.chunk != 0)
        return add_moved(w, &w->from);
    if (!add_segment(w, &w->encoded[1], 1, &w->access_bytes, &at))
        return false;
    trace_moved_stored(w->moved, at, w->encoded[1].size);
    return true;
}

/* ---- pieces ------------------------------------------------------------- */

/* The last piece of a thread that stores nothing may come again. */
static bool remember_piece(struct trace_writer *w, int64_t step, unsigned flags,
                           const struct trace_totals *totals)
{
    struct trace_chunk_out *c = &w->chunk;
    struct trace_piece_out *p = &c->last;
    const struct trace_packed *size = &c->column[TRACE_OUT_SIZE];

    p->flags = 0;
    if (!(flags & TRACE_PIECE_LAST) || w->path_taken == NULL ||
        size->count != size->last_count)
        return true;
    p->ways = flags & TRACE_PIECE_MOVED ? w->from.sends : 0;
    if (!IGPU_RESERVE(p->way, p->way_room, p->ways))
        return false;
    if (p->ways > 0)
        memcpy(p->way, w->from.way, p->ways * sizeof(*p->way));
    p->flags = flags;
    p->step = step;
    p->path = w->path_taken->at;
    p->accesses = w->from.at;
    p->totals = *totals;
    return true;
}

static bool are_totals(const struct trace_totals *one, const struct trace_totals *other)
{
    return one->instructions == other->instructions &&
           one->lane_instructions == other->lane_instructions &&
           one->flops == other->flops;
}

static bool is_at(struct trace_at at, struct trace_at other)
{
    return at.chunk == other.chunk && at.index == other.index;
}

/* Would the piece add to the columns what the last one did? */
static bool is_again(const struct trace_writer *w, int64_t step, unsigned flags,
                     const struct trace_totals *totals)
{
    const struct trace_piece_out *p = &w->chunk.last;
    uint64_t differ = 0;

    if (p->flags != flags || p->step != step || w->path_taken == NULL ||
        !is_at(p->path, w->path_taken->at) || !are_totals(&p->totals, totals))
        return false;
    if (!(flags & TRACE_PIECE_ACCESS))
        return true;
    if (w->from.at.chunk == 0 || !is_at(p->accesses, w->from.at) ||
        w->from.sends != p->ways)
        return false;
    for (uint32_t s = 0; s < p->ways; s++)
        differ |= p->way[s] ^ w->from.way[s];
    return differ == 0;
}

static bool add_piece(struct trace_writer *w, int64_t step, unsigned flags,
                      const struct trace_totals *totals)
{
    struct trace_chunk_out *c = &w->chunk;
    bool ok = add_again(c);

    begin_piece(c);
    ok = ok && add(c, TRACE_OUT_THREAD, trace_zigzag(step)) &&
         add(c, TRACE_OUT_FLAGS, flags);
    if (ok && flags & TRACE_PIECE_PATH)
        ok = add_path(w);
    if (ok && flags & TRACE_PIECE_ACCESS)
        ok = add_accesses(w);
    if (ok && flags & TRACE_PIECE_LAST)
        ok = add(c, TRACE_OUT_INSTRUCTIONS, totals->instructions) &&
             add(c, TRACE_OUT_LANES, totals->lane_instructions) &&
             add(c, TRACE_OUT_FLOPS, totals->flops);
    return ok && remember_piece(w, step, flags, totals);
}

static bool is_full(const struct trace_chunk_out *c)
{
    return c->segments.size >= TRACE_CHUNK_BYTES ||
           c->column[TRACE_OUT_THREAD].count + c->again >= TRACE_CHUNK_PIECES ||
           c->column[TRACE_OUT_WAY].count + c->again * c->last.ways >= TRACE_FULL_WAYS;
}

static void piece_is_added(struct trace_writer *w, uint32_t thread)
{
    struct trace_chunk_out *c = &w->chunk;

    c->first_thread = thread < c->first_thread ? thread : c->first_thread;
    c->last_thread = thread > c->last_thread ? thread : c->last_thread;
    c->before = thread;
    c->pieces++;
    if (is_full(c))
        trace_chunk_flush(w);
}

void trace_chunk_add(struct trace_writer *w, uint32_t thread, unsigned flags,
                     const struct trace_totals *totals)
{
    struct trace_chunk_out *c = &w->chunk;
    int64_t step;

    if (w->failed)
        return;
    if (flags & TRACE_PIECE_ACCESS && w->from.at.chunk != 0 && w->from.sends != 0)
        flags |= TRACE_PIECE_MOVED;
    if (c->column[TRACE_OUT_THREAD].count == 0) {
        c->before = 0;
        c->first_thread = c->last_thread = thread;
    }
    step = (int64_t)thread - (int64_t)c->before;
    if (flags & TRACE_PIECE_LAST && is_again(w, step, flags, totals)) {
        c->again++;
    } else if (w->encoded[0].failed || w->encoded[1].failed ||
               !add_piece(w, step, flags, totals)) {
        trace_writer_fail(w, IGPU_NO_MEMORY, "trace writer: out of memory");
        return;
    }
    piece_is_added(w, thread);
}

bool trace_chunk_again(struct trace_writer *w, uint32_t thread,
                       const struct trace_totals *totals)
{
    struct trace_chunk_out *c = &w->chunk;

    if (c->last.flags == 0 || c->last.step != (int64_t)thread - (int64_t)c->before ||
        !are_totals(&c->last.totals, totals))
        return false;
    c->again++;
    piece_is_added(w, thread);
    return true;
}

static void empty_chunk(struct trace_chunk_out *c)
{
    for (uint32_t i = 0; i < TRACE_OUT_COLUMNS; i++)
        c->column[i].bytes.size = c->column[i].count = 0;
    c->segments.size = 0;
    c->last.flags = 0;
}

/* Of a field that has its length before it, none where that is 0. */
enum { FIELD_LENGTH = 2, FIELD_KIND_BITS = 3 };
static void put_field(struct trace_bytes *out, uint32_t number,
                      const struct trace_bytes *bytes)
{
    if (bytes->size == 0)
        return;
    trace_bytes_varint(out, number << FIELD_KIND_BITS | FIELD_LENGTH);
    trace_bytes_varint(out, bytes->size);
    trace_bytes_put(out, bytes->data, bytes->size);
}

/* A ThreadChunk of igpu_trace.proto, as protobuf packs it. */
static void pack_chunk(struct trace_writer *w)
{
    enum { LAUNCH = 1, SEGMENTS = 7, COLUMN = 2 }; /* numbers of fields */
    struct trace_chunk_out *c = &w->chunk;
    struct trace_bytes *out = &w->out.raw;

    out->size = 0;
    if (w->launches != 0) {
        trace_bytes_varint(out, LAUNCH << FIELD_KIND_BITS);
        trace_bytes_varint(out, w->launches);
    }
    for (uint32_t i = 0; i < TRACE_OUT_COLUMNS; i++) {
        if (i + COLUMN == SEGMENTS)
            put_field(out, SEGMENTS, &c->segments);
        put_field(out, i + COLUMN + (i + COLUMN >= SEGMENTS), &c->column[i].bytes);
    }
}

void trace_chunk_flush(struct trace_writer *w)
{
    struct trace_chunk_out *c = &w->chunk;

    if (c->column[TRACE_OUT_THREAD].count == 0 || w->failed)
        return;
    if (!add_again(c)) {
        trace_writer_fail(w, IGPU_NO_MEMORY, "trace writer: out of memory");
        return;
    }
    pack_chunk(w);
    trace_writer_section(w, TRACE_KIND_THREADS, NULL, w->chunk_of,
                         (const uint32_t[]){c->first_thread, c->last_thread});
    empty_chunk(c);
}

void trace_chunk_free(struct trace_chunk_out *c)
{
    for (uint32_t i = 0; i < TRACE_OUT_COLUMNS; i++)
        trace_bytes_free(&c->column[i].bytes);
    trace_bytes_free(&c->segments);
    free(c->last.way);
}
