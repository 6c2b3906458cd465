/* features.h - what a launch executed, as numbers: some 230 counts, shares and
 * histograms of each launch, from its functional execution alone. No clock, no cache
 * and no machine is in them. features.def is the table, docs/guide/predict.md tells how
 * each is taken, what is sampled and what it costs.
 *
 * The launches of a program are told in their order: what one touched before, a later
 * one touches again (reuse.*, set.*, page.*, foot.new). Of one launch the threads may
 * interleave as the emulator's do; told thread by thread, as from a trace, the numbers
 * are the same to the last bit.
 *
 * One struct features is used by one host thread at a time.
 * Tests: tests/traces/test_features.c, tests/bridge/test_features.sh */
#ifndef IGPU_FEATURES_H
#define IGPU_FEATURES_H
#include <stdbool.h>
#include <stdint.h>

#include "igpu/emu.h"
#include "igpu/err.h"
#include "traces/format/trace.h"

enum feature {
#define FEATURE(id, name, unit, set, kind, text) FEATURE_##id,
#include "traces/features/features.def"
#undef FEATURE
    FEATURE_COUNT
};

enum feature_set { FEATURE_SET_NATIVE, FEATURE_SET_CHARACTER };
enum feature_kind { FEATURE_KIND_FIXED, FEATURE_KIND_SUM, FEATURE_KIND_SHAPE };

struct feature_info {
    const char *name, *unit;
    enum feature_set set;
    enum feature_kind kind;
    const char *text;
};

/* feature_table[FEATURE_COUNT], in the order of the enum. */
extern const struct feature_info feature_table[];

struct features;

/* NULL when memory is short. */
struct features *features_new(void);
void features_free(struct features *f); /* NULL is allowed */

/* Begin a launch; kernel and launch (its totals are not looked at) stay valid until
 * features_end(). Threads that will be told: `told` of launch->threads; sums are scaled
 * up by what is not. IGPU_BAD_INPUT: memory is short, here and below. */
enum igpu_status features_begin(struct features *f, const struct trace_kernel *kernel,
                                const struct trace_launch *launch, uint64_t told,
                                struct igpu_err *err);

/* Hooks for emu_run() of the launch that was begun, or of a piece of it. Their errors
 * are kept: features_end() reports the first. */
struct emu_hooks features_hooks(struct features *f);
/* The hooks' next threads are those from group `first` on, behind the ones told. */
void features_piece_begins(struct features *f, uint64_t first);

/* The launch is over, each of its threads too: *value[FEATURE_COUNT]. */
enum igpu_status features_end(struct features *f, double *value, struct igpu_err *err);

/* Launch `index` of a trace, each section read once. sample: hardware threads to read,
 * in at most 8 pieces of the grid of whole groups; 0 or more than there are: all.
 * *read (may be NULL) gets how many were. IGPU_BAD_INPUT: the trace is damaged. */
enum igpu_status features_of_trace(struct features *f, struct trace_reader *reader,
                                   uint32_t index, uint64_t sample, double *value,
                                   uint64_t *read, struct igpu_err *err);

/* Piece i of the `pieces` that a sample of `sample` threads has: groups first.. of
 * *groups. Returns the number of pieces; 1 with all groups when nothing is left out. */
uint32_t features_piece(uint64_t groups, uint32_t threads_per_group, uint64_t sample,
                        uint32_t i, uint64_t *first, uint64_t *count);

#endif
