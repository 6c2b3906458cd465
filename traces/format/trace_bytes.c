/* trace_bytes.c - see trace_bytes.h. */
#include "traces/format/trace_bytes.h"

#include <stdlib.h>
#include <string.h>

#include "igpu/grow.h"

/* ---- growing buffer ----------------------------------------------------- */

void trace_bytes_free(struct trace_bytes *b)
{
    free(b->data);
    memset(b, 0, sizeof(*b));
}

static bool bytes_grow(struct trace_bytes *b, size_t more)
{
    b->failed |= more >= SIZE_MAX - b->size || /* an address even for nothing */
                 !IGPU_RESERVE(b->data, b->capacity, b->size + more + 1);
    return !b->failed;
}

static inline bool reserve(struct trace_bytes *b, size_t more)
{
    return (b->data && !b->failed && b->capacity - b->size >= more) ||
           bytes_grow(b, more);
}

void trace_bytes_put(struct trace_bytes *b, const void *data, size_t size)
{
    if (size == 0 || !reserve(b, size))
        return;
    memcpy(b->data + b->size, data, size);
    b->size += size;
}

uint8_t *trace_bytes_extend(struct trace_bytes *b, size_t size)
{
    uint8_t *at;

    if (!reserve(b, size))
        return NULL;
    at = b->data + b->size;
    memset(at, 0, size);
    b->size += size;
    return at;
}

void trace_bytes_u8(struct trace_bytes *b, uint8_t value)
{
    if (reserve(b, 1))
        b->data[b->size++] = value;
}

void trace_bytes_varint(struct trace_bytes *b, uint64_t value)
{
    if (!reserve(b, 10)) /* the longest */
        return;
    while (value >= 0x80) {
        b->data[b->size++] = (uint8_t)(value | 0x80);
        value >>= 7;
    }
    b->data[b->size++] = (uint8_t)value;
}

void trace_bytes_zigzag(struct trace_bytes *b, int64_t value)
{
    trace_bytes_varint(b, trace_zigzag(value));
}

/* ---- bounded view ------------------------------------------------------- */

struct trace_view trace_view_of(const void *data, size_t size)
{
    struct trace_view v = {data, data, false};

    if (size > 0) /* C has no NULL + 0 */
        v.end += size;
    return v;
}

size_t trace_view_left(const struct trace_view *v)
{
    return (size_t)(v->end - v->at);
}

uint8_t trace_view_u8(struct trace_view *v)
{
    if (v->bad || v->at == v->end) {
        v->bad = true;
        return 0;
    }
    return *v->at++;
}

uint64_t trace_view_varint(struct trace_view *v)
{
    uint64_t value = 0;

    for (unsigned shift = 0; shift < 64; shift += 7) {
        uint8_t byte = trace_view_u8(v);

        if (shift == 63 && byte > 1)
            break;
        value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80)
            return v->bad ? 0 : value;
    }
    v->bad = true;
    return 0;
}

int64_t trace_view_zigzag(struct trace_view *v)
{
    return trace_unzigzag(trace_view_varint(v));
}

const uint8_t *trace_view_bytes(struct trace_view *v, size_t size)
{
    const uint8_t *at = v->at;

    if (v->bad || size > trace_view_left(v)) {
        v->bad = true;
        return NULL;
    }
    v->at += size;
    return at;
}

/* ---- numbers ------------------------------------------------------------ */

uint64_t trace_zigzag(int64_t value)
{
    uint64_t bits = (uint64_t)value;

    return value < 0 ? ~(bits << 1) : bits << 1;
}

int64_t trace_unzigzag(uint64_t value)
{
    return (int64_t)((value >> 1) ^ (0 - (value & 1)));
}

void trace_put_le32(uint8_t *to, uint32_t value)
{
    for (unsigned i = 0; i < 4; i++)
        to[i] = (uint8_t)(value >> (8 * i));
}

void trace_put_le64(uint8_t *to, uint64_t value)
{
    for (unsigned i = 0; i < 8; i++)
        to[i] = (uint8_t)(value >> (8 * i));
}

uint32_t trace_get_le32(const uint8_t *from)
{
    uint32_t value = 0;

    for (unsigned i = 0; i < 4; i++)
        value |= (uint32_t)from[i] << (8 * i);
    return value;
}

uint64_t trace_get_le64(const uint8_t *from)
{
    return trace_get_le32(from) | (uint64_t)trace_get_le32(from + 4) << 32;
}

/* ---- CRC-32C ------------------------------------------------------------ */

void trace_crc_init(struct trace_crc *crc)
{
    const uint32_t poly = 0x82f63b78; /* 0x1edc6f41 with its bits reversed */

    for (uint32_t i = 0; i < 256; i++) {
        uint32_t value = i;

        for (unsigned bit = 0; bit < 8; bit++)
            value = (value >> 1) ^ (poly & (0 - (value & 1)));
        crc->table[0][i] = value;
    }
    for (unsigned k = 1; k < 8; k++)
        for (uint32_t i = 0; i < 256; i++) {
            uint32_t before = crc->table[k - 1][i];

            crc->table[k][i] = (before >> 8) ^ crc->table[0][before & 0xff];
        }
}

uint32_t trace_crc_add(const struct trace_crc *crc, uint32_t value, const void *data,
                       size_t size)
{
    const uint8_t *at = data;

    value = ~value;
    for (; size >= 8; size -= 8, at += 8) {
        uint32_t low = value ^ trace_get_le32(at);

        value = crc->table[7][low & 0xff] ^ crc->table[6][(low >> 8) & 0xff] ^
                crc->table[5][(low >> 16) & 0xff] ^ crc->table[4][low >> 24] ^
                crc->table[3][at[4]] ^ crc->table[2][at[5]] ^ crc->table[1][at[6]] ^
                crc->table[0][at[7]];
    }
    for (; size > 0; size--, at++)
        value = (value >> 8) ^ crc->table[0][(value ^ *at) & 0xff];
    return ~value;
}
