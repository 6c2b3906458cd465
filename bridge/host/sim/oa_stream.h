/* oa_stream.h - OA reports of a simulation while it runs: periodic ones, or one before
 * and one behind each launch. A sampler of bridge/host/sim/sim.h. Contract:
 * docs/contract/oa.md. Tests: tests/bridge/test_oa_sim.sh */
#ifndef IGPU_OA_STREAM_H
#define IGPU_OA_STREAM_H
#include "bridge/host/sim/sim.h"
#include "igpu/oa_unit.h"

struct oa_stream;

enum oa_reporting {
    OA_WHOLE,     /* at the begin, at context switches, and at the end */
    OA_EVERY,     /* and by the timer */
    OA_PER_LAUNCH /* as MI_REPORT_PERF_COUNT does, before and behind each launch */
};

struct oa_stream_options {
    const struct oa_set *set;
    enum oa_reporting reporting;
    uint32_t exponent; /* of OA_EVERY */
};

/* *config is copied. IGPU_USAGE: slices whose subslices are not alike. */
enum igpu_status oa_stream_create(struct oa_stream **stream,
                                  const struct igpu_config *config,
                                  const struct oa_stream_options *options,
                                  struct igpu_err *err);
void oa_stream_destroy(struct oa_stream *stream);
/* For sim_options; the stream outlives the sim. */
struct sim_sampler oa_stream_sampler(struct oa_stream *stream);
/* Before a sim whose first launch begins at its cycle `start`, if one stream is to
 * follow several: its launches and counters go on from those of the sims before, its
 * time is at or behind them, and all its launches are of this context. */
void oa_stream_continue(struct oa_stream *stream, uint32_t context, uint64_t start);
/* No more comes: the last report. IGPU_BAD_INPUT: memory was short. */
enum igpu_status oa_stream_finish(struct oa_stream *stream, struct igpu_err *err);

/* Each of the reports, in format A32u40_A4u32_B8_C8; valid until the next sim step. */
const uint8_t *const *oa_stream_reports(const struct oa_stream *stream,
                                        uint32_t *count);
/* The launch that report `index` is about; behind: its second one of OA_PER_LAUNCH, so
 * that what comes up to the next report belongs to no launch. */
uint32_t oa_stream_launch(const struct oa_stream *stream, uint32_t index, bool *behind);
/* The GPU cycle of report `index`. */
uint64_t oa_stream_cycle(const struct oa_stream *stream, uint32_t index);
const struct oa_recording_info *oa_stream_info(const struct oa_stream *stream);
/* A recording as of i915-perf-recorder; whole or not at all. */
enum igpu_status oa_stream_write(const struct oa_stream *stream, const char *path,
                                 struct igpu_err *err);
/* IGPU_SIM_ERROR names the first report in which the two differ. */
enum igpu_status oa_stream_compare(const struct oa_stream *a, const struct oa_stream *b,
                                   struct igpu_err *err);
#endif
