// isa_model.cpp - see isa_rtl.h.
#include "Vigpu_isa_stages.h"
#include "isa_rtl.h"
#include "verilated.h"

#include <cstring>

namespace
{
struct Decoder {
    VerilatedContext context;
    Vigpu_isa_stages model{(context.threads(1), &context)};

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

void isa_rtl_decode(const uint8_t *raw, uint32_t word[ISA_RTL_WORDS])
{
    static Decoder d;

    std::memcpy(d.model.raw_i.data(), raw, 16);
    d.model.en_i = 1;
    d.clock();
    d.clock();
    std::memcpy(word, d.model.inst_o.data(), ISA_RTL_WORDS * sizeof(*word));
}
