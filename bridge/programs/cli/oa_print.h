/* oa_print.h - metrics of OA reports for people and programs, from a recording or from
 * a simulation. */
#ifndef IGPU_OA_PRINT_H
#define IGPU_OA_PRINT_H
#include <stdio.h>

#include "bridge/host/sim/oa_stream.h"
#include "igpu/oa.h"

enum oa_style { OA_TEXT, OA_JSON, OA_CSV };

/* From one report to another, over all between. */
struct oa_interval {
    uint32_t from, to;
    uint32_t launch;
    const char *kernel; /* of that launch; NULL: the interval is not a launch's */
};

struct oa_series {
    const struct oa_set *set;
    const struct oa_device *device;
    enum oa_format format;
    const uint8_t *const *report;
    uint32_t reports, lost;
    const struct oa_interval *interval;
    uint32_t intervals;
    bool single; /* one interval, which needs no heading or columns that name it */
};

/* IGPU_SIM_ERROR: memory is short, or an equation is malformed. */
enum igpu_status oa_print(FILE *out, const struct oa_series *series,
                          enum oa_style style, struct igpu_err *err);
/* The metrics of a stream that is finished, by the way it reports. Kernels' names are
 * from the reader. */
enum igpu_status oa_print_stream(FILE *out, const struct oa_stream *stream,
                                 struct trace_reader *reader,
                                 enum oa_reporting reporting, enum oa_style style,
                                 struct igpu_err *err);
/* "text", "json" or "csv"; IGPU_USAGE. */
enum igpu_status oa_style_parse(const char *text, enum oa_style *style,
                                struct igpu_err *err);
/* The set of this name; IGPU_USAGE. */
enum igpu_status oa_set_parse(const char *symbol, const struct oa_set **set,
                              struct igpu_err *err);
#endif
