/* jit_flow.c - the function: blocks, their ends, and where lanes go on. Lanes run by
 * lowest pc first, as emu_branch.c and emu_flow.c have it. */
#include "jit_int.h"

#include "igpu/bits.h"

#include <string.h>

static uint32_t all_lanes(const struct jit_gen *g)
{
    return igpu_low_bits(g->k->simd);
}

static LLVMValueRef is_zero(struct jit_gen *g, LLVMValueRef v)
{
    return LLVMBuildICmp(g->b, LLVMIntEQ, v, LLVMConstNull(LLVMTypeOf(v)), "");
}

/* ---- branches ---------------------------------------------------------------------
 */

/* Active lanes that go to the target; their index in *target. False: the emulator
 * decides. */
static bool leaving(struct jit_gen *g, const struct jit_inst *in, LLVMValueRef *there,
                    uint32_t *target)
{
    uint32_t window = in->full << in->inst->chan_offset;
    LLVMValueRef bits = jit_u32(g, window), lanes;
    bool has_pred = in->inst->pred != ISA_PRED_NONE;

    *target = in->jip;
    if (has_pred)
        bits = LLVMBuildShl(g->b, jit_predicate(g, in),
                            jit_u32(g, in->inst->chan_offset), "");
    lanes = LLVMBuildAnd(g->b, g->active, bits, "");
    *there = lanes;
    switch (in->inst->op) {
    case ISA_OP_IF:
        *there = LLVMBuildAnd(g->b, g->active, LLVMBuildNot(g->b, bits, ""), "");
        return true;
    case ISA_OP_ELSE:
        *there = g->active;
        return true;
    case ISA_OP_WHILE:
        return true;
    case ISA_OP_BREAK:
    case ISA_OP_CONT:
    case ISA_OP_HALT:
        *target = in->uip;
        return true;
    case ISA_OP_GOTO:
        *target = in->uip;
        if (!in->inst->branch_ctrl)
            *there = LLVMBuildAnd(g->b,
                                  LLVMBuildAnd(g->b, g->active, jit_u32(g, window), ""),
                                  LLVMBuildNot(g->b, bits, ""), "");
        return true;
    case ISA_OP_JMPI:
        *there = g->active;
        if (has_pred) {
            LLVMValueRef first =
                LLVMBuildAnd(g->b, jit_predicate(g, in), jit_u32(g, 1), "");

            *there =
                LLVMBuildSelect(g->b, is_zero(g, first), jit_u32(g, 0), g->active, "");
        }
        return in->inst->jip != ISA_NO_TARGET;
    default:
        return false;
    }
}

static void ask_branch(struct jit_gen *g, const struct jit_inst *in)
{
    LLVMValueRef args[] = {g->thread, jit_op(g, in)}, stop;

    jit_end(g);
    (void)jit_call(g, JIT_CALL_BRANCH, LLVMVoidTypeInContext(g->context), args, 2);
    stop = jit_load(g, g->thread, g->k->layout.stop, g->i8);
    stop = LLVMBuildICmp(g->b, LLVMIntEQ, stop,
                         LLVMConstInt(g->i8, g->k->layout.stop_none, 0), "");
    jit_branch_if(g, stop, g->dispatch, g->again);
}

/* ---- what the emulator runs ----------------------------------------------------- */

/* How often, where somebody asked. */
static void note(struct jit_gen *g, uint32_t index)
{
    LLVMValueRef p, n;

    if (g->k->left == NULL)
        return;
    p = jit_pointer(g, &g->k->left[index]);
    n = jit_load(g, p, 0, g->i64);
    jit_store(g, p, 0, LLVMBuildAdd(g->b, n, jit_u64(g, 1), ""));
}

/* Its function for the instruction, of these lanes. */
static void call_emulator(struct jit_gen *g, const struct jit_inst *in, uint32_t index,
                          LLVMValueRef mask)
{
    LLVMValueRef args[] = {g->thread, jit_op(g, in), mask};

    note(g, index);
    (void)jit_call(g, JIT_CALL_INST + 2 * index + 1, LLVMVoidTypeInContext(g->context),
                   args, 3);
}

