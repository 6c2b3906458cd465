/* cmd_report.c - `igpu report`: run every experiment, write the report. */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bridge/bench/commands.h"
#include "bridge/bench/report.h"
#include "igpu/output.h"
#include "igpu/program.h"

enum { MAX_WORDS = 32 };
enum { OPT_QUICK = 256, OPT_MARKDOWN, OPT_ENGINE, OPT_QUIET, OPT_HELP };

struct options {
    const char *html, *markdown, *engine, *jobs;
    bool quick, quiet, help;
};

static const struct option longs[] = {
    {"output", required_argument, NULL, 'o'},
    {"jobs", required_argument, NULL, 'j'},
    {"quick", no_argument, NULL, OPT_QUICK},
    {"markdown", required_argument, NULL, OPT_MARKDOWN},
    {"engine", required_argument, NULL, OPT_ENGINE},
    {"quiet", no_argument, NULL, OPT_QUIET},
    {"help", no_argument, NULL, OPT_HELP},
    {NULL, 0, NULL, 0},
};

static void print_help(FILE *out)
{
    fputs(
        "usage: igpu report [options]\n\n"
        "Runs the experiments of igpu bench against the published measurements.\n"
        "  -o, --output FILE.html   the report, one page (default report.html)\n"
        "      --markdown FILE.md   also replace the part between the report's markers "
        "in this file\n"
        "                           (default docs/4-validation.md for a full run, if "
        "it is there)\n"
        "      --quick              fewer points: minutes instead of most of an hour\n"
        "  -j, --jobs N             simulations at a time (default: the machine's "
        "processors)\n"
        "      --engine ref|rtl     C reference, or ./Vigpu beside igpu (default ref)\n"
        "      --quiet              no progress\n"
        "\nExit status: 0 done, whatever differs; 1 simulation error, 2 usage, 3 bad "
        "input.\n",
        out);
}

static enum igpu_status parse(struct options *o, int argc, char **argv,
                              struct igpu_err *err)
{
    int option;

    opterr = 0;
    optind = 1;
    while ((option = getopt_long(argc, argv, "o:j:", longs, NULL)) != -1) {
        switch (option) {
        case 'o':
            o->html = optarg;
            break;
        case 'j':
            o->jobs = optarg;
            break;
        case OPT_QUICK:
            o->quick = true;
            break;
        case OPT_MARKDOWN:
            o->markdown = optarg;
            break;
        case OPT_ENGINE:
            o->engine = optarg;
            break;
        case OPT_QUIET:
            o->quiet = true;
            break;
        case OPT_HELP:
            o->help = true;
            return IGPU_OK;
        default:
            return igpu_fail(err, IGPU_USAGE,
                             "%s: unknown option, or its value is missing; see igpu "
                             "report --help",
                             argv[optind - 1]);
        }
    }
    if (optind < argc)
        return igpu_fail(err, IGPU_USAGE, "%s: options only; see igpu report --help",
                         argv[optind]);
    if (o->html == NULL)
        o->html = "report.html";
    return IGPU_OK;
}

/* Run one experiment as if its command had been typed. The words outlive the run:
 * *line, which the caller frees at the very end. */
static enum igpu_status run_one(struct report_run *run, const struct options *o,
                                char *line, struct igpu_err *err)
{
    char *word[MAX_WORDS], *rest = line;
    int n = 0;
    enum igpu_status status;

    while (n < MAX_WORDS - 6 && (word[n] = strtok_r(rest, " ", &rest)) != NULL)
        n++;
    if (o->jobs != NULL) {
        word[n++] = (char *)(uintptr_t) "-j";
        word[n++] = (char *)(uintptr_t)o->jobs;
    }
    if (o->engine != NULL) {
        word[n++] = (char *)(uintptr_t) "--engine";
        word[n++] = (char *)(uintptr_t)o->engine;
    }
    if (o->quiet)
        word[n++] = (char *)(uintptr_t) "--quiet";
    word[n] = NULL;
    status = bench_parse(&run->c, n, word, err);
    return status == IGPU_OK ? bench_run(&run->c, &run->table, err) : status;
}

static enum igpu_status run_all(struct report *r, const struct options *o, char **lines,
                                struct igpu_err *err)
{
    enum igpu_status status = IGPU_OK;

    for (const struct report_plan *p = report_plans; status == IGPU_OK && p->id != NULL;
         p++) {
        const char *command = o->quick ? p->quick : p->full;
        struct report_run *run = &r->run[r->runs];

        if (command == NULL)
            continue;
        run->plan = p;
        (void)snprintf(run->command, sizeof(run->command), "%s", command);
        lines[r->runs] = strdup(command);
        if (lines[r->runs] == NULL)
            return igpu_fail(err, IGPU_USAGE, "out of memory");
        r->runs++;
        if (!o->quiet && isatty(STDERR_FILENO))
            fprintf(stderr, "igpu bench %s\n", command);
        status = run_one(run, o, lines[r->runs - 1], err);
    }
    return status;
}

static enum igpu_status write_html(const char *path, const struct report *r,
                                   struct igpu_err *err)
{
    struct igpu_output out;
    enum igpu_status status = igpu_output_open(&out, path, err);

    if (status != IGPU_OK)
        return status;
    report_html(out.file, r);
    return igpu_output_close(&out, err);
}

/* One line for what was found, on stdout. */
static void tell(const struct report *r)
{
    static const char *const words[] = {"ok   ", "DIFF ", "     "};

    for (uint32_t i = 0; i < r->findings; i++) {
        const struct report_finding *f = &r->finding[i];

        printf("%s%s: %s (published: %s)\n", words[f->verdict], f->quantity, f->ours,
               f->published);
    }
}

static enum igpu_status make(const struct options *o, struct report *r, char **lines,
                             struct igpu_err *err)
{
    static const char docs[] = "docs/4-validation.md";
    const char *markdown = o->markdown;
    enum igpu_status status = igpu_output_check(o->html, err);

    if (markdown == NULL && !o->quick && access(docs, W_OK) == 0)
        markdown = docs;
    if (status == IGPU_OK && markdown != NULL)
        status = report_markdown_check(markdown, err);
    if (status == IGPU_OK)
        status = run_all(r, o, lines, err);
    if (status != IGPU_OK)
        return status;
    r->quick = o->quick;
    report_find(r);
    tell(r);
    status = write_html(o->html, r, err);
    if (status == IGPU_OK && markdown != NULL)
        status = report_markdown(markdown, r, err);
    return status;
}

int cmd_report(int argc, char **argv)
{
    struct options o = {0};
    struct igpu_err err = {"out of memory"};
    struct report *r = calloc(1, sizeof(*r));
    char *lines[REPORT_MAX_RUNS] = {NULL};
    enum igpu_status status = r != NULL ? parse(&o, argc, argv, &err) : IGPU_USAGE;

    if (status == IGPU_OK && o.help)
        print_help(stdout);
    else if (status == IGPU_OK)
        status = make(&o, r, lines, &err);
    if (status != IGPU_OK)
        (void)igpu_complain("igpu report", status, &err);
    for (uint32_t i = 0; i < REPORT_MAX_RUNS; i++) {
        free(lines[i]);
        if (r != NULL)
            bench_table_free(&r->run[i].table);
    }
    free(r);
    return (int)status;
}
