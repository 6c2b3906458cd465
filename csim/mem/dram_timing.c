/* dram_timing.c - see dram_timing.h. */
#include "csim/mem/dram_timing.h"

static void at_least(uint64_t *value, uint64_t bound)
{
    if (*value < bound)
        *value = bound;
}

static void tell(const struct dram *dram, const struct dram_channel *ch, uint32_t bank,
                 enum dram_command command, uint64_t row, uint64_t clock)
{
    if (dram->watch != NULL) {
        struct dram_issue issue = {clock, row, ch->index, bank, command};

        dram->watch(dram->watch_ctx, &issue);
    }
}

static void activate(const struct dram *dram, const struct dram_request *r,
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
    at_least(&rank->act_ok, now + c->dram_trrd_s);
    at_least(&r->group->act_ok, now + c->dram_trrd_l);
    if (rank->activates[rank->oldest] != 0)
        at_least(&rank->act_ok, rank->activates[rank->oldest] - 1 + c->dram_tfaw);
}

void dram_take_bus(const struct dram *dram, struct dram_channel *ch,
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

static void column(const struct dram *dram, struct dram_channel *ch,
                   const struct dram_request *r, uint64_t now)
{
    const struct igpu_config *c = dram->config;
    struct dram_bank *bank = r->bank;
    struct dram_rank *rank = r->rank;
    uint64_t end = now + (r->write ? c->dram_cwl : dram->cl) + c->dram_burst;

    for (unsigned w = 0; w < 2; w++) {
        at_least(&rank->col_ok[w], now + c->dram_tccd_s);
        at_least(&r->group->col_ok[w], now + c->dram_tccd_l);
    }
    if (r->write) {
        at_least(&rank->col_ok[0], end + c->dram_twtr_s);
        at_least(&r->group->col_ok[0], end + c->dram_twtr_l);
        at_least(&bank->pre_ok, end + c->dram_twr);
    } else {
        at_least(&bank->pre_ok, now + c->dram_trtp);
    }
    dram_take_bus(dram, ch, rank, r->write, end);
}

void dram_issue(struct dram *dram, struct dram_channel *ch,
                const struct dram_request *r, enum dram_command command, uint64_t now)
{
    struct dram_bank *bank = r->bank;

    if (command == DRAM_ACT) {
        activate(dram, r, now);
    } else if (command == DRAM_PRE) {
        bank->row = DRAM_CLOSED;
        at_least(&bank->act_ok, now + dram->trp);
    } else {
        column(dram, ch, r, now);
    }
    tell(dram, ch, (uint32_t)(bank - ch->bank), command, r->row, now);
}

/* The idle time halves when a row was left open for too long (another one is wanted),
 * and doubles when it was closed too early (the same one is). */
void dram_close_idle(const struct dram *dram, struct dram_channel *ch,
                     struct dram_bank *b, uint64_t row, uint64_t now)
{
    const struct igpu_config *c = dram->config;

    if (c->dram_idle_close == 0)
        return;
    if (now >= b->last_use + b->idle) {
        uint64_t closed = dram_later(b->last_use + b->idle, b->pre_ok);

        tell(dram, ch, (uint32_t)(b - ch->bank), DRAM_PRE, b->row, closed);
        if (b->row == row && 2 * b->idle <= c->dram_idle_close)
            b->idle *= 2;
        b->row = DRAM_CLOSED;
        at_least(&b->act_ok, closed + dram->trp);
    } else if (b->row != row && b->idle / 2 >= c->dram_idle_least) {
        b->idle /= 2;
    }
}

/* One refresh of `rank` as early as its banks permit, not before it is due. */
static void refresh(struct dram *dram, struct dram_channel *ch, uint32_t rank)
{
    uint32_t first = rank * dram->banks_per_rank;
    uint64_t start = ch->rank[rank].refresh_due;

    for (uint32_t b = first; b < first + dram->banks_per_rank; b++) {
        struct dram_bank *bank = &ch->bank[b];

        if (bank->row != DRAM_CLOSED) {
            uint64_t close = dram_later(bank->pre_ok, ch->rank[rank].refresh_due);

            tell(dram, ch, b, DRAM_PRE, bank->row, close);
            bank->row = DRAM_CLOSED;
            at_least(&bank->act_ok, close + dram->trp);
        }
        start = dram_later(start, bank->act_ok);
    }
    for (uint32_t b = first; b < first + dram->banks_per_rank; b++)
        at_least(&ch->bank[b].act_ok, start + dram->config->dram_trfc);
    tell(dram, ch, first, DRAM_REF, 0, start);
    dram->stats->dram_refreshes++;
    ch->rank[rank].refresh_due += dram->config->dram_trefi;
}

void dram_refresh(struct dram *dram, struct dram_channel *ch, uint64_t now)
{
    uint64_t interval = dram->config->dram_trefi;

    ch->refresh_due = UINT64_MAX;
    for (uint32_t rank = 0; rank < dram->ranks; rank++) {
        uint64_t *due = &ch->rank[rank].refresh_due;

        while (*due <= now) {
            refresh(dram, ch, rank);
            /* A long idle time: every refresh but the last one is over and past. */
            if (*due <= now && now - *due > 2 * interval) {
                uint64_t skipped = (now - *due) / interval - 1;

                dram->stats->dram_refreshes += skipped;
                for (uint64_t i = 0; dram->watch != NULL && i < skipped; i++)
                    tell(dram, ch, rank * dram->banks_per_rank, DRAM_REF, 0,
                         *due + i * interval);
                *due += skipped * interval;
            }
        }
        if (*due < ch->refresh_due)
            ch->refresh_due = *due;
    }
}
