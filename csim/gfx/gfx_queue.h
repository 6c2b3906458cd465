/* gfx_queue.h - groups of a draw's pixels that wait for a thread of their shader, on
 * several host threads (gfx_pool.h), while the draw goes on. A thread's first message
 * to a render target waits until the threads before it that draw to the same blocks of
 * pixels are over; so tests, blending and writes are in the order of dispatch. Draws
 * whose threads could see each other otherwise, or whom somebody watches, do without.
 * Tests: tests/bridge/test_frame_threads.sh */
#ifndef GFX_QUEUE_H
#define GFX_QUEUE_H
#include "gfx_pool.h"

/* What shades groups, on the copy of a host thread, and so many slots of vertices, from
 * the first on, that it reads. Of a group that was added its blocks and mask are there
 * alone. */
struct gfx_shades {
    enum igpu_status (*shade)(struct gfx *w, const struct gfx_setup *s,
                              struct gfx_group *group);
    uint32_t (*slots)(const struct gfx *g);
};
/* Is the draw's next group, like all that follow, to be added? */
bool gfx_queue_takes(struct gfx *g, const struct gfx_shades *shades);
/* Is each group, until gfx_queue_end(), added? */
bool gfx_queue_is_on(const struct gfx *g);
/* Its vertices, unless they are among the draw's, and *s may go afterwards. A failure
 * may be that of a group before. */
enum igpu_status gfx_queue_add(struct gfx *g, const struct gfx_setup *s,
                               const struct gfx_group *group);
/* Before the thread that runs on *g touches a render target. Another status than
 * IGPU_OK: a piece in front of it has failed, and it is not to touch any. */
enum igpu_status gfx_queue_await(struct gfx *g);
/* While the queue is on, pieces that do something else of the draw, in the place of
 * groups: run(w, ctx, number), with the number that the next piece has until it is
 * added. What is added next is pieces (g->pieces), or groups, as at first: all of the
 * other kind that were added are over then. */
enum igpu_status gfx_queue_turn(struct gfx *g, bool to_pieces);
uint64_t gfx_queue_next_piece(const struct gfx *g);
void gfx_queue_add_piece(struct gfx *g, gfx_piece *run, void *ctx);
/* A copy of s and of its vertices, unless they are among the draw's. It is there until
 * so many others were made. */
enum { GFX_QUEUE_COPIES = 2048 };
const struct gfx_setup *gfx_queue_copy(struct gfx *g, const struct gfx_setup *s);
/* All that wait are shaded, and counted. */
enum igpu_status gfx_queue_end(struct gfx *g);
void gfx_queue_free(struct gfx *g);

/* What somebody reads lies in the buffers of these addresses. */
enum { GFX_READS = 2 * (40 + 2 * GFX_MAX_BINDINGS) };
struct gfx_reads {
    uint64_t va[GFX_READS];
    uint32_t count;
};
/* The first and the last of the bytes. */
static inline void gfx_add_read(struct gfx_reads *reads, uint64_t va, uint64_t bytes)
{
    if (bytes == 0)
        return;
    reads->va[reads->count++] = va;
    reads->va[reads->count++] = va + bytes - 1;
}
/* No pixel of the draw, whose stage is bound, writes to any of the buffers, nor do its
 * tests. */
bool gfx_queue_spares(struct gfx *g, const struct gfx_reads *reads);
#endif
