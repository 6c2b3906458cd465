/* trace_moved.h - access segments that are one stored before, but that all addresses of
 * a send are so many bytes further. Internal to traces/trace_*.c. */
#ifndef IGPU_TRACE_MOVED_H
#define IGPU_TRACE_MOVED_H
#include "traces/format/trace_segment.h"

/* What was stored of such segments, and the answer to the last question. */
struct trace_moved;
struct trace_moved *trace_moved_new(void); /* NULL: memory is short */
void trace_moved_free(struct trace_moved *m);

/* Where the segment is, and each send's way; in no section: it has to be stored. */
struct trace_moved_from {
    struct trace_at at;  /* as trace_moved_stored() was told */
    uint32_t sends;      /* 0: all ways are 0 */
    const uint64_t *way; /* minus that of the piece with it before in the section */
};

/* Look for the segment of p->n addresses, of a thread of `kernel` in section `now`.
 * Where it is none, it is remembered until trace_moved_stored() says where it is. */
struct trace_moved_from trace_moved_find(struct trace_moved *m, uint32_t kernel,
                                         const struct trace_pattern *p,
                                         const uint64_t *base, uint32_t now);
/* The one that was not found is there, with `size` bytes. */
void trace_moved_stored(struct trace_moved *m, struct trace_at at, size_t size);

/* The segment that the last question found, or made remembered and that was stored
 * since, as long as no other takes its place. Its addresses, or NULL: there is none. */
struct trace_moved_link {
    uint32_t kept;
    uint64_t times;
};
const uint64_t *trace_moved_link(const struct trace_moved *m,
                                 struct trace_moved_link *link);
/* What trace_moved_find() would find for one with its pattern whose sends are all moved
 * from it, each its way. False: that has to be asked. */
bool trace_moved_again(struct trace_moved *m, const struct trace_moved_link *link,
                       uint32_t sends, const uint64_t *way, uint32_t now,
                       struct trace_moved_from *from);
/* As if it had found some, behind the last of which the ways are so much further. */
void trace_moved_skip(struct trace_moved *m, const struct trace_moved_link *link,
                      uint32_t sends, const uint64_t *further);

#endif
