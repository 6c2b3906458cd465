/* emu_int.h - what the files of csim/emu share; nobody else includes it.
 *
 * An instruction is prepared once into a struct emu_op. Its `run` does all but
 * control flow: either a fused loop (emu_form.c) or the general three steps, load
 * the sources into lanes of one domain (int64, float, double), compute, store. All
 * sources are read before anything is written. */
#ifndef EMU_INT_H
#define EMU_INT_H
#include "emu_texel.h"
#include "igpu/bits.h"
#include "igpu/emu.h"
#include "igpu/emu_step.h"
#include "igpu/half.h"
#include "igpu/jit.h"

#include <pthread.h>
#include <string.h>

__extension__ typedef __int128 emu_i128;
__extension__ typedef unsigned __int128 emu_u128;

/* Register bytes are read in every type and at any alignment. */
#define EMU_ANY __attribute__((may_alias, aligned(1)))
typedef uint8_t EMU_ANY emu_ub;
typedef int8_t EMU_ANY emu_b;
typedef uint16_t EMU_ANY emu_uw;
typedef int16_t EMU_ANY emu_w;
typedef uint32_t EMU_ANY emu_ud;
typedef int32_t EMU_ANY emu_d;
typedef uint64_t EMU_ANY emu_uq;
typedef int64_t EMU_ANY emu_q;
typedef float EMU_ANY emu_f;
typedef double EMU_ANY emu_df;

enum { EMU_LANES = ISA_MAX_SIMD, EMU_GRF_SIZE = ISA_GRF_COUNT * ISA_GRF_BYTES };
enum { EMU_MAX_CALLS = 64, EMU_MME_COUNT = 8, EMU_MAX_SURFACES = 240 };
enum { EMU_MAX_SAMPLERS = 32 };
enum { EMU_SLM_MAX = 65536 };

/* Values of the lanes of one operand. */
union emu_lanes {
    int64_t i[EMU_LANES];
    float f[EMU_LANES];
    double d[EMU_LANES];
};
enum emu_domain { EMU_DOM_INT, EMU_DOM_F32, EMU_DOM_F64 };

/* IEEE rounding, as cr0.0[5:4] codes it. */
enum emu_round { EMU_RNE, EMU_RTP, EMU_RTN, EMU_RTZ };
/* Which types flush denormals. */
enum { EMU_FTZ_HF = 1, EMU_FTZ_F = 2, EMU_FTZ_DF = 4 };

/* An unpacked number: mant / 2^127 * 2^exp with the top bit of mant set; the lowest
 * bit also stands for everything below. */
enum emu_class { EMU_ZERO, EMU_FINITE, EMU_INF, EMU_NAN };
struct emu_num {
    uint8_t cls; /* enum emu_class */
    bool sign;
    int32_t exp;
    emu_u128 mant;
};

/* A macro register. Most numbers are doubles, and sums of products of those are, too,
 * which emu_madm.c does in all lanes at once. */
enum { EMU_NEAR = 255 };
struct emu_mme {
    uint32_t near;           /* lanes in value[]: zero, or exponents to EMU_NEAR */
    double value[EMU_LANES]; /* no more bits than the operation's type has */
    struct emu_num number[EMU_LANES]; /* of the other lanes */
};

struct emu_region_map { /* a mapping of struct emu_mem */
    uint64_t va, bytes;
    uint8_t *host;
    uint32_t flags;
};

struct emu_mem {
    struct emu_region_map *map; /* by va */
    uint32_t count, cap;
    uint64_t next_va;
    uint64_t scratch_va; /* what stateless offsets count from */
    struct emu_mem_hooks hooks;
};

/* ---- prepared instructions ---------------------------------------------- */

struct emu_thread;
struct emu_op;
struct emu_src;

/* Byte offsets of the lanes of an irregular region, from the operand's start. */
struct emu_gather {
    int32_t off[EMU_LANES];
    uint8_t data[64]; /* expanded immediate */
};

typedef void emu_load_fn(const uint8_t *p, const struct emu_src *src, uint32_t n,
                         union emu_lanes *out);

