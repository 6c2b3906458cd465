/* dram_timing.h - the timing rules of DDR4 commands: which command a request needs,
 * when it may be issued, and what it forbids from then on. Clocks of dram.clock_hz.
 * Tests: tests/csim/test_mem_dram_rules.c */
#ifndef MEM_DRAM_TIMING_H
#define MEM_DRAM_TIMING_H
#include "csim/mem/dram.h"

/* ---- what every scan asks of every request: in the header, so that it is inlined ----
 */

static inline uint64_t dram_later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* The next command for the request, by the state of its bank. */
static inline enum dram_command dram_needs(const struct dram_request *request)
{
    const struct dram_bank *bank = request->bank;

    if (bank->row == DRAM_CLOSED)
        return DRAM_ACT;
    if (bank->row != request->row)
        return DRAM_PRE;
    return request->write ? DRAM_WR : DRAM_RD;
}

/* The first clock at which that command keeps every rule. */
static inline uint64_t dram_ready(const struct dram_channel *ch,
                                  const struct dram_request *r,
                                  enum dram_command command)
{
    const struct dram_bank *bank = r->bank;
    const struct dram_rank *rank = r->rank;
    const struct dram_group *group = r->group;

    if (command == DRAM_PRE)
        return bank->pre_ok;
    if (command == DRAM_ACT)
        return dram_later(bank->act_ok, dram_later(rank->act_ok, group->act_ok));
    return dram_later(
        dram_later(bank->col_ok, ch->bus_ok[rank != ch->bus_rank][r->write]),
        dram_later(rank->col_ok[r->write], group->col_ok[r->write]));
}

/* A burst to or from the rank ends at `end`. */
void dram_take_bus(const struct dram *dram, struct dram_channel *channel,
                   const struct dram_rank *rank, bool write, uint64_t end);

/* Issue it at `now`. */
void dram_issue(struct dram *dram, struct dram_channel *channel,
                const struct dram_request *request, enum dram_command command,
                uint64_t now);
/* Before a request for `row` joins the queue at `now`, in which none for `bank` is:
 * close, in the past, its open row if nobody wanted that for the bank's idle time, and
 * adapt that time. */
void dram_close_idle(const struct dram *dram, struct dram_channel *channel,
                     struct dram_bank *bank, uint64_t row, uint64_t now);
/* Do the refreshes that are due at `now`. */
void dram_refresh(struct dram *dram, struct dram_channel *channel, uint64_t now);
#endif
