/* emu_jit.c - the translator beside the interpreter (igpu/jit.h): when a kernel has run
 * long enough, it is described to the library that translates, on a thread of its own.
 * Until that is done, and for what is not generated, everything runs as it did. */
#include "emu_jit_int.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum state { IDLE, AT_WORK, READY, REFUSED };

struct emu_jit {
    const struct emu_program *p;
    bool tells;
    _Atomic uint64_t spent; /* instructions, of which.. */
    uint64_t before;        /* ..other processes ran these */
    _Atomic int state;      /* enum state */
    _Atomic bool sought;    /* among what is kept */
    const void **table;     /* what the code calls */
    struct jit_code code;
    char why[200]; /* REFUSED */
    uint64_t *left;
    pthread_t worker;
    bool has_worker;
    uint32_t forks; /* library.forks when it was started */
};

/* ---- the library ------------------------------------------------------------------
 */

static struct library {
    pthread_once_t once;
    char path[4096];
    jit_compile_fn *compile;
    jit_release_fn *release;
    atomic_int inside;  /* threads that translate */
    atomic_bool closed; /* the process ends */
    uint32_t forks;     /* between the first process and this one */
} library = {.once = PTHREAD_ONCE_INIT};

bool emu_jit_choice(const char *text)
{
    return strcmp(text, "on") == 0 || strcmp(text, "off") == 0 ||
           strcmp(text, "now") == 0;
}

static _Thread_local int inside; /* of them, in a signal's handler: this one */

/* LLVM must not end with the process while a thread is in it, or begin thereafter:
 * others may run kernels until the driver ends them. */
static void close_library(void)
{
    const struct timespec moment = {0, 1000000};

    atomic_store(&library.closed, true);
    while (atomic_load(&library.inside) > inside)
        (void)nanosleep(&moment, NULL);
}

/* Ends of libraries that come later are earlier in the end: LLVM's, of which
 * open_library() takes care, are not there yet if the process ends before that. */
void emu_jit_library(const char *path)
{
    if (library.path[0] == 0)
        (void)atexit(close_library);
    (void)snprintf(library.path, sizeof(library.path), "%s", path);
}

/* In a child of fork() those threads are not, and LLVM stays as it was amidst its work:
 * nothing is translated any more. */
static void forget_workers(void)
{
    if (atomic_exchange(&library.inside, 0) > 0)
        library.compile = NULL;
    library.forks++;
}

static void open_library(void)
{
    void *own =
        library.path[0] == '/' ? dlopen(library.path, RTLD_NOW | RTLD_LOCAL) : NULL;
    void *compile = own ? dlsym(own, JIT_COMPILE) : NULL;
    void *release = own ? dlsym(own, JIT_RELEASE) : NULL;

    if (compile == NULL || release == NULL)
        return;
    memcpy(&library.compile, &compile, sizeof(compile));
    memcpy(&library.release, &release, sizeof(release));
    (void)atexit(close_library);
    (void)pthread_atfork(NULL, NULL, forget_workers);
}

static bool has_library(void)
{
    (void)pthread_once(&library.once, open_library);
    return library.compile != NULL;
}

/* ---- a description -------------------------------------------------------------- */

static bool aligned(int32_t at, uint32_t size)
{
    return size != 0 && at % (int32_t)size == 0;
}

static uint8_t operand_place(const struct isa_operand *o, const struct jit_lanes *l,
                             uint32_t n, uint32_t size)
{
    bool good = !o->indirect;

    for (uint32_t i = 0; i < n; i++)
        good &= aligned(l->at[i] - (int32_t)offsetof(struct emu_thread, grf), size);
    if (good && (o->file == ISA_FILE_GRF || o->file == ISA_FILE_ACC))
        return JIT_REGISTERS;
    if (good && o->file == ISA_FILE_FLAG && n == 1 && size <= 4)
        return JIT_FLAG;
    return JIT_ELSEWHERE;
}

