/* emu_copy.c - fused moves whose result is the low bits of their source: raw moves, and
 * integers to as many bits or fewer. Compilers take 64-bit values, structures and
 * narrow types apart with such moves, at a stride of two elements. */
#include "emu_host.h"
#include "emu_int.h"

/* Element i of a register region with `step` bytes from one to the next. */
#define AT(T, p, i, step) (*(T *)((p) + (int32_t)(i) * (step)))

/* Any strides. All is read before anything is written. */
#define COPY(name, N, T, TARGET)                                                       \
    HANDLER(name, TARGET)                                                              \
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
#define COPY_FROM_TO(name, any, N, T, TARGET, in, out)                                 \
    HANDLER(name, TARGET)                                                              \
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

#define STRIDES(name, N, T, TARGET)                                                    \
    COPY(name, N, T, TARGET)                                                           \
    COPY_FROM_TO(name##_01, name, N, T, TARGET, 0, 1)                                  \
    COPY_FROM_TO(name##_02, name, N, T, TARGET, 0, 2)                                  \
    COPY_FROM_TO(name##_11, name, N, T, TARGET, 1, 1)                                  \
    COPY_FROM_TO(name##_12, name, N, T, TARGET, 1, 2)                                  \
    COPY_FROM_TO(name##_21, name, N, T, TARGET, 2, 1)                                  \
    COPY_FROM_TO(name##_22, name, N, T, TARGET, 2, 2)

#define SIZES(N, suffix, TARGET)                                                       \
    STRIDES(copy1_##suffix, N, emu_ub, TARGET)                                         \
    STRIDES(copy2_##suffix, N, emu_uw, TARGET)                                         \
    STRIDES(copy4_##suffix, N, emu_ud, TARGET)                                         \
    STRIDES(copy8_##suffix, N, emu_uq, TARGET)

SIZES(4, x4, ANY_HOST)
SIZES(8, x8, ANY_HOST)
SIZES(16, x16, ANY_HOST)
#if HAVE_AVX2
SIZES(4, avx4, AVX2)
SIZES(8, avx8, AVX2)
SIZES(16, avx16, AVX2)
#endif

/* ---- choice ------------------------------------------------------------- */

struct copies {
    emu_run_fn *any, *by[3][3]; /* [source's stride][destination's] in elements */
};

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
/* [log2 of lanes, less 2][log2 of bytes] */
#define TABLE(a, b, c)                                                                 \
    {                                                                                  \
        ROW(a), ROW(b), ROW(c)                                                         \
    }

static const struct copies *copies_of(uint32_t lanes, uint32_t size)
{
    static const struct copies any[3][4] = TABLE(x4, x8, x16);
    uint32_t row = (uint32_t)__builtin_ctz(lanes) - 2;
    uint32_t column = (uint32_t)__builtin_ctz(size);

#if HAVE_AVX2
    static const struct copies avx2[3][4] = TABLE(avx4, avx8, avx16);

    if (emu_has_avx2())
        return &avx2[row][column];
#endif
    return &any[row][column];
}

emu_run_fn *emu_pick_copy(const struct emu_op *op)
{
    const struct emu_src *s = &op->src[0];
    int32_t size = (int32_t)isa_type_bytes((enum isa_type)op->dst.type);
    int32_t in = emu_src_step(s) / size, out = op->dst.stride / size;
    const struct copies *c;

    if (op->exec < 4 || op->exec > 16 || s->mod ||
        (int32_t)isa_type_bytes((enum isa_type)s->type) < size)
        return NULL;
    c = copies_of(op->exec, (uint32_t)size);
    if (in < 0 || in > 2 || in * size != emu_src_step(s) || out < 1 || out > 2)
        return c->any;
    return c->by[in][out];
}
