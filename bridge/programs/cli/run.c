/* run.c - see run.h. */
#include "bridge/programs/cli/run.h"

#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "bridge/host/sim/check.h"
#include "bridge/host/sim/config_file.h"
#include "bridge/host/sim/lockstep_ops.h"
#include "bridge/host/sim/sim.h"
#include "bridge/host/sim/timeline.h"
#include "bridge/host/sim/values_ops.h"
#include "bridge/programs/cli/dram_file.h"
#include "bridge/programs/cli/energy.h"
#include "bridge/programs/cli/message_file.h"
#include "bridge/programs/cli/run_band.h"
#include "bridge/programs/cli/run_execute.h"
#include "bridge/programs/cli/run_oa.h"
#include "bridge/programs/cli/run_profile.h"
#include "bridge/programs/cli/run_sample.h"
#include "bridge/programs/cli/series_file.h"
#include "igpu/clock.h"
#include "igpu/heat.h"
#include "igpu/output.h"
#include "igpu/program.h"
#include "traces/launch/launch.h"

enum { DESCRIBE_BYTES = 1 << 16, BOARD_BYTES = 1024, PROGRESS_STEPS = 256 };

/* The only global: what a signal handler may touch. */
static volatile sig_atomic_t interrupted;

static void on_signal(int number)
{
    (void)number;
    interrupted = 1;
}

/* Stays in force after the first signal: a terminal and a launcher such as
 * timeout(1) may each send one, and the statistics must still be written. What the
 * caller ignores (nohup) stops nothing. */
static void catch_signals(void)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART}, was;

    (void)sigemptyset(&action.sa_mask);
    for (unsigned i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
        if (sigaction(numbers[i], NULL, &was) == 0 && was.sa_handler != SIG_IGN)
            (void)sigaction(numbers[i], &action, NULL);
}

struct progress {
    bool on, shown;
    double started, last, cpu_started;
    uint64_t threads;
};

static void show_progress(struct progress *p, const struct sim *sim)
{
    double now = igpu_seconds(CLOCK_MONOTONIC);
    double elapsed = now - p->started;
    uint64_t done = sim_threads_ended(sim);

    if (now - p->last < 0.5)
        return;
    p->last = now;
    p->shown = true;
    fprintf(stderr, "\rcycle %" PRIu64 ", %.0f kHz, thread %" PRIu64 "/%" PRIu64,
            sim_now(sim),
            (double)sim_now(sim) / 1e3 /
                (igpu_seconds(CLOCK_PROCESS_CPUTIME_ID) - p->cpu_started),
            done, p->threads);
    if (done > 0)
        fprintf(stderr, ", ETA %.0f s   ",
                elapsed * (double)(p->threads - done) / (double)done);
    (void)fflush(stderr);
}

/* Everything that belongs to one run. */
struct run {
    const struct run_options *options;
    const struct engine_set *engines;
    struct trace_reader *reader, *second_reader;
    struct sim *sim, *second;
    struct check *check;
    struct timeline *timeline;
    struct oa_stream *oa, *second_oa; /* NULL: no OA reports */
    struct dram_file dram;            /* --dram-commands */
    struct message_file *messages;    /* --messages */
    struct series_file *series;       /* --series */
    struct power_trace *power;        /* NULL: no power against time */
    void **waves;                     /* the engine that writes them; NULL: none */
    struct values *values;
    struct launch_file *file, *second_file; /* --execute */
    struct lockstep *lockstep;              /* --rtl-values */
    struct profile *profile, *second_profile;
    struct heat *heat;
    struct cpu_access *cpu_list; /* --cpu trace:FILE */
    uint32_t cpu_count;
    struct stats_band band; /* sets 0: not asked for */
    struct progress progress;
    double seconds, cpu_seconds;
};

/* What the RTL engine offers beyond host.h. */
static enum igpu_status engine_prepare(void *engine, const void *ctx,
                                       struct igpu_err *err)
{
    const struct run *r = ctx;
    const struct run_options *o = r->options;
    enum igpu_status status;

