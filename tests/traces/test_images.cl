/* test_images.cl - one kernel for each way to reach an image; see test_images.c.
 * Coordinates come from a buffer, results go to one; a work-item has one of each. */
#pragma OPENCL EXTENSION cl_khr_3d_image_writes : enable
#define PARAMS(K) read_only K##_t im, sampler_t s, global const float4 *at
#define ME size_t i = get_global_id(0)

#define READ(K, coordinate, whole)                                                     \
    kernel void f_##K(PARAMS(K), global float4 *out)                                   \
    { ME; out[i] = read_imagef(im, s, at[i] coordinate); }                             \
    kernel void i_##K(PARAMS(K), global int4 *out)                                     \
    { ME; out[i] = read_imagei(im, s, at[i] coordinate); }                             \
    kernel void u_##K(PARAMS(K), global uint4 *out)                                    \
    { ME; out[i] = read_imageui(im, s, at[i] coordinate); }                            \
    kernel void fi_##K(PARAMS(K), global float4 *out)                                  \
    { ME; int4 c = convert_int4(at[i]); out[i] = read_imagef(im, s, whole); }          \
    kernel void ii_##K(PARAMS(K), global int4 *out)                                    \
    { ME; int4 c = convert_int4(at[i]); out[i] = read_imagei(im, s, whole); }          \
    kernel void ui_##K(PARAMS(K), global uint4 *out)                                   \
    { ME; int4 c = convert_int4(at[i]); out[i] = read_imageui(im, s, whole); }         \
    kernel void f0_##K(read_only K##_t im, global const float4 *at, global float4 *out) \
    { ME; int4 c = convert_int4(at[i]); out[i] = read_imagef(im, whole); }             \
    kernel void w_##K(write_only K##_t im, global const float4 *at,                    \
                      global const float4 *v)                                          \
    { ME; int4 c = convert_int4(at[i]); write_imagef(im, whole, v[i]); }               \
    kernel void wi_##K(write_only K##_t im, global const float4 *at,                   \
                       global const int4 *v)                                           \
    { ME; int4 c = convert_int4(at[i]); write_imagei(im, whole, v[i]); }               \
    kernel void wu_##K(write_only K##_t im, global const float4 *at,                   \
                       global const uint4 *v)                                          \
    { ME; int4 c = convert_int4(at[i]); write_imageui(im, whole, v[i]); }

READ(image1d, .x, c.x)
READ(image1d_array, .xy, c.xy)
READ(image2d, .xy, c.xy)
READ(image2d_array, , c)
READ(image3d, , c)

kernel void f0_image1d_buffer(read_only image1d_buffer_t im, global const float4 *at,
                              global float4 *out)
{ ME; out[i] = read_imagef(im, convert_int4(at[i]).x); }
kernel void w_image1d_buffer(write_only image1d_buffer_t im, global const float4 *at,
                             global const float4 *v)
{ ME; write_imagef(im, convert_int4(at[i]).x, v[i]); }

/* A sampler in the source, and two images with two samplers. */
constant sampler_t fixed = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_MIRRORED_REPEAT |
                           CLK_FILTER_LINEAR;
kernel void in_source(read_only image2d_t im, global const float4 *at,
                      global float4 *out)
{ ME; out[i] = read_imagef(im, fixed, at[i].xy); }
kernel void blend(read_only image2d_t a, read_only image2d_t b, sampler_t s,
                  sampler_t t, global const float4 *at, global float4 *out)
{ ME; out[i] = read_imagef(a, s, at[i].xy) - 2.0f * read_imagef(b, t, at[i].xy); }

/* Only some work-items read or write. */
kernel void some(read_only image2d_t a, write_only image2d_t b, sampler_t s,
                 global const float4 *at, global float4 *out)
{
    ME;
    if (i % 3 == 0)
        out[i] = read_imagef(a, s, at[i].xy);
    else if (i % 3 == 1)
        write_imagef(b, (int2)(i % 16, i / 16), (float4)(i));
}

kernel void ask(read_only image1d_t a, read_only image1d_array_t b,
                read_only image2d_t c, read_only image2d_array_t d,
                read_only image3d_t e, read_only image1d_buffer_t f, global int *out)
{
    out[0] = get_image_width(a);
    out[1] = get_image_width(b);
    out[2] = get_image_array_size(b);
    out[3] = get_image_width(c);
    out[4] = get_image_height(c);
    out[5] = get_image_channel_order(c);
    out[6] = get_image_channel_data_type(c);
    out[7] = get_image_height(d);
    out[8] = get_image_array_size(d);
    out[9] = get_image_depth(e);
    out[10] = get_image_channel_order(e) == CLK_LUMINANCE;
    out[11] = get_image_channel_data_type(e) == CLK_HALF_FLOAT;
    out[12] = get_image_width(f);
    out[13] = get_image_dim(e).z;
}
