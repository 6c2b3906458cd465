/* engine_fpga.h - a GPU on an FPGA behind host.h: docs/develop/fpga.md.
 * Tests: tests/cosim/test_fpga.c, tests/bridge/test_fpga.sh */
#ifndef IGPU_ENGINE_FPGA_H
#define IGPU_ENGINE_FPGA_H
#include <signal.h>

#include "igpu/host.h"

extern const struct host_engine_ops host_engine_fpga;
extern const struct host_remote host_remote_fpga;

/* Connect `engine`, made by host_engine_fpga, to the board at `place`
 * ("udp:HOST[:PORT]", "serial:DEVICE[:BAUD]" or "pcie:FILE[@OFFSET]"; stays the
 * caller's), and set it up. IGPU_USAGE: no such place, or
 * the configuration does not fit what was built; IGPU_SIM_ERROR: no answer. */
enum igpu_status host_fpga_connect(void *engine, const char *place,
                                   struct igpu_err *err);
/* Of one that is connected: as fpga_link_heed(). */
void host_fpga_heed(void *engine, const volatile sig_atomic_t *stop);
#endif
