/* jit_int.h - what the files of csim/jit share; nobody else includes it.
 *
 * A kernel becomes one function. Each block is made twice: for threads all of whose
 * lanes are on, where masks are constants, and for others. Inside a block registers are
 * values; between blocks they are in the thread.
 *
 * Segment  A stretch of a block that changes nothing in memory before its end: there
 *          registers, flags and counts are written back. Whatever is out of the
 *          ordinary in it (a NaN, an address outside its buffer, another rounding)
 *          leaves the function at its first instruction, as if none of it had run. */
#ifndef JIT_INT_H
#define JIT_INT_H
#include <llvm-c/Core.h>

#include "igpu/jit.h"

enum { JIT_CHUNK = 8 }; /* lanes that are computed as one vector, at most */
enum { JIT_REGS = ISA_GRF_COUNT + 4 }; /* the last four: accumulators */
enum { JIT_PRODUCTS = ISA_MAX_SIMD / JIT_CHUNK };
enum { JIT_REG_DWORDS = ISA_GRF_BYTES / 4 };
/* Lanes of macros that are one vector, and vectors of an instruction; registers. */
enum { JIT_MACRO_LANES = 4, JIT_MACRO_PARTS = 2, JIT_MMES = ISA_MME_NOMME };

struct jit_reg {
    LLVMValueRef now; /* <8 x i32>; NULL: only in the thread */
    bool dirty;
    LLVMValueRef unseen;  /* floats of which nobody has looked yet whether one is NaN */
    LLVMValueRef flushed; /* `now` while it is floats and none is a denormal */
};

static inline bool jit_reg_is_flushed(const struct jit_reg *r)
{
    return r->now != NULL && r->flushed == r->now;
}

/* A macro register. */
struct jit_mme {
    LLVMValueRef near;                   /* i32: lanes that are doubles; NULL as now */
    LLVMValueRef value[JIT_MACRO_PARTS]; /* <4 x double> */
    LLVMValueRef known[JIT_MACRO_PARTS]; /* i32: lanes that are known to be near */
    bool dirty[JIT_MACRO_PARTS];
};

/* Lanes of which the same number is counted. */
enum { JIT_TALLIES = 12 };
struct jit_tally {
    LLVMValueRef mask;
    uint64_t lanes, flops; /* times so many */
};

struct jit_gen {
    const struct jit_kernel *k;
    LLVMContextRef context;
    LLVMModuleRef module;
    LLVMBuilderRef b;
    LLVMTypeRef i1, i8, i16, i32, i64, ptr, reg; /* reg: <8 x i32> */
    LLVMValueRef function, thread, machine, bound, start, places;
    LLVMValueRef asked;                    /* i8 *: a struct jit_asked */
    LLVMBasicBlockRef dispatch;            /* to where t->at says */
    LLVMBasicBlockRef again, leave;        /* return JIT_RAN, JIT_LEFT */
    LLVMBasicBlockRef *enter[2], *body[2]; /* of each instruction; [1]: all lanes on */
    LLVMValueRef split;                    /* see jit_split.c */
    uint32_t place_count, inlined;
    bool has_half;  /* the host converts halves */
    bool has_fused; /* has fused products and rounds, where LLVM else calls libm */

    uint64_t (*reads)[2], (*later)[2]; /* of each block: registers that it reads, and
                                          that are read behind it */

