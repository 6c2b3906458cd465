/* emu_flow.c - the run loop of a thread and the choice of its next lanes.
 * Lanes change their pc only at branches, all of whose targets start basic blocks,
 * and waiting lanes merge only where a block starts: so a thread runs whole blocks. */
#include <inttypes.h>

#include "emu_alike.h"
#include "igpu/bits.h"
#include "igpu/emu_shader.h"

/* The lanes at the lowest pc become active; next_pc is where the nearest others wait.
 * A callee without lanes left returns to its caller's frame. */
static void schedule(struct emu_thread *t)
{
    uint32_t low = UINT32_MAX, next = UINT32_MAX, lanes = 0;

    while (t->live == 0 && t->depth > 0)
        t->live = t->frame[--t->depth].live;
    for (uint32_t rest = t->live; rest != 0; rest &= rest - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(rest), pc = t->pc[i];

        if (pc < low) {
            next = low;
            low = pc;
            lanes = 0;
        } else if (pc > low && pc < next) {
            next = pc;
        }
        if (pc == low)
            lanes |= 1u << i;
    }
    t->at = low;
    t->active = lanes;
    t->next_pc = next;
}

/* Active lanes came to where others wait. */
static void merge(struct emu_thread *t)
{
    for (uint32_t rest = t->active; rest != 0; rest &= rest - 1)
        t->pc[__builtin_ctz(rest)] = t->at;
    schedule(t);
}

static uint32_t enabled(const struct emu_thread *t, const struct emu_op *op)
{
    uint32_t mask = emu_unpredicated(t, op);

    if (op->pred_on)
        mask &= emu_predicate(t, op);
    return mask;
}

/* What a thread did in the block that runs; not yet in its counts. */
struct tally {
    uint64_t lanes, flops;
};

static inline void count_lanes(struct tally *sum, const struct emu_op *op,
                               uint32_t mask)
{
    uint32_t lanes = mask == op->full ? op->exec : igpu_count_bits(mask);

    sum->lanes += lanes;
    sum->flops += (uint64_t)lanes * op->flops;
}

/* False while the barrier is not complete. */
static bool pass_wait(struct emu_thread *t)
{
    if (t->notify[0] == 0)
        return false;
    t->notify[0] = 0;
    return true;
}

static void finish(struct emu_thread *t, const struct emu_op *op)
{
    if (t->active != t->live || t->depth > 0)
        emu_error(t, op, "the thread ends while some of its lanes wait elsewhere");
    else
        t->stop = EMU_STOP_EOT;
}

enum step { STEP_NEXT, STEP_LEFT, STEP_BLOCKED };

static enum step after(const struct emu_thread *t)
{
    return t->stop == EMU_STOP_NONE ? STEP_NEXT : STEP_LEFT;
}

void emu_leave_block(struct emu_thread *t, const struct emu_op *op)
{
    if (op->reason != NULL)
        emu_error(t, op, "%s", op->reason);
    else if (emu_branch(t, op) && t->active == 0)
        schedule(t);
}

/* One instruction that is no ALU's. LEFT: it ran and t->at, or the thread's end, is
 * decided. */
static enum step thread_step(struct emu_thread *t, const struct emu_op *op,
                             struct tally *sum)
{
    uint32_t mask = enabled(t, op);

    if (op->kind == EMU_KIND_WAIT && !pass_wait(t)) {
        t->stop = EMU_STOP_WAIT;
        return STEP_BLOCKED;
    }
    count_lanes(sum, op, mask);
    switch (op->kind) {
    case EMU_KIND_SEND:
        op->run(t, op, mask); /* without lanes too: it is recorded */
        return after(t);
    case EMU_KIND_EOT:
        if (op->reason != NULL)
            emu_error(t, op, "%s", op->reason);
        else if (op->run != NULL) /* a shader's last message */
            op->run(t, op, mask);
        if (t->stop == EMU_STOP_NONE)
            finish(t, op);
        return STEP_LEFT;
    case EMU_KIND_BRANCH:
        emu_leave_block(t, op);
        return STEP_LEFT;
    default:
        return STEP_NEXT;
    }
}

/* At the first instruction of a block: it may be another thread's turn. */
static void enter(struct emu_thread *t, uint32_t block)
{
    const struct emu_launch *launch = t->m->launch;
    uint64_t limit = launch->max_instructions;

    if (t->counts.instructions >= t->turn_end)
        t->stop = EMU_STOP_TURN;
    else if (limit != 0 && t->m->counts.instructions + t->counts.instructions >= limit)
        emu_error(t, &t->m->p->op[t->at],
                  "the launch's limit of instructions, %" PRIu64 ", is reached", limit);
    else if (t->m->log != NULL)
        emu_log_block(t, block);
    else if (launch->hooks.block != NULL)
        launch->hooks.block(launch->hooks.ctx, t->number, block);
}

