/* test_random_ref.c - the C reference on random cases against the contract
 * taken literally (naive.h), and against itself: its cycles depend neither on
 * windows, nor on the order of its parts, nor on skips. Options: random_run.h.
 * tests/run: timeout=900 slow */
#include "igpu/host.h"
#include "igpu/ref.h"
#include "naive.h"
#include "random_run.h"

/* Of 30 defects put into csim/ref (docs/lab/2026-11-tests.md) 23 are seen, the last in
 * case 172. */
enum { CASES = 250 };

static const struct random_pair pairs[] = {
    {.name = "ref-naive",
     .a = {"the reference", &host_engine_ref, 0, true},
     .b = {"the naive engine", &host_engine_naive, 0, false},
     .every = 4,
     .cases = CASES,
     .subslices = 0,
     .eus = 0,
     .large = false,
     .budget = 0},
    {.name = "ref-windows",
     .a = {"the reference", &host_engine_ref, 0, false},
     .b = {"the reference in windows of one cycle", &host_engine_ref, 1, false},
     .every = 4,
     .cases = CASES,
     .subslices = 0,
     .eus = 0,
     .large = false,
     .budget = 0},
    {.name = "ref-reverse",
     .a = {"the reference", &host_engine_ref, 0, true},
     .b = {"the reference in reverse order", &host_engine_ref_reverse, 0, false},
     .every = 4,
     .cases = CASES,
     .subslices = 0,
     .eus = 0,
     .large = false,
     .budget = 0},
    {.name = "ref-skip",
     .a = {"the reference with skips", &host_engine_ref, 3, true},
     .b = {"the reference without skips", &host_engine_ref, 0, false},
     .every = 4,
     .cases = CASES,
     .subslices = 0,
     .eus = 0,
     .large = false,
     .budget = 0},
};

int main(int argc, char **argv)
{
    return random_run(argc, argv, "test_random_ref", pairs,
                      sizeof(pairs) / sizeof(pairs[0]));
}
