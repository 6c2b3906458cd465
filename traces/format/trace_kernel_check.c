/* trace_kernel_check.c - what a kernel must be so that it can be stored, read back and
 * timed: the writer and the reader refuse the same, and an engine finds nothing more to
 * refuse. See trace_code.h. */
#include <string.h>

#include "igpu/uop.h"
#include "traces/format/trace_code.h"

enum {
    MAX_SLM_BYTES = TRACE_MAX_SLM_BYTES,
    MAX_PC = INT32_MAX / 2,
    SIZE_COMPACTED = 8,
    SIZE_FULL = 16,
    LANE_BYTES_MAX = 256, /* igpu/mem.h: struct mem_msg */
    COMPONENTS = 0xf
};
_Static_assert((int)TRACE_MAX_INSTS <= (int)UOP_MAX_KERNEL, "an engine holds a kernel");

/* ---- instructions ------------------------------------------------------- */

static bool operand_fits(const struct isa_operand *o)
{
    return o->file < ISA_FILE_COUNT && o->type < ISA_TYPE_COUNT &&
           o->mod <= ISA_MOD_NEGABS && o->mme >= ISA_MME_NONE &&
           o->mme <= ISA_MME_NOMME;
}

static bool fields_fit(const struct isa_inst *in)
{
    const struct isa_message *m = &in->msg;

    for (uint32_t s = 0; s < in->nsrc && s < ISA_MAX_SRC; s++)
        if (!operand_fits(&in->src[s]))
            return false;
    return in->op < ISA_OP_COUNT && in->nsrc <= ISA_MAX_SRC && operand_fits(&in->dst) &&
           in->math < ISA_MATH_COUNT && in->exec_size <= ISA_MAX_SIMD &&
           in->chan_offset < ISA_MAX_SIMD && in->pred < ISA_PRED_COUNT &&
           in->cmod < ISA_CMOD_COUNT && in->flag >= -1 && in->flag <= 3 &&
           (in->flag < 0 || in->exec_size > 0) && in->jip >= ISA_NO_TARGET &&
           in->uip >= ISA_NO_TARGET &&
           in->size == (in->compacted ? SIZE_COMPACTED : SIZE_FULL) &&
           m->family < ISA_MSG_FAMILY_COUNT && m->addr_model < ISA_ADDR_COUNT &&
           m->atomic_op <= ISA_ATOMIC_NONE;
}

static bool accesses_memory(const struct isa_message *m)
{
    return m->is_read || m->is_write;
}

/* What one lane of a message to memory moves. */
static bool moves_fit(const struct isa_message *m)
{
    if (m->family == ISA_MSG_UNTYPED_READ || m->family == ISA_MSG_UNTYPED_WRITE)
        return m->comp_mask <= COMPONENTS;
    return m->block_bytes <= LANE_BYTES_MAX &&
           m->elements * m->element_bytes <= LANE_BYTES_MAX;
}

static const char *message_fault(const struct isa_inst *in)
{
    const struct isa_message *m = &in->msg;
    bool memory = (m->family >= ISA_MSG_UNTYPED_READ && m->family <= ISA_MSG_SAMPLER) ||
                  (m->family >= ISA_MSG_PAYLOAD && m->family <= ISA_MSG_TARGET);

    if (m->family != ISA_MSG_NONE &&
        isa_opcode_class((enum isa_opcode)in->op) != ISA_CLASS_SEND)
        return "an instruction that is no send has a message";
    if (accesses_memory(m) != memory)
        return "a message's family and its read and write flags contradict each other";
    if (in->eot != (m->family == ISA_MSG_EOT))
        return "an end of thread (EOT) that is no message to the thread spawner, or "
               "such a message without it";
    return moves_fit(m) ? NULL : "a message moves more bytes a lane than Gen9 can";
}

