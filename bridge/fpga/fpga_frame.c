/* fpga_frame.c - see fpga_frame.h. */
#include "bridge/fpga/fpga_frame.h"

#include <string.h>
#include <zlib.h>

static void put(uint8_t *bytes, uint32_t word)
{
    for (unsigned i = 0; i < 4; i++)
        bytes[i] = (uint8_t)(word >> 8 * i);
}

static uint32_t get(const uint8_t *bytes)
{
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
           (uint32_t)bytes[3] << 24;
}

size_t fpga_frame_write(const struct fpga_frame *f, uint8_t bytes[FRAME_BYTES])
{
    uint32_t words = FRAME_HEAD + f->words;

    put(bytes, (uint32_t)IGPU_LINK_MAGIC << 16 | (uint32_t)f->type << 12 |
                   (uint32_t)f->resend << 11 | f->words);
    put(bytes + 4, (uint32_t)f->session << 16 | f->seq);
    put(bytes + 8, (uint32_t)f->ack << 16);
    for (uint32_t i = 0; i < f->words; i++)
        put(bytes + 4 * (size_t)(FRAME_HEAD + i), f->payload[i]);
    put(bytes + 4 * (size_t)words, (uint32_t)crc32(0, bytes, 4 * words));
    return 4 * ((size_t)words + 1);
}

bool fpga_frame_read(struct fpga_frame *f, const uint8_t *bytes, size_t size)
{
    uint32_t head, words;

    if (size < 4 * (FRAME_HEAD + 1) || size > FRAME_BYTES || size % 4 != 0)
        return false;
    head = get(bytes);
    words = head & 0x1ff;
    if (head >> 16 != IGPU_LINK_MAGIC || size != 4 * ((size_t)words + FRAME_HEAD + 1) ||
        get(bytes + size - 4) != (uint32_t)crc32(0, bytes, (uInt)(size - 4)))
        return false;
    f->type = head >> 12 & 15;
    f->resend = head >> 11 & 1;
    f->session = (uint16_t)(get(bytes + 4) >> 16);
    f->seq = (uint16_t)get(bytes + 4);
    f->ack = (uint16_t)(get(bytes + 8) >> 16);
    f->words = words;
    for (uint32_t i = 0; i < words; i++)
        f->payload[i] = get(bytes + 4 * (size_t)(FRAME_HEAD + i));
    return true;
}
