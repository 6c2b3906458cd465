/* check_arith.c - references of mad.cl, ops.cl and float16.cl. Every operation
 * rounds once, to its own type, as the hardware's does. */
#include <math.h>

#include "traces/kernels/check_ref.h"
#include "traces/program/half.h"

enum { TURN_STEPS = 64, DIV_TURN_STEPS = 7 };
enum { OP_ADD, OP_SUB, OP_MUL, OP_DIV };

/* Chains per work-item, from the size of the output, and steps of each. */
static uint64_t chains(struct ref *r, size_t size)
{
    uint64_t count = ref_count(r, 0, size) / r->items;

    if (count < 1 || count > 16 || ref_count(r, 0, size) != count * r->items)
        ref_reject(r, "the output is not 1 to 16 elements for each work-item");
    return count;
}

static uint64_t mad_steps(const struct ref *r, uint64_t chain_count)
{
    int64_t straight = case_param(r->c, "straight", 0);

    return straight > 0 ? (uint64_t)straight
                        : (uint64_t)ref_u32(r, 1) * (TURN_STEPS / chain_count);
}

/* Chain k of item g starts at (g & 63) + k. */
static uint32_t start_of(uint64_t element, uint64_t chain_count)
{
    return (uint32_t)((element / chain_count & 63) + element % chain_count);
}

/* Rounding to double first and to half then gives the same as rounding once. The
 * product of two halves is exact in 22 bits, and halves have 11. The sum is inexact
 * at 53 bits only when the product is below 2^-31 of z, and then both ways give z,
 * or when the product is above 2^28, and then both overflow. */
static uint16_t half_fma(double x, double y, double z)
{
    return half_from_double(fma(x, y, z));
}

/* Chains of `steps` from `start` on, each step's x being `next`; what is behind it are
 * its constants. */
#define CHAINS(name, type, steps, start, next, ...)                                    \
    static void name(struct ref *r)                                                    \
    {                                                                                  \
        uint64_t n = chains(r, sizeof(type));                                          \
        type *out = ref_buffer(r, 0, 1, sizeof(*out));                                 \
        __VA_ARGS__;                                                                   \
                                                                                       \
        if (out == NULL)                                                               \
            return;                                                                    \
        for (uint64_t i = 0; i < n * r->items; i++) {                                  \
            type x = (type)(start);                                                    \
                                                                                       \
            for (uint64_t s = steps(r, n); s > 0; s--)                                 \
                x = (next);                                                            \
            out[i] = x;                                                                \
        }                                                                              \
    }

CHAINS(mad_f32, float, mad_steps, start_of(i, n), fmaf(x, a, b),
       const float a = ref_f32(r, 2), b = ref_f32(r, 3))
CHAINS(mad_f64, double, mad_steps, start_of(i, n), fma(x, a, b),
       const double a = ref_f64(r, 2), b = ref_f64(r, 3))
CHAINS(mad_f16, uint16_t, mad_steps, half_from_double(start_of(i, n)),
       half_fma(half_to_double(x), a, b), const double a = ref_f16(r, 2),
       b = ref_f16(r, 3))
CHAINS(mad_i32, uint32_t, mad_steps, start_of(i, n), b + x * a,
       const uint32_t a = ref_u32(r, 2), b = ref_u32(r, 3))

/* ---- ops.cl ---- */

static uint64_t op_steps(const struct ref *r, uint64_t chain_count)
{
    uint64_t turn = TURN_STEPS / chain_count;

    if (r->variant == OP_DIV)
        turn = chain_count < DIV_TURN_STEPS ? DIV_TURN_STEPS / chain_count : 1;
    return ref_u32(r, 1) * turn;
}

#define STEP(name, type)                                                               \
    static type name(int op, type x, type a)                                           \
    {                                                                                  \
        return op == OP_ADD   ? x + a                                                  \
               : op == OP_SUB ? x - a                                                  \
               : op == OP_MUL ? x * a                                                  \
                              : a / x;                                                 \
    }

STEP(step_f32, float)
STEP(step_f64, double)
CHAINS(op_f32, float, op_steps, (float)start_of(i, n) + 1.0f,
       step_f32(r->variant, x, a), const float a = ref_f32(r, 2))
CHAINS(op_f64, double, op_steps, start_of(i, n) + 1.0, step_f64(r->variant, x, a),
       const double a = ref_f64(r, 2))

/* ---- float16.cl ---- */

static int relations(double x, double y, double y_squared)
{
    return (x < y) + (x <= y) * 2 + (x == -y) * 4 + (x > y_squared) * 8;
}

static void half_ops(struct ref *r)
{
    uint64_t n = r->items;
    const uint16_t *a = ref_buffer(r, 0, n, sizeof(*a));
    const uint16_t *b = ref_buffer(r, 1, n, sizeof(*b));
    uint16_t *out = ref_buffer(r, 2, 6 * n, sizeof(*out));

    if (out == NULL)
        return;
    for (uint64_t i = 0; i < n; i++) {
        double x = half_to_double(a[i]), y = half_to_double(b[i]);
        double squared = half_to_double(half_from_double(y * y));

        out[i] = half_from_double(x + y);
        out[i + n] = half_from_double(x * y);
        out[i + 2 * n] = half_fma(x, y, x);
        out[i + 3 * n] = half_from_double(x < y ? x : y);
        out[i + 4 * n] = half_from_double(fmax(x, -y));
        out[i + 5 * n] = half_from_double(relations(x, y, squared));
    }
}

static void double_ops(struct ref *r)
{
    uint64_t n = r->items;
    const double *a = ref_buffer(r, 0, n, sizeof(*a));
    const double *b = ref_buffer(r, 1, n, sizeof(*b));
    double *out = ref_buffer(r, 2, 7 * n, sizeof(*out));

    if (out == NULL)
        return;
    for (uint64_t i = 0; i < n; i++) {
        double x = a[i], y = b[i], product = x * y;

        out[i] = x + y;
        out[i + n] = product - y;
        out[i + 2 * n] = fma(x, y, x);
        out[i + 3 * n] = fmin(x, y);
        out[i + 4 * n] = floor(x) + ceil(y);
        out[i + 5 * n] = rint(x) - trunc(y);
        out[i + 6 * n] = (double)relations(x, y, y * y) + (double)(int64_t)(x * 1024.0);
    }
}

const struct reference check_arith_table[] = {
    {"mad_f32", "f444", 0, mad_f32},
    {"mad_f64", "d488", 0, mad_f64},
    {"mad_f16", "h422", 0, mad_f16},
    {"mad_i32", "w444", 0, mad_i32},
    {"add_f32", "f44", OP_ADD, op_f32},
    {"sub_f32", "f44", OP_SUB, op_f32},
    {"mul_f32", "f44", OP_MUL, op_f32},
    {"div_f32", "f44", OP_DIV, op_f32},
    {"add_f64", "d48", OP_ADD, op_f64},
    {"sub_f64", "d48", OP_SUB, op_f64},
    {"mul_f64", "d48", OP_MUL, op_f64},
    {"div_f64", "d48", OP_DIV, op_f64},
    {"half_ops", "hhh", 0, half_ops},
    {"double_ops", "ddd", 0, double_ops},
    {NULL, NULL, 0, NULL},
};