/* i1: nothing stopped the thread. */
static LLVMValueRef goes_on(struct jit_gen *g)
{
    LLVMValueRef stop = jit_load(g, g->thread, g->k->layout.stop, g->i8);

    return LLVMBuildICmp(g->b, LLVMIntEQ, stop,
                         LLVMConstInt(g->i8, g->k->layout.stop_none, 0), "");
}

static void by_emulator(struct jit_gen *g, const struct jit_inst *in, uint32_t index)
{
    LLVMBasicBlockRef run = jit_block(g, "run"), ran = jit_block(g, "ran");
    LLVMBasicBlockRef on = jit_block(g, "on");
    LLVMValueRef mask = jit_enabled(g, in);

    jit_count(g, in, mask);
    jit_end(g);
    if (in->kind == JIT_SEND)
        LLVMBuildBr(g->b, run);
    else
        jit_branch_if(g, is_zero(g, mask), ran, run);
    jit_at(g, run);
    call_emulator(g, in, index, mask);
    LLVMBuildBr(g->b, ran);
    jit_at(g, ran);
    jit_branch_if(g, goes_on(g), on, g->again);
    jit_at(g, on);
    jit_forget(g);
    jit_begin(g, index + 1);
}

static void set_mode(struct jit_gen *g, const struct jit_inst *in)
{
    jit_store(g, g->thread, in->at, jit_u32(g, in->value));
    jit_store(g, g->thread, g->k->layout.mode, jit_u32(g, in->mode));
}

/* A word of state, which later segments may look at. */
static void set_state(struct jit_gen *g, const struct jit_inst *in, uint32_t index)
{
    LLVMBasicBlockRef plain, other, on;

    jit_count(g, in, jit_enabled(g, in));
    if (in->sets == JIT_SETS_MODE && !g->is_set && jit_is_first(g, in->at, 0)) {
        set_mode(g, in);
        g->plain = in->mode == g->k->layout.plain_mode;
        g->is_set = true;
        return;
    }
    jit_end(g);
    if (in->sets == JIT_SETS_MODE) {
        plain = jit_block(g, "plain");
        other = jit_block(g, "other");
        on = jit_block(g, "on");
        jit_branch_if(g, is_zero(g, jit_load(g, g->thread, in->at, g->i32)), plain,
                      other);
        jit_at(g, other);
        call_emulator(g, in, index, jit_enabled(g, in));
        LLVMBuildBr(g->b, on);
        jit_at(g, plain);
        set_mode(g, in);
        LLVMBuildBr(g->b, on);
        jit_at(g, on);
    } else {
        jit_store(g, g->thread, in->at, jit_u32(g, in->value));
    }
    g->plain = false;
    jit_begin(g, index + 1);
}

static void leave_at(struct jit_gen *g, uint32_t index)
{
    jit_end(g);
    jit_begin(g, index);
    LLVMBuildBr(g->b, g->bail);
}

/* The thread's end, if all its lanes are here, behind a shader's last message. */
static void end(struct jit_gen *g, const struct jit_inst *in, uint32_t index)
{
    const struct jit_layout *l = &g->k->layout;
    LLVMValueRef some = NULL, mask;
    LLVMBasicBlockRef over = jit_block(g, "over");

    if (!g->begins)
        some = jit_load(g, g->thread, l->depth, g->i32);
    jit_end(g);
    jit_begin(g, index);
    if (!g->full) {
        LLVMValueRef live = jit_load(g, g->thread, l->live, g->i32);

        some = LLVMBuildOr(g->b, some, LLVMBuildXor(g->b, live, g->active, ""), "");
    }
    if (some != NULL)
        jit_bail_if(g, LLVMBuildNot(g->b, is_zero(g, some), ""));
    mask = jit_enabled(g, in);
    jit_count(g, in, mask);
    jit_end(g);
    if (in->last) {
        call_emulator(g, in, index, mask);
        jit_branch_if(g, goes_on(g), over, g->again);
        jit_at(g, over);
    } else {
        LLVMDeleteBasicBlock(over);
    }
    jit_store(g, g->thread, l->at, jit_u32(g, index));
    jit_store(g, g->thread, l->stop, LLVMConstInt(g->i8, l->stop_eot, 0));
    LLVMBuildBr(g->b, g->again);
}

/* A barrier: go on if it is complete. The thread comes back to this place. False: what
 * is behind it is there already. */
