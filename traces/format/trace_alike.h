/* trace_alike.h - threads that are known to have done what one before them did, but for
 * where (trace_thread_alike() in trace.h): nothing is told of them, and the trace gets
 * what it would have got. Internal to traces/format/trace_writer*.c.
 *
 * Tests   tests/traces/test_trace_alike.c */
#ifndef IGPU_TRACE_ALIKE_H
#define IGPU_TRACE_ALIKE_H
#include "traces/format/trace_writer_state.h"

/* A thread that others are like. */
struct trace_model {
    bool whole; /* it was in one piece */
    uint32_t blocks, *block;
    struct trace_access_list list;
    uint64_t
        *head;    /* of rows alone: in the place of the list's inst, mask and stride */
    uint32_t *of; /* each address's send */
    uint32_t sends, *inst, *first; /* of a send; its first address, or list.nbase */
    /* Once one like it has been added: its path, and the segment that its accesses are
     * moved from, by how much each send is. */
    struct trace_path_known *path;
    uint64_t path_times, lane_accesses, *from;
    struct trace_moved_link link;
};

struct trace_alike {
    uint32_t first, count;
    bool failed; /* memory was short */
    struct trace_model *model;
    uint64_t *way;          /* of each send */
    uint64_t *further;      /* of each instruction */
    struct trace_thread as; /* a thread that is put together of a model */
};

void trace_alike_free(struct trace_alike *a);
/* Is the thread one of them? Then it is kept by itself. */
bool trace_alike_is(const struct trace_alike *a, uint32_t thread);
/* It ends; what it did is in its buffers, if it is in one piece, rows as all others. */
void trace_alike_note(struct trace_alike *a, const struct trace_thread *t);

#endif
