/* emu_shader.c - threads of graphics shaders: no groups, no payload of ours, and
 * messages that the caller answers. */
#include "emu_jit_int.h"

#include <stdlib.h>

#include "igpu/emu_shader.h"
#include "igpu/isa_decode.h"

/* Of a thread; and how many one of a group runs before it is the others' turn. */
enum { MAX_INSTRUCTIONS = 1 << 24, TURN = 4096 };
/* cr0.0 at the start: denormal halves stay, as the driver's code relies on, which packs
 * and unpacks them by plain moves and never sets the mode. */
enum { CONTROL = 1 << 10 };

struct emu_shader {
    uint8_t *text;
    struct isa_kernel_code code;
    struct emu_program *program;
    struct jit_classes *block; /* of each of its blocks */
};

struct emu_shader_machine {
    struct emu_machine m;
    struct emu_launch launch;
    struct emu_thread thread;
    emu_shader_message *message;
    void *ctx;
    uint32_t sender, sent; /* of the message that is answered: thread, instruction */
    emu_shader_binder *bind;
    void *bind_ctx;
    struct emu_hooks watch;
    const struct emu_shader *shader; /* that runs */
    bool allowed;                    /* by emu_jit_allow() */
    uint64_t most;                   /* instructions, by emu_shader_limit() */
    uint32_t placed;                 /* by emu_shader_place() */
};

/* ---- the shader --------------------------------------------------------- */

/* The farthest place behind `at`, within bytes, to which a branch there goes: jmpi from
 * behind itself by dword 3, the others from their own place by JIP there, and where
 * they have it UIP in dword 2. What is no place of an instruction is a register's
 * number. */
static size_t reaches(const emu_ud *dword, size_t at, size_t bytes)
{
    enum {
        JMPI = 0x20,
        BRD,
        IF,
        BRC,
        ELSE,
        ENDIF,
        WHILE = 0x27,
        BREAK,
        CONTINUE,
        HALT,
        CALL = 0x2C,
        GOTO = 0x2E,
        JOIN
    };
    static const uint8_t targets[128] = {
        [JMPI] = 1,  [BRD] = 1,   [IF] = 2,    [BRC] = 2,      [ELSE] = 2,
        [ENDIF] = 1, [WHILE] = 1, [BREAK] = 2, [CONTINUE] = 2, [HALT] = 2,
        [CALL] = 1,  [GOTO] = 2,  [JOIN] = 1};
    uint32_t opcode = dword[0] & 0x7F;
    size_t far = at;

    for (uint32_t i = 0; i < targets[opcode]; i++) {
        int32_t by = (int32_t)dword[3 - i];
        size_t to = at + (size_t)by + (opcode == JMPI ? 16 : 0);

        if (by > 0 && by % 8 == 0 && to < bytes && to > far)
            far = to;
    }
    return far;
}

/* Bytes from text to behind the code: the first instruction that ends the thread, or a
 * return behind one that did, that no branch or call in front of it passes; 0: there is
 * none. An instruction has 8 bytes when bit 29 is set, else 16; sends are opcodes 0x31
 * to 0x34, and bit 127 of one, never in short form, ends the thread. */
static size_t length_of(const uint8_t *text, size_t bytes)
{
    enum { RET = 0x2D, PREDICATED = 0xF0000 };
    size_t at = 0, far = 0;
    bool ends = false;

    while (at + 16 <= bytes) {
        const emu_ud *dword = (const emu_ud *)(text + at);
        uint32_t opcode = dword[0] & 0x7F;
        bool is_short = dword[0] >> 29 & 1;
        size_t to = is_short ? 0 : reaches(dword, at, bytes);
        bool end = !is_short && opcode >= 0x31 && opcode <= 0x34 && dword[3] >> 31;
        bool back = ends && opcode == RET && (dword[0] & PREDICATED) == 0;

        ends |= end;
        far = to > far ? to : far;
        at += is_short ? 8 : 16;
        if ((end || back) && far < at)
            return at;
    }
    return 0;
}

static uint32_t class_of(const struct isa_inst *inst)
{
    enum isa_type type;

    switch (isa_opcode_class((enum isa_opcode)inst->op)) {
    case ISA_CLASS_MOVE:
        return 0;
    case ISA_CLASS_LOGIC:
        return 1;
    case ISA_CLASS_ARITH:
        type = isa_exec_type(inst);
        return type == ISA_TYPE_F || type == ISA_TYPE_HF || type == ISA_TYPE_DF ? 2 : 3;
    case ISA_CLASS_MATH:
        return 4;
    case ISA_CLASS_BRANCH:
        return 5;
    case ISA_CLASS_SEND:
        return 6;
    default:
        return 7;
    }
}

