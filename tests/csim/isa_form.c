/* isa_form.c - see isa_form.h. Rules that Gen9 sets for regions, from the public
 * manual: at most two registers an operand, rows within a register, a narrower
 * destination strided to the width of execution, 16 address words. */
#include "isa_form.h"

#include <stdlib.h>
#include <string.h>

#include "emu_rig.h"
#include "igpu/grow.h"

/* ---- forms -------------------------------------------------------------- */

#define BIT(t) (1u << ISA_TYPE_##t)
enum {
    UB = BIT(UB),
    UW = BIT(UW),
    UD = BIT(UD),
    SD = BIT(D),
    UQ = BIT(UQ),
    B = BIT(UB) | BIT(B),
    W = BIT(UW) | BIT(W),
    D = BIT(UD) | BIT(D),
    Q = BIT(UQ) | BIT(Q),
    HF = BIT(HF),
    F = BIT(F),
    DF = BIT(DF)
};
enum { P = FORM_P, C = FORM_C, S = FORM_S, M = FORM_M };

static const struct row {
    uint8_t op;
    uint32_t dst, src;
    uint8_t props;
} rows[] = {
#define GEN9(op, dst, src, props) {ISA_OP_##op, dst, src, props},
#include "isa_gen9.def"
#undef GEN9
};

static uint8_t sources_of(uint32_t op, uint32_t math)
{
    static const uint8_t count[ISA_OP_COUNT] = {
#define COUNT(id, mnemonic, cls, nsrc) nsrc,
        ISA_OPCODES(COUNT)
#undef COUNT
    };

    if (op == ISA_OP_MATH)
        return math >= ISA_MATH_FDIV ? 2 : 1;
    return op == ISA_OP_SMOV ? 1 : count[op]; /* smov's mask is drawn apart */
}

struct list {
    struct isa_form *form;
    uint32_t count, cap;
};

static void add(struct list *l, const struct isa_form *form)
{
    if (!IGPU_APPEND(l->form, l->count, l->cap, *form))
        abort();
}

/* Three sources share one type, but that the factors of mad may be half or single by
 * themselves; two combine freely. */
static void add_types(struct list *l, const struct row *row, struct isa_form form)
{
    for (uint32_t d = 1; d < ISA_TYPE_COUNT; d++)
        for (uint32_t a = 1; a < ISA_TYPE_COUNT; a++)
            for (uint32_t b = 1; b < ISA_TYPE_COUNT; b++) {
                bool mixes = form.nsrc == 2 || form.op == ISA_OP_MAD;

                if (!(row->dst >> d & 1) || !(row->src >> a & 1) ||
                    !(row->src >> b & 1) || (!mixes && a != b))
                    continue;
                form.dst = (uint8_t)d;
                form.src[0] = (uint8_t)a;
                form.src[1] = form.nsrc > 1 ? (uint8_t)b : 0;
                form.src[2] = form.nsrc > 2 ? (uint8_t)b : 0;
                add(l, &form);
            }
}

static int by_content(const void *a, const void *b)
{
    return memcmp(a, b, offsetof(struct isa_form, props));
}

static bool function_has(uint32_t math, uint32_t types)
{
    bool whole = math >= ISA_MATH_IDIV && math <= ISA_MATH_IREM;

    return math != 8 && math < ISA_MATH_INVM && whole == ((types & D) != 0);
}

struct isa_form *isa_forms(uint32_t *count)
{
    struct list l = {0};
    uint32_t kept = 0;

    for (uint32_t r = 0; r < sizeof(rows) / sizeof(rows[0]); r++) {
        bool is_math = rows[r].op == ISA_OP_MATH;

        for (uint32_t math = is_math; math < (is_math ? 16u : 1u); math++) {
            struct isa_form form = {.op = rows[r].op, .math = (uint8_t)math};

            if (is_math && !function_has(math, rows[r].src))
                continue;
            form.nsrc = sources_of(form.op, math);
            form.props = rows[r].props;
            add_types(&l, &rows[r], form);
        }
    }
    qsort(l.form, l.count, sizeof(*l.form), by_content);
    for (uint32_t i = 0; i < l.count; i++)
        if (kept == 0 || by_content(&l.form[kept - 1], &l.form[i]) != 0)
            l.form[kept++] = l.form[i];
    *count = kept;
    return l.form;
}

