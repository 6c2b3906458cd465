/* atomics.cl - global atomics whose result does not depend on the order.
 *
 * atomics32  out[0..7] from all items: sum, xor, and, or, signed minimum and
 *            maximum, unsigned maximum, number of items; then out[8 + slot] where
 *            each item claims a distinct slot by an atomic increment and writes 1.
 * atomics64  the same idea on 64 bits: sum, maximum, xor, and a compare-exchange
 *            loop that adds.
 * cas32      a compare-exchange loop on 16 cells: c -> c + value.
 * SIMD: sub-group size to compile for. */
#ifdef SIMD
#define WIDTH __attribute__((intel_reqd_sub_group_size(SIMD)))
#else
#define WIDTH
#endif
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable

__kernel WIDTH void atomics32(__global const uint *in, __global uint *out)
{
    uint x = in[get_global_id(0)];

    atomic_add(&out[0], x);
    atomic_xor(&out[1], x);
    atomic_and(&out[2], (x & 0x7f) == 3 ? ~(1u << (x >> 27)) : 0xffffffffu);
    atomic_or(&out[3], (x & 0x7f) == 5 ? 1u << (x >> 27) : 0);
    atomic_min((__global int *)&out[4], (int)x);
    atomic_max((__global int *)&out[5], (int)x);
    atomic_max(&out[6], x);
    uint slot = atomic_inc(&out[7]);
    atomic_xchg(&out[8 + slot], 1);
}

__kernel WIDTH void atomics64(__global const ulong *in, __global ulong *out)
{
    ulong x = in[get_global_id(0)];
    ulong seen, old;

    atom_add(&out[0], x);
    atom_max(&out[1], x);
    atom_xor(&out[2], x);
    seen = out[3];
    do {
        old = seen;
        seen = atom_cmpxchg(&out[3], old, old + (x >> 3));
    } while (seen != old);
}

__kernel WIDTH void cas32(__global const uint *in, __global uint *out)
{
    uint x = in[get_global_id(0)];
    __global uint *cell = out + (x & 15);
    uint seen = *(volatile __global uint *)cell, old;

    do {
        old = seen;
        seen = atomic_cmpxchg(cell, old, old + x);
    } while (seen != old);
}
