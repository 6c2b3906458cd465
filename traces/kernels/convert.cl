/* convert.cl - conversions between types, all results exact.
 *
 * cvt_int    narrowing, widening and saturating conversions of 8, 16, 32 and
 *            64-bit integers.
 * cvt_float  float to and from integers, in each rounding mode, saturating;
 *            float to and from double, double to integers.
 * cvt_half   half from and to float and integers.
 * blur_u8    3-tap blur over bytes in a row, rounded, as in image code.
 * SIMD: sub-group size to compile for. */
#ifdef SIMD
#define WIDTH __attribute__((intel_reqd_sub_group_size(SIMD)))
#else
#define WIDTH
#endif
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

__kernel WIDTH void cvt_int(__global const int *in, __global char *o8,
                            __global short *o16, __global int *o32, __global long *o64)
{
    size_t i = get_global_id(0);
    int x = in[i];
    char c = (char)x;
    uchar uc = (uchar)(x >> 8);
    short s = (short)(x >> 4);
    ushort us = (ushort)(x >> 12);

    o8[i * 4 + 0] = convert_char_sat(x >> 20);
    o8[i * 4 + 1] = (char)convert_uchar_sat(s);
    o8[i * 4 + 2] = (char)(c + uc);
    o8[i * 4 + 3] = (char)(us >> 3);
    o16[i * 4 + 0] = convert_short_sat(x >> 10);
    o16[i * 4 + 1] = (short)convert_ushort_sat(x >> 9);
    o16[i * 4 + 2] = (short)(c * uc);
    o16[i * 4 + 3] = (short)(s - us);
    o32[i * 4 + 0] = c;
    o32[i * 4 + 1] = uc * us;
    o32[i * 4 + 2] = convert_int_sat((long)x * s);
    o32[i * 4 + 3] = (int)convert_uint_sat((long)x * c);
    o64[i * 2 + 0] = (long)x * us + c;
    o64[i * 2 + 1] = (long)((ulong)(uint)x << (uc & 31));
}

__kernel WIDTH void cvt_float(__global const float *in, __global int *o32,
                              __global float *of, __global double *od)
{
    size_t i = get_global_id(0);
    float x = in[i];
    double d = (double)x * 3.0;

    o32[i * 8 + 0] = convert_int_rte(x);
    o32[i * 8 + 1] = convert_int_rtz(x);
    o32[i * 8 + 2] = convert_int_rtp(x);
    o32[i * 8 + 3] = convert_int_rtn(x);
    o32[i * 8 + 4] = convert_char_sat(x);
    o32[i * 8 + 5] = convert_ushort_sat_rte(x);
    o32[i * 8 + 6] = (int)convert_uint_sat(x * 1e6f);
    o32[i * 8 + 7] = (int)convert_long(x * 64.0f);
    of[i * 4 + 0] = (float)as_int(x);
    of[i * 4 + 1] = (float)as_uint(x);
    of[i * 4 + 2] = floor(x) + ceil(x * 0.5f);
    of[i * 4 + 3] = rint(x) - trunc(x * 0.25f);
    od[i * 3 + 0] = d;
    od[i * 3 + 1] = (double)as_int(x) + (double)convert_uint_sat(d);
    od[i * 3 + 2] = (double)(float)(d + 0.1) + (double)convert_int_rtn(d);
}

#ifdef cl_khr_fp16
__kernel WIDTH void cvt_half(__global const float *in, __global half *oh,
                             __global float *of, __global int *o32)
{
    size_t i = get_global_id(0);
    float x = in[i];
    half h = convert_half(x);

    oh[i * 4 + 0] = h;
    oh[i * 4 + 1] = (half)(short)as_int(x);
    oh[i * 4 + 2] = convert_half_rtz(x);
    oh[i * 4 + 3] = (half)(char)as_int(x);
    of[i * 2 + 0] = (float)h;
    of[i * 2 + 1] = (float)(half)(x * 0.001f);
    o32[i * 2 + 0] = convert_int_rtz(h);
    o32[i * 2 + 1] = convert_short_sat(h) + convert_uchar_sat_rte(h);
}
#endif

__kernel WIDTH void blur_u8(__global const uchar *in, __global uchar *out)
{
    int x = get_global_id(0), last = get_global_size(0) - 1;
    uint left = in[x > 0 ? x - 1 : 0], right = in[x < last ? x + 1 : last];

    out[x] = (uchar)((left + 2 * in[x] + right + 2) >> 2);
}
