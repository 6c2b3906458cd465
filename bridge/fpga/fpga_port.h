/* fpga_port.h - what carries frames to a board and back: UDP today. Frames are whole
 * and may be lost, repeated, late or out of order; fpga_link.h copes with that. */
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
};

/* A socket connected to HOST[:PORT]. IGPU_USAGE: no such place. On success the caller
 * closes it. */
enum igpu_status fpga_udp_open(struct fpga_port *port, const char *place,
                               struct igpu_err *err);
#endif
