/* uop_cycles.h - for how long an instruction occupies its unit (docs/contract/model.md
 * section 5): the one table of it in C. */
#ifndef IGPU_UOP_CYCLES_H
#define IGPU_UOP_CYCLES_H
#include <stdint.h>

#include "igpu/config.h"
#include "igpu/uop.h"

enum { UOP_MAX_CYCLES = 255 /* occ and fe saturate here */ };

/* Cycles, at most UOP_MAX_CYCLES; BRANCH: 1, a class that does not fit the unit: 0. */
uint8_t uop_occupancy(const struct igpu_config *config, const struct uop *uop);
#endif
