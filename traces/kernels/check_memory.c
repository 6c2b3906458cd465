/* check_memory.c - references of chase.cl, stream.cl, slm.cl, vectors.cl and
 * blocks.cl. */
#include <math.h>

#include "traces/kernels/check_ref.h"

/* ---- chase.cl ---- */

enum { CHASE_BYTES, CHASE_N, CHASE_INDEX };

static void chase32(struct ref *r)
{
    uint64_t words = ref_count(r, 0, 4);
    const uint32_t *line = ref_buffer(r, 0, 1, 4);
    uint32_t *out = ref_buffer(r, 1, r->items, 4);
    uint64_t unit = r->variant == CHASE_INDEX ? 4 : 1;
    uint64_t steps = ref_u32(r, 3) * (uint64_t)(r->variant == CHASE_INDEX ? 16 : 1);

    if (out == NULL)
        return;
    for (uint64_t i = 0; i < r->items; i++) {
        uint64_t at = ref_u32(r, 2);

        if (r->variant == CHASE_N)
            at = i * at;
        for (uint64_t s = 0; s < steps; s++) {
            if (at * unit / 4 >= words) {
                ref_reject(r, "the chase leaves its buffer");
                return;
            }
            at = line[at * unit / 4];
        }
        out[r->variant == CHASE_N ? i : 0] = (uint32_t)at;
    }
}

static void chase64(struct ref *r)
{
    uint64_t words = ref_count(r, 0, 8);
    const uint64_t *line = ref_buffer(r, 0, 1, 8);
    uint64_t *out = ref_buffer(r, 1, 1, 8);
    uint64_t at = ref_u64(r, 2);

    for (uint32_t s = 0; out != NULL && s < ref_u32(r, 3); s++) {
        if (at / 8 >= words) {
            ref_reject(r, "the chase leaves its buffer");
            return;
        }
        at = line[at / 8];
    }
    if (out != NULL)
        out[0] = at;
}

/* ---- stream.cl ---- */

enum { STREAM_COPY, STREAM_SCALE, STREAM_ADD, STREAM_TRIAD };

static float streamed(int variant, float a, float b, float factor)
{
    switch (variant) {
    case STREAM_SCALE:
        return factor * a;
    case STREAM_ADD:
        return a + b;
    case STREAM_TRIAD:
        return fmaf(factor, b, a);
    default:
        return a;
    }
}

static void stream(struct ref *r)
{
    int two = r->variant == STREAM_ADD || r->variant == STREAM_TRIAD;
    int scaled = r->variant == STREAM_SCALE || r->variant == STREAM_TRIAD;
    size_t to = two ? 2 : 1;
    uint64_t n = r->items * (uint64_t)case_param(r->c, "elements", 1);
    const float *a = ref_buffer(r, 0, n, sizeof(*a));
    const float *b = ref_buffer(r, two ? 1 : 0, n, sizeof(*b));
    float *out = ref_buffer(r, to, n, sizeof(*out));
    float factor = scaled ? ref_f32(r, to + 1) : 1.0f;

    if (out == NULL)
        return;
    for (uint64_t i = 0; i < n; i++)
        out[i] = streamed(r->variant, a[i], b[i], factor);
}

static void strided(struct ref *r)
{
    uint64_t words = ref_u32(r, 2), stride = ref_u32(r, 3);
    const uint32_t *in = ref_buffer(r, 0, r->items * words, 4);
    uint32_t *out = ref_buffer(r, 1, r->items, 4);

    if (stride == 0 || r->items % stride != 0)
        ref_reject(r, "the stride does not divide the work-items");
    if (out == NULL || r->status != IGPU_OK)
        return;
    for (uint64_t item = 0; item < r->items; item++) {
        uint64_t at = item / stride * stride * words + item % stride;
        uint32_t sum = 0;

        for (uint64_t i = 0; i < words; i++)
            sum = sum * 3 + in[at + i * stride];
        out[item] = sum;
    }
}

static void l3_stream(struct ref *r)
{
    uint64_t loads = ref_u32(r, 2), mask = ref_u32(r, 3);
    const uint32_t *in = ref_buffer(r, 0, 4 * (mask + 1), 4);
    uint32_t *out = ref_buffer(r, 1, 4 * r->items, 4);

    if (out == NULL)
        return;
    for (uint64_t k = 0; k < 4 * r->items; k++) {
        uint32_t sum = 0;

        for (uint64_t i = 0; i < loads; i++)
            sum = sum * 3 + in[4 * ((k / 4 + i * r->items) & mask) + k % 4];
        out[k] = sum;
    }
}

