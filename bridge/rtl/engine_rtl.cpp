// engine_rtl.cpp - see rtl_shim.h. engine_rtl_wave.cpp includes it for the waves.
#include "bridge/rtl/rtl_shim.h"
#include "verilated.h"
#ifdef IGPU_RTL_WAVE
#include "Vigpu_wave_eu.h"
#include "Vigpu_wave_eu___024root.h"
#include "Vigpu_wave_global.h"
#include "Vigpu_wave_local.h"
#include "verilated_fst_c.h"
extern FILE *wave_file; // engine_rtl_fst.cpp
extern bool wave_damaged;
#define MODEL(name) Vigpu_wave_##name
#define SHIM rtl_shim_wave
#else
#include "Vigpu_dpi_eu.h"
#include "Vigpu_dpi_eu___024root.h"
#include "Vigpu_dpi_global.h"
#include "Vigpu_dpi_local.h"
#define MODEL(name) Vigpu_dpi_##name
#define SHIM rtl_shim_plain
// eval()'s body has a generated name; where it is not known, eval() does it.
#if VERILATOR_VERSION_INTEGER == 5006000
#include "Vigpu_dpi_local___024root.h"
#define IGPU_RTL_DIRECT
void Vigpu_dpi_eu___024root___eval_nba(Vigpu_dpi_eu___024root *);
void Vigpu_dpi_local___024root___eval_nba(Vigpu_dpi_local___024root *);
#endif
#endif

