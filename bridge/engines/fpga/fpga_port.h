/* fpga_port.h - what carries frames to a board and back: UDP, a serial line, a window
 * of a bus (docs/develop/fpga.md, Lines). Frames may be lost, repeated, late, out of
 * order or cut; fpga_link.h copes with that. Tests: tests/bridge/test_fpga_lines.sh */
#ifndef IGPU_FPGA_PORT_H
#define IGPU_FPGA_PORT_H
#include <stdbool.h>
#include <stddef.h>

#include "igpu/err.h"

struct fpga_port {
    void *ctx;
    /* Send a frame of `size` bytes. False: the port is gone. */
    bool (*send)(void *ctx, const void *frame, size_t size);
    /* Wait for a frame, at most timeout_ms. Its size in bytes, 0: none came; less
     * than 0: the port is gone. */
    int (*receive)(void *ctx, void *frame, size_t size, int timeout_ms);
    void (*close)(void *ctx);
    int slow_ms; /* what the line takes for a window of full frames, to and fro */
};

/* Each opens a port at `place`, which is what stands behind "udp:", "serial:" or
 * "pcie:". IGPU_USAGE: no such place, or it is of another kind. On success the caller
 * closes it. */

/* HOST[:PORT] */
enum igpu_status fpga_udp_open(struct fpga_port *port, const char *place,
                               struct igpu_err *err);
/* DEVICE[:BAUD] */
enum igpu_status fpga_serial_open(struct fpga_port *port, const char *place,
                                  struct igpu_err *err);
/* FILE[@OFFSET]: what can be mapped into memory */
enum igpu_status fpga_window_open(struct fpga_port *port, const char *place,
                                  struct igpu_err *err);
#endif
