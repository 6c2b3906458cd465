/* trace_reader_state.h - what the reader's files share. Internal to traces/trace_*.c.
 */
#ifndef IGPU_TRACE_READER_STATE_H
#define IGPU_TRACE_READER_STATE_H
#include "traces/format/trace.h"
#include "traces/format/trace_code.h"
#include "traces/format/trace_graphics.h"
#include "traces/format/trace_segment.h"

enum { TRACE_CACHE_CHUNKS = 48, TRACE_BUCKETS = 1 << 12 };
enum { TRACE_IDLE_BYTES = 16 << 20 }; /* of segments that no cursor is in */
enum trace_stream { TRACE_PATH = 0, TRACE_ACCESS = 1 };

/* Bits of piece_flags in the .proto: 1 << stream, and this. */
enum { TRACE_LAST_PIECE = 4, TRACE_MOVED_PIECE = 8 };

/* A thread section in the index. */
struct trace_chunk_entry {
    uint32_t section; /* number of the section */
    uint32_t launch, first, last;
    uint32_t most; /* largest `last` of the launch's sections up to this one */
};

/* A section of values in the index. */
struct trace_values_entry {
    uint32_t section, launch, first, last;
};

enum { TRACE_CACHE_VALUES = 8 };
struct trace_values_in {
    struct Vigpu__Trace__Values *message; /* NULL: empty */
    uint32_t number;
};

struct trace_piece {
    uint32_t thread, order; /* order: in the file */
    uint32_t flags;
    uint32_t chunk[2], index[2]; /* where the segment of each stream is */
    uint32_t sends;              /* of one that is moved.. */
    const uint64_t *ways;        /* ..how far each is, in its section */
    struct trace_totals totals;  /* of a last piece */
};

/* A thread section in memory. */
struct trace_chunk_in {
    uint32_t number, npieces, nsegments;
    uint64_t used; /* for LRU: when it was asked for last; 0: empty */
    struct trace_piece *piece;
    struct trace_bytes segments;
    uint32_t *at;  /* nsegments + 1 offsets in segments */
    uint64_t *way; /* how far each send of pieces that are moved is; NULL: of none */
};

/* A decoded segment that cursors use, or idle: refs 0. */
struct trace_segment_in {
    struct trace_segment_in *next;          /* in its bucket */
    struct trace_segment_in *older, *newer; /* idle ones by when they became so */
    uint32_t chunk, index, refs;
    enum trace_stream stream;
    uint32_t *block, nblock;
    struct trace_access_list list;
    uint16_t *send; /* of each access, of `sends`, once a piece that is moved asked */
    uint32_t sends;
    uint8_t *graphics; /* of a kernel of graphics: message Graphics, checked */
    size_t graphics_bytes;
};

struct trace_reader {
    struct trace_in in;
    char *path;
    struct trace_header *header;
    struct trace_kernel **kernel;
    struct trace_launch **launch;
    struct trace_section *section;
    uint32_t nsections, nkernels, nlaunches, nchunks;
    uint64_t footer; /* offset */
    uint32_t footer_sum, footer_raw;
    struct trace_chunk_entry *chunk;
    uint32_t *first_chunk; /* per launch, and nchunks */
    struct trace_values_entry *values;
    uint32_t nvalues;
    struct trace_values_in values_cache[TRACE_CACHE_VALUES];
    struct trace_summary summary;
    struct trace_bytes raw; /* work space */
    struct trace_segment_work *work;
    struct trace_chunk_in cache[TRACE_CACHE_CHUNKS];
    uint64_t clock;
    struct trace_segment_in *bucket[TRACE_BUCKETS];
    struct trace_segment_in *oldest, *newest; /* idle */
    size_t idle_bytes;
};

/* Read section `index`, compare it with the index; raw may be NULL (check only). */
enum igpu_status trace_reader_section(struct trace_reader *r, uint32_t index,
                                      struct trace_bytes *raw, struct igpu_err *err);

/* Thread section `number`, decoded; valid until the next call. NULL and *err. */
const struct trace_chunk_in *trace_cache_chunk(struct trace_reader *r, uint32_t number,
                                               struct igpu_err *err);

/* The first of the chunk's pieces of a thread, npieces if none. Pieces are sorted by
 * thread, then by order. */
uint32_t trace_chunk_find(const struct trace_chunk_in *chunk, uint32_t thread);

/* Segment (chunk, index), decoded and shared; give it back with release. */
struct trace_segment_in *trace_cache_segment(struct trace_reader *r, uint32_t chunk,
                                             uint32_t index, enum trace_stream stream,
                                             struct igpu_err *err);
void trace_cache_release(struct trace_reader *r, struct trace_segment_in *segment);

/* Check a thread's FPU values, if any, against its path; adds their number. */
enum igpu_status trace_verify_values(struct trace_reader *r, uint32_t launch,
                                     uint32_t thread, uint64_t *records,
                                     struct igpu_err *err);

void trace_cache_free(struct trace_reader *r);
void trace_values_cache_free(struct trace_reader *r); /* the index too */

#endif
