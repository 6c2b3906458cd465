/* image.cl - image processing on buffers of width x height, 2-D ranges; pixels outside
 * are those of the nearest edge.
 *
 * sobel     gradient magnitude (sum of absolute values, at most 255) of 8-bit grey.
 * median3   median of 3 x 3 by a sorting network.
 * gray      8-bit RGBA words to grey, weights 77 150 29 of 256.
 * conv5     5 x 5 convolution in single precision, weights in constant memory.
 * dct8      8 x 8 discrete cosine transform of rows, table in constant memory.
 * life      one generation of Conway's Game of Life on a torus.
 * dilate    3 x 3 maximum with vload/vstore of 4 pixels an item.
 * SIMD: sub-group size to compile for. */
#ifdef SIMD
#define WIDTH __attribute__((intel_reqd_sub_group_size(SIMD)))
#else
#define WIDTH
#endif
#pragma OPENCL FP_CONTRACT OFF

uint at(__global const uchar *in, int x, int y)
{
    x = clamp(x, 0, (int)get_global_size(0) - 1);
    y = clamp(y, 0, (int)get_global_size(1) - 1);
    return in[y * get_global_size(0) + x];
}

__kernel WIDTH void sobel(__global const uchar *in, __global uchar *out)
{
    int x = get_global_id(0), y = get_global_id(1);
    int h = at(in, x + 1, y - 1) + 2 * at(in, x + 1, y) + at(in, x + 1, y + 1) -
            at(in, x - 1, y - 1) - 2 * at(in, x - 1, y) - at(in, x - 1, y + 1);
    int v = at(in, x - 1, y + 1) + 2 * at(in, x, y + 1) + at(in, x + 1, y + 1) -
            at(in, x - 1, y - 1) - 2 * at(in, x, y - 1) - at(in, x + 1, y - 1);

    out[y * get_global_size(0) + x] = min(abs(h) + abs(v), 255u);
}

#define SWAP(a, b)                                                                     \
    {                                                                                  \
        uint low = min(p[a], p[b]);                                                    \
        p[b] = max(p[a], p[b]);                                                        \
        p[a] = low;                                                                    \
    }

__kernel WIDTH void median3(__global const uchar *in, __global uchar *out)
{
    int x = get_global_id(0), y = get_global_id(1);
    uint p[9];

    for (int i = 0; i < 9; i++)
        p[i] = at(in, x + i % 3 - 1, y + i / 3 - 1);
    for (int i = 0; i < 5; i++)
        for (int k = i; k < 8; k++)
            SWAP(i, k + 1);
    out[y * get_global_size(0) + x] = p[4];
}

__kernel WIDTH void gray(__global const uint *in, __global uchar *out)
{
    uint i = get_global_id(1) * get_global_size(0) + get_global_id(0);
    uint p = in[i];

    out[i] = ((p & 255) * 77 + (p >> 8 & 255) * 150 + (p >> 16 & 255) * 29) >> 8;
}

__constant float weight[25] = {1, 4, 6, 4, 1, 4, 16, 24, 16, 4, 6, 24, 36,
                               24, 6, 4, 16, 24, 16, 4, 1, 4, 6, 4, 1};

__kernel WIDTH void conv5(__global const float *in, __global float *out)
{
    int x = get_global_id(0), y = get_global_id(1);
    int w = get_global_size(0), h = get_global_size(1);
    float sum = 0.0f;

    for (int j = -2; j <= 2; j++)
        for (int i = -2; i <= 2; i++)
            sum = fma(in[clamp(y + j, 0, h - 1) * w + clamp(x + i, 0, w - 1)],
                      weight[(j + 2) * 5 + i + 2], sum);
    out[y * w + x] = sum * (1.0f / 256);
}

__constant float cosine[8][8] = {
    {1.0f, 1.0f, 1.0f, 1.0f, 1.0f, 1.0f, 1.0f, 1.0f},
    {0.98f, 0.83f, 0.56f, 0.20f, -0.20f, -0.56f, -0.83f, -0.98f},
    {0.92f, 0.38f, -0.38f, -0.92f, -0.92f, -0.38f, 0.38f, 0.92f},
    {0.83f, -0.20f, -0.98f, -0.56f, 0.56f, 0.98f, 0.20f, -0.83f},
    {0.71f, -0.71f, -0.71f, 0.71f, 0.71f, -0.71f, -0.71f, 0.71f},
    {0.56f, -0.98f, 0.20f, 0.83f, -0.83f, -0.20f, 0.98f, -0.56f},
    {0.38f, -0.92f, 0.92f, -0.38f, -0.38f, 0.92f, -0.92f, 0.38f},
    {0.20f, -0.56f, 0.83f, -0.98f, 0.98f, -0.83f, 0.56f, -0.20f}};

__kernel WIDTH void dct8(__global const float *in, __global float *out)
{
    uint x = get_global_id(0), y = get_global_id(1), w = get_global_size(0);
    float sum = 0.0f;

    for (uint k = 0; k < 8; k++)
        sum = fma(in[y * w + (x & ~7u) + k], cosine[x & 7][k], sum);
    out[y * w + x] = sum;
}

__kernel WIDTH void life(__global const uchar *in, __global uchar *out)
{
    uint x = get_global_id(0), y = get_global_id(1);
    uint w = get_global_size(0), h = get_global_size(1), n = 0;

    for (uint j = h - 1; j <= h + 1; j++)
        for (uint i = w - 1; i <= w + 1; i++)
            n += in[(y + j) % h * w + (x + i) % w] & 1;
    n -= in[y * w + x] & 1;
    out[y * w + x] = n == 3 || (n == 2 && (in[y * w + x] & 1));
}

__kernel WIDTH void dilate(__global const uchar *in, __global uchar *out, int w)
{
    int x = get_global_id(0), y = get_global_id(1), h = get_global_size(1);
    uchar4 most = (uchar4)(0);

    for (int j = -1; j <= 1; j++) {
        int row = clamp(y + j, 0, h - 1) * w;
        uchar4 p = vload4(0, in + row + 4 * x);
        uchar left = in[row + max(4 * x - 1, 0)];
        uchar right = in[row + min(4 * x + 4, w - 1)];

        most = max(most, max(p, max((uchar4)(left, p.xyz), (uchar4)(p.yzw, right))));
    }
    vstore4(most, 0, out + y * w + 4 * x);
}
