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

/* ---- what every command passes: inlined too ---- */

static inline void dram_at_least(uint64_t *value, uint64_t bound)
{
    if (*value < bound)
        *value = bound;
}

static inline void dram_tell(const struct dram *dram, const struct dram_channel *ch,
                             uint32_t bank, enum dram_command command, uint64_t row,
                             uint64_t clock)
{
    if (dram->watch != NULL) {
        struct dram_issue issue = {clock, row, ch->index, bank, command};

        dram->watch(dram->watch_ctx, &issue);
    }
}

static inline void dram_activate(const struct dram *dram, const struct dram_request *r,
                                 uint64_t now)
{
    const struct igpu_config *c = dram->config;
    struct dram_bank *bank = r->bank;
    struct dram_rank *rank = r->rank;

    bank->row = r->row;
    bank->col_ok = now + dram->trcd;
    bank->pre_ok = now + c->dram_tras;
    rank->activates[rank->oldest] = now + 1; /* 0: none yet */
    rank->oldest = (rank->oldest + 1) % 4;
    dram_at_least(&rank->act_ok, now + c->dram_trrd_s);
    dram_at_least(&r->group->act_ok, now + c->dram_trrd_l);
    if (rank->activates[rank->oldest] != 0)
        dram_at_least(&rank->act_ok, rank->activates[rank->oldest] - 1 + c->dram_tfaw);
}

/* A burst to or from the rank ends at `end`. */
static inline void dram_take_bus(const struct dram *dram, struct dram_channel *ch,
                                 const struct dram_rank *rank, bool write, uint64_t end)
{
    uint64_t lead[2] = {dram->cl, dram->config->dram_cwl}; /* of a command */

    ch->bus_rank = rank;
    for (unsigned other = 0; other < 2; other++)
        for (unsigned w = 0; w < 2; w++) {
            bool turn = other != 0 || w != (unsigned)write;
            uint64_t free = end + (turn ? dram->config->dram_trtrs : 0);

            ch->bus_ok[other][w] = free > lead[w] ? free - lead[w] : 0;
        }
}

static inline void dram_column(const struct dram *dram, struct dram_channel *ch,
                               const struct dram_request *r, uint64_t now)
{
    const struct igpu_config *c = dram->config;
    struct dram_bank *bank = r->bank;
    struct dram_rank *rank = r->rank;
    uint64_t end = now + (r->write ? c->dram_cwl : dram->cl) + c->dram_burst;

    for (unsigned w = 0; w < 2; w++) {
        dram_at_least(&rank->col_ok[w], now + c->dram_tccd_s);
        dram_at_least(&r->group->col_ok[w], now + c->dram_tccd_l);
    }
    if (r->write) {
        dram_at_least(&rank->col_ok[0], end + c->dram_twtr_s);
        dram_at_least(&r->group->col_ok[0], end + c->dram_twtr_l);
        dram_at_least(&bank->pre_ok, end + c->dram_twr);
    } else {
        dram_at_least(&bank->pre_ok, now + c->dram_trtp);
    }
    dram_take_bus(dram, ch, rank, r->write, end);
}

/* Issue it at `now`. */
static inline void dram_issue(struct dram *dram, struct dram_channel *ch,
                              const struct dram_request *r, enum dram_command command,
                              uint64_t now)
{
    struct dram_bank *bank = r->bank;

    if (command == DRAM_ACT) {
        dram_activate(dram, r, now);
    } else if (command == DRAM_PRE) {
        bank->row = DRAM_CLOSED;
        dram_at_least(&bank->act_ok, now + dram->trp);
    } else {
        dram_column(dram, ch, r, now);
    }
    dram_tell(dram, ch, (uint32_t)(bank - ch->bank), command, r->row, now);
}

/* ---- what is rare ---- */

/* Before a request for `row` joins the queue at `now`, in which none for `bank` is:
 * close, in the past, its open row if nobody wanted that for the bank's idle time, and
 * adapt that time. */
void dram_close_idle(const struct dram *dram, struct dram_channel *channel,
                     struct dram_bank *bank, uint64_t row, uint64_t now);
/* Do the refreshes that are due at `now`. */
void dram_refresh(struct dram *dram, struct dram_channel *channel, uint64_t now);
#endif
