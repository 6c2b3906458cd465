// engine_rtl.cpp - see rtl_shim.h. engine_rtl_wave.cpp includes it for the waves.
#include <iterator>

#include "bridge/engines/rtl/rtl_shim.h"
#include "bridge/engines/rtl/verilator_end.hpp"
#include "verilated.h"
#ifdef IGPU_RTL_WAVE
#include "Vigpu_wave_eu.h"
#include "Vigpu_wave_global.h"
#include "Vigpu_wave_local.h"
#include "verilated_fst_c.h"
extern FILE *wave_file; // engine_rtl_fst.cpp
extern bool wave_damaged;
#define MODEL(name) Vigpu_wave_##name
#define SHIM rtl_shim_wave
#else
#include "Vigpu_dpi_eu.h"
#include "Vigpu_dpi_global.h"
#include "Vigpu_dpi_global3.h"
#include "Vigpu_dpi_local.h"
#define MODEL(name) Vigpu_dpi_##name
#define SHIM rtl_shim_plain
#endif
#include "bridge/engines/rtl/verilator_direct.hpp"
#ifndef IGPU_RTL_WAVE
#include "Vigpu_dpi_global3___024root.h"
#include "Vigpu_dpi_global___024root.h"
IGPU_DIRECT(Vigpu_dpi_global)
IGPU_DIRECT(Vigpu_dpi_global3)
IGPU_DIRECT(Vigpu_dpi_local)
#endif

