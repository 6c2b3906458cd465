/* run_execute.h - the part of a run that belongs to --execute: the launch file, and
 * what its buffers hold afterwards. */
#ifndef IGPU_RUN_EXECUTE_H
#define IGPU_RUN_EXECUTE_H
#include "bridge/host/sim/sim.h"
#include "bridge/programs/cli/options.h"

/* The launches of the reader's file, into *so. */
enum igpu_status run_execute_open(const struct run_options *o,
                                  struct trace_reader *reader,
                                  struct launch_file **file, struct sim_options *so,
                                  struct igpu_err *err);
/* A line for each buffer of the last of `launches` launches. */
void run_execute_print(const struct launch_file *file, uint32_t launches);
/* IGPU_SIM_ERROR: two engines have left other bytes. */
enum igpu_status run_execute_compare(const struct launch_file *file,
                                     const struct launch_file *second,
                                     uint32_t launches, struct igpu_err *err);
/* --dump-buf */
enum igpu_status run_execute_dump(const struct run_options *o,
                                  const struct launch_file *file, uint32_t launches,
                                  struct igpu_err *err);
#endif
