/* lockstep_refuse.h - what the RTL of an EU's values does not compute, derived from the
 * decoder of csim: a second derivation beside rtl/eu/igpu_eu_plan.v. */
#ifndef BRIDGE_LOCKSTEP_REFUSE_H
#define BRIDGE_LOCKSTEP_REFUSE_H
#include "igpu/isa.h"

/* The emulator steps the instruction for both. */
bool lockstep_refuses(const struct isa_inst *inst);
#endif
