/* isa_names.c - tables of igpu/isa.h: opcodes, types, names. */
#include "igpu/isa.h"

#include <string.h>

struct opcode_row {
    const char *mnemonic;
    enum isa_class cls;
};

static const struct opcode_row opcode_rows[ISA_OP_COUNT] = {
#define ROW(id, mnemonic, cls, nsrc) {mnemonic, ISA_CLASS_##cls},
    ISA_OPCODES(ROW)
#undef ROW
};

struct type_row {
    const char *name;
    uint8_t bytes;
    bool is_float, is_signed;
};

static const struct type_row type_rows[ISA_TYPE_COUNT] = {
    [ISA_TYPE_NONE] = {"", 0, false, false}, [ISA_TYPE_UB] = {"ub", 1, false, false},
    [ISA_TYPE_B] = {"b", 1, false, true},    [ISA_TYPE_UW] = {"uw", 2, false, false},
    [ISA_TYPE_W] = {"w", 2, false, true},    [ISA_TYPE_UD] = {"ud", 4, false, false},
    [ISA_TYPE_D] = {"d", 4, false, true},    [ISA_TYPE_UQ] = {"uq", 8, false, false},
    [ISA_TYPE_Q] = {"q", 8, false, true},    [ISA_TYPE_HF] = {"hf", 2, true, true},
    [ISA_TYPE_F] = {"f", 4, true, true},     [ISA_TYPE_DF] = {"df", 8, true, true},
    [ISA_TYPE_V] = {"v", 2, false, true},    [ISA_TYPE_UV] = {"uv", 2, false, false},
    [ISA_TYPE_VF] = {"vf", 4, true, true},
};

/* table[i], or `other` when i is outside it or a hole. */
static const char *pick(const char *const *table, size_t count, size_t i,
                        const char *other)
{
    return i < count && table[i] != NULL ? table[i] : other;
}

#define PICK(table, i, other)                                                          \
    pick(table, sizeof(table) / sizeof((table)[0]), (size_t)(i), other)

enum isa_class isa_opcode_class(enum isa_opcode op)
{
    return (unsigned)op < ISA_OP_COUNT ? opcode_rows[op].cls : ISA_CLASS_NONE;
}

const char *isa_opcode_name(enum isa_opcode op)
{
    return (unsigned)op < ISA_OP_COUNT ? opcode_rows[op].mnemonic : "?";
}

enum isa_opcode isa_opcode_from_name(const char *mnemonic)
{
    int op = 0;

    while (op < ISA_OP_COUNT && strcmp(opcode_rows[op].mnemonic, mnemonic) != 0)
        op++;
    return (enum isa_opcode)op;
}

static const struct type_row *type_row(enum isa_type type)
{
    return &type_rows[(unsigned)type < ISA_TYPE_COUNT ? type : ISA_TYPE_NONE];
}

uint32_t isa_type_bytes(enum isa_type type)
{
    return type_row(type)->bytes;
}

bool isa_type_is_float(enum isa_type type)
{
    return type_row(type)->is_float;
}

bool isa_type_is_signed(enum isa_type type)
{
    return type_row(type)->is_signed;
}

const char *isa_type_name(enum isa_type type)
{
    return type_row(type)->name;
}

const char *isa_math_name(enum isa_math function)
{
    static const char *const names[ISA_MATH_COUNT] = {
        [ISA_MATH_INV] = "inv",   [ISA_MATH_LOG] = "log",     [ISA_MATH_EXP] = "exp",
        [ISA_MATH_SQT] = "sqt",   [ISA_MATH_RSQT] = "rsqt",   [ISA_MATH_SIN] = "sin",
        [ISA_MATH_COS] = "cos",   [ISA_MATH_FDIV] = "fdiv",   [ISA_MATH_POW] = "pow",
        [ISA_MATH_IDIV] = "idiv", [ISA_MATH_IQOT] = "iqot",   [ISA_MATH_IREM] = "irem",
        [ISA_MATH_INVM] = "invm", [ISA_MATH_RSQTM] = "rsqtm",
    };

    return PICK(names, function, "");
}

const char *isa_cmod_name(enum isa_cmod cmod)
{
    static const char *const names[ISA_CMOD_COUNT] = {"",   "eq", "ne", "gt", "ge",
                                                      "lt", "le", "ov", "un", "eo"};

    return PICK(names, cmod, "");
}

