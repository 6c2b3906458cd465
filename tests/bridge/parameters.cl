// parameters.cl - kernels for parameters that no sample is sensible of
// (tests/bridge/test_parameters.sh).
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_intel_subgroups : enable

// Flags of 64-bit comparisons.
kernel void wide(global const double *x, global const long *n, global long *out)
{
    size_t i = get_global_id(0);

    out[i] = (x[i] < 3.0 ? n[i] : n[i] * 5) > 77 ? n[i] + 1 : n[i] / 2;
}

// Integer division: one waits for the other.
kernel void divide(global const uint *a, global uint *out)
{
    size_t i = get_global_id(0);
    uint x = a[i], y = x | 1;

    for (uint k = 0; k < 16; k++)
        x = x / y + 1000000 + mul_hi(x, y);
    out[i] = x;
}

// Registers by address.
kernel void shuffle(global const uint *a, global uint *out)
{
    uint x = a[get_global_id(0)];

    for (uint i = 0; i < 16; i++)
        x += intel_sub_group_shuffle(x, x & 7);
    out[get_global_id(0)] = x;
}

// Launched twice: what it read and wrote may lie behind small caches then.
kernel void twice(global const int *from, global int *to)
{
    to[get_global_id(0)] = from[get_global_id(0)];
}
