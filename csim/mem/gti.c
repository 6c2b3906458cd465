/* gti.c - see gti.h. */
#include "csim/mem/gti.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

bool gti_init(struct gti *gti, const struct igpu_config *config, struct l3 *l3,
              struct llc *llc, struct translate *translate, struct wheel *wheel,
              struct mem_stats *stats)
{
    memset(gti, 0, sizeof(*gti));
    gti->config = config;
    gti->read_cycles = (64 + config->gti_read_bytes - 1) / config->gti_read_bytes;
    gti->write_cycles = (64 + config->gti_write_bytes - 1) / config->gti_write_bytes;
    gti->request_ps = clock_ps(config->gti_request_latency, config->gpu_clock_hz);
    gti->back_size = l3->banks * (uint32_t)config->l3_mshrs;
    gti->back = calloc(gti->back_size, sizeof(*gti->back));
    gti->l3 = l3;
    gti->llc = llc;
    gti->translate = translate;
    gti->wheel = wheel;
    gti->stats = stats;
    return gti->back != NULL;
}

void gti_free(struct gti *gti)
{
    free(gti->back);
    gti->back = NULL;
}

/* The first bank of `banks` (a bit each, not 0) from *turn on; *turn moves past it. */
static uint32_t choose(uint32_t banks, uint32_t count, uint32_t *turn)
{
    uint32_t above = banks & ~((UINT32_C(1) << *turn) - 1);
    uint32_t bank = (uint32_t)__builtin_ctz(above != 0 ? above : banks);

    *turn = (bank + 1) % count;
    return bank;
}

/* Translate *line, virtual, to the physical one. Returns the walk to wait for before
 * that is known; 0: none. */
static uint64_t look_up(struct gti *gti, uint64_t ps, uint64_t *line,
                        uint32_t requester)
{
    struct translation *kept;
    uint64_t wait, walk = 0;

    if (!gti->translate->use_tlb) {
        *line = translate_line(gti->translate, *line);
        return 0;
    }
    gti->stats->tlb_accesses++;
    kept = translate_find(gti->translate, *line);
    if (kept == NULL) {
        gti->stats->tlb_misses++;
        kept = translate_keep(gti->translate, *line, &wait);
        walk = kept->walk =
            llc_walk(gti->llc, ps + wait, translate_entry(gti->translate, *line),
                     requester, gti->request_ps);
    } else if (kept->walk != 0 && llc_walking(gti->llc, kept->walk)) {
        gti->stats->tlb_merged++;
        if (!gti->config->tlb_merge)
            walk = llc_walk(gti->llc, ps, translate_entry(gti->translate, *line),
                            requester, gti->request_ps);
        else
            walk = kept->walk;
    } else {
        gti->stats->tlb_hits++;
        kept->walk = 0;
    }
    *line = translate_by(gti->translate, kept, *line);
    return walk;
}

static void send_fetch(struct gti *gti, const struct clock *clock)
{
    uint32_t bank = choose(gti->l3->fetching, gti->l3->banks, &gti->turn_read);
    uint32_t m = l3_take_fetch(gti->l3, bank);
    uint32_t requester = bank * MSHR_MAX_ENTRIES + m;
    uint64_t line = gti->l3->bank[bank].mshr.e[m].line;
    uint64_t walk = look_up(gti, clock->ps, &line, requester);

    gti->stats->gti_reads++;
    gti->l3->bank[bank].counts.gti_reads++;
    if (walk != 0)
        llc_read_after(gti->llc, walk, line, requester);
    else
        llc_read(gti->llc, clock->ps + gti->request_ps, line, requester);
}

/* A modified line was translated when it came into the L3; its place is kept. */
static void send_victim(struct gti *gti, const struct clock *clock)
{
    uint32_t bank = choose(gti->l3->sending, gti->l3->banks, &gti->turn_write);
    struct l3_victim victim = l3_take_victim(gti->l3, bank);

    gti->stats->gti_writes++;
    gti->l3->bank[bank].counts.gti_writes++;
    gti->write_free = clock->tick + gti->write_cycles;
    llc_write(gti->llc, clock->ps + gti->request_ps,
              translate_line(gti->translate, victim.line), victim.whole);
}

uint64_t gti_await(struct gti *gti, uint64_t limit_ps)
{
    if (!gti->pending && llc_next_ps(gti->llc) <= limit_ps)
        gti->pending = llc_run(gti->llc, limit_ps, &gti->answer);
    return gti->pending ? gti->answer.ps : UINT64_MAX;
}

static void pass_back(struct gti *gti, uint64_t now)
{
    uint32_t back = gti->back[gti->back_head], requester = back % GTI_REQUESTERS;

    gti->back_head = (gti->back_head + 1) % gti->back_size;
    gti->back_count--;
    gti->return_free = now + gti->read_cycles;
    wheel_put(gti->wheel, now, now + gti->config->gti_return_latency,
              wheel_new(gti->wheel, PACKET_FILL,
                        (uint8_t)(requester / MSHR_MAX_ENTRIES),
                        (uint8_t)(requester % MSHR_MAX_ENTRIES),
                        (uint8_t)(back / GTI_REQUESTERS)));
}

bool gti_tick(struct gti *gti, const struct clock *clock)
{
    uint64_t now = clock->tick;
    bool to_send = (gti->l3->fetching | gti->l3->sending) != 0;

    if (gti->back_count != 0 && gti->return_free <= now)
        pass_back(gti, now);
    if (to_send && !llc_stalled(gti->llc)) {
        if (gti->l3->fetching != 0)
            send_fetch(gti, clock);
        if (gti->l3->sending != 0 && gti->write_free <= now)
            send_victim(gti, clock);
    }
    return gti_busy(gti, gti->l3);
}