const char *isa_pred_suffix(enum isa_pred pred)
{
    static const char *const names[ISA_PRED_COUNT] = {
        "",      "",      "anyv",  "allv",   "any2h",  "all2h",  "any4h",
        "all4h", "any8h", "all8h", "any16h", "all16h", "any32h", "all32h"};

    return PICK(names, pred, "");
}

const char *isa_file_name(enum isa_file file)
{
    static const char *const names[ISA_FILE_COUNT] = {
        [ISA_FILE_NONE] = "",    [ISA_FILE_NULL] = "null", [ISA_FILE_GRF] = "r",
        [ISA_FILE_IMM] = "imm",  [ISA_FILE_ADDR] = "a",    [ISA_FILE_ACC] = "acc",
        [ISA_FILE_FLAG] = "f",   [ISA_FILE_CHMASK] = "ce", [ISA_FILE_MSG] = "msg",
        [ISA_FILE_SP] = "sp",    [ISA_FILE_STATE] = "sr",  [ISA_FILE_CTRL] = "cr",
        [ISA_FILE_NOTIFY] = "n", [ISA_FILE_IP] = "ip",     [ISA_FILE_TDR] = "tdr",
        [ISA_FILE_TIME] = "tm",  [ISA_FILE_OTHER] = "arf",
    };

    return PICK(names, file, "?");
}

const char *isa_sfid_name(uint32_t sfid)
{
    static const char *const names[] = {
        [ISA_SFID_NULL] = "null",       [ISA_SFID_SAMPLER] = "sampler",
        [ISA_SFID_GATEWAY] = "gateway", [ISA_SFID_DC2] = "dc2",
        [ISA_SFID_RENDER] = "render",   [ISA_SFID_URB] = "urb",
        [ISA_SFID_SPAWNER] = "spawner", [ISA_SFID_VME] = "vme",
        [ISA_SFID_DCRO] = "dcro",       [ISA_SFID_DC0] = "dc0",
        [ISA_SFID_PIXEL] = "pixel",     [ISA_SFID_DC1] = "dc1",
        [ISA_SFID_CRE] = "cre",
    };

    return PICK(names, sfid, "?");
}

const char *isa_family_name(enum isa_family family)
{
    static const char *const names[ISA_MSG_FAMILY_COUNT] = {
        [ISA_MSG_NONE] = "none",
        [ISA_MSG_UNSUPPORTED] = "unsupported",
        [ISA_MSG_UNTYPED_READ] = "untyped_read",
        [ISA_MSG_UNTYPED_WRITE] = "untyped_write",
        [ISA_MSG_UNTYPED_ATOMIC] = "untyped_atomic",
        [ISA_MSG_FLOAT_ATOMIC] = "float_atomic",
        [ISA_MSG_SCATTERED_READ] = "scattered_read",
        [ISA_MSG_SCATTERED_WRITE] = "scattered_write",
        [ISA_MSG_BLOCK_READ] = "block_read",
        [ISA_MSG_BLOCK_WRITE] = "block_write",
        [ISA_MSG_SCRATCH_READ] = "scratch_read",
        [ISA_MSG_SCRATCH_WRITE] = "scratch_write",
        [ISA_MSG_TYPED_READ] = "typed_read",
        [ISA_MSG_TYPED_WRITE] = "typed_write",
        [ISA_MSG_TYPED_ATOMIC] = "typed_atomic",
        [ISA_MSG_SAMPLER] = "sampler",
        [ISA_MSG_SAMPLER_FLUSH] = "sampler_flush",
        [ISA_MSG_FENCE] = "fence",
        [ISA_MSG_BARRIER] = "barrier",
        [ISA_MSG_GATEWAY] = "gateway",
        [ISA_MSG_EOT] = "eot",
        [ISA_MSG_PAYLOAD] = "payload",
        [ISA_MSG_TEXTURE] = "texture",
        [ISA_MSG_TARGET] = "target",
        [ISA_MSG_URB] = "urb",
    };

    return PICK(names, family, "?");
}

const char *isa_addr_model_name(enum isa_addr_model model)
{
    static const char *const names[ISA_ADDR_COUNT] = {"none",      "bti", "slm",
                                                      "stateless", "a64", "scratch"};

    return PICK(names, model, "?");
}

