/* verdicts.cl - kernels that are held up by one thing each, alone or with a setting of
 * verdicts.txt that takes away what else could. */

/* Dependent single-precision chain: latency with few threads, FPUs with many. */
kernel void chain(global float *x, int n)
{
    float s = x[get_global_id(0)];
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 32; k++)
            s = fma(s, 1.0001f, 0.5f);
    x[get_global_id(0)] = s;
}

kernel void half_chain(global float *x, int n)
{
    half a = 1, b = 2, c = 3, d = 4;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 16; k++) {
            a = fma(a, (half)1.01, (half)0.5), b = fma(b, (half)1.01, (half)0.5);
            c = fma(c, (half)1.01, (half)0.5), d = fma(d, (half)1.01, (half)0.5);
        }
    x[get_global_id(0)] = (float)(a + b + c + d);
}

kernel void integers(global int *x, int n)
{
    int a = x[get_global_id(0)], b = a + 1, c = a + 2, d = a + 3;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 16; k++)
            a = (a ^ k) + 3, b = (b ^ k) + 5, c = (c ^ k) + 7, d = (d ^ k) + 9;
    x[get_global_id(0)] = a + b + c + d;
}

kernel void doubles(global float *x, int n)
{
    double a = x[get_global_id(0)], b = a + 1;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 16; k++)
            a = fma(a, 1.0001 + a, 0.5), b = fma(b, 1.0001 + b, 0.5);
    x[get_global_id(0)] = (float)(a + b);
}

kernel void sines(global float *x, int n)
{
    float a = x[get_global_id(0)], b = a + 1;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 16; k++)
            a = native_sin(a), b = native_sin(b);
    x[get_global_id(0)] = a + b;
}

kernel void roots(global float *x, int n)
{
    float a = x[get_global_id(0)], b = a + 1;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 16; k++)
            a = native_rsqrt(a), b = native_rsqrt(b);
    x[get_global_id(0)] = a + b;
}

/* Flags: each turn of a loop needs the compare before it. */
kernel void turns(global int *x, int n)
{
    int s = 0;
    while (s < n)
        s += 1 + (s >> 30);
    x[get_global_id(0)] = s;
}

/* Chase: one address after the other. */
kernel void chase(global const uint *p, global uint *out, int n)
{
    uint at = 0;
    for (int i = 0; i < n; i++)
        at = p[at / 4];
    out[get_global_id(0)] = at;
}

kernel void chase_slm(global uint *out, int n)
{
    local uint p[256];
    int i = get_local_id(0);
    p[i] = (i * 5 + 3) & 255;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint at = i;
    for (int k = 0; k < n; k++)
        at = p[at];
    out[get_global_id(0)] = at;
}

/* Words of SLM, `step` apart from lane to lane: 16 meets one bank. */
kernel void banks(global uint *out, int n, int step)
{
    local uint p[4096];
    int i = get_local_id(0);
    uint s = 0;
    for (int k = i; k < 4096; k += get_local_size(0))
        p[k] = k;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < n; k++) {
        s += p[(i * step + k) & 4095];
        s ^= p[(i * step + k + 64) & 4095];
        s += p[(i * step + k + 128) & 4095];
        s ^= p[(i * step + k + 192) & 4095];
    }
    out[get_global_id(0)] = s;
}

kernel void barriers(global uint *out, int n)
{
    uint s = get_local_id(0);
    for (int i = 0; i < n; i++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        s += i;
    }
    out[get_global_id(0)] = s;
}

