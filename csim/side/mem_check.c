/* mem_check.c - the conservation laws, and words for the watchdog (igpu/mem.h). */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "csim/side/system.h"

/* left must equal right. */
struct law {
    const char *left_name, *right_name;
    uint64_t left, right;
};

static enum igpu_status check_laws(const struct law *laws, unsigned count,
                                   struct igpu_err *err)
{
    for (unsigned i = 0; i < count; i++)
        if (laws[i].left != laws[i].right)
            return igpu_fail(err, IGPU_SIM_ERROR,
                             "memory side: %s is %" PRIu64 ", %s is %" PRIu64
                             "; they must be equal: a fault of the model, please "
                             "report it",
                             laws[i].left_name, laws[i].left, laws[i].right_name,
                             laws[i].right);
    return IGPU_OK;
}

static enum igpu_status check_always(const struct mem_stats *s, const struct llc *llc,
                                     struct igpu_err *err)
{
    const struct law laws[] = {
        {"l3.hits + misses + merged", "l3.accesses",
         s->l3_hits + s->l3_misses + s->l3_merged, s->l3_accesses},
        {"l3.reads + writes + atomics", "l3.accesses",
         s->l3_reads + s->l3_writes + s->l3_atomics, s->l3_accesses},
        {"tex.l1_hits + l1_misses + l1_merged", "tex.l1_accesses",
         s->tex_l1_hits + s->tex_l1_misses + s->tex_l1_merged, s->tex_l1_accesses},
        {"rt.hits + misses + merged", "rt.lines",
         s->rt_hits + s->rt_misses + s->rt_merged, s->rt_lines},
        {"ds.hits + misses + merged", "ds.lines",
         s->ds_hits + s->ds_misses + s->ds_merged, s->ds_lines},
        {"tex.l2_hits + l2_misses", "tex.l1_misses", s->tex_l2_hits + s->tex_l2_misses,
         s->tex_l1_misses},
        {"tlb.hits + misses + merged", "tlb.accesses",
         s->tlb_hits + s->tlb_misses + s->tlb_merged, s->tlb_accesses},
        {"llc.hits + misses + merged", "llc.accesses",
         s->llc_hits + s->llc_misses + s->llc_merged, s->llc_accesses},
        {"edram.hits + misses", "edram.accesses", s->edram_hits + s->edram_misses,
         s->edram_accesses},
        {"cpu hits + misses + merged, less those under way", "cpu.requests",
         s->cpu_l1_hits + s->cpu_l2_hits + s->cpu_llc_hits + s->cpu_llc_misses +
             s->cpu_llc_merged - llc_cpu_waiting(llc),
         s->cpu_requests},
        {"llc.fetches", "llc.fills + fetches under way", s->llc_fetches,
         s->llc_fills + llc_fetching(llc)},
        {"dram.row_hits + row_misses + row_conflicts", "dram.reads + writes + begun",
         s->dram_row_hits + s->dram_row_misses + s->dram_row_conflicts,
         s->dram_reads + s->dram_writes + dram_begun(&llc->dram)},
        {"dram.bytes", "64 x (dram.reads + writes)", s->dram_bytes,
         64 * (s->dram_reads + s->dram_writes)}};

    return check_laws(laws, sizeof(laws) / sizeof(laws[0]), err);
}

static uint64_t table_entries(const struct mem_system *mem)
{
    uint64_t entries = 0;

    for (uint32_t i = 0; i < mem->ports; i++)
        entries += mem->port[i].entries_free;
    return entries;
}

static uint64_t mshrs_used(const struct mem_system *mem)
{
    uint64_t used = 0;

    for (uint32_t b = 0; b < mem->l3.banks; b++)
        used += mem->l3.bank[b].mshr.used;
    return used;
}

static uint64_t packets_free(const struct mem_system *mem)
{
    uint64_t count = 0;

    for (uint32_t p = mem->wheel.free; p != PACKET_NONE; p = mem->wheel.pool[p].next)
        count++;
    return count;
}

static enum igpu_status check_idle(const struct mem_system *mem, struct igpu_err *err)
{
    const struct mem_stats *s = &mem->stats;
    uint64_t fetched = s->edram_accesses - s->edram_writes;
    const struct law laws[] = {
        {"mem.requests", "mem.answers", s->mem_requests, s->mem_answers},
        {"mem.others", "mem.others_answered", s->mem_others, s->mem_others_answered},
        {"gw.arrivals", "gw.notifications", s->gw_arrivals, s->gw_notifications},
        {"mem.lines", "mem.lines_back", s->mem_lines, s->mem_lines_back},
        {"mem.lines", "l3.accesses", s->mem_lines, s->l3_accesses},
        {"l3.fetches", "l3.fills", s->l3_fetches, s->l3_fills},
        {"l3.fetches", "gti.reads", s->l3_fetches, s->gti_reads},
        {"l3.writebacks", "gti.writes", s->l3_writebacks, s->gti_writes},
        {"gti.reads + writes", "llc.accesses", s->gti_reads + s->gti_writes,
         s->llc_accesses},
        {"messages in the tables", "none", mem->in_table.count, 0},
        {"free entries of the tables", "all", table_entries(mem),
         mem->ports * (uint64_t)LINES_MAX_ENTRIES},
        {"MSHRs taken", "none", mshrs_used(mem), 0},
        {"free packets", "all", packets_free(mem), mem->wheel.size},
        {"eDRAM reads", "llc.fetches",
         mem->llc.edram.present && mem->config.cpu_agent == 0 ? fetched
                                                              : s->llc_fetches,
         s->llc_fetches}};

