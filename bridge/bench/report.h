/* report.h - `igpu report`: every experiment against the published numbers, as one HTML
 * page and as a part of docs/4-validation.md. */
#ifndef BRIDGE_BENCH_REPORT_H
#define BRIDGE_BENCH_REPORT_H
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "bridge/bench/bench.h"

enum { REPORT_MAX_RUNS = 40, REPORT_MAX_FINDINGS = 256, REPORT_TEXT = 160 };

/* One experiment of the report. */
struct report_plan {
    const char *id; /* findings look it up */
    const char *title;
    const char *full, *quick; /* `igpu bench` and what follows; quick NULL: left out */
    const char *note;         /* what is to be seen; NULL: nothing to say */
};

struct report_run {
    const struct report_plan *plan;
    char command[256];
    struct bench_context c;
    struct bench_table table;
};

enum report_verdict { REPORT_HOLDS, REPORT_DIFFERS, REPORT_TOLD };

/* One published number or property, and ours. */
struct report_finding {
    const struct report_run *run;
    char quantity[REPORT_TEXT], published[REPORT_TEXT], ours[REPORT_TEXT];
    double error; /* per cent; NaN: no single number */
    enum report_verdict verdict;
};

struct report {
    struct report_run run[REPORT_MAX_RUNS];
    uint32_t runs;
    struct report_finding finding[REPORT_MAX_FINDINGS];
    uint32_t findings;
    bool quick;
};

/* The experiments, ending with a NULL id. */
extern const struct report_plan report_plans[];

/* Fill report->finding from the runs' tables. */
void report_find(struct report *report);

void report_html(FILE *out, const struct report *report);
/* Does the Markdown file `path` have the markers? Else IGPU_BAD_INPUT. */
enum igpu_status report_markdown_check(const char *path, struct igpu_err *err);
/* Replace what lies between the markers in the Markdown file `path`. */
enum igpu_status report_markdown(const char *path, const struct report *report,
                                 struct igpu_err *err);
#endif
