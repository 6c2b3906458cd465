/* slm.cl - shared local memory.
 *
 * slm_stream   `reads` dependent-free reads a work-item, `stride` words apart
 *              between neighbouring items: the stride chooses the banks. The table
 *              has 4096 words; word i holds 2654435761 * i.
 * slm_transpose  a 32 x 32 tile per group, written by rows and read by columns,
 *              `PAD` extra words a row (-DPAD=1 avoids bank conflicts; default 0).
 * slm_atomics  SLM atomics: a per-group count, a maximum and an or of the inputs.
 * SIMD: sub-group size to compile for. */
#ifdef SIMD
#define WIDTH __attribute__((intel_reqd_sub_group_size(SIMD)))
#else
#define WIDTH
#endif
#ifndef PAD
#define PAD 0
#endif
#define WORDS 4096

__kernel WIDTH void slm_stream(__global uint *out, uint reads, uint stride)
{
    __local uint table[WORDS];
    uint lid = get_local_id(0);
    uint sum = 0;

    for (uint i = lid; i < WORDS; i += get_local_size(0))
        table[i] = 2654435761u * i;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = 0; i < reads; i++)
        sum = sum * 5 + table[(lid * stride + i) & (WORDS - 1)];
    out[get_global_id(0)] = sum;
}

/* Local size 32 x 8; each item moves four words of a column. */
__kernel WIDTH void slm_transpose(__global const uint *in, __global uint *out,
                                  uint width)
{
    __local uint tile[32 * (32 + PAD)];
    uint x = get_group_id(0) * 32, y = get_group_id(1) * 32;
    uint lx = get_local_id(0), ly = get_local_id(1);

    for (uint row = ly; row < 32; row += 8)
        tile[row * (32 + PAD) + lx] = in[(y + row) * width + x + lx];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint row = ly; row < 32; row += 8)
        out[(x + row) * (get_num_groups(1) * 32) + y + lx] =
            tile[lx * (32 + PAD) + row];
}

__kernel WIDTH void slm_atomics(__global const uint *in, __global uint *out)
{
    __local uint cell[4];
    uint value = in[get_global_id(0)];

    if (get_local_id(0) < 4)
        cell[get_local_id(0)] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (value & 1)
        atomic_inc(&cell[0]);
    atomic_max(&cell[1], value);
    if ((value & 31) == 5)
        atomic_or(&cell[2], 1u << (value >> 27));
    atomic_add(&cell[3], value >> 7);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) < 4)
        out[get_group_id(0) * 4 + get_local_id(0)] = cell[get_local_id(0)];
}