/* False: memory is short. */
static bool count_blocks(struct emu_shader *s)
{
    const struct isa_block_list *list = &s->program->blocks;

    s->block = calloc(list->count + 1u, sizeof(*s->block));
    for (uint32_t i = 0; s->block != NULL && i < list->count; i++)
        for (uint32_t k = 0; k < list->block[i].count; k++)
            s->block[i].count[class_of(&s->code.inst[list->block[i].first + k])]++;
    return s->block != NULL;
}

static void count_block(void *ctx, uint64_t thread, uint32_t block)
{
    struct emu_shader_machine *s = ctx;

    for (uint32_t i = 0; i < EMU_SHADER_CLASSES; i++)
        s->m.classes.count[i] += s->shader->block[block].count[i];
    if (s->watch.block != NULL)
        s->watch.block(s->watch.ctx, thread, block);
}

static void tell_access(void *ctx, uint64_t thread, const struct emu_access *access)
{
    struct emu_shader_machine *s = ctx;

    s->watch.access(s->watch.ctx, thread, access);
}

static bool is_send(const struct isa_inst *inst)
{
    return isa_opcode_class((enum isa_opcode)inst->op) == ISA_CLASS_SEND;
}

static void thread_fail(struct emu_thread *t)
{
    t->m->status = IGPU_SIM_ERROR;
    t->stop = EMU_STOP_ERROR;
}

static void ask_caller(struct emu_thread *t, const struct emu_op *op,
                       const struct isa_inst *sent, uint32_t mask)
{
    struct emu_shader_machine *s = (struct emu_shader_machine *)t->m;

    s->sender = (uint32_t)t->number;
    s->sent = op->index;
    if (s->message(s->ctx, sent, t->grf, mask, t->m->err) != IGPU_OK)
        thread_fail(t);
}

static void send_message(struct emu_thread *t, const struct emu_op *op, uint32_t mask)
{
    ask_caller(t, op, op->inst, mask);
}

/* Messages to shared functions that the caller stands for. */
static bool is_callers(const struct isa_message *m)
{
    return m->sfid == ISA_SFID_URB || m->sfid == ISA_SFID_RENDER ||
           m->sfid == ISA_SFID_SAMPLER || m->sfid == ISA_SFID_PIXEL ||
           m->family == ISA_MSG_TYPED_READ || m->family == ISA_MSG_TYPED_WRITE ||
           m->family == ISA_MSG_TYPED_ATOMIC;
}

/* What it is, a0.0 says now, and a0.2 of which surface. A trace has one description of
 * it. */
static void send_indirect(struct emu_thread *t, const struct emu_op *op, uint32_t mask)
{
    struct emu_shader_machine *s = (struct emu_shader_machine *)t->m;
    const struct isa_message *m = &op->inst->msg;
    uint32_t desc = m->desc_reg ? emu_descriptor(t) : m->desc;
    uint32_t exdesc = m->exdesc_reg ? emu_extended_descriptor(t) : m->exdesc;
    struct isa_inst inst;

    if (((exdesc ^ m->exdesc) & ISA_EXDESC_KIND) != 0) {
        emu_error(t, op,
                  "the extended descriptor 0x%X in a0.2 is another than the code in "
                  "front of it says",
                  exdesc);
        return;
    }
    if (!isa_resolve(op->inst, desc, &inst) && s->watch.block != NULL)
        emu_error(t, op,
                  "the descriptor 0x%X in a0.0 is another than the code in front of it "
                  "says, while a frame is recorded",
                  desc);
    else if (is_callers(&inst.msg)) {
        inst.msg.exdesc = exdesc;
        ask_caller(t, op, &inst, mask);
    } else if (inst.msg.addr_model == ISA_ADDR_BTI && s->bind != NULL &&
               s->bind(s->bind_ctx, inst.msg.bti) != IGPU_OK)
        thread_fail(t);
    else
        emu_send_indirect(t, op, mask);
}

