/* run.h - simulate one trace from the command line. */
#ifndef IGPU_RUN_H
#define IGPU_RUN_H
#include "bridge/host/sim/sim.h"
#include "bridge/programs/cli/options.h"

/* The whole program: parse, simulate, report. Returns the exit status. */
int run_main(int argc, char **argv, const struct engine_set *engines);

/* The launches of the trace that --kernels names, or all, into *so. */
enum igpu_status run_choose_launches(const struct run_options *options,
                                     const struct trace_reader *reader,
                                     struct sim_options *so, struct igpu_err *err);
#endif
