/* trace_verify.c - everything about a trace that can be checked, see trace.h. */
#include <stdlib.h>
#include <string.h>

#include "traces/format/trace_reader_state.h"

/* Of a kernel: the sends of each block that have an access, flat. */
struct sends {
    uint32_t *first; /* per block, and the end */
    uint32_t *inst;
};

/* One thread while it is checked. */
struct check {
    struct trace_reader *r;
    const struct trace_kernel *kernel;
    const struct sends *sends;
    uint32_t launch, thread;
    struct trace_cursor *cursor;
    uint32_t inst, mask; /* of the next access, if any */
    enum trace_next more;
    uint64_t instructions, blocks, accesses, lane_accesses;
    struct igpu_err *err;
};

static void free_sends(struct sends *s)
{
    free(s->first);
    free(s->inst);
}

static bool find_sends(const struct trace_kernel *k, struct sends *s)
{
    uint32_t n = 0;

    s->first = calloc(k->blocks.count + 1u, sizeof(*s->first));
    s->inst = calloc(k->code.count, sizeof(*s->inst));
    if (!s->first || !s->inst)
        return false;
    for (uint32_t b = 0; b < k->blocks.count; b++) {
        const struct isa_block *block = &k->blocks.block[b];

        s->first[b] = n;
        for (uint32_t i = block->first; i < block->first + block->count; i++)
            if (trace_has_access(&k->code.inst[i]))
                s->inst[n++] = i;
    }
    s->first[k->blocks.count] = n;
    return true;
}

static enum igpu_status trace_bad(const struct check *c, const char *what,
                                  uint32_t number)
{
    return igpu_fail(c->err, IGPU_BAD_INPUT,
                     "%s: launch %u (%s), thread %u, block %llu of its path: %s %u",
                     c->r->path, c->launch, c->kernel->name, c->thread,
                     (unsigned long long)c->blocks, what, number);
}

/* ---- paths -------------------------------------------------------------- */

/* May block `to` follow `from`? With a pc for each lane a branch may lead to any block
 * where lanes wait; without one, only to the static successor. */
static bool may_follow(const struct trace_kernel *k, uint32_t from, uint32_t to)
{
    const struct isa_block *b = &k->blocks.block[from];
    const struct isa_inst *last = &k->code.inst[b->first + b->count - 1];

    if (b->ends_thread)
        return false;
    for (uint32_t s = 0; s < b->nsucc; s++)
        if (b->succ[s] == to)
            return true;
    return b->is_dynamic ||
           isa_opcode_class((enum isa_opcode)last->op) == ISA_CLASS_BRANCH;
}

/* The lanes that a message can have; all when they are not known. Further lines of
 * texels came with their version, and are in what was written to a pipe. */
static uint32_t lanes_of(const struct isa_message *m, uint32_t minor)
{
    bool told = minor == TRACE_MINOR_IMAGES || minor == TRACE_MINOR_COMPUTE ||
                minor == TRACE_MINOR_MOVED;
    uint32_t further =
        m->family == ISA_MSG_SAMPLER && told ? UINT32_MAX << ISA_TEXEL_FURTHER : 0;

    return m->simd == 0 || m->simd >= TRACE_MAX_LANES
               ? UINT32_MAX
               : further | ((UINT32_C(1) << m->simd) - 1);
}

static enum igpu_status next_access(struct check *c)
{
    uint64_t addr[TRACE_MAX_LANES];

    c->more = trace_cursor_next_lanes(c->cursor, &c->inst, &c->mask, addr, c->err);
    if (c->more == TRACE_NEXT_ERROR)
        return IGPU_BAD_INPUT;
    if (c->more == TRACE_NEXT_OK) {
        c->accesses++;
        c->lane_accesses += (uint32_t)__builtin_popcount(c->mask);
        if (c->mask &
            ~lanes_of(&c->kernel->code.inst[c->inst].msg, c->r->summary.minor))
            return trace_bad(c, "lanes that the message has not, of instruction",
                             c->inst);
    }
    return IGPU_OK;
}

/* The accesses that the sends of one executed block made. */
static enum igpu_status check_sends(struct check *c, uint32_t block)
{
    for (uint32_t i = c->sends->first[block]; i < c->sends->first[block + 1]; i++) {
        enum igpu_status status;

        if (c->more != TRACE_NEXT_OK || c->inst != c->sends->inst[i])
            return trace_bad(c, "no access is recorded for instruction",
                             c->sends->inst[i]);
        status = next_access(c);
        if (status != IGPU_OK)
            return status;
    }
    return IGPU_OK;
}

static enum igpu_status check_block(struct check *c, uint32_t before, uint32_t block)
{
    if (c->blocks == 0
            ? !trace_may_begin(c->kernel->graphics, &c->kernel->blocks, block)
            : !may_follow(c->kernel, before, block))
        return trace_bad(c, "the CFG has no way to block", block);
    c->instructions += c->kernel->blocks.block[block].count;
    c->blocks++;
    return check_sends(c, block);
}

