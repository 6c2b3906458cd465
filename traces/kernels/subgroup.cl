/* subgroup.cl - sub-group functions; the group size is the width compiled for.
 *
 * subgroup  6 words an item: sum, exclusive sum, maximum, a broadcast from lane 3, a
 *           shuffle by data and an exchange with the neighbour.
 * SIMD: sub-group size to compile for; needed. */
#ifdef SIMD
#define WIDTH __attribute__((intel_reqd_sub_group_size(SIMD)))
#else
#define WIDTH
#endif
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
#pragma OPENCL EXTENSION cl_intel_subgroups : enable

__kernel WIDTH void subgroup(__global const uint *in, __global uint *out)
{
    uint x = in[get_global_id(0)];
    uint size = get_sub_group_size();
    __global uint *mine = out + get_global_id(0) * 6;

    mine[0] = sub_group_reduce_add(x);
    mine[1] = sub_group_scan_exclusive_add(x);
    mine[2] = sub_group_reduce_max(x);
    mine[3] = sub_group_broadcast(x, 3);
    mine[4] = intel_sub_group_shuffle(x, (x >> 5) & (size - 1));
    mine[5] = intel_sub_group_shuffle_xor(x, 1) + get_sub_group_local_id();
}
