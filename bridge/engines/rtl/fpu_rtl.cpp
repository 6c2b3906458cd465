// fpu_rtl.cpp - see fpu_rtl.h.
#include "bridge/engines/rtl/fpu_rtl.h"
#include "Vigpu_eu_fpu.h"
#include "bridge/engines/rtl/rtl_shim.h"
#include "bridge/engines/rtl/verilator_end.hpp"
#include "verilated.h"

#include <cstring>
#include <exception>

namespace
{
[[maybe_unused]] const auto unworded = std::set_terminate(rtl_fail);
struct Fpu {
    VerilatedContext context;
    Vigpu_eu_fpu model{(context.threads(1), &context)};
    struct fpu_rtl_clocks clocks = {};
    uint32_t ticked = 0; // in the last clock: FPU_CLK_

    ~Fpu()
    {
        verilated_ends(model);
    }
    void edge(uint32_t which)
    {
        model.clk_i = (which & FPU_CLK_LANES) != 0;
        model.half_clk_i = (which & FPU_CLK_HALVES) != 0;
        model.wide_clk_i = (which & FPU_CLK_WIDE) != 0;
        model.math_clk_i = (which & FPU_CLK_MATH) != 0;
        model.math_half_clk_i = (which & FPU_CLK_MATH_HALVES) != 0;
        model.eval();
    }
    void tick(uint32_t which)
    {
        ticked = which;
        edge(which);
        edge(0);
    }
};

void offer(Vigpu_eu_fpu &m, const struct fpu_rtl_in *in)
{
    m.math_i = in->math;
    m.op_i = in->op;
    m.dtype_i = in->dtype;
    m.stype_i =
        static_cast<SData>(in->stype[0] | in->stype[1] << 4 | in->stype[2] << 8);
    m.mod_i = static_cast<CData>(in->mod[0] | in->mod[1] << 2 | in->mod[2] << 4);
    m.cmod_i = in->cmod;
    m.sat_i = in->saturate;
    m.rnd_i = in->rnd;
    m.int_round_i = in->int_round;
    m.ftz_i = in->ftz;
    m.pred_i = in->pred;
    std::memcpy(m.src0_i.data(), &in->src[0], 16);
    std::memcpy(m.src1_i.data(), &in->src[1], 16);
    std::memcpy(m.src2_i.data(), &in->src[2], 16);
}
} // namespace

void *fpu_rtl_new(void)
{
    Fpu *f = new Fpu;

    f->model.eval();
    for (int i = 0; i <= FPU_RTL_LATENCY; i++)
        f->tick(FPU_CLK_ALL);
    f->model.rst_ni = 1;
    f->model.eval();
    return f;
}

void fpu_rtl_free(void *fpu)
{
    delete static_cast<Fpu *>(fpu);
}

bool fpu_rtl_clock(void *fpu, const struct fpu_rtl_in *in, bool *taken,
                   struct fpu_rtl_out *out)
{
    Fpu *f = static_cast<Fpu *>(fpu);
    Vigpu_eu_fpu &m = f->model;

    m.valid_i = in != nullptr;
    if (in) {
        bool look = in->math || m.math_i; // ready_o looks at math_i and op_i

        offer(m, in);
        if (look)
            m.eval();
    }
    if (taken)
        *taken = in && m.ready_o;
    f->tick(fpu_rtl_clocks_next(&f->clocks, in));
    if (!(f->ticked & FPU_CLK_LANES) || !m.valid_o)
        return false;
    std::memcpy(&out->result, m.result_o.data(), 16);
    out->flag = m.flag_o;
    out->carry = m.carry_o;
    out->exc = m.exc_o;
    return true;
}

bool fpu_rtl_math(void *fpu, struct fpu_rtl_out *out, bool *is_pow)
{
    Fpu *f = static_cast<Fpu *>(fpu);

    if (!(f->ticked & FPU_CLK_MATH) || !f->model.math_valid_o)
        return false;
    *is_pow = f->model.math_pow_o;
    std::memcpy(&out->result, f->model.math_result_o.data(), 16);
    return true;
}
