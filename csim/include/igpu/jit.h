/* jit.h - what the emulator tells a translator of kernels, and what it gets back.
 *
 * The translator (csim/jit, over LLVM) is a shared library of its own, which the
 * emulator opens when a kernel has run long enough; so nothing here needs LLVM, and
 * nobody links it. It sees a thread as bytes: where each operand lies in it is told
 * lane by lane. What it does not generate it calls: the emulator's own handler.
 *
 * Units   Places are bytes from the start of the emulator's thread. Instructions are
 *         counted by their index.
 * Contract docs/contract/jit.md   Tests: tests/csim/test_jit.c, test_jit_random.c */
#ifndef IGPU_JIT_H
#define IGPU_JIT_H
#include "igpu/isa.h"
#include "igpu/told.h"

enum { JIT_VERSION = 9 };

enum jit_operand {                /* where an operand is */
                   JIT_NOWHERE,   /* there is none, or it is written to null */
                   JIT_VALUE,     /* a source: its lanes are bits[] */
                   JIT_REGISTERS, /* general registers and accumulators: lane i at at[i]
                                   */
                   JIT_FLAG,      /* one lane in the flags, at at[0] */
                   JIT_ELSEWHERE  /* only the emulator knows */
};

struct jit_lanes {
    uint8_t where; /* enum jit_operand */
    uint8_t type;  /* enum isa_type */
    uint8_t mod;   /* enum isa_mod */
    int32_t at[ISA_MAX_SIMD];
    uint64_t bits[ISA_MAX_SIMD];
};

enum jit_kind { JIT_ALU, JIT_SEND, JIT_WAIT, JIT_NOP, JIT_BRANCH, JIT_END };
enum jit_domain { JIT_INT, JIT_F32, JIT_F64 }; /* in which it computes */

/* A word of state beside registers and flags that an instruction sets. */
enum jit_sets {
    JIT_SETS_NONE,
    JIT_SETS_ALWAYS, /* the word at `at` to `value` */
    JIT_SETS_MODE    /* the same where it was 0, then the four bytes of the mode are
                        `mode`; what else it would be only the emulator knows */
};

struct jit_inst {
    uint8_t kind;   /* enum jit_kind */
    uint8_t domain; /* enum jit_domain */
    bool ordinary;  /* an ALU's, without state beside its operands and flags, or.. */
    bool product;   /* ..the 64 bits of acc0 that mul and mach leave */
    bool alone;     /* its block is the emulator's: it changes which lanes there are, or
                       reads what the emulator makes for it */
    bool ends;      /* JIT_END: the thread's end, which may be.. */
    bool last;      /* ..a message first, the emulator's */
    uint8_t sets;   /* enum jit_sets, then: */
    uint32_t at, value, mode;
    bool raw;     /* a move of bits, whatever they mean */
    bool is64;    /* a shift that counts to 63 */
    bool is_hf;   /* every type is HF */
    bool pred_on; /* the predicate is part of the mask */
    uint8_t flag_reg, flag_shift;
    uint8_t flops; /* a lane */
    uint8_t nsrc;
    uint32_t full;     /* a bit for each channel */
    uint32_t jip, uip; /* where branches go; UINT32_MAX: not known here */
    const struct isa_inst *inst;
    struct jit_lanes dst, src[ISA_MAX_SRC];
};

/* Places in the emulator's thread. */
struct jit_layout {
    uint32_t registers; /* general registers, then accumulators: JIT_REGISTERS */
    uint32_t products;  /* those bits, 8 bytes a lane */
    uint32_t depth;     /* of calls */
    /* Macro registers, of so many bytes each; in one: a bit for each lane that is a
     * double and near zero, all others are only known to the emulator; those doubles.
     */
    uint32_t mme, mme_bytes, mme_near, mme_value;
    uint32_t flag, mode, stop, inside, at, active, live, pc, next_pc, notify;
    uint32_t instructions, lanes, flops; /* counts, 64 bits each */
    uint32_t number, state; /* of the thread, 64 bits; the first word of its state */
    uint32_t machine;       /* pointer to the machine */
    uint32_t m_places, m_slm, m_slm_bytes; /* in that: its struct jit_place [], .. */
    uint32_t m_table;    /* the same: pointer to the table of what it calls */
    uint32_t m_log;      /* the same: pointer to the word that is told next */
    uint32_t m_classes;  /* the same: JIT_CLASSES counts of 64 bits */
    uint32_t plain_mode; /* the four bytes at `mode` when rounding is to the nearest and
                            denormals are kept, or as `flushes` says */
    uint8_t stop_none, stop_wait, stop_eot,
        none; /* none: 0, so that no byte is unset */
};

/* Memory that a send may use without asking, one for each inline send. */
struct jit_place {
    const uint8_t *host; /* NULL: none yet */
    uint64_t low;        /* the offset or address that host[0] has */
    uint64_t bytes;
    uint64_t address; /* of host[0] */
    uint64_t
        limit; /* the code's: offsets from `low` that are below are inside; 0: none */
};

