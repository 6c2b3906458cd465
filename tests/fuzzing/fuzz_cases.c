/* fuzz_cases.c - the list of kernels to run (cases.yaml). */
#include "tests/fuzzing/fuzz.h"
#include "traces/kernels/cases.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct case_list list;
    struct igpu_err err = {.text = ""};

    if (fuzz_worked(cases_load(fuzz_file(data, size), &list, &err), &err)) {
        for (size_t i = 0; i < list.count; i++) {
            char options[256];

            (void)case_options(&list.cases[i], 16, options, sizeof(options));
            (void)case_items(&list.cases[i]);
        }
        cases_free(&list);
    }
    return 0;
}
