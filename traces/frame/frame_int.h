/* frame_int.h - what the files of traces/frame share. */
#ifndef TRACES_FRAME_INT_H
#define TRACES_FRAME_INT_H
#include <xxhash.h>

#include "traces/frame/frame.h"

enum {
    FRAME_HEAD_BYTES = 16,   /* of the file: magic, version, 0 */
    FRAME_RECORD_HEAD = 8,   /* kind, bytes of the body */
    FRAME_BATCH_HEAD = 32,   /* context, engine, start, bytes, buffers, changes */
    FRAME_BUFFER_BYTES = 24, /* id, 0, address, bytes */
    FRAME_CHANGE_BYTES = 12,
    FRAME_END_BYTES = 32, /* pages, batches, drops, frames */
    FRAME_MAX_INFO = 8192
};
/* Of a batch's body. */
#define FRAME_MAX_BODY ((uint64_t)256 << 20)
#define FRAME_VA_END (UINT64_C(1) << 47)

extern const uint8_t frame_magic[8];
extern const uint8_t frame_zeros[FRAME_PAGE_BYTES];

/* Contents of pages that a file has: hash to number. Number 0 means absent. */
struct frame_set {
    struct frame_set_entry {
        XXH128_hash_t hash;
        uint32_t number;
    } * entry;
    uint32_t count, cap; /* cap: 0 or a power of two */
};
uint32_t frame_set_find(const struct frame_set *s, XXH128_hash_t hash);
/* False: memory is short. */
bool frame_set_add(struct frame_set *s, XXH128_hash_t hash, uint32_t number);
void frame_set_free(struct frame_set *s);

/* frame_written.c: a page that was written. */
struct frame_written_page {
    uint64_t number; /* address / 4096 */
    uint64_t lines;  /* a bit for each of its 64 lines */
    uint8_t *before; /* what it held before the first of it */
};
/* NULL: nothing of the page was written. */
const struct frame_written_page *frame_written_find(const struct frame_written *n,
                                                    uint64_t number);
/* Memory was short: it is not known what was written. */
bool frame_written_all(const struct frame_written *n);
/* The page as a reader who executes the batch has it, of which `now` has the lines that
 * were written. */
void frame_written_merge(const struct frame_written_page *p, const uint8_t *now,
                         uint8_t to[FRAME_PAGE_BYTES]);

/* Little-endian numbers. */
static inline void frame_put32(uint8_t *p, uint32_t v)
{
    for (int i = 0; i < 4; i++)
        p[i] = (uint8_t)(v >> 8 * i);
}

static inline void frame_put64(uint8_t *p, uint64_t v)
{
    frame_put32(p, (uint32_t)v);
    frame_put32(p + 4, (uint32_t)(v >> 32));
}

static inline uint32_t frame_get32(const uint8_t *p)
{
    return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static inline uint64_t frame_get64(const uint8_t *p)
{
    return frame_get32(p) | (uint64_t)frame_get32(p + 4) << 32;
}

#endif
