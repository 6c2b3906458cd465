/* emu_form.c - which instructions are executed by one fused loop: what is legal for
 * each of the forms of emu_host.h, and whose handlers this host runs. */
#include "emu_host.h"

#include "igpu/vectors.h"

/* ---- the host ----------------------------------------------------------- */

static pthread_once_t once = PTHREAD_ONCE_INIT;
static enum igpu_vectors vectors;

static void look_at_host(void)
{
    vectors = igpu_host_vectors();
}

/* Found once a process: it is asked on any thread. */
bool emu_has_avx2(void)
{
    (void)pthread_once(&once, look_at_host);
    return vectors >= IGPU_VECTORS_AVX2;
}

bool emu_has_avx512(void)
{
    (void)pthread_once(&once, look_at_host);
    return vectors == IGPU_VECTORS_AVX512;
}

const char *emu_host_name(void)
{
    return emu_has_avx2() ? "AVX2" : "portable";
}

static struct emu_handlers handlers(void)
{
#if defined(__x86_64__)
    if (emu_has_avx2())
        return (struct emu_handlers){&emu_packed_avx2, emu_strided_avx2,
                                     emu_copies_avx2, emu_exec_madm_avx2};
#endif
    return (struct emu_handlers){&emu_packed_any, emu_strided_any, emu_copies_any,
                                 emu_exec_madm_any};
}

/* ---- packed: emu_fast.c ------------------------------------------------- */

static bool is_dword(uint32_t type)
{
    return type == ISA_TYPE_D || type == ISA_TYPE_UD;
}

static bool is_packed_or_scalar(const struct emu_src *s)
{
    if (s->region == EMU_REG_SCALAR)
        return true;
    return s->region == EMU_REG_LINEAR &&
           s->stride == (int32_t)isa_type_bytes((enum isa_type)s->type);
}

/* 32-bit result, sources that lanes_int() knows, shifts of the value's own width. */
static bool fits_int(const struct emu_op *op)
{
    uint32_t opcode = op->opcode, type0 = op->src[0].type;
    bool raw = op->raw && op->dst.type == ISA_TYPE_F;

    if (!raw && !is_dword(op->dst.type))
        return false;
    for (uint32_t k = 0; k < op->nsrc && !raw; k++) {
        uint32_t type = op->src[k].type;

        if (op->src[k].mod ||
            !(is_dword(type) || type == ISA_TYPE_W || type == ISA_TYPE_UW))
            return false;
    }
    if (opcode == ISA_OP_SHR)
        return is_dword(type0);
    if (opcode == ISA_OP_ASR) /* unsigned values shift in zeros */
        return type0 == ISA_TYPE_D || type0 == ISA_TYPE_W;
    return true;
}

/* 64-bit result, sources that lanes_long() knows, shifts of whole 64-bit values. */
static bool fits_long(const struct emu_op *op)
{
    uint32_t type0 = op->src[0].type;

    if (op->exec != 8 || (op->dst.type != ISA_TYPE_Q && op->dst.type != ISA_TYPE_UQ) ||
        op->is_wide || op->acc)
        return false;
    for (uint32_t k = 0; k < op->nsrc; k++) {
        const struct emu_src *s = &op->src[k];
        bool is_long = s->type == ISA_TYPE_Q || s->type == ISA_TYPE_UQ;
        bool is_scalar = s->is_imm || s->region == EMU_REG_SCALAR;

        if (s->mod || !(is_long ||
                        (is_scalar && s->type <= ISA_TYPE_D && s->type >= ISA_TYPE_UW)))
            return false;
    }
    if (op->opcode == ISA_OP_SHR || op->opcode == ISA_OP_SHL)
        return type0 == ISA_TYPE_UQ || type0 == ISA_TYPE_Q;
    return op->opcode != ISA_OP_ASR || type0 == ISA_TYPE_Q;
}

static enum emu_width width_of(const struct emu_op *op)
{
    uint32_t dst = op->dst.type;
    bool same = true;

    for (uint32_t k = 0; k < op->nsrc; k++)
        same &= op->src[k].type == dst;
    if (op->src_dom == EMU_DOM_INT)
        return fits_long(op)    ? EMU_Q8
               : !fits_int(op)  ? EMU_WIDTHS
               : op->exec == 8  ? EMU_I8
               : op->exec == 16 ? EMU_I16
                                : EMU_WIDTHS;
    if (same && dst == ISA_TYPE_F)
        return op->exec == 8 ? EMU_F8 : op->exec == 16 ? EMU_F16 : EMU_WIDTHS;
    if (same && dst == ISA_TYPE_DF)
        return op->exec == 4 ? EMU_D4 : op->exec == 8 ? EMU_D8 : EMU_WIDTHS;
    return EMU_WIDTHS;
}

static emu_run_fn *pick_packed(const struct emu_op *op, const struct emu_packed *h)
{
    int32_t size = (int32_t)isa_type_bytes((enum isa_type)op->dst.type);
    enum emu_width width = width_of(op);

    if (width == EMU_WIDTHS || op->saturate || op->cmod || op->acc || op->acc_wr ||
        op->reads_state || op->writes_ctrl || op->writes_mask || op->dst.none ||
        op->dst.indirect || op->dst.stride != size)
        return NULL;
    for (uint32_t k = 0; k < op->nsrc; k++)
        if (!is_packed_or_scalar(&op->src[k]))
            return NULL;
    return h->run[op->opcode][width];
}

/* ---- moves of low bits: emu_copy.c -------------------------------------- */

