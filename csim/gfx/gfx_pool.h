/* gfx_pool.h - pieces of a draw's work on several host threads. Each thread has a copy
 * of the pipeline's state, with a machine, scratch space and counters of its own, for
 * each of two jobs, which may go on at once; the pieces share nothing but what they
 * read, and memory where whoever gives them out knows the order. Sums of what the
 * copies counted, and their work, come back at the end. Tests:
 * tests/csim/test_gfx_queue.c, tests/bridge/test_frame_threads.sh */
#ifndef GFX_POOL_H
#define GFX_POOL_H
#include "gfx_int.h"

/* Vertices; and what is done first, if both have pieces: pixels, or anything else. */
enum gfx_job { GFX_JOB_FRONT, GFX_JOB_BACK, GFX_JOBS };
/* Small pieces for which a thread is woken: so many that it is worth it. */
enum { GFX_POOL_ENOUGH = 4 };

/* Piece `number` on *w, the copy of the thread that does it. Another status than
 * IGPU_OK comes with an error. */
typedef enum igpu_status gfx_piece(struct gfx *w, void *ctx, uint64_t number);

/* From now on pieces of the job, which is not under way, are run(.., ctx, number), with
 * numbers from *first on that no piece before had; a thread that sleeps is woken for
 * `enough` of them. False: nothing has begun, since there is one host thread only, few
 * work is left of what the batch may do, or memory is short. */
bool gfx_pool_begin(struct gfx *g, enum gfx_job job, gfx_piece *run, void *ctx,
                    uint32_t enough, uint64_t *first);
/* The same of a job behind, whose pieces run no shader and look at nothing of the draw:
 * rows that are cleared, or shown. */
bool gfx_pool_begin_rows(struct gfx *g, gfx_piece *run, void *ctx, uint64_t *first);
/* So many pieces more, which are taken in order. */
void gfx_pool_add(struct gfx *g, enum gfx_job job, uint64_t count);
/* The caller does a piece as well, of this job if it has any. False: all are taken. */
bool gfx_pool_help(struct gfx *g, enum gfx_job first);
/* The first that has failed, if any has: those behind it are not done any more. */
uint64_t gfx_pool_failed_at(const struct gfx *g, enum gfx_job job);
bool gfx_pool_failed(const struct gfx *g, enum gfx_job job);
/* All that were added are done; IGPU_SIM_ERROR: one has failed, and gfx_pool_end() has
 * its error. */
enum igpu_status gfx_pool_wait(struct gfx *g, enum gfx_job job);
/* All are done, and counted. The status and error of the first that failed. */
enum igpu_status gfx_pool_end(struct gfx *g, enum gfx_job job);
void gfx_pool_free(struct gfx *g);

/* While something is waited for that another thread is about to do. */
void gfx_pool_pause(uint32_t *spins);
#endif