static void take_messages(struct emu_program *p)
{
    for (uint32_t i = 0; i < p->code->count; i++) {
        struct emu_op *op = &p->op[i];
        const struct isa_message *m = &op->inst->msg;

        if (!is_send(op->inst) || !isa_message_is_extended(m) ||
            !(is_callers(m) || (m->desc_reg && !m->exdesc_reg)))
            continue;
        op->pred_on = op->pred != ISA_PRED_NONE;
        op->reason = NULL;
        op->run = m->desc_reg || m->exdesc_reg ? send_indirect : send_message;
    }
}

struct emu_shader *emu_shader_new(const char *name, const uint8_t *text, size_t bytes,
                                  uint32_t simd, struct igpu_err *err)
{
    struct emu_kernel kernel = {.name = name,
                                .simd = simd,
                                .walk_order = {0, 1, 2},
                                .flushes = true,
                                .keeps = true};
    struct emu_shader *s = calloc(1, sizeof(*s));
    size_t length = length_of(text, bytes);

    if (s == NULL || length == 0) {
        (void)(s == NULL ? igpu_no_memory(err, "%s", name)
                         : igpu_fail(err, IGPU_SIM_ERROR,
                                     "%s: the shader has no end of thread", name));
        free(s);
        return NULL;
    }
    s->text = malloc(length);
    if (s->text != NULL)
        memcpy(s->text, text, length);
    if (s->text == NULL)
        (void)igpu_no_memory(err, "%s", name);
    else if (isa_decode(name, s->text, length, &s->code, err) == IGPU_OK) {
        kernel.code = &s->code;
        s->program = emu_program_new(&kernel, err);
    }
    if (s->program == NULL || !count_blocks(s)) {
        if (s->program != NULL)
            (void)igpu_no_memory(err, "%s", name);
        emu_shader_free(s);
        return NULL;
    }
    take_messages(s->program);
    s->program->classes = s->block;
    s->program->calls_sends = true;
    return s;
}

void emu_shader_free(struct emu_shader *s)
{
    if (s == NULL)
        return;
    emu_program_free(s->program);
    free(s->block);
    free(s->text);
    isa_code_free(&s->code);
    free(s);
}

size_t emu_shader_bytes(const struct emu_shader *s)
{
    return s->code.text_bytes;
}

const uint8_t *emu_shader_text(const struct emu_shader *s)
{
    return s->text;
}

const struct isa_kernel_code *emu_shader_code(const struct emu_shader *s)
{
    return &s->code;
}

const struct isa_block_list *emu_shader_blocks(const struct emu_shader *s)
{
    return &s->program->blocks;
}

void emu_shader_buffers(const struct emu_shader *s,
                        uint64_t buffers[EMU_SHADER_BINDING_WORDS])
{
    memset(buffers, 0, EMU_SHADER_BINDING_WORDS * sizeof(*buffers));
    for (uint32_t i = 0; i < s->code.count; i++) {
        const struct isa_message *m = &s->code.inst[i].msg;

        if (is_send(&s->code.inst[i]) && !is_callers(m) && !m->desc_reg &&
            m->family != ISA_MSG_FENCE && m->addr_model == ISA_ADDR_BTI &&
            m->bti < EMU_SHADER_BINDINGS)
            buffers[m->bti / 64] |= (uint64_t)1 << m->bti % 64;
    }
}

/* A message's part of it. */
static void add_reach(const struct isa_message *m, struct emu_shader_reach *reach)
{
    bool target = m->sfid == ISA_SFID_RENDER;
    bool own = m->sfid == ISA_SFID_URB || m->sfid == ISA_SFID_PIXEL ||
               m->family == ISA_MSG_SCRATCH_READ || m->family == ISA_MSG_SCRATCH_WRITE;
    bool read = m->sfid == ISA_SFID_SAMPLER || m->family == ISA_MSG_TYPED_READ ||
                (m->is_read && !m->is_write && m->addr_model == ISA_ADDR_BTI);
    /* A target's number is in its message's descriptor where a buffer's is. */
    uint32_t index = target ? m->desc & UINT8_MAX : m->bti;

    if (own)
        return;
    if (m->desc_reg || m->exdesc_reg || !(target || read) ||
        index >= EMU_SHADER_BINDINGS)
        reach->beyond = true;
    else
        (target ? reach->targets : reach->reads)[index / 64] |= (uint64_t)1
                                                                << index % 64;
}

