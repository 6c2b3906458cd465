/* emu_store.c - results to registers: conversion, rounding, masks, regions. */
#include "emu_int.h"

#include <math.h>

int64_t emu_wrap(int64_t value, enum isa_type type)
{
    switch (type) {
    case ISA_TYPE_UB:
        return (uint8_t)value;
    case ISA_TYPE_B:
        return (int8_t)value;
    case ISA_TYPE_UW:
    case ISA_TYPE_HF:
        return (uint16_t)value;
    case ISA_TYPE_W:
        return (int16_t)value;
    case ISA_TYPE_UD:
    case ISA_TYPE_F:
        return (uint32_t)value;
    case ISA_TYPE_D:
        return (int32_t)value;
    default:
        return value;
    }
}

/* ---- floating point to narrower floating point -------------------------- */

static uint64_t bits_of(double x)
{
    uint64_t u;

    memcpy(&u, &x, sizeof(u));
    return u;
}

static uint16_t emu_double_to_half(double value, enum emu_round round)
{
    struct emu_num n = emu_num_unpack(bits_of(value), ISA_TYPE_DF);

    if (n.cls == EMU_NAN)
        return (uint16_t)((bits_of(value) >> 48 & 0x8000) | 0x7E00 |
                          (bits_of(value) >> 42 & 0x3FF));
    return (uint16_t)emu_num_pack(&n, ISA_TYPE_HF, round);
}

static float emu_double_to_float(double value, enum emu_round round)
{
    struct emu_num n;
    uint32_t u;
    float f;

    if (round == EMU_RNE || isnan(value))
        return (float)value;
    n = emu_num_unpack(bits_of(value), ISA_TYPE_DF);
    u = (uint32_t)emu_num_pack(&n, ISA_TYPE_F, round);
    memcpy(&f, &u, sizeof(f));
    return f;
}

/* ---- integers ----------------------------------------------------------- */

/* A float holds these exactly, however it rounds: pixels' coordinates, small counts.
 * Not of 64-bit sources, of which a lane with modifiers does not hold the value. */
static bool is_exact(int64_t lane)
{
    return lane >= 0 && lane < 1 << 24;
}

static uint64_t exact_float(int64_t lane)
{
    float f = (float)lane;
    uint32_t u;

    memcpy(&u, &f, sizeof(u));
    return u;
}

/* Bits of an integer as floating-point `type`. */
static uint64_t int_to_float(emu_i128 value, enum isa_type type, enum emu_round round)
{
    struct emu_num n =
        emu_num_from_int((uint64_t)(value < 0 ? -value : value), value < 0);

    return emu_num_pack(&n, type, round);
}

static double round_double(double x, enum emu_round round)
{
    switch (round) {
    case EMU_RNE:
        return rint(x);
    case EMU_RTP:
        return ceil(x);
    case EMU_RTN:
        return floor(x);
    default:
        return trunc(x);
    }
}

/* Saturating; NaN gives 0. */
static int64_t float_to_int(double x, enum isa_type type, enum emu_round round)
{
    static const struct {
        double low, high; /* the first whole numbers outside */
        int64_t min, max;
    } range[ISA_TYPE_COUNT] = {
        [ISA_TYPE_UB] = {-1, 256, 0, UINT8_MAX},
        [ISA_TYPE_B] = {-129, 128, INT8_MIN, INT8_MAX},
        [ISA_TYPE_UW] = {-1, 65536, 0, UINT16_MAX},
        [ISA_TYPE_W] = {-32769, 32768, INT16_MIN, INT16_MAX},
        [ISA_TYPE_UD] = {-1, 4294967296.0, 0, UINT32_MAX},
        [ISA_TYPE_D] = {-2147483649.0, 2147483648.0, INT32_MIN, INT32_MAX},
        [ISA_TYPE_UQ] = {-1, 0x1p64, 0, -1},
        [ISA_TYPE_Q] = {-0x1.0000000000001p63, 0x1p63, INT64_MIN, INT64_MAX},
    };

    if (isnan(x))
        return 0;
    x = round_double(x, round);
    if (x <= range[type].low)
        return range[type].min;
    if (x >= range[type].high)
        return range[type].max;
    if (type == ISA_TYPE_UQ)
        return (int64_t)(uint64_t)x;
    return (int64_t)x;
}

/* ---- conversion of a whole result to the bits that are stored ----------- */

/* A move's 64-bit source may exceed the lane; other results fit. */
static emu_i128 int_value(const struct emu_op *op, int64_t lane)
{
    return op->opcode == ISA_OP_MOV ? emu_wide_value(op, 0, lane) : lane;
}

