// full_shim.cpp - see full_shim.h: Verilator's class of the whole top.
#include "bridge/rtl/full_shim.h"

#include "Vigpu_dpi_full.h"
#include "verilated.h"

namespace
{
using Top = Vigpu_dpi_full;
struct Model {
    VerilatedContext context;
    Top top{(context.threads(1), &context)};
};

Top *top(void *model)
{
    return &static_cast<Model *>(model)->top;
}

// What is not a cycle: its inputs are loaded by one edge and used by the next.
void edge(Top *t)
{
    t->run_i = 0;
    for (CData *clock : {&t->load_i, &t->clk_i}) {
        *clock = 1;
        t->eval();
        *clock = 0;
        t->eval();
    }
}
} // namespace

void *full_shim_new(void *const tile[FULL_TILES])
{
    Model *m = new Model;
    Top *t = &m->top;
    for (unsigned i = 0; i < FULL_TILES; i++)
        t->tile_i[i] = reinterpret_cast<uint64_t>(tile[i]);
    t->rst_ni = 0;
    edge(t);
    t->rst_ni = 1;
    return m;
}

void full_shim_del(void *model)
{
    delete static_cast<Model *>(model);
}

void full_shim_config(void *model, uint8_t addr, uint8_t data)
{
    Top *t = top(model);
    t->cfg_we_i = 1, t->cfg_addr_i = addr, t->cfg_data_i = data;
    edge(t);
    t->cfg_we_i = 0;
}

void full_shim_store(void *model, uint32_t index, const struct uop *u, uint64_t uctl)
{
    Top *t = top(model);
    t->store_we_i = 1, t->store_addr_i = static_cast<uint16_t>(index);
    t->need_lo_i = u->need[0], t->need_hi_i = u->need[1], t->need_x_i = u->need_x;
    t->set_lo_i = u->set[0], t->set_hi_i = u->set[1], t->set_x_i = u->set_x;
    t->uctl_i = uctl;
    edge(t);
    t->store_we_i = 0;
}

void full_shim_launch(void *model, const struct host_launch *launch)
{
    Top *t = top(model);
    t->launch_i = 1, t->threads_i = launch->threads, t->pinned_i = launch->pinned;
    t->tpg_i = static_cast<uint8_t>(launch->tpg), t->slm_kb_i = launch->slm_kb;
    edge(t);
    t->launch_i = 0;
}

void full_shim_done(void *model, const struct host_done *done)
{
    Top *t = top(model);
    const unsigned i = done->tile, bit = 1u << i;
    t->done_eu_i[i] = done->eu, t->done_slot_i[i] = done->slot;
    t->done_uop_i[i] = done->uop;
    t->done_i |= bit;
    t->done_wb_i ^= (t->done_wb_i ^ done->wb << i) & bit;
    t->done_credit_i ^= (t->done_credit_i ^ done->credit << i) & bit;
}

bool full_shim_load(void *model, bool execute, uint64_t next)
{
    Top *t = top(model);
    if (execute) {
        t->eval_i = t->clk_i = 1;
        t->eval();
        t->clk_i = 0;
        t->eval();
        t->eval_i = 0;
    }
    t->run_i = t->load_i = 1;
    t->clk_i = execute;
    t->now_i = next;
    t->eval();
    t->load_i = t->clk_i = t->done_i = 0;
    t->eval();
    return t->over_o;
}
