/* check_integer.c - references of int64.cl, bits.cl, atomics.cl and ids.cl. */
#include "igpu/order.h"
#include "traces/kernels/check_ref.h"

/* High 64 bits of a 128-bit product, from 32-bit parts. */
static uint64_t mul_hi_u64(uint64_t x, uint64_t y)
{
    uint64_t x0 = (uint32_t)x, x1 = x >> 32, y0 = (uint32_t)y, y1 = y >> 32;
    uint64_t low = x0 * y0, mid = x1 * y0 + (low >> 32);
    uint64_t mid2 = x0 * y1 + (uint32_t)mid;

    return x1 * y1 + (mid >> 32) + (mid2 >> 32);
}

static uint64_t mul_hi_i64(uint64_t x, uint64_t y)
{
    return mul_hi_u64(x, y) - (x >> 63 ? y : 0) - (y >> 63 ? x : 0);
}

static void int64(struct ref *r)
{
    const uint64_t *a = ref_buffer(r, 0, r->items, 8);
    const uint64_t *b = ref_buffer(r, 1, r->items, 8);
    uint64_t *out = ref_buffer(r, 2, 6 * r->items, 8);

    for (uint64_t i = 0; out != NULL && i < r->items; i++) {
        uint64_t x = a[i], y = b[i], chain = x;
        int64_t sx = (int64_t)x, sy = (int64_t)y;
        uint64_t *mine = out + 6 * i;

        mine[0] = (x + y) ^ (x - y);
        mine[1] = x * y;
        mine[2] = (uint64_t)(sx >> (y & 63)) ^ (x << (y & 63)) ^ (x >> (x & 63));
        mine[3] = mul_hi_u64(x, y) ^ mul_hi_i64(x, y);
        mine[4] = (uint64_t)((sx < sy ? sx : sy) ^ (sx > sy ? sx : sy)) +
                  (x < y ? x : ~y) + (uint64_t)(sx <= sy);
        for (uint32_t turn = 0; turn < ref_u32(r, 3); turn++) {
            chain = chain * 6364136223846793005u + y;
            chain ^= chain >> 29;
            if (chain > x)
                chain -= y;
        }
        mine[5] = chain;
    }
}

/* Signed division that wraps where C leaves it undefined. */
static uint64_t divide(int64_t x, int64_t y, uint64_t *rest)
{
    if (y == -1) {
        *rest = 0;
        return 0 - (uint64_t)x;
    }
    *rest = (uint64_t)(x % y);
    return (uint64_t)(x / y);
}

static void div64(struct ref *r)
{
    const uint64_t *a = ref_buffer(r, 0, r->items, 8);
    const uint64_t *b = ref_buffer(r, 1, r->items, 8);
    uint64_t *out = ref_buffer(r, 2, 4 * r->items, 8);

    for (uint64_t i = 0; out != NULL && i < r->items; i++) {
        uint64_t x = a[i], y = (b[i] >> (x & 63)) | 1;

        out[4 * i] = x / y;
        out[4 * i + 1] = x % y;
        out[4 * i + 2] = divide((int64_t)x, (int64_t)(y | 2), &out[4 * i + 3]);
    }
}

static void div32(struct ref *r)
{
    const uint32_t *a = ref_buffer(r, 0, r->items, 4);
    const uint32_t *b = ref_buffer(r, 1, r->items, 4);
    uint32_t *out = ref_buffer(r, 2, 5 * r->items, 4);

    for (uint64_t i = 0; out != NULL && i < r->items; i++) {
        uint32_t x = a[i], y = (b[i] >> (x & 31)) | 1;
        uint64_t rest;

        out[5 * i] = x / y;
        out[5 * i + 1] = x % y;
        out[5 * i + 2] = (uint32_t)divide((int32_t)x, (int32_t)(y | 2), &rest);
        out[5 * i + 3] = (uint32_t)rest;
        out[5 * i + 4] = (uint16_t)x / (uint16_t)(y | 1);
    }
}

/* ---- bits.cl ---- */

static uint32_t popcount(uint64_t x)
{
    uint32_t count = 0;

    for (; x != 0; x &= x - 1)
        count++;
    return count;
}

static uint32_t leading_zeros(uint32_t x)
{
    uint32_t count = 0;

    while (count < 32 && (x & (0x80000000u >> count)) == 0)
        count++;
    return count;
}

static uint32_t trailing_zeros(uint32_t x)
{
    uint32_t count = 0;

    while (count < 32 && (x >> count & 1) == 0)
        count++;
    return count;
}

static uint32_t rotate(uint32_t x, uint32_t count)
{
    count &= 31;
    return count == 0 ? x : x << count | x >> (32 - count);
}