static enum igpu_status check_path(struct check *c)
{
    const uint32_t *blocks;
    uint32_t count, before = 0;
    enum trace_next next;
    enum igpu_status status = next_access(c);

    while (status == IGPU_OK) {
        next = trace_cursor_blocks(c->cursor, &blocks, &count, c->err);
        if (next == TRACE_NEXT_ERROR)
            return IGPU_BAD_INPUT;
        if (next == TRACE_NEXT_END)
            break;
        for (uint32_t i = 0; i < count && status == IGPU_OK; i++) {
            status = check_block(c, before, blocks[i]);
            before = blocks[i];
        }
    }
    if (status != IGPU_OK)
        return status;
    if (c->blocks == 0 || !c->kernel->blocks.block[before].ends_thread)
        return trace_bad(c, "the path does not end the thread, but stops after block",
                         before);
    if (c->more == TRACE_NEXT_OK)
        return trace_bad(c, "an access is left over, of instruction", c->inst);
    return IGPU_OK;
}

/* ---- sums --------------------------------------------------------------- */

static enum igpu_status check_thread(struct check *c, struct trace_launch *sum)
{
    struct trace_totals totals;
    enum igpu_status status;

    c->cursor = trace_cursor_open(c->r, c->launch, c->thread, &status, c->err);
    if (!c->cursor)
        return status;
    c->instructions = c->blocks = c->accesses = c->lane_accesses = 0;
    status = check_path(c);
    if (status == IGPU_OK)
        status = trace_cursor_totals(c->cursor, &totals, c->err);
    trace_cursor_close(c->cursor);
    if (status != IGPU_OK)
        return status;
    if (totals.instructions != c->instructions)
        return trace_bad(c, "its number of instructions is not its path's; thread",
                         c->thread);
    sum->totals.instructions += totals.instructions;
    sum->totals.lane_instructions += totals.lane_instructions;
    sum->totals.flops += totals.flops;
    sum->blocks += c->blocks;
    sum->accesses += c->accesses;
    sum->lane_accesses += c->lane_accesses;
    return IGPU_OK;
}

static bool same(const struct trace_launch *a, const struct trace_launch *b)
{
    return a->totals.instructions == b->totals.instructions &&
           a->totals.lane_instructions == b->totals.lane_instructions &&
           a->totals.flops == b->totals.flops && a->blocks == b->blocks &&
           a->accesses == b->accesses && a->lane_accesses == b->lane_accesses;
}

static enum igpu_status check_launch(struct trace_reader *r, uint32_t launch,
                                     uint64_t *values, struct igpu_err *err)
{
    const struct trace_launch *l = r->launch[launch];
    struct trace_launch sum = {0};
    struct sends sends = {0};
    struct check c = {.r = r, .kernel = r->kernel[l->kernel], .sends = &sends};
    enum igpu_status status = IGPU_OK;

    c.launch = launch;
    c.err = err;
    if (!find_sends(c.kernel, &sends))
        status = igpu_no_memory(err, "%s", r->path);
    for (c.thread = 0; c.thread < l->threads && status == IGPU_OK; c.thread++) {
        status = check_thread(&c, &sum);
        if (status == IGPU_OK)
            status = trace_verify_values(r, launch, c.thread, values, err);
    }
    free_sends(&sends);
    if (status == IGPU_OK && !same(&sum, l))
        status = igpu_fail(err, IGPU_BAD_INPUT,
                           "%s: launch %u: its totals are not its threads' sums; the "
                           "file is corrupt, record it again",
                           r->path, launch);
    return status;
}

enum igpu_status trace_verify_launches(struct trace_reader *r, uint32_t first,
                                       uint32_t last, struct igpu_err *err)
{
    uint64_t values = 0;
    enum igpu_status status = IGPU_OK;

    if (first == 0 && last + 1 == r->nlaunches)
        return trace_verify(r, err);
    for (uint32_t i = first; i <= last && status == IGPU_OK; i++)
        status = check_launch(r, i, &values, err);
    return status;
}

enum igpu_status trace_verify(struct trace_reader *r, struct igpu_err *err)
{
    uint64_t values = 0;
    enum igpu_status status = IGPU_OK;

    for (uint32_t i = 0; i < r->nsections && status == IGPU_OK; i++)
        status = trace_chunk_check(r, i, err);
    for (uint32_t i = 0; i < r->nlaunches && status == IGPU_OK; i++)
        status = check_launch(r, i, &values, err);
    if (status == IGPU_OK && values != r->summary.values)
        status = igpu_fail(
            err, IGPU_BAD_INPUT,
            "%s: FPU values of %llu instructions, but the footer has %llu; "
            "the file is corrupt, record it again",
            r->path, (unsigned long long)values, (unsigned long long)r->summary.values);
    return status;
}
