/* stencil.cl - five-point stencil on a grid of single-precision numbers.
 *
 * out = fma(0.2, ((north + south) + (west + east)), 0.2 * centre) inside; the
 * border is copied. Both kernels give equal bits.
 * stencil        straight from memory.
 * stencil_tiled  a 16 x 16 tile with its halo in SLM; local size 16 x 16.
 * The global size is the grid. SIMD: sub-group size to compile for. */
#ifdef SIMD
#define WIDTH __attribute__((intel_reqd_sub_group_size(SIMD)))
#else
#define WIDTH
#endif
#pragma OPENCL FP_CONTRACT OFF
#define TILE 16

float five_points(float centre, float north, float south, float west, float east)
{
    float around = (north + south) + (west + east);

    return fma(0.2f, around, 0.2f * centre);
}

__kernel WIDTH void stencil(__global const float *in, __global float *out)
{
    int x = get_global_id(0), y = get_global_id(1);
    int width = get_global_size(0), height = get_global_size(1);
    int at = y * width + x;

    if (x == 0 || y == 0 || x == width - 1 || y == height - 1)
        out[at] = in[at];
    else
        out[at] = five_points(in[at], in[at - width], in[at + width], in[at - 1],
                              in[at + 1]);
}

__kernel WIDTH void stencil_tiled(__global const float *in, __global float *out)
{
    __local float tile[TILE + 2][TILE + 2];
    int x = get_global_id(0), y = get_global_id(1);
    int width = get_global_size(0), height = get_global_size(1);
    int lx = get_local_id(0) + 1, ly = get_local_id(1) + 1;
    int at = y * width + x;

    tile[ly][lx] = in[at];
    if (lx == 1 && x > 0)
        tile[ly][0] = in[at - 1];
    if (lx == TILE && x < width - 1)
        tile[ly][TILE + 1] = in[at + 1];
    if (ly == 1 && y > 0)
        tile[0][lx] = in[at - width];
    if (ly == TILE && y < height - 1)
        tile[TILE + 1][lx] = in[at + width];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (x == 0 || y == 0 || x == width - 1 || y == height - 1)
        out[at] = tile[ly][lx];
    else
        out[at] = five_points(tile[ly][lx], tile[ly - 1][lx], tile[ly + 1][lx],
                              tile[ly][lx - 1], tile[ly][lx + 1]);
}
