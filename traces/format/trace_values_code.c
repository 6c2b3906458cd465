/* trace_values_code.c - see trace_values.h. */
#include "traces/format/trace_values.h"

#include <string.h>

enum { WIDE_BYTES = 13, ACC_BYTES = 8, CARRY_BYTES = 4 };

static uint32_t bytes_of(uint32_t type)
{
    return isa_type_bytes((enum isa_type)type);
}

static uint32_t first_lanes(uint32_t n)
{
    return n >= 32 ? UINT32_MAX : (UINT32_C(1) << n) - 1;
}

/* ---- writing ------------------------------------------------------------ */

static void put_number(uint8_t *p, uint64_t value, uint32_t bytes)
{
    for (uint32_t i = 0; i < bytes; i++)
        p[i] = (uint8_t)(value >> 8 * i);
}

static void put_lanes(struct trace_bytes *out, const uint64_t *lane, uint32_t mask,
                      uint32_t bytes)
{
    uint32_t n = (uint32_t)__builtin_popcount(mask);
    uint8_t *p = trace_bytes_extend(out, (size_t)n * bytes);

    for (; p != NULL && mask != 0; mask &= mask - 1, p += bytes)
        put_number(p, lane[__builtin_ctz(mask)], bytes);
}

static void put_wide(struct trace_bytes *out, const struct fpu_wide *lane,
                     uint32_t mask)
{
    uint32_t n = (uint32_t)__builtin_popcount(mask);
    uint8_t *p = trace_bytes_extend(out, (size_t)n * WIDE_BYTES);

    for (; p != NULL && mask != 0; mask &= mask - 1, p += WIDE_BYTES) {
        const struct fpu_wide *w = &lane[__builtin_ctz(mask)];

        put_number(p, w->mant, 8);
        put_number(p + 8, (uint32_t)w->exp, 4);
        p[12] = (uint8_t)(w->cls | w->sign << 2);
    }
}

void trace_values_put(struct trace_bytes *out, const struct isa_inst *inst,
                      const struct fpu_shape *s, const struct fpu_values *v)
{
    uint32_t mask = v->mask & first_lanes(inst->exec_size);

    trace_bytes_varint(out, v->inst);
    trace_bytes_u8(out, v->mode);
    trace_bytes_varint(out, mask);
    if (mask == 0)
        return;
    if (s->has_pred)
        trace_bytes_varint(out, v->pred & mask);
    if (s->has_flags)
        trace_bytes_varint(out, v->flags & mask);
    for (uint32_t k = 0; k < s->nsrc; k++)
        if (s->form[k] == FPU_FORM_SCALAR)
            put_lanes(out, v->src[k], 1, bytes_of(s->type[k]));
        else if (s->form[k] == FPU_FORM_VECTOR)
            put_lanes(out, v->src[k], mask, bytes_of(s->type[k]));
        else if (s->form[k] == FPU_FORM_WIDE)
            put_wide(out, v->wide[k], mask);
    if (s->has_acc)
        put_lanes(out, v->acc, mask, ACC_BYTES);
    if (s->result_form == FPU_FORM_VECTOR)
        put_lanes(out, v->result, mask, bytes_of(s->result_type));
    else if (s->result_form == FPU_FORM_WIDE)
        put_wide(out, v->wide[ISA_MAX_SRC], mask);
    if (s->has_second)
        put_lanes(out, v->second, mask, bytes_of(s->result_type));
    if (s->has_carry)
        put_lanes(out, v->carry, mask, CARRY_BYTES);
}

/* ---- reading ------------------------------------------------------------ */

static uint64_t get_number(const uint8_t *p, uint32_t bytes)
{
    uint64_t value = 0;

    for (uint32_t i = 0; i < bytes; i++)
        value |= (uint64_t)p[i] << 8 * i;
    return value;
}

static void get_lanes(struct trace_view *in, uint64_t *lane, uint32_t mask,
                      uint32_t bytes)
{
    uint32_t n = (uint32_t)__builtin_popcount(mask);
    const uint8_t *p = trace_view_bytes(in, (size_t)n * bytes);

    if (p == NULL)
        return;
    if (bytes == 4) /* nearly all */
        for (; mask != 0; mask &= mask - 1, p += 4)
            lane[__builtin_ctz(mask)] = trace_get_le32(p);
    else
        for (; mask != 0; mask &= mask - 1, p += bytes)
            lane[__builtin_ctz(mask)] = get_number(p, bytes);
}

static void get_wide(struct trace_view *in, struct fpu_wide *lane, uint32_t mask)
{
    uint32_t n = (uint32_t)__builtin_popcount(mask);
    const uint8_t *p = trace_view_bytes(in, (size_t)n * WIDE_BYTES);

    for (; p != NULL && mask != 0; mask &= mask - 1, p += WIDE_BYTES) {
        struct fpu_wide *w = &lane[__builtin_ctz(mask)];

        w->mant = trace_get_le64(p);
        w->exp = (int32_t)trace_get_le32(p + 8);
        w->cls = p[12] & 3;
        w->sign = p[12] >> 2 & 1;
    }
}

static void get_source(struct trace_view *in, const struct isa_inst *inst,
                       const struct fpu_shape *s, uint32_t k, struct fpu_values *v)
{
    if (s->form[k] == FPU_FORM_SCALAR) {
        get_lanes(in, v->src[k], 1, bytes_of(s->type[k]));
        for (uint32_t i = 1; i < inst->exec_size; i++)
            v->src[k][i] = v->src[k][0];
    } else if (s->form[k] == FPU_FORM_VECTOR) {
        get_lanes(in, v->src[k], v->mask, bytes_of(s->type[k]));
    } else if (s->form[k] == FPU_FORM_WIDE) {
        get_wide(in, v->wide[k], v->mask);
    }
}

const char *trace_values_get(struct trace_view *in, const struct isa_kernel_code *code,
                             struct fpu_values *v)
{
    uint64_t index = trace_view_varint(in);
    const struct isa_inst *inst;
    struct fpu_shape s;
    uint64_t mask;

    if (index >= code->count)
        return "values of an instruction that the kernel has not";
    inst = &code->inst[index];
    fpu_shape_of(inst, &s);
    v->inst = (uint32_t)index;
    v->mode = trace_view_u8(in);
    mask = trace_view_varint(in);
    v->mask = (uint32_t)mask;
    if (!s.is_fpu || mask > first_lanes(inst->exec_size))
        return s.is_fpu ? "values of lanes that the instruction has not"
                        : "values of an instruction that no FPU executes";
    if (mask == 0)
        return in->bad ? "the values end early" : NULL;
    v->pred = s.has_pred ? (uint32_t)trace_view_varint(in) : 0;
    v->flags = s.has_flags ? (uint32_t)trace_view_varint(in) : 0;
    for (uint32_t k = 0; k < s.nsrc; k++)
        get_source(in, inst, &s, k, v);
    fpu_values_immediates(inst, &s, v);
    if (s.has_acc)
        get_lanes(in, v->acc, v->mask, ACC_BYTES);
    if (s.result_form == FPU_FORM_VECTOR)
        get_lanes(in, v->result, v->mask, bytes_of(s.result_type));
    else if (s.result_form == FPU_FORM_WIDE)
        get_wide(in, v->wide[ISA_MAX_SRC], v->mask);
    if (s.has_second)
        get_lanes(in, v->second, v->mask, bytes_of(s.result_type));
    if (s.has_carry)
        get_lanes(in, v->carry, v->mask, CARRY_BYTES);
    return in->bad ? "the values end early" : NULL;
}
