/* fuzz_trace.c - the trace reader: open, dump, verify, and what verify passes the
 * reference engine runs. Inputs: sections.h. */
#include <stdio.h>

#include "tests/fuzzing/fuzz.h"
#include "tests/fuzzing/sections.h"

enum { MAX_THREADS = 4096 };

static void dump(struct trace_reader *r, enum trace_dump_format format)
{
    static FILE *nowhere;
    const struct trace_dump_options options = {
        .launch_last = 1, .last = 3, .code = true, .format = format};
    struct igpu_err err = {.text = ""};

    if (nowhere == NULL)
        nowhere = fopen("/dev/null", "w");
    (void)fuzz_worked(trace_print_dump(r, &options, nowhere, &err), &err);
    (void)fuzz_worked(trace_print_info(r, nowhere, &err), &err);
}

static void run(struct trace_reader *r)
{
    struct igpu_err err = {.text = ""};
    enum igpu_status status;
    enum sim_state state = fuzz_sections_run(r, NULL, &status, &err);

    if (status != IGPU_OK && status != IGPU_USAGE && state != SIM_STOPPED)
        fprintf(stderr, "%s\n", err.text);
    fuzz_check(status == IGPU_OK || status == IGPU_USAGE || state == SIM_STOPPED,
               "verify passes what the engine refuses");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct igpu_err err = {.text = ""};
    struct trace_reader *r = fuzz_sections_open(data, size, false);

    if (r == NULL)
        return 0;
    if (trace_summary(r)->threads <= MAX_THREADS) {
        dump(r, (enum trace_dump_format)(size % 3));
        err.text[0] = '\0';
        if (fuzz_worked(trace_verify(r, &err), &err) && trace_summary(r)->launches > 0)
            run(r);
    }
    trace_close(r);
    return 0;
}
