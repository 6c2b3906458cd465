/* random_run.h - the driver of tests that compare pairs of engines on random
 * cases.
 *   test_X [--cases N] [--seed S] [--case I] [--pair NAME]
 * Environment: IGPU_CASES, IGPU_SEED, IGPU_CASE, IGPU_PAIR, and IGPU_LONG=1 for
 * the long run. Case I of seed S is the same everywhere; a difference prints the
 * command that repeats it. Where no seed is given and tests/run knows the commit
 * (IGPU_COMMIT), a quarter as many cases follow whose seed is its first 32 bits: each
 * commit meets cases that no other has met. */
#ifndef RANDOM_RUN_H
#define RANDOM_RUN_H
#include "cosim.h"

enum { NO_CASE = UINT16_MAX };

struct random_pair {
    const char *name;
    struct cosim_engine a, b;
    unsigned every;          /* one case in so many */
    unsigned cases;          /* of these, unless IGPU_LONG=1 or asked for; 0: 500 */
    unsigned subslices, eus; /* the most that the engines have; 0: any */
    bool large;              /* kernels of hundreds to thousands of instructions */
    bool executes;           /* runs behind branches come late (random_trace.h) */
    uint32_t most_uops;      /* cases with larger kernels are left out; 0: none */
    uint64_t budget;         /* cycles of a case, unless IGPU_LONG=1; 0: all */
    unsigned long_every;     /* both with IGPU_LONG=1; 0: as `every`, all */
    uint64_t long_budget;
    /* The cases of seed 1, ended by NO_CASE, in place of one in `every`; all with
     * IGPU_LONG=1, or where cases or a seed are asked for. NULL: none. */
    const uint16_t *chosen;
    /* The pair is run in commits whose first digit leaves `turn` in `turns`, and
     * wherever cases, a seed or a pair are asked for or IGPU_LONG=1; 0: in all. */
    unsigned turns, turn;
    unsigned own_turns, own_turn; /* the same for the commit's own cases alone */
};

/* Compare all pairs (or the one asked for) in a cmocka test for each; returns
 * what main() returns. `program` is the test's name, for the command. */
int random_run(int argc, char **argv, const char *program,
               const struct random_pair *pairs, unsigned count);
#endif
