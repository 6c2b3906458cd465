/* gtpin_code.c - a kernel's code and blocks out of executed instructions, see
 * gtpin.h. Only what was executed is known, so blocks are the longest runs that were
 * always executed together. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "igpu/grow.h"
#include "traces/convert/gtpin.h"

enum { EOT_BYTES = 16, OFFSET_UNIT = 8 };
enum { MAX_OFFSET = OFFSET_UNIT * 2 * GTPIN_MAX_INST };

/* ---- while reading ------------------------------------------------------ */

static enum igpu_status reserve(struct gtpin_code *c, uint32_t count,
                                struct igpu_err *err)
{
    return IGPU_RESERVE_ZERO(c->at, c->capacity, count)
               ? IGPU_OK
               : igpu_no_memory(err, "%" PRIu32 " instructions", count);
}

/* ---- numbers ------------------------------------------------------------- */

/* The offset that the dump gives, in units; -1: none. */
static int64_t offset_of(const struct gtpin_inst *in)
{
    int64_t offset = in->have[GTPIN_INS_OFFSET] ? in->value[GTPIN_INS_OFFSET] : -1;

    return offset < 0 ? -1 : offset / OFFSET_UNIT;
}

enum igpu_status gtpin_code_number(const struct gtpin_code *c,
                                   const struct gtpin_reader *r, int64_t before,
                                   uint32_t *id, struct igpu_err *err)
{
    int64_t n = r->id, at = offset_of(&r->inst);

    if (n == GTPIN_NO_ID && at >= 0 && at < c->offsets && c->id_at[at] > 0)
        n = (int64_t)c->id_at[at] - 1;
    if (n == GTPIN_NO_ID)
        n = before + 1;
    if (n >= GTPIN_MAX_INST)
        return igpu_fail(err, IGPU_BAD_INPUT,
                         "%s: line %" PRIu64 ": instruction number %" PRId64
                         "; at most %d are expected in a kernel",
                         r->path, r->inst_line, n, GTPIN_MAX_INST - 1);
    *id = (uint32_t)n;
    return IGPU_OK;
}

/* Remember which instruction is at an offset. */
static enum igpu_status note_offset(struct gtpin_code *c, const struct gtpin_reader *r,
                                    uint32_t id, struct igpu_err *err)
{
    int64_t at = offset_of(&r->inst);

    if (at < 0)
        return IGPU_OK;
    if (r->inst.value[GTPIN_INS_OFFSET] % OFFSET_UNIT != 0 || at >= 2 * GTPIN_MAX_INST)
        return igpu_fail(err, IGPU_BAD_INPUT,
                         "%s: line %" PRIu64 ": ins_offset %" PRId64
                         "; expected a multiple of %d below %d",
                         r->path, r->inst_line, r->inst.value[GTPIN_INS_OFFSET],
                         OFFSET_UNIT, MAX_OFFSET);
    if (!IGPU_RESERVE_ZERO(c->id_at, c->offsets, (size_t)at + 1))
        return igpu_no_memory(err, "%" PRId64 " offsets", at + 1);
    if (c->id_at[at] > 0 && c->id_at[at] != id + 1)
        return igpu_fail(err, IGPU_BAD_INPUT,
                         "%s: line %" PRIu64 ": instruction %" PRIu32
                         " of kernel %.64s is at the offset of instruction %" PRIu32
                         "; expected dumps of one program",
                         r->path, r->inst_line, id, c->name, c->id_at[at] - 1);
    c->id_at[at] = id + 1;
    return IGPU_OK;
}

static void add_next(struct gtpin_static *s, uint32_t id)
{
    for (unsigned i = 0; i < s->nnext; i++)
        if (s->next[i] == id)
            return;
    if (s->nnext == GTPIN_NEXT) {
        s->many = true;
        return;
    }
    s->next[s->nnext++] = id;
}

