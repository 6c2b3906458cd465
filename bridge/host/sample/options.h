/* options.h - what --sample says: docs/guide/sampling.md, section 1. */
#ifndef IGPU_SAMPLE_OPTIONS_H
#define IGPU_SAMPLE_OPTIONS_H
#include <stdbool.h>
#include <stdint.h>

#include "igpu/err.h"

struct sample_options {
    double error;     /* asked for: half of the interval by the time; 0: not asked */
    uint64_t windows; /* exactly so many in each launch; 0: as the error wants */
    uint64_t seed;
    bool launches; /* leave out launches that repeat others, too */
};

/* "error=2%", "windows=16", each perhaps with ",seed=S" and ",launches=all". */
enum igpu_status sample_options_parse(struct sample_options *options, const char *text,
                                      struct igpu_err *err);
#endif
