/* trace_segment_work.h - the work space behind trace_segment.h. */
#ifndef IGPU_TRACE_SEGMENT_WORK_H
#define IGPU_TRACE_SEGMENT_WORK_H
#include "traces/format/trace_code.h"
#include "traces/format/trace_segment.h"

struct trace_segment_work {
    struct trace_column_work *column;
    uint64_t tmp[TRACE_COLUMN_MAX];
    struct trace_bytes other; /* a second try at a segment's columns */
    uint8_t *forced;          /* paths: per block, 1 = its successor is always stored */
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

#endif
