/* check_math.c - references of extmath.cl and convert.cl. Single-precision
 * functions are computed in double precision and rounded once. */
#include <math.h>
#include <string.h>

#include "igpu/order.h"
#include "traces/kernels/check_ref.h"
#include "traces/program/half.h"

static void ext_native(struct ref *r)
{
    uint64_t n = r->items;
    const float *a = ref_buffer(r, 0, n, sizeof(*a));
    const float *b = ref_buffer(r, 1, n, sizeof(*b));
    float *out = ref_buffer(r, 2, 7 * n, sizeof(*out));

    if (out == NULL)
        return;
    for (uint64_t i = 0; i < n; i++) {
        double x = (double)a[i], y = (double)b[i];

        out[i] = (float)exp2(x);
        out[i + n] = (float)log2(x);
        out[i + 2 * n] = (float)sqrt(x);
        out[i + 3 * n] = (float)(1.0 / sqrt(x));
        out[i + 4 * n] = (float)(1.0 / x);
        out[i + 5 * n] = (float)(x / y);
        out[i + 6 * n] = (float)pow(x, y);
    }
}

static void ext_trig(struct ref *r)
{
    uint64_t n = r->items;
    const float *a = ref_buffer(r, 0, n, sizeof(*a));
    float *out = ref_buffer(r, 1, 2 * n, sizeof(*out));

    if (out == NULL)
        return;
    for (uint64_t i = 0; i < n; i++) {
        out[i] = (float)sin((double)a[i]);
        out[i + n] = (float)cos((double)a[i]);
    }
}

static void ext_precise(struct ref *r)
{
    uint64_t n = r->items;
    const float *a = ref_buffer(r, 0, n, sizeof(*a));
    const float *b = ref_buffer(r, 1, n, sizeof(*b));
    float *out = ref_buffer(r, 2, 10 * n, sizeof(*out));

    if (out == NULL)
        return;
    for (uint64_t i = 0; i < n; i++) {
        double x = (double)a[i], y = (double)b[i];

        out[i] = (float)exp(x);
        out[i + n] = (float)log(x);
        out[i + 2 * n] = (float)sqrt(x);
        out[i + 3 * n] = (float)(1.0 / sqrt(x));
        out[i + 4 * n] = (float)sin(x);
        out[i + 5 * n] = (float)cos(y);
        out[i + 6 * n] = (float)(x / y);
        out[i + 7 * n] = (float)pow(x, y);
        out[i + 8 * n] = (float)tanh(y);
        out[i + 9 * n] = (float)cbrt(x);
    }
}

static void ext_double(struct ref *r)
{
    uint64_t n = r->items;
    const double *a = ref_buffer(r, 0, n, sizeof(*a));
    const double *b = ref_buffer(r, 1, n, sizeof(*b));
    double *out = ref_buffer(r, 2, 4 * n, sizeof(*out));

    if (out == NULL)
        return;
    for (uint64_t i = 0; i < n; i++) {
        out[i] = a[i] / b[i];
        out[i + n] = sqrt(a[i]);
        out[i + 2 * n] = 1.0 / sqrt(b[i]);
        out[i + 3 * n] = 1.0 / a[i];
    }
}

/* ---- convert.cl ---- */

/* A whole number, clamped before the conversion that would overflow. */
static int64_t whole(double value, int64_t least, int64_t most)
{
    if (value <= (double)least)
        return least;
    return value >= (double)most ? most : (int64_t)value;
}

static void convert_int(struct ref *r)
{
    uint64_t n = r->items;
    const int32_t *in = ref_buffer(r, 0, n, 4);
    int8_t *o8 = ref_buffer(r, 1, 4 * n, 1);
    int16_t *o16 = ref_buffer(r, 2, 4 * n, 2);
    int32_t *o32 = ref_buffer(r, 3, 4 * n, 4);
    uint64_t *o64 = ref_buffer(r, 4, 2 * n, 8);

    if (o64 == NULL)
        return;
    for (uint64_t i = 0; i < n; i++) {
        int32_t x = in[i];
        int8_t c = (int8_t)x;
        uint8_t uc = (uint8_t)(x >> 8);
        int16_t s = (int16_t)(x >> 4);
        uint16_t us = (uint16_t)(x >> 12);
        uint64_t wide = (uint64_t)((int64_t)x * us);

        o8[4 * i] = (int8_t)igpu_clamp(x >> 20, INT8_MIN, INT8_MAX);
        o8[4 * i + 1] = (int8_t)igpu_clamp(s, 0, UINT8_MAX);
        o8[4 * i + 2] = (int8_t)(c + uc);
        o8[4 * i + 3] = (int8_t)(us >> 3);
        o16[4 * i] = (int16_t)igpu_clamp(x >> 10, INT16_MIN, INT16_MAX);
        o16[4 * i + 1] = (int16_t)igpu_clamp(x >> 9, 0, UINT16_MAX);
        o16[4 * i + 2] = (int16_t)(c * uc);
        o16[4 * i + 3] = (int16_t)(s - us);
        o32[4 * i] = c;
        o32[4 * i + 1] = uc * us;
        o32[4 * i + 2] = (int32_t)igpu_clamp((int64_t)x * s, INT32_MIN, INT32_MAX);
        o32[4 * i + 3] = (int32_t)igpu_clamp((int64_t)x * c, 0, UINT32_MAX);
        o64[2 * i] = wide + (uint64_t)(int64_t)c;
        o64[2 * i + 1] = (uint64_t)(uint32_t)x << (uc & 31);
    }
}

