/* mad.cl - multiply-add throughput: x = x * a + b, rounded once.
 *
 * Kernels  mad_<type>[_v<N>|_ind|_unrolled|_private]
 *          type: sp float, dp double, hp half, int 32-bit integer.
 *          plain    one dependent chain per work-item; 64 steps a loop turn
 *          v<N>     a vector of N elements: N independent chains
 *          ind      8 scalar chains, written out
 *          unrolled 1024 steps of straight code, no loop
 *          private  8 chains kept in a private array
 * Every loop turn holds 64 steps in total over the item's chains, so the
 * turn's own instructions cost about 1 %.
 * Chain k of item g starts at (g & 63) + k, which is exact in every type.
 * Output: the chains of item g, in order, from element g * chains.
 * SIMD: sub-group size to compile for; without it the compiler chooses. */
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

#ifdef SIMD
#define WIDTH __attribute__((intel_reqd_sub_group_size(SIMD)))
#else
#define WIDTH
#endif

#define STEPS 64
#define STRAIGHT 1024
#define CHAINS 8

#define MAD_F(x) x = fma(x, a, b)
#define MAD_I(x) x = x * a + b

/* How a kernel reads its factors. A three-source instruction on doubles cannot
 * repeat a scalar over the lanes, and the compiler would copy it into registers again
 * and again inside the loop; a value that it takes to differ between lanes is copied
 * once. The shifted id is 0 in every launch below 2^24 items. */
#define SCALAR(v) (v)
#define PER_LANE(v) ((v) + (double)(uint)(get_global_id(0) >> 24))

/* One dependent chain. */
#define DEFINE_CHAIN(name, T, STEP, FACTOR)                                    \
    __kernel WIDTH void name(__global T *out, int loops, T fa, T fb)           \
    {                                                                          \
        T a = FACTOR(fa), b = FACTOR(fb);                                      \
        T x = (T)(uint)(get_global_id(0) & 0x3f);                              \
        __attribute__((opencl_unroll_hint(1))) for (int i = 0; i < loops; i++) \
        {                                                                      \
            __attribute__((opencl_unroll_hint(STEPS))) for (int j = 0;         \
                                                            j < STEPS; j++)    \
                STEP(x);                                                       \
        }                                                                      \
        out[get_global_id(0)] = x;                                             \
    }

/* Straight code: `loops` is not used, the signature stays the same. */
#define DEFINE_UNROLLED(name, T, STEP, FACTOR)                                 \
    __kernel WIDTH void name(__global T *out, int loops, T fa, T fb)           \
    {                                                                          \
        T a = FACTOR(fa), b = FACTOR(fb);                                      \
        T x = (T)(uint)(get_global_id(0) & 0x3f);                              \
        __attribute__((opencl_unroll_hint(STRAIGHT))) for (int j = 0;          \
                                                           j < STRAIGHT; j++)  \
            STEP(x);                                                           \
        out[get_global_id(0)] = x;                                             \
    }

