/* sample.h - a launch in two: windows of its grid that are recorded and timed, and the
 * rest (docs/guide/sampling.md, section 6).
 *
 *   IGPU_SAMPLE=WORDS   error=2%, windows=N, seed=S, launches=all (guide/sampling.md):
 *                       of a launch that is large enough, record and time some windows
 *   IGPU_SKIP_REST=1    and do not execute the others: results are wrong
 *
 * Tests: tests/ocl/test_ocl_sample.c, test_ocl_time.c, test_ocl_run.sh */
#ifndef IGPU_OCL_SAMPLE_H
#define IGPU_OCL_SAMPLE_H
#include <stdbool.h>

#include "bridge/host/sample/measure.h"
#include "bridge/host/sample/options.h"
#include "bridge/host/sample/warm.h"
#include "igpu/emu.h"
#include "traces/record/record.h"

enum { SAMPLE_WINDOWS = SAMPLE_MOST_STRATA + 2 };

struct sample {
    struct emu_launch piece[EMU_MAX_PARTS]; /* the first is by far the largest */
    uint32_t pieces;
    struct sample_plan plan; /* of piece 0; windows 0: everything is recorded */
    struct record_place place[SAMPLE_WINDOWS]; /* the windows */
    struct measure measure;
    uint64_t window_instructions[SAMPLE_WINDOWS]; /* leads too */
    /* Different lines of memory, and written ones, that windows up to each have met. */
    uint64_t lines[SAMPLE_WINDOWS], written[SAMPLE_WINDOWS];
    uint64_t groups, group_threads; /* of piece 0 */
    uint64_t threads;               /* hardware threads that are executed */
    uint64_t at_once;               /* groups that the device holds at a time */
    bool skip_rest;
    /* What the caches are to hold before each window: of the threads since the one
     * before; behind the last. */
    struct warm_list warm[SAMPLE_WINDOWS + 1];
    bool skipped; /* another launch's time stands for it: nothing is recorded */
};

/* What IGPU_SAMPLE says; false: nothing, or nothing that can be used. */
bool sample_wanted(struct sample_options *options);

/* What a kernel's launches have shown for the next one of it. */
struct sample_hint {
    uint32_t strata;           /* that it takes; 0: nothing is known */
    double group_instructions; /* of a group */
};

/* Write to *s how the launch is cut, in which groups may be cut off at the end.
 * *config: of the machine that it is timed on; *hint NULL: it is not timed. */
void sample_cut(const struct record_program *program, const struct emu_launch *whole,
                const struct igpu_config *config, const struct sample_hint *hint,
                struct sample *s);
/* A thread of piece 0 (or, behind it, of the others) has executed so much. */
void sample_count(struct sample *s, uint64_t thread, bool edge, uint64_t instructions);
/* All was executed: what the measure needs. */
void sample_counted(struct sample *s);
/* Where nothing of the rest was executed: lists of as many lines as it would have
 * brought, at the rate at which the later windows met lines that no earlier one had.
 * `most`: of a list. False: memory is short. */
bool sample_invent_warm(struct sample *s, uint64_t most);
void sample_free(struct sample *s);
#endif
