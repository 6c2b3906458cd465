/* fpga_frame.c - see fpga_frame.h. */
#include "bridge/engines/fpga/fpga_frame.h"

#include <string.h>
#include <zlib.h>

static void word_put(uint8_t *bytes, uint32_t word)
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

    word_put(bytes, FIELD(IGPU_LINK_HEAD_MAGIC, IGPU_LINK_MAGIC) |
                        FIELD(IGPU_LINK_HEAD_TYPE, f->type) |
                        FIELD(IGPU_LINK_HEAD_RESEND, f->resend) |
                        FIELD(IGPU_LINK_HEAD_WORDS, f->words));
    word_put(bytes + 4, FIELD(IGPU_LINK_SEQ_SESSION, f->session) |
                            FIELD(IGPU_LINK_SEQ_NUMBER, f->seq));
    word_put(bytes + 8, FIELD(IGPU_LINK_TAKEN, f->ack));
    for (uint32_t i = 0; i < f->words; i++)
        word_put(bytes + 4 * (size_t)(FRAME_HEAD + i), f->payload[i]);
    word_put(bytes + 4 * (size_t)words, (uint32_t)crc32(0, bytes, 4 * words));
    return 4 * ((size_t)words + 1);
}

bool fpga_frame_read(struct fpga_frame *f, const uint8_t *bytes, size_t size)
{
    uint32_t head, words;

    if (size < 4 * (FRAME_HEAD + 1) || size > FRAME_BYTES || size % 4 != 0)
        return false;
    head = get(bytes);
    words = FIELD_OF(IGPU_LINK_HEAD_WORDS, head);
    if (FIELD_OF(IGPU_LINK_HEAD_MAGIC, head) != IGPU_LINK_MAGIC ||
        size != 4 * ((size_t)words + FRAME_HEAD + 1) ||
        get(bytes + size - 4) != (uint32_t)crc32(0, bytes, (uInt)(size - 4)))
        return false;
    f->type = (uint8_t)FIELD_OF(IGPU_LINK_HEAD_TYPE, head);
    f->resend = FIELD_OF(IGPU_LINK_HEAD_RESEND, head);
    f->session = (uint16_t)FIELD_OF(IGPU_LINK_SEQ_SESSION, get(bytes + 4));
    f->seq = (uint16_t)FIELD_OF(IGPU_LINK_SEQ_NUMBER, get(bytes + 4));
    f->ack = (uint16_t)FIELD_OF(IGPU_LINK_TAKEN, get(bytes + 8));
    f->words = words;
    for (uint32_t i = 0; i < words; i++)
        f->payload[i] = get(bytes + 4 * (size_t)(FRAME_HEAD + i));
    return true;
}
