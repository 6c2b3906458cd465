/* dram_file.h - `--dram-commands`: what the DRAM controllers issued, as CSV for other
 * tools: clock (of dram.clock_hz), channel, rank, bank of the rank, command, row. In
 * the order in which they are told (igpu/dram_command.h); sort by the clock.
 * Tests: tests/bridge/test_energy.sh */
#ifndef BRIDGE_CLI_DRAM_FILE_H
#define BRIDGE_CLI_DRAM_FILE_H
#include "bridge/host/sim/sim.h"
#include "igpu/output.h"

struct dram_file {
    struct igpu_output out;
    uint32_t banks_per_rank;
};

/* Create `path` and have *options tell it. It is whole or not there at all. */
enum igpu_status dram_file_open(struct dram_file *file, const char *path,
                                const struct igpu_config *config,
                                struct sim_options *options, struct igpu_err *err);
/* Complete it; harmless when none is open. */
enum igpu_status dram_file_close(struct dram_file *file, struct igpu_err *err);
#endif
