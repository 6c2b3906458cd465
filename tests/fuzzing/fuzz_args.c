/* fuzz_args.c - arguments of `igpu record --arg`, one a line; small buffers are filled.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/fuzzing/fuzz.h"
#include "traces/program/argspec.h"

enum { SMALL = 1 << 16 };

static void try_line(const char *text)
{
    struct argspec spec;
    struct igpu_err err = {.text = ""};
    uint64_t room;
    void *mem;

    if (!fuzz_worked(argspec_parse(text, &spec, &err), &err))
        return;
    room = spec.kind == ARGSPEC_IMAGE ? image_footprint(&spec.image) : spec.bytes;
    if (spec.kind != ARGSPEC_BUFFER && spec.kind != ARGSPEC_IMAGE)
        return;
    if (room > SMALL || spec.init == ARGSPEC_FILE)
        return;
    mem = calloc(1, room + 1);
    fuzz_check(mem != NULL, "no memory");
    (void)fuzz_worked(argspec_fill(&spec, mem, &err), &err);
    free(mem);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char line[1024];

    while (size > 0) {
        const uint8_t *end = memchr(data, '\n', size);
        size_t length = end != NULL ? (size_t)(end - data) : size;

        if (length < sizeof(line)) {
            memcpy(line, data, length);
            line[length] = '\0';
            try_line(line);
        }
        data += end != NULL ? length + 1 : length;
        size -= end != NULL ? length + 1 : length;
    }
    return 0;
}
