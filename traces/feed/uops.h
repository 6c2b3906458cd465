/* uops.h - static uops from decoded instructions: the feeder's half of the
 * timing contract (docs/model.md section 5: unit, class, GRF counts, masks).
 * Cycles are the engines' business. Tests: tests/traces/test_uops.c */
#ifndef IGPU_UOPS_H
#define IGPU_UOPS_H
#include "igpu/isa.h"
#include "igpu/uop.h"

/* Translate one instruction. Never fails. */
void uop_from_inst(const struct isa_inst *inst, struct uop *uop);

/* out[code->count] gets the uops of the kernel, in order. */
void uops_from_code(const struct isa_kernel_code *code, struct uop *out);

/* "FPU0/1", "FPU1", "SEND", "BRANCH"; for reports. */
const char *uop_unit_name(enum uop_unit unit);

#endif
