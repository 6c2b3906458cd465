/* cmd_suite.c - `igpu suite`: run a list of kernel cases (traces/kernels/cases.yaml)
 * on the emulator, compare every buffer with the host's reference, and record the
 * cases that are samples. Tests: tests/traces/test_suite.sh */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/programs/igpu/commands.h"
#include "igpu/option.h"
#include "igpu/program.h"
#include "traces/kernels/cases.h"
#include "traces/kernels/check.h"
#include "traces/program/compile_progress.h"
#include "traces/record/record.h"

enum {
    OPT_CASE = IGPU_OPTION_LONG,
    OPT_SAMPLES,
    OPT_TRACES,
    OPT_VALUES,
    OPT_THREADS,
    OPT_RACES,
    MAX_PATH = 4096,
    MAX_OPTIONS = 1024
};

static const char command_name[] = "igpu suite";

static const struct igpu_option table[] = {
    {OPT_CASE, "case", "NAME", "this one alone"},
    {OPT_SAMPLES, "samples", "DIR",
     "only the cases marked as samples, at that width; their\n"
     "traces go to DIR/NAME.pb"},
    {OPT_TRACES, "traces", "DIR", "each case's trace goes to DIR/NAME_simdWIDTH.pb"},
    {OPT_VALUES, "values", "", "with FPU values in them,"},
    {OPT_THREADS, "values-threads", "N", "of the first N threads"},
    {OPT_RACES, "races", "", "tell races on stderr (docs/guide/races.md)"},
    {'d', "device", "NAME", "skl (default), kbl, kbl-gt2 or cfl-gt2"},
    {'O', "options", "TEXT",
     "build options behind each case's own, as -cl-opt-disable;\n"
     "cases then run at the width that the compiler gives them"},
    {'h', "help", "", "this"},
    {.name = NULL},
};

struct suite {
    struct record_values values;
    const char *list, *only, *samples, *traces, *device;
    const char *more; /* build options behind each case's own */
    struct case_list cases;
    unsigned passed, failed, skipped;
    bool races;
};

static void print_help(FILE *out)
{
    fputs(
        "usage: igpu suite [--case NAME] [--samples DIR|--traces DIR] [-d DEVICE]\n"
        "                  [--values] [--values-threads N] [--races] [-O OPTIONS]\n"
        "                  CASES.yaml\n"
        "\n"
        "Runs each case at each of its SIMD widths on the emulator and compares every\n"
        "buffer with the host's reference.\n",
        out);
    igpu_option_help(out, table);
}

static enum igpu_status results_compare(const struct kernel_case *c, unsigned simd,
                                        const struct record_result *result,
                                        struct igpu_err *err)
{
    const void **after = calloc(c->arg_count + 1, sizeof(*after));
    struct check_input in = {.c = c, .simd = simd};
    enum igpu_status status;

    if (after == NULL)
        return igpu_no_memory(err, "the suite's cases");
    for (size_t i = 0; i < c->arg_count; i++)
        after[i] = result->buffer[i].host;
    in.after = after;
    status = check_run(&in, err);
    free(after);
    return status;
}

/* The compiler calls functions of one width from code of another: their arguments lie
 * elsewhere, on the machine too. */
static bool wrong_width(const struct record_program *p)
{
    return p->kernel->shared_at != 0 && p->image->shared_simd != p->kernel->simd_size;
}

/* ctx: the case and its width. */
static void race(void *ctx, const char *text)
{
    fprintf(stderr, "%s: %s: %s\n", command_name, (const char *)ctx, text);
}

/* Of the suite's own cases, what the compiler warns of is nobody's news. */
static void said(void *progress, const char *log, bool compiled)
{
    if (!compiled)
        compile_progress_said(progress, log, compiled);
}

static enum igpu_status run_case(const struct suite *s, const struct kernel_case *c,
                                 unsigned simd, const char *trace, struct igpu_err *err)
{
    char path[MAX_PATH], options[MAX_OPTIONS], line[2 * MAX_PATH];
    struct record_program program;
    struct record_result result = {0};
    struct record_job job = {.dims = c->dims,
                             .arg = c->args,
                             .arg_count = (uint32_t)c->arg_count,
                             .trace = trace,
                             .device = s->device,
                             .file = c->file,
                             .values = s->values,
                             .command_line = line};
    char name[MAX_OPTIONS];
    const struct emu_races races = {name, race};
    struct compile_progress progress;
    struct compile_waiting waiting;
    enum igpu_status status;
    size_t length;

    for (unsigned i = 0; i < 3; i++) {
        job.global[i] = c->global[i];
        job.local[i] = c->local[i];
    }
    if (snprintf(path, sizeof(path), "%s/%s", s->cases.folder, c->file) >=
            (int)sizeof(path) ||
        case_options(c, simd, options, sizeof(options)) != 0)
        return igpu_fail(err, IGPU_BAD_INPUT, "case %s: path or options too long",
                         c->name);
    (void)snprintf(name, sizeof(name), "%s SIMD%u", c->name, simd);
    job.races = s->races ? &races : NULL;
    length = strlen(options);
    if (s->more != NULL && snprintf(options + length, sizeof(options) - length, " %s",
                                    s->more) >= (int)(sizeof(options) - length))
        return igpu_fail(err, IGPU_USAGE, "-O: too long");
    (void)snprintf(line, sizeof(line), "igpu suite --case %s (SIMD%u)", c->name, simd);
    waiting = compile_progress_begin(&progress, command_name, s->device, false);
    waiting.said = said;
    status = record_open(&program, path, s->device, options, c->kernel, &waiting, err);
    compile_progress_end(&progress);
    if (status != IGPU_OK)
        return status;
    if (s->more != NULL && wrong_width(&program)) {
        record_close(&program);
        return IGPU_STOPPED;
    }
    if (s->more != NULL) /* what the compiler makes of them may be narrower */
        simd = program.kernel->simd_size;
    if (program.kernel->simd_size != simd)
        status = igpu_fail(err, IGPU_BAD_INPUT, "case %s: compiled at SIMD%u, not %u",
                           c->name, program.kernel->simd_size, simd);
    if (status == IGPU_OK)
        status = record_run(&program, &job, &result, err);
    if (status == IGPU_OK)
        status = results_compare(c, simd, &result, err);
    record_result_free(&program, &result);
    record_close(&program);
    return status;
}

