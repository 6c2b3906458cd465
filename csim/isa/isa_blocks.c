/* isa_blocks.c - basic blocks and their static successors. */
#include "igpu/isa.h"

#include <inttypes.h>
#include <stdlib.h>

static bool falls_through_only(const struct isa_inst *inst)
{
    return inst->op == ISA_OP_ENDIF || inst->op == ISA_OP_JOIN;
}

static bool ends_block(const struct isa_inst *inst)
{
    if (inst->eot || inst->dst.file == ISA_FILE_IP)
        return true;
    return isa_opcode_class((enum isa_opcode)inst->op) == ISA_CLASS_BRANCH &&
           !falls_through_only(inst);
}

/* Can the thread go on to the next instruction in text? */
static bool may_fall_through(const struct isa_inst *inst)
{
    switch (inst->op) {
    case ISA_OP_CALL:
    case ISA_OP_CALLA:
    case ISA_OP_RET:
        return inst->pred != ISA_PRED_NONE;
    case ISA_OP_JMPI:
        return inst->pred != ISA_PRED_NONE;
    default:
        return !inst->eot;
    }
}

static bool is_dynamic(const struct isa_inst *inst)
{
    bool has_target = inst->op == ISA_OP_JMPI || inst->op == ISA_OP_CALL ||
                      inst->op == ISA_OP_CALLA || inst->op == ISA_OP_BRD ||
                      inst->op == ISA_OP_BRC;

    return inst->op == ISA_OP_RET || inst->dst.file == ISA_FILE_IP ||
           (has_target && inst->jip == ISA_NO_TARGET);
}

/* Mark the leader at target. */
static enum igpu_status mark(const struct isa_kernel_code *code, uint32_t *leader,
                             const struct isa_inst *inst, int32_t target,
                             struct igpu_err *err)
{
    int32_t at;

    if (target == ISA_NO_TARGET)
        return IGPU_OK;
    at = target < 0 ? -1 : isa_find(code, (uint32_t)target);
    if (at < 0)
        return igpu_fail(err, IGPU_BAD_INPUT,
                         "branch at 0x%" PRIX32 " (%s) goes to %" PRId32
                         ", which is not an instruction of the kernel",
                         inst->pc, isa_opcode_name((enum isa_opcode)inst->op), target);
    leader[at] = 1;
    return IGPU_OK;
}

/* leader[i] = 1 where a block starts. */
static enum igpu_status find_leaders(const struct isa_kernel_code *code,
                                     uint32_t *leader, struct igpu_err *err)
{
    leader[0] = 1;
    for (uint32_t i = 0; i < code->count; i++) {
        const struct isa_inst *inst = &code->inst[i];
        enum igpu_status status = mark(code, leader, inst, inst->jip, err);

        if (status == IGPU_OK)
            status = mark(code, leader, inst, inst->uip, err);
        if (status != IGPU_OK)
            return status;
        if (ends_block(inst) && i + 1 < code->count)
            leader[i + 1] = 1;
    }
    return IGPU_OK;
}

/* Turn the leader flags into block numbers, in place. Returns how many. */
static uint32_t number_blocks(uint32_t *block_of, uint32_t count)
{
    uint32_t blocks = 0;

    for (uint32_t i = 0; i < count; i++) {
        blocks += block_of[i];
        block_of[i] = blocks - 1;
    }
    return blocks;
}

static void add_successor(struct isa_block *block, uint32_t to)
{
    for (uint32_t i = 0; i < block->nsucc; i++)
        if (block->succ[i] == to)
            return;
    block->succ[block->nsucc++] = to;
}

static void add_target(const struct isa_kernel_code *code,
                       const struct isa_block_list *list, struct isa_block *block,
                       int32_t target)
{
    if (target != ISA_NO_TARGET)
        add_successor(block, list->block_of[isa_find(code, (uint32_t)target)]);
}

/* Successors of a block from its last instruction. `if` never goes to its UIP: lanes
 * that fail wait at JIP. */
static void close_block(const struct isa_kernel_code *code,
                        const struct isa_block_list *list, struct isa_block *block)
{
    uint32_t last = block->first + block->count - 1;
    const struct isa_inst *inst = &code->inst[last];

    block->ends_thread = inst->eot;
    block->is_call = inst->op == ISA_OP_CALL || inst->op == ISA_OP_CALLA;
    block->is_dynamic = is_dynamic(inst);
    if (may_fall_through(inst) && last + 1 < code->count)
        add_successor(block, list->block_of[last + 1]);
    if (!ends_block(inst) || inst->eot)
        return;
    add_target(code, list, block, inst->jip);
    if (inst->op != ISA_OP_IF)
        add_target(code, list, block, inst->uip);
}

static void fill_blocks(const struct isa_kernel_code *code, struct isa_block_list *list)
{
    for (uint32_t i = 0; i < code->count; i++) {
        struct isa_block *block = &list->block[list->block_of[i]];

        if (block->count++ == 0)
            block->first = i;
    }
    for (uint32_t i = 0; i < list->count; i++)
        close_block(code, list, &list->block[i]);
}

enum igpu_status isa_blocks(const struct isa_kernel_code *code,
                            struct isa_block_list *list, struct igpu_err *err)
{
    enum igpu_status status;

    *list = (struct isa_block_list){0};
    if (code->count == 0)
        return igpu_fail(err, IGPU_BAD_INPUT, "the kernel has no instructions");
    list->block_of = calloc(code->count, sizeof(*list->block_of));
    if (list->block_of == NULL)
        return igpu_no_memory(err, "%" PRIu32 " blocks", code->count);
    status = find_leaders(code, list->block_of, err);
    if (status != IGPU_OK) {
        isa_blocks_free(list);
        return status;
    }
    list->count = number_blocks(list->block_of, code->count);
    list->block = calloc(list->count, sizeof(*list->block));
    if (list->block == NULL) {
        isa_blocks_free(list);
        return igpu_no_memory(err, "%" PRIu32 " instructions", code->count);
    }
    fill_blocks(code, list);
    return IGPU_OK;
}

void isa_blocks_free(struct isa_block_list *list)
{
    free(list->block);
    free(list->block_of);
    *list = (struct isa_block_list){0};
}
