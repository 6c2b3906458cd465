/* frame_flaw.c - what no frame file has: checked alike by the node, before a batch is
 * taken, by the writer and by the reader. */
#include "frame_int.h"

const char *frame_buffer_flaw(const struct frame_buffer *b)
{
    if (b->va % FRAME_PAGE_BYTES != 0)
        return "a buffer's address is no multiple of 4096";
    if (b->bytes % FRAME_PAGE_BYTES != 0 || b->bytes == 0)
        return "a buffer's size is no number of pages";
    if (b->bytes / FRAME_PAGE_BYTES > FRAME_MAX_BUFFER_PAGES)
        return "a buffer has more than 4 GB";
    if (b->va >= FRAME_VA_END || b->bytes > FRAME_VA_END - b->va)
        return "a buffer lies beyond address 2^47";
    return NULL;
}

const char *frame_batch_flaw(const struct frame_batch *b)
{
    if (b->count > FRAME_MAX_BUFFERS)
        return "a batch has more than 65536 buffers";
    if (b->start >= FRAME_VA_END)
        return "a batch begins beyond address 2^47";
    if (b->start % 4 != 0)
        return "a batch's start is no multiple of 4";
    return NULL;
}
