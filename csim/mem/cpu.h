/* cpu.h - the CPU's cores as agents of the LLC: what each accesses next, its private
 * L1 and L2, its lines in flight. All times in picoseconds. The LLC drives it
 * through its `agents` (agents.h), which cpu_init() fills.
 * Public side: igpu/cpu.h. Tests: tests/csim/test_mem_cpu.c */
#ifndef MEM_CPU_H
#define MEM_CPU_H
#include <stdbool.h>
#include <stdint.h>

#include "csim/mem/cache.h"
#include "csim/mem/llc.h"
#include "igpu/config.h"
#include "igpu/cpu.h"
#include "igpu/mem_stats.h"

/* A line in flight in a core: from `issued`; its place is free at free_ps. */
struct cpu_slot {
    uint64_t issued_ps, free_ps; /* free_ps UINT64_MAX: the data are not known */
    uint64_t line;
    bool write;
};

enum cpu_stage {
    CPU_PRIVATE,  /* the last access was served by L1 or L2: go on at next_ps */
    CPU_ARRIVING, /* the access of slot `current` reaches the LLC at next_ps */
    CPU_WAITING,  /* no place free */
    CPU_MEETING   /* waits for the other threads at the end of a lap */
};

struct cpu_core {
    struct cache l1, l2;
    uint64_t next_ps; /* UINT64_MAX: waits for a line */
    uint64_t last_issue_ps;
    enum cpu_stage stage;
    uint32_t slots, current;
    struct cpu_slot slot[AGENT_LINES];
    uint64_t pair[AGENT_PREFETCHES]; /* lines being prefetched */
    uint32_t pairs;                  /* bit: taken */
    /* What comes next. */
    uint64_t first_line, lines, at;
    bool have_next, next_write, next_dependent;
    uint64_t next_line, next_gap_ps;
};

struct cpu {
    const struct igpu_config *config;
    struct llc *llc;
    uint32_t agent, cores, met; /* met: threads at the end of their lap */
    uint64_t launches;          /* begun so far */
    uint64_t l1_ps, l2_ps, gap_ps;
    uint32_t page_line_bits;
    uint64_t pairs_missed;
    struct cpu_access *list; /* CPU_TRACE */
    uint32_t list_count;
    struct cpu_core *core;
    struct mem_stats *stats;
};

/* They become agents of the LLC, which is ready before (cpu.warm) and lives as long.
 * False: no memory; then call cpu_free(). */
bool cpu_init(struct cpu *cpu, const struct igpu_config *config, struct llc *llc,
              struct mem_stats *stats);
void cpu_free(struct cpu *cpu);
bool cpu_set_list(struct cpu *cpu, const struct cpu_access *list, uint32_t count);

/* A launch begins. */
void cpu_launch(struct cpu *cpu);
#endif
