/* isa.h - the one decoded instruction form of Gen9 EU code.
 *
 * The decoder (igpu/isa_decode.h, over libiga64) makes it from kernel text; the
 * trace writer stores it in full and the trace reader makes it again; emulator,
 * feeder and reports read it. Nothing here needs libiga64 or allocates, except
 * isa_blocks().
 *
 * Units   pc, JIP and UIP are byte offsets from the first instruction of the kernel.
 *         Region strides and subregister numbers are in elements of the operand's
 *         type, as the assembler prints them; `byte` fields are in bytes.
 *         Lengths of message payloads count GRFs of 32 bytes.
 * Source  docs/develop/sources.md#gen9-isa     Tests: tests/csim/test_isa.c */
#ifndef IGPU_ISA_H
#define IGPU_ISA_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "igpu/err.h"

enum { ISA_GRF_COUNT = 128, ISA_GRF_BYTES = 32, ISA_MAX_SIMD = 32, ISA_MAX_SRC = 3 };
enum { ISA_NO_TARGET = -1 };

/* ---- opcodes ------------------------------------------------------------ */

/* What an opcode is, for whoever has no need of the opcode itself. */
enum isa_class {
    ISA_CLASS_NONE,   /* illegal: never executed */
    ISA_CLASS_MOVE,   /* mov sel movi smov csel: data moves */
    ISA_CLASS_LOGIC,  /* bitwise, shifts, bit counts */
    ISA_CLASS_ARITH,  /* add mul mad cmp rnd* dp*: integer or float by type */
    ISA_CLASS_MATH,   /* math (extended math unit), see enum isa_math */
    ISA_CLASS_BRANCH, /* changes or joins control flow */
    ISA_CLASS_SEND,   /* send sends sendc sendsc */
    ISA_CLASS_SYNC,   /* wait */
    ISA_CLASS_NOP
};

/* X(enum suffix, mnemonic, class, number of source operands). Every opcode of the
 * Gen9 EU. A branch's JIP and UIP are not sources; jmpi and calls with a register
 * target have that register as source 0. */
