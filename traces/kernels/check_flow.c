/* check_flow.c - references of diverge.cl, functions.cl and private.cl. */
#include <math.h>

#include "traces/kernels/check_ref.h"

/* ---- diverge.cl ---- */

static uint32_t divergent_step(uint32_t x, uint32_t lane, uint32_t turn)
{
    if ((x & 1) != 0)
        return (lane & 2) != 0 ? x * 3 + 1 : (x ^ (x >> 5)) * 9;
    if ((x & 6) != 4)
        return (x << 3 | x >> 29) ^ turn;
    x = (x >> 1) + lane;
    return (x & 8) != 0 ? x + 0x9e3779b9u : x;
}

static void divergent(struct ref *r)
{
    const uint32_t *in = ref_buffer(r, 0, r->items, 4);
    uint32_t *out = ref_buffer(r, 1, r->items, 4);

    for (uint64_t i = 0; out != NULL && i < r->items; i++) {
        uint32_t x = in[i];

        for (uint32_t turn = 0; turn < ref_u32(r, 2); turn++)
            x = divergent_step(x, (uint32_t)(i & 31), turn);
        out[i] = x;
    }
}

static void collatz(struct ref *r)
{
    const uint32_t *in = ref_buffer(r, 0, r->items, 4);
    uint32_t *out = ref_buffer(r, 1, r->items, 4);

    for (uint64_t i = 0; out != NULL && i < r->items; i++) {
        uint64_t x = in[i];
        uint32_t steps = 0;

        for (; x > 1 && steps < ref_u32(r, 2); steps++)
            x = (x & 1) != 0 ? 3 * x + 1 : x / 2;
        out[i] = steps;
    }
}

/* Iterations of one point; every operation rounds by itself. */
static uint32_t escape(float cx, float cy, uint32_t limit)
{
    float x = 0.0f, y = 0.0f;
    uint32_t i = 0;

    for (; i < limit; i++) {
        float xx = x * x, yy = y * y, sum = xx + yy;
        float product = x * y, twice = 2.0f * product, difference = xx - yy;

        if (sum > 4.0f)
            break;
        y = twice + cy;
        x = difference + cx;
    }
    return i;
}

static void mandelbrot(struct ref *r)
{
    uint32_t *out = ref_buffer(r, 0, r->items, 4);
    float left = ref_f32(r, 1), top = ref_f32(r, 2), step = ref_f32(r, 3);
    uint32_t width = r->c->global[0];

    for (uint64_t i = 0; out != NULL && i < r->items; i++) {
        float right = (float)(i % width) * step, down = (float)(i / width) * step;

        out[i] = escape(left + right, top - down, ref_u32(r, 4));
    }
}

/* One turn of `control`'s switch; sets *next where the kernel says `continue`. */
static uint32_t control_step(uint32_t x, uint32_t item, int *next)
{
    *next = 0;
    switch (x % 7) {
    case 0:
        return x + 0x1234567;
    case 1:
        *next = 1;
        return x ^ x << 13;
    case 2:
        return (x ^ x >> 17) * 5;
    case 3:
        return x * 5;
    case 4:
        for (uint32_t j = 0; j < 10; j++) {
            x = (x >> 3) + 11 * j;
            if ((x & 3) == 0)
                break;
        }
        return x;
    default:
        return ~x - item;
    }
}

static void control(struct ref *r)
{
    const uint32_t *in = ref_buffer(r, 0, r->items, 4);
    uint32_t *out = ref_buffer(r, 1, r->items, 4);

    for (uint64_t item = 0; out != NULL && item < r->items; item++) {
        uint32_t x = in[item];

        out[item] = 0xffffffffu;
        if ((x & 0xff) == 7)
            continue;
        for (uint32_t turn = 0; turn < ref_u32(r, 2); turn++) {
            int next;

            x = control_step(x, (uint32_t)item, &next);
            if (next != 0)
                continue;
            if (x < 1000)
                break;
            x += turn;
        }
        out[item] = x;
    }
}

/* ---- functions.cl ---- */

static uint32_t mix(uint32_t x, uint32_t rounds)
{
    for (uint32_t i = 0; i < rounds; i++) {
        x ^= x >> 15;
        x *= 0x2c1b3c6du;
        x ^= x >> 12;
    }
    return x;
}

static void call_noinline(struct ref *r)
{
    const uint32_t *in = ref_buffer(r, 0, r->items, 4);
    uint32_t *out = ref_buffer(r, 1, r->items, 4);

    for (uint64_t i = 0; out != NULL && i < r->items; i++) {
        uint32_t x = in[i];

        if ((x & 1) != 0)
            x = mix(x, x & 7) + 3;
        else if ((x & 2) != 0)
            x = mix(x >> 2, 5) ^ mix(x, 2);
        out[i] = mix(x, 1);
    }
}

