// isa_uops_model.cpp - see isa_uops.h.
#include "Vigpu_isa_uops.h"
#include "bridge/rtl/isa_uops.h"
#include "verilated.h"

#include <cstring>

namespace
{
struct Decoder {
    VerilatedContext context;
    Vigpu_isa_uops model{(context.threads(1), &context)};

    Decoder()
    {
        model.eval();
    }
    void clock()
    {
        model.clk_i = 1;
        model.eval();
        model.clk_i = 0;
        model.eval();
    }
};
} // namespace

void isa_uops_decode(const uint8_t *raw, struct uop *uop)
{
    static thread_local Decoder d;

    std::memcpy(d.model.raw_i.data(), raw, 16);
    d.model.en_i = 1;
    d.clock();
    d.clock();
    std::memcpy(uop->need, d.model.need_o.data(), sizeof(uop->need));
    std::memcpy(uop->set, d.model.set_o.data(), sizeof(uop->set));
    uop->need_x = d.model.need_x_o;
    uop->set_x = d.model.set_x_o;
    uop->unit = d.model.unit_o;
    uop->cls = d.model.class_o;
}
