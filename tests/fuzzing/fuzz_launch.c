/* fuzz_launch.c - launch files: open, load, and what is loaded is executed in time by
 * the reference engine. A kernel's own faults end a run in an error, whatever they are.
 * Inputs: sections.h. */
#include "tests/fuzzing/fuzz.h"
#include "tests/fuzzing/sections.h"
#include "traces/launch/launch.h"

enum { MAX_THREADS = 4096 };

static void run(struct trace_reader *r)
{
    struct igpu_err err = {.text = ""};
    struct launch_file *file;
    enum igpu_status status = launch_file_open(&file, r, NULL, &err);
    uint64_t bytes;

    if (!fuzz_worked(status, &err))
        return;
    for (uint32_t i = 0; i < trace_summary(r)->launches; i++)
        for (uint32_t arg = 0; arg < 4; arg++)
            (void)launch_file_buffer(file, i, arg, &bytes);
    if (fuzz_sections_run(r, file, &status, &err) != SIM_STOPPED && status != IGPU_OK)
        (void)fuzz_worked(status, &err);
    launch_file_close(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct trace_reader *r = fuzz_sections_open(data, size, true);

    if (r == NULL)
        return 0;
    if (trace_summary(r)->launches > 0 && trace_summary(r)->threads <= MAX_THREADS)
        run(r);
    trace_close(r);
    return 0;
}
