/* run.h - simulate one trace from the command line. */
#ifndef IGPU_RUN_H
#define IGPU_RUN_H
#include "bridge/programs/cli/options.h"

/* The whole program: parse, simulate, report. Returns the exit status. */
int run_main(int argc, char **argv, const struct engine_set *engines);
#endif