    if (o->place != NULL) {
        status = o->engine->connect(engine, o->place, err);
        if (status == IGPU_OK)
            o->engine->heed(engine, &interrupted);
        return status;
    }
    if (o->wave != NULL) {
        *r->waves = engine;
        return o->engine->wave(engine, o->wave, err);
    }
    if (o->threads > 1 && o->engine->threads != NULL)
        o->engine->threads(engine, o->threads);
    return IGPU_OK;
}

static struct trace_reader *open_trace(const struct run_options *o,
                                       enum igpu_status *status, struct igpu_err *err)
{
    return o->execute ? trace_open_launches(o->trace, status, err)
                      : trace_open(o->trace, status, err);
}

/* What the timeline has, and what of the others goes into it. */
static void show_in_timeline(struct run *r)
{
    struct timeline_window window = r->options->window;

    window.to = window.to != 0 ? window.to : UINT64_MAX;
    timeline_window(r->timeline, &window);
    if (r->profile != NULL)
        timeline_waits(r->timeline, r->profile);
    if (r->options->series_tracks)
        series_file_tracks(r->series, r->timeline);
}

static enum igpu_status watch_banks(struct run *r, struct sim_options *so,
                                    struct igpu_err *err)
{
    so->heat = r->heat = heat_create();
    return so->heat != NULL ? IGPU_OK : igpu_no_memory(err, "--heat");
}

static enum igpu_status create(struct run *r, struct igpu_err *err)
{
    const struct run_options *o = r->options;
    struct sim_options so = {.engine =
                                 o->wave != NULL ? o->engine->waves : o->engine->ops,
                             .config = &o->config,
                             .max_cycles = o->max_cycles,
                             .host_threads = o->threads,
                             .log = o->check || o->timeline != NULL,
                             .energy = o->energy,
                             .prepare = engine_prepare,
                             .prepare_ctx = r};
    enum igpu_status status = IGPU_OK;

    if (o->cpu_trace != NULL)
        status = cpu_trace_read(o->cpu_trace, &r->cpu_list, &r->cpu_count, err);
    if (status != IGPU_OK)
        return status;
    so.remote = o->engine->remote;
    so.cpu_list = r->cpu_list;
    so.cpu_count = r->cpu_count;
    r->reader = open_trace(o, &status, err);
    if (r->reader == NULL)
        return status;
    if (o->check_values)
        status = r->engines->values->create(&r->values, o->trace, &o->config, err);
    if (status != IGPU_OK)
        return status;
    if (r->values != NULL)
        so.watch = r->engines->values->watch(r->values);
    status = options_launches(o, r->reader, &so, err);
    if (status == IGPU_OK && o->execute)
        status = run_execute_open(o, r->reader, &r->file, &so, err);
    if (status == IGPU_OK && o->rtl_values)
        status = r->engines->lockstep->create(&r->lockstep, err);
    if (status == IGPU_OK && r->lockstep != NULL)
        so.beside = r->engines->lockstep->beside(r->lockstep);
    if (status == IGPU_OK && !o->execute)
        status = trace_verify_launches(r->reader, so.first_launch, so.last_launch, err);
    if (status == IGPU_OK)
        status = igpu_output_check(o->oa, err);
    if (status == IGPU_OK)
        status = run_oa_create(o, &r->oa, &so, err);
    if (status == IGPU_OK && (o->power != NULL || (o->energy && o->timeline != NULL))) {
        status = igpu_output_check(o->power, err);
        if (status == IGPU_OK)
            status = power_trace_create(&r->power, &o->config, o->power_seconds, err);
        if (status == IGPU_OK)
            power_trace_attach(r->power, &so);
    }
    if (status == IGPU_OK)
        status = igpu_output_check(o->profile_json, err);
    if (status == IGPU_OK)
        status = igpu_output_check(o->profile_html, err);
    if (status == IGPU_OK)
        status = run_profile_create(o, &r->profile, &so, err);
    if (status == IGPU_OK && o->heat)
        status = watch_banks(r, &so, err);
    if (status == IGPU_OK && o->dram != NULL)
        status = dram_file_open(&r->dram, o->dram, &o->config, &so, err);
    if (status == IGPU_OK && o->messages != NULL)
        status = message_file_open(&r->messages, o->messages, &so, err);
    if (status == IGPU_OK && (o->series != NULL || o->series_tracks))
        status = series_file_open(&r->series, o->series, o->series_every, &so, err);
    if (status == IGPU_OK)
        status = sim_create(&r->sim, r->reader, &so, err);
    if (status == IGPU_OK && r->power != NULL)
        power_trace_watch(r->power, r->sim);
    if (status == IGPU_OK && o->timeline != NULL)
        status = timeline_open(&r->timeline, o->timeline, &o->config, r->reader, r->sim,
                               err);
    if (status == IGPU_OK && r->timeline != NULL)
        show_in_timeline(r);
    if (status != IGPU_OK || !o->check)
        return status;
    r->second_reader = open_trace(o, &status, err);
    if (r->second_reader == NULL)
        return status;
    if (o->execute)
        status = run_execute_open(o, r->second_reader, &r->second_file, &so, err);
    if (status != IGPU_OK)
        return status;
    so.engine = engine_reference(r->engines)->ops;
    so.prepare = NULL;
    so.energy = false;
    so.dram = NULL;
    so.messages = (struct sim_messages){.sent = NULL};
    so.samplers = 0;
    so.heat = NULL;
    so.remote = NULL;
    so.watch = (struct sim_watch){.ctx = NULL};
    so.beside = NULL;
    status = run_oa_create(o, &r->second_oa, &so, err);
    if (status == IGPU_OK)
        status = run_profile_create(o, &r->second_profile, &so, err);
    if (status == IGPU_OK)
        status = sim_create(&r->second, r->second_reader, &so, err);
    return status == IGPU_OK ? check_create(&r->check, r->sim, r->second, err) : status;
}

