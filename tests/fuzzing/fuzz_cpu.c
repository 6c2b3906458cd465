/* fuzz_cpu.c - traces of a CPU's accesses (--cpu trace:FILE). */
#include <stdlib.h>

#include "igpu/cpu.h"
#include "tests/fuzzing/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct cpu_access *list = NULL;
    uint32_t count = 0;
    struct igpu_err err = {.text = ""};

    if (fuzz_worked(cpu_trace_read(fuzz_file(data, size), &list, &count, &err), &err)) {
        fuzz_check(count > 0 && list != NULL, "a list without an access");
        free(list);
    }
    return 0;
}