enum emu_region { EMU_REG_SCALAR, EMU_REG_LINEAR, EMU_REG_TABLE, EMU_REG_INDIRECT };

struct emu_src {
    emu_load_fn *load;
    struct emu_gather *gather; /* TABLE: offsets; INDIRECT: offsets from the address */
    uint64_t imm;
    int32_t off;    /* of the first lane in struct emu_thread */
    int32_t stride; /* bytes, LINEAR */
    uint8_t region; /* enum emu_region */
    uint8_t type, mod;
    bool is_imm, vxh;
    uint8_t addr_sub, vxh_width;
    int16_t addr_imm;
    int8_t mme;
};

struct emu_dst {
    int32_t off, stride;
    uint8_t type;
    uint8_t dom; /* of the result that is stored */
    bool none;   /* null: nothing is written */
    bool indirect;
    uint8_t addr_sub;
    int16_t addr_imm;
    int8_t mme;
};

typedef void emu_run_fn(struct emu_thread *t, const struct emu_op *op, uint32_t mask);
/* Compute r from s[0..2]. Comparisons return their bits, floating point under a
 * directed rounding the lanes that exceed the format, others 0. */
typedef uint32_t emu_alu_fn(struct emu_thread *t, const struct emu_op *op, uint32_t n,
                            union emu_lanes *r, const union emu_lanes *s);

/* An emu_alu_fn that compares: `holds` for lane i of s[]. */
#define EMU_COMPARE(name, holds)                                                       \
    static uint32_t name(struct emu_thread *t, const struct emu_op *op, uint32_t n,    \
                         union emu_lanes *r, const union emu_lanes *s)                 \
    {                                                                                  \
        uint32_t bits = 0;                                                             \
                                                                                       \
        (void)t, (void)op, (void)r;                                                    \
        for (uint32_t i = 0; i < n && i < EMU_LANES; i++)                              \
            bits |= (uint32_t)(holds) << i;                                            \
        return bits;                                                                   \
    }

enum emu_kind {
    EMU_KIND_ALU, /* run(), when a lane is enabled */
    EMU_KIND_SEND,
    EMU_KIND_WAIT,
    EMU_KIND_NOP,
    EMU_KIND_BRANCH,
    EMU_KIND_EOT
};

/* What an instruction leaves in acc0 beyond its visible bits. */
enum emu_acc {
    EMU_ACC_NONE,
    EMU_ACC_RESULT, /* the result */
    EMU_ACC_OWN     /* the alu set acc_wide: carry, borrow, product */
};

struct emu_op {
    emu_run_fn *run;
    uint32_t full; /* (1 << exec) - 1 */
    uint8_t kind;  /* enum emu_kind */
    uint8_t exec, chan;
    uint8_t no_mask, pred_on; /* pred_on: the predicate is part of the mask */
    uint8_t pred, pred_inverse;
    uint8_t flag_shift; /* first bit of this instruction's flags in flag[flag_reg] */
    uint8_t flag_reg;
    uint8_t cmod, opcode, math;
    uint8_t flops; /* per lane */
    uint8_t nsrc;
    uint8_t src_dom; /* enum emu_domain */
    uint8_t saturate, acc_wr;
    uint8_t writes_ctrl, reads_state;
    uint8_t writes_mask; /* sr0.2: the lanes that there are */
    uint8_t acc;         /* enum emu_acc */
    uint8_t raw;         /* a move of bits, whatever they mean */
    uint8_t is64;        /* shifts: counts to 63 */
    uint8_t is_wide;     /* the alu returns the lanes that overflow */
    uint8_t is_hf;       /* F32 domain, but every type is HF */
    emu_alu_fn *alu;
    uint8_t image_channels; /* that a sampler message returns */
    const struct isa_inst *inst;
    const char *reason; /* why it cannot run */
    uint32_t index;
    uint32_t jip, uip; /* instruction indices */
    struct emu_dst dst;
    struct emu_src src[ISA_MAX_SRC];
};