namespace
{
struct Context {
    VerilatedContext verilated;
#ifdef IGPU_RTL_WAVE
    VerilatedFstC file;
#endif
};

template <class M> M *make(void *context, const char *name)
{
    Context *c = static_cast<Context *>(context);
    M *m = new M(&c->verilated, name);
#ifdef IGPU_RTL_WAVE
    m->trace(&c->file, 99);
#endif
    m->rst_ni = 1, m->eval(); // the first sees no edge
    return m;
}

template <class M> void eval(void *model)
{
    static_cast<M *>(model)->eval();
}
template <class M> void del(void *model)
{
    delete static_cast<M *>(model);
}

void *context()
{
    Context *c = new Context;
    c->verilated.threads(1); // else its own, idle and without a use
#ifdef IGPU_RTL_WAVE
    c->verilated.traceEverOn(true);
#endif
    return c;
}

bool wave_open([[maybe_unused]] void *context, [[maybe_unused]] FILE *file)
{
#ifdef IGPU_RTL_WAVE
    wave_file = file;
    wave_damaged = false;
    static_cast<Context *>(context)->file.open("waves");
    return static_cast<Context *>(context)->file.isOpen();
#else
    return false;
#endif
}

bool wave_close([[maybe_unused]] void *context)
{
#ifdef IGPU_RTL_WAVE
    static_cast<Context *>(context)->file.close();
    return !wave_damaged;
#else
    return true;
#endif
}

void wave_dump([[maybe_unused]] void *context, [[maybe_unused]] uint64_t cycle)
{
#ifdef IGPU_RTL_WAVE
    static_cast<Context *>(context)->file.dump(cycle);
#endif
}

void eu(void *context, const char *name, struct rtl_eu_ports *p)
{
    auto *m = make<MODEL(eu)>(context, name);
    m->eval_i = 1;
    // clang-format off
    *p = {m, &m->tile_i, &m->now_i, &m->need_lo_i, &m->need_hi_i, &m->set_lo_i,
          &m->set_hi_i, &m->wake_o, &m->from_o, &m->done_uop_i, &m->open_pc_i,
          &m->ctl_i, &m->open_len_i, &m->store_addr_i, &m->clk_i,
          &m->rst_ni, &m->store_clk_i, &m->number_i, &m->grant_i, &m->done_i,
          &m->done_slot_i, &m->open_i, &m->open_slot_i, &m->need_x_i, &m->set_x_i,
          &m->dur_i, &m->open_wait_i};
    // clang-format on
}

// A rising edge of one clock alone: PORT, number INDEX of the class's N triggers.
#ifdef IGPU_RTL_DIRECT
#define EDGE(m, name, N, INDEX, PORT)                                                  \
    for (unsigned i = 0; i < (N); i++)                                                 \
        (m)->rootp->__VnbaTriggered.at(i) = i == (INDEX);                              \
    Vigpu_dpi_##name##___024root___eval_nba((m)->rootp)
#else
#define EDGE(m, name, N, INDEX, PORT)                                                  \
    (m)->PORT = 1, (m)->eval();                                                        \
    (m)->PORT = 0, (m)->eval()
#endif

template <class Root> bool eu_show(const Root *r, bool news, struct rtl_eu_shows *shows)
{
    shows->wake = r->wake_o;
    if (news)
        *shows = {r->wake_o,     r->from_o, r->msg_valid_o,
                  r->msg_port_o, r->end_o,  r->end_slot_o};
    return news;
}

bool eu_decide(void *model, uint64_t now, struct rtl_eu_shows *shows)
{
    auto *m = static_cast<MODEL(eu) *>(model);
    m->rootp->now_i = now;
    EDGE(m, eu, 3, 0, clk_i);
    if (m->rootp->next_o | m->rootp->ret_o) {
        EDGE(m, eu, 3, 1, report_i);
    }
    return eu_show(m->rootp, m->rootp->ret_o >> 2 & 1, shows); // SEND issued
}

void eu_take(void *model, uint64_t now, struct rtl_eu_shows *shows)
{
    auto *m = static_cast<MODEL(eu) *>(model);
    m->rootp->now_i = now, m->eval_i = 0, m->ce_i = 1;
    EDGE(m, eu, 3, 0, clk_i);
    eu_show(m->rootp, m->grant_i, shows);
    m->eval_i = 1, m->ce_i = m->done_i = m->open_i = m->grant_i = 0;
}

uint8_t local_send(void *model)
{
    auto *m = static_cast<MODEL(local) *>(model);
    EDGE(m, local, 5, 1, send_load_i);
    const uint8_t grant = m->grant_o;
    EDGE(m, local, 5, 4, send_clk_i);
    return grant;
}

void local(void *context, const char *name, struct rtl_local_ports *p)
{
    auto *m = make<MODEL(local)>(context, name);
    // clang-format off
    *p = {m, &m->tile_i, &m->uctl_i, &m->open_run_o, &m->start_thread_i,
          &m->end_slot_i, &m->ctl_o, &m->clk_i, &m->rst_ni, &m->restart_i, &m->load_i,
          &m->ce_i, &m->cfg_we_i, &m->cfg_addr_i, &m->cfg_data_i, &m->start_i,
          &m->start_bslot_i, &m->end_i, &m->open_o, &m->open_eu_o, &m->open_slot_o,
          &m->uctl_load_i, &m->dur_o, &m->send_clk_i, &m->req_i, &m->port_i,
          &m->credit_i};
    // clang-format on
}

void global(void *context, const char *name, struct rtl_global_ports *p)
{
    auto *m = make<MODEL(global)>(context, name);
    // clang-format off
    *p = {m, &m->now_i, &m->end_i, {}, &m->next_o, &m->threads_i, &m->start_thread_o,
          &m->clk_i, &m->rst_ni, &m->ce_i, &m->cfg_we_i, &m->cfg_addr_i,
          &m->cfg_data_i, &m->launch_i, &m->tpg_i, &m->pinned_i, &m->slm_kb_i,
          &m->start_o, &m->start_bslot_o, &m->over_o, &m->wait_o};
    // clang-format on
    for (unsigned i = 0; i < HOST_MAX_TILES; i++)
        p->end_bslot[i] = &m->end_bslot_i[i];
}
} // namespace
// clang-format off
extern "C" const struct rtl_shim SHIM = {
    context, del<Context>, wave_open, wave_dump, wave_close,
    eu, eval<MODEL(eu)>, eu_decide, eu_take, del<MODEL(eu)>,
    local, eval<MODEL(local)>, local_send, del<MODEL(local)>,
    global, eval<MODEL(global)>, del<MODEL(global)>};
// clang-format on
