/* measured.c - `igpu bench measured`: published measurements of real GPUs that
 * calibrated nothing, each repeated on a model of its machine (measured.def,
 * docs/reference/measured.md). */
#include <fnmatch.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bridge/programs/bench/bench.h"
#include "traces/program/file_cache.h"

enum better { HIGHER, LOWER };
enum { MAX_PATH = 4096, MAX_ARGUMENTS = 512 };

static const struct row {
    const char *name, *machine, *settings;
    double real;
    const char *unit;
    enum better better;
    double work;
    const char *source;
    const char *file, *kernel, *options; /* file: NULL for a program's trace */
    uint64_t rows, global, local;
    uint32_t repeat;
    const char *arguments;
    const char *base;
} all_rows[] = {
#define MEASURED_KERNEL(...) {__VA_ARGS__, ""},
#define MEASURED_PROGRAM(row, machine, settings, real, unit, better, work, source,     \
                         base)                                                         \
    {row,  machine, settings, real, unit, better, work, source, NULL,                  \
     NULL, NULL,    0,        0,    0,    0,      NULL, base},
#include "bridge/programs/bench/measured.def"
#undef MEASURED_KERNEL
#undef MEASURED_PROGRAM
};
enum { ROWS = sizeof(all_rows) / sizeof(all_rows[0]) };

static const struct bench_option options[] = {
    {"rows", "PATTERN", "*", "rows with such names ('glmark2-*'), and what they need"},
    {"programs", "DIR", NULL,
     "traces that traces/workloads/measured.sh made (default: where it puts them)"},
    {NULL, NULL, NULL, NULL}};

static const struct bench_column columns[] = {
    {"row", -1},  {"machine", -1}, {"unit", -1},     {"real", 4},
    {"model", 4}, {"ratio", 3},    {"deviation", 3}, {NULL, 0}};

struct plan {
    char programs[MAX_PATH];
    const struct row *row[ROWS];
    uint32_t count;
};

/* ---- which rows ---------------------------------------------------------- */

static enum igpu_status find_programs(const struct bench_context *c, struct plan *p,
                                      struct igpu_err *err)
{
    const char *given = bench_text(c, "programs");
    char folder[MAX_PATH - 16];

    if (given != NULL &&
        snprintf(p->programs, sizeof(p->programs), "%s", given) < MAX_PATH)
        return IGPU_OK;
    if (given != NULL || !cache_folder(NULL, folder, sizeof(folder)))
        return igpu_fail(err, IGPU_USAGE,
                         "no folder for traces: set HOME or XDG_CACHE_HOME to one that "
                         "can be written, or give --programs");
    (void)snprintf(p->programs, sizeof(p->programs), "%s/measured", folder);
    return IGPU_OK;
}

static bool trace_path(const struct plan *p, const struct row *row, char *path,
                       uint32_t cap)
{
    return snprintf(path, cap, "%s/%s.pb", p->programs, row->name) < (int)cap &&
           access(path, R_OK) == 0;
}

/* A row whose base is not chosen needs it too, before itself. */
static bool is_base(const char *pattern, const struct row *row)
{
    for (uint32_t i = 0; i < ROWS; i++)
        if (strcmp(all_rows[i].base, row->name) == 0 &&
            fnmatch(pattern, all_rows[i].name, 0) == 0)
            return true;
    return false;
}

static enum igpu_status choose_rows(const struct bench_context *c, struct plan *p,
                                    struct igpu_err *err)
{
    const char *pattern = bench_text(c, "rows");
    uint32_t missing = 0;
    char path[MAX_PATH];

    for (uint32_t i = 0; i < ROWS; i++) {
        const struct row *row = &all_rows[i];

        if (fnmatch(pattern, row->name, 0) != 0 && !is_base(pattern, row))
            continue;
        if (row->file == NULL && !trace_path(p, row, path, sizeof(path)))
            missing++;
        else
            p->row[p->count++] = row;
    }
    if (p->count == 0 && missing > 0)
        return igpu_fail(err, IGPU_USAGE,
                         "--rows %s: no trace of it in %.*s; run "
                         "traces/workloads/measured.sh",
                         pattern, 128, p->programs);
    if (p->count == 0)
        return igpu_fail(
            err, IGPU_USAGE,
            "--rows %s: no row has such a name; 'igpu bench measured' runs "
            "all",
            pattern);
    if (missing > 0)
        fprintf(stderr,
                "igpu bench measured: %u rows left out, of programs that are not "
                "recorded; run traces/workloads/measured.sh\n",
                missing);
    return IGPU_OK;
}