static void run_destroy(struct run *r)
{
    timeline_abort(r->timeline);
    check_destroy(r->check);
    sim_destroy(r->second);
    sim_destroy(r->sim);
    oa_stream_destroy(r->second_oa);
    oa_stream_destroy(r->oa);
    power_trace_destroy(r->power);
    profile_destroy(r->second_profile);
    profile_destroy(r->profile);
    heat_destroy(r->heat);
    igpu_output_abort(&r->dram.out);
    message_file_abort(r->messages);
    series_file_abort(r->series);
    if (r->values != NULL)
        r->engines->values->destroy(r->values);
    if (r->lockstep != NULL)
        r->engines->lockstep->destroy(r->lockstep);
    launch_file_close(r->second_file);
    launch_file_close(r->file);
    trace_close(r->second_reader);
    trace_close(r->reader);
    free(r->cpu_list);
}

static enum sim_state step_once(const struct run *r)
{
    if (r->check != NULL)
        return check_step(r->check);
    return r->timeline != NULL ? timeline_step(r->timeline) : sim_step(r->sim);
}

static enum sim_state loop(struct run *r)
{
    enum sim_state state = SIM_RUNNING;
    double wall = igpu_seconds(CLOCK_MONOTONIC);
    double cpu = igpu_seconds(CLOCK_PROCESS_CPUTIME_ID);

    r->progress.started = r->progress.last = wall;
    r->progress.cpu_started = cpu;
    for (unsigned step = 0; state == SIM_RUNNING && !interrupted; step++) {
        state = step_once(r);
        if (r->values != NULL && r->engines->values->status(r->values, NULL) != IGPU_OK)
            break;
        if (r->progress.on && step % PROGRESS_STEPS == 0)
            show_progress(&r->progress, r->sim);
    }
    if (r->progress.shown)
        fputc('\n', stderr);
    r->seconds = igpu_seconds(CLOCK_MONOTONIC) - wall;
    r->cpu_seconds = igpu_seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu;
    return state;
}