/* ---- operands ----------------------------------------------------------- */

enum { SRC_REG = 20, SRC_STEP = 20, DST_REG = 100, GRF = 32, SPAN = 64 };

static uint32_t below(uint64_t *seed, uint32_t n)
{
    return (uint32_t)(emu_rig_random(seed) >> 33) % n;
}

static uint32_t bytes_of(uint32_t type)
{
    return isa_type_bytes((enum isa_type)type);
}

static bool ternary(const struct isa_form *form)
{
    return form->nsrc == 3;
}

static void region(struct isa_operand *o, uint32_t v, uint32_t w, uint32_t h)
{
    o->vstride = (uint8_t)v;
    o->width = (uint8_t)w;
    o->hstride = (uint8_t)h;
}

/* Regions of `exec` elements of `size` bytes. */
static bool set_shape(struct isa_operand *o, uint32_t shape, uint32_t exec,
                      uint32_t size)
{
    uint32_t w = exec < 16 ? exec : 16;

    switch (shape) {
    case SHAPE_SCALAR:
        region(o, 0, 1, 0);
        return true;
    case SHAPE_INDIRECT:
        o->indirect = true; /* falls through */
    case SHAPE_PACKED:
        while (w * size > GRF)
            w /= 2;
        region(o, exec == 1 ? 0 : w, exec == 1 ? 1 : w, exec == 1 || w == 1 ? 0 : 1);
        return exec * size <= SPAN && (exec > 1 || shape == SHAPE_INDIRECT);
    case SHAPE_STRIDED:
        while (w * size * 2 > GRF)
            w /= 2;
        region(o, 2 * w, w, 2);
        return exec * size * 2 <= SPAN && exec > 1 && w > 1;
    case SHAPE_ROWS:
        region(o, 2, 1, 0);
        return exec * size * 2 <= SPAN && exec > 1;
    case SHAPE_REPEAT:
        region(o, 0, 2, 1);
        return exec >= 4;
    case SHAPE_OVERLAP:
        region(o, 1, 2, 1);
        return exec >= 4 && (exec / 2 + 1) * size <= SPAN;
    case SHAPE_VXH:
        o->indirect = o->vxh = true;
        region(o, 0, 2, 1);
        return exec >= 4 && exec <= 16 && 2 * size <= GRF;
    case SHAPE_VX1:
        o->indirect = o->vxh = true;
        region(o, 0, 1, 0);
        return exec > 1 && exec <= 8;
    default:
        return false;
    }
}

static bool set_immediate(struct isa_operand *o, uint32_t shape, uint64_t *seed)
{
    uint32_t size = bytes_of(o->type);

    o->file = ISA_FILE_IMM;
    o->imm = emu_rig_random(seed);
    if (below(seed, 2))
        o->imm >>= below(seed, 64);
    if (shape == SHAPE_VECTOR_IMM) {
        if (o->type != ISA_TYPE_W && o->type != ISA_TYPE_UW && o->type != ISA_TYPE_F)
            return false;
        o->type = o->type == ISA_TYPE_W    ? ISA_TYPE_V
                  : o->type == ISA_TYPE_UW ? ISA_TYPE_UV
                                           : ISA_TYPE_VF;
        size = 4;
    }
    if (size < 8)
        o->imm &= ((uint64_t)1 << 8 * size) - 1;
    return size > 1;
}

/* Which shapes source k of the form may have. */
static bool takes_shape(const struct isa_form *form, uint32_t k, uint32_t shape)
{
    bool last = k + 1u == form->nsrc, imm = shape >= SHAPE_IMM;
    bool simple = shape == SHAPE_SCALAR || shape == SHAPE_PACKED;

    if (form->op == ISA_OP_LINE || form->op == ISA_OP_PLN)
        return k == 0 ? shape == SHAPE_SCALAR
                      : shape == SHAPE_PACKED ||
                            (form->op == ISA_OP_LINE && shape < SHAPE_INDIRECT);
    if (ternary(form))
        return simple;
    if (form->op == ISA_OP_MATH)
        return simple || shape == SHAPE_IMM ? !imm || (last && form->nsrc == 2) : false;
    if (form->op == ISA_OP_SMOV && imm)
        return false;
    if (imm && bytes_of(form->src[k]) == 8 &&
        (shape == SHAPE_VECTOR_IMM || form->op != ISA_OP_MOV))
        return false;
    if (imm)
        return last;
    return k == 0 || (shape != SHAPE_VXH && shape != SHAPE_VX1);
}

