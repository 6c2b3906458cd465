/* float16.cl - half-precision and double-precision arithmetic, exact results.
 *
 * half_ops    sum, product, fused multiply-add, smaller and larger of two halves,
 *             and the number of comparisons that hold, as a half.
 * double_ops  the same for doubles, with floor, ceil, trunc and rint.
 * SIMD: sub-group size to compile for. */
#ifdef SIMD
#define WIDTH __attribute__((intel_reqd_sub_group_size(SIMD)))
#else
#define WIDTH
#endif
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF

#ifdef cl_khr_fp16
__kernel WIDTH void half_ops(__global const half *a, __global const half *b,
                             __global half *out)
{
    size_t i = get_global_id(0), n = get_global_size(0);
    half x = a[i], y = b[i];
    int holds = (x < y) + (x <= y) * 2 + (x == -y) * 4 + (x > y * y) * 8;

    out[i] = x + y;
    out[i + n] = x * y;
    out[i + 2 * n] = fma(x, y, x);
    out[i + 3 * n] = x < y ? x : y;
    out[i + 4 * n] = fmax(x, -y);
    out[i + 5 * n] = (half)holds;
}
#endif

__kernel WIDTH void double_ops(__global const double *a, __global const double *b,
                               __global double *out)
{
    size_t i = get_global_id(0), n = get_global_size(0);
    double x = a[i], y = b[i];
    int holds = (x < y) + (x <= y) * 2 + (x == -y) * 4 + (x > y * y) * 8;

    out[i] = x + y;
    out[i + n] = x * y - y;
    out[i + 2 * n] = fma(x, y, x);
    out[i + 3 * n] = fmin(x, y);
    out[i + 4 * n] = floor(x) + ceil(y);
    out[i + 5 * n] = rint(x) - trunc(y);
    out[i + 6 * n] = (double)holds + (double)(long)(x * 1024.0);
}
