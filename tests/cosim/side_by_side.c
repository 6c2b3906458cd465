/* side_by_side.c - see side_by_side.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "bridge/host/sim/check.h"
#include "bridge/host/sim/sim.h"
#include "igpu/ref.h"
#include "side_by_side.h"
#include "traces/format/trace.h"

void check_side_by_side(const char *path, const struct igpu_config *config,
                        const struct host_engine_ops *other, uint64_t seed)
{
    struct sim_options options = {
        .engine = &host_engine_ref, .config = config, .host_threads = 1, .log = true};
    struct trace_reader *reader[2];
    enum sim_state state = SIM_RUNNING;
    struct igpu_err err = {.text = ""};
    struct check *check;
    struct sim *sim[2];

    for (unsigned i = 0; i < 2; i++) {
        reader[i] = trace_open(path, NULL, &err);
        assert_non_null(reader[i]);
        options.last_launch = trace_summary(reader[i])->launches - 1;
        if (sim_create(&sim[i], reader[i], &options, &err) != IGPU_OK)
            fail_msg("seed %llu: %s", (unsigned long long)seed, err.text);
        options.engine = other;
    }
    assert_int_equal(check_create(&check, sim[0], sim[1], &err), IGPU_OK);
    while (state == SIM_RUNNING)
        state = check_step(check);
    (void)check_status(check, &err);
    if (state != SIM_DONE)
        fail_msg("seed %llu, %s: %s", (unsigned long long)seed, other->name, err.text);
    check_destroy(check);
    for (unsigned i = 0; i < 2; i++) {
        sim_destroy(sim[i]);
        trace_close(reader[i]);
    }
}
