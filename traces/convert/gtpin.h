/* gtpin.h - inside the import of GT-Pin text dumps.
 *
 * A dump is lines `key: value` in sections that start with a line of asterisks and a
 * title. Keys come in any order, repeat, or are missing; fields that are zero are
 * never printed, and all ones mean "not valid". Unknown keys are skipped. */
#ifndef IGPU_GTPIN_H
#define IGPU_GTPIN_H
#include <stdbool.h>
#include <stdio.h>

#include "igpu/isa.h"
#include "traces/convert/convert.h"
#include "traces/format/trace.h"

/* X(id, key): the fields of an instruction that have one number or name. */
#define GTPIN_OPERAND(X, ID, key)                                                      \
    X(ID##_FILE, key "_reg_file")                                                      \
    X(ID##_TYPE, key "_data_type")                                                     \
    X(ID##_REG, key "_reg_num")                                                        \
    X(ID##_SUB, key "_sub_reg_num")                                                    \
    X(ID##_MODE, key "_addr_mode")                                                     \
    X(ID##_ADDR_IMM, key "_addr_imm")                                                  \
    X(ID##_ADDR_SUB, key "_addr_sub_reg_num")                                          \
    X(ID##_VERT, key "_vert_stride")                                                   \
    X(ID##_WIDTH, key "_width")                                                        \
    X(ID##_HORZ, key "_horz_stride")                                                   \
    X(ID##_MOD, key "_src_mod")
#define GTPIN_FIELDS(X)                                                                \
    GTPIN_OPERAND(X, DST, "dst")                                                       \
    GTPIN_OPERAND(X, SRC0, "src0")                                                     \
    GTPIN_OPERAND(X, SRC1, "src1")                                                     \
    GTPIN_OPERAND(X, SRC2, "src2")                                                     \
    X(OPCODE, "opcode")                                                                \
    X(EXEC_SIZE, "exec_size")                                                          \
    X(CHANNEL_OFFSET, "channel_offset")                                                \
    X(MASK_CTRL, "mask_ctrl")                                                          \
    X(PRED_CTRL, "pred_ctrl")                                                          \
    X(PRED_INV, "pred_inv")                                                            \
    X(COND_MODIFIER, "cond_modifier")                                                  \
    X(FLAG_REG, "flag_reg_num")                                                        \
    X(FLAG_SUB, "flag_sub_reg_num")                                                    \
    X(SATURATE, "saturate")                                                            \
    X(ACC_WR, "acc_wr_ctrl")                                                           \
    X(MATH_FC, "math_fc")                                                              \
    X(IMM, "imm")                                                                      \
    X(JIP, "jip")                                                                      \
    X(UIP, "uip")                                                                      \
    X(MSG_DESC, "msg_desc")                                                            \
    X(EX_MSG_DESC, "ex_msg_desc")                                                      \
    X(EOT, "eot")                                                                      \
    X(INS_SIZE, "ins_size")                                                            \
    X(INS_OFFSET, "ins_offset")                                                        \
    X(INS_ID, "ins_id")                                                                \
    X(IS_MEMOP, "is_memop")                                                            \
    X(IS_MEM_READ, "is_mem_read")                                                      \
    X(IS_MEM_WRITE, "is_mem_write")                                                    \
    X(MEM_SIZE, "mem_size")                                                            \
    X(MSG_TYPE, "msg_type")

enum gtpin_field {
#define X(id, key) GTPIN_##id,
    GTPIN_FIELDS(X)
#undef X
        GTPIN_FIELD_COUNT
};
enum { GTPIN_OPERAND_FIELDS = GTPIN_SRC0_FILE - GTPIN_DST_FILE };

/* Named values become their number here; see gtpin_fields.c. */
enum gtpin_file { GTPIN_ARF, GTPIN_GRF, GTPIN_IMMEDIATE };
enum gtpin_msg { /* what a msg_type's name says */
                 GTPIN_MSG_READ = 1,
                 GTPIN_MSG_WRITE = 2,
                 GTPIN_MSG_ATOMIC = 4,
                 GTPIN_MSG_BLOCK = 8,
                 GTPIN_MSG_UNTYPED = 16,
                 GTPIN_MSG_A64 = 32
};

/* The static fields of an instruction, as far as the dump gave them. */
struct gtpin_inst {
    bool have[GTPIN_FIELD_COUNT]; /* present and valid */
    int64_t value[GTPIN_FIELD_COUNT];
    uint8_t first[4]; /* of the register lists of dst, src0..src2: lowest GRF */
    uint8_t grfs[4];  /* GRFs from there to the highest; 0: no list */
};

/* ---- gtpin_fields.c ----------------------------------------------------- */

enum gtpin_put { GTPIN_PUT_OK, GTPIN_PUT_UNKNOWN, GTPIN_PUT_BAD };

/* Store `value` (text, changed by the call) of `key` in *in. UNKNOWN: no such field;
 * BAD: not a number, or a name that the field does not have. */
enum gtpin_put gtpin_put(struct gtpin_inst *in, const char *key, char *value);

/* ---- gtpin_inst.c ------------------------------------------------------- */

/* Make the instruction at `pc`. False and a reason for what cannot be. *guessed is
 * set when the message's kind had to come from other fields than its descriptor. */
bool gtpin_to_isa(const struct gtpin_inst *in, uint32_t pc, struct isa_inst *out,
                  bool *guessed, const char **reason);

/* ---- gtpin_read.c ------------------------------------------------------- */

enum gtpin_event { GTPIN_ERROR = -1, GTPIN_END, GTPIN_KERNEL, GTPIN_INST };
enum { GTPIN_MAX_ADDRS = 32, GTPIN_NAME = 256, GTPIN_NO_ID = -1 };

struct gtpin_reader {
    FILE *file;
    const char *path;
    char *line;
    size_t capacity;
    uint64_t number;                /* of the line */
    bool pending;                   /* the line was not used yet */
    bool ended;                     /* the end of the file was read, */
    bool open_line;                 /* whose last line had no end and was left out */
    uint64_t declared;              /* the header's count of instructions */
    char kernel[GTPIN_NAME];        /* of the last KERNEL event */
    struct gtpin_inst inst;         /* of the last INST event: */
    int64_t id;                     /* number in its kernel, or NO_ID */
    uint64_t inst_line;             /* where it starts */
    uint64_t addr[GTPIN_MAX_ADDRS]; /* its mem_addr lines */
    uint32_t addrs;                 /* how many; more than fit are an error */
};

enum igpu_status gtpin_open(struct gtpin_reader *r, const char *path,
                            struct igpu_err *err);
void gtpin_close(struct gtpin_reader *r);
enum gtpin_event gtpin_next(struct gtpin_reader *r, struct igpu_err *err);

/* ---- gtpin_code.c ------------------------------------------------------- */

enum { GTPIN_MAX_INST = 1 << 20, GTPIN_NEXT = 4 };

/* One static instruction while the dumps are read. */
struct gtpin_static {
    const char *path; /* where it was first; NULL: not seen */
    uint64_t line;
    bool leader;
    uint8_t nnext;             /* different instructions that followed it */
    bool many;                 /* more than fit */
    uint32_t next[GTPIN_NEXT]; /* their ids */
    struct gtpin_inst inst;
};

struct gtpin_code {
    char name[GTPIN_NAME];
    struct gtpin_static *at; /* by id */
    uint32_t count;          /* highest id + 1 */
    uint32_t capacity;
    uint32_t *id_at; /* by offset / 8: id + 1 of the instruction there; 0: none known */
    uint32_t offsets;
    /* After gtpin_code_finish(): */
    struct isa_kernel_code code; /* the last one is an EOT that was added */
    struct isa_block_list blocks;
    uint32_t *index_of; /* id to index in code */
    uint32_t guessed;
};

/* The number of the instruction just read: its own, that of the instruction which is
 * known at its offset, or one more than `before` (the one before it, or NO_ID). */
enum igpu_status gtpin_code_number(const struct gtpin_code *c,
                                   const struct gtpin_reader *r, int64_t before,
                                   uint32_t *id, struct igpu_err *err);

/* An instruction of `r` was executed after the one with id `before` (or NO_ID); its
 * id is `id`. Fields that were missing before are added. */
enum igpu_status gtpin_code_add(struct gtpin_code *c, const struct gtpin_reader *r,
                                uint32_t id, int64_t before, struct igpu_err *err);

/* A thread's last instruction was `id`: unless it ends the thread, the added EOT
 * follows. */
void gtpin_code_end(struct gtpin_code *c, uint32_t id);

/* All threads are read: make code and blocks, which a trace can hold. */
enum igpu_status gtpin_code_finish(struct gtpin_code *c, struct igpu_err *err);
/* The finished code as a trace's kernel; what it points to stays c's. */
struct trace_kernel gtpin_code_kernel(const struct gtpin_code *c);
void gtpin_code_free(struct gtpin_code *c);

#endif