static emu_run_fn *pick_copy(const struct emu_op *op,
                             const struct emu_copies (*copies)[4])
{
    const struct emu_src *s = &op->src[0];
    int32_t size = (int32_t)isa_type_bytes((enum isa_type)op->dst.type);
    int32_t in = emu_src_step(s) / size, out = op->dst.stride / size;
    const struct emu_copies *c;

    if (op->exec < 4 || op->exec > 16 || s->mod ||
        (int32_t)isa_type_bytes((enum isa_type)s->type) < size)
        return NULL;
    c = &copies[__builtin_ctz(op->exec) - 2][__builtin_ctz((uint32_t)size)];
    if (in < 0 || in > 2 || in * size != emu_src_step(s) || out < 1 || out > 2)
        return c->any;
    return c->by[in][out];
}

/* ---- any stride: emu_fused.c -------------------------------------------- */

static bool is_small(uint32_t type) /* an integer that 64 signed bits hold */
{
    return type >= ISA_TYPE_UB && type <= ISA_TYPE_Q && type != ISA_TYPE_UQ;
}

static bool is_logic(const struct emu_op *op)
{
    return op->opcode == ISA_OP_AND || op->opcode == ISA_OP_OR ||
           op->opcode == ISA_OP_XOR;
}

/* What all forms here have in common: no state beside registers and flags. */
static bool is_simple(const struct emu_op *op)
{
    for (uint32_t k = 0; k < op->nsrc; k++)
        if (op->src[k].region > EMU_REG_LINEAR ||
            (op->src[k].is_imm && op->src[k].gather))
            return false;
    return op->nsrc <= 2 && !op->saturate && !op->acc && !op->acc_wr &&
           !op->reads_state && !op->writes_ctrl && !op->writes_mask &&
           !op->dst.indirect;
}

static emu_run_fn *pick_arith(const struct emu_op *op, const struct emu_strided *h,
                              const struct emu_copies (*copies)[4])
{
    bool to_float = isa_type_is_float((enum isa_type)op->dst.type);
    bool shifts = op->opcode == ISA_OP_SHR || op->opcode == ISA_OP_ASR;
    emu_run_fn *copy = NULL;

    if (op->dst.none || op->cmod)
        return NULL;
    if (op->opcode == ISA_OP_MOV && op->src[0].mod == ISA_MOD_NONE && !op->raw) {
        if (op->dst.type == ISA_TYPE_F && h->to_f[op->src[0].type] != NULL)
            return h->to_f[op->src[0].type];
        if (op->dst.type == ISA_TYPE_DF && h->to_df[op->src[0].type] != NULL)
            return h->to_df[op->src[0].type];
    }
    if (op->src_dom != EMU_DOM_INT || (to_float && !op->raw))
        return NULL;
    for (uint32_t k = 0; k < op->nsrc; k++)
        if ((is_logic(op) || shifts || op->opcode == ISA_OP_SHL) && op->src[k].mod)
            return NULL;
    if (op->opcode == ISA_OP_SHR && isa_type_is_signed((enum isa_type)op->src[0].type))
        return NULL; /* shifts in zeros at its own width */
    if (op->opcode == ISA_OP_ASR && op->src[0].type == ISA_TYPE_UQ)
        return NULL;
    if (op->opcode == ISA_OP_MOV)
        copy = pick_copy(op, copies);
    return copy != NULL ? copy : h->arith[op->opcode];
}

static bool is_unsigned(const struct emu_src *s)
{
    return !isa_type_is_signed((enum isa_type)s->type) && s->mod == ISA_MOD_NONE;
}

static emu_run_fn *pick_cmp(const struct emu_op *op, const struct emu_strided *h)
{
    if (op->src_dom != EMU_DOM_INT)
        return op->opcode == ISA_OP_CMP ? h->cmp[EMU_FLOATS][op->cmod] : NULL;
    if (!op->is_wide && is_small(op->src[0].type) && is_small(op->src[1].type))
        return h->cmp[EMU_SIGNED_64][op->cmod];
    return is_unsigned(&op->src[0]) && is_unsigned(&op->src[1])
               ? h->cmp[EMU_UNSIGNED_64][op->cmod]
               : NULL;
}

static emu_run_fn *pick_sel(const struct emu_op *op, const struct emu_strided *h)
{
    uint32_t type = op->dst.type;

    if (op->dst.none || op->pred == ISA_PRED_NONE || op->cmod)
        return NULL;
    if (op->src_dom == EMU_DOM_INT && (op->raw || type <= ISA_TYPE_Q))
        return h->sel;
    if ((type == ISA_TYPE_F || type == ISA_TYPE_DF) && op->src[0].type == type &&
        op->src[1].type == type)
        return h->fsel;
    return NULL;
}

/* The handlers of as many lanes, or NULL. */
static const struct emu_strided *of_lanes(const struct emu_strided *h, uint32_t lanes)
{
    return lanes == 1    ? &h[0]
           : lanes == 4  ? &h[1]
           : lanes == 8  ? &h[2]
           : lanes == 16 ? &h[3]
                         : NULL;
}

static emu_run_fn *pick_strided(const struct emu_op *op, const struct emu_handlers *all)
{
    const struct emu_strided *h = of_lanes(all->strided, op->exec);

    if (h == NULL || !is_simple(op))
        return NULL;
    if (op->opcode == ISA_OP_CMP || op->opcode == ISA_OP_CMPN)
        return pick_cmp(op, h);
    if (op->is_wide)
        return NULL;
    return op->opcode == ISA_OP_SEL ? pick_sel(op, h) : pick_arith(op, h, all->copies);
}

emu_run_fn *emu_pick_fused(const struct emu_op *op)
{
    struct emu_handlers h = handlers();
    emu_run_fn *packed = pick_packed(op, h.packed);

    return packed != NULL ? packed : pick_strided(op, &h);
}

emu_run_fn *emu_pick_madm(void)
{
    return handlers().madm;
}
