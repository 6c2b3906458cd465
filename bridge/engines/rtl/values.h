/* values.h - ./Vigpu --check-values: the FPU datapaths of all EUs beside a simulation.
 * At each issue to an FPU the operands that the trace holds for it enter that FPU's
 * RTL (fpu_rtl.h), and every result that leaves it is compared with the one in the
 * trace. It decides no cycle: it only watches (sim.h). */
#ifndef IGPU_VALUES_CHECK_H
#define IGPU_VALUES_CHECK_H
#include "bridge/host/sim/values_ops.h"

extern const struct values_ops values_ops;
#endif