/* Bit by bit, without the kernel's table. */
static void crc32(struct ref *r)
{
    uint64_t words = ref_u32(r, 2);
    const uint32_t *in = ref_buffer(r, 0, r->items * words, 4);
    uint32_t *out = ref_buffer(r, 1, r->items, 4);

    for (uint64_t i = 0; out != NULL && i < r->items; i++) {
        uint32_t crc = 0xffffffffu;

        for (uint64_t bit = 0; bit < 32 * words; bit++) {
            uint32_t low = (crc ^ in[i * words + bit / 32] >> bit % 32) & 1;

            crc = crc >> 1 ^ (low != 0 ? 0xedb88320u : 0);
        }
        out[i] = ~crc;
    }
}

static void generic_pointer(struct ref *r)
{
    const uint32_t *in = ref_buffer(r, 0, r->items, 4);
    uint32_t *out = ref_buffer(r, 1, r->items, 4);

    if (r->c->local[0] != 32)
        ref_reject(r, "the local size is not 32");
    for (uint64_t i = 0; r->status == IGPU_OK && i < r->items; i++) {
        uint32_t x = in[i];
        uint64_t neighbour = (i & ~(uint64_t)31) | ((i + 1) & 31);
        uint32_t value = (x & 3) == 0   ? x
                         : (x & 3) == 1 ? in[neighbour] * 3
                                        : x + (x >> 2 & 3);

        out[i] = value ^ 0x5a5a5a5a;
    }
}

static void spmv(struct ref *r)
{
    const uint32_t *row = ref_buffer(r, 0, r->items + 1, 4);
    uint64_t entries = ref_count(r, 1, 4), columns = ref_count(r, 3, 4);
    const uint32_t *column = ref_buffer(r, 1, 1, 4);
    const float *value = ref_buffer(r, 2, entries, sizeof(*value));
    const float *x = ref_buffer(r, 3, 1, sizeof(*x));
    float *y = ref_buffer(r, 4, r->items, sizeof(*y));

    for (uint64_t i = 0; y != NULL && i < r->items; i++) {
        float sum = 0.0f;

        for (uint64_t k = row[i]; k < row[i + 1]; k++) {
            if (k >= entries || column[k] >= columns) {
                ref_reject(r, "a row or column lies outside its buffer");
                return;
            }
            sum = fmaf(value[k], x[column[k]], sum);
        }
        y[i] = sum;
    }
}

/* ---- private.cl ---- */

static void private_small(struct ref *r)
{
    const uint32_t *in = ref_buffer(r, 0, r->items, 4);
    uint32_t *out = ref_buffer(r, 1, r->items, 4);

    for (uint64_t item = 0; out != NULL && item < r->items; item++) {
        uint32_t slot[64], x = in[item], sum = 0;

        for (uint32_t i = 0; i < 64; i++)
            slot[i] = x + i * 0x9e3779b9u;
        for (uint32_t i = 0; i < ref_u32(r, 2); i++) {
            uint32_t from = x & 63, to = x >> 6 & 63, swap = slot[from];

            slot[from] = slot[to] + i;
            slot[to] = swap;
            x = x * 1664525u + swap;
        }
        for (uint32_t i = 0; i < 64; i++)
            sum = sum * 31 + slot[i];
        out[item] = sum;
    }
}

static void private_large(struct ref *r)
{
    const uint32_t *in = ref_buffer(r, 0, r->items, 4);
    uint32_t *out = ref_buffer(r, 1, r->items, 4);

    for (uint64_t item = 0; out != NULL && item < r->items; item++) {
        uint32_t slot[512], x = in[item], sum = 0;

        for (uint32_t i = 0; i < 512; i++)
            slot[i] = x ^ (i * 0x85ebca6bu);
        for (uint32_t i = 0; i < ref_u32(r, 2); i++) {
            uint32_t at = x & 511;

            slot[at] += slot[x >> 9 & 511] + i;
            x = x * 22695477u + slot[at];
        }
        for (uint32_t i = 0; i < 512; i += 7)
            sum = sum * 31 + slot[i];
        out[item] = sum;
    }
}

const struct reference check_flow_table[] = {
    {"divergent", "ww4", 0, divergent},
    {"collatz", "ww4", 0, collatz},
    {"mandelbrot", "w4444", 0, mandelbrot},
    {"control", "ww4", 0, control},
    {"call_noinline", "ww", 0, call_noinline},
    {"crc32", "ww4", 0, crc32},
    {"generic_pointer", "ww", 0, generic_pointer},
    {"spmv", "wwfff", 0, spmv},
    {"private_small", "ww4", 0, private_small},
    {"private_large", "ww4", 0, private_large},
    {NULL, NULL, 0, NULL},
};
