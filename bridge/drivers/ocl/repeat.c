/* repeat.c - see repeat.h. */
#include "bridge/drivers/ocl/repeat.h"

#include <stdlib.h>
#include <string.h>

#include "traces/program/file_cache.h"

/* Larger ones take far longer to execute than to simulate is worth saving. */
enum { MOST_BYTES = 8 << 20 };

void repeat_forget(struct repeat *r)
{
    free(r->trace);
    *r = (struct repeat){.trace = NULL};
}

bool repeat_begin(struct repeat *r, const char *path, const struct mem_system *mem,
                  uint64_t start)
{
    size_t bytes = 0;
    uint8_t *trace = read_whole_file(path, MOST_BYTES, &bytes);

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