void emu_shader_find_reach(const struct emu_shader *s, struct emu_shader_reach *reach)
{
    *reach = (struct emu_shader_reach){.beyond = false};
    for (uint32_t i = 0; i < s->code.count; i++)
        if (is_send(&s->code.inst[i]))
            add_reach(&s->code.inst[i].msg, reach);
}

bool emu_shader_any_order(const struct emu_shader *s)
{
    for (uint32_t i = 0; i < s->code.count; i++) {
        const struct isa_message *m = &s->code.inst[i].msg;

        if (is_send(&s->code.inst[i]) && (m->family == ISA_MSG_TYPED_ATOMIC ||
                                          (m->desc_reg && m->sfid != ISA_SFID_SAMPLER)))
            return false;
    }
    return emu_any_order(s->program);
}

/* ---- the machine -------------------------------------------------------- */

struct emu_shader_machine *emu_shader_machine_new(struct emu_mem *mem)
{
    struct emu_shader_machine *s = aligned_alloc(EMU_LINE, sizeof(*s));

    if (s == NULL)
        return NULL;
    memset(s, 0, sizeof(*s));
    s->most = UINT64_MAX;
    s->launch.lenient = true; /* robust buffer access, as of the hardware's surfaces */
    s->launch.hooks.ctx = s;
    s->launch.hooks.block = count_block;
    s->m.launch = &s->launch;
    s->m.mem = mem;
    s->m.turn = TURN;
    return s;
}

void emu_shader_machine_free(struct emu_shader_machine *s)
{
    if (s == NULL)
        return;
    free(s->m.group.thread);
    free(s->m.group.slm);
    free(s);
}

void emu_shader_machine_forget(struct emu_shader_machine *s)
{
    s->shader = NULL;
    s->placed = 0;
    s->m.slot = (struct emu_slot){.host = NULL};
}

void emu_shader_share(struct emu_shader_machine *s, pthread_mutex_t *lock)
{
    s->m.atomics = lock;
}

void emu_shader_limit(struct emu_shader_machine *s, uint64_t instructions)
{
    s->most = instructions;
}

/* What so many threads may run; none of it is spent. */
static void begin_count(struct emu_shader_machine *s, uint64_t threads)
{
    uint64_t most = threads * MAX_INSTRUCTIONS;

    s->launch.max_instructions = s->most < most ? s->most : most;
    s->m.counts = (struct emu_counts){0};
}

void emu_shader_watch(struct emu_shader_machine *s, const struct emu_hooks *hooks)
{
    s->watch = hooks != NULL ? *hooks : (struct emu_hooks){.ctx = NULL};
    s->launch.hooks.access = s->watch.access != NULL ? tell_access : NULL;
}

void emu_shader_step_beside(struct emu_shader_machine *s,
                            const struct emu_shader_beside *beside)
{
    s->m.beside = beside;
}

void emu_shader_bind(struct emu_shader_machine *s, uint32_t index, uint64_t va,
                     uint64_t bytes)
{
    if (index < EMU_MAX_SURFACES)
        s->m.surface[index] =
            (struct emu_bound){.va = va, .bytes = bytes, .bound = bytes != 0};
}

void emu_shader_unbind(struct emu_shader_machine *s)
{
    memset(s->m.surface, 0, sizeof(s->m.surface));
}

void emu_shader_bind_by(struct emu_shader_machine *s, emu_shader_binder *bind,
                        void *ctx)
{
    s->bind = bind;
    s->bind_ctx = ctx;
}

static void start_beside(struct emu_shader_machine *s, struct emu_thread *t)
{
    const struct emu_shader_begun shader = {s->shader->program->name, &s->shader->code,
                                            s->shader->text,
                                            s->shader->code.text_bytes};
    struct emu_step_state state;

    emu_thread_look(t, 0, &state);
    if (s->m.beside->begin(s->m.beside->ctx, &shader, (uint32_t)t->number, &state,
                           s->m.err) != IGPU_OK)
        thread_fail(t);
}

/* Registers that the shader reads before it writes them, unless placed; or all. */
static void take_registers(const struct emu_program *p, const uint8_t *grf,
                           uint32_t lanes, bool all, uint32_t placed, uint8_t *to)
{
    const struct emu_runs *runs = &p->read[lanes == emu_dispatch_lanes(p)];

    if (all || placed == 0)
        memcpy(to, grf, all ? (size_t)EMU_GRF_SIZE : (size_t)ISA_GRF_BYTES);
    for (const struct emu_run *r = runs->run; !all && r < runs->run + runs->count;
         r++) {
        const uint32_t at = r->at > placed ? r->at : placed, end = r->at + r->bytes;

        if (at < end)
            memcpy(to + at, grf + at, end - at);
    }
}