/* ---- a row's simulation -------------------------------------------------- */

/* Calls take(sim, "%s", word) for each word of `text`. */
static void each_word(struct bench_sim *sim, const char *text,
                      void (*take)(struct bench_sim *sim, const char *format, ...))
{
    char copy[MAX_ARGUMENTS], *rest;

    (void)snprintf(copy, sizeof(copy), "%s", text);
    for (char *word = strtok_r(copy, " ", &rest); word != NULL;
         word = strtok_r(NULL, " ", &rest))
        take(sim, "%s", word);
}

static void make_sim(const struct bench_context *c, const void *plan, uint32_t i,
                     struct bench_sim *sim)
{
    const struct plan *p = plan;
    const struct row *row = p->row[i];

    (void)c;
    sim->machine = row->machine;
    each_word(sim, row->settings, bench_sim_set);
    if (row->file == NULL) {
        (void)trace_path(p, row, sim->trace, sizeof(sim->trace));
        return;
    }
    sim->file = row->file;
    sim->kernel = row->kernel;
    (void)snprintf(sim->options, sizeof(sim->options), "%s", row->options);
    sim->global = row->global;
    sim->rows = row->rows;
    sim->local = row->local;
    sim->repeat = row->repeat;
    each_word(sim, row->arguments, bench_sim_arg);
}

/* ---- results ------------------------------------------------------------- */

static double model_value(const struct row *row, const struct bench_sim *sim)
{
    double ns = 0;

    if (row->file != NULL)
        ns = bench_sim_value(sim, "time_ns");
    for (uint32_t l = 0; row->file == NULL && l < bench_sim_launches(sim); l++)
        ns += bench_sim_launch_value(sim, "time_ns", l);
    return row->better == HIGHER ? row->work / ns : row->work * ns;
}

/* What the published value has beside the GPU's work: of the base's row, which stands
 * before this one. */
static double beside(const struct plan *p, const struct row *row,
                     const struct bench_table *t)
{
    for (uint32_t i = 0; i < p->count; i++)
        if (strcmp(p->row[i]->name, row->base) == 0)
            return p->row[i]->real - bench_table_get(t, i, "model");
    return 0;
}

static void fill_row(const struct bench_context *c, const void *plan,
                     const struct bench_sim *sim, struct bench_table *t, uint32_t i)
{
    const struct plan *p = plan;
    const struct row *row = p->row[i];
    double model = model_value(row, sim), real = row->real - beside(p, row, t);
    double ratio = row->better == HIGHER ? model / real : real / model;
    bool other = is_base("*", row); /* it says what others are measured against */

    (void)c;
    bench_table_word(t, i, "row", row->name);
    bench_table_word(t, i, "machine", row->machine);
    bench_table_word(t, i, "unit", row->unit);
    bench_table_set(t, i, "real", real);
    bench_table_set(t, i, "model", model);
    bench_table_set(t, i, "ratio", other ? NAN : ratio);
    bench_table_set(t, i, "deviation", other ? NAN : exp(fabs(log(ratio))));
}

static void tell_mean(const struct bench_table *t)
{
    uint32_t rows = 0;
    double sum = 0;

    for (uint32_t i = 0; i < t->rows; i++)
        if (!isnan(bench_table_get(t, i, "deviation"))) {
            sum += log(bench_table_get(t, i, "deviation"));
            rows++;
        }
    if (rows > 0)
        fprintf(stderr, "%u rows with a ratio, geometric mean of the deviations %.3f\n",
                rows, exp(sum / rows));
}

static enum igpu_status measured_run(const struct bench_context *c,
                                     struct bench_table *t, struct igpu_err *err)
{
    struct plan *p = calloc(1, sizeof(*p));
    enum igpu_status status = IGPU_OK;

    if (p == NULL)
        return igpu_no_memory(err, "measured rows");
    if (strcmp(c->config_name, "skl-gt2") != 0)
        status = igpu_fail(err, IGPU_USAGE,
                           "--config: each row has the machine that was measured");
    if (status == IGPU_OK)
        status = find_programs(c, p, err);
    if (status == IGPU_OK)
        status = choose_rows(c, p, err);
    if (status == IGPU_OK)
        status = bench_measure(c, p, p->count, t, err);
    if (status == IGPU_OK && !c->quiet)
        tell_mean(t);
    free(p);
    return status;
}

const struct bench bench_measured = {
    .name = "measured",
    .text = "measurements of GPUs that nobody calibrated on, and the model",
    .options = options,
    .columns = columns,
    .run = measured_run,
    .make = make_sim,
    .fill = fill_row};
