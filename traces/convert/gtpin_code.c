/* gtpin_code.c - a kernel's code and blocks out of executed instructions, see
 * gtpin.h. Only what was executed is known, so blocks are the longest runs that were
 * always executed together. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "traces/convert/gtpin.h"

enum { EOT_BYTES = 16, MIN_CAPACITY = 256 };

/* ---- while reading ------------------------------------------------------ */

static enum igpu_status reserve(struct gtpin_code *c, uint32_t count,
                                struct igpu_err *err)
{
    uint32_t capacity = c->capacity ? c->capacity : MIN_CAPACITY;
    struct gtpin_static *at;

    if (count <= c->capacity)
        return IGPU_OK;
    while (capacity < count)
        capacity *= 2;
    at = realloc(c->at, capacity * sizeof(*at));
    if (!at)
        return igpu_fail(err, IGPU_BAD_INPUT, "no memory for %" PRIu32 " instructions",
                         capacity);
    memset(at + c->capacity, 0, (capacity - c->capacity) * sizeof(*at));
    c->at = at;
    c->capacity = capacity;
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
    s->seen = true;
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

/* Offset of instruction `id`: given, or behind the one before it. */
static enum igpu_status place(const struct gtpin_code *c, uint32_t id,
                              uint32_t previous, uint32_t end, uint32_t *pc,
                              const char *path, struct igpu_err *err)
{
    const struct gtpin_inst *in = &c->at[id].inst;
    int64_t offset = 0;

    if (in->have[GTPIN_INS_OFFSET])
        offset = in->value[GTPIN_INS_OFFSET];
    else if (id > 0 && previous + 1 == id)
        offset = end;
    else if (id > 0)
        offset = -1;
    if (offset < end || offset > INT32_MAX / 4)
        return igpu_fail(err, IGPU_BAD_INPUT,
                         "%s: kernel %.64s: instruction %" PRIu32
                         " has no usable ins_offset (at least 0x%" PRIx32
                         " is expected)",
                         path, c->name, id, end);
    *pc = (uint32_t)offset;
    return IGPU_OK;
}

static enum igpu_status make_insts(struct gtpin_code *c, const char *path,
                                   struct igpu_err *err)
{
    uint32_t previous = 0, end = 0;

    for (uint32_t id = 0; id < c->count; id++) {
        struct isa_inst *out = &c->code.inst[c->code.count];
        const char *reason;
        bool guessed = false;
        uint32_t pc = 0;
        enum igpu_status status;

        if (!c->at[id].seen)
            continue;
        status = place(c, id, previous, end, &pc, path, err);
        if (status != IGPU_OK)
            return status;
        if (!gtpin_to_isa(&c->at[id].inst, pc, out, &guessed, &reason))
            return igpu_fail(err, IGPU_BAD_INPUT,
                             "%s: kernel %.64s: instruction %" PRIu32 " has %s", path,
                             c->name, id, reason);
        c->guessed += guessed;
        c->index_of[id] = c->code.count++;
        previous = id;
        end = pc + out->size;
    }
    c->code.text_bytes = end;
    return IGPU_OK;
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

        if (!s->seen)
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
        if (c->at[id].seen)
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

enum igpu_status gtpin_code_finish(struct gtpin_code *c, const char *path,
                                   struct igpu_err *err)
{
    uint32_t capacity = c->count + 1;
    enum igpu_status status;

    c->code.inst = calloc(capacity, sizeof(*c->code.inst));
    c->blocks.block = calloc(capacity, sizeof(*c->blocks.block));
    c->blocks.block_of = calloc(capacity, sizeof(*c->blocks.block_of));
    c->index_of = calloc(capacity, sizeof(*c->index_of));
    if (!c->code.inst || !c->blocks.block || !c->blocks.block_of || !c->index_of)
        return igpu_fail(err, IGPU_BAD_INPUT, "no memory for %" PRIu32 " instructions",
                         capacity);
    status = make_insts(c, path, err);
    if (status != IGPU_OK)
        return status;
    add_eot(c);
    find_leaders(c);
    make_blocks(c);
    drop_unknown_targets(c);
    return IGPU_OK;
}

void gtpin_code_free(struct gtpin_code *c)
{
    free(c->at);
    free(c->code.inst);
    free(c->index_of);
    isa_blocks_free(&c->blocks);
    memset(c, 0, sizeof(*c));
}