static void describe_source(const struct emu_op *op, uint32_t k, struct jit_lanes *l)
{
    const struct emu_src *s = &op->src[k];
    uint32_t size = isa_type_bytes((enum isa_type)s->type);

    l->type = s->type;
    l->mod = s->mod;
    l->where = JIT_ELSEWHERE;
    if (s->region == EMU_REG_INDIRECT || size == 0)
        return;
    for (uint32_t i = 0; i < op->exec; i++) {
        int32_t off = s->region == EMU_REG_TABLE    ? s->gather->off[i]
                      : s->region == EMU_REG_LINEAR ? (int32_t)i * s->stride
                                                    : 0;
        const uint8_t *from = s->gather ? s->gather->data : (const uint8_t *)&s->imm;

        l->at[i] = s->off + off;
        if (s->is_imm)
            memcpy(&l->bits[i], from + off, size);
    }
    l->where =
        s->is_imm ? JIT_VALUE : operand_place(&op->inst->src[k], l, op->exec, size);
}

static void describe_dest(const struct emu_op *op, struct jit_lanes *l)
{
    const struct emu_dst *d = &op->dst;
    uint32_t size = isa_type_bytes((enum isa_type)d->type);

    l->type = d->type;
    l->where = d->none ? JIT_NOWHERE : JIT_ELSEWHERE;
    if (d->none || d->indirect || size == 0)
        return;
    for (uint32_t i = 0; i < op->exec; i++)
        l->at[i] = d->off + (int32_t)i * d->stride;
    /* Lanes at one place: the last one wins, which only the emulator knows. */
    if (op->exec == 1 || d->stride >= (int32_t)size)
        l->where = operand_place(&op->inst->dst, l, op->exec, size);
}

static uint8_t kind_of(const struct emu_op *op)
{
    static const uint8_t kinds[] = {
        [EMU_KIND_ALU] = JIT_ALU,       [EMU_KIND_SEND] = JIT_SEND,
        [EMU_KIND_WAIT] = JIT_WAIT,     [EMU_KIND_NOP] = JIT_NOP,
        [EMU_KIND_BRANCH] = JIT_BRANCH, [EMU_KIND_EOT] = JIT_END,
    };

    return kinds[op->kind];
}

static bool leaves_product(const struct emu_op *op)
{
    return (op->acc == EMU_ACC_RESULT && op->opcode == ISA_OP_MUL) ||
           (op->acc == EMU_ACC_OWN && op->opcode == ISA_OP_MACH);
}

/* One word of another file, from a value or from a value and what was there. */
static void describe_state(const struct emu_op *op, struct jit_inst *in)
{
    const struct isa_operand *d = &op->inst->dst, *s = op->inst->src;
    struct emu_thread t = {.stop = EMU_STOP_NONE};
    bool plain = op->kind == EMU_KIND_ALU && op->exec == 1 && op->no_mask &&
                 !op->pred && !op->cmod && op->reason == NULL && !d->indirect &&
                 isa_type_bytes((enum isa_type)d->type) == 4;

    in->at = (uint32_t)op->dst.off;
    if (plain && d->file == ISA_FILE_NOTIFY && op->opcode == ISA_OP_MOV &&
        s[0].file == ISA_FILE_IMM) {
        in->sets = JIT_SETS_ALWAYS;
        op->run(&t, op, 1);
        memcpy(&in->value, (uint8_t *)&t + op->dst.off, sizeof(in->value));
    }
    if (plain && op->dst.off == (int32_t)offsetof(struct emu_thread, ctrl) &&
        d->file == ISA_FILE_CTRL && (op->opcode == ISA_OP_OR) &&
        s[0].file == ISA_FILE_CTRL && op->src[0].off == op->dst.off &&
        s[1].file == ISA_FILE_IMM) {
        in->sets = JIT_SETS_MODE;
        op->run(&t, op, 1);
        in->value = t.ctrl[0];
        memcpy(&in->mode, &t.round, sizeof(in->mode));
    }
}

static void inst_describe(const struct emu_program *p, uint32_t index,
                          struct jit_inst *in)
{
    const struct emu_op *op = &p->op[index];

