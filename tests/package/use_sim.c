/* use_sim.c - a program outside the project that runs a trace on the C reference and
 * prints its cycles. Compiled against what `make install` left; see test_install.sh. */
#include <inttypes.h>
#include <stdio.h>

#include <bridge/host/sim/config_file.h>
#include <bridge/host/sim/sim.h>
#include <igpu/ref.h>

static int fail(const struct igpu_err *err)
{
    fprintf(stderr, "use_sim: %s\n", err->text);
    return 1;
}

static int simulate(struct trace_reader *reader, const struct igpu_config *config)
{
    struct sim_options options = {
        .engine = &host_engine_ref, .config = config, .host_threads = 1};
    const struct sim_stats *launch;
    struct igpu_err err;
    struct sim *sim;
    uint32_t launches;

    options.last_launch = trace_summary(reader)->launches - 1;
    if (sim_create(&sim, reader, &options, &err) != IGPU_OK)
        return fail(&err);
    while (sim_step(sim) == SIM_RUNNING)
        ;
    if (sim_status(sim, &err) != IGPU_OK)
        return fail(&err);
    printf("%" PRIu64 " cycles\n", sim_stats(sim, &launches, &launch)->run_cycles);
    sim_destroy(sim);
    return 0;
}

int main(int argc, char **argv)
{
    struct trace_reader *reader;
    struct igpu_config config;
    struct igpu_err err;
    int failed;

    if (config_load(&config, "skl-gt2", &err) != IGPU_OK)
        return fail(&err);
    reader = trace_open(argv[argc - 1], NULL, &err);
    if (reader == NULL)
        return fail(&err);
    failed = simulate(reader, &config);
    trace_close(reader);
    return failed;
}
