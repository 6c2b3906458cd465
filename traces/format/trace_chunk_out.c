/* trace_chunk_out.c - thread sections of the writer: pieces, segments, and references
 * to segments that were stored before. See trace_writer_state.h. */
#include <stdlib.h>
#include <string.h>

#include "traces/format/trace_writer_state.h"

static bool add_u32(struct trace_array *a, uint32_t value)
{
    return trace_array_add(a, &value, sizeof(value));
}

static bool add_u64(struct trace_array *a, uint64_t value)
{
    return trace_array_add(a, &value, sizeof(value));
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

    return add_u32(&c->back, 1 + trace_section_now(w) - at.chunk) &&
           add_u32(&c->index, at.index);
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
    seen->at = (struct trace_at){trace_section_now(w), (uint32_t)c->size.count};
    *at = seen->at;
    trace_bytes_put(&c->segments, segment->data, segment->size);
    *new_bytes += segment->size;
    return add_u32(&c->back, 0) && add_u32(&c->size, (uint32_t)segment->size) &&
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
    ok = ok && add_u32(&c->index, from->sends);
    for (uint32_t s = 0; s < from->sends && ok; s++)
        ok = add_u64(&c->way, from->way[s]);
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

static bool add_piece(struct trace_writer *w, uint32_t thread, unsigned flags,
                      const struct trace_totals *totals)
{
    struct trace_chunk_out *c = &w->chunk;
    bool ok = true;

    if (flags & TRACE_PIECE_ACCESS && w->from.at.chunk != 0 && w->from.sends != 0)
        flags |= TRACE_PIECE_MOVED;
    if (c->thread.count == 0) {
        c->before = 0;
        c->first_thread = c->last_thread = thread;
    }
    c->first_thread = thread < c->first_thread ? thread : c->first_thread;
    c->last_thread = thread > c->last_thread ? thread : c->last_thread;
    ok = add_u64(&c->thread, (uint64_t)((int64_t)thread - (int64_t)c->before)) &&
         add_u32(&c->flags, flags);
    c->before = thread;
    if (ok && flags & TRACE_PIECE_PATH)
        ok = add_path(w);
    if (ok && flags & TRACE_PIECE_ACCESS)
        ok = add_accesses(w);
    if (ok && flags & TRACE_PIECE_LAST)
        ok = add_u64(&c->instructions, totals->instructions) &&
             add_u64(&c->lane_instructions, totals->lane_instructions) &&
             add_u64(&c->flops, totals->flops);
    return ok;
}

void trace_chunk_add(struct trace_writer *w, uint32_t thread, unsigned flags,
                     const struct trace_totals *totals)
{
    if (w->failed)
        return;
    if (w->encoded[0].failed || w->encoded[1].failed ||
        !add_piece(w, thread, flags, totals)) {
        trace_writer_fail(w, IGPU_NO_MEMORY, "trace writer: out of memory");
        return;
    }
    if (w->chunk.segments.size >= TRACE_CHUNK_BYTES ||
        w->chunk.thread.count >= TRACE_CHUNK_PIECES ||
        w->chunk.way.count >= TRACE_FULL_WAYS)
        trace_chunk_flush(w);
}

static void empty_chunk(struct trace_chunk_out *c)
{
    c->thread.count = c->flags.count = c->back.count = c->index.count = 0;
    c->size.count = c->instructions.count = c->lane_instructions.count = 0;
    c->flops.count = c->way.count = 0;
    c->segments.size = 0;
}

void trace_chunk_flush(struct trace_writer *w)
{
    Vigpu__Trace__ThreadChunk message = VIGPU__TRACE__THREAD_CHUNK__INIT;
    struct trace_chunk_out *c = &w->chunk;

    if (c->thread.count == 0 || w->failed)
        return;
    message.launch = w->launches;
    TRACE_LAY(message, piece_thread, c->thread);
    TRACE_LAY(message, piece_flags, c->flags);
    TRACE_LAY(message, segment_back, c->back);
    TRACE_LAY(message, segment_index, c->index);
    TRACE_LAY(message, segment_size, c->size);
    message.segments.data = c->segments.data;
    message.segments.len = c->segments.size;
    TRACE_LAY(message, instructions, c->instructions);
    TRACE_LAY(message, lane_instructions, c->lane_instructions);
    TRACE_LAY(message, flops, c->flops);
    TRACE_LAY(message, segment_way, c->way);
    trace_writer_section(w, TRACE_KIND_THREADS, &message.base, w->chunk_of,
                         (const uint32_t[]){c->first_thread, c->last_thread});
    empty_chunk(c);
}

void trace_chunk_free(struct trace_chunk_out *c)
{
    free(c->thread.data);
    free(c->flags.data);
    free(c->back.data);
    free(c->index.data);
    free(c->size.data);
    free(c->instructions.data);
    free(c->lane_instructions.data);
    free(c->flops.data);
    free(c->way.data);
    trace_bytes_free(&c->segments);
}