    *in = (struct jit_inst){
        .kind = kind_of(op),
        .domain = op->src_dom,
        .ordinary = !(p->calls_sends && op->kind == EMU_KIND_SEND) &&
                    op->reason == NULL && (!op->acc || leaves_product(op)) &&
                    !op->acc_wr && !op->reads_state && !op->writes_ctrl &&
                    !op->writes_mask,
        .product = leaves_product(op),
        .alone = op->reads_state || op->writes_mask ||
                 (op->kind == EMU_KIND_BRANCH && op->reason != NULL),
        .ends = op->kind == EMU_KIND_EOT && op->reason == NULL,
        .last = op->kind == EMU_KIND_EOT && op->run != NULL,
        .raw = op->raw,
        .is64 = op->is64,
        .is_hf = op->is_hf,
        .pred_on = op->pred_on,
        .flag_reg = op->flag_reg,
        .flag_shift = op->flag_shift,
        .flops = op->flops,
        .nsrc = op->kind == EMU_KIND_ALU ? op->nsrc : 0,
        .full = op->full,
        .jip = op->jip,
        .uip = op->uip,
        .inst = op->inst};
    if (op->opcode == ISA_OP_BREAK && op->uip != UINT32_MAX &&
        p->op[op->uip].opcode == ISA_OP_WHILE)
        in->uip = op->uip + 1;
    if (op->kind != EMU_KIND_ALU)
        return;
    describe_state(op, in);
    describe_dest(op, &in->dst);
    for (uint32_t k = 0; k < op->nsrc; k++)
        describe_source(op, k, &in->src[k]);
}

#define AT(member) (uint32_t) offsetof(struct emu_thread, member)
#define COUNT(member) AT(counts) + (uint32_t)offsetof(struct emu_counts, member)
#define MACHINE(member) (uint32_t) offsetof(struct emu_machine, member)

static struct jit_layout layout(const struct emu_program *p)
{
    struct emu_thread plain = {.round = EMU_RNE, .plain = true};
    struct emu_thread flushing = {
        .round = EMU_RNE, .ftz = EMU_FTZ_F | EMU_FTZ_DF, .plain = false};
    struct jit_layout l = {
        .registers = AT(grf),
        .products = AT(acc_wide),
        .depth = AT(depth),
        .mme = AT(mme),
        .mme_bytes = sizeof(struct emu_mme),
        .mme_near = (uint32_t)offsetof(struct emu_mme, near),
        .mme_value = (uint32_t)offsetof(struct emu_mme, value),
        .flag = AT(flag),
        .mode = AT(round),
        .stop = AT(stop),
        .inside = AT(inside),
        .at = AT(at),
        .active = AT(active),
        .live = AT(live),
        .pc = AT(pc),
        .next_pc = AT(next_pc),
        .notify = AT(notify),
        .number = AT(number),
        .state = AT(state),
        .instructions = COUNT(instructions),
        .lanes = COUNT(lane_instructions),
        .flops = COUNT(flops),
        .machine = AT(m),
        .m_places = MACHINE(places),
        .m_slm = MACHINE(group.slm),
        .m_slm_bytes = MACHINE(slm_bytes),
        .m_table = MACHINE(jit_table),
        .m_log = MACHINE(log_head),
        .m_classes = MACHINE(classes),
        .stop_none = EMU_STOP_NONE,
        .stop_wait = EMU_STOP_WAIT,
        .stop_eot = EMU_STOP_EOT,
    };

    memcpy(&l.plain_mode, p->k.flushes ? &flushing.round : &plain.round,
           sizeof(l.plain_mode));
    return l;
}

_Static_assert(offsetof(struct emu_thread, plain) ==
                   offsetof(struct emu_thread, round) + 3,
               "round, ftz, int_round and plain are read as one word");
_Static_assert(offsetof(struct emu_thread, acc) ==
                   offsetof(struct emu_thread, grf) + EMU_GRF_SIZE,
               "accumulators follow the registers");

/* ---- translating ---------------------------------------------------------------- */

/* Lanes that a thread can have: as many as it was started with, or all where it writes
 * its dispatch mask. */
static uint32_t most_lanes(const struct emu_program *p)
{
    for (uint32_t i = 0; i < p->code->count; i++)
        if (p->op[i].writes_mask)
            return EMU_LANES;
    return p->k.simd;
}

/* As emu_start.c begins a thread. Shaders' threads are begun elsewhere, and what they
 * begin with is in the thread already. */
static struct jit_birth birth(const struct emu_program *p)
{
    uint32_t lanes = emu_dispatch_lanes(p);
    bool can = !p->calls_sends && !p->has_macros && most_lanes(p) == p->k.simd;

