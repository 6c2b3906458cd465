/* bandwidth.cl - read streams through one level of the memory hierarchy.
 *
 * sweep     every item reads `loads` vectors, global size apart, modulo mask + 1
 *           vectors (a power of two), unrolled eight times: the loads of a turn do
 *           not wait for each other. The buffer's size chooses the level.
 * sweep_slm the same in shared local memory, 4 KB a group.
 * coalesce  every item reads `words` words, one from each row of global size << shift
 *           words: neighbouring items lie stride = 1 << shift words apart, and every
 *           line is touched by one message only (stride 16 and below).
 * circulate sweep over any number of vectors, `count`, not below the global size.
 * V         vector type of sweep: uint, uint2, uint4, uint8 or uint16 (default uint4).
 * SIMD      sub-group size to compile for. */
#ifdef SIMD
#define WIDTH __attribute__((intel_reqd_sub_group_size(SIMD)))
#else
#define WIDTH
#endif
#ifndef V
#define V uint4
#endif
#define UNROLL __attribute__((opencl_unroll_hint(8)))
#define WORDS 1024

__kernel WIDTH void sweep(__global const V *in, __global V *out, uint loads, uint mask)
{
    uint at = get_global_id(0), step = get_global_size(0);
    V sum = (V)0;

    UNROLL for (uint i = 0; i < loads; i++)
    {
        sum += in[at & mask];
        at += step;
    }
    out[get_global_id(0)] = sum;
}

__kernel WIDTH void sweep_slm(__global V *out, uint loads)
{
    __local V table[WORDS * sizeof(uint) / sizeof(V)];
    uint count = WORDS * sizeof(uint) / sizeof(V);
    uint at = get_local_id(0), step = get_local_size(0);
    V sum = (V)0;

    for (uint i = at; i < count; i += step)
        table[i] = (V)(i);
    barrier(CLK_LOCAL_MEM_FENCE);
    UNROLL for (uint i = 0; i < loads; i++)
    {
        sum += table[at & (count - 1)];
        at += step;
    }
    out[get_global_id(0)] = sum;
}

__kernel WIDTH void coalesce(__global const uint *in, __global uint *out, uint words,
                             uint shift)
{
    uint at = get_global_id(0) << shift, row = get_global_size(0) << shift;
    uint sum = 0;

    UNROLL for (uint i = 0; i < words; i++)
        sum += in[at + i * row];
    out[get_global_id(0)] = sum;
}

__kernel WIDTH void circulate(__global const V *in, __global V *out, uint loads,
                              uint count)
{
    uint at = get_global_id(0), step = get_global_size(0);
    V sum = (V)0;

    UNROLL for (uint i = 0; i < loads; i++)
    {
        sum += in[at];
        at += step;
        at -= at >= count ? count : 0;
    }
    out[get_global_id(0)] = sum;
}
