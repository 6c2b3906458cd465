/* values_ops.h - the checker of FPU values as a table of functions, for a program that
 * may be linked without the RTL: it holds NULL then. */
#ifndef IGPU_VALUES_OPS_H
#define IGPU_VALUES_OPS_H
#include <stdio.h>

#include "bridge/host/sim/sim.h"

struct values;

struct values_ops {
    /* FPUs for *config's EUs, and the values of the trace at `path`, opened once for
     * each tile. IGPU_BAD_INPUT: it has none. */
    enum igpu_status (*create)(struct values **values, const char *path,
                               const struct igpu_config *config, struct igpu_err *err);
    void (*destroy)(struct values *values); /* NULL is allowed */
    /* What sim_options.watch gets. */
    struct sim_watch (*watch)(struct values *values);
    /* IGPU_SIM_ERROR once a result differed, IGPU_BAD_INPUT when the values are corrupt
     * or not those of the path; the first by cycle. */
    enum igpu_status (*status)(const struct values *values, struct igpu_err *err);
    /* Let what is under way come out. Then the counts are complete. */
    void (*finish)(struct values *values);
    /* What was compared and what was not, as lines of text. */
    void (*print)(const struct values *values, FILE *out);
};
#endif