    /* the block that is generated */
    bool full;        /* all lanes are on */
    bool begins;      /* a thread begins with it; until its first segment ends.. */
    bool fresh;       /* ..registers and flags are what they are at first.. */
    bool uncounted;   /* ..and counts 0; the mode is, too, unless.. */
    bool is_set;      /* ..the thread has set it */
    bool plain;       /* the mode is known to be */
    LLVMValueRef row; /* of a thread that begins */
    uint32_t at;      /* the instruction that is generated */
    LLVMValueRef active;
    struct jit_reg r[JIT_REGS];
    LLVMValueRef flag[2];
    bool flag_dirty[2];
    LLVMValueRef product[JIT_PRODUCTS]; /* <8 x i64>, as r[].now */
    bool product_dirty[JIT_PRODUCTS];
    LLVMValueRef odd, odd_bits; /* <8 x i32>, i32: not 0 where something is odd */
    LLVMValueRef macro_odd;     /* <4 x i64>, of macros' lanes: negative is odd */
    struct jit_mme mme[JIT_MMES];
    bool needs_mode;            /* the segment computes with floats */
    uint32_t first;             /* instruction of the segment */
    LLVMBasicBlockRef bail;     /* leave at `first` */
    LLVMValueRef enabled[8][6]; /* lanes by first channel / 4 and size, unpredicated */
    struct jit_tally tally[JIT_TALLIES];
    uint32_t tallies;
    uint64_t instructions;
    LLVMValueRef lanes, flops; /* i64: counted before those */
    LLVMValueRef log;          /* i8 *: where the segment tells from; NULL: nowhere */
    uint32_t told;             /* bytes behind that */
    uint32_t group;            /* bytes behind `log`: the group of sends in it */
    uint32_t sends, most;      /* that are in the group, and may be; most 0: no group */
};

/* Constants and types. */
static inline LLVMValueRef jit_u32(const struct jit_gen *g, uint64_t x)
{
    return LLVMConstInt(g->i32, x, 0);
}
static inline LLVMValueRef jit_u64(const struct jit_gen *g, uint64_t x)
{
    return LLVMConstInt(g->i64, x, 0);
}

/* ---- jit_value.c: vectors ------------------------------------------------ */
LLVMTypeRef jit_int_type(const struct jit_gen *g, uint32_t bytes);
/* A vector of n of what the scalar type is. */
LLVMTypeRef jit_vector(LLVMTypeRef scalar, uint32_t n);
uint32_t jit_width(LLVMValueRef v);
LLVMValueRef jit_splat(struct jit_gen *g, LLVMValueRef scalar, uint32_t n);
LLVMValueRef jit_splat_int(struct jit_gen *g, LLVMTypeRef scalar, uint64_t x,
                           uint32_t n);
/* Elements of a, then of b (NULL: undefined ones), by index; -1: any. */
LLVMValueRef jit_shuffle(struct jit_gen *g, LLVMValueRef a, LLVMValueRef b,
                         const int32_t *index, uint32_t n);
LLVMValueRef jit_cast(struct jit_gen *g, LLVMValueRef v, LLVMTypeRef type);
/* <n x i1> of bits from `first` on of an i32, and the i32 of such a vector. */
LLVMValueRef jit_to_mask(struct jit_gen *g, LLVMValueRef bits, uint32_t first,
                         uint32_t n);
LLVMValueRef jit_to_bits(struct jit_gen *g, LLVMValueRef mask);
/* Call a function of LLVM's that is overloaded for `types`. */
LLVMValueRef jit_intrinsic(struct jit_gen *g, const char *name, LLVMTypeRef *types,
                           uint32_t count, LLVMValueRef *args, uint32_t nargs);
/* Floats or doubles: x in all lanes of a vector such as `like`; a function of one such,
 * by LLVM's name; a * b + c, rounded once. */
LLVMValueRef jit_constant(LLVMValueRef like, double x);
LLVMValueRef jit_round_to(struct jit_gen *g, const char *name, LLVMValueRef v);
LLVMValueRef jit_fused(struct jit_gen *g, LLVMValueRef a, LLVMValueRef b,
                       LLVMValueRef c);
LLVMValueRef jit_popcount(struct jit_gen *g, LLVMValueRef bits);
/* Is it the constant x? */
bool jit_is(LLVMValueRef v, uint64_t x);

/* ---- jit_state.c: the thread ---------------------------------------------- */
/* A pointer to type at `offset` of the thread. */
LLVMValueRef jit_place_of(struct jit_gen *g, LLVMValueRef base, uint64_t offset,
                          LLVMTypeRef type);
LLVMValueRef jit_load(struct jit_gen *g, LLVMValueRef base, uint64_t offset,
                      LLVMTypeRef type);
void jit_store(struct jit_gen *g, LLVMValueRef base, uint64_t offset, LLVMValueRef v);
/* Entry `index` of the table that the machine has: i8 *. The table is looked for each
 * time, which is seldom: it would take a register of the host. */
