/* isa_kernels.cl - OpenCL C that makes the compiler emit many kinds of instructions:
 * the material of the decoder's and the loader's tests. Build with -cl-std=CL2.0. */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable

__constant float table[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
__global int counter = 5;
__global const int *global_pointer = &counter;

/* madm, math.invm, mme registers, eo */
__kernel void double_divide(__global double *o, double a)
{
    size_t i = get_global_id(0);
    o[i] = o[i] / a + sqrt(o[i]);
}

__kernel void half_mad(__global half *o, half a)
{
    size_t i = get_global_id(0);
    half x = o[i];
    for (int k = 0; k < 20; k++)
        x = x * a + x;
    o[i] = x;
}

/* barriers, fences, __local arguments */
__kernel void reduce(__global int *o, __local int *l)
{
    int i = get_local_id(0);
    l[i] = o[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = get_local_size(0) / 2; s > 0; s >>= 1) {
        if (i < s)
            l[i] += l[i + s];
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    }
    if (i == 0)
        o[get_group_id(0)] = l[0];
}

/* SLM and global atomics, byte reads */
__kernel void histogram(__global uint *h, __global const uchar *d, int n)
{
    __local uint bins[256];
    int l = get_local_id(0);
    bins[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = get_global_id(0); i < n; i += get_global_size(0))
        atomic_inc(&bins[d[i]]);
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&h[l], bins[l]);
}

/* no local ids: one scalar A64 load after another */
__kernel void chase(__global ulong *p, int n)
{
    ulong x = p[0];
    for (int i = 0; i < n; i++)
        x = p[x];
    p[1] = x;
}

/* scratch, indirect registers, relocated constants */
__kernel void private_array(__global float *o, int n)
{
    float a[64];
    size_t i = get_global_id(0);
    for (int k = 0; k < 64; k++)
        a[k] = o[i * 64 + k];
    for (int k = 0; k < n; k++)
        a[(k * 7 + i) & 63] += a[k & 63];
    float s = 0;
    for (int k = 0; k < 64; k++)
        s += a[k] * k;
    o[i] = s + table[i & 15] + *global_pointer;
}

__kernel void print(__global int *o)
{
    size_t i = get_global_id(0);
    printf("x %d %f %s\n", o[i], 1.0f * i, "abc");
}

__constant sampler_t inline_sampler =
    CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_REPEAT | CLK_FILTER_LINEAR;

__kernel void image(read_only image2d_t a, write_only image2d_t b, sampler_t s)
{
    int2 c = (int2)(get_global_id(0), get_global_id(1));
    float2 f = convert_float2(c) * 0.1f;
    write_imagef(b, c,
                 read_imagef(a, s, c) * 2.0f + read_imagef(a, inline_sampler, f) +
                     get_image_width(a));
}

__kernel void convert(__global char *c, __global short *s, __global int *i,
                      __global long *l, __global float *f, __global double *d,
                      __global half *h)
{
    size_t g = get_global_id(0);
    i[g] = convert_int_sat_rte(f[g]);
    c[g] = convert_char_sat(i[g]);
    s[g] = convert_short_sat_rtp(d[g]);
    l[g] = convert_long(f[g]) * l[g];
    h[g] = convert_half(f[g] * f[g]);
    f[g] = fabs(f[g]) - native_sin(f[g]) * native_powr(f[g], 2.5f) + native_log2(f[g]);
    d[g] = i[g] * d[g];
    i[g] = i[g] / (s[g] | 1) + popcount(i[g]) + clz(i[g]) + mul_hi(i[g], i[g + 1]) +
           rotate(i[g], 3);
}

/* if, else, break, continue, switch: structured and goto/join flow */
__kernel void diverge(__global int *o, int n)
{
    size_t i = get_global_id(0);
    int x = o[i];
    for (int k = 0; k < n; k++) {
        if (x & 1) {
            if (x > 100)
                break;
            x = 3 * x + 1;
        } else {
            x /= 2;
            if (x == 7)
                continue;
        }
        switch (x & 3) {
        case 0:
            x++;
            break;
        case 1:
            x -= 2;
            break;
        default:
            x ^= k;
        }
    }
    o[i] = x;
}

__attribute__((noinline)) int fibonacci(int n)
{
    int a = 0, b = 1;
    for (int i = 0; i < n; i++) {
        int t = a + b;
        a = b;
        b = t;
    }
    return a;
}

/* call and ret, with the body behind the caller's EOT */
__kernel void calls(__global int *o)
{
    size_t i = get_global_id(0);
    if (i & 1)
        o[i] = fibonacci(o[i]);
    else
        o[i] = fibonacci(o[i] + 1) * 2;
}

__kernel void atomics(__global long *p, __global int *q)
{
    atom_add(p, 3L);
    atom_cmpxchg(p + 1, 1L, 2L);
    atomic_cmpxchg(q, 1, 2);
    atomic_max(q + get_global_id(0), 4);
}

__kernel void vectors(__global float16 *a, __global float4 *b, __global uchar4 *c)
{
    size_t i = get_global_id(0);
    a[i] = a[i] * a[i] + a[i + 1];
    b[i] = b[i].wzyx;
    c[i] = c[i] + (uchar4)(1, 2, 3, 4);
}

#define WIDTH(n)                                                                       \
    __attribute__((intel_reqd_sub_group_size(n))) __kernel void width##n(              \
        __global float *o, float a, int m)                                             \
    {                                                                                  \
        float x = o[get_global_id(0)];                                                 \
        for (int k = 0; k < m; k++)                                                    \
            x = x > 100.0f ? x - 3.0f : x * a + 1.0f;                                  \
        o[get_global_id(0)] = x;                                                       \
    }
WIDTH(8)
WIDTH(16)
WIDTH(32)

__attribute__((reqd_work_group_size(8, 4, 2))) __kernel void required(__global int *o)
{
    o[get_global_id(0)] = get_local_id(1) + get_local_id(2) + get_num_groups(0);
}
