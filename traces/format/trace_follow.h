/* trace_follow.h - threads that do what one before them did, elsewhere: while what is
 * told of one in bulk (igpu/told.h) has the heads that were told of that one, its lead,
 * and each send's addresses are all as far from the lead's, nothing of it is kept.
 * What the trace gets is the same. Internal to traces/format/trace_writer*.c.
 *
 * Tests   tests/traces/test_trace_follow.c */
#ifndef IGPU_TRACE_FOLLOW_H
#define IGPU_TRACE_FOLLOW_H
#include "traces/format/trace_writer_state.h"

/* NULL: memory is short. */
struct trace_follow *trace_follow_new(struct trace_moved *moved);
void trace_follow_free(struct trace_follow *f);

/* A thread begins; how is in t->how. */
void trace_follow_begin(struct trace_thread *t);
/* What is told of a thread that follows, from `word` on; the first word that is not the
 * lead's, or end. */
const uint64_t *trace_follow_told(struct trace_thread *t, const uint64_t *word,
                                  const uint64_t *end);
/* What is told of a thread that may become the lead. */
void trace_follow_keep(struct trace_thread *t, const uint64_t *word,
                       const uint64_t *end);
/* The thread is one of its own from here on. Returns in how many parts what it was told
 * is to be told again, if it followed: part k, of so many words, to *told, until the
 * next call. Parts are asked for in order. */
uint32_t trace_follow_stop(struct trace_thread *t);
size_t trace_follow_again(struct trace_thread *t, uint32_t k, const uint64_t **told);

/* The thread, which follows, ends: its piece is added as if it had been kept. False: it
 * has to be stopped, and ends as others do. */
bool trace_follow_end(struct trace_thread *t, const struct trace_totals *totals);
/* Before others than these ask for what is moved: bring its ways up to date. */
void trace_follow_settle(struct trace_follow *f);
/* A thread has ended as others do; `how` is what it was before. Where it followed to
 * the end the lead is brought up to date; where it may, it becomes the lead. */
void trace_follow_ended(struct trace_thread *t, uint8_t how);

#endif
