/* fpu_random_op.c - see fpu_random_op.h. */
#include "fpu_random_op.h"

#include "fpu_values.h"

#include <string.h>

static uint32_t sources(uint32_t op)
{
    switch (op) {
    case IGPU_FPU_OP_MAD:
    case IGPU_FPU_OP_CSEL:
    case IGPU_FPU_OP_BFE:
    case IGPU_FPU_OP_BFI2:
        return 3;
    case IGPU_FPU_OP_MOV:
    case IGPU_FPU_OP_NOT:
        return 1;
    default:
        return (op >= IGPU_FPU_OP_RNDD && op <= IGPU_FPU_OP_FRC) ||
                       (op >= IGPU_FPU_OP_BFREV && op != IGPU_FPU_OP_CMPN)
                   ? 1
                   : 2;
    }
}

static bool is_count(uint32_t op)
{
    return op >= IGPU_FPU_OP_ADDC && op != IGPU_FPU_OP_CMPN;
}

static bool compares(uint32_t op)
{
    return op == IGPU_FPU_OP_CMP || op == IGPU_FPU_OP_CMPN;
}

void fpu_random_op(struct fpu_op *op, uint64_t *seed)
{
    uint64_t r = fpu_random(seed), types = fpu_random(seed);
    bool floats = r & 1;

    memset(op, 0, sizeof(*op));
    op->op = (uint8_t)((r >> 8) % (floats ? IGPU_FPU_OP_AND : IGPU_FPU_OP_COUNT));
    if (op->op == IGPU_FPU_OP_CMP && (types >> 60 & 1))
        op->op = IGPU_FPU_OP_CMPN;
    if (!floats && op->op >= IGPU_FPU_OP_RNDD && op->op <= IGPU_FPU_OP_FRC)
        op->op = IGPU_FPU_OP_ADD;
    op->nsrc = (uint8_t)sources(op->op);
    for (uint32_t k = 0; k < op->nsrc; k++) {
        uint32_t pick = types >> (8 * k) & 255;

        op->stype[k] =
            (uint8_t)(floats ? ISA_TYPE_HF + pick % 3 : ISA_TYPE_UB + pick % 8);
        if (k > 0 && (r >> 16 & 3))
            op->stype[k] = op->stype[0];
        if (r >> (20 + k) & 1)
            op->mod[k] = types >> (32 + 2 * k) & 3;
    }
    op->dtype = r >> 24 & 3 ? op->stype[0] : (uint8_t)(ISA_TYPE_UB + (r >> 26) % 11);
    if (is_count(op->op)) {
        memset(op->mod, 0, sizeof(op->mod));
        memset(op->stype, ISA_TYPE_UD + (op->op >= IGPU_FPU_OP_MACH && (r >> 30 & 1)),
               3);
        op->dtype = op->stype[0];
    }
    if (compares(op->op) || op->op == IGPU_FPU_OP_CSEL || (r >> 31 & 1))
        op->cmod = (uint8_t)(1 + (r >> 32) % 6);
    op->saturate = !is_count(op->op) && !compares(op->op) && (r >> 40 & 7) == 0;
    op->int_round = r >> 43 & 1;
    op->rnd = r >> 44 & 3;
    op->ftz = r >> 46 & 7;
}
