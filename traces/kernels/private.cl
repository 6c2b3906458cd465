/* private.cl - private arrays that registers cannot hold.
 *
 * private_small  64 words an item, indexed by data: shuffled `turns` times.
 * private_large  512 words an item, more than a thread's scratch can hold at every
 *                width; the compiler may place it in global memory.
 * SIMD: sub-group size to compile for. */
#ifdef SIMD
#define WIDTH __attribute__((intel_reqd_sub_group_size(SIMD)))
#else
#define WIDTH
#endif

__kernel WIDTH void private_small(__global const uint *in, __global uint *out,
                                  uint turns)
{
    uint slot[64];
    uint x = in[get_global_id(0)];

    for (uint i = 0; i < 64; i++)
        slot[i] = x + i * 0x9e3779b9u;
    for (uint i = 0; i < turns; i++) {
        uint from = x & 63, to = (x >> 6) & 63;
        uint swap = slot[from];

        slot[from] = slot[to] + i;
        slot[to] = swap;
        x = x * 1664525u + swap;
    }
    uint sum = 0;
    for (uint i = 0; i < 64; i++)
        sum = sum * 31 + slot[i];
    out[get_global_id(0)] = sum;
}

__kernel WIDTH void private_large(__global const uint *in, __global uint *out,
                                  uint turns)
{
    uint slot[512];
    uint x = in[get_global_id(0)];

    for (uint i = 0; i < 512; i++)
        slot[i] = x ^ (i * 0x85ebca6bu);
    for (uint i = 0; i < turns; i++) {
        uint at = x & 511;

        slot[at] += slot[(x >> 9) & 511] + i;
        x = x * 22695477u + slot[at];
    }
    uint sum = 0;
    for (uint i = 0; i < 512; i += 7)
        sum = sum * 31 + slot[i];
    out[get_global_id(0)] = sum;
}
