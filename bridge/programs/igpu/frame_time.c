/* frame_time.c - `igpu frame time`: a frame's cycles, draw by draw. */
#include "bridge/programs/igpu/frame_time.h"

#include <getopt.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "bridge/host/sim/machine.h"
#include "bridge/programs/igpu/counters_run.h"
#include "bridge/programs/igpu/frame_cost.h"
#include "bridge/programs/igpu/frame_play.h"
#include "bridge/programs/igpu/frame_trace.h"
#include "igpu/option.h"
#include "igpu/output.h"
#include "igpu/program.h"

enum { OPT_FRAME = IGPU_OPTION_LONG, OPT_CSV, OPT_NO_HIZ, MAX_SETTINGS = 64 };

static const char program[] = "igpu frame time";

struct options {
    const char *config, *file, *setting[MAX_SETTINGS];
    uint32_t settings;
    uint64_t frame; /* 0: the last one */
    bool csv, no_hiz;
};

const struct igpu_option frame_time_options[] = {
    {'c', "config", "NAME|FILE", "the machine (default: of the trace's device)"},
    {'s', "set", "KEY=VALUE", "change one parameter; repeatable"},
    {OPT_FRAME, "frame", "N", "the frame (default: the last one in the file)"},
    {OPT_CSV, "csv", "", "a line a draw"},
    {OPT_NO_HIZ, "no-hiz", "",
     "as if no draw's depth were tested by hierarchical depth,\n"
     "in blocks of 8x4 pixels"},
    {.name = NULL},
};

static int time_take(void *ctx, int option)
{
    struct options *o = ctx;

    switch (option) {
    case 'c':
        o->config = optarg;
        return 0;
    case 's':
        if (o->settings == MAX_SETTINGS)
            return igpu_complain_of(program, IGPU_USAGE, "more than %d settings",
                                    MAX_SETTINGS);
        o->setting[o->settings++] = optarg;
        return 0;
    case OPT_CSV:
        o->csv = true;
        return 0;
    case OPT_NO_HIZ:
        o->no_hiz = true;
        return 0;
    default:
        return frame_number(program, optarg, &o->frame);
    }
}

static int parse(int argc, char **argv, struct options *o)
{
    int status = frame_options(program, argc, argv, frame_time_options, time_take, o);

    if (status != 0)
        return status;
    if (optind + 1 != argc)
        return igpu_complain_of(
            program, IGPU_USAGE,
            "expected one frame file or trace, got %d; see igpu frame --help",
            argc - optind);
    o->file = argv[optind];
    return 0;
}

/* trace: whose device is the machine, where none was named. */
static enum igpu_status frame_configure(const struct options *o, const char *trace,
                                        struct igpu_config *config,
                                        struct igpu_err *err)
{
    enum igpu_status status = machine_load(config, o->config, trace, NULL, err);

    for (uint32_t i = 0; status == IGPU_OK && i < o->settings; i++)
        status = igpu_config_set(config, o->setting[i], err);
    return status == IGPU_OK ? igpu_config_check(config, err) : status;
}

/* Record a capture's frame in a file without a name and simulate that. */
static enum igpu_status time_capture(const struct options *o,
                                     struct igpu_config *config,
                                     struct frame_costs *costs, struct igpu_err *err)
{
    char path[IGPU_OUTPUT_UNNAMED];
    struct frame_recorded recorded;
    enum igpu_status status;
    int fd = igpu_output_unnamed(path, err);

    if (fd < 0)
        return IGPU_USAGE;
    status = frame_trace_record(o->file, o->frame, o->no_hiz, path, &recorded, err);
    if (status == IGPU_OK)
        status = frame_configure(o, path, config, err);
    if (status == IGPU_OK)
        status = frame_costs_find(costs, path, config, err);
    (void)close(fd);
    return status;
}

int frame_time(int argc, char **argv)
{
    struct options o = {.config = NULL};
    struct frame_costs costs = {.cost = NULL};
    struct igpu_config config;
    struct igpu_err err = {.text = ""};
    enum igpu_status status = (enum igpu_status)parse(argc, argv, &o);

    if (status != IGPU_OK)
        return (int)status;
    status = frame_configure(&o, o.file, &config, &err);
    if (status == IGPU_OK && counters_is_trace(o.file))
        status =
            o.frame == 0 && !o.no_hiz
                ? frame_costs_find(&costs, o.file, &config, &err)
                : igpu_fail(&err, IGPU_USAGE,
                            "--frame and --no-hiz go with a capture; %s is a trace",
                            o.file);
    else if (status == IGPU_OK)
        status = time_capture(&o, &config, &costs, &err);
    if (status == IGPU_OK && o.csv)
        frame_costs_csv(stdout, &costs);
    else if (status == IGPU_OK)
        frame_costs_print(stdout, &costs, &config);
    frame_costs_free(&costs);
    if (status != IGPU_OK)
        return igpu_complain(program, status, &err);
    return (int)status;
}
