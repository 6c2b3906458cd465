/* arith.cl - one operation on one type, for `igpu bench flop` and `igpu bench power`.
 *
 * Kernel   arith, compiled with
 *          -DT=float|double|half|int, -DN=1|2|4|8|16 (elements of the vector type)
 *          -DOP_ADD|OP_SUB|OP_MUL|OP_DIV|OP_MAD
 *          -DSINGLE        one step on what is read from x, written back
 *          -DSTEPS=n       a loop of n dependent steps a turn (1: a plain loop)
 *          -DPRIVATE       the same in a private array: CHAINS elements side by side,
 *                          STEPS steps a turn over all of them
 * Steps    add x + a, sub x - a, mul x * a, div a / x (so that the argument changes in
 *          each step), mad x * a + b, rounded once.
 * Chain k of item g starts at x[g] + k. Without SINGLE, `loops` turns.
 * Output: the sum of the item's chains to x[g]. SIMD: as in mad.cl. */
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF

#ifdef SIMD
#define WIDTH __attribute__((intel_reqd_sub_group_size(SIMD)))
#else
#define WIDTH
#endif

#ifndef T /* the tests of the decoder compile every kernel without options */
#define T float
#define N 1
#define STEPS 8
#endif

#define PASTE(a, b) a##b
#define VECTOR(t, n) PASTE(t, n)
#if N == 1
typedef T V;
#else
typedef VECTOR(T, N) V;
#endif

#ifdef OP_ADD
#define STEP(x) x = x + a
#elif defined(OP_SUB)
#define STEP(x) x = x - a
#elif defined(OP_MUL)
#define STEP(x) x = x * a
#elif defined(OP_DIV)
#define STEP(x) x = a / x
#elif defined(INTEGER)
#define STEP(x) x = x * a + b
#else
#define STEP(x) x = fma(x, a, b)
#endif

/* As in mad.cl: a double that may differ between lanes is copied once, and not, as a
 * scalar, inside the loop. The shifted id is 0. */
#ifdef PER_LANE
#define FACTOR(v) ((V)((v) + (T)(uint)(get_global_id(0) >> 24)))
#else
#define FACTOR(v) ((V)(v))
#endif

#ifdef PRIVATE
#define CHAINS (N >= 8 ? 1 : 8 / N)
#endif

__kernel WIDTH void arith(__global V *x, int loops, T fa, T fb)
{
    V a = FACTOR(fa), b = FACTOR(fb);
    size_t g = get_global_id(0);
#ifdef SINGLE
    V v = x[g];
    STEP(v);
    x[g] = v;
#elif defined(PRIVATE)
    V p[CHAINS];
    for (int k = 0; k < CHAINS; k++)
        p[k] = x[g] + (V)(T)k;
    __attribute__((opencl_unroll_hint(1))) for (int i = 0; i < loops; i++)
    {
        __attribute__((opencl_unroll_hint(STEPS / CHAINS))) for (
            int j = 0; j < STEPS / CHAINS; j++)
            __attribute__((opencl_unroll_hint(CHAINS))) for (int k = 0; k < CHAINS;
                                                             k++)
                STEP(p[k]);
    }
    for (int k = 1; k < CHAINS; k++)
        p[0] += p[k];
    x[g] = p[0];
#else
    V v = x[g];
    __attribute__((opencl_unroll_hint(1))) for (int i = 0; i < loops; i++)
    {
        __attribute__((opencl_unroll_hint(STEPS))) for (int j = 0; j < STEPS; j++)
            STEP(v);
    }
    x[g] = v;
#endif
}
