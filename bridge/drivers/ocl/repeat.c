/* repeat.c - see repeat.h. */
#include "bridge/drivers/ocl/repeat.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Larger ones take far longer to execute than to simulate is worth saving. */
enum { MOST_BYTES = 8 << 20 };

void repeat_forget(struct repeat *r)
{
    free(r->trace);
    *r = (struct repeat){.trace = NULL};
}

/* The file's bytes; NULL: too many, or it cannot be read. */
static char *read_all(const char *path, size_t *bytes)
{
    FILE *in = fopen(path, "rb");
    char *text = NULL;
    long size = -1;

    if (in != NULL && fseek(in, 0, SEEK_END) == 0)
        size = ftell(in);
    if (size > 0 && size <= MOST_BYTES && fseek(in, 0, SEEK_SET) == 0)
        text = malloc((size_t)size);
    if (text != NULL && fread(text, 1, (size_t)size, in) != (size_t)size) {
        free(text);
        text = NULL;
    }
    if (in != NULL)
        (void)fclose(in);
    *bytes = text != NULL ? (size_t)size : 0;
    return text;
}

bool repeat_begin(struct repeat *r, const char *path, const struct mem_system *mem,
                  uint64_t start)
{
    size_t bytes;
    char *trace = read_all(path, &bytes);

    if (r->steady && trace != NULL && bytes == r->bytes &&
        memcmp(trace, r->trace, bytes) == 0) {
        free(trace);
        return true;
    }
    repeat_forget(r);
    r->trace = trace;
    r->bytes = bytes;
    r->rested = mem_rested(mem, start);
    r->before = *mem_stats(mem);
    return false;
}

void repeat_end(struct repeat *r, const struct mem_system *mem, uint64_t start,
                uint64_t next, uint64_t cycles)
{
    const struct mem_stats *now = mem_stats(mem);

    r->cycles = cycles;
    r->span = next - start;
    r->steady = r->trace != NULL && r->rested && mem_rested(mem, next) &&
                now->l3_misses == r->before.l3_misses &&
                now->l3_merged == r->before.l3_merged &&
                now->l3_flushed == r->before.l3_flushed;
}
