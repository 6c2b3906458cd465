/* oa.h - what the OA (observation architecture) unit of a Gen9 GPU tells: reports of
 * its counters in the hardware's formats, metric sets computed from them, and
 * recordings of reports as files. Knows no simulation: counters are given, or read from
 * a file. Contract: docs/contract/oa.md. Tests: tests/csim/test_oa.c,
 * tests/bridge/test_oa.sh Source: Intel's PRM for Skylake, volume 14 (observability);
 * the kernel's i915 uapi; the file format of i915-perf-recorder (igt-gpu-tools). */
#ifndef IGPU_OA_H
#define IGPU_OA_H
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "igpu/err.h"

enum { OA_A_COUNTERS = 36, OA_B_COUNTERS = 8, OA_C_COUNTERS = 8 };
enum { OA_TIMESTAMP_HZ = 12000000 }; /* of TIME_STAMP on Gen9 */

/* Formats by their number in i915's uapi (drm_i915_oa_format); the hardware's counter
 * select is 7, 0, 2 and 5. */
enum oa_format {
    OA_C4_B8 = 7,              /* 64 bytes */
    OA_A12 = 8,                /* 64 bytes: A7 to A18, as A12 counts them */
    OA_A12_B8_C8 = 9,          /* 128 bytes */
    OA_A32U40_A4U32_B8_C8 = 10 /* 256 bytes; the one of i915 and its tools */
};

/* Why a report was made: bits of its first dword. */
enum oa_reason {
    OA_REASON_NONE = 0, /* MI_REPORT_PERF_COUNT: the dword is the command's report id */
    OA_REASON_TIMER = 1 << 19,
    OA_REASON_TRIGGER_1 = 1 << 20,
    OA_REASON_TRIGGER_2 = 1 << 21,
    OA_REASON_CONTEXT_SWITCH = 1 << 22,
    OA_REASON_GO = 1 << 23,
    OA_REASON_CLOCK_RATIO = 1 << 24
};
enum { OA_CONTEXT_VALID = 1 << 16 };

/* The counters at one moment, as wide as they can be: a report cuts them to the width
 * of its format (A0 to A31 to 40 bits in OA_A32U40_A4U32_B8_C8, all others to 32). */
struct oa_counters {
    uint32_t report_id; /* RPT_ID: reasons and OA_CONTEXT_VALID, or the command's id */
    uint32_t context;   /* CTX_ID */
    uint64_t timestamp; /* ticks of OA_TIMESTAMP_HZ */
    uint64_t clocks;    /* GPU_TICKS */
    uint64_t a[OA_A_COUNTERS], b[OA_B_COUNTERS], c[OA_C_COUNTERS];
};

/* Bytes of a report; 0: no such format. */
uint32_t oa_report_bytes(enum oa_format format);
/* Write *counters as a report of `format` to out[oa_report_bytes(format)]. */
void oa_report_write(enum oa_format format, const struct oa_counters *counters,
                     uint8_t *out);
/* Read a report. Counters that the format does not have are 0. */
void oa_report_read(enum oa_format format, const uint8_t *report,
                    struct oa_counters *counters);
/* What was counted from report *from to report *to of the same format, each counter
 * modulo its width there; added to *sum, whose report_id and context stay. */
void oa_report_add(enum oa_format format, const struct oa_counters *from,
                   const struct oa_counters *to, struct oa_counters *sum);

/* ---- metric sets ---------------------------------------------------------- */

/* What equations know of the device ($GpuTimestampFrequency and so on). */
struct oa_device {
    uint64_t timestamp_hz, min_hz, max_hz;
    uint32_t eus, slices, subslices, threads; /* EUs, slices, subslices in all; threads
                                                 of an EU */
    uint64_t slice_mask, subslice_mask;       /* bit 3 s + i: subslice i of slice s */
};

enum oa_type { OA_UINT64, OA_FLOAT };

struct oa_metric {
    const char *symbol, *name, *unit;
    enum oa_type type;
    const char *equation, *maximum, *available; /* "": none, everywhere */
};

struct oa_set {
    const char *symbol, *name, *uuid;
    uint32_t first, count; /* its metrics, in the list of all */
};

struct oa_value {
    bool available; /* on this device; else the rest is 0 */
    bool is_float;
    uint64_t integer;
    double number; /* the value, also of integers */
    bool has_maximum;
    double maximum;
};

/* All sets, *count of them. */
const struct oa_set *oa_sets(uint32_t *count);
/* NULL: there is none of this symbol. */
const struct oa_set *oa_set_find(const char *symbol);
/* Metric `index` of a set, below set->count. */
const struct oa_metric *oa_set_metric(const struct oa_set *set, uint32_t index);
/* Evaluate all metrics of *set from what was counted; value[set->count]. A division by
 * zero gives 0, as in Intel's own tools. IGPU_SIM_ERROR: an equation of the table is
 * malformed, which is a mistake in the program. */
enum igpu_status oa_set_evaluate(const struct oa_set *set,
                                 const struct oa_device *device,
                                 const struct oa_counters *counted,
                                 struct oa_value *value, struct igpu_err *err);

/* ---- recordings: the files of i915-perf-recorder -------------------------- */

struct oa_recording_info {
    struct oa_device device;
    uint32_t pci_id, revision;
    enum oa_format format;
    char set[256], uuid[40];
};

struct oa_recording {
    struct oa_recording_info info;
    uint32_t reports;
    const uint8_t **report; /* each oa_report_bytes(info.format) long */
    uint32_t lost;          /* records that tell of lost reports */
    uint8_t *file;
};

/* Read a recording. IGPU_BAD_INPUT names the file, the offset and what was expected
 * there. Free it with oa_recording_free() after IGPU_OK only. */
enum igpu_status oa_recording_open(struct oa_recording *recording, const char *path,
                                   struct igpu_err *err);
void oa_recording_free(struct oa_recording *recording);

/* Begin a recording: version, device and topology. The slices of the device are alike,
 * and so are their subslices, of up to 8 EUs. The caller checks ferror(out) at the end.
 */
void oa_recording_begin(FILE *out, const struct oa_recording_info *info);
void oa_recording_report(FILE *out, const struct oa_recording_info *info,
                         const struct oa_counters *counters);
/* Another point at which both clocks are known: ns of the host's, ticks of the GPU's.
 * One is needed before the first report and one behind the last. */
void oa_recording_correlate(FILE *out, uint64_t ns, uint64_t ticks);
#endif
