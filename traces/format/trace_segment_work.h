/* trace_segment_work.h - the work space behind trace_segment.h. */
#ifndef IGPU_TRACE_SEGMENT_WORK_H
#define IGPU_TRACE_SEGMENT_WORK_H
#include "traces/format/trace_code.h"
#include "traces/format/trace_segment.h"

/* What a segment of rows alone (trace_rows_encode()) is but for its addresses. */
struct trace_shape {
    struct trace_like like; /* its n and its heads: the first member */
    uint32_t users;         /* of it */
    struct trace_pattern pattern;
    uint32_t sends; /* of them in columns of their own; 0: one for all in path order */
    enum trace_column_hint hint; /* of that one */
    struct trace_rows has;
    uint16_t order[TRACE_ACCESS_MAX];         /* accesses, send by send */
    uint32_t end[TRACE_ACCESS_MAX];           /* of each send's accesses */
    uint32_t distances_end[TRACE_ACCESS_MAX]; /* and of its column of distances */
    struct trace_bytes before;    /* the columns of sends, masks and kinds */
    struct trace_bytes distances; /* columns, send by send */
    struct trace_bytes in_order; /* the column for all in path order; empty: not made */
};
enum { TRACE_SHAPES = 4 };

struct trace_segment_work {
    struct trace_shape *shape[TRACE_SHAPES]; /* NULL: none yet */
    uint32_t last_shape, next_shape;         /* used; to be another one */
    struct trace_column_work *column;
    uint64_t tmp[TRACE_COLUMN_MAX];
    struct trace_bytes other; /* a second try at a segment's columns */
    struct trace_pattern pattern;
    uint8_t *forced; /* paths: per block, 1 = its successor is always stored */
    uint32_t forced_count;
    /* Accesses: the sends of a segment (index: order of first use), how many accesses
     * each has, per access its send, the accesses sorted by send, and where each
     * access's entries begin. */
    uint64_t send[TRACE_ACCESS_MAX];
    uint32_t send_first[TRACE_ACCESS_MAX + 1];
    uint32_t send_of[TRACE_ACCESS_MAX], order[TRACE_ACCESS_MAX];
    uint32_t base_at[TRACE_ACCESS_MAX], kind_at[TRACE_ACCESS_MAX];
    uint32_t stride_at[TRACE_ACCESS_MAX], differ_at[TRACE_ACCESS_MAX];
    uint8_t kind[TRACE_ACCESS_MAX];                            /* as stored */
    uint64_t base[TRACE_ACCESS_MAX], stride[TRACE_ACCESS_MAX]; /* rows, sorted */
    uint16_t number[TRACE_MAX_INSTS]; /* of an instruction's send, + 1; 0: none yet */
};

void trace_shapes_free(struct trace_segment_work *work);

/* Parts of trace_access_encode() that rows have too: number n sends by first use in
 * send_of[], their names in send[]; how many; and what comes before the groups, for
 * masks and the kinds of those with several lanes. */
uint32_t trace_number_sends(struct trace_segment_work *w, const uint32_t *inst,
                            uint32_t n);
void trace_put_preamble(struct trace_segment_work *w,
                        const struct trace_access_list *list, uint32_t s,
                        struct trace_bytes *out);
bool trace_sends_apart(uint32_t n, uint32_t s);

/* *p of the n addresses whose sends are send_of[], of `sends` sends; but for its hash.
 */
void trace_pattern_find(struct trace_segment_work *w, const uint32_t *send_of,
                        uint32_t n, uint32_t sends, struct trace_pattern *p);
/* A hash begins with the number of accesses, and goes on with what each one is. */
static inline void trace_pattern_begin(struct trace_pattern *p, uint32_t accesses)
{
    p->hash[0] = p->hash[1] = accesses;
}
static inline void trace_pattern_add(struct trace_pattern *p, uint32_t inst,
                                     uint32_t mask, uint64_t stride)
{
    trace_hash_add(p->hash, (uint64_t)inst << 32 | mask);
    if ((mask & (mask - 1)) != 0)
        trace_hash_add(p->hash, stride);
}

/* How a group of columns begins. */
enum { TRACE_MODE_ORDER = 0, TRACE_MODE_SENDS = 1 };
/* Longer columns of sends are tried in path order as well. */
enum { TRACE_ORDER_LEAST = 256 };

#endif
