/* run_band.h - --band: cycles with an interval, from sets of parameters that published
 * measurements allow (docs/reference/measured.md, "How uncertain a prediction is"). */
#ifndef IGPU_RUN_BAND_H
#define IGPU_RUN_BAND_H
#include <signal.h>

#include "bridge/programs/cli/options.h"

/* Simulate the trace with each set, on the C reference. *band is complete with IGPU_OK,
 * unless *interrupted became true: then its sets are 0. */
enum igpu_status run_band(const struct run_options *options,
                          const struct engine_set *engines,
                          const volatile sig_atomic_t *interrupted,
                          struct stats_band *band, struct igpu_err *err);
#endif
