/* cpu.h - the CPU agents that share the LLC with the GPU: what they do is set by the
 * configuration keys cpu.* (docs/reference/params.md), so by -s and YAML, by a short
 * text, or by a list of addresses. They run closed-loop in their own clock, beside the
 * GPU in every memory side whose configuration has cpu.agent != 0, from time 0 until
 * the end; their counters are the cpu_* fields of struct mem_stats. Also: agents alone.
 * Contract: docs/contract/memory.md. Tests: tests/csim/test_mem_cpu.c */
#ifndef IGPU_CPU_H
#define IGPU_CPU_H
#include <stdbool.h>
#include <stdint.h>

#include "igpu/config.h"
#include "igpu/err.h"
#include "igpu/mem.h"
#include "igpu/mem_stats.h"

/* cpu.agent */
enum cpu_agent {
    CPU_NONE,
    CPU_CHASE,  /* each thread: a random cycle over its own cpu.ws / threads bytes, one
                   load at a time */
    CPU_STREAM, /* each thread: its own cpu.ws / threads bytes in order, again and
                   again, cpu.lines of them in flight */
    CPU_TRACE   /* one thread: the accesses of mem_cpu_trace(), again and again */
};

/* One access of an address trace. */
struct cpu_access {
    uint64_t addr; /* virtual byte address of the CPU */
    uint32_t gap;  /* cpu.clock_hz cycles, at least, since the access before began */
    bool write;
    bool dependent; /* begins when every access before has its data */
};

/* Set cpu.* from `text`:
 *   none | chase:BYTES[:THREADS] | stream:BYTES[:THREADS] | trace
 * K, M, G are powers of 1024; "trace" needs mem_cpu_trace(). IGPU_USAGE says what is
 * expected; *config is unchanged then. */
enum igpu_status cpu_agent_set(struct igpu_config *config, const char *text,
                               struct igpu_err *err);

/* Read a text file of accesses, a line each: `R ADDRESS [GAP]`, `W ADDRESS [GAP]`,
 * `D ADDRESS [GAP]` (a dependent read); decimal or 0x; # begins a comment. Or lines of
 * Ramulator's: `ADDRESS R|W`, or `INSTRUCTIONS READ [WRITE]`, four instructions a
 * cycle. Addresses are below 2^48; of parts of 1 TB that lie above 2^44 each is moved
 * as a whole. *list is malloc'ed, at least one access. IGPU_BAD_INPUT names file and
 * line. */
enum igpu_status cpu_trace_read(const char *path, struct cpu_access **list,
                                uint32_t *count, struct igpu_err *err);

/* What the agent of cpu.agent = CPU_TRACE does (copied); once, before the memory side
 * runs. Without this call it does nothing. IGPU_SIM_ERROR: no memory. */
enum igpu_status mem_cpu_trace(struct mem_system *mem, const struct cpu_access *list,
                               uint32_t count, struct igpu_err *err);

/* Run the agents of *config without any GPU work: `warm` accesses, then `requests`
 * measured ones. *stats gets the counters of the measured part and *ps its length;
 * cpu_latency_ns_sum / cpu_requests is the mean latency in ps. IGPU_USAGE: no agent
 * is configured. `list`, `count`: as for mem_cpu_trace(), NULL and 0 otherwise. */
enum igpu_status cpu_run_alone(const struct igpu_config *config,
                               const struct cpu_access *list, uint32_t count,
                               uint64_t warm, uint64_t requests,
                               struct mem_stats *stats, uint64_t *ps,
                               struct igpu_err *err);
#endif