static bool wait(struct jit_gen *g, const struct jit_inst *in, uint32_t index)
{
    const struct jit_layout *l = &g->k->layout;
    bool is_first = g->enter[g->full][index] != NULL;
    LLVMBasicBlockRef go, stop;
    LLVMValueRef came;

    jit_end(g);
    if (g->begins || !is_first) /* else it is where the block begins */
        LLVMBuildBr(g->b, g->body[g->full][index]);
    if (g->begins)
        return false;
    go = jit_block(g, "go");
    stop = jit_block(g, "stop");
    jit_at(g, g->body[g->full][index]);
    jit_forget(g);
    memset(g->enabled, 0, sizeof(g->enabled));
    if (!g->full)
        g->active = jit_load(g, g->thread, l->active, g->i32);
    came = jit_load(g, g->thread, l->notify, g->i32);
    jit_branch_if(g, is_zero(g, came), stop, go);
    jit_at(g, stop);
    jit_store(g, g->thread, l->at, jit_u32(g, index));
    jit_store(g, g->thread, l->inside, LLVMConstInt(g->i8, 1, 0));
    jit_store(g, g->thread, l->stop, LLVMConstInt(g->i8, l->stop_wait, 0));
    LLVMBuildBr(g->b, g->again);
    jit_at(g, go);
    jit_store(g, g->thread, l->notify, jit_u32(g, 0));
    jit_begin(g, index);
    jit_count(g, in, jit_enabled(g, in));
    jit_end(g);
    jit_begin(g, index + 1);
    return true;
}

/* ---- what is told and counted ---------------------------------------------------- */

static void tell_block(struct jit_gen *g, uint32_t block)
{
    LLVMValueRef to = jit_load(g, g->machine, g->k->layout.m_log, g->ptr);
    LLVMValueRef by = jit_u64(g, 8);

    jit_store(g, to, 0, jit_u64(g, told_head(TOLD_BLOCK, 0, block, 0)));
    to = LLVMBuildGEP2(g->b, g->i8, to, &by, 1, "");
    jit_store(g, g->machine, g->k->layout.m_log, to);
}

static void count_classes(struct jit_gen *g, uint32_t block)
{
    const struct jit_classes *c = &g->k->classes[block];
    LLVMValueRef each[JIT_CLASSES], n;

    for (uint32_t i = 0; i < JIT_CLASSES; i++)
        each[i] = jit_u64(g, c->count[i]);
    n = jit_load(g, g->machine, g->k->layout.m_classes,
                 jit_vector(g->i64, JIT_CLASSES));
    n = LLVMBuildAdd(g->b, n, LLVMConstVector(each, JIT_CLASSES), "");
    jit_store(g, g->machine, g->k->layout.m_classes, n);
}

/* ---- ways on from a branch ------------------------------------------------------- */

/* A block that is entered, where somebody counts or is told. */
static void note_block(struct jit_gen *g, uint32_t block)
{
    if (g->k->tells)
        tell_block(g, block);
    if (g->k->classes != NULL)
        count_classes(g, block);
}

/* i1: it is another thread's turn, or the limit of instructions is reached. */
static LLVMValueRef is_over(struct jit_gen *g)
{
    LLVMValueRef n = jit_load(g, g->thread, g->k->layout.instructions, g->i64);

    return LLVMBuildICmp(g->b, LLVMIntUGE, n, g->bound, "");
}

/* i1: all lanes that wait do so at `index` or behind it (or: behind it). */
static LLVMValueRef waits_behind(struct jit_gen *g, LLVMValueRef waits, uint32_t index,
                                 bool or_there)
{
    return LLVMBuildICmp(g->b, or_there ? LLVMIntUGE : LLVMIntUGT, waits,
                         jit_u32(g, index), "");
}

/* An if whose target is behind one block that is all generated, one segment. */
static bool has_short_body(const struct jit_gen *g, const struct jit_inst *in,
                           uint32_t index, uint32_t target)
{
    enum { MOST = 32 };
    const struct isa_block *b = &g->k->blocks->block[g->k->blocks->block_of[index + 1]];
    bool inside = in->inst->op == ISA_OP_IF && b->first == index + 1 &&
                  b->first + b->count == target && b->count <= MOST;

    for (uint32_t i = index + 1; inside && i < target; i++) {
        const struct jit_inst *each = &g->k->inst[i];

        inside =
            !each->alone && (each->kind == JIT_NOP ||
                             (each->kind == JIT_ALU && each->sets == JIT_SETS_NONE &&
                              jit_is_inline(g, each)));
    }
    return inside;
}