LLVMValueRef jit_entry(struct jit_gen *g, uint32_t index);
/* That of the emulator's instruction. */
LLVMValueRef jit_op(struct jit_gen *g, const struct jit_inst *in);
/* Call what is there. */
LLVMValueRef jit_call(struct jit_gen *g, uint32_t index, LLVMTypeRef result,
                      LLVMValueRef *args, uint32_t nargs);
LLVMValueRef jit_pointer(const struct jit_gen *g, const void *p);
/* A segment begins at instruction `index`; state is all in the thread but for what is
 * known of it. */
void jit_begin(struct jit_gen *g, uint32_t index);
/* Forget what registers and flags were. */
void jit_forget(struct jit_gen *g);
/* It ends: look for what is odd, write back, count. */
void jit_end(struct jit_gen *g);
/* The same, but counts stay open: what runs next belongs to it (a store to memory). */
void jit_check(struct jit_gen *g);
/* One more instruction for the lanes of `mask`, an i32. */
void jit_count(struct jit_gen *g, const struct jit_inst *in, LLVMValueRef mask);
/* Room for a send and its `lanes` in a group of the segment's log, which begins with
 * room for `most` if there is none; in a place that all ways to its use come by. Bytes
 * behind `log`: where the group is, the send's head, its address, and its lanes. */
struct jit_told {
    uint32_t group, head, address, lanes;
};
struct jit_told jit_tell(struct jit_gen *g, uint32_t most, uint32_t lanes);
/* Leave at the segment's begin where `bad`, an i1, holds. */
void jit_bail_if(struct jit_gen *g, LLVMValueRef bad);
/* Go on in a block of its own where `cond` holds; the other is *otherwise. */
void jit_branch_if(struct jit_gen *g, LLVMValueRef cond, LLVMBasicBlockRef yes,
                   LLVMBasicBlockRef no);
LLVMBasicBlockRef jit_block(struct jit_gen *g, const char *name);
void jit_at(struct jit_gen *g, LLVMBasicBlockRef block);
/* <n x iN>: lanes from `first` on, as bits. */
LLVMValueRef jit_read(struct jit_gen *g, const struct jit_lanes *s, uint32_t first,
                      uint32_t n);
/* Write them where `mask`, <n x i1> or NULL, says. */
void jit_write(struct jit_gen *g, const struct jit_lanes *d, uint32_t first, uint32_t n,
               LLVMValueRef v, LLVMValueRef mask);
LLVMValueRef jit_reg(struct jit_gen *g, uint32_t index);
void jit_set_reg(struct jit_gen *g, uint32_t index, LLVMValueRef v);
/* The 64 bits of acc0 of eight lanes from 8 * chunk on. */
LLVMValueRef jit_product(struct jit_gen *g, uint32_t chunk);
void jit_set_product(struct jit_gen *g, uint32_t chunk, LLVMValueRef v);
LLVMValueRef jit_flag(struct jit_gen *g, uint32_t reg);
void jit_set_flag(struct jit_gen *g, uint32_t reg, LLVMValueRef v);
/* i32 of the lanes for which the predicate of *in holds, of those that are enabled. */
LLVMValueRef jit_predicate(struct jit_gen *g, const struct jit_inst *in);
LLVMValueRef jit_enabled(struct jit_gen *g, const struct jit_inst *in);
/* <n x i1>: where any holds, the segment is odd. */
void jit_make_odd(struct jit_gen *g, LLVMValueRef lanes);
/* i32: where it is not 0. */
void jit_make_odd_bits(struct jit_gen *g, LLVMValueRef bits);
/* As jit_make_odd(), of <4 x i1> made of doubles. */
void jit_macro_odd(struct jit_gen *g, LLVMValueRef lanes);
/* Lanes of float v that are NaN, where mask (may be NULL), make the segment odd. */
void jit_no_nan(struct jit_gen *g, LLVMValueRef v, LLVMValueRef mask);

/* ---- jit_split.c: lanes part, and meet --------------------------------------- */
/* The function that they do it by, g->split. */
void jit_make_split(struct jit_gen *g);
/* Lanes `there` (i32) wait at target, lanes `here` at next; then the thread goes on. */
void jit_call_split(struct jit_gen *g, LLVMValueRef there, uint32_t target,
                    LLVMValueRef here, uint32_t next);
void jit_split(struct jit_gen *g, LLVMValueRef there, uint32_t target,
               LLVMValueRef here, uint32_t next);

