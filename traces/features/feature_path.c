/* feature_path.c - see feature_path.h. */
#include "traces/features/feature_path.h"

#include <string.h>

enum { SHORT = 16, LONG = 64, SENT = 64 };
enum { WEIGHT_ALU = 1, WEIGHT_MATH = 2, WEIGHT_SEND = 16 };

void path_begin(struct path *p)
{
    memset(p, 0, sizeof(*p));
}

static struct path_regs regs_of(const struct isa_regset *set)
{
    struct path_regs r = {{set->grf[0], set->grf[1]}, set->flags & 0x0fU};

    if (set->indirect) /* which ones is not known: none rather than all */
        r.grf[0] = r.grf[1] = 0;
    if (set->acc != 0)
        r.rest |= 16;
    if (set->addr != 0)
        r.rest |= 32;
    if (set->other & ISA_OTHER_NOTIFY)
        r.rest |= 64;
    if (set->other & ~(unsigned)ISA_OTHER_NOTIFY)
        r.rest |= 128;
    return r;
}

/* Takes the lowest register out of the set; false when it is empty. */
static int path_take(struct path_regs *r, uint32_t *index)
{
    for (uint32_t i = 0; i < 2; i++)
        if (r->grf[i] != 0) {
            *index = 64 * i + (uint32_t)__builtin_ctzll(r->grf[i]);
            r->grf[i] &= r->grf[i] - 1;
            return 1;
        }
    if (r->rest == 0)
        return 0;
    *index = ISA_GRF_COUNT + (uint32_t)__builtin_ctz(r->rest);
    r->rest &= (uint8_t)(r->rest - 1);
    return 1;
}

/* What an instruction finds in what it reads. */
struct inputs {
    uint32_t nearest; /* index of the producer that came last, plus 1; 0: none */
    uint32_t depth, short_depth[2];
    uint32_t answer; /* the latest that it waits for, plus 1 */
    struct path_chain chain;
};

static void reg_look(const struct path *p, const struct path_reg *reg,
                     struct inputs *in)
{
    static const uint32_t length[2] = {SHORT, LONG};

    if (reg->at == 0)
        return;
    if (reg->at > in->nearest)
        in->nearest = reg->at;
    if (reg->depth > in->depth)
        in->depth = reg->depth;
    for (uint32_t i = 0; i < 2; i++)
        if (reg->at > p->insts / length[i] * length[i] &&
            reg->short_depth[i] > in->short_depth[i])
            in->short_depth[i] = reg->short_depth[i];
    if (reg->answer > in->answer)
        in->answer = reg->answer;
    if (reg->chain.weight > in->chain.weight)
        in->chain = reg->chain;
}

static void count_distance(struct path *p, uint32_t nearest)
{
    static const uint32_t limit[] = {1, 2, 4, 8, 16};
    uint32_t distance = p->insts + 1 - nearest, bin = 1;

    if (nearest == 0) {
        p->dist[0]++;
        return;
    }
    while (bin < PATH_DISTS - 1 && distance > limit[bin - 1])
        bin++;
    p->dist[bin]++;
    p->dist_sum += distance < LONG ? distance : LONG;
    p->dists++;
    p->alu_waits += distance <= 2;
}

/* It uses the answer of a message: that one, and all before it, have then arrived. */
static void wait_for(struct path *p, uint32_t answer)
{
    uint32_t distance = p->insts - p->sent_at[(answer - 1) % SENT];

    p->use[distance <= 2 ? 0 : distance <= 8 ? 1 : distance <= 32 ? 2 : 3]++;
    p->waits++;
    p->under_way += p->answers - p->arrived;
    p->arrived = answer;
}

static struct path_chain longer(struct path_chain c, uint8_t cls)
{
    if (cls == ISA_CLASS_SEND) {
        c.weight += WEIGHT_SEND;
        c.send++;
    } else if (cls == ISA_CLASS_MATH) {
        c.weight += WEIGHT_MATH;
        c.math++;
    } else {
        c.weight += WEIGHT_ALU;
        c.alu++;
    }
    return c;
}