/* Add to *to the fields that only *from has. */
static void merge(struct gtpin_inst *to, const struct gtpin_inst *from)
{
    for (int f = 0; f < GTPIN_FIELD_COUNT; f++)
        if (from->have[f] && !to->have[f]) {
            to->have[f] = true;
            to->value[f] = from->value[f];
        }
    for (unsigned k = 0; k < 4; k++)
        if (to->grfs[k] == 0) {
            to->grfs[k] = from->grfs[k];
            to->first[k] = from->first[k];
        }
}

static bool differs(const struct gtpin_inst *a, const struct gtpin_inst *b,
                    enum gtpin_field f)
{
    return a->have[f] && b->have[f] && a->value[f] != b->value[f];
}

enum igpu_status gtpin_code_add(struct gtpin_code *c, const struct gtpin_reader *r,
                                uint32_t id, int64_t before, struct igpu_err *err)
{
    enum igpu_status status = reserve(c, id + 1, err);
    struct gtpin_static *s;

    if (status != IGPU_OK)
        return status;
    if (id >= c->count)
        c->count = id + 1;
    s = &c->at[id];
    if (differs(&s->inst, &r->inst, GTPIN_OPCODE) ||
        differs(&s->inst, &r->inst, GTPIN_INS_OFFSET))
        return igpu_fail(err, IGPU_BAD_INPUT,
                         "%s: line %" PRIu64 ": instruction %" PRIu32
                         " of kernel %.64s has another opcode or offset than before; "
                         "expected dumps of one program",
                         r->path, r->inst_line, id, c->name);
    status = note_offset(c, r, id, err);
    if (status != IGPU_OK)
        return status;
    if (!s->path) {
        s->path = r->path;
        s->line = r->inst_line;
    }
    merge(&s->inst, &r->inst);
    if (before == GTPIN_NO_ID)
        s->leader = true;
    else
        add_next(&c->at[before], id);
    return IGPU_OK;
}

void gtpin_code_end(struct gtpin_code *c, uint32_t id)
{
    add_next(&c->at[id], GTPIN_MAX_INST);
}

/* ---- when all is known -------------------------------------------------- */

static enum igpu_status bad_inst(const struct gtpin_code *c, uint32_t id,
                                 const char *what, struct igpu_err *err)
{
    return igpu_fail(err, IGPU_BAD_INPUT,
                     "%s: line %" PRIu64 ": kernel %.64s, instruction %" PRIu32 ": %s",
                     c->at[id].path, c->at[id].line, c->name, id, what);
}

/* Offset of instruction `id`: given, or behind the one before it. */
static enum igpu_status block_place(const struct gtpin_code *c, uint32_t id,
                                    uint32_t previous, uint32_t end, uint32_t *pc,
                                    struct igpu_err *err)
{
    const struct gtpin_inst *in = &c->at[id].inst;
    int64_t offset = 0;

    if (in->have[GTPIN_INS_OFFSET])
        offset = in->value[GTPIN_INS_OFFSET];
    else if (id > 0 && previous + 1 == id)
        offset = end;
    else if (id > 0)
        offset = -1;
    if (offset < end || offset >= MAX_OFFSET) {
        char what[64];

        snprintf(what, sizeof(what),
                 "no usable ins_offset (at least 0x%" PRIx32 " is expected)", end);
        return bad_inst(c, id, what, err);
    }
    *pc = (uint32_t)offset;
    return IGPU_OK;
}

static enum igpu_status make_insts(struct gtpin_code *c, struct igpu_err *err)
{
    uint32_t previous = 0, end = 0;

    for (uint32_t id = 0; id < c->count; id++) {
        struct isa_inst *out = &c->code.inst[c->code.count];
        const char *reason;
        bool guessed = false;
        uint32_t pc = 0;
        enum igpu_status status;

        if (!c->at[id].path)
            continue;
        status = block_place(c, id, previous, end, &pc, err);
        if (status != IGPU_OK)
            return status;
        if (!gtpin_to_isa(&c->at[id].inst, pc, out, &guessed, &reason))
            return bad_inst(c, id, reason, err);
        c->guessed += guessed;
        c->index_of[id] = c->code.count++;
        previous = id;
        end = pc + out->size;
    }
    c->code.text_bytes = end;
    return IGPU_OK;
}

