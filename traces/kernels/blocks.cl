/* blocks.cl - sub-group block reads and writes: one message for a whole thread.
 *
 * blocks  the two words of lane l in a sub-group of n are words l and n + l of the
 *         sub-group's 2 n. Not offered by the compiler at SIMD32.
 * SIMD: sub-group size to compile for. */
#ifdef SIMD
#define WIDTH __attribute__((intel_reqd_sub_group_size(SIMD)))
#else
#define WIDTH
#endif
#pragma OPENCL EXTENSION cl_intel_subgroups : enable

__kernel WIDTH void blocks(__global const uint *in, __global uint *out)
{
    uint first = (get_global_id(0) - get_sub_group_local_id()) * 2;
    uint2 x = intel_sub_group_block_read2(in + first);

    x = x.yx * 3u + (uint2)(1, 2);
    intel_sub_group_block_write2(out + first, x);
}