static void convert_float(struct ref *r)
{
    uint64_t n = r->items;
    const float *in = ref_buffer(r, 0, n, sizeof(*in));
    int32_t *o32 = ref_buffer(r, 1, 8 * n, 4);
    float *of = ref_buffer(r, 2, 4 * n, sizeof(*of));
    double *od = ref_buffer(r, 3, 3 * n, sizeof(*od));

    if (od == NULL)
        return;
    for (uint64_t i = 0; i < n; i++) {
        float x = in[i], half_x = x * 0.5f, quarter_x = x * 0.25f;
        double xd = (double)x, d = xd * 3.0;
        int32_t bits;

        memcpy(&bits, &x, sizeof(bits));
        o32[8 * i] = (int32_t)whole(rint(xd), INT32_MIN, INT32_MAX);
        o32[8 * i + 1] = (int32_t)whole(trunc(xd), INT32_MIN, INT32_MAX);
        o32[8 * i + 2] = (int32_t)whole(ceil(xd), INT32_MIN, INT32_MAX);
        o32[8 * i + 3] = (int32_t)whole(floor(xd), INT32_MIN, INT32_MAX);
        o32[8 * i + 4] = (int32_t)whole(trunc(xd), INT8_MIN, INT8_MAX);
        o32[8 * i + 5] = (int32_t)whole(rint(xd), 0, UINT16_MAX);
        o32[8 * i + 6] = (int32_t)whole((double)(x * 1e6f), 0, UINT32_MAX);
        o32[8 * i + 7] = (int32_t)(int64_t)(x * 64.0f);
        of[4 * i] = (float)bits;
        of[4 * i + 1] = (float)(uint32_t)bits;
        of[4 * i + 2] = floorf(x) + ceilf(half_x);
        of[4 * i + 3] = rintf(x) - truncf(quarter_x);
        od[3 * i] = d;
        od[3 * i + 1] = (double)bits + (double)whole(trunc(d), 0, UINT32_MAX);
        od[3 * i + 2] = (double)(float)(d + 0.1);
        od[3 * i + 2] += (double)whole(floor(d), INT32_MIN, INT32_MAX);
    }
}

/* Towards zero: a nearest value of larger magnitude steps back by one pattern. */
static uint16_t half_towards_zero(double value)
{
    uint16_t nearest = half_from_double(value);

    return fabs(half_to_double(nearest)) > fabs(value) ? (uint16_t)(nearest - 1)
                                                       : nearest;
}

static void convert_half(struct ref *r)
{
    uint64_t n = r->items;
    const float *in = ref_buffer(r, 0, n, sizeof(*in));
    uint16_t *oh = ref_buffer(r, 1, 4 * n, sizeof(*oh));
    float *of = ref_buffer(r, 2, 2 * n, sizeof(*of));
    int32_t *o32 = ref_buffer(r, 3, 2 * n, 4);

    if (o32 == NULL)
        return;
    for (uint64_t i = 0; i < n; i++) {
        float x = in[i], small = x * 0.001f;
        uint16_t nearest = half_from_double((double)x);
        double h = half_to_double(nearest);
        int32_t bits;

        memcpy(&bits, &x, sizeof(bits));
        oh[4 * i] = nearest;
        oh[4 * i + 1] = half_from_double((int16_t)bits);
        oh[4 * i + 2] = half_towards_zero((double)x);
        oh[4 * i + 3] = half_from_double((int8_t)bits);
        of[2 * i] = (float)h;
        of[2 * i + 1] = (float)half_to_double(half_from_double((double)small));
        o32[2 * i] = (int32_t)trunc(h);
        o32[2 * i + 1] = (int32_t)(whole(trunc(h), INT16_MIN, INT16_MAX) +
                                   whole(rint(h), 0, UINT8_MAX));
    }
}

static void blur_u8(struct ref *r)
{
    uint64_t n = r->items;
    const uint8_t *in = ref_buffer(r, 0, n, 1);
    uint8_t *out = ref_buffer(r, 1, n, 1);

    if (out == NULL)
        return;
    for (uint64_t i = 0; i < n; i++) {
        unsigned left = in[i > 0 ? i - 1 : 0], right = in[i < n - 1 ? i + 1 : i];

        out[i] = (uint8_t)((left + 2u * in[i] + right + 2) >> 2);
    }
}

const struct reference check_math_table[] = {
    {"ext_native", "fff", 0, ext_native},
    {"ext_trig", "ff", 0, ext_trig},
    {"ext_precise", "fff", 0, ext_precise},
    {"ext_double", "ddd", 0, ext_double},
    {"cvt_int", "wbswl", 0, convert_int},
    {"cvt_float", "fwfd", 0, convert_float},
    {"cvt_half", "fhfw", 0, convert_half},
    {"blur_u8", "bb", 0, blur_u8},
    {NULL, NULL, 0, NULL},
};
