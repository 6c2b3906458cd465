/* frame.h - the frame file: what a program handed to the GPU, batch after batch.
 *
 * A file is read from its beginning to its end and holds all that the batches need:
 * each batch with the buffers that it may touch, and the pages that the program wrote
 * since the batch before. A page's content is stored once, whichever buffers hold it.
 * What the GPU itself writes is in no record: whoever replays the file computes it.
 * docs/contract/frames.md gives every byte.
 *
 * Units   Addresses are GPU virtual addresses below 2^47, sizes bytes; pages are 4096.
 * Source  docs/contract/frames.md     Tests: tests/traces/test_frame.c */
#ifndef TRACES_FRAME_H
#define TRACES_FRAME_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "igpu/err.h"

/* Version 2 is that of files which begin with a state. */
enum { FRAME_VERSION = 1, FRAME_VERSION_STATE = 2 };
enum { FRAME_PAGE_BYTES = 4096, FRAME_TEXT_BYTES = 1024 };
enum { FRAME_MAX_BUFFERS = 65536, FRAME_MAX_BUFFER_PAGES = 1 << 20 };

/* What was captured, where. Strings are cut to fit and hold no line ends. */
struct frame_info {
    char device[32];                /* "skl" or "kbl-gt3e" */
    uint32_t pci;                   /* PCI device id that the driver saw */
    char driver[128];               /* Mesa's version, "?" where unknown */
    char command[FRAME_TEXT_BYTES]; /* the program and its arguments */
    uint32_t first, last;           /* frames asked for, from 1; last 0: to the end */
    bool executed;                  /* batches were executed while they were captured */
    bool state; /* it begins with what the GPU kept of the frames before it */
};

/* A buffer of a batch. Numbers are never used again in a file. */
struct frame_buffer {
    uint32_t id;
    uint64_t va, bytes;  /* bytes: whole pages */
    const uint8_t *host; /* writer: its memory, during the call; reader: NULL */
};

/* A page that the program wrote: of buffer[index], and the content's number; 0 is a
 * page of zeros, n the n-th page of the file. */
struct frame_change {
    uint32_t index, page, content;
};

struct frame_batch {
    uint32_t context; /* hardware context, from 1 */
    uint32_t engine;  /* 0 render, 1 blitter */
    uint64_t start;   /* address of the first command */
    uint64_t bytes;   /* of commands; 0: to MI_BATCH_BUFFER_END */
    const struct frame_buffer *buffer;
    uint32_t count;
    const struct frame_change *change; /* reader only */
    uint32_t changes;
};

/* Why no file can have the buffer, or the batch's start; NULL: one can. What the node,
 * the writer and the reader hold a batch against. */
const char *frame_buffer_flaw(const struct frame_buffer *b);
const char *frame_batch_flaw(const struct frame_batch *b);

/* ---- writing ------------------------------------------------------------ */

struct frame_writer;

/* Begin PATH, which appears when frame_finish() succeeds. NULL and *err: it cannot be
 * made (IGPU_USAGE's text), or memory is short. */
struct frame_writer *frame_create(const char *path, const struct frame_info *info,
                                  struct igpu_err *err);
/* The state, of a file that has one: before its first batch. */
enum igpu_status frame_add_state(struct frame_writer *w, const uint8_t *state,
                                 size_t bytes, struct igpu_err *err);
/* Add a batch and the pages of its buffers that differ from what a reader has. */
enum igpu_status frame_add_batch(struct frame_writer *w, const struct frame_batch *b,
                                 struct igpu_err *err);
/* The GPU has executed the batch, and nobody else wrote meanwhile: what its buffers
 * hold now is what a reader has. */
enum igpu_status frame_executed(struct frame_writer *w, const struct frame_batch *b,
                                struct igpu_err *err);

/* The same in steps, while the program's threads go on. Begin: the batch's buffers are
 * compared with what a reader has. Use: the batch has one more buffer, which is
 * compared now. End: the record is written; `written`: what executing it wrote, or NULL
 * if it was not executed. What else the buffers hold by then is the program's, for the
 * next batch. */
struct frame_written;
enum igpu_status frame_begin_batch(struct frame_writer *w, const struct frame_batch *b,
                                   struct igpu_err *err);
enum igpu_status frame_use_buffer(struct frame_writer *w, const struct frame_buffer *b,
                                  struct igpu_err *err);
