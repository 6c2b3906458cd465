/* rtl_regs.h - the RTL's configuration registers and the layout of an instruction's
 * control word, by the table in rtl/include/igpu_regs.vh. */
#ifndef IGPU_RTL_REGS_H
#define IGPU_RTL_REGS_H
#include <stddef.h>
#include <stdint.h>

#include "igpu/config.h"
#include "igpu/err.h"
#include "igpu/uop.h"

struct rtl_reg {
    uint8_t addr;
    size_t offset; /* of the value in struct igpu_config */
};

/* All registers of dispatchers, send arbiter and decode; *count gets their number. */
const struct rtl_reg *rtl_regs(size_t *count);

/* The counts of *u as igpu_decode takes them. */
uint64_t rtl_uctl(const struct uop *u);

/* Replace *kept (allocated, or NULL) by a copy of uops[count]. IGPU_USAGE: not 1 to
 * `depth` of them, what the instruction store holds; *kept is unchanged then. */
enum igpu_status rtl_keep_uops(struct uop **kept, const struct uop *uops,
                               uint32_t count, uint32_t depth, struct igpu_err *err);
#endif
