/* emu_copy.c - fused moves whose result is the low bits of their source: raw moves, and
 * integers to as many bits or fewer. Compilers take 64-bit values, structures and
 * narrow types apart with such moves, at a stride of two elements. */
#include "emu_host.h"

/* Element i of a register region with `step` bytes from one to the next. */
#define AT(T, p, i, step) (*(T *)((p) + (int32_t)(i) * (step)))

/* Any strides. All is read before anything is written. */
#define COPY(name, N, T)                                                               \
    HANDLER(name)                                                                      \
    {                                                                                  \
        const uint8_t *from = emu_src_at(t, &op->src[0]);                              \
        uint8_t *to = (uint8_t *)t + op->dst.off;                                      \
        int32_t in = emu_src_step(&op->src[0]), out = op->dst.stride;                  \
        T v[N];                                                                        \
                                                                                       \
        for (uint32_t i = 0; i < N; i++)                                               \
            v[i] = AT(const T, from, i, in);                                           \
        for (uint32_t i = 0; i < N; i++)                                               \
            if (mask >> i & 1)                                                         \
                AT(T, to, i, out) = v[i];                                              \
    }

/* The common strides, in elements: constants make vector loads and shuffles. */
#define COPY_FROM_TO(name, any, N, T, in, out)                                         \
    HANDLER(name)                                                                      \
    {                                                                                  \
        const uint8_t *from = emu_src_at(t, &op->src[0]);                              \
        uint8_t *to = (uint8_t *)t + op->dst.off;                                      \
        T v[N];                                                                        \
                                                                                       \
        if (mask != op->full) {                                                        \
            any(t, op, mask);                                                          \
            return;                                                                    \
        }                                                                              \
        for (uint32_t i = 0; i < N; i++)                                               \
            v[i] = AT(const T, from, i, (in) * (int32_t)sizeof(T));                    \
        for (uint32_t i = 0; i < N; i++)                                               \
            AT(T, to, i, (out) * (int32_t)sizeof(T)) = v[i];                           \
    }

#define STRIDES(name, N, T)                                                            \
    COPY(name, N, T)                                                                   \
    COPY_FROM_TO(name##_01, name, N, T, 0, 1)                                          \
    COPY_FROM_TO(name##_02, name, N, T, 0, 2)                                          \
    COPY_FROM_TO(name##_11, name, N, T, 1, 1)                                          \
    COPY_FROM_TO(name##_12, name, N, T, 1, 2)                                          \
    COPY_FROM_TO(name##_21, name, N, T, 2, 1)                                          \
    COPY_FROM_TO(name##_22, name, N, T, 2, 2)

#define SIZES(N, suffix)                                                               \
    STRIDES(copy1_##suffix, N, emu_ub)                                                 \
    STRIDES(copy2_##suffix, N, emu_uw)                                                 \
    STRIDES(copy4_##suffix, N, emu_ud)                                                 \
    STRIDES(copy8_##suffix, N, emu_uq)

SIZES(4, x4)
SIZES(8, x8)
SIZES(16, x16)

/* ---- the table ---------------------------------------------------------- */

#define COPIES(name)                                                                   \
    {                                                                                  \
        .any = name, .by = {                                                           \
            {NULL, name##_01, name##_02},                                              \
            {NULL, name##_11, name##_12},                                              \
            {NULL, name##_21, name##_22}                                               \
        }                                                                              \
    }
#define ROW(suffix)                                                                    \
    {                                                                                  \
        COPIES(copy1_##suffix), COPIES(copy2_##suffix), COPIES(copy4_##suffix),        \
            COPIES(copy8_##suffix)                                                     \
    }

const struct emu_copies EMU_HOST(emu_copies)[3][4] = {ROW(x4), ROW(x8), ROW(x16)};
