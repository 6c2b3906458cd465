/* search.cl - searching, sorting, clustering.
 *
 * find_word      does the word of 4 letters (of four) start at this place of the text?
 *                Counts by atomics, and a byte per place.
 * horspool       counts a word in a stretch of text an item, skipping by a table in SLM.
 * binary_search  place of the first element not below each key.
 * bitonic_step   one step of a bitonic sort in global memory.
 * radix_count    how many of 16 digits each group of 64 items has.
 * kmeans_assign  nearest of k centres, by squared distance in 4 dimensions.
 * scan_groups    adds the sum of all groups before to each element (second half of a
 *                scan over several groups).
 * SIMD: sub-group size to compile for. */
#ifdef SIMD
#define WIDTH __attribute__((intel_reqd_sub_group_size(SIMD)))
#else
#define WIDTH
#endif
#pragma OPENCL FP_CONTRACT OFF

__kernel WIDTH void find_word(__global const uchar *text, __global uchar *found,
                              __global uint *count, uint word)
{
    uint i = get_global_id(0), here = 0;

    for (uint k = 0; k < 4; k++)
        here = here << 2 | (text[i + k] & 3);
    found[i] = here == word;
    if (here == word)
        atomic_inc(count);
}

__kernel WIDTH void horspool(__global const uchar *text, __global uint *count, uint word,
                             uint each)
{
    __local uint skip[4];
    uint item = get_global_id(0), at = item * each, n = 0;

    if (get_local_id(0) < 4) {
        uint distance = 4;

        for (uint k = 0; k < 3; k++)
            if ((word >> (6 - 2 * k) & 3) == get_local_id(0))
                distance = 3 - k;
        skip[get_local_id(0)] = distance;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    while (at < item * each + each) {
        uint here = 0;

        for (uint k = 0; k < 4; k++)
            here = here << 2 | (text[at + k] & 3);
        n += here == word;
        at += skip[here & 3];
    }
    count[item] = n;
}

__kernel WIDTH void binary_search(__global const uint *sorted, __global const uint *key,
                                  __global uint *out, uint n)
{
    uint i = get_global_id(0), low = 0, high = n;

    while (low < high) {
        uint middle = (low + high) / 2;

        if (sorted[middle] < key[i])
            low = middle + 1;
        else
            high = middle;
    }
    out[i] = low;
}

__kernel WIDTH void bitonic_step(__global const uint *in, __global uint *out, uint size,
                                 uint stride)
{
    uint i = get_global_id(0), other = i ^ stride;
    int keep_low = ((i & size) == 0) == (i < other);

    out[i] = keep_low ? min(in[i], in[other]) : max(in[i], in[other]);
}

__kernel WIDTH void radix_count(__global const uint *in, __global uint *out, uint shift)
{
    __local uint bin[16];

    if (get_local_id(0) < 16)
        bin[get_local_id(0)] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc(&bin[in[get_global_id(0)] >> shift & 15]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) < 16)
        out[get_group_id(0) * 16 + get_local_id(0)] = bin[get_local_id(0)];
}

__kernel WIDTH void kmeans_assign(__global const float4 *point,
                                  __global const float4 *centre, __global uint *out,
                                  uint k)
{
    float4 p = point[get_global_id(0)];
    float least = INFINITY;
    uint best = 0;

    for (uint c = 0; c < k; c++) {
        float4 d = p - centre[c];
        float far = fma(d.w, d.w, fma(d.z, d.z, fma(d.y, d.y, d.x * d.x)));

        if (far < least) {
            least = far;
            best = c;
        }
    }
    out[get_global_id(0)] = best;
}

__kernel WIDTH void scan_groups(__global const uint *in, __global const uint *sums,
                                __global uint *out)
{
    uint before = 0;

    for (uint g = 0; g < get_group_id(0); g++)
        before += sums[g];
    out[get_global_id(0)] = in[get_global_id(0)] + before;
}
