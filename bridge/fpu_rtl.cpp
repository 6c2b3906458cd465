// fpu_rtl.cpp - see fpu_rtl.h.
#include "bridge/fpu_rtl.h"
#include "Vigpu_fpu.h"
#include "verilated.h"

#include <cstring>

namespace
{
struct Fpu {
    VerilatedContext context;
    Vigpu_fpu model{&context};

    void edge()
    {
        model.clk_i = 1;
        model.eval();
        model.clk_i = 0;
        model.eval();
    }
};
} // namespace

void *fpu_rtl_new(void)
{
    Fpu *f = new Fpu;

    f->model.eval();
    for (int i = 0; i <= FPU_RTL_LATENCY; i++)
        f->edge();
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
    Vigpu_fpu &m = f->model;

    if (taken)
        *taken = in && m.ready_o;
    m.valid_i = in != nullptr;
    if (in) {
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
    f->edge();
    if (!m.valid_o)
        return false;
    std::memcpy(&out->result, m.result_o.data(), 16);
    out->flag = m.flag_o;
    out->carry = m.carry_o;
    out->exc = m.exc_o;
    return true;
}
