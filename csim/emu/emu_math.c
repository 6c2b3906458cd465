/* emu_math.c - the extended math unit. The functions are csim/fpu's, bit for bit those
 * of the RTL; docs/contract/fpu-math.md has their error bounds. */
#include "emu_int.h"

#include "igpu/fpu_math.h"

/* ---- functions ---------------------------------------------------------- */

static uint32_t single_bits(float value)
{
    uint32_t bits;

    memcpy(&bits, &value, sizeof(bits));
    return bits;
}

static uint32_t math_f32(struct emu_thread *t, const struct emu_op *op, uint32_t n,
                         union emu_lanes *r, const union emu_lanes *s)
{
    enum fpu_math_fn fn = (enum fpu_math_fn)op->math;
    struct fpu_math_mode mode = {t->round, (t->ftz & EMU_FTZ_F) != 0};

    for (uint32_t i = 0; i < n; i++) {
        uint32_t y = op->nsrc > 1 ? single_bits(s[1].f[i]) : 0;
        uint32_t bits = fpu_math_f32(fn, single_bits(s[0].f[i]), y, mode, NULL);

        memcpy(&r->f[i], &bits, sizeof(bits));
    }
    return 0;
}

static uint32_t math_f16(struct emu_thread *t, const struct emu_op *op, uint32_t n,
                         union emu_lanes *r, const union emu_lanes *s)
{
    enum fpu_math_fn fn = (enum fpu_math_fn)op->math;
    struct fpu_math_mode mode = {t->round, (t->ftz & EMU_FTZ_HF) != 0};

    for (uint32_t i = 0; i < n; i++) {
        uint16_t x = igpu_float_to_half(s[0].f[i]);
        uint16_t y = op->nsrc > 1 ? igpu_float_to_half(s[1].f[i]) : 0;

        r->f[i] = igpu_half_to_float(fpu_math_f16(fn, x, y, mode, NULL));
    }
    return 0;
}

static uint32_t math_int(struct emu_thread *t, const struct emu_op *op, uint32_t n,
                         union emu_lanes *r, const union emu_lanes *s)
{
    bool is_signed = isa_type_is_signed((enum isa_type)op->src[0].type);

    (void)t;
    for (uint32_t i = 0; i < n; i++) {
        struct fpu_math_division d =
            fpu_math_idiv((uint32_t)s[0].i[i], (uint32_t)s[1].i[i], is_signed);
        uint32_t bits = op->math == ISA_MATH_IREM ? d.remainder : d.quotient;

        r->i[i] = is_signed ? (int32_t)bits : (int64_t)bits;
    }
    return 0;
}

emu_alu_fn *emu_alu_math(const struct emu_op *op, enum emu_domain domain)
{
    if (op->math >= ISA_MATH_IDIV && op->math <= ISA_MATH_IREM)
        return domain == EMU_DOM_INT ? math_int : NULL;
    if (domain != EMU_DOM_F32 || op->math >= ISA_MATH_INVM ||
        op->math == ISA_MATH_NONE || op->math == 8)
        return NULL;
    return op->is_hf ? math_f16 : math_f32;
}
