/* bits.cl - integer built-in functions, all results exact; 12 words an item.
 *
 * SIMD: sub-group size to compile for. */
#ifdef SIMD
#define WIDTH __attribute__((intel_reqd_sub_group_size(SIMD)))
#else
#define WIDTH
#endif

__kernel WIDTH void bits(__global const uint *a, __global const uint *b,
                         __global uint *out)
{
    size_t item = get_global_id(0);
    uint x = a[item], y = b[item];
    int sx = (int)x, sy = (int)y;
    __global uint *mine = out + item * 12;

    mine[0] = popcount(x) + 64 * clz(y);
    mine[1] = mul_hi(x, y);
    mine[2] = (uint)mul_hi(sx, sy);
    mine[3] = rotate(x, y & 31u) ^ rotate(y, 7u);
    mine[4] = add_sat(x, y) ^ (uint)add_sat(sx, sy);
    mine[5] = sub_sat(x, y) ^ (uint)sub_sat(sx, sy);
    mine[6] = hadd(x, y) + (uint)rhadd(sx, sy);
    mine[7] = abs_diff(sx, sy) ^ abs(sx);
    mine[8] = bitselect(x, y, 0x00ff0ff0u) + (uint)mad24(sx >> 9, sy >> 9, 5);
    mine[9] = (uint)clamp(sx, -1000, 1000) + min(x, y) - max(x >> 1, y >> 1);
    mine[10] = upsample((ushort)x, (ushort)y) ^ (uint)upsample((short)sy, (ushort)x);
    mine[11] = ctz(x | 0x80000000u) + (uint)popcount(upsample(x, y));
}