namespace
{
using Eu = MODEL(eu);
using Local = MODEL(local);
using Global = MODEL(global);

struct Context {
    VerilatedContext verilated;
#ifdef IGPU_RTL_WAVE
    VerilatedFstC file;
#endif
};

// ---- contexts, waves ----

void *context()
{
    Context *c = new Context;
    c->verilated.threads(1); // else its own, idle and without a use
#ifdef IGPU_RTL_WAVE
    c->verilated.traceEverOn(true);
#endif
    return c;
}

void context_free(void *context)
{
    delete static_cast<Context *>(context);
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

template <class M> void del(void *model)
{
    M *m = static_cast<M *>(model);
    verilated_ends(*m);
    delete m;
}

// A rising edge of one clock, and its fall.
template <class M> void edge(M *m, CData &clock)
{
    clock = 1, m->eval();
    clock = 0, m->eval();
}

// ---- EU ----

void eu_reset(void *model, bool oldest)
{
    Eu *m = static_cast<Eu *>(model);
    m->oldest_i = oldest;
    m->rst_ni = 0;
    edge(m, m->clk_i), edge(m, m->send_clk_i);
    m->rst_ni = 1;
}

void *eu(void *context, const char *name)
{
    Eu *m = make<Eu>(context, name);
    eu_reset(m, false);
    m->visit_i = 1;
    return m;
}

void eu_store(void *model, const struct rtl_store *s)
{
    Eu *m = static_cast<Eu *>(model);
    m->store_we_i = 1, m->store_addr_i = s->place, m->store_set_i = s->set;
    m->store_need_i = s->need, m->store_ctl_i = s->ctl, m->store_dur_i = s->dur;
    m->visit_i = 0;
    edge(m, m->clk_i);
    m->store_we_i = 0, m->visit_i = 1;
}

void eu_visit(void *model, uint16_t now, bool old, const struct rtl_visit *v,
              struct rtl_shows *shows)
{
    Eu *m = static_cast<Eu *>(model);
    m->now_i = now, m->old_i = old;
    if (v) {
        m->first_i = v->first, m->runs_i = v->runs, m->done_i = v->done;
        m->open_slot_i = v->open_slot, m->open_pc_i = v->run.pc;
        m->open_len_i = v->run.len, m->open_wait_i = v->run.wait;
        m->done_slot_i = v->done_slot, m->done_uop_i = v->done_uop;
        m->redir_slot_i = v->redirect_slot, m->redir_pc_i = v->redirected.pc;
        m->redir_len_i = v->redirected.len, m->redir_wait_i = v->redirected.wait;
    }
    IGPU_VISIT(m);
    if (v)
        m->first_i = m->runs_i = m->done_i = 0;
    shows->valid = m->ret_valid_o, shows->ask = m->ask_o, shows->wake = m->wake_o;
    if (shows->ask)
        shows->ask_slot = m->ask_slot_o;
    if (shows->valid) {
        shows->eot = m->ret_eot_o, shows->port = m->ret_port_o,
        shows->from = m->ret_from_o;
        shows->slots = m->ret_slot_o;
        shows->uop[0] = m->ret0_uop_o, shows->uop[1] = m->ret1_uop_o;
        shows->uop[2] = m->ret2_uop_o, shows->uop[3] = m->ret3_uop_o;
    }
}

void eu_answer(void *model, const struct rtl_run *run, struct rtl_shows *shows)
{
    Eu *m = static_cast<Eu *>(model);
    m->run_pc_i = run->pc, m->run_len_i = run->len, m->run_wait_i = run->wait;
    m->visit_i = 0;
    IGPU_VISIT(m);
    m->visit_i = 1;
    shows->wake = m->wake_o;
}

void eu_queue(void *model, uint16_t now, uint16_t next, const struct rtl_push *push,
              bool grant, struct rtl_queue *queue)
{
    Eu *m = static_cast<Eu *>(model);
    m->now_i = now, m->next_i = next, m->push_i = push != nullptr;
    m->grant_i = grant;
    if (push) {
        m->push_uop_i = push->uop, m->push_from_i = push->from;
        m->push_slot_i = push->slot, m->push_port_i = push->port;
    }
    IGPU_QUEUE(m);
    *queue = {m->req_o != 0, m->port_o != 0, m->full_o != 0, m->msg_slot_o,
              m->msg_uop_o};
}

// ---- local dispatcher, send arbiter, decode ----

void *local(void *context, const char *name, void *tile)
{
    Local *m = make<Local>(context, name);
    m->tile_i = reinterpret_cast<uintptr_t>(tile);
    m->rst_ni = 0;
    edge(m, m->clk_i), edge(m, m->decode_clk_i);
    m->rst_ni = 1;
    return m;
}

void local_config(void *model, uint8_t addr, uint8_t data)
{
    Local *m = static_cast<Local *>(model);
    m->cfg_we_i = 1, m->cfg_addr_i = addr, m->cfg_data_i = data;
    edge(m, m->clk_i), edge(m, m->decode_clk_i);
    m->cfg_we_i = 0;
}

void local_launch(void *model)
{
    Local *m = static_cast<Local *>(model);
    m->restart_i = 1;
    edge(m, m->clk_i), edge(m, m->send_clk_i);
    m->restart_i = 0, m->eval();
}

void local_decode(void *model, uint64_t uctl, uint32_t *ctl, uint8_t *dur)
{
    Local *m = static_cast<Local *>(model);
    m->uctl_i = uctl;
    edge(m, m->decode_clk_i), edge(m, m->decode_clk_i);
    *ctl = m->ctl_o, *dur = m->dur_o;
}

void local_step(void *model, const struct host_start *start, uint8_t end,
                uint32_t end_slot, struct rtl_opened *opened)
{
    Local *m = static_cast<Local *>(model);
    m->start_i = start != nullptr;
    if (start)
        m->start_thread_i = start->thread, m->start_bslot_i = start->bslot;
    m->end_i = end, m->end_slot_i = end_slot;
    m->ce_i = 1; // before the first: what follows from it is evaluated with that one
    IGPU_EDGE(m, load_i, 0);
    IGPU_EDGE(m, clk_i, 3);
    m->ce_i = 0;
    const uint64_t run = m->open_run_o;
    *opened = {{static_cast<uint32_t>(run), static_cast<uint16_t>(run >> 32),
                static_cast<uint8_t>(run >> 48)},
               m->open_eu_o,
               m->open_slot_o,
               m->open_o != 0};
}

uint8_t local_send(void *model, uint8_t req, uint8_t port, bool credit)
{
    Local *m = static_cast<Local *>(model);
    m->req_i = req, m->port_i = port, m->credit_i = credit;
    IGPU_REQUEST(m);
    const uint8_t grant = m->grant_o;
    IGPU_GRANT(m);
    return grant;
}

// ---- global dispatcher: G is its class ----

// A clock with what is on the inputs.
template <class G> void global_clock(G *m)
{
    edge(m, m->load_i), edge(m, m->clk_i);
}

template <class G> void *global(void *context, const char *name)
{
    G *m = make<G>(context, name);
    m->rst_ni = 0;
    global_clock(m);
    m->rst_ni = 1;
    return m;
}

template <class G> void global_config(void *model, uint8_t addr, uint8_t data)
{
    G *m = static_cast<G *>(model);
    m->cfg_we_i = 1, m->cfg_addr_i = addr, m->cfg_data_i = data;
    global_clock(m);
    m->cfg_we_i = 0;
}

template <class G>
void global_launch(void *model, const struct host_launch *launch, bool longer)
{
    G *m = static_cast<G *>(model);
    m->launch_i = !longer, m->extend_i = longer, m->threads_i = launch->threads;
    m->tpg_i = launch->tpg, m->pinned_i = launch->pinned, m->slm_kb_i = launch->slm_kb;
    global_clock(m);
    m->launch_i = m->extend_i = 0;
}

template <class G>
void global_step(void *model, uint64_t cycle, const struct rtl_ends *ends,
                 struct rtl_dispatch *d)
{
    G *m = static_cast<G *>(model);
    unsigned clocks = ends->valid ? 5 : 1; // before the one that dispatches

    m->now_i = cycle, m->step_i = 1, m->end_i = ends->valid;
    if (ends->valid)
        for (unsigned i = 0; i < std::size(m->end_bslot_i); i++)
            m->end_bslot_i[i] = ends->bslot[i];
    IGPU_EDGE(m, load_i, 0);
    m->step_i = 0, m->end_i = 0;
    d->over = false;
    for (unsigned i = 0; i < clocks; i++) {
        IGPU_EDGE(m, clk_i, 1);
        d->over |= m->over_o != 0;
    }
    d->start = m->start_o, d->thread = m->start_thread_o, d->bslot = m->start_bslot_o;
    IGPU_EDGE(m, clk_i, 1);
    d->next = m->wait_o ? m->next_o : RTL_NEVER;
}

// clang-format off
template <class G> constexpr struct rtl_shim table = {
    context, context_free, wave_open, wave_dump, wave_close,
    eu, igpu_held<Eu>, eu_reset, eu_store, eu_visit, eu_answer, eu_queue, del<Eu>,
    local, local_config, local_launch, local_decode, local_step, local_send, del<Local>,
    global<G>, global_config<G>, global_launch<G>, global_step<G>, del<G>};
// clang-format on
} // namespace

extern "C" const struct rtl_shim SHIM = table<Global>;
#ifndef IGPU_RTL_WAVE
extern "C" const struct rtl_shim rtl_shim_plain3 = table<Vigpu_dpi_global3>;
#endif