/* The active lanes fell through to the next block. */
static void fall_through(struct emu_thread *t, uint32_t at)
{
    t->at = at;
    if (at >= t->m->p->code->count)
        emu_error(t, &t->m->p->op[at - 1], "the thread runs off the end of the kernel");
    else if (at == t->next_pc)
        merge(t);
}

/* Instructions from t->at to before `end`, until one is not followed by the next;
 * *at: that one, or end. */
static enum step run_block(struct emu_thread *t, uint32_t end, uint32_t *at)
{
    const struct emu_op *first = t->m->p->op, *op = first + t->at;
    const bool told = t->m->launch->hooks.values != NULL;
    struct tally sum = {0, 0};
    enum step did = STEP_NEXT;

    for (; op < first + end && did == STEP_NEXT; op++) {
        if (op->kind == EMU_KIND_ALU) {
            uint32_t mask = enabled(t, op);

            count_lanes(&sum, op, mask);
            if (told)
                emu_run_told(t, op, mask);
            else if (mask != 0)
                op->run(t, op, mask);
            did = after(t);
        } else {
            did = thread_step(t, op, &sum);
        }
    }
    t->counts.lane_instructions += sum.lanes;
    t->counts.flops += sum.flops;
    *at = (uint32_t)(op - first) - (did != STEP_NEXT);
    return did;
}

/* Instructions of the thread at which it must come back between two blocks. */
static uint64_t bound_of(const struct emu_thread *t)
{
    uint64_t limit = t->m->launch->max_instructions, spent = t->m->counts.instructions;

    if (limit == 0)
        return t->turn_end;
    limit = limit > spent ? limit - spent : 0;
    return limit < t->turn_end ? limit : t->turn_end;
}

/* From t->at, whose block is entered, to the block's end. */
static void interpret(struct emu_thread *t)
{
    const struct emu_program *p = t->m->p;
    const struct isa_block *b = &p->blocks.block[p->blocks.block_of[t->at]];
    uint32_t first = t->at, at = first;
    enum step did = run_block(t, b->first + b->count, &at);

    t->counts.instructions += at - first + (did == STEP_LEFT);
    if (did == STEP_BLOCKED) { /* goes on inside the block */
        t->at = at;
        t->inside = true;
    } else if (did == STEP_NEXT && t->stop == EMU_STOP_NONE) {
        fall_through(t, at);
    } else if (t->stop == EMU_STOP_EOT) { /* errors of barriers name it */
        t->at = at;
    }
}

void emu_thread_look(const struct emu_thread *t, uint32_t mask,
                     struct emu_step_state *state)
{
    *state = (struct emu_step_state){.grf = t->grf,
                                     .acc = t->acc,
                                     .flag = t->flag,
                                     .addr = t->addr,
                                     .ctrl = t->ctrl,
                                     .state = t->state,
                                     .at = t->at,
                                     .active = t->active,
                                     .live = t->live,
                                     .pc = t->pc,
                                     .next_pc = t->next_pc,
                                     .mask = mask,
                                     .executed = t->counts.instructions};
}

/* Those who execute beside are told of instruction `at`. False: they end the run. */
static bool tell_beside(struct emu_thread *t, uint32_t at, uint32_t mask, bool granted)
{
    const struct emu_shader_beside *b = t->m->beside;
    struct emu_step_state state;

    emu_thread_look(t, mask, &state);
    if ((granted ? b->granted : b->issued)(b->ctx, (uint32_t)t->number, at, &state,
                                           t->m->err) == IGPU_OK)
        return true;
    t->m->status = IGPU_SIM_ERROR;
    t->stop = EMU_STOP_ERROR;
    return false;
}

/* The instruction at t->at, and they. */
static void step_beside(struct emu_thread *t)
{
    const struct emu_op *op = &t->m->p->op[t->at];
    uint32_t at = t->at, mask;

    if (op->kind == EMU_KIND_EOT) {
        if (tell_beside(t, at, enabled(t, op), false))
            (void)emu_thread_step(t);
        return;
    }
    mask = emu_thread_step(t);
    if (t->stop != EMU_STOP_NONE || !tell_beside(t, at, mask, false) ||
        op->kind != EMU_KIND_SEND)
        return;
    op->run(t, op, mask);
    if (t->stop == EMU_STOP_NONE)
        (void)tell_beside(t, at, mask, true);
}

static bool at_begin(const struct emu_thread *t)
{
    const struct emu_program *p = t->m->p;

    return !t->inside && t->at == p->blocks.block[p->blocks.block_of[t->at]].first;
}

/* For who runs one instruction at a time: is it the next one's turn? */
static bool may_step(struct emu_thread *t)
{
    const struct emu_program *p = t->m->p;

    if (at_begin(t))
        enter(t, p->blocks.block_of[t->at]);
    if (t->stop != EMU_STOP_NONE)
        return false;
    t->inside = p->op[t->at].kind == EMU_KIND_WAIT && !pass_wait(t);
    if (t->inside)
        t->stop = EMU_STOP_WAIT;
    return !t->inside;
}