static bool set_source(const struct isa_form *form, uint32_t k, uint32_t shape,
                       uint32_t mod, uint64_t *seed, struct isa_inst *inst)
{
    struct isa_operand *o = &inst->src[k];
    uint32_t size = bytes_of(form->src[k]);

    memset(o, 0, sizeof(*o));
    o->mme = ISA_MME_NONE;
    o->type = form->src[k];
    o->mod = (uint8_t)mod;
    if (!takes_shape(form, k, shape))
        return false;
    if (shape >= SHAPE_IMM)
        return mod == 0 && set_immediate(o, shape, seed);
    o->file = ISA_FILE_GRF;
    o->reg = (uint8_t)(SRC_REG + SRC_STEP * k);
    if (!set_shape(o, shape, inst->exec_size, size))
        return false;
    if (ternary(form) && shape == SHAPE_PACKED)
        region(o, 1, 1, 0);
    if (o->indirect) {
        o->reg = 0;
        o->addr_sub = (uint8_t)(4 * k);
        o->addr_imm = (int16_t)(4 * (int32_t)below(seed, 8) - 16);
        if (o->vxh)
            o->addr_sub = 0;
    } else if (shape == SHAPE_SCALAR && form->op != ISA_OP_LINE &&
               form->op != ISA_OP_PLN && !(ternary(form) && size == 2)) {
        uint32_t sub = below(seed, GRF / size);

        o->byte = (uint8_t)(sub * size);
    }
    o->subreg = (uint8_t)(o->byte / size);
    return true;
}

/* Bytes in which the instruction computes: bytes as words. */
static uint32_t exec_bytes(const struct isa_form *form)
{
    uint32_t most = 0;

    for (uint32_t k = 0; k < form->nsrc; k++)
        if (bytes_of(form->src[k]) > most)
            most = bytes_of(form->src[k]);
    if (most == 1 && (form->op != ISA_OP_MOV || form->dst > ISA_TYPE_B))
        most = 2;
    return most;
}

static bool set_dest(const struct isa_form *form, uint32_t dshape, uint64_t *seed,
                     struct isa_inst *inst)
{
    struct isa_operand *o = &inst->dst;
    uint32_t size = bytes_of(form->dst), need = exec_bytes(form), stride;
    bool mixed = form->dst == ISA_TYPE_HF && form->src[0] >= ISA_TYPE_HF;
    bool plain = ternary(form) || form->op == ISA_OP_MATH;

    memset(o, 0, sizeof(*o));
    o->mme = ISA_MME_NONE;
    o->type = form->dst;
    stride = dshape == DST_STRIDE2 ? 2 : dshape == DST_STRIDE4 ? 4 : 1;
    if (dshape == DST_INDIRECT && need > size && !mixed)
        stride = need / size;
    if (stride > 4)
        return false;
    o->hstride = (uint8_t)stride;
    if (dshape == DST_NULL) {
        o->file = ISA_FILE_NULL;
        o->hstride = 1;
        return !plain && form->op != ISA_OP_SMOV;
    }
    if (stride * size < need && !mixed)
        return false;
    if (plain && dshape != DST_PACKED)
        return false;
    if ((inst->exec_size - 1) * stride * size + size > SPAN)
        return false;
    o->file = ISA_FILE_GRF;
    o->reg = DST_REG;
    if (dshape == DST_INDIRECT) {
        o->indirect = true;
        o->reg = 0;
        o->addr_sub = 15;
        o->addr_imm = (int16_t)(8 * (int32_t)below(seed, 8));
    }
    return true;
}

/* ---- the rest of an instruction ----------------------------------------- */

static bool uses_acc(uint32_t op)
{
    return op == ISA_OP_MAC || op == ISA_OP_MACH || op == ISA_OP_ADDC ||
           op == ISA_OP_SUBB || op == ISA_OP_SADA2;
}

