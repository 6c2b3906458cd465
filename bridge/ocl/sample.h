/* sample.h - a launch in two: places of its grid that are recorded and timed, and the
 * rest.
 *
 *   IGPU_SAMPLE=N       of a launch with more hardware threads than that, record and
 *                       time about N (whole groups; for time, four times as many as
 *                       the device holds or a multiple of that), in places of about
 *                       one device's worth, each somewhere in its share of the grid
 *   IGPU_SAMPLE_SEED=S  where in it; the same in each launch of one shape
 *   IGPU_SKIP_REST=1    and do not execute the others: results are wrong
 *
 * Tests: tests/ocl/test_ocl_sample.c, test_ocl_time.c, test_ocl_run.sh */
#ifndef IGPU_OCL_SAMPLE_H
#define IGPU_OCL_SAMPLE_H
#include <stdbool.h>

#include "bridge/sample/warm.h"
#include "igpu/emu.h"
#include "traces/record/record.h"

enum { SAMPLE_PLACES = 64 };

/* What is known of one place, once it was executed and timed. */
struct sample_seen {
    uint64_t threads, instructions; /* of hardware threads */
    /* The same of its share of the grid without it; 0 instructions: not executed. */
    uint64_t rest_threads, rest_instructions;
    uint64_t resident;       /* cycles that its threads were on the device */
    uint64_t lines, written; /* of memory, met by this place or one before */
    uint64_t begin;          /* cycle of its first dispatch */
};

struct sample {
    struct emu_launch piece[EMU_MAX_PARTS]; /* the first is by far the largest */
    uint32_t pieces;
    uint32_t places; /* of piece 0, in order; 0: everything is recorded */
    struct record_place place[SAMPLE_PLACES];
    struct sample_seen seen[SAMPLE_PLACES];
    uint64_t groups, group_threads; /* of piece 0 */
    uint64_t threads;               /* hardware threads that are executed */
    uint64_t rest_threads;          /* not recorded; 0: nothing is left out */
    bool skip_rest;
    /* What the caches are to hold before each place: of the threads since the one
     * before; behind the last. */
    struct warm_list warm[SAMPLE_PLACES + 1];
};

/* Write to *s how the launch is cut, in which groups may be cut off at the end. */
void sample_cut(const struct emu_program *program, const struct emu_launch *whole,
                bool timed, struct sample *s);
/* The place in whose share of the grid a group of piece 0 lies. */
uint32_t sample_share(const struct sample *s, uint64_t group);
/* Groups before place i (or behind the last) and behind the place before it. */
struct record_place sample_gap(const struct sample *s, uint32_t i);
/* Where nothing of the rest was executed: lists of as many lines as it would have
 * brought, at the rate at which the later places met lines that no earlier one had.
 * `most`: of a list. False: memory is short. */
bool sample_invent_warm(struct sample *s, uint64_t most);
/* The least and the most that a thread takes in one of the places. */
struct sample_spread {
    double instructions[2], cycles[2];
};
/* True, and *spread filled, when places differ clearly, by half of the least or more:
 * of the instructions, or (but for the first, which finds the device empty, and the
 * last) of the cycles from one place's first dispatch to the next one's. */
bool sample_uneven(const struct sample *s, struct sample_spread *spread);
void sample_free(struct sample *s);
#endif
