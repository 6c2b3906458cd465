/* fpu_slots.c - how the FPU's lanes are cut into slots, and which are in use; see
 * fpu_rtl.h. */
#include "bridge/engines/rtl/fpu_rtl.h"
#include "igpu/isa.h"

#include <stddef.h>

static uint32_t bytes_of(uint32_t type)
{
    return isa_type_bytes((enum isa_type)type);
}

uint32_t fpu_rtl_slot_bits(const struct fpu_rtl_in *in)
{
    uint32_t most = bytes_of(in->dtype);

    for (uint32_t k = 0; k < 3; k++)
        if (bytes_of(in->stype[k]) > most)
            most = bytes_of(in->stype[k]);
    if (most <= 2 && in->stype[0] == ISA_TYPE_HF && in->dtype != ISA_TYPE_HF)
        return 32; /* computed in single precision */
    return most < 2 ? 16 : most * 8;
}

static void offer(struct fpu_rtl_clocks *c, const struct fpu_rtl_in *in)
{
    enum { LANES = FPU_RTL_LATENCY + 2, MATH_IN = 3 };
    uint32_t bits = fpu_rtl_slot_bits(in);

    if (in->math) {
        c->math = FPU_RTL_MATH_DRAIN;
        c->math_in = MATH_IN;
        if (bits == 16)
            c->math_halves = FPU_RTL_MATH_DRAIN;
        return;
    }
    c->lanes = LANES;
    if (bits != 32)
        *(bits == 16 ? &c->halves : &c->wide) = LANES;
}

/* Whether a part that is clocked for *left more clocks has this one. */
static uint32_t use(int *left, bool clocked, uint32_t part)
{
    if (*left == 0 || !clocked)
        return 0;
    --*left;
    return part;
}

uint32_t fpu_rtl_clocks_next(struct fpu_rtl_clocks *c, const struct fpu_rtl_in *in)
{
    bool math;

    if (in != NULL)
        offer(c, in);
    math = use(&c->math_in, true, 1) || in == NULL;
    return use(&c->lanes, true, FPU_CLK_LANES) | use(&c->halves, true, FPU_CLK_HALVES) |
           use(&c->wide, true, FPU_CLK_WIDE) | use(&c->math, math, FPU_CLK_MATH) |
           use(&c->math_halves, math, FPU_CLK_MATH_HALVES);
}