#define ISA_OPCODES(X)                                                                 \
    X(ILLEGAL, "illegal", NONE, 0)                                                     \
    X(MOV, "mov", MOVE, 1)                                                             \
    X(SEL, "sel", MOVE, 2)                                                             \
    X(MOVI, "movi", MOVE, 2)                                                           \
    X(SMOV, "smov", MOVE, 2)                                                           \
    X(CSEL, "csel", MOVE, 3)                                                           \
    X(NOT, "not", LOGIC, 1)                                                            \
    X(AND, "and", LOGIC, 2)                                                            \
    X(OR, "or", LOGIC, 2)                                                              \
    X(XOR, "xor", LOGIC, 2)                                                            \
    X(SHR, "shr", LOGIC, 2)                                                            \
    X(SHL, "shl", LOGIC, 2)                                                            \
    X(ASR, "asr", LOGIC, 2)                                                            \
    X(BFREV, "bfrev", LOGIC, 1)                                                        \
    X(BFE, "bfe", LOGIC, 3)                                                            \
    X(BFI1, "bfi1", LOGIC, 2)                                                          \
    X(BFI2, "bfi2", LOGIC, 3)                                                          \
    X(LZD, "lzd", LOGIC, 1)                                                            \
    X(FBH, "fbh", LOGIC, 1)                                                            \
    X(FBL, "fbl", LOGIC, 1)                                                            \
    X(CBIT, "cbit", LOGIC, 1)                                                          \
    X(CMP, "cmp", ARITH, 2)                                                            \
    X(CMPN, "cmpn", ARITH, 2)                                                          \
    X(ADD, "add", ARITH, 2)                                                            \
    X(MUL, "mul", ARITH, 2)                                                            \
    X(AVG, "avg", ARITH, 2)                                                            \
    X(FRC, "frc", ARITH, 1)                                                            \
    X(RNDU, "rndu", ARITH, 1)                                                          \
    X(RNDD, "rndd", ARITH, 1)                                                          \
    X(RNDE, "rnde", ARITH, 1)                                                          \
    X(RNDZ, "rndz", ARITH, 1)                                                          \
    X(MAC, "mac", ARITH, 2)                                                            \
    X(MACH, "mach", ARITH, 2)                                                          \
    X(ADDC, "addc", ARITH, 2)                                                          \
    X(SUBB, "subb", ARITH, 2)                                                          \
    X(SAD2, "sad2", ARITH, 2)                                                          \
    X(SADA2, "sada2", ARITH, 2)                                                        \
    X(DP4, "dp4", ARITH, 2)                                                            \
    X(DPH, "dph", ARITH, 2)                                                            \
    X(DP3, "dp3", ARITH, 2)                                                            \
    X(DP2, "dp2", ARITH, 2)                                                            \
    X(LINE, "line", ARITH, 2)                                                          \
    X(PLN, "pln", ARITH, 2)                                                            \
    X(MAD, "mad", ARITH, 3)                                                            \
    X(LRP, "lrp", ARITH, 3)                                                            \
    X(MADM, "madm", ARITH, 3)                                                          \
    X(MATH, "math", MATH, 2)                                                           \
    X(JMPI, "jmpi", BRANCH, 1)                                                         \
    X(BRD, "brd", BRANCH, 1)                                                           \
    X(BRC, "brc", BRANCH, 1)                                                           \
    X(IF, "if", BRANCH, 0)                                                             \
    X(ELSE, "else", BRANCH, 0)                                                         \
    X(ENDIF, "endif", BRANCH, 0)                                                       \
    X(WHILE, "while", BRANCH, 0)                                                       \
    X(BREAK, "break", BRANCH, 0)                                                       \
    X(CONT, "cont", BRANCH, 0)                                                         \
    X(HALT, "halt", BRANCH, 0)                                                         \
    X(CALLA, "calla", BRANCH, 1)                                                       \
    X(CALL, "call", BRANCH, 1)                                                         \
    X(RET, "ret", BRANCH, 1)                                                           \
    X(GOTO, "goto", BRANCH, 0)                                                         \
    X(JOIN, "join", BRANCH, 0)                                                         \
    X(WAIT, "wait", SYNC, 1)                                                           \
    X(SEND, "send", SEND, 1)                                                           \
    X(SENDC, "sendc", SEND, 1)                                                         \
    X(SENDS, "sends", SEND, 2)                                                         \
    X(SENDSC, "sendsc", SEND, 2)                                                       \
    X(NOP, "nop", NOP, 0)

enum isa_opcode {
#define ISA_ENUM(id, mnemonic, cls, nsrc) ISA_OP_##id,
    ISA_OPCODES(ISA_ENUM)
#undef ISA_ENUM
        ISA_OP_COUNT
};

/* Function of `math`; the values are the hardware's. */
enum isa_math {
    ISA_MATH_NONE = 0,
    ISA_MATH_INV = 1,
    ISA_MATH_LOG = 2, /* base 2 */
    ISA_MATH_EXP = 3, /* base 2 */
    ISA_MATH_SQT = 4,
    ISA_MATH_RSQT = 5,
    ISA_MATH_SIN = 6,
    ISA_MATH_COS = 7,
    ISA_MATH_FDIV = 9,
    ISA_MATH_POW = 10,
    ISA_MATH_IDIV = 11, /* quotient and remainder */
    ISA_MATH_IQOT = 12,
    ISA_MATH_IREM = 13,
    ISA_MATH_INVM = 14, /* macro: mantissa part, sets flag by cmod eo */
    ISA_MATH_RSQTM = 15,
    ISA_MATH_COUNT = 16
};

/* ---- types -------------------------------------------------------------- */

enum isa_type {
    ISA_TYPE_NONE, /* no type: send payloads, null operands, branch targets */
    ISA_TYPE_UB,
    ISA_TYPE_B,
    ISA_TYPE_UW,
    ISA_TYPE_W,
    ISA_TYPE_UD,
    ISA_TYPE_D,
    ISA_TYPE_UQ,
    ISA_TYPE_Q,
    ISA_TYPE_HF,
    ISA_TYPE_F,
    ISA_TYPE_DF,
    ISA_TYPE_V,  /* immediate: 8 signed nibbles, each a word; lane i takes i mod 8 */
    ISA_TYPE_UV, /* immediate: 8 unsigned nibbles, each a word */
    ISA_TYPE_VF, /* immediate: 4 restricted 8-bit floats; lane i takes i mod 4 */
    ISA_TYPE_COUNT
};

