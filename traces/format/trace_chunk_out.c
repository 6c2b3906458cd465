/* trace_chunk_out.c - thread sections of the writer: pieces, segments, and references
 * to segments that were stored before. See trace_writer_state.h. */
#include <stdlib.h>
#include <string.h>

#include "traces/format/trace_writer_state.h"

/* A segment shorter than this is stored again in each section: following a reference
 * costs the reader a section. */
enum { REFER_LEAST = 256 };

static bool add_u32(struct trace_array *a, uint32_t value)
{
    return trace_array_add(a, &value, sizeof(value));
}

static bool add_u64(struct trace_array *a, uint64_t value)
{
    return trace_array_add(a, &value, sizeof(value));
}

/* ---- segments stored before --------------------------------------------- */

/* Its own numbers, not XXH3's: which segments a full table forgets, and with that the
 * file's bytes, hang on them. */
static uint64_t mix(uint64_t a, uint64_t b)
{
    a = (a ^ b) * 0x9fb21c651e98df25u;
    return a ^ (a >> 35) ^ (a >> 49);
}

static void hash_bytes(const struct trace_bytes *b, uint64_t seed, uint64_t hash[2])
{
    size_t i = 0;

    hash[0] = mix(seed, b->size);
    hash[1] = mix(~seed, b->size + 0x8a5cd789635d2dffu);
    for (; i + 8 <= b->size; i += 8) {
        uint64_t word = trace_get_le64(b->data + i);

        hash[0] = mix(hash[0], word);
        hash[1] = mix(hash[1] + 0xc2b2ae3d27d4eb4fu, word);
        hash[1] = hash[1] << 23 | hash[1] >> 41;
    }
    for (; i < b->size; i++) {
        hash[0] = mix(hash[0], b->data[i] + 1u);
        hash[1] = mix(hash[1] + 0x165667b19e3779f9u, b->data[i] + 1u);
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
        if (set[i].chunk && set[i].hash[0] == hash[0] && set[i].hash[1] == hash[1])
            return &set[i];
        if (set[i].chunk < oldest->chunk)
            oldest = &set[i];
    }
    memset(oldest, 0, sizeof(*oldest));
    return oldest;
}

/* Refer to the segment, or store it. */
static bool add_segment(struct trace_writer *w, const struct trace_bytes *segment,
                        unsigned stream, uint64_t *new_bytes)
{
    struct trace_chunk_out *c = &w->chunk;
    uint32_t now = (uint32_t)w->chunk_of[0].count + 1;
    uint64_t hash[2], seed = (uint64_t)w->launch->kernel << 2 | stream;
    struct trace_seen *seen;

    hash_bytes(segment, seed, hash);
    seen = find_seen(w, hash);
    if (seen->chunk == now || (seen->chunk && segment->size >= REFER_LEAST))
        return add_u32(&c->back, 1 + now - seen->chunk) &&
               add_u32(&c->index, seen->index);
    seen->hash[0] = hash[0];
    seen->hash[1] = hash[1];
    seen->chunk = now;
    seen->index = (uint32_t)c->size.count;
    trace_bytes_put(&c->segments, segment->data, segment->size);
    *new_bytes += segment->size;
    return add_u32(&c->back, 0) && add_u32(&c->size, (uint32_t)segment->size) &&
           !c->segments.failed;
}

/* ---- pieces ------------------------------------------------------------- */

static bool add_piece(struct trace_writer *w, uint32_t thread, unsigned flags,
                      const struct trace_totals *totals)
{
    struct trace_chunk_out *c = &w->chunk;
    bool ok = true;

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
        ok = add_segment(w, &w->encoded[0], 0, &w->path_bytes);
    if (ok && flags & TRACE_PIECE_ACCESS)
        ok = add_segment(w, &w->encoded[1], 1, &w->access_bytes);
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
        w->chunk.thread.count >= TRACE_CHUNK_PIECES)
        trace_chunk_flush(w);
}

static void empty_chunk(struct trace_chunk_out *c)
{
    c->thread.count = c->flags.count = c->back.count = c->index.count = 0;
    c->size.count = c->instructions.count = c->lane_instructions.count = 0;
    c->flops.count = 0;
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
    trace_bytes_free(&c->segments);
}
