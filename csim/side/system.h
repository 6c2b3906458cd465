/* system.h - the memory side's parts together (private to csim/mem and its tests).
 * Public interface: igpu/mem.h. */
#ifndef MEM_SYSTEM_H
#define MEM_SYSTEM_H
#include "csim/ff/ff.h"
#include "csim/mem/clock.h"
#include "csim/mem/cpu.h"
#include "csim/mem/dataport.h"
#include "csim/mem/gateway.h"
#include "csim/mem/gti.h"
#include "csim/mem/l3.h"
#include "csim/mem/llc.h"
#include "csim/mem/translate.h"
#include "csim/mem/wheel.h"
#include "igpu/mem.h"
#include "igpu/mem_stats.h"

struct mem_system {
    struct igpu_config config;
    struct clock clock; /* of the GPU; tick: the next cycle to simulate */
    uint64_t until;     /* mem_run()'s last argument */
    uint32_t ports;
    struct port_in_table in_table;
    bool uses_slm;
    /* Of each subslice: there is nothing to do before; the same but for its data port.
     */
    uint64_t at[LINES_MAX_PORTS], other_at[LINES_MAX_PORTS];
    struct dataport port[LINES_MAX_PORTS];
    struct gateway gateway[LINES_MAX_PORTS];
    struct ff ff;
    struct lines *table;
    struct wheel wheel;
    struct l3 l3;
    struct gti gti;
    struct translate translate;
    struct llc llc;
    struct cpu cpu;
    struct mem_stats stats;
    struct mem_sampler sampler;
    uint64_t sample_at; /* its next cycle, above clock.tick; UINT64_MAX: none */
};

/* mem_sample.c: tell the sampler of cycle sample_at, where the clock is or was. */
void mem_sample_take(struct mem_system *mem);
#endif
