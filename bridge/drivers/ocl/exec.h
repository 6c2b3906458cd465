/* exec.h - executes a launch: all of it, or a sample that is recorded and the rest.
 * Device thread only. Tests: tests/ocl/test_ocl_sample.c, test_ocl_run.sh */
#ifndef IGPU_OCL_EXEC_H
#define IGPU_OCL_EXEC_H
#include "bridge/drivers/ocl/sample.h"
#include "traces/record/record.h"

struct exec {
    struct record_program *program;
    struct sample *sample; /* what is recorded of it, and what is learnt of it */
    bool timed;            /* progress is told, and the sample's warm lists are made */
    uint64_t lines;        /* of a warm list at most: those that caches can hold */
    uint32_t host_threads;
    const struct emu_races *races; /* NULL: nobody looks for them */
};

/* Run the launch, into *writer unless that is NULL (index: see record_launch()); one
 * with places in its sample is recorded there alone, as one launch, and what lies
 * between is executed in its turn, unless it is to be skipped. *counts: all that ran,
 * also after an error; *sampled: threads that are recorded, when not all. */
enum igpu_status exec_run(const struct exec *exec, struct trace_writer *writer,
                          uint32_t *index, struct emu_counts *counts, uint64_t *sampled,
                          struct igpu_err *err);
#endif
