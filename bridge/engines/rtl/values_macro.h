/* values_macro.h - madm, math.invm and math.rsqtm for the FPU's RTL, whose operands
 * have no wider exponent. A sum of products rounds alike at any scale: its numbers are
 * brought near 1 by powers of two. A start value depends on a mantissa alone. */
#ifndef IGPU_VALUES_MACRO_H
#define IGPU_VALUES_MACRO_H
#include "bridge/engines/rtl/values_plan.h"

/* Fill v->src and v->result from v->wide, and leave in v->mask the lanes that can be
 * compared: not those with a NaN, of madm not those whose summands or result are too
 * far apart for the encoding, of start values not those that end early. *p is a macro.
 */
void values_macro(const struct values_plan *p, struct fpu_values *v);
#endif