/* Bytes of one element: 1, 2, 4 or 8; V and UV 2, VF 4 (of the expanded element);
 * NONE 0. */
uint32_t isa_type_bytes(enum isa_type type);
bool isa_type_is_float(enum isa_type type);    /* HF F DF VF */
bool isa_type_is_signed(enum isa_type type);   /* B W D Q V, and floats */
const char *isa_type_name(enum isa_type type); /* "ud"; "" for NONE */

/* ---- operands ----------------------------------------------------------- */

enum isa_file {
    ISA_FILE_NONE, /* no such operand */
    ISA_FILE_NULL, /* ARF null: reads are undefined, writes are dropped */
    ISA_FILE_GRF,
    ISA_FILE_IMM,
    ISA_FILE_ADDR,   /* a0, 16 words */
    ISA_FILE_ACC,    /* acc0, acc1 */
    ISA_FILE_FLAG,   /* f0, f1; subreg as the operand's type counts */
    ISA_FILE_CHMASK, /* ce */
    ISA_FILE_MSG,    /* msg */
    ISA_FILE_SP,
    ISA_FILE_STATE,  /* sr0 */
    ISA_FILE_CTRL,   /* cr0 */
    ISA_FILE_NOTIFY, /* n0 */
    ISA_FILE_IP,
    ISA_FILE_TDR,
    ISA_FILE_TIME,  /* tm0 */
    ISA_FILE_OTHER, /* an ARF this form has no name for */
    ISA_FILE_COUNT
};

/* Source modifier. On and, or, xor and not, NEG means bitwise not. */
enum isa_mod { ISA_MOD_NONE, ISA_MOD_ABS, ISA_MOD_NEG, ISA_MOD_NEGABS };

enum { ISA_MME_NONE = -1, ISA_MME_NOMME = 8 };

/* Element i of a source lies at subreg + (i / width) * vstride + (i % width) * hstride
 * elements from reg, for i counted from the instruction's first channel. The regions
 * of three-source instructions are brought to this form: a scalar is <0;1,0>, a
 * packed one <1;1,0>. A destination has hstride only. A GRF operand may run into the
 * following registers. */
enum { ISA_SWIZZLED = 0x100 };

struct isa_operand {
    uint8_t file;   /* enum isa_file */
    uint8_t type;   /* enum isa_type */
    uint8_t mod;    /* enum isa_mod; sources only */
    bool indirect;  /* r[a0.addr_sub + addr_imm]: file is GRF, reg and subreg unused */
    bool vxh;       /* indirect sources: row k takes its address from word addr_sub+k */
    uint8_t reg;    /* register number within the file */
    uint8_t subreg; /* in elements of `type` (of a dword when NONE) */
    uint8_t byte;   /* the same in bytes: the operand starts reg * 32 + byte */
    uint8_t vstride, width, hstride; /* width 0: no region (immediate, send, arf) */
    uint16_t swizzle; /* of Align16: ISA_SWIZZLED and two bits for each lane of four:
                         which of the row's four elements it takes; 0: its own */
    int8_t mme;       /* 0..7, ISA_MME_NOMME, or ISA_MME_NONE for ordinary operands */
    uint8_t addr_sub; /* first word of a0 */
    int16_t addr_imm; /* bytes, added to the address from a0 */
    uint64_t imm;     /* as encoded, zero-extended from the type's size: a word
                         immediate has its 16 bits here, V UV VF their 32 */
};

/* ---- predicates, condition modifiers ------------------------------------ */

enum isa_pred {
    ISA_PRED_NONE,
    ISA_PRED_SEQ, /* plain: bit of the lane */
    ISA_PRED_ANYV,
    ISA_PRED_ALLV,
    ISA_PRED_ANY2H,
    ISA_PRED_ALL2H,
    ISA_PRED_ANY4H,
    ISA_PRED_ALL4H,
    ISA_PRED_ANY8H,
    ISA_PRED_ALL8H,
    ISA_PRED_ANY16H,
    ISA_PRED_ALL16H,
    ISA_PRED_ANY32H,
    ISA_PRED_ALL32H,
    ISA_PRED_COUNT
};