const char *isa_atomic_name(enum isa_atomic op)
{
    static const char *const names[] = {
        [ISA_ATOMIC_CMPXCHG64] = "cmpxchg64",
        [ISA_ATOMIC_AND] = "and",
        [ISA_ATOMIC_OR] = "or",
        [ISA_ATOMIC_XOR] = "xor",
        [ISA_ATOMIC_XCHG] = "xchg",
        [ISA_ATOMIC_INC] = "inc",
        [ISA_ATOMIC_DEC] = "dec",
        [ISA_ATOMIC_ADD] = "add",
        [ISA_ATOMIC_SUB] = "sub",
        [ISA_ATOMIC_REVSUB] = "revsub",
        [ISA_ATOMIC_IMAX] = "imax",
        [ISA_ATOMIC_IMIN] = "imin",
        [ISA_ATOMIC_UMAX] = "umax",
        [ISA_ATOMIC_UMIN] = "umin",
        [ISA_ATOMIC_CMPXCHG] = "cmpxchg",
        [ISA_ATOMIC_PREDEC] = "predec",
        [ISA_ATOMIC_FMAX] = "fmax",
        [ISA_ATOMIC_FMIN] = "fmin",
        [ISA_ATOMIC_FCMPXCHG] = "fcmpxchg",
        [ISA_ATOMIC_NONE] = "none",
    };

    return PICK(names, op, "?");
}

int32_t isa_find(const struct isa_kernel_code *code, uint32_t pc)
{
    uint32_t lo = 0, hi = code->count;

    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;

        if (code->inst[mid].pc < pc)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < code->count && code->inst[lo].pc == pc ? (int32_t)lo : -1;
}

/* Type of one source as the ALU sees it. */
static enum isa_type alu_type(enum isa_type type)
{
    switch (type) {
    case ISA_TYPE_UB:
    case ISA_TYPE_UV:
        return ISA_TYPE_UW;
    case ISA_TYPE_B:
    case ISA_TYPE_V:
        return ISA_TYPE_W;
    case ISA_TYPE_VF:
        return ISA_TYPE_F;
    default:
        return type;
    }
}

/* Which of two source types execution takes: floats before integers, then the wider,
 * then the signed. */
static enum isa_type wider_type(enum isa_type a, enum isa_type b)
{
    if (isa_type_is_float(a) != isa_type_is_float(b))
        return isa_type_is_float(a) ? a : b;
    if (isa_type_bytes(a) != isa_type_bytes(b))
        return isa_type_bytes(a) > isa_type_bytes(b) ? a : b;
    return isa_type_is_signed(a) ? a : b;
}

enum isa_type isa_exec_type(const struct isa_inst *inst)
{
    enum isa_class cls = isa_opcode_class((enum isa_opcode)inst->op);
    enum isa_type type = ISA_TYPE_NONE;

    if (cls == ISA_CLASS_SEND || cls == ISA_CLASS_BRANCH || cls == ISA_CLASS_SYNC)
        return ISA_TYPE_NONE;
    for (uint32_t i = 0; i < inst->nsrc; i++) {
        enum isa_type t = alu_type((enum isa_type)inst->src[i].type);

        if (t != ISA_TYPE_NONE)
            type = type == ISA_TYPE_NONE ? t : wider_type(type, t);
    }
    return type;
}

static bool is_dword_int(enum isa_type type)
{
    return type == ISA_TYPE_D || type == ISA_TYPE_UD;
}

bool isa_is_64bit(const struct isa_inst *inst)
{
    enum isa_type type = isa_exec_type(inst);
    uint32_t dwords = 0;

    if (type == ISA_TYPE_NONE)
        return false;
    if (isa_type_bytes(type) == 8 || isa_type_bytes((enum isa_type)inst->dst.type) == 8)
        return true;
    /* mad multiplies sources 1 and 2; mul and mac 0 and 1. */
    if (inst->op != ISA_OP_MUL && inst->op != ISA_OP_MAD && inst->op != ISA_OP_MAC)
        return false;
    for (uint32_t i = inst->op == ISA_OP_MAD ? 1 : 0; i < inst->nsrc; i++)
        dwords += is_dword_int((enum isa_type)inst->src[i].type);
    return dwords == 2;
}

uint32_t isa_flops(const struct isa_inst *inst)
{
    if (!isa_type_is_float(isa_exec_type(inst)))
        return 0;
    switch (inst->op) {
    case ISA_OP_ADD:
    case ISA_OP_MUL:
    case ISA_OP_MATH:
        return 1;
    case ISA_OP_MAD:
    case ISA_OP_MADM:
    case ISA_OP_MAC:
        return 2;
    default:
        return 0;
    }
}