/* Work-items of a full thread: the widest instruction. */
static uint32_t simd_of(const struct gtpin_code *c)
{
    uint32_t simd = 8;

    for (uint32_t i = 0; i < c->code.count; i++)
        if (c->code.inst[i].exec_size > simd)
            simd = c->code.inst[i].exec_size;
    return simd;
}

static bool has_barrier(const struct gtpin_code *c)
{
    for (uint32_t i = 0; i < c->code.count; i++)
        if (c->code.inst[i].msg.family == ISA_MSG_BARRIER)
            return true;
    return false;
}

struct trace_kernel gtpin_code_kernel(const struct gtpin_code *c)
{
    return (struct trace_kernel){
        .name = c->name,
        .simd = simd_of(c),
        .grf_count = ISA_GRF_COUNT,
        .barriers = has_barrier(c),
        .code = c->code,
        .blocks = c->blocks,
    };
}

static void add_eot(struct gtpin_code *c)
{
    struct isa_inst *in = &c->code.inst[c->code.count++];

    memset(in, 0, sizeof(*in));
    in->op = ISA_OP_SEND;
    in->pc = c->code.text_bytes;
    in->size = EOT_BYTES;
    in->exec_size = 8;
    in->no_mask = true;
    in->flag = -1;
    in->nsrc = 1;
    in->jip = in->uip = ISA_NO_TARGET;
    in->dst = (struct isa_operand){.file = ISA_FILE_NULL, .mme = ISA_MME_NONE};
    in->src[0] = (struct isa_operand){
        .file = ISA_FILE_GRF, .reg = 127, .type = ISA_TYPE_UD, .mme = ISA_MME_NONE};
    in->msg.sfid = ISA_SFID_SPAWNER;
    in->msg.exdesc = ISA_SFID_SPAWNER | 0x20;
    in->msg.desc = 0x02000010;
    isa_message_decode(&in->msg);
    in->eot = true;
    in->msg.family = ISA_MSG_EOT;
    c->code.text_bytes += EOT_BYTES;
}

/* Index of what followed; the added EOT is last. */
static uint32_t next_index(const struct gtpin_code *c, uint32_t id)
{
    return id == GTPIN_MAX_INST ? c->code.count - 1 : c->index_of[id];
}

/* A block starts behind whatever did not always go on to the next instruction, and
 * where something else came from. block_of serves for the flags. */
static void find_leaders(struct gtpin_code *c)
{
    uint32_t *leader = c->blocks.block_of;

    leader[0] = leader[c->code.count - 1] = 1;
    for (uint32_t id = 0; id < c->count; id++) {
        const struct gtpin_static *s = &c->at[id];
        uint32_t index;

        if (!s->path)
            continue;
        index = c->index_of[id];
        leader[index] |= s->leader;
        if (s->nnext == 1 && next_index(c, s->next[0]) == index + 1 &&
            isa_opcode_class((enum isa_opcode)c->code.inst[index].op) !=
                ISA_CLASS_BRANCH)
            continue;
        leader[index + 1] = 1;
        for (unsigned i = 0; i < s->nnext; i++)
            leader[next_index(c, s->next[i])] = 1;
    }
}

/* Successors of the block whose last instruction has `id`: those that were seen. */
static void close_block(const struct gtpin_code *c, uint32_t id)
{
    uint32_t index = c->index_of[id];
    struct isa_block *b = &c->blocks.block[c->blocks.block_of[index]];
    const struct gtpin_static *s = &c->at[id];

    if (index != b->first + b->count - 1)
        return;
    b->ends_thread = c->code.inst[index].eot;
    if (b->ends_thread)
        return;
    b->is_call = c->code.inst[index].op == ISA_OP_CALL;
    b->is_dynamic = s->many || s->nnext > ISA_MAX_SUCC;
    for (unsigned i = 0; i < s->nnext && i < ISA_MAX_SUCC; i++)
        b->succ[b->nsucc++] = c->blocks.block_of[next_index(c, s->next[i])];
}

