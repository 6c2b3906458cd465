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

/* From a column command to its first data. */
static inline uint64_t dram_to_data(const struct dram *dram, enum dram_command command)
{
    return command == DRAM_RD ? dram->cl : dram->config->dram_cwl;
}

static inline uint64_t dram_column_ready(const struct dram *dram,
                                         const struct dram_channel *ch,
                                         const struct dram_request *r,
                                         enum dram_command command)
{
    const struct dram_rank *rank = r->rank;
    const struct dram_group *group = r->group;
    uint64_t ready =
        dram_later(r->bank->col_ok, dram_later(rank->col_ok, group->col_ok));
    uint64_t bus = ch->bus_free, lead = dram_to_data(dram, command);

    if (command == DRAM_RD)
        ready = dram_later(ready, dram_later(rank->read_ok, group->read_ok));
    if (ch->bus_rank != r->rank || ch->bus_write != r->write)
        bus += dram->config->dram_trtrs;
    return dram_later(ready, bus > lead ? bus - lead : 0);
}

/* The first clock at which that command keeps every rule. */
static inline uint64_t dram_ready(const struct dram *dram,
                                  const struct dram_channel *ch,
                                  const struct dram_request *r,
                                  enum dram_command command)
{
    switch (command) {
    case DRAM_PRE:
        return r->bank->pre_ok;
    case DRAM_ACT:
        return dram_later(r->bank->act_ok,
                          dram_later(r->rank->act_ok, r->group->act_ok));
    default:
        return dram_column_ready(dram, ch, r, command);
    }
}

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