static bool allows_exec(const struct isa_form *form, uint32_t exec)
{
    uint32_t op = form->op, size = bytes_of(form->dst);

    if (op == ISA_OP_PLN)
        return exec == 8 || exec == 16;
    if (op >= ISA_OP_DP4 && op <= ISA_OP_DP2)
        return exec >= 4 && exec <= 16;
    if (op == ISA_OP_SAD2 || op == ISA_OP_SADA2)
        return exec >= 2 && exec <= 16;
    if (ternary(form) && exec == 2 && size != 8) /* Align16 counts in fours */
        return false;
    if (uses_acc(op) || ternary(form) || op == ISA_OP_MATH)
        return exec <= 16 && exec * size <= SPAN;
    return true;
}

static void draw_channels(uint64_t *seed, struct isa_inst *inst)
{
    uint32_t unit = inst->exec_size < 4 ? 4 : inst->exec_size;

    inst->chan_offset = (uint8_t)(unit * below(seed, 32 / unit));
    inst->no_mask = below(seed, 4) == 0;
}

/* Predicates as bins count them: none, f, ~f, anyv, allv, any2h, all2h, .. all32h. */
static bool set_predicate(const struct isa_form *form, uint32_t pred, uint64_t *seed,
                          struct isa_inst *inst)
{
    uint32_t group;

    if (pred != 0 && !(form->props & FORM_P))
        return false;
    inst->pred = (uint8_t)(pred == 0   ? ISA_PRED_NONE
                           : pred <= 2 ? ISA_PRED_SEQ
                                       : ISA_PRED_ANYV + (pred - 3));
    inst->pred_inverse = pred == 2 || (pred > 2 && below(seed, 2));
    if (ternary(form) && pred > 2) /* Align16 has groups of four alone */
        return inst->pred == ISA_PRED_ANY4H || inst->pred == ISA_PRED_ALL4H
                   ? inst->exec_size >= 4
                   : false;
    group = pred < 5 ? 1 : 2u << (pred - 5) / 2;
    return group <= inst->exec_size;
}

static bool arithmetic(uint32_t op)
{
    return op == ISA_OP_MOV || op == ISA_OP_ADD || op == ISA_OP_MUL;
}

static bool set_condition(const struct isa_form *form, uint32_t cmod,
                          struct isa_inst *inst)
{
    bool compares = form->op == ISA_OP_CMP || form->op == ISA_OP_CMPN;
    bool chooses = form->op == ISA_OP_SEL || form->op == ISA_OP_CSEL;
    bool from_float = isa_type_is_float((enum isa_type)form->src[0]);
    bool to_float = isa_type_is_float((enum isa_type)form->dst);

    inst->cmod = (uint8_t)cmod;
    if (cmod != ISA_CMOD_NONE && !(form->props & FORM_C))
        return false;
    if (form->op == ISA_OP_SEL) {
        if (cmod == ISA_CMOD_NONE)
            return inst->pred != ISA_PRED_NONE;
        return inst->pred == ISA_PRED_NONE &&
               (cmod == ISA_CMOD_GE || cmod == ISA_CMOD_LT);
    }
    if (cmod == ISA_CMOD_NONE)
        return !compares && !chooses;
    if (cmod == ISA_CMOD_OV)
        return arithmetic(form->op) && from_float == to_float;
    if (cmod == ISA_CMOD_UN)
        return from_float && !chooses;
    return true;
}

static void draw_flag(uint64_t *seed, struct isa_inst *inst)
{
    uint32_t last = inst->chan_offset + inst->exec_size;

    inst->flag = -1;
    if (inst->pred == ISA_PRED_NONE && inst->cmod == ISA_CMOD_NONE)
        return;
    inst->flag = (int8_t)(2 * below(seed, 2));
    if (last <= 16)
        inst->flag = (int8_t)(inst->flag + (int8_t)below(seed, 2));
}

static void begin(const struct isa_form *form, uint32_t exec, uint64_t *seed,
                  struct isa_inst *inst)
{
    *inst = emu_rig_inst((enum isa_opcode)form->op, exec);
    inst->math = form->math;
    inst->nsrc = form->nsrc;
    inst->acc_wr_en = form->op == ISA_OP_ADDC || form->op == ISA_OP_SUBB;
    draw_channels(seed, inst);
}

/* smov selects by a second source of its own. */
static void finish(const struct isa_form *form, uint64_t *seed, struct isa_inst *inst)
{
    if (form->op == ISA_OP_SMOV) {
        inst->nsrc = 2;
        inst->src[1] = emu_rig_imm(ISA_TYPE_UD, emu_rig_random(seed) & UINT32_MAX);
    }
    draw_flag(seed, inst);
}

