/* fpu_case.h - one element's operation and what it must give; the rig that runs many
 * of them through the RTL, packed into slots and pipelined. */
#ifndef FPU_CASE_H
#define FPU_CASE_H
#include "bridge/engines/rtl/fpu_rtl.h"
#include "igpu/isa.h"

#include <stdint.h>

/* An operation without its operands: what all slots of a clock share. */
struct fpu_op {
    uint8_t op;                    /* enum igpu_fpu_op */
    uint8_t nsrc, dtype, stype[3]; /* enum isa_type */
    uint8_t mod[3], cmod;
    uint8_t rnd, ftz; /* as cr0 */
    bool int_round, saturate;
};

struct fpu_want {
    uint64_t bits;
    uint8_t exc; /* FPU_INEXACT.. */
    bool flag, carry;
    bool any_bits, any_exc, any_flag; /* not compared */
};

struct fpu_case {
    struct fpu_op op;
    uint64_t src[3];
    bool pred;
    struct fpu_want want;
};

/* Bits of a slot: the widest type's, 16 at least (docs/contract/fpu.md). */
uint32_t fpu_slot_bits(const struct fpu_op *op);
/* The operation's text for messages, in a static buffer. */
const char *fpu_op_text(const struct fpu_op *op);

struct fpu_rig;
struct fpu_rig *fpu_rig_new(void);
/* Queue one case; consecutive cases with the same op share clocks. */
void fpu_rig_add(struct fpu_rig *rig, const struct fpu_case *c);
/* Run all that is queued; print the first differences. Returns how many there were
 * since the last call; *cases, if not NULL, how many cases were compared. */
uint64_t fpu_rig_finish(struct fpu_rig *rig, uint64_t *cases);
void fpu_rig_free(struct fpu_rig *rig);

#endif
