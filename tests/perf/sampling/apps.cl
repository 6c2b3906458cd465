/* apps.cl - the kernels of apps.c. */
kernel void spmv(global const int *column, global const float *value,
                 global const float *x, global float *y)
{
    uint r = get_global_id(0);
    float sum = 0;

    for (uint i = 8 * r; i < 8 * r + 8; i++)
        sum += value[i] * x[column[i]];
    y[r] = sum;
}

kernel void axpy(global float *y, global const float *x, float a)
{
    y[get_global_id(0)] += a * x[get_global_id(0)];
}

kernel void dot_part(global const float *x, global const float *y, global float *out,
                     local float *sum)
{
    uint l = get_local_id(0);

    sum[l] = x[get_global_id(0)] * y[get_global_id(0)];
    for (uint n = get_local_size(0) / 2; n > 0; n /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < n)
            sum[l] += sum[l + n];
    }
    if (l == 0)
        out[get_group_id(0)] = sum[0];
}

kernel void relax(global const float *in, global float *out)
{
    uint x = get_global_id(0), y = get_global_id(1), w = get_global_size(0);
    uint left = x > 0 ? x - 1 : x, right = x + 1 < w ? x + 1 : x;
    uint up = y > 0 ? y - 1 : y, down = y + 1 < get_global_size(1) ? y + 1 : y;

    out[y * w + x] = 0.25f * (in[y * w + left] + in[y * w + right] + in[up * w + x] +
                              in[down * w + x]);
}

kernel void lu_row(global float *a, uint n, uint k)
{
    uint x = k + 1 + get_global_id(0), y = k + 1 + get_global_id(1);

    if (x < n && y < n)
        a[y * n + x] -= a[y * n + k] / a[k * n + k] * a[k * n + x];
}

kernel void compare(global uint *a, uint size, uint step)
{
    uint i = get_global_id(0), low = 2 * i - (i & (step - 1)), high = low + step;
    uint x = a[low], y = a[high];

    if ((x > y) == ((low & size) == 0)) {
        a[low] = y;
        a[high] = x;
    }
}

kernel void frontier(global const uint *to, global uint *level, uint now)
{
    uint v = get_global_id(0);

    if (level[v] != now)
        return;
    for (uint i = 0; i < 6; i++) {
        uint u = to[6 * v + i];

        if (level[u] > now + 1)
            level[u] = now + 1;
    }
}

kernel void forces(global const float4 *body, global float4 *force, uint n)
{
    float4 me = body[get_global_id(0)], sum = 0;

    for (uint i = 0; i < n; i++) {
        float4 d = body[i] - me;

        sum += d * native_rsqrt(d.x * d.x + d.y * d.y + d.z * d.z + 0.01f);
    }
    force[get_global_id(0)] = sum;
}

kernel void move(global float4 *body, global const float4 *force)
{
    body[get_global_id(0)] += force[get_global_id(0)] * 1e-4f;
}
