/* test_images_half.cl - reads and writes of half, depth images and images that are read
 * and written, at each SIMD width (-DSIMD=8, 16, 32); see test_images_half.c. */
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#define SG __attribute__((intel_reqd_sub_group_size(SIMD)))

SG kernel void halfs(read_only image2d_t a, sampler_t s, global half4 *out,
                     global const float2 *at)
{ size_t i = get_global_id(0); out[i] = read_imageh(a, s, at[i]); }

SG kernel void depths(read_only image2d_depth_t a, read_only image2d_array_depth_t b,
                      sampler_t s, global float *out, global const float2 *at)
{ size_t i = get_global_id(0);
    out[i] = read_imagef(a, s, at[i]) + 2 * read_imagef(b, s, (float4)(at[i], 1.0f, 0.0f));
}

SG kernel void both(read_write image2d_t a)
{
    int2 c = (int2)((int)get_global_id(0) % 8, (int)get_global_id(0) / 8);
    float4 v = read_imagef(a, c);
    write_imagef(a, c, v.wzyx * 0.5f);
}

SG kernel void put(write_only image2d_t a, global const half4 *in)
{
    int i = (int)get_global_id(0);
    write_imageh(a, (int2)(i % 8, i / 8), in[i]);
}