/* Draw until the choice fits; a bin that no draw fits is not allowed. */
enum { DRAWS = 24 };

static bool draw_source(const struct isa_form *form, uint32_t k, uint64_t *seed,
                        struct isa_inst *inst)
{
    for (uint32_t n = 0; n < DRAWS; n++) {
        uint32_t mod = form->props & FORM_M && below(seed, 4) == 0 ? below(seed, 4) : 0;
        bool logic = isa_opcode_class((enum isa_opcode)form->op) == ISA_CLASS_LOGIC;

        if (logic && form->op <= ISA_OP_XOR)
            mod &= ISA_MOD_NEG;
        if (set_source(form, k, n + 4 < DRAWS ? below(seed, SHAPE_COUNT) : n % 2, mod,
                       seed, inst))
            return true;
    }
    return false;
}

static bool mod_allowed(const struct isa_form *form, uint32_t mod)
{
    bool bitwise = form->op >= ISA_OP_NOT && form->op <= ISA_OP_XOR;

    if (mod != ISA_MOD_NONE && !(form->props & FORM_M))
        return false;
    return !bitwise || !(mod & ISA_MOD_ABS);
}

bool isa_form_source(const struct isa_form *form, uint32_t bin, uint64_t *seed,
                     struct isa_inst *inst)
{
    uint32_t exec = 1u << bin % FORM_EXECS, pred = bin / FORM_EXECS % FORM_PREDS;
    uint32_t mod = bin / FORM_EXECS / FORM_PREDS % FORM_MODS;
    uint32_t shape = bin / FORM_EXECS / FORM_PREDS / FORM_MODS;
    bool ok;

    begin(form, exec, seed, inst);
    if (!allows_exec(form, exec) || !mod_allowed(form, mod) ||
        !set_predicate(form, pred, seed, inst) ||
        !set_source(form, 0, shape, mod, seed, inst))
        return false;
    for (uint32_t k = 1; k < form->nsrc; k++)
        if (!draw_source(form, k, seed, inst))
            return false;
    ok = false;
    for (uint32_t n = 0; n < DRAWS && !ok; n++)
        ok =
            set_dest(form, n < DST_NULL ? n : below(seed, DST_SHAPE_COUNT), seed, inst);
    if (!ok)
        return false;
    ok = set_condition(form, ISA_CMOD_NONE, inst);
    for (uint32_t n = 0; n < DRAWS && (!ok || (n == 0 && below(seed, 3) == 0)); n++)
        ok = set_condition(form, below(seed, FORM_CMODS), inst);
    if (!ok)
        ok = set_condition(form, ISA_CMOD_NONE, inst);
    inst->saturate = (form->props & FORM_S) && below(seed, 4) == 0;
    finish(form, seed, inst);
    return ok;
}

bool isa_form_result(const struct isa_form *form, uint32_t bin, uint64_t *seed,
                     struct isa_inst *inst)
{
    uint32_t dshape = bin % DST_SHAPE_COUNT, sat = bin / DST_SHAPE_COUNT % 2;
    uint32_t cmod = bin / DST_SHAPE_COUNT / 2 % FORM_CMODS;
    uint32_t shape = bin / DST_SHAPE_COUNT / 2 / FORM_CMODS;

    if (sat && !(form->props & FORM_S))
        return false;
    for (uint32_t n = 0; n < 2 * DRAWS; n++) {
        uint32_t exec = 1u << (n < DRAWS ? below(seed, FORM_EXECS) : n % FORM_EXECS);
        bool ok = true;

        begin(form, exec, seed, inst);
        if (!allows_exec(form, exec) ||
            !set_predicate(form, below(seed, 3) ? 0 : below(seed, FORM_PREDS), seed,
                           inst) ||
            !set_condition(form, cmod, inst) || !set_dest(form, dshape, seed, inst) ||
            !set_source(form, form->nsrc - 1u, shape, 0, seed, inst))
            continue;
        for (uint32_t k = 0; k + 1u < form->nsrc; k++)
            ok = ok && draw_source(form, k, seed, inst);
        inst->saturate = sat;
        finish(form, seed, inst);
        if (ok)
            return true;
    }
    return false;
}
