/* fuzz_zeinfo.c - the text of .ze_info: kernels, arguments, payloads. */
#include <stdlib.h>
#include <string.h>

#include "tests/fuzzing/fuzz.h"
#include "traces/program/loader_impl.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct loader_program *program = calloc(1, sizeof(*program));
    struct igpu_err err = {.text = ""};

    fuzz_check(program != NULL && (program->label = strdup("input")) != NULL,
               "no memory");
    (void)fuzz_worked(zeinfo_parse(program, (const char *)data, size, &err), &err);
    loader_free(program);
    return 0;
}
