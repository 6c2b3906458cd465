/* signal.cl - signals and bodies.
 *
 * fft_stage   one stage of a radix-2 FFT over n complex numbers, twiddles in a buffer.
 * fir         finite impulse response, `taps` coefficients.
 * haar        one level of the Haar wavelet.
 * nbody       accelerations of n bodies (x y z mass) by native_rsqrt: a tolerance.
 * lbm_collide relaxation of a D2Q9 lattice towards its density's equilibrium weights.
 * SIMD: sub-group size to compile for. */
#ifdef SIMD
#define WIDTH __attribute__((intel_reqd_sub_group_size(SIMD)))
#else
#define WIDTH
#endif
#pragma OPENCL FP_CONTRACT OFF

__kernel WIDTH void fft_stage(__global const float2 *in, __global float2 *out,
                              __global const float2 *twiddle, uint n, uint half_size)
{
    uint i = get_global_id(0), k = i & (half_size - 1);
    uint top = 2 * (i - k) + k, stride = n / (2 * half_size);
    float2 w = twiddle[k * stride], a = in[top], b = in[top + half_size], t;

    t.x = fma(b.x, w.x, -(b.y * w.y));
    t.y = fma(b.x, w.y, b.y * w.x);
    out[top] = a + t;
    out[top + half_size] = a - t;
}

__kernel WIDTH void fir(__global const float *in, __global const float *coefficient,
                        __global float *out, uint taps)
{
    uint i = get_global_id(0);
    float sum = 0.0f;

    for (uint k = 0; k < taps; k++)
        sum = fma(in[i + k], coefficient[k], sum);
    out[i] = sum;
}

__kernel WIDTH void haar(__global const float *in, __global float *out, uint half_size)
{
    uint i = get_global_id(0);

    out[i] = (in[2 * i] + in[2 * i + 1]) * 0.5f;
    out[half_size + i] = (in[2 * i] - in[2 * i + 1]) * 0.5f;
}

__kernel WIDTH void nbody(__global const float4 *body, __global float4 *out, uint n)
{
    float4 own = body[get_global_id(0)];
    float3 force = (float3)(0.0f);

    for (uint k = 0; k < n; k++) {
        float3 r = body[k].xyz - own.xyz;
        float inverse = native_rsqrt(r.x * r.x + r.y * r.y + r.z * r.z + 0.01f);

        force += r * (body[k].w * inverse * inverse * inverse);
    }
    out[get_global_id(0)] = (float4)(force, own.w);
}

__kernel WIDTH void lbm_collide(__global const float *in, __global float *out, uint cells,
                                float omega)
{
    const float share[9] = {4.0f / 9, 1.0f / 9, 1.0f / 9,  1.0f / 9, 1.0f / 9,
                            1.0f / 36, 1.0f / 36, 1.0f / 36, 1.0f / 36};
    uint i = get_global_id(0);
    float rho = 0.0f;

    for (uint d = 0; d < 9; d++)
        rho += in[d * cells + i];
    for (uint d = 0; d < 9; d++)
        out[d * cells + i] =
            fma(omega, fma(share[d], rho, -in[d * cells + i]), in[d * cells + i]);
}