/* ---- bandwidth.cl ---- */

/* Vectors of `v` words. */
static void sweep(struct ref *r)
{
    uint64_t loads = ref_u32(r, 2), mask = ref_u32(r, 3);
    uint64_t v = (uint64_t)case_param(r->c, "v", 1);
    const uint32_t *in;
    uint32_t *out;

    in = ref_buffer(r, 0, v * (mask + 1), 4);
    out = ref_buffer(r, 1, v * r->items, 4);
    for (uint64_t k = 0; in != NULL && out != NULL && k < v * r->items; k++) {
        out[k] = 0;
        for (uint64_t i = 0; i < loads; i++)
            out[k] += in[v * ((k / v + i * r->items) & mask) + k % v];
    }
}

/* Vectors of four words. */
static void circulate(struct ref *r)
{
    uint64_t loads = ref_u32(r, 2), count = ref_u32(r, 3);
    const uint32_t *in = ref_buffer(r, 0, 4 * count, 4);
    uint32_t *out = ref_buffer(r, 1, 4 * r->items, 4);

    for (uint64_t k = 0; in != NULL && out != NULL && k < 4 * r->items; k++) {
        out[k] = 0;
        for (uint64_t i = 0; i < loads; i++)
            out[k] += in[4 * ((k / 4 + i * r->items) % count) + k % 4];
    }
}

/* The table holds each vector's number in all its words. */
static void sweep_slm(struct ref *r)
{
    enum { WORDS = 1024 };
    uint64_t loads = ref_u32(r, 1), v = (uint64_t)case_param(r->c, "v", 1);
    uint32_t *out;

    out = ref_buffer(r, 0, v * r->items, 4);
    for (uint64_t k = 0; out != NULL && k < v * r->items; k++) {
        uint64_t local = r->c->local[0], lid = k / v % local;

        out[k] = 0;
        for (uint64_t i = 0; i < loads; i++)
            out[k] += (uint32_t)((lid + i * local) % (WORDS / v));
    }
}

static void coalesce(struct ref *r)
{
    uint64_t words = ref_u32(r, 2), shift = ref_u32(r, 3);
    const uint32_t *in = ref_buffer(r, 0, (words * r->items) << shift, 4);
    uint32_t *out = ref_buffer(r, 1, r->items, 4);

    for (uint64_t k = 0; in != NULL && out != NULL && k < r->items; k++) {
        out[k] = 0;
        for (uint64_t i = 0; i < words; i++)
            out[k] += in[(k + i * r->items) << shift];
    }
}

/* ---- slm.cl ---- */

static void slm_stream(struct ref *r)
{
    enum { WORDS = 4096 };
    uint32_t reads = ref_u32(r, 1), stride = ref_u32(r, 2);
    uint32_t *out = ref_buffer(r, 0, r->items, 4);

    if (out == NULL)
        return;
    for (uint64_t item = 0; item < r->items; item++) {
        uint32_t lid = (uint32_t)(item % r->c->local[0]);
        uint32_t sum = 0;

        for (uint32_t i = 0; i < reads; i++)
            sum = sum * 5 + 2654435761u * ((lid * stride + i) & (WORDS - 1));
        out[item] = sum;
    }
}

/* Each of the 8 rows of a group moves four rows of its 32 x 32 tile. */
static void slm_transpose(struct ref *r)
{
    uint64_t width = r->c->global[0], height = 4 * (uint64_t)r->c->global[1];
    const uint32_t *in = ref_buffer(r, 0, width * height, 4);
    uint32_t *out = ref_buffer(r, 1, width * height, 4);

    if (ref_u32(r, 2) != width || r->c->local[0] != 32 || r->c->local[1] != 8)
        ref_reject(r, "the third argument is the global width, the local size 32 x 8");
    if (out == NULL || r->status != IGPU_OK)
        return;
    for (uint64_t y = 0; y < height; y++) {
        for (uint64_t x = 0; x < width; x++)
            out[x * height + y] = in[y * width + x];
    }
}

