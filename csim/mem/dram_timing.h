/* dram_timing.h - the timing rules of DDR4 commands: which command a request needs,
 * when it may be issued, and what it forbids from then on. Clocks of dram.clock_hz.
 * Tests: tests/csim/test_mem_dram_rules.c */
#ifndef MEM_DRAM_TIMING_H
#define MEM_DRAM_TIMING_H
#include "csim/mem/dram.h"

/* The next command for the request, by the state of its bank. */
enum dram_command dram_needs(const struct dram_bank *bank,
                             const struct dram_request *request);
/* The first clock at which that command keeps every rule. */
uint64_t dram_ready(const struct dram *dram, const struct dram_channel *channel,
                    const struct dram_request *request, enum dram_command command);
/* Issue it at `now`. */
void dram_issue(struct dram *dram, struct dram_channel *channel,
                const struct dram_request *request, enum dram_command command,
                uint64_t now);
/* Before a request for `row` joins the queue at `now`: close, in the past, a row of
 * `bank` that nobody wanted for the bank's idle time, and adapt that time. */
void dram_close_idle(const struct dram *dram, struct dram_channel *channel,
                     uint32_t bank, uint64_t row, uint64_t now);
/* Do the refreshes that are due at `now`. */
void dram_refresh(struct dram *dram, struct dram_channel *channel, uint64_t now);
#endif