/* Active lanes that go to target, and that stay and go on at next; who else waits. */
struct parted {
    LLVMValueRef there, here, waits;
    uint32_t next, target;
};

/* The segment's begin, where the lanes did not part yet. */
static void begin_masked(struct jit_gen *g, const struct parted *p)
{
    LLVMBasicBlockRef here = LLVMGetInsertBlock(g->b), bail;

    jit_begin(g, p->next);
    bail = jit_block(g, "unmask");
    jit_at(g, bail);
    jit_call_split(g, p->there, p->target, p->here, p->next);
    LLVMBuildBr(g->b, g->bail);
    g->bail = bail;
    jit_at(g, here);
}

/* To the end of the body, where those that went ahead wait, and others may. */
static void end_masked(struct jit_gen *g, const struct parted *p, LLVMValueRef active)
{
    LLVMBasicBlockRef meet, to = g->enter[g->full][p->target];

    jit_end(g);
    if (p->waits == NULL) {
        LLVMBuildBr(g->b, to);
        return;
    }
    meet = jit_block(g, "meet");
    jit_branch_if(g, waits_behind(g, p->waits, p->target, false), to, meet);
    jit_at(g, meet);
    jit_split(g, active, p->target, jit_u32(g, 0), p->target);
}

/* Lanes that part at an if for a short body: it runs under their mask, and nothing is
 * written of where lanes are, unless it is left. */
static void masked_body(struct jit_gen *g, struct parted p, LLVMBasicBlockRef some,
                        LLVMBasicBlockRef part)
{
    LLVMBasicBlockRef body = jit_block(g, "masked");
    LLVMValueRef active = g->active, bad;

    jit_at(g, some);
    bad = is_over(g);
    if (p.waits != NULL)
        bad = LLVMBuildOr(
            g->b, bad, LLVMBuildNot(g->b, waits_behind(g, p.waits, p.target, true), ""),
            "");
    jit_branch_if(g, bad, part, body);
    jit_at(g, body);
    note_block(g, g->k->blocks->block_of[p.next]);
    begin_masked(g, &p);
    g->active = p.here;
    memset(g->enabled, 0, sizeof(g->enabled));
    for (g->at = p.next; g->at < p.target; g->at++) {
        const struct jit_inst *in = &g->k->inst[g->at];

        if (in->kind == JIT_NOP)
            jit_count(g, in, jit_enabled(g, in));
        else
            (void)jit_alu(g, in);
    }
    g->at = p.target - 1;
    end_masked(g, &p, active);
}

/* All active lanes go on at `index`, in a block of its own; they part where others wait
 * there or before. waits NULL: nobody waits. */
static LLVMBasicBlockRef together(struct jit_gen *g, LLVMValueRef waits, uint32_t index,
                                  LLVMBasicBlockRef part)
{
    LLVMBasicBlockRef to = g->enter[g->full][index], look;

    if (waits == NULL)
        return to;
    look = jit_block(g, "look");
    jit_at(g, look);
    jit_branch_if(g, waits_behind(g, waits, index, false), to, part);
    return look;
}

static void branch(struct jit_gen *g, const struct jit_inst *in, uint32_t index)
{
    LLVMValueRef there = NULL, here, waits = NULL;
    uint32_t target = 0, next = index + 1;
    LLVMBasicBlockRef stay, leave, part, some, one, all_leave;

    jit_count(g, in, jit_enabled(g, in));
    if (in->alone || !leaving(g, in, &there, &target) || target >= g->k->count ||
        next >= g->k->count) {
        ask_branch(g, in);
        return;
    }
    jit_end(g);
    here = LLVMBuildAnd(g->b, g->active, LLVMBuildNot(g->b, there, ""), "");
    if (!g->full)
        waits = jit_load(g, g->thread, g->k->layout.next_pc, g->i32);
    one = LLVMGetInsertBlock(g->b);
    all_leave = jit_block(g, "all_leave");
    part = jit_block(g, "part");
    some = part;
    if (has_short_body(g, in, index, target))
        some = jit_block(g, "some");
    stay = together(g, waits, next, part);
    leave = together(g, waits, target, part);
    jit_at(g, one);
    jit_branch_if(g, is_zero(g, there), stay, all_leave);
    jit_at(g, all_leave);
    jit_branch_if(g, is_zero(g, here), leave, some);
    jit_at(g, part);
    jit_split(g, there, target, here, next);
    if (some != part)
        masked_body(g, (struct parted){there, here, waits, next, target}, some, part);
}