struct emu_program {
    char *name;
    const struct isa_kernel_code *code;
    struct isa_block_list blocks;
    struct emu_op *op; /* per instruction */
    struct emu_kernel k;
    struct emu_payload *payload;
    struct emu_surface *surface;
    struct emu_kernel_sampler *sampler;
    bool has_sampler[EMU_MAX_SAMPLERS];
    struct emu_runs {
        struct emu_run {
            uint32_t at, bytes;
        } run[ISA_GRF_COUNT / 2];
        uint32_t count;
    } read[2]; /* registers that are cleared; [1]: in threads that begin with all lanes
                */
    uint64_t begun[2]; /* registers, a bit each, that a thread with all lanes must have
                          at its begin */
    uint32_t id_end[2], cross_end[2]; /* of r0 with local ids, and of the payload, bytes
                                         that instructions read */
    bool reads_state;                 /* sr0 */
    bool has_acc;                     /* accumulators are named, or written beside */
    bool has_macros; /* math.invm, math.rsqtm, madm: mme of a thread counts */
    uint32_t cross_bytes, cross_grf; /* cross-thread payload: size, first GRF */
    const struct jit_classes
        *classes;     /* of its blocks, that are counted; may be NULL */
    bool calls_sends; /* of translations: others answer its messages */
    /* Its translations: that tells nothing, and that tells paths and addresses; NULL:
     * out of memory. */
    struct emu_jit *jit[2];
};

/* A bit for each lane of a thread. */
static inline uint32_t emu_dispatch_lanes(const struct emu_program *p)
{
    return igpu_low_bits(p->k.simd);
}

/* ---- running ------------------------------------------------------------ */

struct emu_machine; /* one launch */

struct emu_frame { /* the caller's side of a call */
    uint32_t live; /* of the caller: left behind, or back already */
    uint32_t back; /* index behind a call by jmpi; UINT32_MAX for others */
};

enum emu_stop {
    EMU_STOP_NONE,
    EMU_STOP_TURN, /* between two blocks: the other threads' turn */
    EMU_STOP_WAIT,
    EMU_STOP_EOT,
    EMU_STOP_ERROR
};

enum { EMU_LINE = 64 };

struct emu_thread {
    /* Register files first: struct emu_src.off counts from here. No register is in two
     * of the host's cache lines. */
    _Alignas(EMU_LINE) uint8_t grf[EMU_GRF_SIZE];
    uint8_t acc[128]; /* acc0, acc1; twice that for 64-bit types */
    uint32_t flag[2];
    uint16_t addr[16];
    uint32_t ctrl[4], state[4], time[4], notify[4], ip[4], chmask[4];
    uint32_t stack[4]; /* sp: a register of its own, for whoever uses it. Loads of whole
                          vectors may run over its end. */

    uint32_t mask;      /* of the instruction that runs: lanes enabled */
    uint8_t round, ftz; /* of ctrl[0] */
    bool int_round;     /* float to integer uses `round` */
    bool plain;         /* nearest even, nothing flushed */

    uint8_t stop; /* enum emu_stop */
    bool ended, arrived;
    bool inside; /* of a block, behind its first instruction or at a wait */
    uint32_t at; /* next instruction */
    uint32_t active, live;
    uint32_t next_pc; /* lowest pc below, UINT32_MAX without any */
    uint32_t depth;
    struct emu_counts counts;
    uint64_t number;   /* of the thread in the launch */
    uint64_t turn_end; /* counts.instructions at which others get their turn */
    struct emu_machine *m;
    uint32_t none[8]; /* tdr, dbg and unnamed ones: nothing to report, reads 0 */

    /* What follows is not cleared for each thread: acc_wide, if the kernel has
     * accumulators; frames below depth; mme, if it has macro instructions. */
    uint32_t pc[EMU_LANES];      /* of live lanes that are not active */
    int64_t acc_wide[EMU_LANES]; /* acc0 as the integer multiplier left it */
    struct emu_frame frame[EMU_MAX_CALLS];
    struct emu_mme mme[EMU_MME_COUNT];
};

