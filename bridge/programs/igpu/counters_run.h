/* counters_run.h - `igpu counters TRACE.pb`: simulate with the OA unit on. */
#ifndef IGPU_COUNTERS_RUN_H
#define IGPU_COUNTERS_RUN_H
#include "bridge/programs/cli/oa_print.h"

enum { COUNTERS_SETTINGS = 64 };

struct counters_run {
    const char *trace, *recording, *config, *every;
    const char *setting[COUNTERS_SETTINGS];
    unsigned settings;
    bool per_launch;
    struct oa_stream_options stream; /* set and exponent */
    enum oa_style style;
};

/* By its first bytes; false also when it cannot be read. */
bool counters_is_trace(const char *path);
/* Simulate, write the recording if one is wanted, print to stdout. */
enum igpu_status counters_run(const struct counters_run *run, struct igpu_err *err);
#endif