/* A vector's operands, and results, which the emulator makes in lanes of `near`, a bit
 * each; others keep theirs. Bits of floats or doubles. */
enum { JIT_ASKED_FLOATS = 8, JIT_ASKED_DOUBLES = 4 };
union jit_asked_lanes {
    uint32_t single[JIT_ASKED_FLOATS];
    uint64_t wide[JIT_ASKED_DOUBLES];
};
struct jit_asked {
    union jit_asked_lanes x, y, result;
};

/* What the code calls and hands over: a table of pointers that the machine has, so that
 * the code itself holds no address. */
enum {
    JIT_CALL_BRANCH, /* void (thread, op): where the lanes go on */
    /* bool (thread, op, place, offset or address of a lane): find memory for it */
    JIT_CALL_PLACE,
    /* void (struct jit_asked, near, function): functions of floats (enum isa_math). */
    JIT_CALL_MATH,
    /* The same, of no function: doubles that a division by x starts with. */
    JIT_CALL_START,
    JIT_CALL_INST /* from here on for each instruction its op, the emulator's, and its
                     function, void (thread, op, mask) */
};

/* Words of r0 that are not 0. */
#define JIT_HEADER_WORDS                                                               \
    {                                                                                  \
        1, 5, 6, 7                                                                     \
    }
enum { JIT_HEADER = 4, JIT_BIRTH_WORDS = 6 };

/* What a kernel's thread with all its lanes on is when it begins, apart from struct
 * jit_start. */
struct jit_birth {
    uint64_t reads[2]; /* registers, a bit each, whose first value somebody may read */
    uint32_t row;      /* so many from r0 on are in the start's row, but r0 itself */
    uint32_t zero, zero_bytes; /* what is 0 in the thread.. */
    struct jit_word {
        uint32_t at, value;
    } word[JIT_BIRTH_WORDS]; /* ..but for these */
    uint8_t inlined;         /* 0: the emulator alone begins threads */
    uint8_t fill;            /* the bytes of other registers.. */
    uint8_t has_acc; /* ..and, where these are used, accumulators; products: 0 */
    uint8_t none;    /* 0 */
};

/* What is counted of a block that is entered: instructions by what they do. */
enum { JIT_CLASSES = 8 };
struct jit_classes {
    uint64_t count[JIT_CLASSES];
};

struct jit_kernel {
    uint32_t version; /* JIT_VERSION */
    const char *name;
    uint32_t simd;
    const struct jit_inst *inst;
    uint32_t count;
    const struct isa_block_list *blocks;
    struct jit_layout layout;
    bool
        tells; /* igpu/told.h: of blocks that are entered and sends that touch memory */
    bool flushes; /* denormals are flushed, of floats and doubles, not of halves */
    bool keeps;   /* somebody looks at all registers of a thread, where it stops */
    const struct jit_classes *classes; /* of each block; NULL: they are not counted */
    struct jit_birth birth;
    uint64_t *left; /* NULL, or for each instruction how often it was not inline */
};

/* What such a thread begins with. */
struct jit_start {
    const uint8_t *row;          /* of registers, at any multiple of four bytes */
    uint32_t header[JIT_HEADER]; /* of r0: its words JIT_HEADER_WORDS */
    uint32_t state;              /* the first word of its state */
    uint64_t number;
};

/* Run the thread from its `at`, whose block is entered, until it stops, or reaches a
 * block with `bound` instructions run; `start`, if not NULL: from its begin, of which
 * only the machine is set. */
enum jit_ran {
    JIT_LEFT, /* the emulator must execute from `at` to the end of that block itself */
    JIT_RAN,  /* it stopped, or reached that block */
    JIT_UNBEGUN /* nothing has run: the emulator must begin the thread */
};
typedef uint8_t jit_run_fn(void *thread, uint64_t bound, const struct jit_start *start);

struct jit_code {
    jit_run_fn *run;
    uint32_t places;  /* entries of the machine's struct jit_place [] */
    uint32_t inlined; /* instructions that are generated, of all */
    double compile_seconds;
    void *own;
    /* Or `run` is NULL, and this is the code: malloc'ed, the caller's, to be run at any
     * place that is a multiple of JIT_IMAGE_ALIGN, from `entry` on. */
    uint8_t *image;
    size_t image_bytes;
    uint32_t entry;
};
enum { JIT_IMAGE_ALIGN = 4096 };

/* Translate. False, with a line in text[cap], when that is not possible. */
typedef bool jit_compile_fn(const struct jit_kernel *kernel, struct jit_code *code,
                            char *text, size_t cap);
typedef void jit_release_fn(struct jit_code *code);

/* The names of these two in the library. */
#define JIT_COMPILE "igpu_jit_compile"
#define JIT_RELEASE "igpu_jit_release"

#endif