    return (struct jit_birth){.inlined = can,
                              .reads = {p->begun[0], p->begun[1]},
                              .row = p->cross_grf + p->cross_bytes / ISA_GRF_BYTES,
                              .fill = EMU_POISON,
                              .has_acc = p->has_acc,
                              .zero = AT(flag),
                              .zero_bytes = AT(number) - AT(flag),
                              .word = {{AT(live), lanes},
                                       {AT(active), lanes},
                                       {AT(state) + 8, lanes},
                                       {AT(next_pc), UINT32_MAX},
                                       {COUNT(threads), 1},
                                       {AT(round), emu_mode(0)}}};
}

/* What the library is told, or NULL; free inst. */
static bool make_kernel(const struct emu_jit *j, struct jit_kernel *k)
{
    const struct emu_program *p = j->p;
    struct jit_inst *inst = calloc(p->code->count, sizeof(*inst));

    for (uint32_t i = 0; inst != NULL && i < p->code->count; i++)
        inst_describe(p, i, &inst[i]);
    *k = (struct jit_kernel){.version = JIT_VERSION,
                             .name = p->name,
                             .simd = most_lanes(p),
                             .inst = inst,
                             .count = p->code->count,
                             .blocks = &p->blocks,
                             .layout = layout(p),
                             .tells = j->tells,
                             .flushes = p->k.flushes,
                             .keeps = p->k.keeps,
                             .classes = p->classes,
                             .birth = birth(p),
                             .left = j->left};
    return inst != NULL;
}

static bool make_table(struct emu_jit *j, const struct emu_jit_calls *calls)
{
    const struct emu_program *p = j->p;
    const void **to = calloc(JIT_CALL_INST + 2u * p->code->count, sizeof(*to));

    if (to == NULL)
        return false;
    memcpy(&to[JIT_CALL_BRANCH], &calls->branch, sizeof(*to));
    memcpy(&to[JIT_CALL_PLACE], &calls->place, sizeof(*to));
    memcpy(&to[JIT_CALL_MATH], &calls->math, sizeof(*to));
    memcpy(&to[JIT_CALL_START], &calls->start, sizeof(*to));
    for (uint32_t i = 0; i < p->code->count; i++) {
        to[JIT_CALL_INST + 2 * i] = &p->op[i];
        memcpy(&to[JIT_CALL_INST + 2 * i + 1], &p->op[i].run, sizeof(*to));
    }
    free(j->table);
    j->table = to;
    return true;
}

static bool compile(struct emu_jit *j, const struct jit_kernel *k)
{
    bool good;

    inside++;
    (void)atomic_fetch_add(&library.inside, 1);
    good = !atomic_load(&library.closed) &&
           library.compile(k, &j->code, j->why, sizeof(j->why));
    (void)atomic_fetch_sub(&library.inside, 1);
    inside--;
    return good;
}

static void translate(struct emu_jit *j)
{
    struct jit_kernel k;
    bool good = make_kernel(j, &k) && j->table != NULL && compile(j, &k);

    if (good && j->code.run == NULL) {
        if (j->left == NULL)
            emu_jit_put(&k, library.path, &j->code);
        good = emu_jit_map(&j->code);
    }
    free((void *)(uintptr_t)k.inst);
    atomic_store_explicit(&j->state, good ? READY : REFUSED, memory_order_release);
}

void emu_jit_find(struct emu_jit *j, const struct emu_jit_calls *calls)
{
    struct jit_kernel k;
    int idle = IDLE;
    bool good = false;

    if (!emu_jit_keeps() || j->left != NULL || atomic_exchange(&j->sought, true) ||
        !atomic_compare_exchange_strong(&j->state, &idle, AT_WORK))
        return;
    if (make_kernel(j, &k) && make_table(j, calls)) {
        good = emu_jit_take(&k, library.path, &j->code, &j->before) &&
               emu_jit_map(&j->code);
        (void)emu_jit_spend(j, j->before);
    }
    free((void *)(uintptr_t)k.inst);
    atomic_store_explicit(&j->state, good ? READY : IDLE, memory_order_release);
}

uint64_t emu_jit_worth(const struct emu_program *p)
{
    enum { FOR_EACH = 60000, LEAST = 2000000 };
    uint64_t enough = (uint64_t)p->code->count * FOR_EACH;

    return enough > LEAST ? enough : LEAST;
}

