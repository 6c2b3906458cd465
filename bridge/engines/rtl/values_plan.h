/* values_plan.h - an instruction as the FPU's RTL takes it: which operation, in how
 * many vectors of slots. */
#ifndef IGPU_VALUES_PLAN_H
#define IGPU_VALUES_PLAN_H
#include "bridge/engines/rtl/fpu_rtl.h"
#include "igpu/values.h"

struct values_plan {
    struct fpu_shape shape;
    const char *reason;   /* why the RTL does not compute it; NULL: it does */
    struct fpu_rtl_in in; /* all but operands, mode and predicate */
    uint8_t nsrc;         /* sources that count */
    uint8_t slot_bytes, result_bytes, source_bytes[3]; /* of a slot; of the types */
    uint8_t lanes;                                     /* of the instruction */
    uint8_t passes;          /* 2: math.idiv, quotient and remainder */
    bool is_fpu;             /* runs on an FPU at all */
    bool macro, wide_result; /* values_macro(); the result has the wider exponent */
    bool flags, carry, result;
};

void values_plan_make(const struct isa_inst *inst, struct values_plan *plan);

/* Vectors of one pass. */
static inline uint32_t values_plan_vectors(const struct values_plan *p)
{
    uint32_t slots = 16u / p->slot_bytes;

    return (p->lanes + slots - 1) / slots;
}
#endif