static void slm_atomics(struct ref *r)
{
    uint64_t local = r->c->local[0];
    const uint32_t *in = ref_buffer(r, 0, r->items, 4);
    uint32_t *out = ref_buffer(r, 1, r->items / local * 4, 4);

    if (out == NULL)
        return;
    for (uint64_t group = 0; group < r->items / local; group++) {
        uint32_t cell[4] = {0, 0, 0, 0};

        for (uint64_t i = group * local; i < (group + 1) * local; i++) {
            cell[0] += in[i] & 1;
            cell[1] = in[i] > cell[1] ? in[i] : cell[1];
            cell[2] |= (in[i] & 31) == 5 ? 1u << (in[i] >> 27) : 0;
            cell[3] += in[i] >> 7;
        }
        for (uint64_t i = 0; i < 4; i++)
            out[group * 4 + i] = cell[i];
    }
}

/* ---- vectors.cl ---- */

static void vector_io(struct ref *r)
{
    const uint32_t *in = ref_buffer(r, 0, 33 * r->items, 4);
    uint32_t *out = ref_buffer(r, 1, 33 * r->items, 4);

    if (out == NULL)
        return;
    for (uint64_t i = 0; i < r->items; i++) {
        const uint32_t *a = in + 33 * i, *b = a + 2, *c = a + 5, *d = a + 9;
        const uint32_t *e = a + 17;
        uint32_t *to = out + 33 * i;

        to[0] = a[1] + c[3];
        to[1] = a[0] + c[2];
        to[2] = b[2] * 3;
        to[3] = b[0] * 3;
        to[4] = b[1] * 3;
        for (size_t k = 0; k < 4; k++)
            to[5 + k] = c[3 - k] ^ d[k];
        for (size_t k = 0; k < 8; k++)
            to[9 + k] = d[7 - k] + e[2 * k];
        for (size_t k = 0; k < 16; k++)
            to[17 + k] = (e[k] << 1) + (k < 8 ? d[k] : k < 12 ? d[k - 4] : c[k - 12]);
    }
}

static void bytes_io(struct ref *r)
{
    const uint8_t *in = ref_buffer(r, 0, 21 * r->items, 1);
    uint8_t *out = ref_buffer(r, 1, 21 * r->items, 1);

    if (out == NULL)
        return;
    for (uint64_t i = 0; i < r->items; i++) {
        const uint8_t *a = in + 21 * i, *b = a + 3, *c = a + 5;
        uint8_t *to = out + 21 * i;

        for (size_t k = 0; k < 3; k++)
            to[k] = (uint8_t)(a[2 - k] + k + 1);
        to[3] = b[1] ^ c[3];
        to[4] = b[0] ^ c[15];
        for (size_t k = 0; k < 16; k++)
            to[5 + k] = (uint8_t)(c[2 * (k % 8) + 1] + c[k]);
    }
}

/* ---- blocks.cl ---- */

static void blocks(struct ref *r)
{
    uint64_t width = r->simd;
    const uint32_t *in = ref_buffer(r, 0, 2 * r->items, 4);
    uint32_t *out = ref_buffer(r, 1, 2 * r->items, 4);

    if (r->c->local[0] % width != 0)
        ref_reject(r, "the local size is not a multiple of the SIMD width");
    if (out == NULL || r->status != IGPU_OK)
        return;
    for (uint64_t i = 0; i < r->items; i++) {
        uint64_t low = i / width * 2 * width + i % width;

        out[low] = in[low + width] * 3 + 1;
        out[low + width] = in[low] * 3 + 2;
    }
}

const struct reference check_memory_table[] = {
    {"chase", "ww44", CHASE_BYTES, chase32},
    {"chase_n", "ww44", CHASE_N, chase32},
    {"chase_index", "ww44", CHASE_INDEX, chase32},
    {"chase64", "ll84", 0, chase64},
    {"copy", "ff", STREAM_COPY, stream},
    {"scale", "ff4", STREAM_SCALE, stream},
    {"add", "fff", STREAM_ADD, stream},
    {"triad", "fff4", STREAM_TRIAD, stream},
    {"strided", "ww44", 0, strided},
    {"l3_stream", "ww44", 0, l3_stream},
    {"sweep", "ww44", 0, sweep},
    {"circulate", "ww44", 0, circulate},
    {"sweep_slm", "w4", 0, sweep_slm},
    {"coalesce", "ww44", 0, coalesce},
    {"slm_stream", "w44", 0, slm_stream},
    {"slm_transpose", "ww4", 0, slm_transpose},
    {"slm_atomics", "ww", 0, slm_atomics},
    {"vector_io", "ww", 0, vector_io},
    {"bytes_io", "bb", 0, bytes_io},
    {"blocks", "ww", 0, blocks},
    {NULL, NULL, 0, NULL},
};
