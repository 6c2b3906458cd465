// eu_values.cpp - see eu_values.h.
#include "bridge/engines/rtl/eu_values.h"
#include "Vigpu_eu_values.h"
#include "Vigpu_isa_uops.h"
#include "bridge/engines/rtl/isa_uops.h"
#include "bridge/engines/rtl/rtl_shim.h"
#include "bridge/engines/rtl/verilator_end.hpp"
#include "verilated.h"

#include <cstring>
#include <exception>

namespace
{
[[maybe_unused]] const auto unworded = std::set_terminate(rtl_fail);

// Clocks until a part of the FPU is empty, and a few more.
enum { LANES = 14, MATH = 50 };

struct Values {
    VerilatedContext context;
    Vigpu_eu_values m{(context.threads(1), &context)};
    int lanes = LANES, halves = LANES, wide = LANES, math = MATH, math_halves = MATH;

    Values()
    {
        m.eval();
        for (int i = 0; i < MATH; i++)
            clock();
        m.rst_ni = 1;
        m.eval();
    }
    ~Values()
    {
        verilated_ends(m);
    }
    // What goes into the FPU now keeps its parts clocked.
    void offered()
    {
        if (!m.fpu_valid_o)
            return;
        if (m.fpu_math_o) {
            math = MATH;
            if (m.fpu_slot_o == 0)
                math_halves = MATH;
            return;
        }
        lanes = LANES;
        if (m.fpu_slot_o == 0)
            halves = LANES;
        if (m.fpu_slot_o == 2)
            wide = LANES;
    }
    static bool use(int &left)
    {
        return left > 0 && left-- > 0;
    }
    void clock()
    {
        offered();
        m.fpu_clk_i = use(lanes);
        m.half_clk_i = use(halves);
        m.wide_clk_i = use(wide);
        m.math_clk_i = use(math);
        m.math_half_clk_i = use(math_halves);
        m.clk_i = 1;
        m.eval();
        m.clk_i = m.fpu_clk_i = m.half_clk_i = m.wide_clk_i = 0;
        m.math_clk_i = m.math_half_clk_i = 0;
        m.eval();
    }
};

struct Uops {
    VerilatedContext context;
    Vigpu_isa_uops m{(context.threads(1), &context)};
};

void give(Vigpu_eu_values &m, const struct eu_values_in *in)
{
    m.issue_valid_i = in->issue;
    m.issue_thread_i = in->issue_thread;
    m.issue_pc_i = in->issue_pc;
    m.issue_now_i = in->issue_now;
    m.poke_i = in->poke && m.poke_ready_o;
    if (!in->poke)
        return;
    m.poke_kind_i = in->poke_kind;
    m.poke_thread_i = in->poke_thread;
    m.poke_row_i = in->poke_row;
    m.poke_mask_i = in->mask;
    m.poke_first_i = in->first;
    m.poke_wide_i = in->wide;
    m.poke_block_i = in->block;
    std::memcpy(m.poke_data_i.data(), in->data, sizeof(in->data));
}

void take(const Vigpu_eu_values &m, struct eu_values_out *out)
{
    out->left = m.left_o;
    out->left_over = m.left_over_o;
    out->left_refused = m.left_refused_o;
    out->left_thread = m.left_thread_o;
    out->left_exec = m.left_exec_o;
    out->left_at = m.left_at_o;
    out->over = m.over_o;
    out->over_thread = m.over_thread_o;
    out->pay = m.pay_o;
    out->pay_last = m.pay_last_o;
    out->pay_thread = m.pay_thread_o;
    if (m.pay_o)
        std::memcpy(out->pay_data, m.pay_data_o.data(), sizeof(out->pay_data));
    out->wrote = m.wrote_o;
    out->wrote_flag = m.wrote_flag_o;
    if (!m.wrote_o && !m.wrote_flag_o)
        return;
    out->wrote_thread = m.wrote_thread_o;
    out->wrote_file = m.wrote_file_o;
    out->wrote_arf = m.wrote_arf_o;
    out->wrote_row = m.wrote_row_o;
    out->wrote_byte = m.wrote_byte_o;
    std::memcpy(out->wrote_data, m.wrote_data_o.data(), sizeof(out->wrote_data));
    out->wrote_freg = m.wrote_freg_o;
    out->wrote_fmask = m.wrote_fmask_o;
    out->wrote_fset = m.wrote_fset_o;
}
} // namespace

void *eu_values_new(void)
{
    return new Values;
}

void eu_values_free(void *values)
{
    delete static_cast<Values *>(values);
}

void eu_values_store(void *values, uint32_t pc, uint64_t word)
{
    Values *v = static_cast<Values *>(values);

    v->m.store_we_i = 1;
    v->m.store_addr_i = pc;
    v->m.store_data_i = word;
    v->clock();
    v->m.store_we_i = 0;
}

void eu_values_clock(void *values, const struct eu_values_in *in,
                     struct eu_values_out *out)
{
    Values *v = static_cast<Values *>(values);

    give(v->m, in);
    if (in->issue)
        v->m.eval(); // issue_ready_o looks at the thread
    out->issued = in->issue && v->m.issue_ready_o;
    out->poked = v->m.poke_i;
    v->clock();
    take(v->m, out);
}

void isa_uops_decode(const uint8_t *raw, struct uop *uop)
{
    static thread_local Uops u;

    std::memcpy(u.m.raw_i.data(), raw, 16);
    u.m.en_i = 1;
    for (int i = 0; i < 2 * 2; i++) { // two stages
        u.m.clk_i = i % 2;
        u.m.eval();
    }
    std::memcpy(uop->need, u.m.need_o.data(), sizeof(uop->need));
    std::memcpy(uop->set, u.m.set_o.data(), sizeof(uop->set));
    uop->need_x = u.m.need_x_o;
    uop->set_x = u.m.set_x_o;
    uop->unit = u.m.unit_o;
    uop->cls = u.m.class_o;
}