static void make_blocks(struct gtpin_code *c)
{
    uint32_t *block_of = c->blocks.block_of;

    for (uint32_t i = 0; i < c->code.count; i++) {
        struct isa_block *b;

        if (block_of[i])
            c->blocks.block[c->blocks.count++].first = i;
        block_of[i] = c->blocks.count - 1;
        b = &c->blocks.block[block_of[i]];
        b->count++;
    }
    for (uint32_t id = 0; id < c->count; id++)
        if (c->at[id].path)
            close_block(c, id);
    c->blocks.block[c->blocks.count - 1].ends_thread = true;
}

/* A target that was never executed is not in the code: its branch keeps none. */
static void drop_unknown_targets(struct gtpin_code *c)
{
    for (uint32_t i = 0; i < c->code.count; i++) {
        struct isa_inst *in = &c->code.inst[i];

        if (in->jip != ISA_NO_TARGET && isa_find(&c->code, (uint32_t)in->jip) < 0)
            in->jip = ISA_NO_TARGET;
        if (in->uip != ISA_NO_TARGET && isa_find(&c->code, (uint32_t)in->uip) < 0)
            in->uip = ISA_NO_TARGET;
    }
}

/* Did a thread go on behind its end? */
static bool goes_on(const struct gtpin_code *c, uint32_t id)
{
    const struct gtpin_static *s = &c->at[id];

    if (!s->path || !c->code.inst[c->index_of[id]].eot)
        return false;
    for (unsigned i = 0; i < s->nnext; i++)
        if (s->next[i] != GTPIN_MAX_INST)
            return true;
    return false;
}

/* What the trace's writer would refuse, with the line that says it. The last
 * instruction is the EOT that was added. */
static enum igpu_status code_check(const struct gtpin_code *c, struct igpu_err *err)
{
    const struct trace_kernel kernel = gtpin_code_kernel(c);
    uint32_t index, id = 0;
    const char *what = trace_kernel_fault(&kernel, &index);

    for (uint32_t i = 0; i < c->count && !what; i++)
        if (goes_on(c, i))
            return bad_inst(c, i,
                            "instructions behind the end of the thread; expected a "
                            "KERNEL line before them",
                            err);
    if (!what)
        return IGPU_OK;
    while (id + 1 < c->count && (!c->at[id].path || c->index_of[id] < index))
        id++;
    return bad_inst(c, id, what, err);
}

enum igpu_status gtpin_code_finish(struct gtpin_code *c, struct igpu_err *err)
{
    uint32_t capacity = c->count + 1;
    enum igpu_status status;

    c->code.inst = calloc(capacity, sizeof(*c->code.inst));
    c->blocks.block = calloc(capacity, sizeof(*c->blocks.block));
    c->blocks.block_of = calloc(capacity, sizeof(*c->blocks.block_of));
    c->index_of = calloc(capacity, sizeof(*c->index_of));
    if (!c->code.inst || !c->blocks.block || !c->blocks.block_of || !c->index_of)
        return igpu_no_memory(err, "%" PRIu32 " instructions", capacity);
    status = make_insts(c, err);
    if (status != IGPU_OK)
        return status;
    add_eot(c);
    find_leaders(c);
    make_blocks(c);
    drop_unknown_targets(c);
    return code_check(c, err);
}

void gtpin_code_free(struct gtpin_code *c)
{
    free(c->at);
    free(c->id_at);
    free(c->code.inst);
    free(c->index_of);
    isa_blocks_free(&c->blocks);
    memset(c, 0, sizeof(*c));
}