    return check_laws(laws, sizeof(laws) / sizeof(laws[0]), err);
}

/* A policy of a file may have named a way that is none. */
static enum igpu_status check_policy(const char *key, const struct cache *cache,
                                     struct igpu_err *err)
{
    if (cache->wrong == NULL || *cache->wrong == 0)
        return IGPU_OK;
    return igpu_fail(err, IGPU_SIM_ERROR,
                     "%s: '%.60s' replaced way %" PRIu32 " of %" PRIu32
                     "; its victim() has to be below ways",
                     key, cache->policy->name, *cache->wrong - 1, cache->ways);
}

static enum igpu_status check_policies(const struct mem_system *mem,
                                       struct igpu_err *err)
{
    enum igpu_status status = check_policy("llc.policy", &mem->llc.cache, err);

    for (uint32_t b = 0; b < mem->l3.banks && status == IGPU_OK; b++)
        status = check_policy("l3.policy", &mem->l3.bank[b].cache, err);
    return status;
}

enum igpu_status mem_check(const struct mem_system *mem, struct igpu_err *err)
{
    enum igpu_status status = check_policies(mem, err);

    if (status == IGPU_OK)
        status = check_always(&mem->stats, &mem->llc, err);
    if (status == IGPU_OK && mem_idle(mem))
        status = check_idle(mem, err);
    return status;
}

/* ---- words ---- */

struct text {
    char *buf;
    uint32_t size, used;
};

static void text_add(struct text *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void text_add(struct text *text, const char *format, ...)
{
    va_list args;
    int length;

    if (text->used + 1 >= text->size)
        return;
    va_start(args, format);
    length = vsnprintf(text->buf + text->used, text->size - text->used, format, args);
    va_end(args);
    if (length > 0)
        text->used += (uint32_t)length;
    if (text->used >= text->size)
        text->used = text->size - 1;
}

static void describe_port(const struct mem_system *mem, uint32_t i, struct text *text)
{
    static const char *const name[] = {"read",    "write",   "atomic",
                                       "fence",   "barrier", "other",
                                       "payload", "texture", "target"};
    const struct dataport *port = &mem->port[i];
    const struct gateway *gateway = &mem->gateway[i];

    text_add(text, "memory, subslice %" PRIu32 ": %" PRIu32 " messages wait to enter",
             i, port->in.count);
    if (port->in.count != 0) {
        const struct mem_msg *msg = &port->record[port->in.at[port->in.head]].msg;

        text_add(text, " (first: %s of EU %u slot %u, granted at %" PRIu64 ")",
                 name[msg->op], msg->eu, msg->slot, msg->cycle);
    }
    text_add(text,
             ", %" PRIu64 " of %" PRIu64 " in the table, %" PRIu32 " answers wait\n",
             (uint64_t)port->places[PLACE_TABLE].taken, mem->config.dp_messages,
             port->back.count);
    for (uint32_t b = 0; b < GATEWAY_SLOTS; b++)
        if (gateway->group[b].arrived != 0)
            text_add(text,
                     "  barrier slot %" PRIu32 ": %d of %" PRIu32 " threads arrived\n",
                     b, __builtin_popcountll(gateway->group[b].arrived),
                     gateway->group[b].threads);
}

void mem_describe(const struct mem_system *mem, char *buf, uint32_t size)
{
    struct text text = {buf, size, 0};

    if (size == 0)
        return;
    buf[0] = 0;
    for (uint32_t i = 0; i < mem->ports; i++)
        describe_port(mem, i, &text);
    for (uint32_t b = 0; b < mem->l3.banks; b++) {
        const struct l3_bank *bank = &mem->l3.bank[b];

        if (bank->queued + bank->mshr.used + bank->victim_count != 0)
            text_add(&text,
                     "memory, L3 bank %" PRIu32 ": %" PRIu32 " lines wait, %" PRIu32
                     " of %" PRIu32 " MSHRs taken, %" PRIu32 " lines to write back\n",
                     b, bank->queued, bank->mshr.used, bank->mshr.entries,
                     bank->victim_count);
    }
    text_add(&text,
             "memory, below the L3: %" PRIu32 " reads and %" PRIu32
             " writes under way, %" PRIu32 " wait for the LLC\n",
             mem->llc.reads_in_flight, mem->llc.writes_in_flight,
             mem->llc.blocked_count);
}
