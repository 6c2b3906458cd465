/* trace_segment.h - a stretch of one thread's path or of its accesses, as bytes and
 * back. The text of the format is in igpu_trace.proto. Internal to
 * traces/trace_*.c. */
#ifndef IGPU_TRACE_SEGMENT_H
#define IGPU_TRACE_SEGMENT_H
#include "igpu/bits.h"
#include "igpu/isa.h"
#include "traces/format/trace_column.h"

/* The longest segments; they bound the memory of writer and reader. */
enum {
    TRACE_PATH_MAX = 1 << 14,   /* blocks */
    TRACE_ACCESS_MAX = 1 << 12, /* accesses */
    TRACE_DIFFER_MAX = 1 << 13  /* irregular lanes beyond the first of an access */
};

enum {
    TRACE_KIND_AFFINE = 0,
    TRACE_KIND_IRREGULAR = 1,
    TRACE_KIND_AS_BEFORE = 2 /* in files and what is read from them; never written to */
};

/* Accesses in path order. base: one for each mask but 0; kind: one for each mask of
 * two or more lanes; stride: one for each affine kind, bytes per lane number; differ:
 * each further lane of the irregular ones, from the enabled lane before it. An access
 * as before has the mask and the differences of the last irregular one. */
struct trace_access_list {
    uint32_t n, nbase, nkind, nstride, ndiffer;
    uint64_t *base, *stride, *differ;
    uint32_t *inst, *mask;
    uint8_t *kind;
};

/* Has each access several lanes of one stride, and so an entry in each column but that
 * of differences? Then so have its first n. */
static inline bool trace_all_rows(const struct trace_access_list *list)
{
    return list->nkind == list->n && list->nstride == list->n;
}

/* A segment but for its addresses: those of the accesses that have one, in path order.
 * Equal hashes of 128 bits are taken for equal segments. */
struct trace_pattern {
    uint64_t hash[2];
    uint32_t n, sends;
    /* Of each send: its first address; n: it has none. */
    uint16_t first[TRACE_ACCESS_MAX];
    /* Of each address: how far before it is the one before of its send, or 0; and how
     * many from this one on have the same such distance. */
    uint16_t back[TRACE_ACCESS_MAX], steady[TRACE_ACCESS_MAX];
};

/* Where a segment is a reference: a shorter one is stored again in each section, since
 * following a reference costs the reader a section; and ways to it have at most so many
 * bits, and so many for each send. */
enum { TRACE_REFER_LEAST = 256, TRACE_WAYS_BITS = 64, TRACE_WAY_BITS = 20 };
/* Where a segment is: number of the thread section from 1, 0 if it is in none. */
struct trace_at {
    uint32_t chunk, index;
};
/* May a piece of section `now` refer to one of so many bytes? */
static inline bool trace_is_near(struct trace_at at, uint32_t now, size_t bytes)
{
    return at.chunk == now || (at.chunk && bytes >= TRACE_REFER_LEAST);
}

/* A section with so many ways is full; it has at most those of one piece more. */
enum { TRACE_FULL_WAYS = 1 << 17, TRACE_MAX_WAYS = TRACE_FULL_WAYS + TRACE_ACCESS_MAX };

/* Bits of a mask. Most have one or all. */
static inline uint32_t trace_lanes_of(uint32_t mask)
{
    return (mask & (mask - 1)) == 0 ? mask != 0 : igpu_count_bits(mask);
}

/* Work space for both directions. NULL: memory is short. */
struct trace_segment_work;
struct trace_segment_work *trace_segment_work_new(void);
void trace_segment_work_free(struct trace_segment_work *work);

/* Append the path block[n], 1 <= n <= TRACE_PATH_MAX, all below blocks->count. */
void trace_path_encode(struct trace_segment_work *work,
                       const struct isa_block_list *blocks, const uint32_t *block,
                       uint32_t n, struct trace_bytes *out);

/* Read a path into block[TRACE_PATH_MAX]; its length to *n. False: not well formed. */
bool trace_path_decode(struct trace_segment_work *work,
                       const struct isa_block_list *blocks, const void *data,
                       size_t size, uint32_t *block, uint32_t *n);

/* Append the first n accesses of *list, 1 <= n <= TRACE_ACCESS_MAX. */
void trace_access_encode(struct trace_segment_work *work,
                         const struct trace_access_list *list, uint32_t n,
                         struct trace_bytes *out);

/* What the first n accesses of *list are but for where they are, until the next call.
 */
const struct trace_pattern *trace_access_pattern(struct trace_segment_work *work,
                                                 const struct trace_access_list *list,
                                                 uint32_t n);

/* Make *list from the first bytes of *in, which gets what is behind them; instruction
 * indices are below `insts`. Its arrays are one allocation, list->base, to be freed by
 * the caller. False: not well formed, or memory is short (then *short_memory). */
bool trace_access_decode(struct trace_segment_work *work, struct trace_view *in,
                         uint32_t insts, struct trace_access_list *list,
                         bool *short_memory);

/* Of each access its send, by first use, and how many sends there are. To be freed;
 * NULL: memory is short. */
uint16_t *trace_access_sends(struct trace_segment_work *work,
                             const struct trace_access_list *list, uint32_t *sends);

/* n sends all of whose lanes are rows, as their heads in a group of igpu/told.h tell.
 * What they had in common with earlier segments is not made again. */
struct trace_rows {
    uint64_t lanes;
    uint32_t most_inst; /* the largest index of an instruction */
};

/* A thread's heads are mostly those of a segment before. So they need not be kept where
 * they are the first of such a one: trace_rows_like() has one, or NULL, that stays as
 * it is until it is given back. */
struct trace_like {
    uint32_t n;
    uint64_t head[TRACE_ACCESS_MAX];
};
const struct trace_like *trace_rows_like(struct trace_segment_work *work);
void trace_rows_unlike(struct trace_segment_work *work, const struct trace_like *like);
/* What the heads are but for addresses; NULL: memory is short. */
struct trace_shape;
struct trace_shape *trace_rows_shape(struct trace_segment_work *work,
                                     const uint64_t *head, uint32_t n);
const struct trace_rows *trace_shape_rows(const struct trace_shape *shape);
const struct trace_pattern *trace_shape_pattern(const struct trace_shape *shape);
/* The bytes that trace_access_encode() makes of them with each one's first address. */
void trace_rows_encode(struct trace_segment_work *work, struct trace_shape *shape,
                       const uint64_t *base, struct trace_bytes *out);

/* How many entries of *list its first n accesses have. */
struct trace_access_list trace_access_prefix(const struct trace_access_list *list,
                                             uint32_t n);

/* Where to cut a stream: after how many of n entries (n >= 1) the segment ends, the
 * rest begins the next. Decided by the last 64 entries before the cut alone, so that
 * a stream that comes back to old content comes back to old cuts; of accesses by where
 * their sends' distances change, so that streams that are moved have the same cuts. */
uint32_t trace_path_cut(const uint32_t *block, uint32_t n);
uint32_t trace_access_cut(struct trace_segment_work *work,
                          const struct trace_access_list *list);
uint32_t trace_rows_cut(struct trace_segment_work *work, const uint64_t *head,
                        const uint64_t *base, uint32_t n);

#endif