enum isa_cmod {
    ISA_CMOD_NONE,
    ISA_CMOD_EQ,
    ISA_CMOD_NE,
    ISA_CMOD_GT,
    ISA_CMOD_GE,
    ISA_CMOD_LT,
    ISA_CMOD_LE,
    ISA_CMOD_OV,
    ISA_CMOD_UN,
    ISA_CMOD_EO, /* math.invm and math.rsqtm: early out */
    ISA_CMOD_COUNT
};

/* ---- messages ----------------------------------------------------------- */

enum isa_sfid {
    ISA_SFID_NULL = 0,
    ISA_SFID_SAMPLER = 2,
    ISA_SFID_GATEWAY = 3,
    ISA_SFID_DC2 = 4,
    ISA_SFID_RENDER = 5,
    ISA_SFID_URB = 6,
    ISA_SFID_SPAWNER = 7,
    ISA_SFID_VME = 8,
    ISA_SFID_DCRO = 9,
    ISA_SFID_DC0 = 10,
    ISA_SFID_PIXEL = 11,
    ISA_SFID_DC1 = 12,
    ISA_SFID_CRE = 13
};

/* What a message does, whichever shared function carries it. */
enum isa_family {
    ISA_MSG_NONE,         /* not a send */
    ISA_MSG_UNSUPPORTED,  /* decoded no further; see isa_message_note() */
    ISA_MSG_UNTYPED_READ, /* 1..4 dwords a lane, comp_mask says which */
    ISA_MSG_UNTYPED_WRITE,
    ISA_MSG_UNTYPED_ATOMIC,
    ISA_MSG_FLOAT_ATOMIC,
    ISA_MSG_SCATTERED_READ, /* elements x element_bytes consecutive bytes a lane */
    ISA_MSG_SCATTERED_WRITE,
    ISA_MSG_BLOCK_READ, /* oword and hword blocks: block_bytes for the thread */
    ISA_MSG_BLOCK_WRITE,
    ISA_MSG_SCRATCH_READ, /* block_bytes at scratch_offset of the thread's scratch */
    ISA_MSG_SCRATCH_WRITE,
    ISA_MSG_TYPED_READ, /* images; payload u v r lod; media blocks: header x y size */
    ISA_MSG_TYPED_WRITE,
    ISA_MSG_TYPED_ATOMIC,
    ISA_MSG_SAMPLER, /* sampler_type, sampler_index */
    ISA_MSG_SAMPLER_FLUSH,
    ISA_MSG_FENCE,
    ISA_MSG_BARRIER, /* arrival at the gateway */
    ISA_MSG_GATEWAY, /* other gateway messages: sub_type */
    ISA_MSG_EOT,     /* thread spawner: the thread ends */
    ISA_MSG_PAYLOAD, /* of graphics, in traces only, down to URB: see
                      * docs/contract/frames.md
                      */
    ISA_MSG_TEXTURE, /* a sampler's message; its lines of texels */
    ISA_MSG_TARGET,  /* a write to a render target; its lines of pixels */
    ISA_MSG_URB,     /* a write to the URB */
    ISA_MSG_FAMILY_COUNT
};

enum isa_addr_model {
    ISA_ADDR_NONE,
    ISA_ADDR_BTI,       /* 32-bit byte offsets in the surface `bti` */
    ISA_ADDR_SLM,       /* bti 254: 32-bit offsets in the group's SLM */
    ISA_ADDR_STATELESS, /* bti 253, 255: 32-bit offsets from General State Base */
    ISA_ADDR_A64,       /* 64-bit virtual addresses */
    ISA_ADDR_SCRATCH,   /* scratch block messages */
    ISA_ADDR_COUNT
};

