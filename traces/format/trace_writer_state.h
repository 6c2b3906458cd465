/* trace_writer_state.h - what the writer's three files share. Internal to
 * trace_writer*.c. */
#ifndef IGPU_TRACE_WRITER_STATE_H
#define IGPU_TRACE_WRITER_STATE_H
#include <string.h>

#include "igpu/grow.h"
#include "igpu/output.h"
#include "traces/format/trace.h"
#include "traces/format/trace_code.h"
#include "traces/format/trace_graphics.h"
#include "traces/format/trace_moved.h"
#include "traces/format/trace_segment.h"

enum {
    TRACE_CHUNK_BYTES = 1 << 20,  /* of new segments: a thread section is full */
    TRACE_CHUNK_PIECES = 1 << 14, /* or has so many pieces */
    TRACE_OPEN_BYTES = 64 << 20   /* of all open threads' buffers */
};

/* Bits of piece_flags in the .proto. */
enum {
    TRACE_PIECE_PATH = 1,
    TRACE_PIECE_ACCESS = 2,
    TRACE_PIECE_LAST = 4,
    TRACE_PIECE_MOVED = 8
};

/* A growing array of numbers for a protobuf column; width is its element's bytes. */
struct trace_array {
    void *data;
    size_t count, capacity;
};

/* Where a segment's content was stored first. Contents are told apart by 128 bits of
 * hash: among 2^40 segments two different ones agree with a chance below 2^-48. */
struct trace_seen {
    uint64_t hash[2];
    struct trace_at at;
};
enum { TRACE_SEEN_WAYS = 4, TRACE_SEEN_SETS = 1 << 14 };

/* A repeated field as it is in the file, and what the last piece added to it. */
struct trace_packed {
    struct trace_bytes bytes;
    size_t count, last_size, last_count; /* last_: without that */
};
enum trace_column_out {
    TRACE_OUT_THREAD,
    TRACE_OUT_FLAGS,
    TRACE_OUT_BACK,
    TRACE_OUT_INDEX,
    TRACE_OUT_SIZE,
    TRACE_OUT_INSTRUCTIONS,
    TRACE_OUT_LANES,
    TRACE_OUT_FLOPS,
    TRACE_OUT_WAY,
    TRACE_OUT_COLUMNS
};

/* What a piece adds to the columns, where it stores nothing. */
struct trace_piece_out {
    unsigned flags;
    int64_t step; /* its thread's number less that of the piece before */
    struct trace_at path, accesses;
    struct trace_totals totals;
    uint32_t ways, way_room;
    uint64_t *way;
};

/* The thread section that is being filled. */
struct trace_chunk_out {
    struct trace_packed column[TRACE_OUT_COLUMNS];
    struct trace_bytes segments;
    uint32_t first_thread, last_thread, before; /* before: thread of the last piece */
    struct trace_piece_out last;                /* flags 0: it cannot come again */
    size_t again; /* pieces like the last one, behind it, that are in no column yet */
    uint64_t pieces; /* of all sections */
};

/* The section of values that is being filled, and the index of those before. */
struct trace_values_out {
    struct trace_array thread, records, size; /* per piece */
    struct trace_bytes data;
    struct trace_array of[3]; /* per section: launch, first, last thread */
    uint32_t first, last;
    uint64_t total, bytes; /* of the file */
};

/* Of the kernels, what encoding and checking paths needs. */
struct trace_kernel_out {
    struct isa_block_list blocks; /* block_of is not kept */
    uint32_t insts;
    bool graphics;
    struct isa_inst *inst;
};

/* A path, what it was encoded to, and where that is; n 0: none yet. */
struct trace_path_known {
    uint32_t kernel, n, *block, room;
    uint64_t instructions, times; /* times: how often there was another one before */
    struct trace_bytes bytes;
    struct trace_at at;
};
enum { TRACE_KNOWN_PATHS = 256 };

/* How a thread is kept: by itself, also as the next one that others follow
 * (trace_follow.h), or it follows. */
enum { TRACE_ALONE, TRACE_LEADS, TRACE_FOLLOWS };

struct trace_thread {
    struct trace_writer *w;
    struct trace_thread *next; /* open or free ones */
    uint32_t id, nblock, block_capacity;
    uint32_t *block;
    struct trace_access_list list;
    uint64_t *head; /* rows alone, list.n of them: heads as in a group of igpu/told.h,
                       and list.base; the rest of the list is made when it is needed */
    bool rows;      /* they are kept so */
    const struct trace_like *like; /* of rows: has the heads in the place of `head` */
    struct trace_graphics_out graphics; /* of the same accesses */
    uint32_t access_capacity, differ_capacity;
    bool started; /* its first block is known */
    uint8_t how;
    uint32_t step, at; /* it follows: so many steps and addresses of the lead.. */
    uint64_t *way;     /* ..that are so much further, of each place in a step */
    uint32_t way_room;
    struct trace_bytes values;
    uint32_t nvalues;                                       /* records in it */
    uint64_t instructions, blocks, accesses, lane_accesses; /* flushed ones */
};

