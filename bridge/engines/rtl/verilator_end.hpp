// verilator_end.hpp - before an object of a Verilated class is destroyed: its scopes
// are taken out of the context that the thread ran last, which may be another object's
// and gone (Verilator 5.006, VerilatedScope's destructor).
#ifndef IGPU_VERILATOR_END_HPP
#define IGPU_VERILATOR_END_HPP
#include "verilated.h"

template <class Top> void verilated_ends(Top &top)
{
    Verilated::threadContextp(top.contextp());
}
#endif