static void suite_tell(struct suite *s, const struct kernel_case *c, unsigned simd,
                       enum igpu_status status, const struct igpu_err *err)
{
    if (status == IGPU_OK) {
        printf("ok %s SIMD%u\n", c->name, simd);
        s->passed++;
    } else if (status == IGPU_STOPPED) {
        printf("skip %s SIMD%u: the compiler calls functions of another width\n",
               c->name, simd);
        s->skipped++;
    } else {
        printf("not ok %s SIMD%u: %s\n", c->name, simd, err->text);
        s->failed++;
    }
    (void)fflush(stdout);
}

/* Run at one width; unless folder is NULL the trace goes to FOLDER/NAMESUFFIX.pb. */
static void run_width(struct suite *s, const struct kernel_case *c, unsigned simd,
                      const char *folder, const char *suffix)
{
    struct igpu_err err = {.text = ""};
    char trace[MAX_PATH];
    enum igpu_status status;
    int length = snprintf(trace, sizeof(trace), "%s/%s%s.pb",
                          folder != NULL ? folder : "", c->name, suffix);

    if (length < 0 || length >= (int)sizeof(trace))
        status = igpu_fail(&err, IGPU_BAD_INPUT, "path of its trace too long");
    else
        status = run_case(s, c, simd, folder != NULL ? trace : NULL, &err);
    suite_tell(s, c, simd, status, &err);
}

static void run_all(struct suite *s, const struct kernel_case *c)
{
    char suffix[16];

    for (size_t i = 0; i < c->simd_count; i++) {
        (void)snprintf(suffix, sizeof(suffix), "_simd%u", c->simd[i]);
        run_width(s, c, c->simd[i], s->traces, suffix);
    }
}

static int suite_run(struct suite *s)
{
    struct igpu_err err;
    enum igpu_status status = cases_load(s->list, &s->cases, &err);

    if (status != IGPU_OK) {
        return igpu_complain(command_name, status, &err);
    }
    if (s->only != NULL && cases_find(&s->cases, s->only) == NULL) {
        cases_free(&s->cases);
        return igpu_complain_of(command_name, IGPU_USAGE, "%s has no case %s", s->list,
                                s->only);
    }
    for (size_t i = 0; i < s->cases.count; i++) {
        const struct kernel_case *c = &s->cases.cases[i];

        if (s->only != NULL && strcmp(c->name, s->only) != 0)
            continue;
        if (s->samples == NULL)
            run_all(s, c);
        else if (c->sample_simd != 0)
            run_width(s, c, c->sample_simd, s->samples, "");
    }
    cases_free(&s->cases);
    printf("%u passed, %u failed", s->passed, s->failed);
    if (s->skipped > 0)
        printf(", %u skipped", s->skipped);
    printf("\n");
    return s->failed > 0 ? IGPU_SIM_ERROR : IGPU_OK;
}

int cmd_suite(int argc, char **argv)
{
    struct suite s = {.device = "skl"};
    int option;

    optind = 1;
    while ((option = igpu_option_next(table, false, argc, argv)) != -1)
        switch (option) {
        case OPT_CASE:
            s.only = optarg;
            break;
        case OPT_SAMPLES:
            s.samples = optarg;
            break;
        case OPT_TRACES:
            s.traces = optarg;
            break;
        case OPT_RACES:
            s.races = true;
            break;
        case OPT_VALUES:
            s.values.on = true;
            break;
        case OPT_THREADS:
            s.values.on = true;
            if (!igpu_option_count(optarg, 1, UINT32_MAX, &s.values.threads))
                return igpu_complain_of(command_name, IGPU_USAGE,
                                        "--values-threads %s: expected a number from 1",
                                        optarg);
            break;
        case 'd':
            s.device = optarg;
            break;
        case 'O':
            s.more = optarg;
            break;
        case 'h':
            print_help(stdout);
            return IGPU_OK;
        default:
            return igpu_complain_of_option(command_name, argv[optind - 1]);
        }
    if (s.samples != NULL && s.traces != NULL)
        return igpu_complain_of(command_name, IGPU_USAGE,
                                "--samples or --traces, not both");
    if (optind + 1 != argc)
        return igpu_complain_of(command_name, IGPU_USAGE,
                                "expected one CASES.yaml; see %s --help", command_name);
    s.list = argv[optind];
    return suite_run(&s);
}
