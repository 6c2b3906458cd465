// fpu_rtl.cpp - see fpu_rtl.h.
#include "bridge/fpu_rtl.h"
#include "Vigpu_eu_fpu.h"
#include "verilated.h"

#include <cstring>

namespace
{
struct Fpu {
    VerilatedContext context;
    Vigpu_eu_fpu model{&context};
    // Clocks for which each part holds something; else it is not clocked.
    int lanes = 0, halves = 0, wide = 0, math = 0;
    bool extended = false; // the last clock was extended math's too

    void edge(bool lane, bool half, bool wide_too, bool math_too)
    {
        model.clk_i = lane;
        model.half_clk_i = half;
        model.wide_clk_i = wide_too;
        model.math_clk_i = math_too;
        model.eval();
        model.clk_i = model.half_clk_i = model.wide_clk_i = model.math_clk_i = 0;
        model.eval();
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
        f->edge(true, true, true, true);
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
        (in->math ? f->math : f->lanes) =
            in->math ? FPU_RTL_MATH_DRAIN : FPU_RTL_LATENCY + 2;
        uint32_t bits = in->math ? 0 : fpu_rtl_slot_bits(in);
        if (bits == 16 || bits == 64)
            (bits == 16 ? f->halves : f->wide) = FPU_RTL_LATENCY + 2;
        if (look)
            m.eval();
    }
    if (taken)
        *taken = in && m.ready_o;
    bool lanes = f->lanes > 0;
    f->extended = f->math > 0;
    f->edge(lanes, f->halves > 0, f->wide > 0, f->extended);
    for (int *left : {&f->lanes, &f->halves, &f->wide, &f->math})
        *left -= *left > 0;
    if (!lanes || !m.valid_o)
        return false;
    std::memcpy(&out->result, m.result_o.data(), 16);
    out->flag = m.flag_o;
    out->carry = m.carry_o;
    out->exc = m.exc_o;
    return true;
}

bool fpu_rtl_math(void *fpu, struct fpu_rtl_out *out)
{
    Fpu *f = static_cast<Fpu *>(fpu);

    if (!f->extended || !f->model.math_valid_o)
        return false;
    std::memcpy(&out->result, f->model.math_result_o.data(), 16);
    return true;
}
