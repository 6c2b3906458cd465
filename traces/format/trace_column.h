/* trace_column.h - columns of numbers: the unit of a segment's encoding.
 *
 * A column is up to TRACE_COLUMN_MAX 64-bit numbers. Repeats (constant runs, periods,
 * laps) become copies whose cost does not depend on their length; what is left is
 * stored as planes of bytes above the smallest number, without the low bits that
 * never change; plain or as differences, whichever is smaller. The text of the format
 * is in igpu_trace.proto. Internal to traces/trace_*.c. */
#ifndef IGPU_TRACE_COLUMN_H
#define IGPU_TRACE_COLUMN_H
#include "traces/format/trace_bytes.h"

enum { TRACE_COLUMN_MAX = 1 << 15 };

enum trace_column_hint {
    TRACE_COLUMN_PLAIN,  /* differences make no sense: masks, indices */
    TRACE_COLUMN_ANY,    /* whichever is smaller */
    TRACE_COLUMN_DIFFER, /* differences if in doubt: they repeat between threads */
};

/* Work space of the encoder, about 1 MB. NULL: memory is short. */
struct trace_column_work;
struct trace_column_work *trace_column_work_new(void);
void trace_column_work_free(struct trace_column_work *work);

/* Append the column v[n], n <= TRACE_COLUMN_MAX, to *out. */
void trace_column_encode(struct trace_column_work *work, const uint64_t *v, uint32_t n,
                         enum trace_column_hint hint, struct trace_bytes *out);

/* Read a column of n <= TRACE_COLUMN_MAX numbers into v[n]. False when it is not
 * well formed; v then has any content. */
bool trace_column_decode(struct trace_view *in, uint64_t *v, uint32_t n);

#endif