/* round, ftz, int_round and plain of a thread whose cr0.0 is so. */
static inline uint32_t emu_mode(uint32_t control)
{
    enum { KEEP_DF = 1 << 6, KEEP_F = 1 << 7, KEEP_HF = 1 << 10, INT_ROUND = 1 << 12 };
    uint32_t c = control, round = c >> 4 & 3;
    uint32_t ftz = (c & KEEP_HF ? 0u : EMU_FTZ_HF) | (c & KEEP_F ? 0u : EMU_FTZ_F) |
                   (c & KEEP_DF ? 0u : EMU_FTZ_DF);

    return round | ftz << 8 | (uint32_t)((c & INT_ROUND) != 0) << 16 |
           (uint32_t)(round == EMU_RNE && ftz == 0) << 24;
}

/* All four at once, as they are read soon: hosts are slow to read together what was
 * written in pieces. */
static inline void emu_set_mode(struct emu_thread *t, uint32_t mode)
{
    memcpy(&t->round, &mode, sizeof(mode));
}

/* The instruction's lanes that are on but for its predicate. */
static inline uint32_t emu_unpredicated(const struct emu_thread *t,
                                        const struct emu_op *op)
{
    return op->no_mask ? op->full : t->active >> op->chan & op->full;
}

/* a0.0: a message's descriptor, where it comes from a register. */
static inline uint32_t emu_descriptor(const struct emu_thread *t)
{
    return (uint32_t)t->addr[0] | (uint32_t)t->addr[1] << 16;
}

/* a0.2: the extended one. */
static inline uint32_t emu_extended_descriptor(const struct emu_thread *t)
{
    return (uint32_t)t->addr[2] | (uint32_t)t->addr[3] << 16;
}

/* A source's first lane, and the bytes from one to the next, if it is an immediate
 * value, a scalar or a region of one stride. */
static inline const uint8_t *emu_src_at(const struct emu_thread *t,
                                        const struct emu_src *s)
{
    return s->is_imm ? (const uint8_t *)&s->imm : (const uint8_t *)t + s->off;
}

static inline int32_t emu_src_step(const struct emu_src *s)
{
    return s->is_imm || s->region == EMU_REG_SCALAR ? 0 : s->stride;
}

struct emu_slot { /* last mapping hit */
    uint64_t va, bytes;
    uint8_t *host;
    bool writable;
};

/* The address in a piece of kind EMU_PAYLOAD_BASE. */
static inline uint64_t emu_payload_base(const struct emu_payload *e)
{
    return e->arg | (uint64_t)e->source_offset << 32;
}

struct emu_bound { /* a surface of the binding table */
    uint64_t va, bytes;
    bool bound;    /* a buffer */
    bool is_image; /* and then the view counts */
    struct texel_view view;
};

/* A group on the machine. Its threads begin in order, each in the first free place; one
 * that ended in its first turn leaves it to the next, so a group that waits for nothing
 * has one, near the host's processor. */
struct emu_group {
    uint64_t at[3];            /* in the launch */
    uint64_t first;            /* its first thread's number in the launch */
    uint32_t share;            /* of the pools, which that thread has */
    uint32_t begun, places;    /* threads that began; places that are taken */
    uint32_t waiting, running; /* threads: at the barrier; not ended */
    struct emu_thread *thread; /* places, one for each thread */
    uint8_t *slm;
};

