/* chase.cl - pointer chases: each load's address is the last load's value.
 *
 * The buffer is filled by the chase initialisers (README.md): the first word of
 * every 64-byte line says where the next line is.
 *
 * chase      u32 byte offsets (chase:SEED), one work-item.
 * chase_n    u32 byte offsets; work-item i starts at i * region_bytes and stays
 *            in its own region (chase:SEED:REGIONS).
 * chase_a64  u32 dword indices (chaseidx:SEED) and 64-bit addresses: each step is
 *            shl:q, add:q and an A64 send, as in the published code. Compile with
 *            -cl-intel-greater-than-4GB-buffer-required.
 * chase_on   the same, from where the last launch ended, which is in `out`.
 * chase_long u64 byte offsets (chase64:SEED), 64-bit addresses: add:q and send.
 * `out` receives the last position. SIMD: sub-group size to compile for. */
#ifdef SIMD
#define WIDTH __attribute__((intel_reqd_sub_group_size(SIMD)))
#else
#define WIDTH
#endif
#define NO_UNROLL __attribute__((opencl_unroll_hint(1)))

uint line_word(__global const char *lines, uint at)
{
    return *(__global const uint *)(lines + at);
}

__kernel WIDTH void chase(__global const char *lines, __global uint *out, uint start,
                          uint steps)
{
    uint at = start;

    NO_UNROLL for (uint i = 0; i < steps; i++)
        at = line_word(lines, at);
    out[0] = at;
}

__kernel WIDTH void chase_n(__global const char *lines, __global uint *out,
                            uint region_bytes, uint steps)
{
    uint at = (uint)get_global_id(0) * region_bytes;

    NO_UNROLL for (uint i = 0; i < steps; i++)
        at = line_word(lines, at);
    out[get_global_id(0)] = at;
}

/* 16 steps a loop turn, so that the loop's own instructions weigh little. */
__kernel WIDTH void chase_a64(__global const int *lines, __global int *out, int start,
                              uint turns)
{
    int at = start;

    NO_UNROLL for (uint i = 0; i < turns; i++)
    {
        __attribute__((opencl_unroll_hint(16))) for (int j = 0; j < 16; j++)
            at = lines[at];
    }
    out[0] = at;
}

__kernel WIDTH void chase_on(__global const int *lines, __global int *out, uint turns)
{
    int at = out[0];

    NO_UNROLL for (uint i = 0; i < turns; i++)
    {
        __attribute__((opencl_unroll_hint(16))) for (int j = 0; j < 16; j++)
            at = lines[at];
    }
    out[0] = at;
}

__kernel WIDTH void chase_long(__global const char *lines, __global ulong *out,
                               ulong start, uint steps)
{
    ulong at = start;

    NO_UNROLL for (uint i = 0; i < steps; i++)
        at = *(__global const ulong *)(lines + at);
    out[0] = at;
}
