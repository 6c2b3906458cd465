/* cpu_source.h - what each thread of a CPU agent accesses next. Part of cpu.c.
 * No table of a working set: a chase's order is a keyed one-to-one map. */
#ifndef MEM_CPU_SOURCE_H
#define MEM_CPU_SOURCE_H
#include "csim/mem/cpu.h"

/* Threads of the configured agent. */
uint32_t cpu_source_threads(const struct igpu_config *config);
/* Share cpu.ws out among the cores. */
void cpu_source_init(struct cpu *cpu);
/* The working set's lines, once around, into the LLC, outside of time. */
void cpu_source_warm(struct cpu *cpu);
/* Whether the next pair prefetch that misses the LLC is fetched (cpu.pair_fetch). */
bool cpu_source_wants_pair(struct cpu *cpu);
/* Fill core->next_*; false: there is nothing to do. */
bool cpu_source_next(struct cpu *cpu, struct cpu_core *core);
#endif
