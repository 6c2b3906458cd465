/* sim_stats.h - from a launch's raw counters to struct sim_stats. Used by sim.c. */
#ifndef IGPU_SIM_STATS_H
#define IGPU_SIM_STATS_H
#include "igpu/eu_counters.h"
#include "igpu/host.h"
#include "igpu/mem_stats.h"
#include "igpu/stats.h"

struct sim_launch_facts {
    const struct igpu_config *config;
    const char *kernel;
    uint32_t index, queue;
    uint64_t start, end; /* first cycle, cycle of the last END */
    bool complete;
    uint64_t opened, lane_instructions, flops;
    uint64_t code_lines, code_misses, code_merged; /* of the instruction caches */
    struct eu_counters eu[HOST_MAX_TILES * HOST_EUS];
    const struct mem_stats *mem; /* at `end` */
};

struct sim_accounts {
    struct sim_stats total;
    struct sim_stats *launch;
    uint32_t count, capacity;
    struct mem_stats before; /* of the memory side at the launch's start */
    struct mem_stats first;  /* at the first one's */
    uint64_t start;          /* its first cycle */
};

/* For `launches` launches, the first from cycle `start` on with these counters. */
enum igpu_status sim_accounts_create(struct sim_accounts *a, uint32_t launches,
                                     const struct mem_stats *mem, uint64_t start,
                                     struct igpu_err *err);
void sim_accounts_destroy(struct sim_accounts *a);
/* Add a launch; *facts' EU counters are finished here. */
void sim_accounts_launch(struct sim_accounts *a, struct sim_launch_facts *facts);
#endif