/* ---- blocks -------------------------------------------------------------------------
 */

static bool is_alone(const struct jit_gen *g, const struct isa_block *b)
{
    bool alone = false;

    for (uint32_t i = b->first; i < b->first + b->count; i++)
        alone |= g->k->inst[i].alone && g->k->inst[i].kind != JIT_BRANCH;
    return alone;
}

/* One instruction; false: it ended the block. */
static bool generate(struct jit_gen *g, uint32_t index)
{
    const struct jit_inst *in = &g->k->inst[index];

    g->at = index;
    switch (in->kind) {
    case JIT_NOP:
        jit_count(g, in, jit_enabled(g, in));
        return true;
    case JIT_WAIT:
        return wait(g, in, index);
    case JIT_BRANCH:
        branch(g, in, index);
        return false;
    case JIT_END:
        if (in->ends)
            end(g, in, index);
        else
            leave_at(g, index);
        return false;
    default:
        break;
    }
    if (index + 1 >= g->k->count) { /* the thread runs off the end */
        leave_at(g, index);
        return false;
    }
    if (in->kind == JIT_ALU && in->sets != JIT_SETS_NONE)
        set_state(g, in, index);
    else if (in->kind == JIT_ALU && jit_is_inline(g, in))
        (void)jit_alu(g, in);
    else if (in->kind == JIT_SEND && jit_send_is_inline(in))
        jit_send(g, in, index);
    else
        by_emulator(g, in, index);
    return true;
}

/* Into the next block, where lanes may wait. */
static void fall_through(struct jit_gen *g, uint32_t next)
{
    LLVMBasicBlockRef meet, to;
    LLVMValueRef waits;

    jit_end(g);
    if (next >= g->k->count || g->full) { /* past the end no block comes here */
        LLVMBuildBr(g->b, next < g->k->count ? g->enter[g->full][next] : g->again);
        return;
    }
    meet = jit_block(g, "meet");
    to = g->enter[0][next];
    waits = jit_load(g, g->thread, g->k->layout.next_pc, g->i32);
    waits = LLVMBuildICmp(g->b, LLVMIntEQ, waits, jit_u32(g, next), "");
    jit_branch_if(g, waits, meet, to);
    jit_at(g, meet);
    jit_split(g, g->active, next, jit_u32(g, 0), next);
}

/* Is it another thread's turn, or is the limit of instructions reached? */
static void make_enter(struct jit_gen *g, const struct isa_block *b)
{
    LLVMBasicBlockRef over = jit_block(g, "over"), go = jit_block(g, "go");

    jit_at(g, g->enter[g->full][b->first]);
    jit_branch_if(g, is_over(g), over, go);
    jit_at(g, go);
    note_block(g, g->k->blocks->block_of[b->first]);
    LLVMBuildBr(g->b, g->body[g->full][b->first]);
    jit_at(g, over);
    jit_store(g, g->thread, g->k->layout.at, jit_u32(g, b->first));
    LLVMBuildBr(g->b, g->again);
}

/* The builder is where the block goes. */
static void make_body(struct jit_gen *g, const struct isa_block *b)
{
    bool goes_on = true;

    memset(g->enabled, 0, sizeof(g->enabled));
    jit_begin(g, b->first);
    if (is_alone(g, b)) {
        LLVMBuildBr(g->b, g->bail);
        return;
    }
    for (uint32_t i = b->first; goes_on && i < b->first + b->count; i++)
        goes_on = generate(g, i);
    if (goes_on)
        fall_through(g, b->first + b->count);
}

static void make_block(struct jit_gen *g, const struct isa_block *b, bool full)
{
    g->full = full;
    make_enter(g, b);
    jit_at(g, g->body[full][b->first]);
    g->active = full ? jit_u32(g, all_lanes(g))
                     : jit_load(g, g->thread, g->k->layout.active, g->i32);
    jit_forget(g);
    make_body(g, b);
}

