/* trace_path_known.c - paths that the writer encoded before: threads of a launch mostly
 * take few. See trace_writer_state.h. */
#include <stdlib.h>
#include <string.h>

#include "igpu/grow.h"
#include "traces/format/trace_writer_state.h"

/* Longer ones are not kept: that bounds the memory. */
enum { LONGEST = 1 << 12 };

void trace_paths_free(struct trace_writer *w)
{
    for (uint32_t i = 0; i < TRACE_KNOWN_PATHS; i++) {
        free(w->path_known[i].block);
        trace_bytes_free(&w->path_known[i].bytes);
    }
}

static uint64_t encode(struct trace_writer *w, const uint32_t *block, uint32_t n,
                       struct trace_bytes *out)
{
    const struct isa_block_list *blocks = &w->kernel->blocks;
    uint64_t instructions = 0;

    trace_path_encode(w->work, blocks, block, n, out);
    for (uint32_t i = 0; i < n; i++)
        instructions += blocks->block[block[i]].count;
    return instructions;
}

uint64_t trace_path_take(struct trace_writer *w, const uint32_t *block, uint32_t n)
{
    struct trace_path_known *k = &w->path_known[n % TRACE_KNOWN_PATHS];
    uint32_t kernel = w->launch->kernel;

    w->path_taken = NULL;
    w->encoded[0].size = 0;
    if (n > LONGEST || !IGPU_RESERVE(k->block, k->room, n))
        return encode(w, block, n, &w->encoded[0]);
    if (k->n != n || k->kernel != kernel ||
        memcmp(k->block, block, n * sizeof(*block)) != 0) {
        k->n = n;
        k->times++;
        k->kernel = kernel;
        memcpy(k->block, block, n * sizeof(*block));
        k->bytes.size = 0;
        k->at.chunk = 0;
        k->instructions = encode(w, block, n, &k->bytes);
    }
    w->path_taken = k;
    return k->instructions;
}
