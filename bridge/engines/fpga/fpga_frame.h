/* fpga_frame.h - one frame as bytes (docs/develop/fpga.md, Frames). */
#ifndef IGPU_FPGA_FRAME_H
#define IGPU_FPGA_FRAME_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bridge/engines/rtl/rtl_fields.h"
#include "igpu_link_words.h"

enum {
    FRAME_HEAD = 3, /* words before the payload */
    FRAME_WORDS = IGPU_LINK_PAYLOAD + FRAME_HEAD + 1,
    FRAME_BYTES = 4 * FRAME_WORDS
};

struct fpga_frame {
    uint8_t type;
    bool resend;
    uint16_t session, seq, ack;
    uint32_t words; /* of the payload */
    uint32_t payload[IGPU_LINK_PAYLOAD];
};

/* *f as bytes; returns how many. */
size_t fpga_frame_write(const struct fpga_frame *f, uint8_t bytes[FRAME_BYTES]);
/* The other way. False: not a whole frame of ours. */
bool fpga_frame_read(struct fpga_frame *f, const uint8_t *bytes, size_t size);
#endif
