/* llc_setup.c - the LLC's beginning and end; see llc.h. */
#include "csim/mem/llc.h"

#include <stdlib.h>
#include <string.h>

#include "csim/mem/clock.h"
#include "csim/mem/policy.h"
#include "igpu/cpu.h"

/* The ring's clock follows the cores': with all of them idle it is slower. */
static void init_ring(struct llc *llc)
{
    const struct igpu_config *c = llc->config;
    uint64_t hz = c->cpu_agent != CPU_NONE ? c->llc_clock_hz : c->llc_idle_clock_hz;
    uint64_t beats = (64 + c->llc_port_bytes - 1) / c->llc_port_bytes;
    uint64_t gpu_ps = clock_ps(c->llc_latency, hz);
    uint64_t cpu_ps = clock_ps(c->cpu_llc_latency, hz);

    llc->port_ps = clock_ps(beats, hz);
    llc->there_ps = gpu_ps / 2;
    llc->back_ps = gpu_ps - llc->there_ps;
    llc->cpu_there_ps = cpu_ps / 2;
    llc->cpu_back_ps = cpu_ps - llc->cpu_there_ps;
}

bool llc_init(struct llc *llc, const struct igpu_config *config, uint32_t requesters,
              struct mem_stats *stats)
{
    uint64_t dram_ps = config->dram_latency_ps * config->dram_latency_scale;
    uint32_t writes = (uint32_t)config->gti_writes;
    uint32_t sets = (uint32_t)(config->llc_size / 64 / config->llc_ways);

    memset(llc, 0, sizeof(*llc));
    llc->config = config;
    llc->stats = stats;
    llc->agents.next_ps = UINT64_MAX;
    llc->slices = (uint32_t)config->llc_slices;
    llc->sets_per_slice = sets / llc->slices;
    init_ring(llc);
    llc->dram_there_ps = dram_ps / 2;
    llc->dram_back_ps = dram_ps - llc->dram_there_ps;
    llc->fetches = (uint32_t)config->llc_queue;
    llc->cpu_first = requesters;
    llc->walk_first = requesters + AGENT_IDS;
    llc->walk_head = LLC_NOBODY;
    llc->blocked_size = requesters + writes;
    llc->fetch = calloc(llc->fetches, sizeof(*llc->fetch));
    llc->waiter_next =
        calloc(2 * (size_t)requesters + AGENT_IDS, sizeof(*llc->waiter_next));
    llc->blocked = calloc(llc->blocked_size, sizeof(*llc->blocked));
    llc->walk = calloc(requesters, sizeof(*llc->walk));
    llc->walk_line = calloc(requesters, sizeof(*llc->walk_line));
    if (!llc->fetch || !llc->waiter_next || !llc->blocked || !llc->walk ||
        !llc->walk_line)
        return false;
    for (uint32_t i = 0; i < llc->fetches; i++)
        llc->fetch[i].next = i + 1 < llc->fetches ? i + 1 : LLC_NOBODY;
    for (uint32_t i = 0; i < LLC_BUCKETS; i++)
        llc->bucket[i] = LLC_NOBODY;
    /* Every read (with its walk), written line and fetch has at most one event; every
     * fill or written line sends at most two lines to the DRAM's queue. */
    llc->prefetch = policy_prefetch(config->llc_prefetch);
    llc->prefetch_memory =
        calloc(1, llc->prefetch != NULL ? llc->prefetch->bytes + 1U : 1);
    if (llc->prefetch_memory == NULL ||
        !cache_init(&llc->cache, sets, (uint32_t)config->llc_ways) ||
        !cache_follow(&llc->cache, policy_replacement(config->llc_policy)) ||
        !agenda_init(&llc->agenda, requesters + writes + llc->fetches) ||
        !edram_init(&llc->edram, config, stats) ||
        !dram_init(&llc->dram, config,
                   (uint32_t)config->dram_queue +
                       2 * (llc->fetches + requesters + writes) + AGENT_IDS,
                   &llc->agenda, EVENT_DRAM_DATA, stats))
        return false;
    llc->others_ps = config->llc_others_ps != 0 ? config->llc_others_ps : UINT64_MAX;
    llc_warm_written(llc);
    return true;
}

void llc_free(struct llc *llc)
{
    dram_free(&llc->dram);
    edram_free(&llc->edram);
    agenda_free(&llc->agenda);
    cache_free(&llc->cache);
    free(llc->prefetch_memory);
    free(llc->walk_line);
    free(llc->walk);
    free(llc->blocked);
    free(llc->waiter_next);
    free(llc->fetch);
}
