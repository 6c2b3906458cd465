/* uops.h - static uops from decoded instructions: the feeder's half of the
 * timing contract (docs/contract/model.md section 5: unit, class, GRF counts, masks).
 * Cycles are the engines' business. Tests: tests/traces/test_uops.c */
#ifndef IGPU_UOPS_H
#define IGPU_UOPS_H
#include "igpu/config.h"
#include "igpu/isa.h"
#include "igpu/uop.h"

/* Translate one instruction. Never fails. config NULL: no operand costs more than its
 * GRFs (section 5.5), as where all three of its parameters are 0. */
void uop_from_inst(const struct isa_inst *inst, const struct igpu_config *config,
                   struct uop *uop);

/* out[code->count] gets the uops of the kernel, in order. */
void uops_from_code(const struct isa_kernel_code *code,
                    const struct igpu_config *config, struct uop *out);

/* "FPU0/1", "FPU1", "SEND", "BRANCH"; for reports. */
const char *uop_unit_name(enum uop_unit unit);

#endif