struct emu_machine {
    const struct emu_program *p;
    const struct emu_launch *launch;
    struct emu_mem *mem;
    struct emu_slot slot;
    struct emu_bound surface[EMU_MAX_SURFACES];
    struct emu_sampler sampler[EMU_MAX_SAMPLERS];
    uint64_t global[3], local[3], groups[3];
    struct emu_group group;
    uint64_t first_group, end_group; /* that run */
    uint32_t threads_per_group, items;
    uint32_t hw_threads, scratch_slice, slm_bytes;
    uint32_t
        spread;    /* thread n has share n % spread of the pools, where it may choose */
    uint32_t turn; /* instructions that a thread runs in one go */
    uint64_t spent; /* instructions since emu_continue_group() was called */
    uint8_t *scratch, *private_pool, *payload;
    uint8_t *start; /* of each thread of a group, start_bytes: what its first registers
                       begin with */
    uint32_t start_bytes;
    struct jit_start birth; /* of the group's threads, but for what is each one's own */
    struct emu_counts counts;
    struct igpu_err *err;
    enum igpu_status status;
    pthread_mutex_t *atomics;   /* held over an atomic message; NULL: one host thread */
    const uint64_t *clock;      /* what tm0 reads; NULL: the thread's instructions */
    struct jit_classes classes; /* of blocks that threads entered */
    bool translates;            /* the kernel's translation may be used */
    struct emu_alike *proves;   /* of the group that runs (emu_alike.h), or NULL */
    uint64_t prove_at;          /* the next group that has one; UINT64_MAX: none */
    jit_run_fn *translated;     /* that translation; NULL: not used yet */
    struct jit_place *places;   /* of it */
    const void *const *jit_table; /* the same: what it calls */
    bool tells;                   /* the translation is the one that tells */
    bool in_turn, may, at_once;   /* emu_jit_allow(): programs come in turn; they may be
                                     translated, and before their first thread */
    uint64_t *log, *log_head;     /* emu_log.c; NULL: hooks are called at once */
    size_t log_words;
    const struct emu_shader_beside *beside; /* of shaders; NULL: nobody */
    struct race_watch *watch;     /* emu_race.c; NULL: nobody looks for races */
    struct emu_alike_side *alike; /* of those behind it, or NULL */
};

