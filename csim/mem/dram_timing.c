/* dram_timing.c - see dram_timing.h. */
#include "csim/mem/dram_timing.h"

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

        dram_tell(dram, ch, (uint32_t)(b - ch->bank), DRAM_PRE, b->row, closed);
        if (b->row == row && 2 * b->idle <= c->dram_idle_close)
            b->idle *= 2;
        b->row = DRAM_CLOSED;
        dram_at_least(&b->act_ok, closed + dram->trp);
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

            dram_tell(dram, ch, b, DRAM_PRE, bank->row, close);
            bank->row = DRAM_CLOSED;
            dram_at_least(&bank->act_ok, close + dram->trp);
        }
        start = dram_later(start, bank->act_ok);
    }
    for (uint32_t b = first; b < first + dram->banks_per_rank; b++)
        dram_at_least(&ch->bank[b].act_ok, start + dram->config->dram_trfc);
    dram_tell(dram, ch, first, DRAM_REF, 0, start);
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
                    dram_tell(dram, ch, rank * dram->banks_per_rank, DRAM_REF, 0,
                              *due + i * interval);
                *due += skipped * interval;
            }
        }
        if (*due < ch->refresh_due)
            ch->refresh_due = *due;
    }
}
