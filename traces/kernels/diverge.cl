/* diverge.cl - control flow that differs between the lanes of a thread.
 *
 * divergent   nested if/else in a loop, by lane and by data; `turns` turns.
 * collatz     steps to reach 1: every lane leaves the loop at its own time.
 * mandelbrot  iterations to escape, on single-precision numbers, at most `limit`.
 * control     switch in a loop with break, continue and an early return.
 * SIMD: sub-group size to compile for. */
#ifdef SIMD
#define WIDTH __attribute__((intel_reqd_sub_group_size(SIMD)))
#else
#define WIDTH
#endif
#pragma OPENCL FP_CONTRACT OFF

__kernel WIDTH void divergent(__global const uint *in, __global uint *out, uint turns)
{
    uint lane = get_global_id(0) & 31;
    uint x = in[get_global_id(0)];

    for (uint i = 0; i < turns; i++) {
        if (x & 1) {
            if (lane & 2)
                x = x * 3 + 1;
            else
                x = (x ^ (x >> 5)) * 9;
        } else {
            if ((x & 6) == 4) {
                x = (x >> 1) + lane;
                if (x & 8)
                    x += 0x9e3779b9u;
            } else {
                x = (x << 3) | (x >> 29);
                x ^= i;
            }
        }
    }
    out[get_global_id(0)] = x;
}

__kernel WIDTH void collatz(__global const uint *in, __global uint *out, uint limit)
{
    ulong x = in[get_global_id(0)];
    uint steps = 0;

    while (x > 1 && steps < limit) {
        x = (x & 1) ? x * 3 + 1 : x >> 1;
        steps++;
    }
    out[get_global_id(0)] = steps;
}

__kernel WIDTH void mandelbrot(__global uint *out, float left, float top, float step,
                               uint limit)
{
    float cx = left + (float)(uint)get_global_id(0) * step;
    float cy = top - (float)(uint)get_global_id(1) * step;
    float x = 0.0f, y = 0.0f;
    uint i = 0;

    while (i < limit) {
        float xx = x * x, yy = y * y;
        if (xx + yy > 4.0f)
            break;
        y = 2.0f * (x * y) + cy;
        x = (xx - yy) + cx;
        i++;
    }
    out[get_global_id(1) * get_global_size(0) + get_global_id(0)] = i;
}

__kernel WIDTH void control(__global const uint *in, __global uint *out, uint turns)
{
    uint item = get_global_id(0);
    uint x = in[item];

    out[item] = 0xffffffffu;
    if ((x & 0xff) == 7)
        return;
    for (uint i = 0; i < turns; i++) {
        switch (x % 7) {
        case 0:
            x += 0x1234567;
            break;
        case 1:
            x ^= x << 13;
            continue;
        case 2:
            x ^= x >> 17;
        case 3: /* 2 falls through */
            x *= 5;
            break;
        case 4: {
            uint j = 0;
            do {
                x = (x >> 3) + 11 * j;
                j++;
            } while (j < 10 && (x & 3) != 0);
            break;
        }
        default:
            x = ~x - item;
        }
        if (x < 1000)
            break;
        x += i;
    }
    out[item] = x;
}
