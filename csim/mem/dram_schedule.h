/* dram_schedule.h - which command a channel issues, and when it is looked at: FR-FCFS
 * over open rows, writes drained in between. Clocks of dram.clock_hz.
 * Tests: tests/csim/test_mem_dram.c */
#ifndef MEM_DRAM_SCHEDULE_H
#define MEM_DRAM_SCHEDULE_H
#include "csim/mem/dram.h"

/* `request` joined its queue at `now`: look at the channel early enough for it. */
void dram_joined(struct dram *dram, struct dram_channel *channel,
                 const struct dram_request *request, uint64_t now);
#endif