static void int_results(const struct emu_thread *t, const struct emu_op *op,
                        const union emu_lanes *r, uint64_t *bits)
{
    enum isa_type type = (enum isa_type)op->dst.type;

    if (isa_type_is_float(type) && !op->raw) {
        for (uint32_t i = 0; i < op->exec; i++)
            bits[i] = type == ISA_TYPE_F && !op->is64 && is_exact(r->i[i])
                          ? exact_float(r->i[i])
                          : int_to_float(int_value(op, r->i[i]), type,
                                         (enum emu_round)t->round);
    } else {
        for (uint32_t i = 0; i < op->exec; i++)
            bits[i] = (uint64_t)r->i[i];
    }
}

static uint64_t float_result(const struct emu_thread *t, double x, enum isa_type type)
{
    float f;
    uint32_t u;

    switch (type) {
    case ISA_TYPE_HF:
        return emu_double_to_half(x, (enum emu_round)t->round);
    case ISA_TYPE_F:
        f = emu_double_to_float(x, (enum emu_round)t->round);
        memcpy(&u, &f, sizeof(u));
        return u;
    case ISA_TYPE_DF:
        return bits_of(x);
    default:
        return (uint64_t)float_to_int(
            x, type, t->int_round ? (enum emu_round)t->round : EMU_RTZ);
    }
}

uint64_t emu_float_bits(const struct emu_thread *t, const struct emu_op *op,
                        const union emu_lanes *r, uint32_t i)
{
    double x = op->dst.dom == EMU_DOM_F32 ? (double)r->f[i] : r->d[i];

    return float_result(t, x, (enum isa_type)op->dst.type);
}

static void f32_results(const struct emu_thread *t, const struct emu_op *op,
                        const union emu_lanes *r, uint64_t *bits)
{
    enum isa_type type = (enum isa_type)op->dst.type;

    for (uint32_t i = 0; i < op->exec; i++) {
        if (type == ISA_TYPE_F)
            bits[i] = ((const emu_ud *)r->f)[i];
        else if (type == ISA_TYPE_HF && t->round == EMU_RNE)
            bits[i] = igpu_float_to_half(r->f[i]);
        else
            bits[i] = float_result(t, (double)r->f[i], type);
    }
}

/* The exponent's bits where the thread flushes denormals of the type, else 0. */
static uint64_t flush_mask(const struct emu_thread *t, enum isa_type type)
{
    switch (type) {
    case ISA_TYPE_HF:
        return t->ftz & EMU_FTZ_HF ? 0x7C00 : 0;
    case ISA_TYPE_F:
        return t->ftz & EMU_FTZ_F ? 0x7F800000 : 0;
    case ISA_TYPE_DF:
        return t->ftz & EMU_FTZ_DF ? 0x7FF0000000000000 : 0;
    default:
        return 0;
    }
}

static void flush_bits(const struct emu_thread *t, enum isa_type type, uint32_t n,
                       uint64_t *bits)
{
    uint64_t exponent = flush_mask(t, type);
    uint64_t sign = (uint64_t)1 << (8 * isa_type_bytes(type) - 1);

    if (exponent == 0)
        return;
    for (uint32_t i = 0; i < n; i++)
        if ((bits[i] & exponent) == 0)
            bits[i] &= sign;
}

double emu_float_value(const struct emu_thread *t, enum isa_type type, uint64_t bits)
{
    uint32_t low;
    double d;
    float f;

    flush_bits(t, type, 1, &bits);
    if (type == ISA_TYPE_HF)
        return (double)igpu_half_to_float((uint16_t)bits);
    if (type == ISA_TYPE_DF) {
        memcpy(&d, &bits, sizeof(d));
        return d;
    }
    low = (uint32_t)bits;
    memcpy(&f, &low, sizeof(f));
    return (double)f;
}

/* ---- saturation --------------------------------------------------------- */

static void saturate_int(const struct emu_op *op, union emu_lanes *r)
{
    static const struct {
        int64_t min, max;
    } range[ISA_TYPE_COUNT] = {
        [ISA_TYPE_UB] = {0, UINT8_MAX},         [ISA_TYPE_B] = {INT8_MIN, INT8_MAX},
        [ISA_TYPE_UW] = {0, UINT16_MAX},        [ISA_TYPE_W] = {INT16_MIN, INT16_MAX},
        [ISA_TYPE_UD] = {0, UINT32_MAX},        [ISA_TYPE_D] = {INT32_MIN, INT32_MAX},
        [ISA_TYPE_UQ] = {INT64_MIN, INT64_MAX}, [ISA_TYPE_Q] = {INT64_MIN, INT64_MAX},
    };

    for (uint32_t i = 0; i < op->exec; i++) {
        if (r->i[i] < range[op->dst.type].min)
            r->i[i] = range[op->dst.type].min;
        if (r->i[i] > range[op->dst.type].max)
            r->i[i] = range[op->dst.type].max;
    }
}

