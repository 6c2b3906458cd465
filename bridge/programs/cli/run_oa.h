/* run_oa.h - OA reports of a run from the command line: options --oa, --counters,
 * --every and --per-launch, and counter tracks of --timeline. A stream may be NULL: no
 * reports. */
#ifndef IGPU_RUN_OA_H
#define IGPU_RUN_OA_H
#include "bridge/host/sim/timeline.h"
#include "bridge/programs/cli/oa_print.h"
#include "bridge/programs/cli/options.h"

/* The stream that *options asks for, if any, as one more sampler of *so. */
enum igpu_status run_oa_create(const struct run_options *options,
                               struct oa_stream **stream, struct sim_options *so,
                               struct igpu_err *err);
/* The last reports. IGPU_SIM_ERROR: *second (NULL: none) is not the same byte for byte.
 * Then the recording. */
enum igpu_status run_oa_end(const struct run_options *options, struct oa_stream *stream,
                            struct oa_stream *second, struct igpu_err *err);
/* A track for each metric that is a share of time, or bytes (as GB/s), and simulated.
 */
enum igpu_status run_oa_timeline(const struct oa_stream *stream,
                                 struct timeline *timeline, struct igpu_err *err);
/* To stdout. */
enum igpu_status run_oa_print(const struct run_options *options,
                              const struct oa_stream *stream,
                              struct trace_reader *reader, struct igpu_err *err);
#endif