/* Values are the hardware's; NONE is outside its range. */
enum isa_atomic {
    ISA_ATOMIC_CMPXCHG64 = 0,
    ISA_ATOMIC_AND = 1,
    ISA_ATOMIC_OR = 2,
    ISA_ATOMIC_XOR = 3,
    ISA_ATOMIC_XCHG = 4,
    ISA_ATOMIC_INC = 5,
    ISA_ATOMIC_DEC = 6,
    ISA_ATOMIC_ADD = 7,
    ISA_ATOMIC_SUB = 8,
    ISA_ATOMIC_REVSUB = 9,
    ISA_ATOMIC_IMAX = 10,
    ISA_ATOMIC_IMIN = 11,
    ISA_ATOMIC_UMAX = 12,
    ISA_ATOMIC_UMIN = 13,
    ISA_ATOMIC_CMPXCHG = 14,
    ISA_ATOMIC_PREDEC = 15,
    ISA_ATOMIC_FMAX = 17, /* float atomics: 16 + hardware code */
    ISA_ATOMIC_FMIN = 18,
    ISA_ATOMIC_FCMPXCHG = 19,
    ISA_ATOMIC_NONE = 31
};

/* A decoded message. desc_reg or exdesc_reg: the descriptor comes from a0.0, the
 * extended one from a0.2 at run time, desc or exdesc then is 0 and family UNSUPPORTED,
 * but see isa_find_descriptors(). Data layout is one GRF
 * group per component: component j of lane i is at j * simd * slot_bytes +
 * i * slot_bytes of the payload. */
struct isa_message {
    uint8_t sfid;       /* enum isa_sfid */
    uint8_t family;     /* enum isa_family */
    uint8_t addr_model; /* enum isa_addr_model */
    uint8_t atomic_op;  /* enum isa_atomic */
    uint32_t desc, exdesc;
    bool desc_reg, exdesc_reg;
    uint8_t mlen;          /* GRFs of source 0: header, addresses; send: data too */
    uint8_t ext_mlen;      /* GRFs of source 1 (sends) */
    uint8_t rlen;          /* GRFs written to dst */
    bool header;           /* the first GRF of source 0 is a header */
    uint8_t simd;          /* lanes of the message: 8 or 16; 1 for blocks; 0 unknown */
    uint8_t bti;           /* binding table index, 253..255 included */
    uint8_t elements;      /* per lane; components enabled in comp_mask for untyped */
    uint8_t element_bytes; /* in memory: 1, 4 or 8 */
    uint8_t slot_bytes;    /* a lane's element in the payload: 4 or 8. Byte messages
                              pack a lane's elements into the low bytes of one slot */
    uint8_t comp_mask;     /* untyped, typed: bit c set = component c moved (x y z w),
                              at address + 4 * c */
    uint8_t slot_group;    /* typed: 0 = lanes 0..7, 8 = lanes 8..15 of the channels */
    uint8_t sub_type;      /* gateway message, sampler type, fence flush set; typed:
                              ISA_TYPED_MEDIA */
    uint8_t sampler_index;
    bool high_half;          /* 1-oword blocks: the upper 16 bytes of the GRF */
    bool commit;             /* fence: writes one GRF when done */
    bool returns_data;       /* rlen > 0 and dst is not null */
    bool is_read, is_write;  /* memory only; atomics are both */
    uint16_t block_bytes;    /* block and scratch messages */
    uint16_t block_unit;     /* bytes that the header's offset counts: 1 or 16 */
    uint32_t scratch_offset; /* bytes from the thread's scratch base */
};

/* Bytes that one lane of a message to memory moves, and in *first the distance of the
 * first one from the lane's address. */
uint32_t isa_lane_bytes(const struct isa_message *m, uint32_t *first);

/* sub_type of typed reads and writes: 0, a texel a lane; a media block, a rectangle of
 * the image's bytes for the thread. In a recorded access of such a block each lane that
 * is on is a line of 64 bytes of which the block has some, and simd is 0. */
enum { ISA_TYPED_MEDIA = 1 };

/* Lanes of a recorded access of the sampler (ISA_MSG_SAMPLER): its own lanes have the
 * address of the first texel that each reads; from FURTHER on, a line each, mostly one
 * that no lane before has; SAMPLES, if on, a line again and in its lowest six bits the
 * bilinear samples of 32 bits that each lane takes, else one. */
enum { ISA_TEXEL_FURTHER = 16, ISA_TEXEL_SAMPLES = 31 };

/* ---- instruction -------------------------------------------------------- */

