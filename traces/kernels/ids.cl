/* ids.cl - every work-item function, in three dimensions.
 *
 * Item (x, y, z), counted linearly, writes 8 words: its three local ids packed in
 * bytes, its group ids packed in bytes, the three global ids packed by 10 bits, its
 * local sizes packed, group counts packed, global sizes packed by 10 bits, the
 * number of dimensions and its global linear id.
 * SIMD: sub-group size to compile for. */
#ifdef SIMD
#define WIDTH __attribute__((intel_reqd_sub_group_size(SIMD)))
#else
#define WIDTH
#endif

uint pack8(uint x, uint y, uint z)
{
    return x | y << 8 | z << 16;
}

uint pack10(uint x, uint y, uint z)
{
    return x | y << 10 | z << 20;
}

__kernel WIDTH void ids(__global uint *out)
{
    uint linear = (get_global_id(2) * get_global_size(1) + get_global_id(1)) *
                      get_global_size(0) +
                  get_global_id(0);
    __global uint *mine = out + linear * 8;

    mine[0] = pack8(get_local_id(0), get_local_id(1), get_local_id(2));
    mine[1] = pack8(get_group_id(0), get_group_id(1), get_group_id(2));
    mine[2] = pack10(get_global_id(0), get_global_id(1), get_global_id(2));
    mine[3] = pack8(get_local_size(0), get_local_size(1), get_local_size(2));
    mine[4] = pack8(get_num_groups(0), get_num_groups(1), get_num_groups(2));
    mine[5] = pack10(get_global_size(0), get_global_size(1), get_global_size(2));
    mine[6] = get_work_dim();
    mine[7] = linear;
}
