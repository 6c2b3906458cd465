/* monte.cl - random sampling; each item has its own xorshift generator.
 *
 * monte_pi       points of the unit square inside the circle, in integers.
 * random_walk    a walk on a torus of 256 x 256; its last place and how often it was
 *                back at its start.
 * black_scholes  price of a call option (native exp and log: a tolerance).
 * ising_step     one colour of a checkerboard update of spins, acceptance by a table.
 * SIMD: sub-group size to compile for. */
#ifdef SIMD
#define WIDTH __attribute__((intel_reqd_sub_group_size(SIMD)))
#else
#define WIDTH
#endif
#pragma OPENCL FP_CONTRACT OFF

uint next(uint *state)
{
    uint x = *state;

    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    return *state = x;
}

__kernel WIDTH void monte_pi(__global const uint *seed, __global uint *out, uint samples)
{
    uint item = get_global_id(0), state = seed[item] | 1, inside = 0;

    for (uint i = 0; i < samples; i++) {
        uint r = next(&state), x = r & 0xffff, y = r >> 16;

        inside += x * x <= 0xffffffffu - y * y;
    }
    out[item] = inside;
}

__kernel WIDTH void random_walk(__global const uint *seed, __global uint *out, uint steps)
{
    uint item = get_global_id(0), state = seed[item] | 1, x = 0, y = 0, home = 0;

    for (uint i = 0; i < steps; i++) {
        switch (next(&state) >> 7 & 3) {
        case 0:
            x++;
            break;
        case 1:
            x--;
            break;
        case 2:
            y++;
            break;
        default:
            y--;
        }
        if (((x | y) & 255) == 0)
            home++;
    }
    out[item] = (x & 255) | (y & 255) << 8 | home << 16;
}

__kernel WIDTH void black_scholes(__global const float *spot, __global const float *strike,
                                  __global const float *years, __global float *out,
                                  float rate, float vola)
{
    uint i = get_global_id(0);
    float s = spot[i], k = strike[i], t = years[i];
    float width = vola * native_sqrt(t);
    float d[2], n[2];

    d[0] = native_divide(native_log(native_divide(s, k)) +
                             (rate + 0.5f * vola * vola) * t,
                         width);
    d[1] = d[0] - width;
    for (int j = 0; j < 2; j++) {
        float x = fabs(d[j]), u = native_recip(1.0f + 0.2316419f * x);
        float p = u * (0.31938153f +
                       u * (-0.356563782f +
                            u * (1.781477937f + u * (-1.821255978f + u * 1.330274429f))));

        p *= 0.3989422804f * native_exp(-0.5f * x * x);
        n[j] = d[j] < 0 ? p : 1.0f - p;
    }
    out[i] = s * n[0] - k * native_exp(-rate * t) * n[1];
}

__kernel WIDTH void ising_step(__global int *spin, __global uint *seed, uint n,
                               uint colour)
{
    const uint accept[5] = {~0u, ~0u, ~0u, 579000000u, 78000000u};
    uint item = get_global_id(0), y = item / (n / 2);
    uint x = 2 * (item % (n / 2)) + ((y + colour) & 1), state = seed[item] | 1;
    int around = spin[y * n + (x + 1) % n] + spin[y * n + (x + n - 1) % n] +
                 spin[(y + 1) % n * n + x] + spin[(y + n - 1) % n * n + x];
    int energy = spin[y * n + x] * around;

    if (next(&state) <= accept[(energy + 4) / 2])
        spin[y * n + x] = -spin[y * n + x];
    seed[item] = state;
}
