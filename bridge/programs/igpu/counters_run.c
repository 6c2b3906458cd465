/* counters_run.c - see counters_run.h. */
#include "bridge/programs/igpu/counters_run.h"

#include <string.h>

#include "bridge/host/sim/machine.h"
#include "igpu/output.h"
#include "igpu/ref.h"

bool counters_is_trace(const char *path)
{
    static const unsigned char magic[] = {0x89, 'V', 'G', 'T'};
    unsigned char first[sizeof(magic)];
    FILE *in = fopen(path, "rb");
    bool is = in != NULL && fread(first, 1, sizeof(first), in) == sizeof(first) &&
              memcmp(first, magic, sizeof(magic)) == 0;

    if (in != NULL)
        (void)fclose(in);
    return is;
}

static enum igpu_status trace_configure(const struct counters_run *run,
                                        struct igpu_config *config,
                                        struct igpu_err *err)
{
    enum igpu_status status = machine_load(config, run->config, run->trace, NULL, err);

    for (unsigned i = 0; status == IGPU_OK && i < run->settings; i++)
        status = igpu_config_set(config, run->setting[i], err);
    return status == IGPU_OK ? igpu_config_check(config, err) : status;
}

static enum igpu_status trace_simulate(const struct igpu_config *config,
                                       struct trace_reader *reader,
                                       struct oa_stream *stream, struct igpu_err *err)
{
    struct sim_options options = {
        .engine = &host_engine_ref, .config = config, .host_threads = 1, .samplers = 1};
    enum sim_state state;
    enum igpu_status status = IGPU_OK;
    struct sim *sim;

    options.sampler[0] = oa_stream_sampler(stream);
    options.kinds = oa_unit_kinds(oa_set_find(oa_stream_info(stream)->set));
    options.last_launch = trace_summary(reader)->launches - 1;
    status = trace_verify_launches(reader, 0, options.last_launch, err);
    if (status == IGPU_OK)
        status = sim_create(&sim, reader, &options, err);
    if (status != IGPU_OK)
        return status;
    do
        state = sim_step(sim);
    while (state == SIM_RUNNING);
    status = sim_status(sim, err);
    sim_destroy(sim);
    return status == IGPU_OK ? oa_stream_finish(stream, err) : status;
}

static enum igpu_status counters_tell(const struct counters_run *run,
                                      struct trace_reader *reader,
                                      const struct oa_stream *stream,
                                      enum oa_reporting reporting, struct igpu_err *err)
{
    enum igpu_status status = IGPU_OK;

    if (run->recording != NULL)
        status = oa_stream_write(stream, run->recording, err);
    if (status == IGPU_OK && run->every != NULL)
        fprintf(stderr, "igpu counters: a report every %g us (OA exponent %u)\n",
                oa_timer_seconds(run->stream.exponent) * 1e6, run->stream.exponent);
    if (status == IGPU_OK)
        status = oa_print_stream(stdout, stream, reader, reporting, run->style, err);
    return status;
}

enum igpu_status counters_run(const struct counters_run *run, struct igpu_err *err)
{
    struct oa_stream_options options = run->stream;
    struct oa_stream *stream = NULL;
    struct igpu_config config;
    struct trace_reader *reader = NULL;
    enum igpu_status status = igpu_output_check(run->recording, err);

    options.reporting = run->every != NULL ? OA_EVERY
                        : run->per_launch  ? OA_PER_LAUNCH
                                           : OA_WHOLE;
    if (status == IGPU_OK)
        status = trace_configure(run, &config, err);
    if (status == IGPU_OK)
        reader = trace_open(run->trace, &status, err);
    if (status == IGPU_OK && trace_summary(reader)->launches == 0)
        status =
            igpu_fail(err, IGPU_BAD_INPUT, "%s: the trace has no launch", run->trace);
    if (status == IGPU_OK)
        status = oa_stream_create(&stream, &config, &options, err);
    if (status == IGPU_OK)
        status = trace_simulate(&config, reader, stream, err);
    if (status == IGPU_OK)
        status = counters_tell(run, reader, stream, options.reporting, err);
    oa_stream_destroy(stream);
    if (reader != NULL)
        trace_close(reader);
    return status;
}
