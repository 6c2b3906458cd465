/* gti.h - the way between the L3 and the ring: one fetch a cycle, the buses' widths,
 * address translation, and the crossing into the LLC's time and back.
 * Contract: docs/contract/memory.md. Tests: tests/csim/test_mem_levels.c */
#ifndef MEM_GTI_H
#define MEM_GTI_H
#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#include "csim/mem/clock.h"
#include "csim/mem/l3.h"
#include "csim/mem/llc.h"
#include "csim/mem/translate.h"
#include "igpu/config.h"
#include "igpu/mem_stats.h"

struct gti {
    const struct igpu_config *config;
    uint32_t turn_read, turn_write;     /* the bank that is asked first */
    uint64_t read_cycles, write_cycles; /* of a line */
    uint64_t return_free, write_free;   /* cycles at which the buses are free */
    uint64_t request_ps;                /* gti.request_latency */
    bool pending; /* `answer`, of which gti_await() knows, is not received yet */
    struct llc_answer answer;
    uint32_t *back; /* ring of requesters whose lines came, + level x GTI_REQUESTERS */
    uint32_t back_head, back_count, back_size;
    struct l3 *l3;
    struct llc *llc;
    struct translate *translate;
    struct wheel *wheel;
    struct mem_stats *stats;
};

/* A requester of the LLC: bank x MSHR_MAX_ENTRIES + MSHR. */
enum { GTI_REQUESTERS = L3_MAX_BANKS * MSHR_MAX_ENTRIES };

/* Wire up; the parts named stay the caller's. False: no memory. */
bool gti_init(struct gti *gti, const struct igpu_config *config, struct l3 *l3,
              struct llc *llc, struct translate *translate, struct wheel *wheel,
              struct mem_stats *stats);
void gti_free(struct gti *gti);

/* Let the LLC run to limit_ps or to its first answer, which is kept, and tell when
 * that is; UINT64_MAX without one. The GPU's side sends nothing before that. */
uint64_t gti_await(struct gti *gti, uint64_t limit_ps);
/* One cycle in which it is busy: a fetch and a written line out, a line in. True: it
 * still is. */
bool gti_tick(struct gti *gti, const struct clock *clock);
/* True: a later cycle has work even if nothing new comes. `l3`: the one it was wired
 * to, for callers who know where it is. */
static inline bool gti_busy(const struct gti *gti, const struct l3 *l3)
{
    return (gti->back_count | l3->fetching | l3->sending) != 0;
}

/* ---- inlined: asked in most cycles ---- */

static inline void gti_keep(struct gti *gti)
{
    uint32_t at = (gti->back_head + gti->back_count++) % gti->back_size;

    assert(gti->back_count <= gti->back_size);
    gti->back[at] = gti->answer.requester + gti->answer.level * GTI_REQUESTERS;
}

/* What came back from the LLC until clock's time. */
static inline void gti_receive(struct gti *gti, const struct clock *clock)
{
    if (gti->pending) {
        if (gti->answer.ps > clock->ps)
            return;
        gti->pending = false;
        gti_keep(gti);
    }
    while (llc_run(gti->llc, clock->ps, &gti->answer))
        gti_keep(gti);
}
#endif