static void thread_start(struct emu_shader_machine *s, struct emu_thread *t,
                         uint64_t number, const uint8_t *grf, uint32_t lanes,
                         uint32_t placed)
{
    const struct emu_program *p = s->m.p;
    const bool all = s->m.beside != NULL;
    const size_t first = all || p->has_acc ? offsetof(struct emu_thread, acc)
                                           : offsetof(struct emu_thread, flag);
    const size_t end = all || p->has_acc ? offsetof(struct emu_thread, frame)
                                         : offsetof(struct emu_thread, pc);

    take_registers(p, grf, lanes, all, placed, t->grf);
    memset((uint8_t *)t + first, 0, end - first);
    t->m = &s->m;
    t->live = t->active = t->state[2] = t->state[3] = lanes;
    t->next_pc = UINT32_MAX;
    t->turn_end = UINT64_MAX;
    t->ctrl[0] = CONTROL;
    t->counts.threads = 1;
    t->number = number;
    emu_set_mode(t, emu_mode(CONTROL));
    if (s->m.beside != NULL)
        start_beside(s, t);
}

/* This shader's threads run next. */
static enum igpu_status turn_to(struct emu_shader_machine *s,
                                const struct emu_shader *shader,
                                emu_shader_message *message, void *ctx,
                                struct igpu_err *err)
{
    const bool same = s->shader == shader && s->m.translated != NULL;

    s->shader = shader;
    memset(&s->m.classes, 0, sizeof(s->m.classes));
    s->message = message;
    s->ctx = ctx;
    s->m.p = shader->program;
    s->m.err = err;
    s->m.status = IGPU_OK;
    if (same && s->watch.block == NULL)
        return IGPU_OK;
    if (!s->allowed)
        s->m.status = emu_jit_allow(&s->m, err);
    s->allowed |= s->m.status == IGPU_OK;
    emu_jit_turn_to(&s->m, s->watch.block != NULL);
    return s->m.status;
}

enum igpu_status
emu_shader_run(struct emu_shader_machine *s, const struct emu_shader *shader,
               const uint8_t grf[EMU_SHADER_GRF_BYTES], uint32_t lanes,
               emu_shader_message *message, void *ctx, struct emu_counts *counts,
               struct emu_shader_classes *classes, struct igpu_err *err)
{
    if (turn_to(s, shader, message, ctx, err) != IGPU_OK)
        return s->m.status;
    begin_count(s, 1);
    thread_start(s, &s->thread, 0, grf, lanes, s->placed);
    s->placed = 0;
    emu_thread_run(&s->thread);
    emu_jit_ran(&s->m, s->thread.counts.instructions);
    if (counts != NULL)
        emu_add_counts(counts, &s->thread.counts);
    for (uint32_t i = 0; i < EMU_SHADER_CLASSES && classes != NULL; i++)
        classes->count[i] += s->m.classes.count[i];
    if (s->thread.stop == EMU_STOP_ERROR)
        return IGPU_SIM_ERROR;
    if (s->thread.stop != EMU_STOP_EOT)
        return igpu_fail(err, IGPU_SIM_ERROR, "%s: the thread waits for ever",
                         shader->program->name);
    return IGPU_OK;
}

uint8_t *emu_shader_place(struct emu_shader_machine *s, uint32_t bytes)
{
    s->placed = bytes;
    return s->thread.grf;
}

uint32_t emu_shader_sender(const struct emu_shader_machine *s)
{
    return s->sender;
}

uint32_t emu_shader_sent(const struct emu_shader_machine *s)
{
    return s->sent;
}

/* Room for a group's threads; kept. */
static bool make_room(struct emu_shader_machine *s)
{
    if (s->m.group.thread == NULL)
        s->m.group.thread = aligned_alloc(EMU_LINE, EMU_SHADER_GROUP_THREADS *
                                                        sizeof(*s->m.group.thread));
    if (s->m.group.slm == NULL)
        s->m.group.slm = calloc(1, EMU_SLM_MAX);
    return s->m.group.thread != NULL && s->m.group.slm != NULL;
}

