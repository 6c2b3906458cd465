/* ops.cl - throughput of add, sub, mul and div: dependent steps in a loop.
 *
 * Kernels  <op>_sp[_v<N>]; compiled with -DDOUBLE: <op>_dp[_v<N>].
 * Steps    add x + a, sub x - a, mul x * a, div a / x (so that the division's
 *          argument changes in every step and nothing can be hoisted).
 *          64 / N steps a loop turn for add, sub, mul; 7 / N, at least 1, for
 *          div: its expansion is long, and an even number of steps would give
 *          the start again.
 * Chain k of item g starts at (g & 63) + k + 1, which is exact and not zero.
 * Output: the chains of item g, in order, from element g * N.
 * SIMD: sub-group size to compile for; without it the compiler chooses. */
#pragma OPENCL FP_CONTRACT OFF

#ifdef SIMD
#define WIDTH __attribute__((intel_reqd_sub_group_size(SIMD)))
#else
#define WIDTH
#endif

#ifdef DOUBLE
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define T double
#define NAME(op, v) op##_dp##v
#else
#define T float
#define NAME(op, v) op##_sp##v
#endif
#define PASTE(a, b) a##b
#define VEC(t, n) PASTE(t, n)

#define STEP_ADD(x) x = x + a
#define STEP_SUB(x) x = x - a
#define STEP_MUL(x) x = x * a
#define STEP_DIV(x) x = a / x

#define DEFINE_OP(name, V, SEQUENCE, STEP, STEPS)                              \
    __kernel WIDTH void name(__global V *out, int loops, T a)                  \
    {                                                                          \
        V x = (V)((T)(uint)(get_global_id(0) & 0x3f)) + SEQUENCE;              \
        __attribute__((opencl_unroll_hint(1))) for (int i = 0; i < loops; i++) \
        {                                                                      \
            __attribute__((opencl_unroll_hint(STEPS))) for (int j = 0;         \
                                                            j < STEPS; j++)    \
                STEP(x);                                                       \
        }                                                                      \
        out[get_global_id(0)] = x;                                             \
    }

#define V2 VEC(T, 2)
#define V4 VEC(T, 4)
#define V8 VEC(T, 8)
#define V16 VEC(T, 16)
#define SEQ1 (T)1
#define SEQ2 (V2)(1, 2)
#define SEQ4 (V4)(1, 2, 3, 4)
#define SEQ8 (V8)(1, 2, 3, 4, 5, 6, 7, 8)
#define SEQ16 (V16)(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)

#define DEFINE_WIDTHS(op, STEP)                                                \
    DEFINE_OP(NAME(op, ), T, SEQ1, STEP, 64)                                   \
    DEFINE_OP(NAME(op, _v2), V2, SEQ2, STEP, 32)                               \
    DEFINE_OP(NAME(op, _v4), V4, SEQ4, STEP, 16)                               \
    DEFINE_OP(NAME(op, _v8), V8, SEQ8, STEP, 8)                                \
    DEFINE_OP(NAME(op, _v16), V16, SEQ16, STEP, 4)

DEFINE_WIDTHS(add, STEP_ADD)
DEFINE_WIDTHS(sub, STEP_SUB)
DEFINE_WIDTHS(mul, STEP_MUL)
DEFINE_OP(NAME(div, ), T, SEQ1, STEP_DIV, 7)
DEFINE_OP(NAME(div, _v2), V2, SEQ2, STEP_DIV, 3)
DEFINE_OP(NAME(div, _v4), V4, SEQ4, STEP_DIV, 1)
DEFINE_OP(NAME(div, _v8), V8, SEQ8, STEP_DIV, 1)
DEFINE_OP(NAME(div, _v16), V16, SEQ16, STEP_DIV, 1)
