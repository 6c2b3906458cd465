/* vectors.cl - vector loads, stores and swizzles.
 *
 * vector_io  vload and vstore of 2, 3, 4, 8 and 16 elements at addresses aligned
 *            to the element only; 33 words an item in and out.
 * bytes_io   the same on bytes and shorts, 21 bytes an item.
 * SIMD: sub-group size to compile for. */
#ifdef SIMD
#define WIDTH __attribute__((intel_reqd_sub_group_size(SIMD)))
#else
#define WIDTH
#endif

__kernel WIDTH void vector_io(__global const uint *in, __global uint *out)
{
    __global const uint *from = in + get_global_id(0) * 33;
    __global uint *to = out + get_global_id(0) * 33;
    uint2 a = vload2(0, from);
    uint3 b = vload3(0, from + 2);
    uint4 c = vload4(0, from + 5);
    uint8 d = vload8(0, from + 9);
    uint16 e = vload16(0, from + 17);

    vstore2(a.yx + c.wz, 0, to);
    vstore3(b.zxy * 3u, 0, to + 2);
    vstore4(c.wzyx ^ d.lo, 0, to + 5);
    vstore8(d.s76543210 + e.even, 0, to + 9);
    vstore16((e << 1) + (uint16)(d, d.hi, c), 0, to + 17);
}

__kernel WIDTH void bytes_io(__global const uchar *in, __global uchar *out)
{
    __global const uchar *from = in + get_global_id(0) * 21;
    __global uchar *to = out + get_global_id(0) * 21;
    uchar3 a = vload3(0, from);
    uchar2 b = vload2(0, from + 3);
    uchar16 c = vload16(0, from + 5);

    vstore3(a.zyx + (uchar3)(1, 2, 3), 0, to);
    vstore2(b.yx ^ c.s3f, 0, to + 3);
    vstore16(c.odd.s0123456701234567 + c, 0, to + 5);
}
