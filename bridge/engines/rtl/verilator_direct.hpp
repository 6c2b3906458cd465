// verilator_direct.hpp - a rising edge of one clock, without what eval() does to find
// it.
//
// The host knows which clock it raises, so the class's process is called by itself.
// That rests on names that Verilator generates, for one version that is known; any
// other, and the build with waves, raises the clock and calls eval(). No wire may
// follow from an input and be read by the process: it would be that of before
// (tests/cosim/test_direct.sh). What it earns, by
// tests/perf/host_work.py: docs/develop/verilated-unit.md.
#ifndef IGPU_VERILATOR_DIRECT_HPP
#define IGPU_VERILATOR_DIRECT_HPP
#include "verilated.h"

#if VERILATOR_VERSION_INTEGER == 5006000 && !defined(IGPU_RTL_WAVE)
#include "Vigpu_dpi_eu___024root.h"
#include "Vigpu_dpi_global___024root.h"
#include "Vigpu_dpi_local___024root.h"
void Vigpu_dpi_eu___024root___eval_nba(Vigpu_dpi_eu___024root *);
void Vigpu_dpi_global___024root___eval_nba(Vigpu_dpi_global___024root *);
void Vigpu_dpi_local___024root___eval_nba(Vigpu_dpi_local___024root *);

// INDEX: the clock's place among the class's triggers.
#define IGPU_EDGE(m, class_name, CLOCK, INDEX)                                         \
    ((m)->rootp->__VnbaTriggered.clear(),                                              \
     (m)->rootp->__VnbaTriggered.at(INDEX) = true,                                     \
     class_name##___024root___eval_nba((m)->rootp))
#else
#define IGPU_EDGE(m, class_name, CLOCK, INDEX)                                         \
    ((m)->CLOCK = 1, (m)->eval(), (m)->CLOCK = 0, (m)->eval())
#endif
#endif