static void end_windows(struct path *p)
{
    if (p->insts % SHORT == 0) {
        p->windows_depth[0] += p->window_depth[0];
        p->window_depth[0] = 0;
    }
    if (p->insts % LONG == 0) {
        p->windows_depth[1] += p->window_depth[1];
        p->window_depth[1] = 0;
    }
}

static void write_regs(struct path *p, struct path_regs writes,
                       const struct path_reg *value)
{
    uint32_t i;

    while (path_take(&writes, &i))
        p->reg[i] = *value;
}

static void inst_find(struct path_inst *out, const struct isa_inst *inst)
{
    struct isa_regset reads, writes;

    isa_regs(inst, &reads, &writes);
    out->known = true;
    out->reads = regs_of(&reads);
    out->writes = regs_of(&writes);
    out->cls = (uint8_t)isa_opcode_class((enum isa_opcode)inst->op);
    out->answers = inst->msg.family != ISA_MSG_NONE && !inst->eot &&
                   (inst->msg.rlen > 0 || inst->msg.family == ISA_MSG_BARRIER);
}

/* What the thread's longest chains are with this value. */
static void note_longest(struct path *p, const struct path_reg *value)
{
    if (value->depth > p->depth)
        p->depth = value->depth;
    for (uint32_t i = 0; i < 2; i++)
        if (value->short_depth[i] > p->window_depth[i])
            p->window_depth[i] = value->short_depth[i];
    if (value->chain.weight > p->chain.weight)
        p->chain = value->chain;
}

static void path_step(struct path *p, const struct path_inst *inst)
{
    struct path_regs set = inst->reads;
    struct inputs in = {0};
    struct path_reg value;
    uint32_t i;

    while (path_take(&set, &i))
        reg_look(p, &p->reg[i], &in);
    count_distance(p, in.nearest);
    if (in.answer > p->arrived)
        wait_for(p, in.answer);
    value.at = p->insts + 1;
    value.depth = in.depth + 1;
    value.short_depth[0] = in.short_depth[0] + 1;
    value.short_depth[1] = in.short_depth[1] + 1;
    value.chain = longer(in.chain, inst->cls);
    value.answer = 0;
    if (inst->answers) {
        p->sent_at[p->answers % SENT] = p->insts;
        value.answer = ++p->answers;
    }
    note_longest(p, &value);
    write_regs(p, inst->writes, &value);
    p->insts++;
    end_windows(p);
}

void path_run(struct path *p, const struct isa_kernel_code *code,
              struct path_inst *insts, uint32_t first, uint32_t count)
{
    for (uint32_t i = first; i < first + count && p->insts < PATH_LIMIT; i++) {
        if (!insts[i].known)
            inst_find(&insts[i], &code->inst[i]);
        path_step(p, &insts[i]);
    }
}

void path_end(const struct path *p, uint64_t instructions, struct path_sums *s)
{
    double whole = p->insts == 0 ? 0 : (double)instructions / p->insts;

    s->threads++;
    s->insts += p->insts;
    s->depth += p->depth;
    for (uint32_t i = 0; i < 2; i++)
        s->windows[i] += p->windows_depth[i] + p->window_depth[i];
    for (uint32_t i = 0; i < PATH_DISTS; i++)
        s->dist[i] += p->dist[i];
    s->dist_sum += p->dist_sum;
    s->dists += p->dists;
    for (uint32_t i = 0; i < PATH_USES; i++)
        s->use[i] += p->use[i];
    s->use[PATH_USES - 1] += p->answers - p->waits; /* never used, or with another */
    s->answers += p->answers;
    s->waits += p->waits;
    s->under_way += p->under_way;
    s->alu += p->chain.alu * whole;
    s->math += p->chain.math * whole;
    s->send += p->chain.send * whole;
    s->waits_whole += p->waits * whole;
    s->alu_waits += p->alu_waits;
    s->alu_waits_whole += p->alu_waits * whole;
    if (p->waits * whole > s->most_waits)
        s->most_waits = p->waits * whole;
}