/* The first block once more, of threads that begin. */
static void make_start(struct jit_gen *g)
{
    g->full = true;
    g->active = jit_u32(g, all_lanes(g));
    jit_forget(g);
    if (jit_start(g))
        make_body(g, &g->k->blocks->block[0]);
    else
        LLVMBuildRet(g->b, LLVMConstInt(g->i8, JIT_UNBEGUN, 0));
    g->begins = g->fresh = g->uncounted = g->is_set = false;
}

/* ---- the function --------------------------------------------------------------- */

static bool has_entry(const struct jit_gen *g, uint32_t index, bool *first)
{
    const struct isa_block_list *l = g->k->blocks;
    const struct isa_block *b = &l->block[l->block_of[index]];

    *first = b->first == index;
    return *first || (g->k->inst[index].kind == JIT_WAIT && !is_alone(g, b));
}

static void make_places(struct jit_gen *g)
{
    for (uint32_t full = 0; full < 2; full++)
        for (uint32_t i = 0; i < g->k->count; i++) {
            bool first;

            if (!has_entry(g, i, &first))
                continue;
            g->body[full][i] = jit_block(g, "body");
            if (first)
                g->enter[full][i] = jit_block(g, "enter");
        }
}

/* To the place t->at: into a block as `to` has them. */
static void switch_to(struct jit_gen *g, LLVMBasicBlockRef **to,
                      LLVMBasicBlockRef otherwise)
{
    LLVMBasicBlockRef way[2] = {jit_block(g, "some_on"), jit_block(g, "all_on")};
    LLVMValueRef at = jit_load(g, g->thread, g->k->layout.at, g->i32);
    LLVMValueRef active = jit_load(g, g->thread, g->k->layout.active, g->i32);

    active = LLVMBuildICmp(g->b, LLVMIntEQ, active, jit_u32(g, all_lanes(g)), "");
    jit_branch_if(g, active, way[1], way[0]);
    for (uint32_t full = 0; full < 2; full++) {
        LLVMValueRef which;

        jit_at(g, way[full]);
        which = LLVMBuildSwitch(g->b, at, otherwise, g->k->blocks->count);
        for (uint32_t i = 0; i < g->k->count; i++)
            if (to[full][i] != NULL)
                LLVMAddCase(which, jit_u32(g, i), to[full][i]);
    }
}

static void make_ends(struct jit_gen *g)
{
    jit_at(g, g->again);
    LLVMBuildRet(g->b, LLVMConstInt(g->i8, JIT_RAN, 0));
    jit_at(g, g->leave);
    LLVMBuildRet(g->b, LLVMConstInt(g->i8, JIT_LEFT, 0));
}

void jit_function(struct jit_gen *g)
{
    LLVMTypeRef args[] = {g->ptr, g->i64, g->ptr};
    LLVMBasicBlockRef entry, start, on;

    jit_make_split(g);
    jit_find_later(g);
    g->function =
        LLVMAddFunction(g->module, "run", LLVMFunctionType(g->i8, args, 3, 0));
    g->thread = LLVMGetParam(g->function, 0);
    g->bound = LLVMGetParam(g->function, 1);
    g->start = LLVMGetParam(g->function, 2);
    entry = jit_block(g, "entry");
    start = jit_block(g, "start");
    on = jit_block(g, "on");
    g->dispatch = jit_block(g, "dispatch");
    g->again = jit_block(g, "again");
    g->leave = jit_block(g, "leave");
    make_places(g);
    make_ends(g);
    jit_at(g, entry);
    g->asked =
        LLVMBuildArrayAlloca(g->b, g->i8, jit_u32(g, sizeof(struct jit_asked)), "");
    LLVMSetAlignment(g->asked, sizeof(uint64_t));
    g->machine = jit_load(g, g->thread, g->k->layout.machine, g->ptr);
    g->places = jit_load(g, g->machine, g->k->layout.m_places, g->ptr);
    jit_branch_if(g, LLVMBuildIsNull(g->b, g->start, ""), on, start);
    jit_at(g, on);
    switch_to(g, g->body, g->leave);
    jit_at(g, start);
    make_start(g);
    jit_at(g, g->dispatch);
    switch_to(g, g->enter, g->again);
    for (uint32_t i = 0; i < g->k->blocks->count; i++)
        for (uint32_t full = 0; full < 2; full++)
            make_block(g, &g->k->blocks->block[i], full == 1);
}