static void bits_of(uint32_t x, uint32_t y, uint32_t *mine)
{
    int64_t ux = x, uy = y, sx = (int32_t)x, sy = (int32_t)y;
    int64_t difference = sx > sy ? sx - sy : sy - sx;
    uint32_t mask = 0x00ff0ff0u;

    mine[0] = popcount(x) + 64 * leading_zeros(y);
    mine[1] = (uint32_t)((uint64_t)x * y >> 32);
    mine[2] = (uint32_t)((uint64_t)(sx * sy) >> 32);
    mine[3] = rotate(x, y) ^ rotate(y, 7);
    mine[4] = (uint32_t)igpu_clamp(ux + uy, 0, UINT32_MAX) ^
              (uint32_t)igpu_clamp(sx + sy, INT32_MIN, INT32_MAX);
    mine[5] = (uint32_t)igpu_clamp(ux - uy, 0, UINT32_MAX) ^
              (uint32_t)igpu_clamp(sx - sy, INT32_MIN, INT32_MAX);
    mine[6] = (uint32_t)((ux + uy) >> 1) + (uint32_t)((sx + sy + 1) >> 1);
    mine[7] = (uint32_t)difference ^ (uint32_t)(sx < 0 ? -sx : sx);
    mine[8] = ((x & ~mask) | (y & mask)) + (uint32_t)((sx >> 9) * (sy >> 9) + 5);
    mine[9] = (uint32_t)igpu_clamp(sx, -1000, 1000) + (x < y ? x : y) -
              (x >> 1 > y >> 1 ? x >> 1 : y >> 1);
    mine[10] = (x << 16 | (y & 0xffff)) ^ (y << 16 | (x & 0xffff));
    mine[11] = trailing_zeros(x | 0x80000000u) + popcount((uint64_t)x << 32 | y);
}

static void bits(struct ref *r)
{
    const uint32_t *a = ref_buffer(r, 0, r->items, 4);
    const uint32_t *b = ref_buffer(r, 1, r->items, 4);
    uint32_t *out = ref_buffer(r, 2, 12 * r->items, 4);

    for (uint64_t i = 0; out != NULL && i < r->items; i++)
        bits_of(a[i], b[i], out + 12 * i);
}

/* ---- atomics.cl ---- */

static void atomics32(struct ref *r)
{
    uint64_t cells = ref_count(r, 1, 4);
    const uint32_t *in = ref_buffer(r, 0, r->items, 4);
    uint32_t *out = ref_buffer(r, 1, 8, 4);

    for (uint64_t i = 0; out != NULL && i < r->items; i++) {
        uint32_t x = in[i], slot = out[7];

        if (8 + (uint64_t)slot >= cells) {
            ref_reject(r, "the second buffer has too few slots");
            return;
        }
        out[0] += x;
        out[1] ^= x;
        out[2] &= (x & 0x7f) == 3 ? ~(1u << (x >> 27)) : 0xffffffffu;
        out[3] |= (x & 0x7f) == 5 ? 1u << (x >> 27) : 0;
        out[4] = (int32_t)x < (int32_t)out[4] ? x : out[4];
        out[5] = (int32_t)x > (int32_t)out[5] ? x : out[5];
        out[6] = x > out[6] ? x : out[6];
        out[7]++;
        out[8 + slot] = 1;
    }
}

static void atomics64(struct ref *r)
{
    const uint64_t *in = ref_buffer(r, 0, r->items, 8);
    uint64_t *out = ref_buffer(r, 1, 4, 8);

    for (uint64_t i = 0; out != NULL && i < r->items; i++) {
        out[0] += in[i];
        out[1] = in[i] > out[1] ? in[i] : out[1];
        out[2] ^= in[i];
        out[3] += in[i] >> 3;
    }
}

static void cas32(struct ref *r)
{
    const uint32_t *in = ref_buffer(r, 0, r->items, 4);
    uint32_t *out = ref_buffer(r, 1, 16, 4);

    for (uint64_t i = 0; out != NULL && i < r->items; i++)
        out[in[i] & 15] += in[i];
}

/* ---- ids.cl ---- */

static uint32_t pack(unsigned shift, const uint32_t v[3])
{
    return v[0] | v[1] << shift | v[2] << 2 * shift;
}

static void ids(struct ref *r)
{
    const uint32_t *global = r->c->global, *local = r->c->local;
    uint32_t *out = ref_buffer(r, 0, 8 * r->items, 4);
    uint32_t groups[3];

    for (size_t d = 0; d < 3; d++)
        groups[d] = global[d] / local[d];
    for (uint64_t i = 0; out != NULL && i < r->items; i++) {
        uint32_t at[3] = {(uint32_t)(i % global[0]),
                          (uint32_t)(i / global[0] % global[1]),
                          (uint32_t)(i / global[0] / global[1])};
        uint32_t in_group[3], group[3];

        for (size_t d = 0; d < 3; d++) {
            in_group[d] = at[d] % local[d];
            group[d] = at[d] / local[d];
        }
        out[8 * i] = pack(8, in_group);
        out[8 * i + 1] = pack(8, group);
        out[8 * i + 2] = pack(10, at);
        out[8 * i + 3] = pack(8, local);
        out[8 * i + 4] = pack(8, groups);
        out[8 * i + 5] = pack(10, global);
        out[8 * i + 6] = r->c->dims;
        out[8 * i + 7] = (uint32_t)i;
    }
}

const struct reference check_integer_table[] = {
    {"int64", "lll4", 0, int64},
    {"div64", "lll", 0, div64},
    {"div32", "www", 0, div32},
    {"bits", "www", 0, bits},
    {"atomics32", "ww", 0, atomics32},
    {"atomics64", "ll", 0, atomics64},
    {"cas32", "ww", 0, cas32},
    {"ids", "w", 0, ids},
    {NULL, NULL, 0, NULL},
};
