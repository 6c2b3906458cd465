/* emu_copy.c - fused moves whose result is the low bits of their source: raw moves, and
 * integers to as many bits or fewer. Compilers take 64-bit values, structures and
 * narrow types apart with such moves, at a stride of two elements or more. */
#include "emu_host.h"
#include "emu_int.h"

/* Element i of a register region, a stride of `step` bytes. */
#define AT(T, p, i, step) (*(T *)((p) + (int32_t)(i) * (step)))

#define READ(T, N, step)                                                               \
    for (uint32_t i = 0; i < N; i++)                                                   \
    v[i] = AT(const T, from, i, step)

#define WRITE(T, N, step)                                                              \
    for (uint32_t i = 0; i < N; i++)                                                   \
    AT(T, to, i, step) = v[i]

/* Strides that are constants make vector loads and shuffles. */
#define COPY(name, N, T, TARGET)                                                       \
    TARGET static void name(struct emu_thread *t, const struct emu_op *op,             \
                            uint32_t mask)                                             \
    {                                                                                  \
        const struct emu_src *s = &op->src[0];                                         \
        const uint8_t *from =                                                          \
            s->is_imm ? (const uint8_t *)&s->imm : (const uint8_t *)t + s->off;        \
        uint8_t *to = (uint8_t *)t + op->dst.off;                                      \
        int32_t in = s->is_imm || s->region == EMU_REG_SCALAR ? 0 : s->stride;         \
        int32_t out = op->dst.stride, size = (int32_t)sizeof(T);                       \
        T v[N];                                                                        \
                                                                                       \
        if (in == size)                                                                \
            READ(T, N, (int32_t)sizeof(T));                                            \
        else if (in == 2 * size)                                                       \
            READ(T, N, 2 * (int32_t)sizeof(T));                                        \
        else if (in == 0)                                                              \
            READ(T, N, 0);                                                             \
        else                                                                           \
            READ(T, N, in);                                                            \
        if (mask != op->full) {                                                        \
            for (uint32_t i = 0; i < N; i++)                                           \
                if (mask >> i & 1)                                                     \
                    AT(T, to, i, out) = v[i];                                          \
        } else if (out == size) {                                                      \
            WRITE(T, N, (int32_t)sizeof(T));                                           \
        } else if (out == 2 * size) {                                                  \
            WRITE(T, N, 2 * (int32_t)sizeof(T));                                       \
        } else {                                                                       \
            WRITE(T, N, out);                                                          \
        }                                                                              \
    }

#define SIZES(N, suffix, TARGET)                                                       \
    COPY(copy1_##suffix, N, emu_ub, TARGET)                                            \
    COPY(copy2_##suffix, N, emu_uw, TARGET)                                            \
    COPY(copy4_##suffix, N, emu_ud, TARGET)                                            \
    COPY(copy8_##suffix, N, emu_uq, TARGET)

SIZES(4, x4, ANY_HOST)
SIZES(8, x8, ANY_HOST)
SIZES(16, x16, ANY_HOST)
#if HAVE_AVX2
SIZES(4, avx4, AVX2)
SIZES(8, avx8, AVX2)
SIZES(16, avx16, AVX2)
#endif

/* [2, 3, 4 log of lanes][log of bytes] */
#define ROW(suffix)                                                                    \
    {                                                                                  \
        copy1_##suffix, copy2_##suffix, copy4_##suffix, copy8_##suffix                 \
    }
#define TABLE(a, b, c)                                                                 \
    {                                                                                  \
        ROW(a), ROW(b), ROW(c)                                                         \
    }

emu_run_fn *emu_pick_copy(const struct emu_op *op)
{
    static emu_run_fn *const any[3][4] = TABLE(x4, x8, x16);
    emu_run_fn *const(*table)[4] = any;
    uint32_t size = isa_type_bytes((enum isa_type)op->dst.type);
    uint32_t from = isa_type_bytes((enum isa_type)op->src[0].type);

#if HAVE_AVX2
    static emu_run_fn *const avx2[3][4] = TABLE(avx4, avx8, avx16);

    if (emu_has_avx2())
        table = avx2;
#endif
    if (op->exec < 4 || op->exec > 16 || from < size || op->src[0].mod)
        return NULL;
    return table[__builtin_ctz(op->exec) - 2][__builtin_ctz(size)];
}
