/* values.h - what one executed instruction of an FPU computed with: operands and
 * results as bits, for holding the FPU's RTL against the emulator
 * (docs/contract/fpu.md). The emulator makes them (emu_hooks.values), a trace may store
 * them (docs/contract/formats.md), ./Vigpu --check-values uses them.
 *
 * Lane i is the instruction's channel i from its first one; only lanes of `mask`
 * count. Operands are the elements that the region selects, before modifiers and
 * before denormals are flushed; results are what the destination holds afterwards. */
#ifndef IGPU_VALUES_H
#define IGPU_VALUES_H
#include "igpu/isa.h"

/* Bits of fpu_values.mode, of cr0 when the instruction ran. */
enum {
    FPU_MODE_ROUND = 3,     /* 0 nearest even, 1 up, 2 down, 3 to zero */
    FPU_MODE_INT_ROUND = 4, /* float to integer rounds so, too */
    FPU_MODE_FTZ_HF = 8,    /* denormals of the type are flushed */
    FPU_MODE_FTZ_F = 16,
    FPU_MODE_FTZ_DF = 32
};

/* A number with the macros' wider exponent: mant / 2^63 * 2^exp, top bit of mant set.
 */
struct fpu_wide {
    uint64_t mant;
    int32_t exp;
    uint8_t cls; /* 0 zero, 1 finite, 2 infinite, 3 NaN */
    uint8_t sign;
};

struct fpu_values {
    uint32_t inst; /* index in isa_kernel_code */
    uint32_t mask;
    uint8_t mode;
    uint32_t pred;  /* what a sel with a predicate chose by */
    uint32_t flags; /* what the condition modifier wrote */
    uint64_t src[ISA_MAX_SRC][ISA_MAX_SIMD];
    uint64_t acc[ISA_MAX_SIMD];    /* acc0 before, of an instruction that reads it */
    uint64_t result[ISA_MAX_SIMD]; /* in the destination; in acc0 where there is none */
    uint64_t second[ISA_MAX_SIMD]; /* math.idiv: the remainder */
    uint64_t carry[ISA_MAX_SIMD];  /* addc, subb, mach: acc0 afterwards */
    struct fpu_wide wide[ISA_MAX_SRC + 1][ISA_MAX_SIMD]; /* macros: sources, result */
};

enum fpu_form {
    FPU_FORM_NONE,
    FPU_FORM_IMM,    /* in the instruction itself; all lanes */
    FPU_FORM_SCALAR, /* one element for all lanes */
    FPU_FORM_VECTOR, /* an element a lane */
    FPU_FORM_WIDE    /* a struct fpu_wide a lane */
};

/* What of struct fpu_values an instruction has. */
struct fpu_shape {
    bool is_fpu;               /* it runs on an FPU; false: nothing below counts */
    uint8_t nsrc;              /* sources; trailing null ones are none */
    uint8_t form[ISA_MAX_SRC]; /* enum fpu_form */
    uint8_t type[ISA_MAX_SRC]; /* enum isa_type; V UV VF as what they expand to */
    uint8_t result_form;       /* NONE, VECTOR, WIDE */
    uint8_t result_type;
    bool has_pred, has_flags, has_acc, has_second, has_carry;
};

void fpu_shape_of(const struct isa_inst *inst, struct fpu_shape *shape);

/* Fill v->src of immediates, which nothing else stores. */
void fpu_values_immediates(const struct isa_inst *inst, const struct fpu_shape *shape,
                           struct fpu_values *v);

#endif
