/* emu_shader.h - hardware threads of graphics shaders: like those of kernels, but what
 * their registers hold at the start, and what a message to the URB, the render cache,
 * the sampler or an image does, is the caller's affair. So is how the thread computes
 * floats (igpu/floats.h).
 *
 * Units   Addresses are GPU virtual addresses below 2^47, sizes bytes.
 * Tests   tests/bridge/test_gfx.sh: whole programs */
#ifndef IGPU_EMU_SHADER_H
#define IGPU_EMU_SHADER_H
#include <pthread.h>

#include "igpu/emu_step.h"

enum { EMU_SHADER_GRF_BYTES = ISA_GRF_COUNT * ISA_GRF_BYTES };

/* A message of a thread: mask has the lanes that send, by the instruction's channels
 * from its first on. What it returns is written to grf. IGPU_OK, or the thread and all
 * of its run end with *err, which the caller of emu_shader_run() gets. */
typedef enum igpu_status emu_shader_message(void *ctx, const struct isa_inst *inst,
                                            uint8_t *grf, uint32_t mask,
                                            struct igpu_err *err);

/* A shader made ready: its code may be that of a pipe that holds other shaders behind
 * it, of which nothing is read. */
struct emu_shader;

/* text[bytes] begins with the shader and is not kept. NULL and *err (IGPU_SIM_ERROR's
 * text): no end of thread within it, or it cannot be decoded. */
struct emu_shader *emu_shader_new(const char *name, const uint8_t *text, size_t bytes,
                                  uint32_t simd, struct igpu_err *err);
void emu_shader_free(struct emu_shader *shader);
/* Of its code, which goes to the first end of thread, or return behind one, that no
 * branch or call passes; and that, as it was given. */
size_t emu_shader_bytes(const struct emu_shader *shader);
const uint8_t *emu_shader_text(const struct emu_shader *shader);

/* Its instructions, and the blocks that hooks name; both the shader's. */
const struct isa_kernel_code *emu_shader_code(const struct emu_shader *shader);
const struct isa_block_list *emu_shader_blocks(const struct emu_shader *shader);

enum { EMU_SHADER_BINDINGS = 240, EMU_SHADER_BINDING_WORDS = 4 };
/* Binding table entries that its messages to the data port name, a bit each; not those
 * that only run time tells. */
void emu_shader_buffers(const struct emu_shader *shader,
                        uint64_t buffers[EMU_SHADER_BINDING_WORDS]);

/* What its messages touch beside registers and the thread's scratch space. */
struct emu_shader_reach {
    /* Binding table entries, a bit each: read, and written as render targets. */
    uint64_t reads[EMU_SHADER_BINDING_WORDS], targets[EMU_SHADER_BINDING_WORDS];
    bool beyond; /* memory is written otherwise, or what is touched only run time tells
                  */
};
void emu_shader_find_reach(const struct emu_shader *shader,
                           struct emu_shader_reach *reach);

/* enum isa_atomic on 32 bits, for callers who have such messages of their own: operands
 * that it takes, and the new value of what was `old`. */
uint32_t emu_shader_atomic_operands(uint32_t op);
uint32_t emu_shader_atomic(uint32_t op, uint32_t old, uint32_t a, uint32_t b);

/* What threads run on. */
struct emu_shader_machine;

/* mem must outlive it. NULL: memory is short. */
struct emu_shader_machine *emu_shader_machine_new(struct emu_mem *mem);
void emu_shader_machine_free(struct emu_shader_machine *m);
/* Mappings of mem changed, or a shader that ran is no more. */
void emu_shader_machine_forget(struct emu_shader_machine *m);
/* Binding table entry `index` is a buffer, for messages to the data port; bytes 0:
 * none.
 */
void emu_shader_bind(struct emu_shader_machine *m, uint32_t index, uint64_t va,
                     uint64_t bytes);
/* No entry is any more. */
void emu_shader_unbind(struct emu_shader_machine *m);
/* Asked before each message to the data port whose binding table entry is known at run
 * time only: to bind it. Another status than IGPU_OK, with an error, ends the thread.
 */
typedef enum igpu_status emu_shader_binder(void *ctx, uint32_t index);
void emu_shader_bind_by(struct emu_shader_machine *m, emu_shader_binder *bind,
                        void *ctx);

/* A thread from now on, or a group's threads together, end with an error behind this
 * many instructions, and at most, and at first, 2^24 for each thread. */
void emu_shader_limit(struct emu_shader_machine *m, uint64_t instructions);

/* What threads from now on do is told: hooks->block and hooks->access (each may be
 * NULL; the others are not called), of messages that the emulator answers itself.
 * *hooks is copied; NULL: nobody is told. */
void emu_shader_watch(struct emu_shader_machine *m, const struct emu_hooks *hooks);

/* Who executes threads beside the emulator, an instruction at a time (the RTL's values,
 * docs/contract/execution.md). thread: as of emu_shader_sender(). *state: what it is
 * like behind what is told. Another status than IGPU_OK, with an error, ends the run.
 */
