/* convert.h - traces of other simulators' formats: import and export.
 *
 * gtpin-dump  the text dumps of paper 1's trace generator (GT-Pin on real hardware),
 *             one file per hardware thread; import only. What a dump lacks and how it
 *             is filled is in docs/contract/formats.md.
 * macsim      MacSim's binary traces for its Intel GPU model; export only.
 * Tests: tests/traces/test_convert.sh */
#ifndef IGPU_CONVERT_H
#define IGPU_CONVERT_H
#include <stdbool.h>
#include <stdint.h>

#include "igpu/err.h"

struct gtpin_options {
    const char *device;         /* of igpu/device.h, for the trace's header */
    const char *command_line;   /* for the header */
    uint32_t threads_per_group; /* >= 1: consecutive files that make a work-group */
};

/* What an import left out or filled in, for a report. */
struct gtpin_report {
    uint64_t instructions, accesses; /* imported, hardware-thread instructions */
    uint64_t without_address;        /* accesses for which no lane has one */
    uint32_t threads, launches, kernels;
    uint32_t ends_added;       /* threads that got an end-of-thread message */
    uint32_t cut;              /* files that stop early: declared counts not reached */
    uint32_t dropped;          /* last instructions that may be incomplete */
    uint32_t messages_guessed; /* sends (static) without a usable descriptor */
};

/* Read the dumps (file i is thread i of every launch in them) twice and write `out`.
 * IGPU_BAD_INPUT with file and line in *err; then `out` is not touched. */
enum igpu_status convert_from_gtpin(const char *const *paths, uint32_t count,
                                    const char *out,
                                    const struct gtpin_options *options,
                                    struct gtpin_report *report, struct igpu_err *err);

enum macsim_variant {
    MACSIM_INTEL, /* its Intel branch: a SIMD16 multiply-add is two records */
    MACSIM_2018,  /* its version of 2018: the same opcode numbers, one record */
    MACSIM_MAIN   /* its main branch: other opcode numbers, one record */
};

struct macsim_report {
    uint64_t records, instructions;
    uint32_t threads, launches;
};

/* Write the folder `dir` (must not exist): trace.txt and trace_<thread>.raw, or for
 * several launches one folder K<i> each. It is written as DIR.part, which one export at
 * a time holds, and renamed when whole; else nothing is left. IGPU_STOPPED when stop()
 * (may be NULL) turned true, as a signal handler can make it. */
enum igpu_status convert_to_macsim(const char *trace, const char *dir,
                                   enum macsim_variant variant, bool (*stop)(void),
                                   struct macsim_report *report, struct igpu_err *err);

#endif
