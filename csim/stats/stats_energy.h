/* stats_energy.h - how energies are written; used by stats_write.c. */
#ifndef CSIM_STATS_ENERGY_H
#define CSIM_STATS_ENERGY_H
#include "igpu/json.h"
#include "igpu/stats.h"

/* The member `energy` of the object that is open; with the band of *all, unless NULL.
 */
void stats_energy_json(struct igpu_json *j, const struct power_report *report,
                       const struct stats_energy *all);
/* Further columns of a line, each after a comma. */
void stats_energy_columns(FILE *out);
void stats_energy_csv(FILE *out, const struct power_report *report);
/* For people; report->energy is not NULL. */
void stats_energy_text(FILE *out, const struct stats_report *report);
#endif