struct emu_shader_begun { /* the shader that a thread runs */
    const char *name;
    const struct isa_kernel_code *code; /* and who it is */
    const uint8_t *text;                /* as encoded */
    size_t bytes;
};
struct emu_shader_beside {
    void *ctx; /* the first argument of each */
    enum igpu_status (*begin)(void *ctx, const struct emu_shader_begun *shader,
                              uint32_t thread, const struct emu_step_state *state,
                              struct igpu_err *err);
    /* It has issued instruction `at`; a message has had no effect yet, and one that
     * ends the thread is about to. */
    enum igpu_status (*issued)(void *ctx, uint32_t thread, uint32_t at,
                               const struct emu_step_state *state,
                               struct igpu_err *err);
    /* Its message, instruction `at`, took effect: what it returns is in the registers.
     */
    enum igpu_status (*granted)(void *ctx, uint32_t thread, uint32_t at,
                                const struct emu_step_state *state,
                                struct igpu_err *err);
};
/* Of threads from now on; *beside outlives the machine. NULL: nobody. */
void emu_shader_step_beside(struct emu_shader_machine *m,
                            const struct emu_shader_beside *beside);

/* Instructions by what they do, in this order: moves, bitwise operations, arithmetic of
 * floats and of integers, extended math, control flow, messages, others. */
enum { EMU_SHADER_CLASSES = 8 };
struct emu_shader_classes {
    uint64_t count[EMU_SHADER_CLASSES];
};

/* Machines on several host threads that work on the same memory hold *lock over an
 * atomic message to a buffer. NULL, as at first: one host thread. */
void emu_shader_share(struct emu_shader_machine *m, pthread_mutex_t *lock);
/* May groups of it run in any order? Nothing that it sends tells the order of two:
 * atomics on buffers return nothing and are of one operation, which any order leaves
 * alike; none are on images, and no message to a buffer is told by a register alone. */
bool emu_shader_any_order(const struct emu_shader *shader);

enum { EMU_SHADER_GROUP_THREADS = 64 };
/* Threads that meet at barriers and share memory, of which they find anything at the
 * start. grf and lanes: of each thread, as of emu_shader_run(). */
struct emu_shader_group {
    const struct emu_shader *shader;
    uint32_t threads, slm_bytes; /* at most 64, 64 K */
    const uint8_t *grf;
    const uint32_t *lanes;
    struct emu_counts *each; /* what each executed is added to; may be NULL */
};
/* Run a group to its end; its instructions are added to *counts. IGPU_SIM_ERROR: as of
 * emu_shader_run(), or memory is short, or threads wait for a barrier that the others
 * never reach. */
enum igpu_status emu_shader_run_group(struct emu_shader_machine *m,
                                      const struct emu_shader_group *group,
                                      emu_shader_message *message, void *ctx,
                                      struct emu_counts *counts, struct igpu_err *err);

/* Groups that run one after the other. One that waits, by an atomic, for a later one
 * shares the machine with as many as there is room for, each in a place of its own. */
struct emu_shader_groups {
    const struct emu_shader *shader;
    uint32_t threads, slm_bytes; /* of a group, as above */
    uint32_t resident;           /* threads that there is room for; `threads` or more */
    uint64_t count;
    const uint32_t *lanes; /* of each thread of a group */
    void *ctx;
    /* A group begins: the registers of its threads. */
    const uint8_t *(*begin)(void *ctx, uint64_t number, uint32_t place);
    /* It is over, and its threads executed each[threads]; another status than IGPU_OK,
     * with an error, ends all. */
    enum igpu_status (*end)(void *ctx, uint32_t place, const struct emu_counts *each);
};
/* Results as of emu_shader_run_group(). Thread i of a group in place p is number
 * p * threads + i for hooks and emu_shader_sender(). */
enum igpu_status emu_shader_run_groups(struct emu_shader_machine *m,
                                       const struct emu_shader_groups *groups,
                                       emu_shader_message *message, void *ctx,
                                       struct igpu_err *err);

/* Run one thread to its end. grf: its registers at the start; the others hold anything.
 * lanes: those that exist. counts and classes (may be NULL) are added to.
 * IGPU_SIM_ERROR: an instruction or message that cannot be executed, an access outside
 * every buffer, more instructions than emu_shader_limit() allows. */
enum igpu_status
emu_shader_run(struct emu_shader_machine *m, const struct emu_shader *shader,
               const uint8_t grf[EMU_SHADER_GRF_BYTES], uint32_t lanes,
               emu_shader_message *message, void *ctx, struct emu_counts *counts,
               struct emu_shader_classes *classes, struct igpu_err *err);
/* Registers of the thread that emu_shader_run() runs next, of which the first `bytes`,
 * whole registers, are written there and not in grf; not while somebody executes
 * threads beside the emulator. */
uint8_t *emu_shader_place(struct emu_shader_machine *m, uint32_t bytes);
/* While a message is answered: which thread of those that run, from 0, sent it, and
 * which instruction of its shader's code it is. */
uint32_t emu_shader_sender(const struct emu_shader_machine *m);
uint32_t emu_shader_sent(const struct emu_shader_machine *m);
#endif