static void print_board(const struct run *r)
{
    char text[BOARD_BYTES];

    sim_engine_tell(r->sim, text, sizeof(text));
    fputs(text, stdout);
}

static enum igpu_status report(const struct run *r, struct igpu_err *err)
{
    const struct run_options *o = r->options;
    const struct trace_summary *summary = trace_summary(r->reader);
    struct stats_report report = {.engine = o->engine->name,
                                  .trace_path = o->trace,
                                  .config = &o->config,
                                  .kernels = summary->kernels,
                                  .launches_total = summary->launches,
                                  .threads_total = summary->threads};
    struct run_energy energy = {.launch = NULL};
    struct rusage usage;
    enum igpu_status status = IGPU_OK;

    report.total = sim_stats(r->sim, &report.launches, &report.launch);
    if (r->band.sets > 0)
        report.band = &r->band;
    report.host.seconds = r->seconds;
    report.host.cpu_seconds = r->cpu_seconds;
    if (getrusage(RUSAGE_SELF, &usage) == 0)
        report.host.rss_bytes = (uint64_t)usage.ru_maxrss * 1024;
    if (o->energy) {
        status = run_energy(&energy, o, r->sim, report.launches, err);
        report.energy = &energy.stats;
    }
    if (status == IGPU_OK && r->profile != NULL)
        status = run_profile_files(o, r->profile, r->sim, r->reader, err);
    if (status == IGPU_OK && !options_use_stdout(o)) {
        if (!o->profile_only)
            stats_write_text(stdout, &report);
        if (r->profile != NULL)
            run_profile_print(o, r->profile, r->sim, r->reader);
        if (r->check != NULL)
            printf("check         %" PRIu64 " events equal in %s and %s\n",
                   check_events(r->check), o->engine->name,
                   engine_reference(r->engines)->name);
        if (r->values != NULL)
            r->engines->values->print(r->values, stdout);
        if (r->lockstep != NULL)
            r->engines->lockstep->print(r->lockstep, stdout);
        if (o->place != NULL)
            print_board(r);
        status = run_oa_print(o, r->oa, r->reader, err);
        if (r->file != NULL)
            run_execute_print(r->file, report.launches);
    }
    if (status == IGPU_OK && r->second_file != NULL)
        status = run_execute_compare(r->file, r->second_file, report.launches, err);
    if (status == IGPU_OK && r->file != NULL)
        status = run_execute_dump(o, r->file, report.launches, err);
    if (status == IGPU_OK)
        status = stats_put(&report, o->json, o->csv, err);
    if (status == IGPU_OK && o->power != NULL)
        status = run_energy_csv(r->power, o, err);
    run_energy_free(&energy);
    return status;
}

static void explain_deadlock(const struct run *r)
{
    char *text = malloc(DESCRIBE_BYTES);

    if (text == NULL)
        return;
    sim_describe(r->sim, text, DESCRIBE_BYTES);
    fputs(text, stderr);
    free(text);
    fprintf(stderr, "reproduce: ./%s", r->engines->program);
    for (int i = 1; i < r->options->argc; i++)
        fprintf(stderr, " %s", r->options->argv[i]);
    fprintf(stderr, " --max-cycles %" PRIu64 "\n", sim_now(r->sim) + 1);
}

/* Complete the timeline and the waves. */
static enum igpu_status end_views(struct run *r, struct igpu_err *err)
{
    struct timeline *timeline = r->timeline;
    enum igpu_status status = IGPU_OK;

    r->timeline = NULL;
    if (timeline != NULL && r->power != NULL)
        status = run_energy_tracks(r->power, timeline, err);
    if (timeline != NULL && status == IGPU_OK)
        status = timeline_close(timeline, err);
    else
        timeline_abort(timeline);
    if (status == IGPU_OK && *r->waves != NULL)
        status = r->options->engine->wave_close(*r->waves, err);
    if (status == IGPU_OK)
        status = dram_file_close(&r->dram, err);
    if (status == IGPU_OK) {
        status = message_file_close(r->messages, err);
        r->messages = NULL;
    }
    if (status == IGPU_OK) {
        status = series_file_close(r->series, err);
        r->series = NULL;
    }
    return status;
}