/* The machine is to run groups of so many threads. */
static enum igpu_status machine_prepare(struct emu_shader_machine *s,
                                        const struct emu_shader *shader,
                                        uint32_t threads, uint32_t slm_bytes,
                                        emu_shader_message *message, void *ctx,
                                        struct igpu_err *err)
{
    s->m.slm_bytes = slm_bytes;
    s->m.threads_per_group = threads;
    return turn_to(s, shader, message, ctx, err);
}

static void start_group(struct emu_shader_machine *s, const uint8_t *grf,
                        const uint32_t *lanes, uint32_t place)
{
    s->m.group.begun = s->m.group.places = s->m.threads_per_group;
    s->m.group.running = s->m.threads_per_group;
    s->m.group.waiting = 0;
    for (uint32_t i = 0; i < s->m.threads_per_group; i++)
        thread_start(s, &s->m.group.thread[i], place * s->m.threads_per_group + i,
                     grf + (size_t)i * EMU_SHADER_GRF_BYTES, lanes[i], 0);
}

enum igpu_status emu_shader_run_group(struct emu_shader_machine *s,
                                      const struct emu_shader_group *group,
                                      emu_shader_message *message, void *ctx,
                                      struct emu_counts *counts, struct igpu_err *err)
{
    enum emu_over over;
    const char *name = group->shader->program->name;

    if (!make_room(s))
        return igpu_no_memory(err, "%s: a group", name);
    if (machine_prepare(s, group->shader, group->threads, group->slm_bytes, message,
                        ctx, err) != IGPU_OK)
        return s->m.status;
    begin_count(s, group->threads);
    start_group(s, group->grf, group->lanes, 0);
    over = emu_continue_group(&s->m, UINT64_MAX);
    for (uint32_t i = 0; i < group->threads; i++) {
        emu_add_counts(counts, &s->m.group.thread[i].counts);
        if (group->each != NULL)
            emu_add_counts(&group->each[i], &s->m.group.thread[i].counts);
    }
    return over == EMU_OVER ? IGPU_OK : IGPU_SIM_ERROR;
}

/* ---- groups of a launch ------------------------------------------------- */

struct groups {
    struct emu_shader_machine *s;
    const struct emu_shader_groups *g;
};

static void on_start(void *ctx, struct emu_machine *m, uint64_t number, uint32_t place)
{
    const struct groups *all = ctx;

    (void)m;
    start_group(all->s, all->g->begin(all->g->ctx, number, place), all->g->lanes,
                place);
}

/* What the threads beside this group's may run is counted from now on. */
static bool on_over(void *ctx, struct emu_machine *m, uint64_t number, uint32_t place)
{
    const struct groups *all = ctx;
    struct emu_counts each[EMU_SHADER_GROUP_THREADS];

    (void)number;
    for (uint32_t i = 0; i < all->g->threads; i++)
        each[i] = m->group.thread[i].counts;
    m->status = all->g->end(all->g->ctx, place, each);
    begin_count(all->s, all->s->m.hw_threads);
    return m->status == IGPU_OK;
}

enum igpu_status emu_shader_run_groups(struct emu_shader_machine *s,
                                       const struct emu_shader_groups *g,
                                       emu_shader_message *message, void *ctx,
                                       struct igpu_err *err)
{
    struct groups all = {s, g};
    const struct emu_room room = {&all, on_start, on_over};
    const struct emu_program *p = g->shader->program;
    bool may_wait = g->count > 1 && g->resident >= 2 * g->threads && !emu_any_order(p);

    if (!make_room(s))
        return igpu_no_memory(err, "%s: a group", p->name);
    if (machine_prepare(s, g->shader, g->threads, g->slm_bytes, message, ctx, err) !=
        IGPU_OK)
        return s->m.status;
    s->m.hw_threads = g->resident;
    s->m.end_group = g->count;
    s->m.turn = TURN;
    for (uint64_t i = 0; i < g->count; i++) {
        enum emu_over over;

        begin_count(s, may_wait ? g->resident : g->threads);
        on_start(&all, &s->m, i, 0);
        over = emu_continue_group(&s->m, may_wait ? EMU_PATIENCE : UINT64_MAX);
        if (over == EMU_NOT_OVER) {
            emu_run_resident(&s->m, i, &room);
            s->m.turn = TURN;
            break;
        }
        if (over == EMU_FAILED || !on_over(&all, &s->m, i, 0))
            return s->m.status != IGPU_OK ? s->m.status : IGPU_SIM_ERROR;
    }
    return s->m.status;
}
