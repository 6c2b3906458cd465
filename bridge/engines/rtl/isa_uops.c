/* isa_uops.c - see isa_uops.h. */
#include "bridge/engines/rtl/isa_uops.h"

#include "traces/feed/uops.h"

const char *isa_uops_differs(const struct isa_inst *inst, const struct uop *rtl,
                             uint64_t *got, uint64_t *want)
{
    struct uop own;

    uop_from_inst(inst, NULL, &own);
    const struct {
        const char *name;
        uint64_t got, want;
    } fields[] = {
        {"unit", rtl->unit, own.unit},
        {"timing class", rtl->cls, own.cls},
        {"need of flags and others", rtl->need_x, own.need_x},
        {"set of flags and others", rtl->set_x, own.set_x},
        {"need of r0 to r63", rtl->need[0], own.need[0]},
        {"need of r64 to r127", rtl->need[1], own.need[1]},
        {"set of r0 to r63", rtl->set[0], own.set[0]},
        {"set of r64 to r127", rtl->set[1], own.set[1]},
    };

    for (uint32_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
        if ((inst->msg.desc_reg || inst->msg.exdesc_reg) && i > 1)
            break;
        *got = fields[i].got;
        *want = fields[i].want;
        if (*got != *want)
            return fields[i].name;
    }
    return NULL;
}