static int finish(struct run *r, enum sim_state state)
{
    struct igpu_err err = {.text = "no error"};
    enum igpu_status status = IGPU_OK;

    if (state == SIM_FAILED) {
        status =
            r->check != NULL ? check_status(r->check, &err) : sim_status(r->sim, &err);
        status = (enum igpu_status)igpu_complain(r->engines->program, status, &err);
        if (status == IGPU_SIM_ERROR &&
            !sim_engine_failed(r->sim)) { /* the way there is worth looking at */
            explain_deadlock(r);
            if (end_views(r, &err) != IGPU_OK)
                (void)igpu_complain(r->engines->program, status, &err);
        }
        return (int)status;
    }
    if (r->values != NULL) {
        r->engines->values->finish(r->values);
        status = r->engines->values->status(r->values, &err);
        if (status != IGPU_OK)
            return igpu_complain(r->engines->program, status, &err);
    }
    if (state == SIM_RUNNING) /* interrupted */
        sim_stop(r->sim);
    if (r->second_profile != NULL && state != SIM_RUNNING)
        status = profile_same(r->profile, r->second_profile, &err);
    if (status != IGPU_OK)
        return igpu_complain(r->engines->program, status, &err);
    status =
        run_oa_end(r->options, r->oa, state != SIM_RUNNING ? r->second_oa : NULL, &err);
    if (status == IGPU_OK && r->timeline != NULL)
        status = run_oa_timeline(r->oa, r->timeline, &err);
    if (status == IGPU_OK)
        status = end_views(r, &err);
    if (status == IGPU_OK)
        status = report(r, &err);
    if (status != IGPU_OK)
        return igpu_complain(r->engines->program, status, &err);
    return state == SIM_DONE ? 0 : (int)IGPU_STOPPED;
}

static int trace_simulate(const struct run_options *o, const struct engine_set *engines)
{
    void *waves = NULL;
    struct run r = {.options = o, .engines = engines, .waves = &waves};
    struct igpu_err err;
    enum igpu_status status = create(&r, &err);
    int exit_status;

    if (status == IGPU_OK && o->band)
        status = run_band(o, engines, &interrupted, &r.band, &err);
    if (status != IGPU_OK) {
        run_destroy(&r);
        return igpu_complain(engines->program, status, &err);
    }
    r.progress.on = !o->quiet && isatty(STDERR_FILENO);
    r.progress.threads = trace_summary(r.reader)->threads;
    exit_status = finish(&r, loop(&r));
    run_destroy(&r);
    return exit_status;
}

static void write_config(FILE *out, void *config)
{
    config_dump(out, config);
}

int run_main(int argc, char **argv, const struct engine_set *engines)
{
    struct run_options options;
    struct igpu_err err = {.text = "no error"};
    enum igpu_status status;

    status = options_parse(&options, argc, argv, engines, &err);

    if (status != IGPU_OK)
        return igpu_complain(engines->program, status, &err);
    switch (options.action) {
    case OPTION_HELP:
        options_help(stdout, engines);
        return 0;
    case OPTION_VERSION:
        printf("%s %s\n", engines->program, IGPU_VERSION);
        return 0;
    case OPTION_STATS_HELP:
        stats_write_help(stdout);
        return 0;
    case OPTION_RUN:
        break;
    }
    if (options.dump_config != NULL) {
        status =
            igpu_output_put(options.dump_config, write_config, &options.config, &err);
        if (status != IGPU_OK)
            return igpu_complain(engines->program, status, &err);
        if (options.trace == NULL)
            return 0;
    }
    if (options.machine_note[0] != '\0')
        fprintf(stderr, "%s: note: %s\n", engines->program, options.machine_note);
    catch_signals();
    if (options.sampled || options.jobs > 0 || options.warm)
        return run_sample(&options, engines, &interrupted);
    return trace_simulate(&options, engines);
}
