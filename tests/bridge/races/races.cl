/* Kernels of tests/bridge/test_races.sh. */
#ifdef LAX
#define BETWEEN
#else
#define BETWEEN barrier(CLK_LOCAL_MEM_FENCE)
#endif

/* A reduction whose steps want a barrier between them. */
kernel void sum(global const uint *in, global uint *out, local uint *part)
{
    uint i = get_local_id(0);

    part[i] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint s = get_local_size(0) / 2; s > 0; s /= 2) {
        if (i < s)
            part[i] += part[i + s];
        BETWEEN;
    }
    if (i == 0)
        out[get_group_id(0)] = part[0];
}

/* Groups that count in one place. */
kernel void count(global uint *out)
{
#ifdef LAX
    if (get_local_id(0) == 0)
        out[1] += 1;
#else
    atomic_inc(&out[1]);
#endif
}

/* All write what is the same, or not. */
kernel void flag(global uint *out, uint different)
{
    out[2] = different ? get_group_id(0) : 7;
}

/* Lanes of one message. */
kernel void lanes(global uint *out)
{
    out[get_global_id(0) / 2] = get_global_id(0);
}

/* Bytes of a dword are apart, unless a thread writes its neighbour's. */
kernel void bytes(global uchar *out, uint by)
{
    uint i = get_global_id(0);

    out[i] = i;
    if (i % 64 == 31)
        out[i + by] = 77;
}

/* What the next group may have written. */
kernel void shift(global uint *out)
{
    uint i = get_global_id(0);

    out[i] = out[i + 64] + 1;
}

/* In global memory, within a group: a barrier orders it. */
kernel void turn(global uint *out)
{
    uint i = get_local_id(0), n = get_local_size(0);
    global uint *mine = out + get_group_id(0) * n;

    mine[i] = i;
#ifndef LAX
    barrier(CLK_GLOBAL_MEM_FENCE);
#endif
    out[get_global_size(0) + get_global_id(0)] = mine[n - 1 - i];
}

/* As many barriers as there are phases, between a write and a read; and a race behind
 * them. */
kernel void many(global uint *out, local uint *part, uint turns)
{
    uint i = get_local_id(0), n = get_local_size(0);

    part[i] = i;
    for (uint k = 0; k < turns; k++)
        barrier(CLK_LOCAL_MEM_FENCE);
#ifdef LAX
    part[i] += turns;
#endif
    out[get_global_id(0)] = part[n - 1 - i];
}

/* Atomics and a plain read of the same word. */
kernel void mixed(global uint *out, local uint *n)
{
    if (get_local_id(0) == 0)
        n[0] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc(n);
    BETWEEN;
    out[get_global_id(0)] = n[0];
}

/* Private memory is each work-item's own. */
kernel void own(global uint *out, uint at)
{
    uint own[64];

    for (uint k = 0; k < 64; k++)
        own[k] = out[k] + k;
    out[64 + get_global_id(0)] = own[at & 63];
}

/* Where each writes its texel, or all the same one. */
kernel void texels(write_only image2d_t image, int same)
{
    int2 at = same ? (int2)(0, 0) : (int2)(get_global_id(0), get_global_id(1));

    write_imagef(image, at, (float4)(get_global_id(0)));
}
