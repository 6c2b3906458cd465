/* check_image.c - references of image.cl and signal.cl. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "traces/kernels/check_ref.h"

/* ---- image.cl ---- */

struct image {
    const uint8_t *in;
    uint8_t *out;
    int w, h;
};

static bool image_of(struct ref *r, struct image *im)
{
    im->in = ref_buffer(r, 0, r->items, 1);
    im->out = ref_buffer(r, 1, r->items, 1);
    im->w = (int)r->c->global[0];
    im->h = (int)r->c->global[1];
    return im->out != NULL && im->in != NULL;
}

static int limit(int value, int last)
{
    return value < 0 ? 0 : value > last ? last : value;
}

static int pixel(const struct image *im, int x, int y)
{
    return im->in[limit(y, im->h - 1) * im->w + limit(x, im->w - 1)];
}

static void sobel(struct ref *r)
{
    static const int weight[3] = {1, 2, 1};
    struct image im;

    if (!image_of(r, &im))
        return;
    for (int y = 0; y < im.h; y++)
        for (int x = 0; x < im.w; x++) {
            int h = 0, v = 0, sum;

            for (int k = -1; k <= 1; k++) {
                h += weight[k + 1] *
                     (pixel(&im, x + 1, y + k) - pixel(&im, x - 1, y + k));
                v += weight[k + 1] *
                     (pixel(&im, x + k, y + 1) - pixel(&im, x + k, y - 1));
            }
            sum = abs(h) + abs(v);
            im.out[y * im.w + x] = (uint8_t)(sum > 255 ? 255 : sum);
        }
}

