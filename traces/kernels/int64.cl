/* int64.cl - 64-bit integer arithmetic, all results exact.
 *
 * int64   six results an item from two inputs: sums and differences, product,
 *         mixed signed and unsigned shifts, comparisons, high product, minimum and
 *         maximum, and a chain over `turns`.
 * div64   quotient and remainder, signed and unsigned (divisors are not zero).
 * div32   the same on 32 bits, and 16 bits.
 * SIMD: sub-group size to compile for. */
#ifdef SIMD
#define WIDTH __attribute__((intel_reqd_sub_group_size(SIMD)))
#else
#define WIDTH
#endif

__kernel WIDTH void int64(__global const ulong *a, __global const ulong *b,
                          __global ulong *out, uint turns)
{
    size_t item = get_global_id(0);
    ulong x = a[item], y = b[item];
    long sx = (long)x, sy = (long)y;
    __global ulong *mine = out + item * 6;
    ulong chain = x;

    mine[0] = (x + y) ^ (x - y);
    mine[1] = x * y;
    mine[2] = (ulong)(sx >> (y & 63)) ^ (x << (y & 63)) ^ (x >> (x & 63));
    mine[3] = mul_hi(x, y) ^ (ulong)mul_hi(sx, sy);
    mine[4] = (ulong)(min(sx, sy) ^ max(sx, sy)) + (x < y ? x : ~y) + (ulong)(sx <= sy);
    for (uint i = 0; i < turns; i++) {
        chain = chain * 6364136223846793005ul + y;
        chain ^= chain >> 29;
        if (chain > x)
            chain -= y;
    }
    mine[5] = chain;
}

__kernel WIDTH void div64(__global const ulong *a, __global const ulong *b,
                          __global ulong *out)
{
    size_t item = get_global_id(0);
    ulong x = a[item], y = (b[item] >> (a[item] & 63)) | 1;
    long sx = (long)x, sy = (long)(y | 2);
    __global ulong *mine = out + item * 4;

    mine[0] = x / y;
    mine[1] = x % y;
    mine[2] = (ulong)(sx / sy);
    mine[3] = (ulong)(sx % sy);
}

__kernel WIDTH void div32(__global const uint *a, __global const uint *b,
                          __global uint *out)
{
    size_t item = get_global_id(0);
    uint x = a[item], y = (b[item] >> (a[item] & 31)) | 1;
    int sx = (int)x, sy = (int)(y | 2);
    __global uint *mine = out + item * 5;

    mine[0] = x / y;
    mine[1] = x % y;
    mine[2] = (uint)(sx / sy);
    mine[3] = (uint)(sx % sy);
    mine[4] = (ushort)x / (ushort)(y | 1);
}
