/* linear.cl - dense linear algebra, n x n matrices row by row, single precision.
 *
 * gemv       y = A x, a row an item.
 * syrk       C = A A^T, lower triangle only, an element an item (2-D).
 * lu_step    one column of Gaussian elimination without pivoting: item (j, i) updates
 *            element (i, j) right of and below the pivot; l gets the factors.
 * jacobi     one sweep of Jacobi's method for A x = b.
 * transpose  out = in^T through a tile in SLM, work-groups of TILE x TILE.
 * SIMD: sub-group size to compile for. */
#ifdef SIMD
#define WIDTH __attribute__((intel_reqd_sub_group_size(SIMD)))
#else
#define WIDTH
#endif
#pragma OPENCL FP_CONTRACT OFF
#define TILE 8

__kernel WIDTH void gemv(__global const float *a, __global const float *x,
                         __global float *y, uint n)
{
    uint row = get_global_id(0);
    float sum = 0.0f;

    for (uint k = 0; k < n; k++)
        sum = fma(a[row * n + k], x[k], sum);
    y[row] = sum;
}

__kernel WIDTH void syrk(__global const float *a, __global float *c, uint n)
{
    uint j = get_global_id(0), i = get_global_id(1);
    float sum = 0.0f;

    if (j > i)
        return;
    for (uint k = 0; k < n; k++)
        sum = fma(a[i * n + k], a[j * n + k], sum);
    c[i * n + j] = sum;
}

__kernel WIDTH void lu_step(__global const float *in, __global float *out,
                            __global float *l, uint n, uint k)
{
    uint j = get_global_id(0), i = get_global_id(1);
    float value = in[i * n + j];

    if (i > k) {
        float factor = native_divide(in[i * n + k], in[k * n + k]);

        if (j == k)
            l[i] = factor;
        if (j > k)
            value = fma(-factor, in[k * n + j], value);
    }
    out[i * n + j] = value;
}

__kernel WIDTH void jacobi(__global const float *a, __global const float *b,
                           __global const float *x, __global float *next,
                           __global const float *inverse, uint n)
{
    uint i = get_global_id(0);
    float sum = b[i];

    for (uint k = 0; k < n; k++)
        if (k != i)
            sum = fma(-a[i * n + k], x[k], sum);
    next[i] = sum * inverse[i];
}

__kernel WIDTH void transpose(__global const float *in, __global float *out, uint n)
{
    __local float tile[TILE][TILE + 1];
    uint x = get_local_id(0), y = get_local_id(1);
    uint column = get_group_id(0) * TILE, row = get_group_id(1) * TILE;

    tile[y][x] = in[(row + y) * n + column + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[(column + y) * n + row + x] = tile[x][y];
}
