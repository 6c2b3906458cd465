/* stream.cl - memory streams.
 *
 * copy, copy4, scale, add, triad  one element (copy4: four) a work-item.
 * strided     `words` loads a work-item; within a block of `stride` items, item l
 *             reads l, l + stride, l + 2 * stride, ...: every word of the input is
 *             read once, stride 1 is one run of words an item, a stride of all
 *             items is fully coalesced. The global size is a multiple of stride.
 * l3_stream   every item reads `loads` 16-byte quads at global size apart, modulo
 *             mask + 1 quads (a power of two): a small buffer stays in the L3.
 * SIMD: sub-group size to compile for. */
#ifdef SIMD
#define WIDTH __attribute__((intel_reqd_sub_group_size(SIMD)))
#else
#define WIDTH
#endif
#pragma OPENCL FP_CONTRACT OFF

__kernel WIDTH void copy(__global const float *in, __global float *out)
{
    out[get_global_id(0)] = in[get_global_id(0)];
}

__kernel WIDTH void copy4(__global const float4 *in, __global float4 *out)
{
    out[get_global_id(0)] = in[get_global_id(0)];
}

__kernel WIDTH void scale(__global const float *in, __global float *out, float factor)
{
    out[get_global_id(0)] = factor * in[get_global_id(0)];
}

__kernel WIDTH void add(__global const float *a, __global const float *b,
                        __global float *out)
{
    out[get_global_id(0)] = a[get_global_id(0)] + b[get_global_id(0)];
}

__kernel WIDTH void triad(__global const float *a, __global const float *b,
                          __global float *out, float factor)
{
    out[get_global_id(0)] = fma(factor, b[get_global_id(0)], a[get_global_id(0)]);
}

__kernel WIDTH void strided(__global const uint *in, __global uint *out, uint words,
                            uint stride)
{
    uint item = get_global_id(0);
    uint at = item / stride * stride * words + item % stride;
    uint sum = 0;

    for (uint i = 0; i < words; i++)
        sum = sum * 3 + in[at + i * stride];
    out[item] = sum;
}

__kernel WIDTH void l3_stream(__global const uint4 *in, __global uint4 *out, uint loads,
                              uint mask)
{
    uint at = get_global_id(0);
    uint4 sum = (uint4)0;

    for (uint i = 0; i < loads; i++) {
        sum = sum * 3 + in[at & mask];
        at += get_global_size(0);
    }
    out[get_global_id(0)] = sum;
}
