/* jit_live.c - which registers are read later: the others need not go back to the
 * thread. */
#include "jit_int.h"

static void add_reads(const struct jit_gen *g, uint32_t first, uint32_t end,
                      uint64_t grf[2])
{
    for (uint32_t i = first; i < end; i++) {
        const struct jit_inst *in = &g->k->inst[i];
        struct isa_regset reads, writes;

        if (in->kind == JIT_END && in->ends && !in->last)
            continue;
        isa_regs(in->inst, &reads, &writes);
        for (uint32_t k = 0; k < 2; k++)
            grf[k] |= reads.indirect ? UINT64_MAX : reads.grf[k];
    }
}

/* What block b's successors read and have behind them is behind it. False: that was
 * known. */
static bool add_successors(struct jit_gen *g, uint32_t b)
{
    const struct isa_block *block = &g->k->blocks->block[b];
    uint64_t now[2] = {g->later[b][0], g->later[b][1]};
    bool news = false;

    for (uint32_t s = 0; s < block->nsucc; s++) {
        for (uint32_t k = 0; k < 2; k++)
            now[k] |= g->reads[block->succ[s]][k] | g->later[block->succ[s]][k];
    }
    for (uint32_t k = 0; k < 2; k++) {
        now[k] |= block->is_dynamic ? UINT64_MAX : 0;
        news |= now[k] != g->later[b][k];
        g->later[b][k] = now[k];
    }
    return news;
}

void jit_find_later(struct jit_gen *g)
{
    const struct isa_block_list *l = g->k->blocks;
    bool news = true;

    for (uint32_t b = 0; b < l->count; b++)
        add_reads(g, l->block[b].first, l->block[b].first + l->block[b].count,
                  g->reads[b]);
    while (news) {
        news = false;
        for (uint32_t b = l->count; b-- > 0;)
            news |= add_successors(g, b);
    }
}

void jit_live(const struct jit_gen *g, uint64_t live[2])
{
    const struct isa_block_list *l = g->k->blocks;
    uint32_t b = l->block_of[g->at];

    live[0] = live[1] = UINT64_MAX;
    if (!g->full || g->k->keeps)
        return;
    live[0] = g->later[b][0];
    live[1] = g->later[b][1];
    add_reads(g, g->at, l->block[b].first + l->block[b].count, live);
}
