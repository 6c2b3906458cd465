/* reduce.cl - reductions and scans of one work-group's items in SLM.
 *
 * reduce_u32, reduce_f32  tree reduction with a barrier a level; the SLM is a
 *                         local argument of 4 bytes an item. out[group].
 * scan_u32                inclusive prefix sum of a group's items (two SLM halves,
 *                         local argument of 8 bytes an item).
 * sort_u32                bitonic sort of a group's items, ascending.
 * ping_pong               `turns` exchanges with the neighbour through two SLM
 *                         halves, a barrier each.
 * The local size is a power of two. SIMD: sub-group size to compile for. */
#ifdef SIMD
#define WIDTH __attribute__((intel_reqd_sub_group_size(SIMD)))
#else
#define WIDTH
#endif

#define DEFINE_REDUCE(name, T)                                                 \
    __kernel WIDTH void name(__global const T *in, __global T *out,            \
                             __local T *part)                                  \
    {                                                                          \
        uint lid = get_local_id(0);                                            \
                                                                               \
        part[lid] = in[get_global_id(0)];                                      \
        for (uint half_size = get_local_size(0) / 2; half_size > 0;            \
             half_size /= 2) {                                                 \
            barrier(CLK_LOCAL_MEM_FENCE);                                      \
            if (lid < half_size)                                               \
                part[lid] = part[lid] + part[lid + half_size];                 \
        }                                                                      \
        if (lid == 0)                                                          \
            out[get_group_id(0)] = part[0];                                    \
    }

DEFINE_REDUCE(reduce_u32, uint)
DEFINE_REDUCE(reduce_f32, float)

__kernel WIDTH void scan_u32(__global const uint *in, __global uint *out,
                             __local uint *part)
{
    uint lid = get_local_id(0), items = get_local_size(0);
    uint from = 0, to = items;

    part[lid] = in[get_global_id(0)];
    for (uint reach = 1; reach < items; reach *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        uint sum = part[from + lid];
        if (lid >= reach)
            sum += part[from + lid - reach];
        part[to + lid] = sum;
        from ^= items;
        to ^= items;
    }
    out[get_global_id(0)] = part[from + lid];
}

__kernel WIDTH void sort_u32(__global const uint *in, __global uint *out,
                             __local uint *part)
{
    uint lid = get_local_id(0);

    part[lid] = in[get_global_id(0)];
    for (uint run = 2; run <= get_local_size(0); run *= 2) {
        for (uint gap = run / 2; gap > 0; gap /= 2) {
            barrier(CLK_LOCAL_MEM_FENCE);
            uint other = lid ^ gap;
            if (other > lid) {
                uint low = part[lid], high = part[other];
                bool ascending = (lid & run) == 0;
                if ((low > high) == ascending) {
                    part[lid] = high;
                    part[other] = low;
                }
            }
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = part[lid];
}

__kernel WIDTH void ping_pong(__global const uint *in, __global uint *out,
                              __local uint *part, uint turns)
{
    uint lid = get_local_id(0), items = get_local_size(0);
    uint from = 0;

    part[lid] = in[get_global_id(0)];
    for (uint i = 0; i < turns; i++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        part[(items - from) + lid] =
            part[from + ((lid + 1) & (items - 1))] * 7 + part[from + lid];
        from = items - from;
    }
    out[get_global_id(0)] = part[from + lid];
}