/* Only the first item of a group works; the others wait for it. */
kernel void uneven(global float *out, int n)
{
    float s = get_local_id(0);
    for (int i = 0; i < n; i++) {
        if (get_local_id(0) < 32)
            for (int k = 0; k < 64; k++)
                s = fma(s, 1.0001f, 0.5f);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = s;
}

kernel void copy(global const float4 *x, global float4 *y)
{
    y[get_global_id(0)] = x[get_global_id(0)];
}

kernel void add(global const float *x, global float *y)
{
    y[get_global_id(0)] = x[get_global_id(0)] + 1;
}

/* The same data again and again: what comes from the L3. */
kernel void again(global const float4 *x, global float *y, int n, int mask)
{
    float4 s = 0;
    int at = get_global_id(0);
    for (int i = 0; i < n; i++) {
        s += x[at & mask];
        s += x[at + 64 & mask];
        s += x[at + 128 & mask];
        s += x[at + 192 & mask];
    }
    y[get_global_id(0)] = s.x + s.y + s.z + s.w;
}

/* One stream over more than the L3 holds, again and again. */
kernel void walk(global const float4 *x, global float *y, int n, int mask)
{
    float4 s = 0;
    int at = get_global_id(0);
    for (int i = 0; i < n; i++)
        s += x[at + i * 5376 & mask];
    y[at] = s.x + s.y + s.z + s.w;
}

/* A line for each lane. */
kernel void lines(global const float *x, global float *y, int n, int mask)
{
    float s = 0;
    int at = get_global_id(0) * 16;
    for (int i = 0; i < n; i++) {
        s += x[at + 16 * i & mask];
        s += x[at + 16 * i + 1024 & mask];
    }
    y[get_global_id(0)] = s;
}

kernel void stores(global float *y, int n)
{
    int at = get_global_id(0);
    for (int i = 0; i < n; i++) {
        y[at] = i;
        y[at + 4096] = i;
        y[at + 8192] = i;
        y[at + 12288] = i;
    }
}

kernel void one_counter(global uint *y, int n)
{
    for (int i = 0; i < n; i++)
        atomic_add(&y[get_global_id(0) & 1], i);
}

kernel void fences(global uint *y, int n)
{
    for (int i = 0; i < n; i++)
        mem_fence(CLK_GLOBAL_MEM_FENCE);
    y[get_global_id(0)] = n;
}

kernel void nothing(global uint *y)
{
    if (y == 0)
        y[0] = 1;
}

/* The first threads live much longer. */
kernel void long_first(global float *x, int n)
{
    float s = 1;
    int turns = get_global_id(0) < 64 ? n : 1;
    for (int i = 0; i < turns; i++)
        s = fma(s, 1.0001f, 0.5f);
    x[get_global_id(0)] = s;
}

/* Long straight code. */
#define P(k) s = fma(s, k, 0.5f), t = fma(t, s, k);
#define P8(k) P(k) P(k + 1.f) P(k + 2.f) P(k + 3.f) P(k + 4.f) P(k + 5.f) P(k + 6.f) P(k + 7.f)
#define P64(k) P8(k) P8(k + 8.f) P8(k + 16.f) P8(k + 24.f) P8(k + 32.f) P8(k + 40.f) P8(k + 48.f) P8(k + 56.f)
kernel void straight(global float *x, int n)
{
    float s = x[get_global_id(0)], t = s;
    for (int i = 0; i < n; i++) {
        P64(1.f) P64(65.f) P64(129.f) P64(193.f)
    }
    x[get_global_id(0)] = s + t;
}

constant sampler_t linear = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;
kernel void texels(read_only image2d_t image, global float *y, int n)
{
    float4 s = 0;
    for (int i = 0; i < n; i++)
        s += read_imagef(image, linear, (float2)(get_global_id(0) * 0.0001f, i * 0.001f));
    y[get_global_id(0)] = s.x + s.y;
}

/* Divergent: each lane another way. */
kernel void ways(global int *x, int n)
{
    int s = get_global_id(0);
    for (int i = 0; i < n; i++) {
        if (s & 1) s = s * 3 + 1; else s >>= 1;
        if (s & 2) s += 5; else s ^= 3;
        if (s & 4) s -= 7; else s += 11;
    }
    x[get_global_id(0)] = s;
}

/* Much comes, little of it is needed. */
kernel void blocks(global uint *x, global uint *y, int n, int mask)
{
    uint s = 0;
    for (int i = 0; i < n; i++)
        s += intel_sub_group_block_read8(x + (s + i * 256 & mask)).s0;
    y[get_global_id(0)] = s;
}

/* Branches over code that nobody executes: each goes to another line. */
#define J(k)                                                                            \
    if (n & 1 << k) {                                                                   \
        s = fma(s, t, k + .5f), t = fma(t, s, k + .25f), s = fma(s, t, k + .75f);               \
        t = fma(t, s, k + .125f), s = fma(s, t, k + .375f), t = fma(t, s, k + .625f);           \
    }
kernel void jumps(global float *x, int n, int m)
{
    float s = x[get_global_id(0)], t = s;
    for (int i = 0; i < m; i++) {
        J(1) J(2) J(3) J(4) J(5) J(6) J(7) J(8) J(9) J(10) J(11) J(12) J(13) J(14) J(15)
        J(16) J(17) J(18) J(19) J(20) J(21) J(22) J(23) J(24) J(25) J(26) J(27) J(28) J(29)
    }
    x[get_global_id(0)] = s + t;
}
