/* fuzz_gtpin.c - the import of GT-Pin dumps: what it writes without an error verifies,
 * and with an error it writes nothing. The input is one dump, or two with a zero byte
 * between them. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tests/fuzzing/fuzz.h"
#include "traces/convert/convert.h"
#include "traces/format/trace.h"

static void check_trace(const char *path)
{
    struct igpu_err err = {.text = ""};
    enum igpu_status status;
    struct trace_reader *r = trace_open(path, &status, &err);

    if (r != NULL)
        status = trace_verify(r, &err);
    if (!fuzz_worked(status, &err))
        fprintf(stderr, "%s\n", err.text);
    fuzz_check(status == IGPU_OK, "what the import wrote does not verify");
    trace_close(r);
    fuzz_check(unlink(path) == 0, "the import wrote nothing");
}

static void put(const char *path, const uint8_t *data, size_t size)
{
    FILE *file = fopen(path, "w");

    fuzz_check(file != NULL && fwrite(data, 1, size, file) == size && fclose(file) == 0,
               "no file");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct gtpin_options options = {"skl", "fuzz", 1};
    const uint8_t *zero = size > 0 ? memchr(data, '\0', size) : NULL;
    size_t first = zero != NULL ? (size_t)(zero - data) : size;
    char path[2][128], out[128], part[160];
    const char *const paths[2] = {path[0], path[1]};
    struct gtpin_report report;
    struct igpu_err err = {.text = ""};

    for (unsigned i = 0; i < 2; i++)
        (void)snprintf(path[i], sizeof(path[i]), "%s/t%u.dump", fuzz_folder(), i);
    (void)snprintf(out, sizeof(out), "%s/out.pb", fuzz_folder());
    (void)snprintf(part, sizeof(part), "%s.part", out);
    put(paths[0], data, first);
    if (zero != NULL)
        put(paths[1], zero + 1, size - first - 1);
    if (fuzz_worked(convert_from_gtpin(paths, zero != NULL ? 2 : 1, out, &options,
                                       &report, &err),
                    &err))
        check_trace(out);
    fuzz_check(access(out, F_OK) != 0 && access(part, F_OK) != 0,
               "a refused dump leaves a file");
    return 0;
}