struct isa_inst {
    uint32_t pc;  /* byte offset in the kernel */
    uint8_t size; /* bytes: 8 (compacted) or 16 */
    bool compacted;
    uint8_t op;          /* enum isa_opcode */
    uint8_t math;        /* enum isa_math */
    uint8_t exec_size;   /* 1, 2, 4, 8, 16, 32 */
    uint8_t chan_offset; /* first channel: 0, 4, .. 28 */
    bool no_mask;        /* (W) */
    uint8_t pred;        /* enum isa_pred */
    bool pred_inverse;
    uint8_t cmod; /* enum isa_cmod */
    int8_t flag;  /* 2 * register + subregister of predicate and cmod, 0..3;
                     -1 without either. Lane i of the instruction uses bit
                     16 * (flag & 1) + chan_offset + i of register flag >> 1 */
    bool saturate;
    bool acc_wr_en;
    bool eot;
    bool thread_switch;     /* {Switch} */
    bool branch_ctrl;       /* goto.b, if.b, else.b */
    uint8_t nsrc;           /* sources present in src[] */
    struct isa_operand dst; /* file NONE when the instruction has none */
    struct isa_operand src[ISA_MAX_SRC];
    int32_t jip, uip;       /* absolute byte offsets in the kernel, or ISA_NO_TARGET.
                               jmpi, call, while, endif, join have JIP only */
    struct isa_message msg; /* family NONE unless a send */
};

/* One kernel's instructions in text order, without the padding behind the last
 * EOT. Made and freed by the decoder or the trace reader. */
struct isa_kernel_code {
    struct isa_inst *inst;
    uint32_t count;
    uint32_t text_bytes; /* of the instructions: inst[count-1].pc + its size */
};

enum isa_class isa_opcode_class(enum isa_opcode op);
const char *isa_opcode_name(enum isa_opcode op); /* "mov"; "?" out of range */
enum isa_opcode isa_opcode_from_name(const char *mnemonic); /* COUNT: unknown */
const char *isa_math_name(enum isa_math function);          /* "inv"; "" for NONE */
const char *isa_cmod_name(enum isa_cmod cmod);              /* "eq"; "" for NONE */
const char *isa_pred_suffix(enum isa_pred pred); /* "any2h"; "" for NONE and SEQ */
const char *isa_file_name(enum isa_file file);   /* "r", "acc", ..; "null" */
const char *isa_sfid_name(uint32_t sfid);
const char *isa_family_name(enum isa_family family);
const char *isa_addr_model_name(enum isa_addr_model model);
const char *isa_atomic_name(enum isa_atomic op);

/* The type in which the instruction computes: the widest source type, bytes as
 * words, V and UV as W and UW, VF as F, any float before any integer; NONE for
 * sends, branches and instructions without sources. */
enum isa_type isa_exec_type(const struct isa_inst *inst);

/* True for 64-bit execution: a DF, Q or UQ exec or destination type, or a multiply
 * (mul, mad, mac) of two 32-bit integers. */
bool isa_is_64bit(const struct isa_inst *inst);

/* Floating-point operations per enabled lane, as the statistics count them: add, mul
 * and math 1, mad, madm and mac 2, all else and integers 0. */
uint32_t isa_flops(const struct isa_inst *inst);

/* Index in code of the instruction at pc, or -1. */
int32_t isa_find(const struct isa_kernel_code *code, uint32_t pc);

/* Decode the fields of *msg from desc, exdesc, desc_reg and exdesc_reg. returns_data
 * assumes a destination that is not null. Never fails: what it does not know becomes
 * UNSUPPORTED with its lengths. */
void isa_message_decode(struct isa_message *msg);

/* Its lengths are known, from the descriptor or from the code in front of it. */
static inline bool isa_message_is_known(const struct isa_message *m)
{
    return !m->desc_reg || m->desc != 0;
}

/* The same of its extended descriptor. */
static inline bool isa_message_is_extended(const struct isa_message *m)
{
    return !m->exdesc_reg || m->exdesc != 0;
}

/* Bits of an extended descriptor that say what a message is; those above are the number
 * of a surface that no binding table has. */
enum { ISA_EXDESC_KIND = 0xFFF };