/* ---- jit_start.c: a thread's begin ------------------------------------------ */
/* Registers and flags are what they are at first. False: the emulator begins threads.
 */
bool jit_start(struct jit_gen *g);
/* Has register `index` a value then? And which one. */
bool jit_has_first(const struct jit_gen *g, uint32_t index);
LLVMValueRef jit_first_reg(struct jit_gen *g, uint32_t index);
/* The segment ends: of those that may be read behind it, all that it has not read. */
void jit_first_regs(struct jit_gen *g, const uint64_t live[2]);
/* Is the thread's word at `at` still the one that it begins with, which is `value`? */
bool jit_is_first(const struct jit_gen *g, uint32_t at, uint32_t value);

/* ---- jit_live.c: what is not read any more --------------------------------- */
/* Fill g->reads and g->later. */
void jit_find_later(struct jit_gen *g);
/* Registers that may be read from g->at on, a bit each. Only where all lanes are on are
 * others dead: lanes that wait elsewhere may read what any lane writes for all. */
void jit_live(const struct jit_gen *g, uint64_t live[2]);

/* ---- jit_alu.c, jit_float.c, jit_send.c, jit_flow.c ------------------------- */
/* Generate *in; false, with nothing done, when that is not possible. */
bool jit_alu(struct jit_gen *g, const struct jit_inst *in);
bool jit_is_inline(const struct jit_gen *g, const struct jit_inst *in);
/* The general case's operand: lanes of a source as integers of `bits`. */
LLVMValueRef jit_float_result(struct jit_gen *g, const struct jit_inst *in,
                              uint32_t first, uint32_t n, LLVMValueRef mask,
                              LLVMValueRef *tested);
LLVMValueRef jit_float_compare(struct jit_gen *g, const struct jit_inst *in,
                               uint32_t first, uint32_t n);
bool jit_float_is_inline(const struct jit_gen *g, const struct jit_inst *in);
/* Zero in lanes that are off: hosts are slow with denormals. mask: <n x i1>. */
LLVMValueRef jit_zero_off(struct jit_gen *g, LLVMValueRef v, LLVMValueRef mask);
/* The lanes of mask (i32) of *in's flags become those of bits. */
void jit_set_flags(struct jit_gen *g, const struct jit_inst *in, LLVMValueRef mask,
                   LLVMValueRef bits);
bool jit_send_is_inline(const struct jit_inst *in);
void jit_send(struct jit_gen *g, const struct jit_inst *in, uint32_t index);
void jit_function(struct jit_gen *g);

/* ---- jit_math.c: functions of floats ------------------------------------------- */
/* How many sources `math` has that is generated; 0: it is called. */
uint32_t jit_math_sources(const struct jit_inst *in);
/* enum isa_math function of s[0], or of both; mask: <n x i1> or NULL, lanes that are
 * on. */
LLVMValueRef jit_math(struct jit_gen *g, uint32_t function, const LLVMValueRef s[2],
                      LLVMValueRef mask);
/* Of the lanes of `near` (<n x i1>) what the emulator's call makes of x, and of y if it
 * takes two (else NULL), else `known`; all are <n> integers. */
struct jit_question {
    uint32_t call, function; /* JIT_CALL_MATH, JIT_CALL_START */
    LLVMValueRef x, y;
};
LLVMValueRef jit_ask_lanes(struct jit_gen *g, const struct jit_question *q,
                           LLVMValueRef known, LLVMValueRef near);

/* ---- jit_macro.c: division of doubles ----------------------------------------- */
/* Is it madm, or what a division or a root starts with? */
bool jit_is_macro(const struct jit_inst *in);
bool jit_macro_is_inline(const struct jit_gen *g, const struct jit_inst *in);
void jit_macro(struct jit_gen *g, const struct jit_inst *in);
/* Macro registers back to the thread. */
void jit_macros_back(struct jit_gen *g);

/* ---- jit_image.c: an object of LLVM's, linked to bytes that run anywhere ------ */
/* The object at data[size] into code->image, .. and ->entry, that of `run`. False: it
 * needs something that bytes alone do not have. */
bool jit_image(const uint8_t *data, size_t size, struct jit_code *code);

#endif
