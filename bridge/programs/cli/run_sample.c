/* run_sample.c - see run_sample.h. */
#include "bridge/programs/cli/run_sample.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "bridge/host/sample/before.h"
#include "bridge/host/sample/pieces.h"
#include "bridge/programs/cli/run.h"
#include "bridge/programs/cli/run_profile.h"
#include "igpu/clock.h"
#include "igpu/output.h"
#include "igpu/program.h"

struct sampled {
    const struct run_options *options;
    const struct engine_set *engines;
    const volatile sig_atomic_t *interrupted;
    struct machine machine;
    struct launches launches;
    bool shown;
    double told; /* when progress was shown last */
};

/* Of this process and those that it waited for. */
static double cpu_now(void)
{
    static const int who[] = {RUSAGE_SELF, RUSAGE_CHILDREN};
    struct rusage usage;
    double sum = 0;

    for (unsigned i = 0; i < 2; i++)
        if (getrusage(who[i], &usage) == 0)
            sum += (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
                   (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6;
    return sum;
}

static bool stop(void *ctx, uint64_t cycle)
{
    struct sampled *s = ctx;

    if (!s->options->quiet && cycle % 256 == 0 && isatty(STDERR_FILENO)) {
        double now = igpu_seconds(CLOCK_MONOTONIC);

        if (now - s->told >= 0.5) {
            s->told = now;
            s->shown = true;
            fprintf(stderr, "\rlaunch %u of %u simulated, cycle %" PRIu64 "   ",
                    s->launches.simulated + 1, s->launches.count, cycle);
        }
    }
    return *s->interrupted != 0;
}

/* Host threads of the engine. */
static enum igpu_status engine_prepare(void *engine, const void *ctx,
                                       struct igpu_err *err)
{
    const struct sampled *s = ctx;

    (void)err;
    if (s->options->threads > 1 && s->options->engine->threads != NULL)
        s->options->engine->threads(engine, s->options->threads);
    return IGPU_OK;
}

static enum igpu_status warm(struct machine *m, uint32_t first, struct igpu_err *err)
{
    struct before *before = before_new(m, err);
    enum igpu_status status = IGPU_BAD_INPUT;

    if (before != NULL)
        status = before_launch(before, m, 0, first, err);
    before_free(before);
    return status;
}

/* With --warm the caches are as the launches before leave them, and more launches are
 * to follow. */
static enum igpu_status part_simulate(struct sampled *s, uint32_t first, uint32_t last,
                                      struct igpu_err *err)
{
    const struct run_options *o = s->options;
    const struct sample_options *sample = o->sampled ? &o->sample : NULL;
    struct side side = {&s->machine,         o->trace, first,
                        o->warm ? 0 : first, o->jobs,  sample};
    enum igpu_status status = IGPU_OK;

    if (o->jobs > 0) {
        status = pieces_run(&s->launches, &side, last, err);
    } else {
        if (o->warm)
            status = warm(&s->machine, first, err);
        if (status == IGPU_OK)
            status = launches_run(&s->launches, &s->machine, first, last, sample, err);
    }
    if (status == IGPU_OK && o->warm &&
        last + 1 < trace_summary(s->machine.reader)->launches)
        launches_go_on(&s->launches);
    return status;
}

static enum igpu_status part_run(struct sampled *s, struct igpu_err *err)
{
    const struct run_options *o = s->options;
    enum igpu_status status = IGPU_OK;
    struct sim_options which;

    s->machine.sim = (struct sim_options){.engine = o->engine->ops,
                                          .config = &o->config,
                                          .host_threads = o->threads,
                                          .prepare = engine_prepare,
                                          .prepare_ctx = s};
    s->machine.profile = o->profile;
    s->machine.by = run_profile_by(o);
    s->machine.stop = stop;
    s->machine.stop_ctx = s;
    s->machine.reader = trace_open(o->trace, &status, err);
    if (s->machine.reader == NULL)
        return status;
    status = options_launches(o, s->machine.reader, &which, err);
    if (status != IGPU_OK)
        return status;
    return part_simulate(s, which.first_launch, which.last_launch, err);
}

/* ---- the report ---------------------------------------------------------------- */

static struct stats_interval interval(const struct launches_row *row)
{
    double half = row->statistical + row->allowed;
    double low = row->cycles - half;

    return (struct stats_interval){low > 0 ? (uint64_t)(low + 0.5) : 0,
                                   (uint64_t)(row->cycles + half + 0.5), row->threads};
}

static enum igpu_status sampled_put(const struct sampled *s,
                                    struct stats_report *report, struct igpu_err *err)
{
    const struct run_options *o = s->options;
    enum igpu_status status = IGPU_OK;
    bool quiet = options_use_stdout(o);

    if (!quiet && !o->profile_only)
        stats_write_text(stdout, report);
    if (o->profile)
        status = run_profile_launches(o, &s->launches, s->machine.reader, quiet, err);
    return status != IGPU_OK ? status : stats_put(report, o->json, o->csv, err);
}

static enum igpu_status sample_tell(const struct sampled *s, double wall, double cpu,
                                    struct igpu_err *err)
{
    const struct trace_summary *summary = trace_summary(s->machine.reader);
    const struct launches *l = &s->launches;
    struct stats_interval total = interval(&l->total);
    struct stats_interval *launch = calloc(l->count, sizeof(*launch));
    struct sim_stats *stats = calloc(l->count, sizeof(*stats));
    struct stats_sample sample = {&total, launch, l->simulated};
    struct stats_report report = {.engine = s->options->engine->name,
                                  .trace_path = s->options->trace,
                                  .config = &s->options->config,
                                  .kernels = summary->kernels,
                                  .launches_total = summary->launches,
                                  .threads_total = summary->threads,
                                  .total = &l->total.stats,
                                  .launch = stats,
                                  .launches = l->count,
                                  .host = {.seconds = wall, .cpu_seconds = cpu},
                                  .sample = s->options->sampled ? &sample : NULL};
    struct rusage usage;
    enum igpu_status status = IGPU_OK;

    if (launch == NULL || stats == NULL)
        status = igpu_no_memory(err, "sample");
    for (uint32_t i = 0; i < l->count && status == IGPU_OK; i++) {
        launch[i] = interval(&l->row[i]);
        stats[i] = l->row[i].stats;
    }
    if (getrusage(RUSAGE_SELF, &usage) == 0)
        report.host.rss_bytes = (uint64_t)usage.ru_maxrss * 1024;
    if (status == IGPU_OK)
        status = sampled_put(s, &report, err);
    free(launch);
    free(stats);
    return status;
}

int run_sample(const struct run_options *options, const struct engine_set *engines,
               const volatile sig_atomic_t *interrupted)
{
    struct sampled s = {
        .options = options, .engines = engines, .interrupted = interrupted};
    double wall = igpu_seconds(CLOCK_MONOTONIC);
    double cpu = cpu_now();
    struct igpu_err err = {.text = "no error"};
    enum igpu_status status = part_run(&s, &err);

    if (s.shown)
        fputc('\n', stderr);
    if (status == IGPU_OK)
        status = sample_tell(&s, igpu_seconds(CLOCK_MONOTONIC) - wall, cpu_now() - cpu,
                             &err);
    launches_free(&s.launches);
    machine_free(&s.machine);
    trace_close(s.machine.reader);
    return status == IGPU_OK ? 0 : igpu_complain(engines->program, status, &err);
}
