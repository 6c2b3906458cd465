// verilator_direct.hpp - a rising edge of one clock, without what eval() does to find
// it.
//
// The host knows which clock it raises, so the class's process is called by itself.
// That rests on names that Verilator generates, for one version that is known; any
// other, and the build with waves, raises the clock and calls eval(). No wire may
// follow from an input and be read by the process: it would be that of before. What
// is called often is called by its processes' numbers, which follow from the text of
// the class: IGPU_VISIT is that of the EU's clk_i, IGPU_QUEUE both of its send_clk_i;
// IGPU_REQUEST is that of the tile's send_load_i, with the grant, which follows from
// it, IGPU_GRANT that of send_clk_i: the next grant waits for requests (all of this:
// tests/cosim/test_direct.sh). What it earns, by
// tests/perf/host_work.py: docs/develop/verilated-unit.md.
#ifndef IGPU_VERILATOR_DIRECT_HPP
#define IGPU_VERILATOR_DIRECT_HPP
#include "verilated.h"

#if VERILATOR_VERSION_INTEGER == 5006000 && !defined(IGPU_RTL_WAVE)
#include "Vigpu_dpi_eu___024root.h"
#include "Vigpu_dpi_local___024root.h"
void Vigpu_dpi_eu___024root___nba_sequent__TOP__0(Vigpu_dpi_eu___024root *);
void Vigpu_dpi_eu___024root___nba_sequent__TOP__1(Vigpu_dpi_eu___024root *);
void Vigpu_dpi_eu___024root___nba_sequent__TOP__2(Vigpu_dpi_eu___024root *);
void Vigpu_dpi_local___024root___nba_sequent__TOP__2(Vigpu_dpi_local___024root *);
void Vigpu_dpi_local___024root___nba_sequent__TOP__3(Vigpu_dpi_local___024root *);
void Vigpu_dpi_local___024root___nba_comb__TOP__0(Vigpu_dpi_local___024root *);

// What eval() does when it has found triggers, of a class that edges are raised of.
#define IGPU_DIRECT(name)                                                              \
    void name##___024root___eval_nba(name##___024root *);                              \
    static inline void igpu_eval_nba(name##___024root *m)                              \
    {                                                                                  \
        name##___024root___eval_nba(m);                                                \
    }
// INDEX: the clock's place among the class's triggers.
#define IGPU_EDGE(m, CLOCK, INDEX)                                                     \
    ((m)->rootp->__VnbaTriggered.clear(),                                              \
     (m)->rootp->__VnbaTriggered.at(INDEX) = true, igpu_eval_nba((m)->rootp))
#define IGPU_VISIT(m) Vigpu_dpi_eu___024root___nba_sequent__TOP__1((m)->rootp)
#define IGPU_QUEUE(m)                                                                  \
    (Vigpu_dpi_eu___024root___nba_sequent__TOP__0((m)->rootp),                         \
     Vigpu_dpi_eu___024root___nba_sequent__TOP__2((m)->rootp))
#define IGPU_REQUEST(m)                                                                \
    (Vigpu_dpi_local___024root___nba_sequent__TOP__3((m)->rootp),                      \
     Vigpu_dpi_local___024root___nba_comb__TOP__0((m)->rootp))
#define IGPU_GRANT(m) Vigpu_dpi_local___024root___nba_sequent__TOP__2((m)->rootp)
#else
#define IGPU_DIRECT(name)
#define IGPU_EDGE(m, CLOCK, INDEX)                                                     \
    ((m)->CLOCK = 1, (m)->eval(), (m)->CLOCK = 0, (m)->eval())
#define IGPU_VISIT(m) IGPU_EDGE(m, clk_i, 0)
#define IGPU_QUEUE(m) IGPU_EDGE(m, send_clk_i, 1)
#define IGPU_REQUEST(m) IGPU_EDGE(m, send_load_i, 1)
#define IGPU_GRANT(m) IGPU_EDGE(m, send_clk_i, 4)
#endif

#ifdef IGPU_RTL_WAVE
#include "Vigpu_wave_eu___024root.h"
#else
#include "Vigpu_dpi_eu___024root.h"
#endif
// For rtl_shim.eu_held: the EU's state itself, as no output tells it for nothing.
template <class M> static const uint8_t *igpu_held(const void *model)
{
    return &static_cast<const M *>(model)
                ->rootp->igpu_dpi_eu__DOT__u_flat__DOT__held_m[0];
}
#endif