struct trace_writer {
    struct trace_out out;
    char *path; /* the final name */
    struct igpu_output file;
    bool images;        /* a kernel reads some */
    bool launches_only; /* a launch file: no thread is recorded */
    enum igpu_status failed;
    struct igpu_err first; /* the first failure, once failed */

    struct trace_array sections;    /* struct trace_section */
    struct trace_array chunk_of[3]; /* per thread section: launch, first, last thread */
    struct trace_array kernels;     /* struct trace_kernel_out */
    uint32_t launches;

    struct trace_launch *launch; /* NULL outside a launch */
    const struct trace_kernel_out *kernel;
    uint8_t *begun; /* one bit per thread of the launch */
    uint32_t ended;

    struct trace_thread *open, *idle;
    size_t open_bytes;

    struct trace_chunk_out chunk;
    struct trace_values_out values;
    struct trace_seen *seen; /* TRACE_SEEN_SETS * TRACE_SEEN_WAYS */
    struct trace_segment_work *work;
    struct trace_path_known path_known[TRACE_KNOWN_PATHS]; /* by length */
    struct trace_path_known *path_taken; /* the path is this one; NULL: in encoded[0] */
    struct trace_bytes encoded[2];       /* a path and an access segment */
    struct trace_moved *moved;
    struct trace_moved_from from; /* in the place of the access segment, if chunk > 0 */
    bool moved_any;               /* the file has pieces that are moved */
    struct trace_follow *follow;
    struct trace_alike *alike; /* threads that others will be like, or NULL */

    uint64_t threads, path_bytes, access_bytes;
    struct trace_launch sums; /* totals, blocks, accesses of the whole file */
};

/* Append `element` of `width` bytes. False: memory is short. */
static inline bool trace_array_add(struct trace_array *a, const void *element,
                                   size_t width)
{
    if (a->count == a->capacity && !igpu_grow(&a->data, width, &a->capacity,
                                              sizeof(a->capacity), a->count + 1, false))
        return false;
    memcpy((uint8_t *)a->data + a->count++ * width, element, width);
    return true;
}
/* The array as the repeated field of a protobuf message. */
#define TRACE_LAY(message, field, array)                                               \
    ((message).field = (array).data, (message).n_##field = (array).count)

/* Keep the first failure. Returns the status of the first. */
enum igpu_status trace_writer_fail(struct trace_writer *w, enum igpu_status status,
                                   const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Index a section that was written with `status`, or keep why it was not. */
enum igpu_status trace_writer_keep(struct trace_writer *w,
                                   const struct trace_section *section,
                                   enum igpu_status status, const struct igpu_err *err);

/* Write a section about `thread` [first, last] of the current launch and index it:
 * of[] has launch, first and last thread of each such section. No message: it is packed
 * in w->out.raw. */
void trace_writer_section(struct trace_writer *w, enum trace_kind kind,
                          const ProtobufCMessage *message, struct trace_array of[3],
                          const uint32_t thread[2]);

/* Number of the thread section that is being filled, from 1. */
static inline uint32_t trace_section_now(const struct trace_writer *w)
{
    return (uint32_t)w->chunk_of[0].count + 1;
}

/* The first failure, if any, to *err. */
enum igpu_status trace_writer_status(const struct trace_writer *w,
                                     struct igpu_err *err);

/* A thread of this number begins. False: that can not be, which is kept. */
bool trace_writer_begins(struct trace_writer *w, uint32_t thread);
/* Add what the thread has of path and accesses as its last piece; count it. */
void trace_thread_close(struct trace_thread *t, const struct trace_totals *totals);
void trace_thread_count(struct trace_writer *w, const struct trace_thread *t,
                        const struct trace_totals *totals);

/* Add a piece to the current thread section: the segments in w->encoded that flags
 * name, and with TRACE_PIECE_LAST the totals. Writes the section when it is full. */
void trace_chunk_add(struct trace_writer *w, uint32_t thread, unsigned flags,
                     const struct trace_totals *totals);

/* The last piece of a thread again, which may end with it; of this one. False: totals
 * or numbers are others, or it cannot come again. */
bool trace_chunk_again(struct trace_writer *w, uint32_t thread,
                       const struct trace_totals *totals);

/* Write the current thread section, if it has a piece. */
void trace_chunk_flush(struct trace_writer *w);

void trace_chunk_free(struct trace_chunk_out *chunk);

/* The path of n blocks to w->path_taken or w->encoded[0], as trace_path_encode() has
 * it. Returns its instructions. */
uint64_t trace_path_take(struct trace_writer *w, const uint32_t *block, uint32_t n);
void trace_paths_free(struct trace_writer *w);

/* Put the values that a thread has gathered into the current section. */
void trace_values_end(struct trace_thread *t);
/* Write that section, if it has a piece. */
void trace_values_flush(struct trace_writer *w);
void trace_values_out_free(struct trace_values_out *values);

#endif
