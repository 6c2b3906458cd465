/* trace_bytes.h - growing byte buffers, bounded views, varints and CRC-32C for the
 * trace format. Internal to traces/trace_*.c. */
#ifndef IGPU_TRACE_BYTES_H
#define IGPU_TRACE_BYTES_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A byte buffer that grows. All zero is an empty one. When memory runs out `failed`
 * is set and stays, and appends do nothing. */
struct trace_bytes {
    uint8_t *data;
    size_t size, capacity;
    bool failed;
};

void trace_bytes_free(struct trace_bytes *b);
void trace_bytes_put(struct trace_bytes *b, const void *data, size_t size);
/* Append `size` zero bytes, none too: where they are, or NULL when memory ran out. */
uint8_t *trace_bytes_extend(struct trace_bytes *b, size_t size);
void trace_bytes_u8(struct trace_bytes *b, uint8_t value);
void trace_bytes_varint(struct trace_bytes *b, uint64_t value); /* LEB128 */
void trace_bytes_zigzag(struct trace_bytes *b, int64_t value);

/* What is left to read. Reading past the end, or a varint of more than 64 bits, sets
 * `bad` and gives 0; bad stays. */
struct trace_view {
    const uint8_t *at, *end;
    bool bad;
};

struct trace_view trace_view_of(const void *data, size_t size);
size_t trace_view_left(const struct trace_view *v);
uint8_t trace_view_u8(struct trace_view *v);
uint64_t trace_view_varint(struct trace_view *v);
int64_t trace_view_zigzag(struct trace_view *v);
/* The next `size` bytes, or NULL (bad). */
const uint8_t *trace_view_bytes(struct trace_view *v, size_t size);

uint64_t trace_zigzag(int64_t value);   /* 0 -1 1 -2 .. to 0 1 2 3 .. */
int64_t trace_unzigzag(uint64_t value); /* and back */

void trace_put_le32(uint8_t *to, uint32_t value);
void trace_put_le64(uint8_t *to, uint64_t value);
uint32_t trace_get_le32(const uint8_t *from);
uint64_t trace_get_le64(const uint8_t *from);

/* 128 bits of hash go on by a word. Its own numbers, not XXH3's: which segments a full
 * table forgets, and with that a file's bytes, hang on them. */
static inline uint64_t trace_mix(uint64_t a, uint64_t b)
{
    a = (a ^ b) * 0x9fb21c651e98df25u;
    return a ^ (a >> 35) ^ (a >> 49);
}
static inline void trace_hash_add(uint64_t hash[2], uint64_t word)
{
    hash[0] = trace_mix(hash[0], word);
    hash[1] = trace_mix(hash[1] + 0xc2b2ae3d27d4eb4fu, word);
    hash[1] = hash[1] << 23 | hash[1] >> 41;
}

/* Tables for CRC-32C (Castagnoli), eight bytes at a time. */
struct trace_crc {
    uint32_t table[8][256];
};

void trace_crc_init(struct trace_crc *crc);
/* Continue from `value`; 0 at first. */
uint32_t trace_crc_add(const struct trace_crc *crc, uint32_t value, const void *data,
                       size_t size);

#endif