/* Floats saturate to [0, 1], NaN to 0. */
static void saturate(const struct emu_op *op, union emu_lanes *r)
{
    bool to_float = isa_type_is_float((enum isa_type)op->dst.type);

    if (op->dst.dom == EMU_DOM_INT) {
        for (uint32_t i = 0; i < op->exec && to_float; i++)
            r->i[i] = op->raw ? r->i[i] : int_value(op, r->i[i]) > 0;
        if (!to_float) /* 64-bit results come saturated from emu_wide.c */
            saturate_int(op, r);
        return;
    }
    if (!to_float) /* conversions saturate by themselves */
        return;
    for (uint32_t i = 0; i < op->exec; i++) {
        if (op->dst.dom == EMU_DOM_F32)
            r->f[i] = !(r->f[i] > 0) ? 0 : r->f[i] > 1 ? 1 : r->f[i];
        else
            r->d[i] = !(r->d[i] > 0) ? 0 : r->d[i] > 1 ? 1 : r->d[i];
    }
}

/* ---- writing ------------------------------------------------------------ */

#define WRITE_LANES(T)                                                                 \
    do {                                                                               \
        if (stride == (int32_t)sizeof(T) && mask == op->full) {                        \
            T *q = (T *)p;                                                             \
                                                                                       \
            for (uint32_t i = 0; i < op->exec; i++)                                    \
                q[i] = (T)bits[i];                                                     \
        } else {                                                                       \
            for (uint32_t i = 0; i < op->exec; i++)                                    \
                if (mask >> i & 1)                                                     \
                    *(T *)(p + (int32_t)i * stride) = (T)bits[i];                      \
        }                                                                              \
    } while (0)

static void write_bits(uint8_t *p, int32_t stride, const struct emu_op *op,
                       uint32_t mask, const uint64_t *bits)
{
    switch (isa_type_bytes((enum isa_type)op->dst.type)) {
    case 1:
        WRITE_LANES(emu_ub);
        break;
    case 2:
        WRITE_LANES(emu_uw);
        break;
    case 4:
        WRITE_LANES(emu_ud);
        break;
    default:
        WRITE_LANES(emu_uq);
        break;
    }
}

static uint8_t *destination(struct emu_thread *t, const struct emu_op *op)
{
    int32_t at, size = (int32_t)isa_type_bytes((enum isa_type)op->dst.type);

    if (!op->dst.indirect)
        return (uint8_t *)t + op->dst.off;
    at = t->addr[op->dst.addr_sub] + op->dst.addr_imm;
    if (at < 0 || at + (op->exec - 1) * op->dst.stride + size > EMU_GRF_SIZE) {
        emu_error(t, op, "indirect destination: byte %d of the registers", at);
        return NULL;
    }
    return t->grf + at;
}

/* AccWrEn: the result also goes to acc0, packed. */
static void write_acc(struct emu_thread *t, const struct emu_op *op, uint32_t mask,
                      const uint64_t *bits)
{
    int32_t size = (int32_t)isa_type_bytes((enum isa_type)op->dst.type);

    if (op->exec * size <= (int32_t)sizeof(t->acc))
        write_bits(t->acc, size, op, mask, bits);
    else
        emu_error(t, op, "the accumulator is too small for the result");
}

void emu_store(struct emu_thread *t, const struct emu_op *op, uint32_t mask,
               union emu_lanes *r)
{
    uint64_t bits[EMU_LANES];
    uint8_t *p;

    if (op->saturate)
        saturate(op, r);
    if (op->dst.dom == EMU_DOM_INT)
        int_results(t, op, r, bits);
    else if (op->dst.dom == EMU_DOM_F32)
        f32_results(t, op, r, bits);
    else
        for (uint32_t i = 0; i < op->exec; i++)
            bits[i] = float_result(t, r->d[i], (enum isa_type)op->dst.type);
    if (t->ftz && !op->raw)
        flush_bits(t, (enum isa_type)op->dst.type, op->exec, bits);
    if (op->acc_wr)
        write_acc(t, op, mask, bits);
    if (op->dst.none)
        return;
    p = destination(t, op);
    if (p != NULL)
        write_bits(p, op->dst.stride, op, mask, bits);
}