enum igpu_status frame_end_batch(struct frame_writer *w,
                                 const struct frame_written *written,
                                 struct igpu_err *err);

/* Where buffers lie in files with holes: the first byte of host[from .. end) that is
 * not in a hole, or end. What is in one is zero and is not looked at. */
typedef uint64_t frame_data(const uint8_t *host, uint64_t from, uint64_t end);
void frame_skip_holes(struct frame_writer *w, frame_data *data);

/* Lines of 64 bytes that executing a batch writes, by their addresses, and what their
 * pages held before the first of it. NULL: memory is short. */
struct frame_written *frame_written_new(void);
void frame_written_free(struct frame_written *n);
/* Nothing is written yet. */
void frame_written_clear(struct frame_written *n);
/* Bytes at va, which lie at host in one buffer, are written next. */
void frame_written_add(struct frame_written *n, uint64_t va, uint64_t bytes,
                       const uint8_t *host);
/* The program gave buffer `id` back. */
enum igpu_status frame_drop_buffer(struct frame_writer *w, uint32_t id,
                                   struct igpu_err *err);
/* The program showed a picture: what was drawn since the last one is a frame. */
enum igpu_status frame_end_frame(struct frame_writer *w, struct igpu_err *err);
/* Complete the file. w is gone in every case; after an error so is the file. */
enum igpu_status frame_finish(struct frame_writer *w, struct igpu_err *err);
/* Give up: nothing is left. NULL is allowed. */
void frame_abandon(struct frame_writer *w);

/* ---- reading ------------------------------------------------------------ */

enum frame_kind {
    FRAME_KIND_INFO = 1,
    FRAME_KIND_PAGE,
    FRAME_KIND_BATCH,
    FRAME_KIND_DROP,
    FRAME_KIND_SHOWN,
    FRAME_KIND_END,
    FRAME_KIND_STATE
};

/* Numbers of records, pages and so on read or written until now. */
struct frame_counts {
    uint64_t records, pages, batches, drops, frames, changes;
    uint64_t bytes; /* of the records, unpacked */
};

struct frame_record {
    enum frame_kind kind;
    const uint8_t *page;      /* PAGE */
    struct frame_batch batch; /* BATCH */
    uint32_t id;              /* DROP */
    const uint8_t *state;     /* STATE: state[state_bytes], as gfx_save() made it */
    size_t state_bytes;
};

struct frame_reader;

/* Open and read up to the INFO. NULL, *status and *err when that fails. */
struct frame_reader *frame_open(const char *path, enum igpu_status *status,
                                struct igpu_err *err);
void frame_close(struct frame_reader *r);
const struct frame_info *frame_get_info(const struct frame_reader *r);
const struct frame_counts *frame_get_counts(const struct frame_reader *r);
/* The next record, checked: references are to pages, buffers and frames that are there.
 * What it points to is valid until the next call. After END comes nothing.
 * IGPU_BAD_INPUT: damaged or cut; the text names file and byte (of the unpacked
 * records). */
enum igpu_status frame_next(struct frame_reader *r, struct frame_record *record,
                            struct igpu_err *err);

/* Read to the end. */
enum igpu_status frame_verify(struct frame_reader *r, struct igpu_err *err);
/* Totals, and a line for each frame; a line for each record. */
enum igpu_status frame_print_info(struct frame_reader *r, FILE *out,
                                  struct igpu_err *err);
enum igpu_status frame_print_dump(struct frame_reader *r, FILE *out,
                                  struct igpu_err *err);

/* ---- memory ------------------------------------------------------------- */

/* The buffers of a file as its batches find them. */
struct frame_memory;

/* limit: bytes that all buffers, and the pages' contents, may have together. NULL:
 * memory is short. */
struct frame_memory *frame_memory_new(uint64_t limit);
void frame_memory_free(struct frame_memory *m);
/* Follow a record: keep a page, write a batch's changes, drop a buffer. */
enum igpu_status frame_memory_apply(struct frame_memory *m,
                                    const struct frame_record *record,
                                    struct igpu_err *err);
/* Host memory of buffer `id`, which stays where it is until it is dropped; NULL: no
 * such buffer. */
uint8_t *frame_memory_host(struct frame_memory *m, uint32_t id);

#endif
