/* isa_uops.h - the RTL's decoder of what an instruction's timing depends on
 * (rtl/isa/igpu_isa_uops.v): unit, class, registers that it needs and sets. */
#ifndef BRIDGE_ISA_UOPS_H
#define BRIDGE_ISA_UOPS_H
#include "igpu/isa.h"
#include "igpu/uop.h"

#ifdef __cplusplus
extern "C" {
#endif
/* unit, cls, need, set, need_x and set_x of *uop, of the instruction at raw (16 bytes
 * can be read). */
void isa_uops_decode(const uint8_t *raw, struct uop *uop);
#ifdef __cplusplus
}
#endif

/* A field in which *rtl is not what the feeder makes of the instruction, by name, or
 * NULL; *got and *want: its values, of sets of registers 64 that differ. Of a message
 * whose descriptor the code in front puts together, the RTL knows no lengths: not
 * compared. */
const char *isa_uops_differs(const struct isa_inst *inst, const struct uop *rtl,
                             uint64_t *got, uint64_t *want);
#endif