/* What was run without a translation counts in the next process. */
static void keep_spent(const struct emu_jit *j)
{
    enum { PART = 16 }; /* of a translation: less is not worth a file */
    uint64_t spent = atomic_load(&j->spent);
    struct jit_kernel k;

    if (!j->sought || atomic_load(&j->state) != IDLE ||
        spent - j->before < emu_jit_worth(j->p) / PART)
        return;
    if (make_kernel(j, &k))
        emu_jit_put_spent(&k, library.path, spent);
    free((void *)(uintptr_t)k.inst);
}

static void *work(void *arg)
{
    translate(arg);
    return NULL;
}

/* On a thread of its own, which takes no signals. */
static void start_work(struct emu_jit *j)
{
    sigset_t all, old;

    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &old);
    j->forks = library.forks;
    j->has_worker = pthread_create(&j->worker, NULL, work, j) == 0;
    (void)pthread_sigmask(SIG_SETMASK, &old, NULL);
    if (!j->has_worker)
        atomic_store(&j->state, REFUSED);
}

void emu_jit_start(struct emu_jit *j, const struct emu_jit_calls *calls, bool at_once)
{
    int idle = IDLE;

    if (!atomic_compare_exchange_strong(&j->state, &idle, AT_WORK))
        return;
    if (atomic_load(&library.closed) || !has_library() || !make_table(j, calls))
        atomic_store(&j->state, REFUSED);
    else if (at_once)
        translate(j);
    else
        start_work(j);
}

const void *const *emu_jit_table(const struct emu_jit *j)
{
    return j->table;
}

uint64_t emu_jit_spend(struct emu_jit *j, uint64_t instructions)
{
    return atomic_fetch_add_explicit(&j->spent, instructions, memory_order_relaxed);
}

const struct jit_code *emu_jit_code(const struct emu_jit *j)
{
    return atomic_load_explicit(&j->state, memory_order_acquire) == READY ? &j->code
                                                                          : NULL;
}

const char *emu_jit_refused(const struct emu_program *p)
{
    const struct emu_jit *j = p->jit[0];
    int state = j != NULL ? atomic_load(&j->state) : IDLE;

    return state == READY ? NULL : state == REFUSED && j->why[0] ? j->why : "";
}

struct emu_jit *emu_jit_new(const struct emu_program *p, bool tells)
{
    struct emu_jit *j = calloc(1, sizeof(*j));

    if (j == NULL)
        return NULL;
    j->p = p;
    j->tells = tells;
    if (getenv("IGPU_JIT_STATS") != NULL)
        j->left = calloc(p->code->count, sizeof(*j->left));
    return j;
}

/* To the file that IGPU_JIT_STATS names: what the emulator executed, by opcode. */
static void tell_stats(const struct emu_jit *j)
{
    const struct isa_kernel_code *code = j->p->code;
    uint64_t left[ISA_OP_COUNT] = {0};
    FILE *out = fopen(getenv("IGPU_JIT_STATS"), "a");

    if (out == NULL)
        return;
    fprintf(out, "%s: %u of %u instructions generated, %.3f s%s%s\n", j->p->name,
            j->code.inlined, code->count, j->code.compile_seconds,
            j->why[0] ? ": " : "", j->why);
    for (uint32_t i = 0; i < code->count; i++)
        left[code->inst[i].op] += j->left[i];
    for (uint32_t op = 0; op < ISA_OP_COUNT; op++)
        if (left[op] != 0)
            fprintf(out, "    %-8s %" PRIu64 "\n", isa_opcode_name((enum isa_opcode)op),
                    left[op]);
    (void)fclose(out);
}

void emu_jit_free(struct emu_jit *j)
{
    if (j == NULL)
        return;
    if (j->has_worker && j->forks == library.forks)
        (void)pthread_join(j->worker, NULL);
    if (j->left != NULL && atomic_load(&j->state) >= READY)
        tell_stats(j);
    keep_spent(j);
    if (atomic_load(&j->state) != READY || j->code.own == NULL)
        emu_jit_unmap(&j->code);
    else if (!atomic_load(&library.closed))
        library.release(&j->code);
    free(j->left);
    free(j->table);
    free(j);
}
