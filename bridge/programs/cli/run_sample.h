/* run_sample.h - a run with --sample, in pieces with -j, or with --warm
 * (docs/guide/sampling.md). */
#ifndef IGPU_RUN_SAMPLE_H
#define IGPU_RUN_SAMPLE_H
#include <signal.h>

#include "bridge/programs/cli/options.h"

/* Simulate and report. *interrupted becomes true when the run is to end: then nothing
 * is reported. Returns the exit status. */
int run_sample(const struct run_options *options, const struct engine_set *engines,
               const volatile sig_atomic_t *interrupted);
#endif
