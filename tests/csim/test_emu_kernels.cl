/* test_emu_kernels.cl - what the emulator's own tests run through the real compiler;
 * the kernels that users record are in traces/kernels/. SIMD: sub-group size. */
#define WIDTH __attribute__((intel_reqd_sub_group_size(SIMD)))
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF

/* Quotient, root, reciprocal: correctly rounded double. */
__kernel WIDTH void divide_double(__global const double *a, __global const double *b,
                                  __global double *out)
{
    size_t i = get_global_id(0), n = get_global_size(0);

    out[i] = a[i] / b[i];
    out[i + n] = sqrt(a[i]);
    out[i + 2 * n] = 1.0 / b[i];
}

/* The same in single precision; compiled with -cl-fp32-correctly-rounded-divide-sqrt. */
__kernel WIDTH void divide_float(__global const float *a, __global const float *b,
                                 __global float *out)
{
    size_t i = get_global_id(0), n = get_global_size(0);

    out[i] = a[i] / b[i];
    out[i + n] = sqrt(a[i]);
    out[i + 2 * n] = 1.0f / b[i];
}

/* Every id, 11 words an item, at the item's linear place in the launch. */
__kernel WIDTH void ids(__global uint *out)
{
    size_t x = get_global_id(0) - get_global_offset(0);
    size_t y = get_global_id(1) - get_global_offset(1);
    size_t z = get_global_id(2) - get_global_offset(2);
    __global uint *o =
        out + 11 * (x + get_global_size(0) * (y + get_global_size(1) * z));

    o[0] = get_local_id(0);
    o[1] = get_local_id(1);
    o[2] = get_local_id(2);
    o[3] = get_group_id(0);
    o[4] = get_group_id(1);
    o[5] = get_group_id(2);
    o[6] = get_global_id(0);
    o[7] = get_global_id(2);
    o[8] = get_num_groups(1);
    o[9] = get_work_dim();
    o[10] = get_local_size(0) * 100 + get_local_size(1) * 10 + get_local_size(2);
}

/* Denormals: kept by default, zero with -cl-denorms-are-zero. */
__kernel WIDTH void denormals(__global const float *a, __global float *out)
{
    size_t i = get_global_id(0);

    out[i] = a[i] * 0.5f + 0x1p-140f;
}

/* Dynamically indexed private memory, more than registers can hold. */
__kernel WIDTH void private_array(__global const uint *in, __global uint *out, uint steps)
{
    uint table[96];
    uint i = get_global_id(0), x = in[i];

    for (uint k = 0; k < 96; k++)
        table[k] = x * k + 1;
    for (uint k = 0; k < steps; k++) {
        x = x * 1664525u + 1013904223u;
        table[x % 96] += table[(x >> 8) % 96] ^ x;
    }
    out[i] = table[in[i] % 96] + table[x % 96];
}

/* Narrow and wide integers, with saturation. */
__kernel WIDTH void narrow(__global const char *c, __global const short *s,
                           __global const long *l, __global long *out)
{
    size_t i = get_global_id(0), n = get_global_size(0);

    out[i] = add_sat(c[i], (char)(s[i] >> 3));
    out[i + n] = sub_sat(s[i], (short)(c[i] * 300));
    out[i + 2 * n] = add_sat(l[i], l[(i + 1) % n]);
    out[i + 3 * n] = mul_hi(l[i], l[(i + 1) % n]);
    out[i + 4 * n] = l[i] / (l[(i + 1) % n] | 1) + (l[i] >> (c[i] & 63));
    out[i + 5 * n] = convert_uchar_sat(s[i]) + convert_char_sat(l[i]) * 1000;
    out[i + 6 * n] = rotate(l[i], (long)c[i]) ^ popcount(l[i]) ^ clz(s[i]);
    out[i + 7 * n] = hadd(c[i], (char)s[i]) * rhadd(s[i], (short)l[i]);
}

/* A group's sum in local memory given as an argument, with a divergent loop. */
__kernel WIDTH void local_sum(__global const uint *in, __global uint *out,
                              __local uint *part)
{
    uint id = get_local_id(0), n = get_local_size(0), x = 0;

    for (uint k = 0; k < in[get_global_id(0)] % 9; k++) {
        if (k == 5 && id % 3 == 0)
            break;
        x += in[get_global_id(0)] >> k;
    }
    part[id] = x;
    for (uint step = n / 2; step > 0; step /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (id < step)
            part[id] += part[id + step];
    }
    if (id == 0)
        out[get_group_id(0)] = part[0];
}

/* One printf record an item. */
__kernel WIDTH void print(__global const int *in)
{
    printf("%d %f\n", in[get_global_id(0)], 0.5f * in[get_global_id(0)]);
}

/* How many numbers of a group are odd, with races that lock-step hides: each item
 * clears, then counts; the first item waits for the last one's word. */
__kernel WIDTH void racing_count(__global const uint *in, __global uint *out)
{
    __local uint count[16];
    __local volatile uint done;
    uint i = get_local_id(0);

    for (uint n = 0; n < 16; n++)
        count[n] = 0;
    done = 0;
    for (uint n = 0; n < 64; n++) /* longer than the clearing takes */
        if ((in[get_global_id(0)] ^ n) == 0xFFFFFFFF)
            out[0] = 1;
    if (in[get_global_id(0)] & 1)
        atomic_inc(&count[i % 16]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i == get_local_size(0) - 1)
        done = 1;
    if (i == 0) {
        uint sum = 0;

        while (done == 0)
            ;
        for (uint n = 0; n < 16; n++)
            sum += count[n];
        out[get_group_id(0)] = sum;
    }
}
