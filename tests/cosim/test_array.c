/* test_array.c - the EU pipelines (rtl/igpu_array.v) in several shapes against the C
 * reference on random cases. Options: random_run.h.
 * tests/run: timeout=1800 slow */
#include "array_pairs.h"
#include "bridge/engines/rtl/array_shapes.h"
#include "further_shapes.h"

SHAPE(flat_1x3);
SHAPE(flat_1x24);
SHAPE(1x3);
SHAPE(1x24);
SHAPE(3x8);
SHAPE(small);

enum { BUDGET_LARGE = 80000 };

/* Of every sixth case of seed 1 those in which a mutant of rtl/eu is first seen by the
 * shapes of three EUs: with them each of tests/cosim/mutants_eu.py, which looks here.
 * The shapes of 24 have the same stages and more contexts. */
static const uint16_t seen[] = {0,   6,   12,  18,  24,  30,  42,  48,  72,     84,
                                132, 150, 168, 204, 264, 348, 390, 498, NO_CASE};

static const struct random_pair pairs[] = {
    PAIR_CHOSEN(flat_1x3, 1, 3, 6, seen),
    PAIR_TURN(flat_1x24, 3, 8, 24, 8, 0),
    PAIR_CHOSEN(1x3, 1, 3, 6, seen),
    PAIR_TURN(1x24, 3, 8, 24, 8, 1),
    PAIR_TURN(3x8, 3, 8, 36, 16, 2),
    /* Kernels that are larger than the instruction store. */
    {.name = "ref-small",
     .a = {"the reference", &host_engine_ref, 0, true},
     .b = {"a small store", &ops_small, 0, false},
     .every = 100,
     .subslices = 1,
     .eus = 3,
     .large = true,
     .budget = BUDGET_LARGE},
};

int main(int argc, char **argv)
{
    return random_run(argc, argv, "test_array", pairs,
                      sizeof(pairs) / sizeof(pairs[0]));
}
