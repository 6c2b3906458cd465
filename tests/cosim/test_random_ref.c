/* test_random_ref.c - the C reference on random cases against the contract
 * taken literally (naive.h), and against itself: its cycles depend neither on
 * windows, nor on the order of its parts, nor on skips. Options: random_run.h.
 * tests/run: timeout=900 slow */
#include "igpu/host.h"
#include "igpu/ref.h"
#include "naive.h"
#include "random_run.h"

static const struct random_pair pairs[] = {
    {"ref-naive",
     {"the reference", &host_engine_ref, 0, true},
     {"the naive engine", &host_engine_naive, 0, false},
     4,
     0,
     0,
     false,
     0},
    {"ref-windows",
     {"the reference", &host_engine_ref, 0, false},
     {"the reference in windows of one cycle", &host_engine_ref, 1, false},
     4,
     0,
     0,
     false,
     0},
    {"ref-reverse",
     {"the reference", &host_engine_ref, 0, true},
     {"the reference in reverse order", &host_engine_ref_reverse, 0, false},
     4,
     0,
     0,
     false,
     0},
    {"ref-skip",
     {"the reference with skips", &host_engine_ref, 3, true},
     {"the reference without skips", &host_engine_ref, 0, false},
     4,
     0,
     0,
     false,
     0},
};

int main(int argc, char **argv)
{
    return random_run(argc, argv, "test_random_ref", pairs,
                      sizeof(pairs) / sizeof(pairs[0]));
}
