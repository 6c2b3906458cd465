/* measured.cl - kernels that published measurements of real GPUs describe (igpu bench
 * measured): what each accesses and computes is the source's, the text is not.
 *
 * sample_random  8 bilinear samples at random places of a texture for each pixel.
 * update_16      a work-item reads 16 bytes, squares, adds and writes them; update_64
 *                the same with 64.
 * read_vN        each work-item sums 16 vectors of N floats, a work-group's width apart.
 * cell_noise     125 cells around a point: distance, power, sum.
 * lud_internal   a 16 x 16 block less the product of two others, as of an LU
 *                decomposition; neighbouring work-items lie in neighbouring rows. */

float2 random_place(float2 at)
{
    float3 p = at.xyx * (float3)(0.1031f, 0.1030f, 0.0973f);

    p -= floor(p);
    p += dot(p, p.yzx + 33.33f);
    p.xy = (p.xx + p.yz) * p.zy;
    return p.xy - floor(p.xy);
}

__kernel void sample_random(__read_only image2d_t texture, sampler_t repeat,
                            __global float *out, uint width)
{
    const float2 step[8] = {{0, 0},       {0.1f, 0.5f}, {0.2f, 0.6f}, {0.3f, 0.7f},
                            {0.4f, 0.8f}, {0.5f, 0.9f}, {0.6f, 0.1f}, {0.7f, 0.2f}};
    uint i = get_global_id(0);
    /* A message covers quads of 2 x 2 pixels, as in a pixel shader. */
    uint quad = i >> 2, x = 2 * (quad % (width / 2)) + (i & 1);
    uint y = 2 * (quad / (width / 2)) + (i >> 1 & 1);
    float2 at = random_place((float2)((float)x, (float)y));
    float4 sum = 0;

    for (uint k = 0; k < 8; k++)
        sum += read_imagef(texture, repeat, at + step[k]);
    if (sum.x < -1e20f)
        out[i] = sum.x + sum.y + sum.z + sum.w;
}

__kernel void update_16(__global float4 *data)
{
    float4 v = data[get_global_id(0)];

    data[get_global_id(0)] = v * v + 0.001f;
}

__kernel void update_64(__global float16 *data)
{
    float16 v = data[get_global_id(0)];

    data[get_global_id(0)] = v * v + 0.001f;
}

#define READ(type, name, total)                                                        \
    __kernel void name(__global const type *in, __global float *out)                   \
    {                                                                                  \
        uint at = get_group_id(0) * get_local_size(0) * 16 + get_local_id(0);          \
        type sum = 0;                                                                  \
                                                                                       \
        __attribute__((opencl_unroll_hint(16))) for (uint i = 0; i < 16; i++)          \
            sum += in[at + i * get_local_size(0)];                                     \
        out[get_global_id(0)] = total;                                                 \
    }

READ(float, read_v1, sum)
READ(float2, read_v2, sum.x + sum.y)
READ(float4, read_v4, sum.x + sum.y + sum.z + sum.w)

__kernel void cell_noise(__global float *out, uint width, float scale, float power)
{
    uint i = get_global_id(0);
    float3 at = (float3)((float)(i % width), (float)(i / width), 1) * scale;
    float3 cell = floor(at), in = at - cell;
    float sum = 0, weights = 0;

    for (int z = -2; z <= 2; z++)
        for (int y = -2; y <= 2; y++)
            for (int x = -2; x <= 2; x++) {
                float3 g = (float3)((float)x, (float)y, (float)z);
                float3 p = (cell + g) * (float3)(0.1031f, 0.1030f, 0.0973f), d;
                float s, w;

                p -= floor(p);
                p += dot(p, p.yxz + 33.33f);
                p = (p.xxy + p.yxx) * p.zyx;
                p -= floor(p);
                p = 2 * p - 1;
                d = g - in + p * (float3)(0.5f, 0.5f, 1);
                s = clamp(native_sqrt(dot(d, d)) * (1 / 1.414f), 0.0f, 1.0f);
                w = native_powr(1 - s * s * (3 - 2 * s), power);
                sum += w * p.z;
                weights += w;
            }
    out[i] = sum / weights;
}

#define BLOCK 16
__kernel void lud_internal(__global float *m, uint size, uint offset, uint across)
{
    __local float row[BLOCK * BLOCK], column[BLOCK * BLOCK];
    uint ty = get_local_id(0) % BLOCK, tx = get_local_id(0) / BLOCK;
    uint by = get_group_id(0) % across, bx = get_group_id(0) / across;
    uint down = offset + (by + 1) * BLOCK, right = offset + (bx + 1) * BLOCK;
    float sum = 0;

    row[ty * BLOCK + tx] = m[(offset + ty) * size + right + tx];
    column[ty * BLOCK + tx] = m[(down + ty) * size + offset + tx];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = 0; i < BLOCK; i++)
        sum += column[ty * BLOCK + i] * row[i * BLOCK + tx];
    m[(down + ty) * size + right + tx] -= sum;
}
