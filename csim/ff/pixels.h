/* pixels.h - one slice's cache of pixels, between its render targets and the L3: lines
 * are written without a fetch, or fetched to be read; what is written stays until it is
 * pushed out, or the launch is over. Times are the caller's, target.c. Contract:
 * docs/contract/fixed-functions.md, "Render targets". Tests:
 * tests/csim/test_mem_graphics.c */
#ifndef MEM_PIXELS_H
#define MEM_PIXELS_H
#include "csim/mem/cache.h"
#include "csim/mem/lines.h"
#include "igpu/config.h"
#include "igpu/mem_stats.h"

enum pixels_result {
    PIXELS_THERE,  /* nothing is to be done */
    PIXELS_WAIT,   /* it is on its way: the asker is told with the others */
    PIXELS_FETCH,  /* the asker fetches it for the entry */
    PIXELS_PASS_BY /* no place: the L3 does it all */
};

struct pixels {
    struct cache cache; /* sets 0: there is none */
    /* Of each entry and subslice: the places of messages that wait for its line. */
    uint32_t (*waiting)[LINES_MAX_PORTS];
    bool *packs; /* of each entry: one line holds its pair, as it was written last */
    struct mem_stats *stats;
};

/* What becomes of a line: victim is UINT64_MAX or a modified line that goes to the L3.
 */
struct pixels_asked {
    enum pixels_result result;
    uint32_t entry;
    uint64_t victim;
};

/* False: no memory. */
bool pixels_init(struct pixels *pixels, const struct igpu_config *config,
                 struct mem_stats *stats);
void pixels_free(struct pixels *pixels);
/* What a message does with a line: write it, and read it before, or only read it;
 * packs: from then on one line holds it and its partner (mem.h). */
struct pixels_use {
    uint64_t line;
    bool read, write, packs;
};
/* A message in `place` of subslice `port` uses a line. */
struct pixels_asked pixels_ask(struct pixels *pixels, const struct pixels_use *use,
                               uint32_t port, uint32_t place);
/* The entry's line is there; who waits is forgotten. */
void pixels_filled(struct pixels *pixels, uint32_t entry,
                   uint32_t waiting[LINES_MAX_PORTS]);
/* Lines that pixels_flush() will tell of. */
uint32_t pixels_modified(const struct pixels *pixels);
/* Call `flush` for each line that goes to the L3, and be empty. */
void pixels_flush(struct pixels *pixels, void (*flush)(void *ctx, uint64_t line),
                  void *ctx);
#endif
