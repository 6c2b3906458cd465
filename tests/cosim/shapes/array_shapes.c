/* array_shapes.c - test_array's comparison for the shapes of pipes.h: pipelines x
 * contexts 1x1 (in both shells), 3x1, 24x1, 6x8 and 2x24 against the C reference on
 * random cases. Options: random_run.h.
 */
#include "pipes.h"
#include "tests/cosim/array_pairs.h"

SHAPE(flat_1x1);
SHAPE(1x1);
SHAPE(3x1);
SHAPE(24x1);
SHAPE(6x8);
SHAPE(2x24);

static const struct random_pair pairs[] = {
    PAIR(flat_1x1, 1, 1, 16), PAIR(1x1, 1, 1, 16), PAIR(3x1, 1, 3, 16),
    PAIR(24x1, 3, 8, 12),     PAIR(6x8, 6, 8, 12), PAIR(2x24, 6, 8, 16)};

int main(int argc, char **argv)
{
    return random_run(argc, argv, "array_shapes", pairs,
                      sizeof(pairs) / sizeof(pairs[0]));
}
