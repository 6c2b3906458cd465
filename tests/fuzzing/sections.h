/* sections.h - inputs that are sections of a trace or launch file, each a byte of
 * kind, two of size and its content; they are put together with the checksums and
 * offsets that they need, so that changes get behind those. An input that begins with a
 * trace's first byte is a file as it is. */
#ifndef FUZZING_SECTIONS_H
#define FUZZING_SECTIONS_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bridge/host/sim/sim.h"
#include "traces/format/trace.h"

/* A reader of the trace, or with `launches` of the launch file; NULL: it was refused.
 */
struct trace_reader *fuzz_sections_open(const uint8_t *data, size_t size,
                                        bool launches);

/* Run all launches on the reference engine and a small machine, for some thousand
 * cycles. execute: of a launch file, else NULL. */
enum sim_state fuzz_sections_run(struct trace_reader *r,
                                 const struct launch_file *execute,
                                 enum igpu_status *status, struct igpu_err *err);
#endif
