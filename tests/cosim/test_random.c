/* test_random.c - the RTL against the C reference on random cases: the tiles,
 * and the full top. Options: random_run.h.
 * tests/run: timeout=1800 slow */
#include "bridge/rtl/engine_rtl.h"
#include "igpu/host.h"
#include "igpu/ref.h"
#include "random_run.h"

static const struct random_pair pairs[] = {
    {"ref-rtl",
     {"the reference", &host_engine_ref, 0, true},
     {"the RTL", &host_engine_rtl, 0, true},
     1,
     0,
     0,
     false,
     0},
    {"ref-rtl-full",
     {"the reference", &host_engine_ref, 0, false},
     {"the RTL's full top", &host_engine_rtl_full, 0, false},
     4,
     0,
     0,
     false,
     15000}, /* a cycle of it is some twenty of the tiles', and long cases have most */
};

int main(int argc, char **argv)
{
    return random_run(argc, argv, "test_random", pairs,
                      sizeof(pairs) / sizeof(pairs[0]));
}
