/* histogram.cl - counts of the top 8 bits of 32-bit words, `each` words an item.
 *
 * Item i reads words i, i + items, i + 2 * items, ...
 * histogram_global  atomics on global memory.
 * histogram_local   256 counters in SLM, added to global memory at the end.
 * out has 256 words and starts from zero. SIMD: sub-group size to compile for. */
#ifdef SIMD
#define WIDTH __attribute__((intel_reqd_sub_group_size(SIMD)))
#else
#define WIDTH
#endif
#define BINS 256

__kernel WIDTH void histogram_global(__global const uint *in, __global uint *out,
                                     uint each)
{
    for (uint i = 0; i < each; i++)
        atomic_inc(&out[in[get_global_id(0) + i * get_global_size(0)] >> 24]);
}

__kernel WIDTH void histogram_local(__global const uint *in, __global uint *out,
                                    uint each)
{
    __local uint bin[BINS];

    for (uint i = get_local_id(0); i < BINS; i += get_local_size(0))
        bin[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = 0; i < each; i++)
        atomic_inc(&bin[in[get_global_id(0) + i * get_global_size(0)] >> 24]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = get_local_id(0); i < BINS; i += get_local_size(0))
        atomic_add(&out[i], bin[i]);
}
