/* extmath.cl - extended math; the results of function f start at f * items.
 *
 * ext_native   native_exp2, log2, sqrt, rsqrt, recip, divide, powr: one hardware
 *              math instruction each, or a few.
 * ext_trig     native_sin, native_cos.
 * ext_precise  exp, log, sqrt, rsqrt, sin, cos, divide, pow, tanh, cbrt: software
 *              expansions, single precision.
 * ext_double   divide, sqrt, rsqrt, reciprocal (divide and sqrt round correctly).
 * Inputs are positive numbers. SIMD: sub-group size to compile for. */
#ifdef SIMD
#define WIDTH __attribute__((intel_reqd_sub_group_size(SIMD)))
#else
#define WIDTH
#endif
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF

__kernel WIDTH void ext_native(__global const float *a, __global const float *b,
                               __global float *out)
{
    size_t i = get_global_id(0), n = get_global_size(0);
    float x = a[i], y = b[i];

    out[i] = native_exp2(x);
    out[i + n] = native_log2(x);
    out[i + 2 * n] = native_sqrt(x);
    out[i + 3 * n] = native_rsqrt(x);
    out[i + 4 * n] = native_recip(x);
    out[i + 5 * n] = native_divide(x, y);
    out[i + 6 * n] = native_powr(x, y);
}

__kernel WIDTH void ext_trig(__global const float *a, __global float *out)
{
    size_t i = get_global_id(0), n = get_global_size(0);

    out[i] = native_sin(a[i]);
    out[i + n] = native_cos(a[i]);
}

__kernel WIDTH void ext_precise(__global const float *a, __global const float *b,
                                __global float *out)
{
    size_t i = get_global_id(0), n = get_global_size(0);
    float x = a[i], y = b[i];

    out[i] = exp(x);
    out[i + n] = log(x);
    out[i + 2 * n] = sqrt(x);
    out[i + 3 * n] = rsqrt(x);
    out[i + 4 * n] = sin(x);
    out[i + 5 * n] = cos(y);
    out[i + 6 * n] = x / y;
    out[i + 7 * n] = pow(x, y);
    out[i + 8 * n] = tanh(y);
    out[i + 9 * n] = cbrt(x);
}

__kernel WIDTH void ext_double(__global const double *a, __global const double *b,
                               __global double *out)
{
    size_t i = get_global_id(0), n = get_global_size(0);
    double x = a[i], y = b[i];

    out[i] = x / y;
    out[i + n] = sqrt(x);
    out[i + 2 * n] = rsqrt(y);
    out[i + 3 * n] = 1.0 / x;
}
