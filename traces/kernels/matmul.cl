/* matmul.cl - C = A * B, square matrices of single-precision numbers, row major.
 *
 * Each element is a chain of fused multiply-adds over ascending k, from 0, in both
 * kernels, so their results are equal to the bit.
 * matmul_naive  one element a work-item, straight from memory.
 * matmul_tiled  16 x 16 tiles through SLM; local size 16 x 16, n a multiple of 16.
 * SIMD: sub-group size to compile for. */
#ifdef SIMD
#define WIDTH __attribute__((intel_reqd_sub_group_size(SIMD)))
#else
#define WIDTH
#endif
#define TILE 16

__kernel WIDTH void matmul_naive(__global const float *a, __global const float *b,
                                 __global float *c, int n)
{
    int x = get_global_id(0), y = get_global_id(1);
    float sum = 0.0f;

    for (int k = 0; k < n; k++)
        sum = fma(a[y * n + k], b[k * n + x], sum);
    c[y * n + x] = sum;
}

__kernel WIDTH void matmul_tiled(__global const float *a, __global const float *b,
                                 __global float *c, int n)
{
    __local float tile_a[TILE][TILE], tile_b[TILE][TILE];
    int lx = get_local_id(0), ly = get_local_id(1);
    int x = get_global_id(0), y = get_global_id(1);
    float sum = 0.0f;

    for (int from = 0; from < n; from += TILE) {
        tile_a[ly][lx] = a[y * n + from + lx];
        tile_b[ly][lx] = b[(from + ly) * n + x];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < TILE; k++)
            sum = fma(tile_a[ly][k], tile_b[k][lx], sum);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[y * n + x] = sum;
}