/* Messages whose descriptor is in a0.0, or whose extended one is in a0.2, become all
 * that the code in front of them, up to a branch, says: compilers add the binding table
 * index, and a sampler's number above it, or a surface's number, to the rest. These are
 * 0 in such a desc and exdesc; desc_reg and exdesc_reg stay. */
void isa_find_descriptors(struct isa_kernel_code *code);
/* *from, whose desc_reg or exdesc_reg is set, with this descriptor: a0.0, or without
 * desc_reg its own. False: it is of another kind or size
 * than from->msg says, or that says nothing. */
bool isa_resolve(const struct isa_inst *from, uint32_t desc, struct isa_inst *to);

/* What an UNSUPPORTED message is, in words; "" for others. */
const char *isa_message_note(const struct isa_message *msg);

/* One line of assembly in iga64's syntax, without label or comment, into text[cap]
 * (always terminated when cap > 0). Targets print as absolute pcs. Returns the
 * length it would need, as snprintf does. */
size_t isa_disasm(const struct isa_inst *inst, char *text, size_t cap);

/* ---- registers read and written ----------------------------------------- */

enum isa_other_reg {
    ISA_OTHER_NOTIFY = 1,
    ISA_OTHER_CTRL = 2,
    ISA_OTHER_STATE = 4,
    ISA_OTHER_IP = 8,
    ISA_OTHER_TIME = 16,
    ISA_OTHER_REST = 32 /* ce, msg, sp, tdr, unknown */
};

/* Bit masks. For an indirect operand no GRF is known here: its `indirect` is set,
 * the mask holds all 128 GRFs for a source (it waits for every write in flight) and
 * for a destination (it conflicts with everything), and a0 is in the reads. */
struct isa_regset {
    uint64_t grf[2]; /* GRF n: bit n % 64 of grf[n / 64] */
    uint8_t flags;   /* bit 0 f0.0, 1 f0.1, 2 f1.0, 3 f1.1 (16 bits each) */
    uint16_t acc;    /* bits 0, 1: acc0, acc1; bits 2..9: mme0..mme7 */
    uint16_t addr;   /* words of a0 */
    uint8_t other;   /* enum isa_other_reg */
    bool indirect;
};

/* What *inst may read and may write, whatever its masks are at run time. A write
 * under a predicate or with strides is in writes only (the old value survives; for
 * a scoreboard that is the same dependency). Implicit ones count: the predicate and
 * sel's flag, cmod's flag, AccWrEn, mac/mach/sada2 reading acc, the mme registers,
 * a0 of an indirect operand or descriptor, n0 of wait. The flag words that a
 * predicate covers depend on chan_offset and exec_size. */
void isa_regs(const struct isa_inst *inst, struct isa_regset *reads,
              struct isa_regset *writes);

/* ---- basic blocks ------------------------------------------------------- */

enum { ISA_MAX_SUCC = 3 };

/* A block starts at the kernel's entry, at every JIP and UIP, and behind every
 * branch that may leave the straight line (all but endif and join) and behind EOT.
 * Sends and waits do not end one. */
struct isa_block {
    uint32_t first, count;       /* instructions: code->inst[first .. first+count-1] */
    uint32_t succ[ISA_MAX_SUCC]; /* indices of the static successors, each once, fall
                                    through first; the rest are unused */
    uint8_t nsucc;
    bool ends_thread; /* last instruction has EOT */
    bool is_call;     /* succ: the callee (when direct); the return site is
                         the next block */
    bool is_dynamic;  /* ret, or a target from a register: any block may follow */
};

/* With per-lane pcs a thread may also go from a branch to any block at which some
 * of its lanes wait, so a recorder must be able to name a block outside succ. */
struct isa_block_list {
    struct isa_block *block;
    uint32_t count;
    uint32_t *block_of; /* per instruction: index of its block */
};

/* Split code into blocks, in text order, into *list (freed by isa_blocks_free()).
 * IGPU_BAD_INPUT when a target is not the start of an instruction of code, or when
 * memory is short; *list then is empty. */
enum igpu_status isa_blocks(const struct isa_kernel_code *code,
                            struct isa_block_list *list, struct igpu_err *err);
void isa_blocks_free(struct isa_block_list *list);

#endif
