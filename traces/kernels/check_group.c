/* check_group.c - references of reduce.cl, matmul.cl, stencil.cl, histogram.cl
 * and subgroup.cl. Sums of floating-point numbers follow the kernel's order. */
#include <math.h>
#include <stdlib.h>

#include "traces/kernels/check_ref.h"

/* Items a group; rejects what the kernels of reduce.cl cannot do. */
static uint64_t group_items(struct ref *r, uint64_t slm_bytes_each)
{
    uint64_t local = r->c->local[0];

    if (r->c->dims != 1 || (local & (local - 1)) != 0 ||
        r->c->args[2].bytes < local * slm_bytes_each)
        ref_reject(r, "one dimension, a power of two of items and enough local memory");
    return local;
}

static void reduce_u32(struct ref *r)
{
    uint64_t local = group_items(r, 4);
    const uint32_t *in = ref_buffer(r, 0, r->items, 4);
    uint32_t *out = ref_buffer(r, 1, r->items / local, 4);

    if (out == NULL)
        return;
    for (uint64_t group = 0; group < r->items / local; group++) {
        out[group] = 0;
        for (uint64_t i = 0; i < local; i++)
            out[group] += in[group * local + i];
    }
}

static void reduce_f32(struct ref *r)
{
    uint64_t local = group_items(r, 4);
    const float *in = ref_buffer(r, 0, r->items, sizeof(*in));
    float *out = ref_buffer(r, 1, r->items / local, sizeof(*out));
    float *part = malloc(local * sizeof(*part));

    if (part == NULL)
        ref_reject(r, "no memory");
    for (uint64_t group = 0;
         r->status == IGPU_OK && out != NULL && group < r->items / local; group++) {
        for (uint64_t i = 0; i < local; i++)
            part[i] = in[group * local + i];
        for (uint64_t half = local / 2; half > 0; half /= 2) {
            for (uint64_t i = 0; i < half; i++)
                part[i] = part[i] + part[i + half];
        }
        out[group] = part[0];
    }
    free(part);
}

static void scan_u32(struct ref *r)
{
    uint64_t local = group_items(r, 8);
    const uint32_t *in = ref_buffer(r, 0, r->items, 4);
    uint32_t *out = ref_buffer(r, 1, r->items, 4);
    uint32_t sum = 0;

    for (uint64_t i = 0; out != NULL && i < r->items; i++) {
        sum = (i % local == 0 ? 0 : sum) + in[i];
        out[i] = sum;
    }
}

static int ascending(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

static void sort_u32(struct ref *r)
{
    uint64_t local = group_items(r, 4);
    const uint32_t *in = ref_buffer(r, 0, r->items, 4);
    uint32_t *out = ref_buffer(r, 1, r->items, 4);

    if (out == NULL)
        return;
    for (uint64_t i = 0; i < r->items; i++)
        out[i] = in[i];
    for (uint64_t from = 0; from < r->items; from += local)
        qsort(out + from, local, sizeof(*out), ascending);
}

static void ping_pong(struct ref *r)
{
    uint64_t local = group_items(r, 8);
    const uint32_t *in = ref_buffer(r, 0, r->items, 4);
    uint32_t *out = ref_buffer(r, 1, r->items, 4);

    if (out == NULL)
        return;
    for (uint64_t i = 0; i < r->items; i++)
        out[i] = in[i];
    for (uint32_t turn = 0; turn < ref_u32(r, 3); turn++) {
        for (uint64_t from = 0; from < r->items; from += local) {
            uint32_t first = out[from];

            for (uint64_t i = 0; i < local; i++) {
                uint32_t next = i + 1 < local ? out[from + i + 1] : first;

                out[from + i] = next * 7 + out[from + i];
            }
        }
    }
}

/* ---- matmul.cl ---- */

static void matmul(struct ref *r)
{
    uint64_t n = ref_u32(r, 3);
    const float *a = ref_buffer(r, 0, n * n, sizeof(*a));
    const float *b = ref_buffer(r, 1, n * n, sizeof(*b));
    float *c = ref_buffer(r, 2, n * n, sizeof(*c));

    if (r->c->global[0] != n || r->c->global[1] != n)
        ref_reject(r, "the global size is not n x n");
    if (c == NULL || r->status != IGPU_OK)
        return;
    for (uint64_t y = 0; y < n; y++) {
        for (uint64_t x = 0; x < n; x++) {
            float sum = 0.0f;

            for (uint64_t k = 0; k < n; k++)
                sum = fmaf(a[y * n + k], b[k * n + x], sum);
            c[y * n + x] = sum;
        }
    }
}

/* ---- stencil.cl ---- */

static void stencil(struct ref *r)
{
    uint64_t width = r->c->global[0], height = r->c->global[1];
    const float *in = ref_buffer(r, 0, width * height, sizeof(*in));
    float *out = ref_buffer(r, 1, width * height, sizeof(*out));

    if (out == NULL)
        return;
    for (uint64_t at = 0; at < width * height; at++) {
        uint64_t x = at % width, y = at / width;
        float around, centre;

        out[at] = in[at];
        if (x == 0 || y == 0 || x == width - 1 || y == height - 1)
            continue;
        around = (in[at - width] + in[at + width]) + (in[at - 1] + in[at + 1]);
        centre = 0.2f * in[at];
        out[at] = fmaf(0.2f, around, centre);
    }
}

/* ---- histogram.cl ---- */

static void histogram(struct ref *r)
{
    uint64_t words = r->items * ref_u32(r, 2);
    const uint32_t *in = ref_buffer(r, 0, words, 4);
    uint32_t *out = ref_buffer(r, 1, 256, 4);

    for (uint64_t i = 0; out != NULL && i < words; i++)
        out[in[i] >> 24]++;
}

/* ---- subgroup.cl ---- */

static void subgroup(struct ref *r)
{
    uint64_t width = r->simd;
    const uint32_t *in = ref_buffer(r, 0, r->items, 4);
    uint32_t *out = ref_buffer(r, 1, 6 * r->items, 4);

    if (r->c->local[0] % width != 0)
        ref_reject(r, "the local size is not a multiple of the SIMD width");
    for (uint64_t from = 0; r->status == IGPU_OK && from < r->items; from += width) {
        const uint32_t *x = in + from;
        uint32_t sum = 0, most = 0, before = 0;

        for (uint64_t i = 0; i < width; i++) {
            sum += x[i];
            most = x[i] > most ? x[i] : most;
        }
        for (uint64_t i = 0; i < width; i++) {
            uint32_t *to = out + 6 * (from + i);

            to[0] = sum;
            to[1] = before;
            to[2] = most;
            to[3] = x[3];
            to[4] = x[(x[i] >> 5) & (width - 1)];
            to[5] = x[i ^ 1] + (uint32_t)i;
            before += x[i];
        }
    }
}

const struct reference check_group_table[] = {
    {"reduce_u32", "wwL", 0, reduce_u32}, {"reduce_f32", "ffL", 0, reduce_f32},
    {"scan_u32", "wwL", 0, scan_u32},     {"sort_u32", "wwL", 0, sort_u32},
    {"ping_pong", "wwL4", 0, ping_pong},  {"matmul", "fff4", 0, matmul},
    {"stencil", "ff", 0, stencil},        {"histogram", "ww4", 0, histogram},
    {"subgroup", "ww", 0, subgroup},      {NULL, NULL, 0, NULL},
};
