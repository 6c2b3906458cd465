/* pairs.cl - kernels of which the second of each pair does the same work in another way:
 * what igpu compare says of them is in pairs.txt. */

kernel void naive(global const float *a, global const float *b, global float *c, int n)
{
    int x = get_global_id(0), y = get_global_id(1);
    float s = 0;
    for (int k = 0; k < n; k++)
        s = fma(a[y * n + k], b[k * n + x], s);
    c[y * n + x] = s;
}
kernel void tiled(global const float *a, global const float *b, global float *c, int n)
{
    local float p[16][16], q[16][16];
    int x = get_global_id(0), y = get_global_id(1), i = get_local_id(0), j = get_local_id(1);
    float s = 0;
    for (int t = 0; t < n; t += 16) {
        p[j][i] = a[y * n + t + i];
        q[j][i] = b[(t + j) * n + x];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < 16; k++)
            s = fma(p[j][k], q[k][i], s);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[y * n + x] = s;
}

struct body { float x, y, z, w, vx, vy, vz, m; };
kernel void aos(global const struct body *b, global float *y)
{
    int i = get_global_id(0);
    y[i] = b[i].x + b[i].vy;
}
kernel void soa(global const float *b, global float *y)
{
    int i = get_global_id(0), n = get_global_size(0);
    y[i] = b[i] + b[5 * n + i];
}

kernel void divergent(global float *x, int n)
{
    float s = get_global_id(0);
    int turns = (get_global_id(0) & 15) * n;
    for (int i = 0; i < turns; i++)
        s = fma(s, 1.0001f, 0.5f);
    x[get_global_id(0)] = s;
}
kernel void uniform_turns(global float *x, int n)
{
    float s = get_global_id(0);
    int turns = (get_global_id(0) / 32 & 15) * n;
    for (int i = 0; i < turns; i++)
        s = fma(s, 1.0001f, 0.5f);
    x[get_global_id(0)] = s;
}

kernel void column(global const float *x, global float *y)
{
    local float t[16 * PITCH];
    int i = get_local_id(0), j = get_local_id(1), w = get_global_size(0);
    for (int k = 0; k < 8; k++) {
        t[j * PITCH + i] = x[get_global_id(1) * w + get_global_id(0)];
        barrier(CLK_LOCAL_MEM_FENCE);
        float s = 0;
        for (int n = 0; n < 8; n++)
            s += t[i * PITCH + (j + n & 15)];
        y[get_global_id(1) * w + get_global_id(0)] = s;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

kernel void global_bins(global const uint *x, global uint *bins)
{
    for (int k = 0; k < 16; k++)
        atomic_inc(&bins[x[get_global_id(0) + k * get_global_size(0)] & 63]);
}
kernel void local_bins(global const uint *x, global uint *bins)
{
    local uint mine[64];
    if (get_local_id(0) < 64)
        mine[get_local_id(0)] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 16; k++)
        atomic_inc(&mine[x[get_global_id(0) + k * get_global_size(0)] & 63]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) < 64)
        atomic_add(&bins[get_local_id(0)], mine[get_local_id(0)]);
}

kernel void words(global const float *x, global float *y)
{
    int n = get_global_size(0), i = get_global_id(0);
    y[i] = x[i] * 2;
    y[i + n] = x[i + n] * 2;
    y[i + 2 * n] = x[i + 2 * n] * 2;
    y[i + 3 * n] = x[i + 3 * n] * 2;
}
kernel void fours(global const float4 *x, global float4 *y)
{
    y[get_global_id(0)] = x[get_global_id(0)] * 2;
}

kernel void turns(global float *x, int n)
{
    float s = x[get_global_id(0)];
#pragma unroll UNROLL
    for (int i = 0; i < n; i++)
        s = fma(s, 1.0001f, (float)i);
    x[get_global_id(0)] = s;
}

kernel void from_buffer(global const float4 *x, global float4 *y)
{
    int i = get_global_id(1) * 256 + get_global_id(0);
    y[i] = x[i] * 2;
}
kernel void from_image(read_only image2d_t x, global float4 *y)
{
    int i = get_global_id(1) * 256 + get_global_id(0);
    y[i] = read_imagef(x, (int2)(get_global_id(0), get_global_id(1))) * 2;
}

#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void chains(global TYPE *x, int n)
{
    TYPE a = x[get_global_id(0)], b = a + (TYPE)1;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 16; k++)
            a = fma(a, b, (TYPE)0.5f), b = fma(b, a, (TYPE)0.25f);
    x[get_global_id(0)] = a + b;
}

kernel void many(global float *x, int n)
{
    float v[LIVE];
    int i = get_global_id(0), w = get_global_size(0);
    float s = 0;
    for (int k = 0; k < LIVE; k++)
        v[k] = x[i + (k & 15) * w] * k;
    for (int t = 0; t < n; t++) {
        for (int k = 0; k < LIVE; k++)
            v[k] = fma(v[k], v[(k + 7) % LIVE], 0.5f);
    }
    for (int k = 0; k < LIVE; k++)
        s += v[k];
    x[i] = s;
}