/* emu_error.c: stop thread t at op for `format`; the first error counts. */
void emu_error(struct emu_thread *t, const struct emu_op *op, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* emu_group.c: put the group of this number on the machine; run it to its end or until
 * its threads have run about `limit` instructions. */
enum emu_over { EMU_OVER, EMU_NOT_OVER, EMU_FAILED };
void emu_start_group(struct emu_machine *m, uint64_t number);
enum emu_over emu_continue_group(struct emu_machine *m, uint64_t limit);
void emu_add_counts(struct emu_counts *sum, const struct emu_counts *c);

/* emu_run.c: what a launch needs before its first thread, m->status then being what it
 * returns; and when it is over. least_hw: pools for so many threads at the least. */
enum igpu_status emu_set_up(struct emu_machine *m, uint32_t least_hw,
                            struct igpu_err *err);
void emu_tear_down(struct emu_machine *m);

/* emu_parallel.c: how many host threads the launch may use, and its groups from `first`
 * on several. */
uint32_t emu_workers(const struct emu_machine *m);
void emu_run_parallel(struct emu_machine *m, uint32_t workers, uint64_t first);

/* Instructions of a group behind which it may be waiting for another one, where the
 * kernel has atomics by which it can. */
enum { EMU_PATIENCE = 1 << 20 };
/* emu_resident.c: the group on the machine, number `first`, and all behind it, with as
 * many at a time as the device holds; each has a place, and the first is in place 0.
 * start() puts a group on the machine, over() is told, where it is there yet, that one
 * ended, and says whether to go on. */
struct emu_room {
    void *ctx;
    void (*start)(void *ctx, struct emu_machine *m, uint64_t number, uint32_t place);
    bool (*over)(void *ctx, struct emu_machine *m, uint64_t number, uint32_t place);
};
void emu_run_resident(struct emu_machine *m, uint64_t first,
                      const struct emu_room *room);

/* emu_log.c: room for what the threads of the machine tell. False: out of memory. */
bool emu_log_new(struct emu_machine *m);
/* The instructions at which the thread is to come back, of which the log has room. */
uint64_t emu_log_bound(const struct emu_thread *t, uint64_t bound);
/* Tell the hooks of these words of a thread. */
void emu_tell_hooks(const struct emu_hooks *hooks, uint64_t thread,
                    const uint64_t *word, size_t words);
/* Tell the launch's hooks; look: if there is much. */
void emu_log_tell(struct emu_thread *t);
void emu_log_look(struct emu_thread *t);
void emu_log_block(struct emu_thread *t, uint32_t block);
void emu_log_access(struct emu_thread *t, const struct emu_access *access);

/* emu_build.c */
enum igpu_status emu_build_op(struct emu_program *p, uint32_t index,
                              struct igpu_err *err);
void emu_build_free(struct emu_op *op);
/* emu_pick.c: choose alu, domains and run for op; sets reason when it cannot. */
void emu_pick(struct emu_op *op);

/* emu_load.c, emu_store.c */
emu_load_fn *emu_pick_load(enum isa_type type, enum emu_domain domain);
void emu_fetch(struct emu_thread *t, const struct emu_op *op, uint32_t k,
               union emu_lanes *out);
/* The same for an operand that the instruction does not spell out. */
void emu_fetch_from(struct emu_thread *t, const struct emu_op *op,
                    const struct emu_src *s, uint32_t n, union emu_lanes *out);
void emu_store(struct emu_thread *t, const struct emu_op *op, uint32_t mask,
               union emu_lanes *r);
/* Bits that lane i of a floating-point result has as op's destination type. */
uint64_t emu_float_bits(const struct emu_thread *t, const struct emu_op *op,
                        const union emu_lanes *r, uint32_t i);
/* Value of bits of a floating-point type, denormals flushed when the thread does so. */
double emu_float_value(const struct emu_thread *t, enum isa_type type, uint64_t bits);
/* Value of an integer after it was stored in `type` and read again. */
int64_t emu_wrap(int64_t value, enum isa_type type);

/* emu_exec.c */
emu_run_fn emu_exec_general, emu_exec_cmp, emu_exec_sel, emu_exec_reason;

/* emu_state.c: lanes for which op's predicate holds; the flags that op sets. */
uint32_t emu_predicate(const struct emu_thread *t, const struct emu_op *op);
void emu_set_flags(struct emu_thread *t, const struct emu_op *op, uint32_t mask,
                   uint32_t bits);
void emu_ctrl_changed(struct emu_thread *t);
/* op wrote the thread's dispatch mask: those are its lanes, unless they have parted. */
void emu_mask_changed(struct emu_thread *t, const struct emu_op *op);
/* Registers whose content is made when they are read. */
void emu_refresh_state(struct emu_thread *t, const struct emu_op *op);
/* Bits of lanes that stand in relation cmod to zero. */
uint32_t emu_test_zero(const struct emu_op *op, uint32_t n, enum emu_domain domain,
                       enum isa_type type, const union emu_lanes *r);

/* emu_alu_int.c, emu_alu_float.c, emu_math.c, emu_wide.c: NULL when unknown */
emu_alu_fn *emu_alu_int(const struct emu_op *op);
emu_alu_fn *emu_alu_float(const struct emu_op *op, enum emu_domain domain);
emu_alu_fn *emu_alu_math(const struct emu_op *op, enum emu_domain domain);
emu_alu_fn *emu_alu_wide(const struct emu_op *op);
emu_run_fn emu_exec_macro; /* madm, math.invm, math.rsqtm */
struct emu_num emu_inverse_start(const struct emu_num *b); /* of a division by *b */
/* Arithmetic on float lanes for others' formulas: s[0] + s[1], s[0] * s[1],
 * s[1] * s[2] + s[0]. */
struct emu_float_alu {
    emu_alu_fn *add, *mul, *mad;
};
extern const struct emu_float_alu emu_f32;
/* Floats: every NaN of r quiet. */
void emu_quiet(enum emu_domain domain, uint32_t n, union emu_lanes *r);
/* Value of an operand of op from its lane; and kept in [low, high] of its destination,
 * UQ or Q. */
emu_i128 emu_wide_value(const struct emu_op *op, uint32_t k, int64_t value);
int64_t emu_wide_clamp(const struct emu_op *op, uint32_t k, int64_t value);

/* emu_macro.c: a lane of a macro register. */
struct emu_num emu_mme_number(const struct emu_mme *m, uint32_t i);
void emu_mme_put(struct emu_mme *m, uint32_t i, struct emu_num n);
static inline bool emu_is_mme(int8_t mme)
{
    return mme >= 0 && mme < EMU_MME_COUNT;
}
/* A source lane of a macro: of the mme register it names, else of its number. */
struct emu_num emu_macro_source(const struct emu_thread *t, const struct emu_op *op,
                                uint32_t k, uint32_t i);
/* emu_values.c: run op and tell hooks.values what it computed with. */
void emu_run_told(struct emu_thread *t, const struct emu_op *op, uint32_t mask);

/* emu_vector.c: sets alu, and run where it is a special one, for the opcodes that look
 * beyond their lane; a reason against it, or NULL. */
const char *emu_pick_vector(struct emu_op *op);
emu_run_fn emu_exec_smov, emu_exec_idiv, emu_exec_pairs;

/* emu_form.c: a fused loop that does op, or NULL. */
emu_run_fn *emu_pick_fused(const struct emu_op *op);
emu_run_fn *emu_pick_madm(void);

/* emu_send.c, emu_block_msg.c */
emu_run_fn *emu_pick_send(struct emu_op *op);
/* Of an enum isa_atomic: its operands; the new value of size bytes that were `old`. */
uint32_t emu_atomic_operands(uint32_t op);
uint64_t emu_atomic(uint32_t op, uint32_t size, uint64_t old, uint64_t a, uint64_t b);
emu_run_fn emu_send_block, emu_send_fence, emu_send_barrier, emu_send_indirect;
/* data: of a write, the payload behind the addresses; NULL: it is elsewhere. */
void emu_report(struct emu_thread *t, const struct emu_op *op, uint32_t mask,
                enum emu_space space, const uint64_t *addr, const uint8_t *data);
/* Does anybody want to be told of addresses? */
static inline bool emu_reports(const struct emu_thread *t)
{
    return t->m->launch->hooks.access != NULL || t->m->watch != NULL;
}
/* Host address of bytes at va, or NULL after emu_error(). lane is for the text. */
uint8_t *emu_global(struct emu_thread *t, const struct emu_op *op, uint64_t va,
                    uint32_t bytes, bool write, uint32_t lane);
/* The mapping that holds va: its first address and size, and its host memory; NULL
 * when there is none, or none that may be written. */
uint8_t *emu_mapping(struct emu_machine *m, uint64_t va, bool write, uint64_t *first,
                     uint64_t *bytes);
/* Where the surface lies in one mapping, whole; NULL where it does not. */
const uint8_t *emu_surface_host(struct emu_thread *t, const struct emu_bound *s,
                                bool write);
uint64_t emu_slm_offset(uint64_t address);
uint8_t *emu_slm(struct emu_thread *t, const struct emu_op *op, uint64_t offset,
                 uint32_t bytes, uint32_t lane);
/* Where op's launch is lenient: offset lies outside the surface of its message, or
 * outside the SLM. */
bool emu_outside(const struct emu_thread *t, const struct emu_op *op, uint64_t offset,
                 uint32_t bytes);
/* The surface of a message through the binding table; NULL: of another one, or nothing
 * is bound to it. */
static inline const struct emu_bound *emu_surface(const struct emu_thread *t,
                                                  const struct isa_message *msg)
{
    const struct emu_bound *s;

    if (msg->addr_model != ISA_ADDR_BTI)
        return NULL;
    s = &t->m->surface[msg->bti];
    return s->bound ? s : NULL;
}

/* A read of op's message that begins in a buffer and ends behind it, but within the
 * 64-byte line of its last byte. The compiler makes such of correct programs (a vload3
 * becomes a read of 16 bytes), since memory comes in whole pages. True: to[bytes] is
 * the buffer's bytes, then zeros, and *va the address. False: it is no such read. */
bool emu_read_tail(struct emu_thread *t, const struct emu_op *op, uint64_t offset,
                   uint32_t bytes, uint8_t *to, uint64_t *va);
/* Address of a 32-bit offset (of a 64-bit address for A64) of op's message. */
bool emu_address(struct emu_thread *t, const struct emu_op *op, uint64_t offset,
                 uint32_t bytes, uint32_t lane, uint64_t *va);

/* emu_image_send.c */
emu_run_fn *emu_pick_image(struct emu_op *op);
emu_run_fn *emu_pick_media(struct emu_op *op);
emu_run_fn emu_send_media;
emu_run_fn emu_send_sampler, emu_send_typed;
enum igpu_status emu_bind_images(struct emu_machine *m, struct igpu_err *err);
uint32_t emu_image_query(const struct emu_image *image, uint8_t kind);
uint32_t emu_sampler_query(const struct emu_sampler *sampler, uint8_t kind);

/* emu_flow.c */
void emu_thread_run(struct emu_thread *t);
/* Is the kernel translated, and nobody told of what is not in the machine's log? Then
 * threads may begin in that code. */
bool emu_begins_translated(const struct emu_machine *m);
void emu_run_translated(struct emu_thread *t);
/* Behind what translated code, that the thread's first block was entered in, says. */
void emu_go_on(struct emu_thread *t, uint8_t how);
/* The instruction at t->at alone; what a message does is left to the caller. Returns
 * the lanes that are on. */
uint32_t emu_thread_step(struct emu_thread *t);
/* emu_hash.c: all that decides what it does next, but for memory and the clock. */
uint64_t emu_thread_hash(const struct emu_thread *t);
/* So many from t->at on, one behind the other, that are no branches, messages or waits.
 */
void emu_thread_steps(struct emu_thread *t, uint32_t count);
/* What it is like; mask: of the last instruction. */
void emu_thread_look(const struct emu_thread *t, uint32_t mask,
                     struct emu_step_state *state);
/* emu_branch.c: the lanes' next pcs after branch op; false after emu_error(). */
bool emu_branch(struct emu_thread *t, const struct emu_op *op);
/* The same, and then who is active. */
void emu_leave_block(struct emu_thread *t, const struct emu_op *op);

enum { EMU_POISON = 0xCD }; /* undefined: as an address it is in no buffer */
/* emu_program.c: no atomics by which groups could wait for each other, or tell their
 * order. */
bool emu_any_order(const struct emu_program *p);
/* emu_reads.c: which registers are read before they are written. */
void emu_note_reads(struct emu_program *p);

/* emu_start.c: the machine's group is number `number` of the launch. */
void emu_set_group(struct emu_machine *m, uint64_t number);
/* Its threads are about to begin, each by emu_thread_start(). */
void emu_head_group(struct emu_machine *m);
/* Begin thread `index` in translated code, and run it until its turn is over. */
void emu_thread_start_translated(struct emu_machine *m, struct emu_thread *t,
                                 uint32_t index);
/* Thread `index` of it in *t, at its start; registers that nobody reads stay. */
void emu_thread_start(struct emu_machine *m, struct emu_thread *t, uint32_t index);
/* The same, of all registers, with the share number `resident` of the pools. */
void emu_thread_start_at(struct emu_machine *m, struct emu_thread *t, uint32_t index,
                         uint32_t resident);
enum igpu_status emu_fill_payload(struct emu_machine *m, struct igpu_err *err);
enum igpu_status emu_fill_start(struct emu_machine *m, struct igpu_err *err);
/* Local ids: 16 bits a lane and dimension, each dimension on its own registers. */
static inline uint32_t emu_id_bytes(const struct emu_kernel *k)
{
    return k->local_id_dims * (k->simd == 32 ? 64u : 32u);
}

/* emu_num.c */
struct emu_num emu_num_unpack(uint64_t bits, enum isa_type type);
struct emu_num emu_num_from_int(uint64_t magnitude, bool sign);
struct emu_num emu_num_fma(const struct emu_num *a, const struct emu_num *b,
                           const struct emu_num *c, enum emu_round round);
struct emu_num emu_num_mul(const struct emu_num *a, const struct emu_num *b);
uint64_t emu_num_pack(const struct emu_num *n, enum isa_type type,
                      enum emu_round round);
/* Is a finite number beyond the type's largest whatever the mode does to it? One that
 * rounding alone carries there becomes infinite. */
bool emu_num_exceeds(const struct emu_num *n, enum isa_type type);
/* Round to the type's precision with an unbounded exponent. */
struct emu_num emu_num_trim(struct emu_num n, enum isa_type type, enum emu_round round);

#endif