static const char *code_fault(const struct isa_kernel_code *code, uint32_t *at)
{
    uint32_t pc = 0;

    for (*at = 0; *at < code->count; ++*at) {
        const struct isa_inst *in = &code->inst[*at];
        const char *what;

        if (!fields_fit(in))
            return "an instruction has a field out of range";
        if (in->pc < pc || in->pc > MAX_PC)
            return "an instruction's pc is not behind the one before it";
        what = message_fault(in);
        if (what)
            return what;
        pc = in->pc + in->size;
    }
    return NULL;
}

/* ---- blocks ------------------------------------------------------------- */

/* A block ends the thread when its last instruction does; no other instruction may,
 * since a thread would then end before its path. */
static const char *end_fault(const struct isa_kernel_code *code,
                             const struct isa_block *b, bool *ends, uint32_t *at)
{
    for (*at = b->first; *at < b->first + b->count; ++*at) {
        bool last = *at == b->first + b->count - 1;

        if (code->inst[*at].eot != (last && b->ends_thread))
            return "its blocks and its ends of thread (EOT) do not match";
    }
    *ends |= b->ends_thread;
    return NULL;
}

static const char *blocks_fault(const struct isa_kernel_code *code,
                                const struct isa_block_list *blocks, uint32_t *at)
{
    uint32_t next = 0;
    bool ends = false;

    *at = 0;
    if (blocks->count == 0 || blocks->count > code->count)
        return "its number of blocks is not valid";
    for (uint32_t b = 0; b < blocks->count; b++) {
        const struct isa_block *block = &blocks->block[b];
        const char *what;

        if (block->first != next || block->count == 0 ||
            block->count > code->count - next || block->nsucc > ISA_MAX_SUCC)
            return "its blocks do not cover its instructions";
        for (uint32_t s = 0; s < block->nsucc; s++)
            if (block->succ[s] >= blocks->count)
                return "a block's successor does not exist";
        what = end_fault(code, block, &ends, at);
        if (what)
            return what;
        next += block->count;
    }
    if (next != code->count)
        return "its blocks do not cover its instructions";
    return ends ? NULL : "no instruction ends the thread (EOT)";
}

/* ---- kernel ------------------------------------------------------------- */

static bool too_long(const char *s)
{
    return s && strlen(s) > TRACE_MAX_TEXT;
}

/* Threads of a group with a barrier must be in one subslice, so it must be known; those
 * of graphics are groups of their own. */
static const char *barrier_fault(const struct trace_kernel *kernel, uint32_t *at)
{
    for (*at = 0; *at < kernel->code.count; ++*at)
        if (kernel->code.inst[*at].msg.family == ISA_MSG_BARRIER && !kernel->barriers &&
            !kernel->graphics)
            return "a barrier in a kernel that is said to have none";
    return NULL;
}

/* Messages to fixed functions are those of graphics alone. */
static const char *stage_fault(const struct trace_kernel *kernel, uint32_t *at)
{
    for (*at = 0; *at < kernel->code.count; ++*at)
        if (kernel->code.inst[*at].msg.family >= ISA_MSG_PAYLOAD && !kernel->graphics)
            return "a message of graphics in a kernel of another kind";
    return NULL;
}

const char *trace_kernel_fault(const struct trace_kernel *kernel, uint32_t *inst)
{
    const char *what;

    *inst = 0;
    if (too_long(kernel->name) || too_long(kernel->build_options))
        return "a string is too long";
    if (kernel->simd == 0 || kernel->simd > TRACE_MAX_LANES)
        return "its SIMD width is not 1 to 32";
    if (kernel->slm_bytes > MAX_SLM_BYTES)
        return "its SLM size is not valid";
    if (kernel->code.count == 0 || kernel->code.count > TRACE_MAX_INSTS)
        return "its number of instructions is not valid";
    what = code_fault(&kernel->code, inst);
    if (!what)
        what = stage_fault(kernel, inst);
    if (!what)
        what = barrier_fault(kernel, inst);
    return what ? what : blocks_fault(&kernel->code, &kernel->blocks, inst);
}

bool trace_has_access(const struct isa_inst *inst)
{
    return accesses_memory(&inst->msg);
}
