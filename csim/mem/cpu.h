/* cpu.h - the CPU's cores as agents of the LLC: what each accesses next, its private
 * L1 and L2, its lines in flight. All times in picoseconds. The LLC drives it:
 * cpu_run() at cpu_next_ps(), cpu_fill() and cpu_evict() when lines come and go.
 * Public side: igpu/cpu.h. Tests: tests/csim/test_mem_cpu.c */
#ifndef MEM_CPU_H
#define MEM_CPU_H
#include <stdbool.h>
#include <stdint.h>

#include "csim/mem/cache.h"
#include "igpu/config.h"
#include "igpu/cpu.h"
#include "igpu/mem_stats.h"

enum {
    CPU_MAX_THREADS = 8,
    CPU_MAX_LINES = 64,  /* in flight in a core: demand */
    CPU_PREFETCHES = 16, /* and prefetches of pair lines */
    CPU_IDS_PER_CORE = CPU_MAX_LINES + CPU_PREFETCHES,
    CPU_IDS = CPU_MAX_THREADS * CPU_IDS_PER_CORE /* requesters of the LLC */
};

struct llc;

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
    struct cpu_slot slot[CPU_MAX_LINES];
    uint64_t pair[CPU_PREFETCHES]; /* lines being prefetched */
    uint32_t pairs;                /* bit: taken */
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
    bool asleep;                /* until the LLC's next access of launch cpu.start */
    uint64_t l1_ps, l2_ps, gap_ps, next_ps;
    uint32_t page_line_bits;
    uint64_t pairs_missed;
    struct cpu_access *list; /* CPU_TRACE */
    uint32_t list_count;
    struct cpu_core *core;
    struct mem_stats *stats;
};

/* False: no memory; then call cpu_free(). The LLC is ready before (cpu.warm). */
bool cpu_init(struct cpu *cpu, const struct igpu_config *config, struct llc *llc,
              struct mem_stats *stats);
void cpu_free(struct cpu *cpu);
bool cpu_set_list(struct cpu *cpu, const struct cpu_access *list, uint32_t count);

/* A launch begins. */
void cpu_launch(struct cpu *cpu);
/* The GPU accesses the LLC, or more, at `ps`: agents that sleep may begin. */
void cpu_rouse(struct cpu *cpu, uint64_t ps);

static inline uint64_t cpu_next_ps(const struct cpu *cpu)
{
    return cpu->next_ps;
}
/* Do what is due at `ps` = cpu_next_ps(). */
void cpu_run(struct cpu *cpu, uint64_t ps);
/* The line of requester `id` (below CPU_IDS) is at its core at `ps`. */
void cpu_fill(struct cpu *cpu, uint32_t id, uint64_t ps);
/* Whether the next pair prefetch that misses the LLC is fetched (cpu.pair_fetch). */
bool cpu_wants_pair(struct cpu *cpu);
/* The LLC evicts `line`, which a core may have: no core keeps it. True: modified. */
bool cpu_evict(struct cpu *cpu, uint64_t line);
#endif