static int by_value(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

static void median3(struct ref *r)
{
    struct image im;

    if (!image_of(r, &im))
        return;
    for (int y = 0; y < im.h; y++)
        for (int x = 0; x < im.w; x++) {
            int p[9];

            for (int i = 0; i < 9; i++)
                p[i] = pixel(&im, x + i % 3 - 1, y + i / 3 - 1);
            qsort(p, 9, sizeof(p[0]), by_value);
            im.out[y * im.w + x] = (uint8_t)p[4];
        }
}

static void gray(struct ref *r)
{
    const uint32_t *in = ref_buffer(r, 0, r->items, 4);
    uint8_t *out = ref_buffer(r, 1, r->items, 1);

    for (uint64_t i = 0; out != NULL && i < r->items; i++) {
        uint32_t red = in[i] & 255, green = in[i] >> 8 & 255, blue = in[i] >> 16 & 255;

        out[i] = (uint8_t)((red * 77 + green * 150 + blue * 29) >> 8);
    }
}

static void conv5(struct ref *r)
{
    static const float line[5] = {1, 4, 6, 4, 1};
    int w = (int)r->c->global[0], h = (int)r->c->global[1];
    const float *in = ref_buffer(r, 0, r->items, sizeof(*in));
    float *out = ref_buffer(r, 1, r->items, sizeof(*out));

    for (int i = 0; out != NULL && i < w * h; i++) {
        float sum = 0.0f;

        for (int k = 0; k < 25; k++) {
            int x = limit(i % w + k % 5 - 2, w - 1),
                y = limit(i / w + k / 5 - 2, h - 1);

            sum = fmaf(in[y * w + x], line[k / 5] * line[k % 5], sum);
        }
        out[i] = sum * (1.0f / 256);
    }
}

/* Two decimals of cos(u (2 k + 1) pi / 16), as in the kernel's table. */
static float dct_factor(unsigned u, unsigned k)
{
    double exact = cos(u * (2 * k + 1) * 3.14159265358979 / 16);

    return (float)(round(exact * 100) / 100);
}

static void dct8(struct ref *r)
{
    const float *in = ref_buffer(r, 0, r->items, sizeof(*in));
    float *out = ref_buffer(r, 1, r->items, sizeof(*out));

    for (uint64_t i = 0; out != NULL && i < r->items; i++) {
        float sum = 0.0f;

        for (unsigned k = 0; k < 8; k++)
            sum = fmaf(in[(i & ~UINT64_C(7)) + k], dct_factor(i & 7, k), sum);
        out[i] = sum;
    }
}

static void life(struct ref *r)
{
    struct image im;

    if (!image_of(r, &im))
        return;
    for (int y = 0; y < im.h; y++)
        for (int x = 0; x < im.w; x++) {
            int n = 0, own = im.in[y * im.w + x] & 1;

            for (int k = 0; k < 9; k++)
                if (k != 4)
                    n += im.in[(y + k / 3 + im.h - 1) % im.h * im.w +
                               (x + k % 3 + im.w - 1) % im.w] &
                         1;
            im.out[y * im.w + x] = n == 3 || (n == 2 && own);
        }
}

/* Four pixels an item: the picture is four times as wide as the range. */
static void dilate(struct ref *r)
{
    struct image im = {ref_buffer(r, 0, 4 * r->items, 1),
                       ref_buffer(r, 1, 4 * r->items, 1), 4 * (int)r->c->global[0],
                       (int)r->c->global[1]};

    if (ref_u32(r, 2) != (uint32_t)im.w)
        ref_reject(r, "a width of four times the range");
    for (int i = 0; r->status == IGPU_OK && i < im.w * im.h; i++) {
        int most = 0;

        for (int k = 0; k < 9; k++) {
            int p = pixel(&im, i % im.w + k % 3 - 1, i / im.w + k / 3 - 1);

            most = p > most ? p : most;
        }
        im.out[i] = (uint8_t)most;
    }
}

/* ---- signal.cl ---- */

static void fft_stage(struct ref *r)
{
    uint64_t n = ref_u32(r, 3), half = ref_u32(r, 4);
    const float *in = ref_buffer(r, 0, 2 * n, sizeof(*in));
    float *out = ref_buffer(r, 1, 2 * n, sizeof(*out));
    const float *w = ref_buffer(r, 2, n, sizeof(*w));

    if (n != 2 * r->items || half == 0 || half > r->items || r->items % half != 0)
        ref_reject(r, "n = twice the items, a half size that divides them");
    for (uint64_t from = 0; r->status == IGPU_OK && from < n; from += 2 * half)
        for (uint64_t k = 0; k < half; k++) {
            uint64_t a = 2 * (from + k), b = a + 2 * half, t = 2 * k * (n / 2 / half);
            float x = fmaf(in[b], w[t], -(in[b + 1] * w[t + 1]));
            float y = fmaf(in[b], w[t + 1], in[b + 1] * w[t]);

            out[a] = in[a] + x;
            out[a + 1] = in[a + 1] + y;
            out[b] = in[a] - x;
            out[b + 1] = in[a + 1] - y;
        }
}

static void fir(struct ref *r)
{
    uint64_t taps = ref_u32(r, 3);
    const float *in = ref_buffer(r, 0, r->items + taps, sizeof(*in));
    const float *c = ref_buffer(r, 1, taps, sizeof(*c));
    float *out = ref_buffer(r, 2, r->items, sizeof(*out));

    for (uint64_t i = 0; out != NULL && i < r->items; i++) {
        out[i] = 0.0f;
        for (uint64_t k = 0; k < taps; k++)
            out[i] = fmaf(in[i + k], c[k], out[i]);
    }
}

static void haar(struct ref *r)
{
    const float *in = ref_buffer(r, 0, 2 * r->items, sizeof(*in));
    float *out = ref_buffer(r, 1, 2 * r->items, sizeof(*out));

    for (uint64_t i = 0; out != NULL && i < r->items; i++) {
        out[i] = (in[2 * i] + in[2 * i + 1]) * 0.5f;
        out[r->items + i] = (in[2 * i] - in[2 * i + 1]) * 0.5f;
    }
}

static void nbody(struct ref *r)
{
    uint64_t n = ref_u32(r, 2);
    const float *body = ref_buffer(r, 0, 4 * n, sizeof(*body));
    float *out = ref_buffer(r, 1, 4 * n, sizeof(*out));

    for (uint64_t i = 0; out != NULL && i < n; i++) {
        double force[3] = {0, 0, 0};

        for (uint64_t k = 0; k < n; k++) {
            double d[3], square = 0.01;

            for (uint64_t j = 0; j < 3; j++) {
                d[j] = (double)body[4 * k + j] - (double)body[4 * i + j];
                square += d[j] * d[j];
            }
            for (uint64_t j = 0; j < 3; j++)
                force[j] += d[j] * (double)body[4 * k + 3] / (square * sqrt(square));
        }
        for (uint64_t j = 0; j < 3; j++)
            out[4 * i + j] = (float)force[j];
        out[4 * i + 3] = body[4 * i + 3];
    }
}

static void lbm_collide(struct ref *r)
{
    uint64_t n = ref_u32(r, 2);
    float omega = ref_f32(r, 3);
    const float *in = ref_buffer(r, 0, 9 * n, sizeof(*in));
    float *out = ref_buffer(r, 1, 9 * n, sizeof(*out));

    for (uint64_t i = 0; out != NULL && i < n; i++) {
        float rho = 0.0f;

        for (uint64_t d = 0; d < 9; d++)
            rho += in[d * n + i];
        for (uint64_t d = 0; d < 9; d++) {
            float share = d == 0 ? 4.0f / 9 : d < 5 ? 1.0f / 9 : 1.0f / 36;
            float own = in[d * n + i];

            out[d * n + i] = fmaf(omega, fmaf(share, rho, -own), own);
        }
    }
}

const struct reference check_image_table[] = {
    {"sobel", "bb", 0, sobel},    {"median3", "bb", 0, median3},
    {"gray", "wb", 0, gray},      {"conv5", "ff", 0, conv5},
    {"dct8", "ff", 0, dct8},      {"life", "bb", 0, life},
    {"dilate", "bb4", 0, dilate}, {"fft_stage", "fff44", 0, fft_stage},
    {"fir", "fff4", 0, fir},      {"haar", "ff4", 0, haar},
    {"nbody", "ff4", 0, nbody},   {"lbm_collide", "ff44", 0, lbm_collide},
    {NULL, NULL, 0, NULL},
};