static __attribute__((noinline)) void run_beside(struct emu_thread *t)
{
    while (t->stop == EMU_STOP_NONE)
        if (may_step(t))
            step_beside(t);
}

/* One instruction at a time, each looked at by who proves; where that has failed, to
 * the block's end. */
static __attribute__((noinline)) void run_proved(struct emu_thread *t)
{
    const struct emu_alike *proof = t->m->proves;

    while (t->stop == EMU_STOP_NONE && !(proof->failed && at_begin(t))) {
        const struct emu_op *op = &t->m->p->op[t->at];
        uint32_t mask;

        if (!may_step(t))
            break;
        if (!proof->failed)
            emu_alike_step(t, op);
        mask = emu_thread_step(t);
        if (op->kind == EMU_KIND_SEND && t->stop == EMU_STOP_NONE)
            op->run(t, op, mask);
        if (t->m->log != NULL)
            emu_log_look(t);
    }
    if (t->m->log != NULL)
        emu_log_tell(t);
}

static bool is_proved(const struct emu_machine *m)
{
    return m->proves != NULL && !m->proves->failed;
}

/* Translated, with nobody beside, and no limit. */
static bool runs_freely(const struct emu_machine *m)
{
    return m->beside == NULL && m->translated != NULL && !is_proved(m) &&
           m->launch->max_instructions == 0;
}

/* The same, and nobody is told of what threads run. */
static bool is_unobserved(const struct emu_machine *m)
{
    return runs_freely(m) && m->log == NULL && m->launch->hooks.block == NULL;
}

bool emu_begins_translated(const struct emu_machine *m)
{
    return runs_freely(m) && (m->log != NULL || m->launch->hooks.block == NULL);
}

void emu_run_translated(struct emu_thread *t)
{
    jit_run_fn *translated = t->m->translated;

    do {
        if (!t->inside && t->counts.instructions >= t->turn_end) {
            t->stop = EMU_STOP_TURN;
            return;
        }
        t->inside = false;
        if (translated(t, t->turn_end, NULL) == JIT_LEFT)
            interpret(t);
    } while (t->stop == EMU_STOP_NONE);
}

/* What is longer than a short thread stays out of emu_thread_run(). */
static __attribute__((noinline)) void run_observed(struct emu_thread *t)
{
    jit_run_fn *translated = t->m->translated;
    uint64_t bound = bound_of(t);
    bool tells = t->m->log != NULL;

    while (t->stop == EMU_STOP_NONE) {
        if (!t->inside)
            enter(t, t->m->p->blocks.block_of[t->at]);
        if (t->stop != EMU_STOP_NONE)
            break;
        t->inside = false;
        if (translated == NULL ||
            translated(t, tells ? emu_log_bound(t, bound) : bound, NULL) == JIT_LEFT)
            interpret(t);
        if (tells)
            emu_log_look(t);
    }
    if (tells)
        emu_log_tell(t);
}

void emu_thread_run(struct emu_thread *t)
{
    if (is_proved(t->m))
        run_proved(t); /* and goes on below, where it stopped for nothing else */
    if (t->m->beside != NULL)
        run_beside(t);
    else if (is_unobserved(t->m))
        emu_run_translated(t);
    else
        run_observed(t);
}

void emu_go_on(struct emu_thread *t, uint8_t how)
{
    bool tells = t->m->log != NULL;

    if (how == JIT_LEFT)
        interpret(t);
    if (tells)
        emu_log_look(t);
    if (t->stop == EMU_STOP_NONE)
        emu_thread_run(t);
    else if (tells)
        emu_log_tell(t);
}

void emu_thread_steps(struct emu_thread *t, uint32_t count)
{
    const struct emu_program *p = t->m->p;

    while (count > 0 && t->stop == EMU_STOP_NONE) {
        const struct isa_block *b = &p->blocks.block[p->blocks.block_of[t->at]];
        uint32_t left = b->first + b->count - t->at, n = count < left ? count : left;
        uint32_t first = t->at, at = first;

        if (run_block(t, first + n, &at) == STEP_LEFT)
            at++; /* it ran, too, and has failed */
        t->counts.instructions += at - first;
        count -= n;
        if (t->stop == EMU_STOP_NONE)
            fall_through(t, at);
    }
}

uint32_t emu_thread_step(struct emu_thread *t)
{
    const struct emu_op *op = &t->m->p->op[t->at];
    uint32_t mask = enabled(t, op), at = t->at;
    struct tally sum = {0, 0};
    enum step did = STEP_NEXT;

    if (op->kind == EMU_KIND_BRANCH || op->kind == EMU_KIND_EOT) {
        did = thread_step(t, op, &sum);
    } else {
        count_lanes(&sum, op, mask);
        if (op->kind == EMU_KIND_ALU && mask != 0)
            op->run(t, op, mask);
    }
    t->counts.instructions++;
    t->counts.lane_instructions += sum.lanes;
    t->counts.flops += sum.flops;
    if (did == STEP_NEXT && t->stop == EMU_STOP_NONE)
        fall_through(t, at + 1);
    return mask;
}
