/* test_random.c - the default engine against the C reference on random cases (the RTL's
 * top: test_array.c). Options: random_run.h.
 * tests/run: timeout=1800 slow */
#include "bridge/engines/rtl/engine_rtl.h"
#include "igpu/host.h"
#include "igpu/ref.h"
#include "random_run.h"

static const struct random_pair pairs[] = {
    {.name = "ref-rtl",
     .a = {"the reference", &host_engine_ref, 0, true},
     .b = {"the RTL", &host_engine_rtl, 0, true},
     .every = 1,
     .subslices = 0,
     .eus = 0,
     .large = false,
     .budget = 0},
    {.name = "ref-rtl-executes",
     .a = {"the reference", &host_engine_ref, 0, true},
     .b = {"the RTL, redirected", &host_engine_rtl, 0, true},
     .every = 12,
     .executes = true,
     .budget = 20000},
};

int main(int argc, char **argv)
{
    return random_run(argc, argv, "test_random", pairs,
                      sizeof(pairs) / sizeof(pairs[0]));
}
