/* values_ops.h - the checker of FPU values as a table of functions, for a program that
 * may be linked without the RTL: it holds NULL then. */
#ifndef IGPU_VALUES_OPS_H
#define IGPU_VALUES_OPS_H
#include <stdio.h>

#include "bridge/host/sim/sim.h"

struct values;

/* Each function is declared, with its contract, in bridge/engines/rtl/values.h. */
struct values_ops {
    enum igpu_status (*create)(struct values **values, const char *path,
                               const struct igpu_config *config, struct igpu_err *err);
    void (*destroy)(struct values *values);
    struct sim_watch (*watch)(struct values *values);
    enum igpu_status (*status)(const struct values *values, struct igpu_err *err);
    void (*finish)(struct values *values);
    void (*print)(const struct values *values, FILE *out);
};
#endif
