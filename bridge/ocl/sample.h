/* sample.h - a launch cut in two: groups that are recorded and timed, and the rest.
 *
 *   IGPU_SAMPLE=N      of a launch with more hardware threads than that, record and
 *                      time about N (whole groups, the first ones; for time, four
 *                      times as many as the device holds or a multiple of that)
 *   IGPU_SKIP_REST=1   and do not execute the others: results are wrong
 *
 * Tests: tests/ocl/test_ocl_time.c, test_ocl_run.sh */
#ifndef IGPU_OCL_SAMPLE_H
#define IGPU_OCL_SAMPLE_H
#include <stdbool.h>

#include "igpu/emu.h"

/* Parts of a launch with cut-off groups, and the cuts through the first of them. */
enum { SAMPLE_PIECES = EMU_MAX_PARTS + 3 };

struct sample {
    struct emu_launch piece[SAMPLE_PIECES];
    uint32_t pieces;
    uint32_t recorded;     /* of these, the first: what traces and time are made of */
    uint64_t threads;      /* hardware threads of all pieces that are executed */
    uint64_t rest_threads; /* of the others; 0: nothing is left out */
    bool skip_rest;
};

/* Write to *s the pieces of a launch in which groups may be cut off at the end. */
void sample_cut(const struct emu_program *program, const struct emu_launch *whole,
                bool timed, struct sample *s);
#endif