/* N chains in one vector. The start differs in every element. */
#define DEFINE_VECTOR(name, T, N, STEP, FACTOR, SEQUENCE)                      \
    __kernel WIDTH void name(__global T##N *out, int loops, T fa, T fb)        \
    {                                                                          \
        T a = FACTOR(fa), b = FACTOR(fb);                                      \
        T##N x = (T##N)((T)(uint)(get_global_id(0) & 0x3f)) + SEQUENCE;        \
        __attribute__((opencl_unroll_hint(1))) for (int i = 0; i < loops; i++) \
        {                                                                      \
            __attribute__((opencl_unroll_hint(STEPS / N))) for (               \
                int j = 0; j < STEPS / N; j++)                                 \
                STEP(x);                                                       \
        }                                                                      \
        out[get_global_id(0)] = x;                                             \
    }

/* Eight scalar chains side by side. */
#define DEFINE_INDEPENDENT(name, T, STEP, FACTOR)                              \
    __kernel WIDTH void name(__global T *out, int loops, T fa, T fb)           \
    {                                                                          \
        T a = FACTOR(fa), b = FACTOR(fb);                                      \
        T x0 = (T)(uint)(get_global_id(0) & 0x3f);                             \
        T x1 = x0 + (T)1, x2 = x0 + (T)2, x3 = x0 + (T)3, x4 = x0 + (T)4;      \
        T x5 = x0 + (T)5, x6 = x0 + (T)6, x7 = x0 + (T)7;                      \
        __attribute__((opencl_unroll_hint(1))) for (int i = 0; i < loops; i++) \
        {                                                                      \
            __attribute__((opencl_unroll_hint(STEPS / CHAINS))) for (          \
                int j = 0; j < STEPS / CHAINS; j++) {                          \
                STEP(x0);                                                      \
                STEP(x1);                                                      \
                STEP(x2);                                                      \
                STEP(x3);                                                      \
                STEP(x4);                                                      \
                STEP(x5);                                                      \
                STEP(x6);                                                      \
                STEP(x7);                                                      \
            }                                                                  \
        }                                                                      \
        __global T *mine = out + get_global_id(0) * CHAINS;                    \
        mine[0] = x0;                                                          \
        mine[1] = x1;                                                          \
        mine[2] = x2;                                                          \
        mine[3] = x3;                                                          \
        mine[4] = x4;                                                          \
        mine[5] = x5;                                                          \
        mine[6] = x6;                                                          \
        mine[7] = x7;                                                          \
    }

/* The chains' state and their multiplicand in private arrays. */
#define DEFINE_PRIVATE(name, T, STEP, FACTOR)                                  \
    __kernel WIDTH void name(__global T *out, int loops, T fa, T fb)           \
    {                                                                          \
        T a = FACTOR(fa), b = FACTOR(fb);                                      \
        T x[CHAINS];                                                           \
        for (int k = 0; k < CHAINS; k++)                                       \
            x[k] = (T)(uint)(get_global_id(0) & 0x3f) + (T)k;                  \
        __attribute__((opencl_unroll_hint(1))) for (int i = 0; i < loops; i++) \
        {                                                                      \
            __attribute__((opencl_unroll_hint(STEPS / CHAINS))) for (          \
                int j = 0; j < STEPS / CHAINS; j++)                            \
                __attribute__((opencl_unroll_hint(CHAINS))) for (              \
                    int k = 0; k < CHAINS; k++)                                \
                    STEP(x[k]);                                                \
        }                                                                      \
        for (int k = 0; k < CHAINS; k++)                                       \
            out[get_global_id(0) * CHAINS + k] = x[k];                         \
    }

#define SEQ2(T) (T##2)(0, 1)
#define SEQ4(T) (T##4)(0, 1, 2, 3)
#define SEQ8(T) (T##8)(0, 1, 2, 3, 4, 5, 6, 7)
#define SEQ16(T) (T##16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)

#define DEFINE_TYPE(p, T, STEP, FACTOR)                                        \
    DEFINE_CHAIN(p, T, STEP, FACTOR)                                           \
    DEFINE_UNROLLED(p##_unrolled, T, STEP, FACTOR)                             \
    DEFINE_VECTOR(p##_v2, T, 2, STEP, FACTOR, SEQ2(T))                         \
    DEFINE_VECTOR(p##_v4, T, 4, STEP, FACTOR, SEQ4(T))                         \
    DEFINE_VECTOR(p##_v8, T, 8, STEP, FACTOR, SEQ8(T))                         \
    DEFINE_VECTOR(p##_v16, T, 16, STEP, FACTOR, SEQ16(T))                      \
    DEFINE_INDEPENDENT(p##_ind, T, STEP, FACTOR)                               \
    DEFINE_PRIVATE(p##_private, T, STEP, FACTOR)

DEFINE_TYPE(mad_sp, float, MAD_F, SCALAR)
DEFINE_TYPE(mad_dp, double, MAD_F, PER_LANE)
DEFINE_TYPE(mad_int, int, MAD_I, SCALAR)
#ifdef cl_khr_fp16
DEFINE_TYPE(mad_hp, half, MAD_F, SCALAR)
#endif
