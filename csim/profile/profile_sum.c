/* profile_sum.c - names, buckets, sums and comparison; see igpu/profile.h. */
#include <string.h>

#include "csim/profile/profile_int.h"

static const struct {
    const char *key, *text;
} reasons[PROFILE_REASONS] = {
#define PROFILE_REASON(id, key, text) {#key, text},
#include "igpu/profile.def"
#undef PROFILE_REASON
};

const char *profile_key(enum profile_reason reason)
{
    return reasons[reason].key;
}

const char *profile_text(enum profile_reason reason)
{
    return reasons[reason].text;
}

const char *profile_level(enum mem_level level)
{
    static const char *const levels[MEM_LEVELS] = {
        "l3",      "llc",    "edram",   "dram",    "slm",
        "sampler", "target", "payload", "gateway", "port"};

    return levels[level];
}

uint64_t profile_bucket_from(unsigned bucket)
{
    unsigned half = bucket + 1;

    if (bucket == 0)
        return 0;
    return (UINT64_C(2) + half % 2) << (half / 2) >> 1;
}

void profile_sum(const struct profile_result *r, uint64_t sum[PROFILE_REASONS],
                 uint64_t *issues)
{
    memset(sum, 0, PROFILE_REASONS * sizeof(*sum));
    *issues = 0;
    for (uint32_t i = 0; i < r->count; i++) {
        *issues += r->inst[i].issues;
        for (unsigned k = 0; k < PROFILE_REASONS; k++)
            sum[k] += r->inst[i].wait[k];
    }
}

void profile_waits(const struct profile *p, uint32_t uop,
                   uint64_t wait[PROFILE_REASONS])
{
    const struct host_waits *sum = &p->uop[uop].sum;

    memcpy(wait, p->now.inst[uop].wait, PROFILE_REASONS * sizeof(*wait));
    wait[PROFILE_FRONT_END] += sum->front;
    wait[PROFILE_ICACHE] += sum->icache;
    wait[PROFILE_FETCH] += sum->fetch;
    wait[PROFILE_OPERAND] += sum->operand;
    wait[PROFILE_UNIT] += sum->unit;
    wait[PROFILE_OTHER] += sum->taken;
}

static enum igpu_status differ(const struct profile_result *r, uint32_t inst,
                               const char *what, uint64_t a, uint64_t b,
                               struct igpu_err *err)
{
    return igpu_fail(err, IGPU_SIM_ERROR,
                     "profiles differ: launch %u, instruction %u, %s: %llu cycles; the "
                     "reference's %llu",
                     r->launch, inst, what, (unsigned long long)a,
                     (unsigned long long)b);
}

static enum igpu_status same_inst(const struct profile_result *a,
                                  const struct profile_result *b, uint32_t i,
                                  struct igpu_err *err)
{
    const struct profile_inst *x = &a->inst[i], *y = &b->inst[i];

    if (x->issues != y->issues)
        return differ(a, i, "issue", x->issues, y->issues, err);
    for (unsigned k = 0; k < PROFILE_REASONS; k++)
        if (x->wait[k] != y->wait[k])
            return differ(a, i, reasons[k].key, x->wait[k], y->wait[k], err);
    if (x->send != PROFILE_NONE &&
        memcmp(&a->send[x->send], &b->send[y->send], sizeof(*a->send)) != 0)
        return differ(a, i, "messages", a->send[x->send].messages,
                      b->send[y->send].messages, err);
    return IGPU_OK;
}

static uint64_t edge_cycles(const struct profile_result *r, uint32_t inst,
                            const struct profile_edge *like)
{
    for (uint32_t e = r->inst[inst].edge; e != PROFILE_NONE; e = r->edge[e].next)
        if (r->edge[e].producer == like->producer && r->edge[e].reason == like->reason)
            return r->edge[e].cycles;
    return 0;
}

static enum igpu_status same_edges(const struct profile_result *a,
                                   const struct profile_result *b, uint32_t i,
                                   struct igpu_err *err)
{
    for (uint32_t e = a->inst[i].edge; e != PROFILE_NONE; e = a->edge[e].next) {
        uint64_t other = edge_cycles(b, i, &a->edge[e]);

        if (other != a->edge[e].cycles)
            return differ(a, i, "producers", a->edge[e].cycles, other, err);
    }
    return IGPU_OK;
}

static enum igpu_status same_result(const struct profile_result *a,
                                    const struct profile_result *b,
                                    struct igpu_err *err)
{
    enum igpu_status status = IGPU_OK;

    if (a->parts != 0 && memcmp(a->part, b->part, a->parts * sizeof(*a->part)) != 0)
        return differ(a, 0, "parts", a->parts, b->parts, err);
    if (a->thread_cycles != b->thread_cycles || a->edges != b->edges ||
        memcmp(a->empty, b->empty, sizeof(a->empty)) != 0)
        return differ(a, 0, "all threads", a->thread_cycles, b->thread_cycles, err);
    for (uint32_t i = 0; i < a->count && status == IGPU_OK; i++) {
        status = same_inst(a, b, i, err);
        if (status == IGPU_OK)
            status = same_edges(a, b, i, err);
    }
    return status;
}

enum igpu_status profile_same(const struct profile *a, const struct profile *b,
                              struct igpu_err *err)
{
    enum igpu_status status = IGPU_OK;

    if (a->results != b->results)
        return igpu_fail(err, IGPU_SIM_ERROR, "profiles differ: %u launches; %u",
                         a->results, b->results);
    for (uint32_t i = 0; i < a->results && status == IGPU_OK; i++)
        status = same_result(&a->result[i], &b->result[i], err);
    return status;
}
