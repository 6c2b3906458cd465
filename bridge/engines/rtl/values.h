/* values.h - ./Vigpu --check-values: the FPU datapaths of all EUs beside a simulation.
 * At each issue to an FPU the operands that the trace holds for it enter that FPU's
 * RTL (fpu_rtl.h), and every result that leaves it is compared with the one in the
 * trace. It decides no cycle: it only watches (sim.h). */
#ifndef IGPU_VALUES_CHECK_H
#define IGPU_VALUES_CHECK_H
#include <stdio.h>

#include "bridge/host/sim/values_ops.h"

/* FPUs for *config's EUs, and the values of the trace at `path`, opened once for each
 * tile. IGPU_BAD_INPUT: it has none. */
enum igpu_status values_create(struct values **values, const char *path,
                               const struct igpu_config *config, struct igpu_err *err);
void values_destroy(struct values *values); /* NULL is allowed */

/* What sim_options.watch gets. */
struct sim_watch values_watch(struct values *values);

/* IGPU_SIM_ERROR once a result differed, IGPU_BAD_INPUT when the values are corrupt or
 * not those of the path; the first by cycle. */
enum igpu_status values_status(const struct values *values, struct igpu_err *err);

/* Let what is under way come out. Then the counts are complete. */
void values_finish(struct values *values);

/* What was compared and what was not, as lines of text. */
void values_print(const struct values *values, FILE *out);

/* All of the above, as a table. */
extern const struct values_ops values_ops;
#endif
