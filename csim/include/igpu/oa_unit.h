/* oa_unit.h - the OA unit of the simulated machine: which of its events each counter of
 * a metric set counts, its clock and its timer. Contract: docs/contract/oa.md. Tests:
 * tests/csim/test_oa_unit.c, tests/bridge/test_oa_sim.sh */
#ifndef IGPU_OA_UNIT_H
#define IGPU_OA_UNIT_H
#include "igpu/config.h"
#include "igpu/oa.h"
#include "igpu/sample.h"

/* Ticks of OA_TIMESTAMP_HZ at GPU cycle `cycle` of a clock of `gpu_hz`, rounded down.
 */
uint64_t oa_timestamp(uint64_t cycle, uint64_t gpu_hz);

/* The timer's period is 2^(exponent + 1) ticks. */
enum { OA_EXPONENTS = 32 };
/* The first GPU cycle, not below `from`, that is the first one at or behind a multiple
 * of the period; not that of time 0. */
uint64_t oa_timer_next(uint32_t exponent, uint64_t gpu_hz, uint64_t from);
double oa_timer_seconds(uint32_t exponent);
/* The exponent whose period is nearest by ratio to a time such as "10us", "1.5ms",
 * "200ns" or "1s". IGPU_USAGE: no such time, or no period within a factor of two. */
enum igpu_status oa_timer_parse(const char *text, uint32_t *exponent,
                                struct igpu_err *err);

/* The counters at a sample, as wide as they can be; report_id and context stay.
 * Counters that stand for nothing simulated are 0. */
void oa_unit_read(const struct oa_set *set, const struct igpu_config *config,
                  const struct igpu_sample *sample, struct oa_counters *counters);
/* What counter A, B or C `index` counts in this set, by the names of our statistics;
 * NULL: nothing simulated, it reads 0. */
const char *oa_unit_source(const struct oa_set *set, char letter, uint32_t index);
/* True if the set counts kinds of FPU instructions, or shaders' EU time:
 * sim_options.kinds must be set. */
bool oa_unit_kinds(const struct oa_set *set);
/* True if all counters that the set's metric `index` is computed from count something.
 */
bool oa_unit_drives(const struct oa_set *set, uint32_t index);

/* The simulated machine as a device of a recording of `set`. */
void oa_unit_info(const struct igpu_config *config, const struct oa_set *set,
                  struct oa_recording_info *info);
#endif
