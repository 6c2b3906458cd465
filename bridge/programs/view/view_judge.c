/* view_judge.c - what holds a launch up, in words (docs/guide/profile.md, section 4).
 *
 * First what is used up: a unit, bus or table that is busy for most of the time cannot
 * be waited for less. If nothing is, the reason with the most cycles; and if threads
 * leave most slots empty, why they do. */
#include <inttypes.h>
#include <string.h>

#include "bridge/programs/view/view.h"

/* A resource is used up from here on. Reads and writes turn the DRAM's bus around, so
 * it never comes near its peak. */
struct limit {
    const char *key;
    double share;
    const char *cause, *words;
};
static const struct limit limits[] = {
    {"dram", 0.70, "dram-bandwidth", "the DRAM's bandwidth"},
    {"edram", 0.80, "edram-bandwidth", "the eDRAM's bandwidth"},
    {"gti_read", 0.85, "gti-bandwidth", "the GTI's reads, between L3 and LLC"},
    {"gti_write", 0.85, "gti-bandwidth", "the GTI's writes, between L3 and LLC"},
    {"target", 0.75, "render-target", "the render targets"},
    {"sampler", 0.75, "sampler", "the samplers"},
    {"slm", 0.80, "slm-banks", "the banks of the SLM"},
    {"l3", 0.85, "l3-banks", "the banks of the L3"},
    {"back", 0.85, "port-lines", "the data ports' lines, one a cycle"},
    {"lines", 0.85, "port-lines", "the data ports' lines, one a cycle"},
    {"send", 0.80, "send-unit", "the SEND units: payloads being read"},
    {"table", 0.50, "port-table", "the data port's table of messages"},
};

/* Causes by reason; several reasons may be one cause. */
static const struct {
    const char *cause, *words;
} causes[PROFILE_REASONS] = {
    [PROFILE_DISPATCH] = {"dispatch", "the dispatch of threads"},
    [PROFILE_FRONT_END] = {"front-end", "the front end: threads held behind their own "
                                        "instructions"},
    [PROFILE_FETCH] = {"front-end",
                       "the front end: one instruction a cycle is fetched"},
    [PROFILE_ICACHE] = {"instruction-cache", "the instruction cache's misses"},
    [PROFILE_OPERAND] = {"latency", "the latency of instructions' results"},
    [PROFILE_BARRIER] = {"barrier", "barriers"},
    [PROFILE_MSG_PAYLOAD] = {"send-unit", "the SEND units: payloads being read"},
    [PROFILE_MSG_QUEUE] = {"send-arbiter", "the subslice's send arbiter"},
    [PROFILE_MSG_CREDIT] = {"port-credits", "the data port's credits"},
    [PROFILE_MSG_TABLE] = {"port-table", "the data port's table of messages"},
    [PROFILE_MSG_PORT] = {"port-lines", "the data port: messages before it"},
    [PROFILE_MSG_SLM] = {"slm-latency", "the latency of the SLM"},
    [PROFILE_MSG_L3] = {"l3-latency", "the latency of the L3"},
    [PROFILE_MSG_LLC] = {"llc-latency", "the latency of the LLC"},
    [PROFILE_MSG_EDRAM] = {"edram-latency", "the latency of the eDRAM"},
    [PROFILE_MSG_DRAM] = {"dram-latency", "the latency of the DRAM"},
    [PROFILE_MSG_SAMPLER] = {"sampler", "the samplers"},
    [PROFILE_MSG_TARGET] = {"render-target", "the render targets"},
    [PROFILE_MSG_FIXED] = {"fixed-functions", "the fixed functions"},
    [PROFILE_MSG_OTHER] = {"fences", "fences, timestamps and messages without lanes"},
    [PROFILE_MSG_RESPONSE] = {"responses", "answers' way into the registers"},
    [PROFILE_UNIT] = {"units", "busy units"},
    [PROFILE_OTHER] = {"units", "busy units"},
    [PROFILE_QUEUE] = {"send-queue", "the EUs' send queues"},
    [PROFILE_CREDIT] = {"port-credits", "the data port's credits"},
    [PROFILE_UNFINISHED] = {"unfinished", "what was not finished"},
};

/* Where the words on an instruction begin: how much there is room for. */
static void say(struct view_verdict *d, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#include <stdarg.h>

static void say(struct view_verdict *d, const char *format, ...)
{
    size_t at = strlen(d->evidence);
    va_list args;

    va_start(args, format);
    (void)vsnprintf(d->evidence + at, sizeof(d->evidence) - at, format, args);
    va_end(args);
}

static double percent(uint64_t part, uint64_t whole)
{
    return whole != 0 ? 100.0 * (double)part / (double)whole : 0;
}

bool view_alike(unsigned a, unsigned b)
{
    return strcmp(causes[a].cause, causes[b].cause) == 0;
}

/* Cycles of *inst with the reason's cause. */
static uint64_t cycles_like(const struct profile_inst *inst, unsigned reason)
{
    uint64_t sum = 0;

    for (unsigned k = 0; k < PROFILE_REASONS; k++)
        if (view_alike(k, reason))
            sum += inst->wait[k];
    return sum;
}

/* The instruction that waits most for it. */
static uint32_t worst(const struct profile_result *r, unsigned reason)
{
    uint32_t most = 0;

    for (uint32_t i = 1; i < r->count; i++)
        if (cycles_like(&r->inst[i], reason) > cycles_like(&r->inst[most], reason))
            most = i;
    return most;
}

/* The producer that it waits for most; PROFILE_NONE. */
static uint32_t producer_of(const struct profile_result *r, uint32_t inst,
                            unsigned reason)
{
    uint32_t most = PROFILE_NONE;

    for (uint32_t e = r->inst[inst].edge; e != PROFILE_NONE; e = r->edge[e].next)
        if (view_alike(r->edge[e].reason, reason) &&
            (most == PROFILE_NONE || r->edge[e].cycles > r->edge[most].cycles))
            most = e;
    return most != PROFILE_NONE ? r->edge[most].producer : PROFILE_NONE;
}

static void say_send(struct view_verdict *d, const struct profile_result *r,
                     uint32_t inst)
{
    const struct profile_send *s;

    if (inst == PROFILE_NONE || r->inst[inst].send == PROFILE_NONE)
        return;
    s = &r->send[r->inst[inst].send];
    if (s->messages == 0)
        return;
    say(d, "; a message of it moves %.0f bytes",
        (double)s->bytes / (double)s->messages);
    if (s->lines != 0)
        say(d, " in %.1f lines", (double)s->lines / (double)s->messages);
    say(d, " and takes %.0f cycles", (double)s->latency / (double)s->messages);
}

static void say_line(struct view_verdict *d, const struct trace_kernel *k,
                     uint32_t inst)
{
    const struct trace_source *source = view_source(k, inst);

    const char *slash = source != NULL ? strrchr(source->name, '/') : NULL;

    if (source != NULL)
        say(d, ", %.40s line %u", slash != NULL ? slash + 1 : source->name,
            k->line[inst].line);
}

/* What of an instruction's text stands in a sentence: at most this many letters. */
enum { SAID = 72 };

/* Cut behind a word, in front of options in braces that would stay open. */
static void shorten(char text[VIEW_ASM])
{
    size_t at = SAID;
    char *brace;

    if (strlen(text) <= SAID)
        return;
    while (at > 0 && text[at] != ' ')
        at--;
    text[at] = '\0';
    brace = strrchr(text, '{');
    if (brace != NULL && strchr(brace, '}') == NULL)
        *brace = '\0';
    at = strlen(text);
    while (at > 0 && strchr(" ,/", text[at - 1]) != NULL)
        at--;
    text[at] = '\0';
}

static void say_inst(struct view_verdict *d, const struct view *v, uint32_t at,
                     uint32_t inst)
{
    char text[VIEW_ASM];

    view_disasm(view_kernel(v, at), inst, text);
    shorten(text);
    say(d, " %u, %s", inst, text);
}

static void say_where(struct view_verdict *d, const struct view *v, uint32_t at,
                      unsigned reason)
{
    const struct profile_result *r = &v->result[at];
    uint32_t inst = worst(r, reason), from = producer_of(r, inst, reason);

    say(d, "; most at instruction");
    say_inst(d, v, at, inst);
    say(d, " (%.1f %%)",
        percent(cycles_like(&r->inst[inst], reason), r->thread_cycles));
    say_line(d, view_kernel(v, at), inst);
    if (from == PROFILE_NONE)
        return;
    say(d, ", which waits for");
    say_inst(d, v, at, from);
    say_line(d, view_kernel(v, at), from);
    say_send(d, r, from);
}

/* Cycles for which a send's messages are begun and not answered; 0 where they take no
 * place in the port's table: barriers, fences. */
static uint64_t cycles_under_way(const struct profile_result *r, uint32_t inst)
{
    const struct profile_send *s = &r->send[r->inst[inst].send];

    if (s->level[MEM_AT_GATEWAY] != 0 || s->level[MEM_AT_PORT] == s->messages)
        return 0;
    return s->latency - s->queued;
}

/* The send whose messages are under way most; PROFILE_NONE. */
static uint32_t main_send(const struct profile_result *r)
{
    uint32_t most = PROFILE_NONE;

    for (uint32_t i = 0; i < r->count; i++)
        if (r->inst[i].send != PROFILE_NONE &&
            (most == PROFILE_NONE ||
             cycles_under_way(r, i) > cycles_under_way(r, most)))
            most = i;
    return most;
}

/* The same in words, for what is used up behind the data port. */
static void say_traffic(struct view_verdict *d, const struct view *v, uint32_t at)
{
    const struct profile_result *r = &v->result[at];
    uint32_t most = main_send(r);
    uint64_t messages = 0;

    for (uint32_t i = 0; i < r->sends; i++)
        messages += r->send[i].messages;
    if (most == PROFILE_NONE || messages == 0)
        return;
    say(d, "; instruction");
    say_inst(d, v, at, most);
    say_line(d, view_kernel(v, at), most);
    say(d, ", makes %.0f %% of the messages",
        percent(r->send[r->inst[most].send].messages, messages));
    say_send(d, r, most);
}

/* The table is full of messages that take more than twice as long in the L3 as they
 * would by themselves: its banks are to blame, as atomics on a line do it. */
static bool l3_is_slow(const struct view *v, uint32_t at)
{
    const struct igpu_config *c = v->config;
    const struct profile_result *r = &v->result[at];
    uint32_t most = main_send(r);
    const struct profile_send *s;

    if (most == PROFILE_NONE)
        return false;
    s = &r->send[r->inst[most].send];
    return 2 * s->level[MEM_AT_L3] > s->messages &&
           s->latency - s->queued >
               2 * s->messages *
                   (c->dp_in_latency + c->l3_request_latency + c->l3_latency +
                    c->dp_out_latency + s->lines / s->messages);
}

static void used_up(struct view_verdict *d, const struct view *v, uint32_t at,
                    const struct limit *limit, const struct view_load *load)
{
    bool l3 = strcmp(limit->key, "table") == 0 && l3_is_slow(v, at);

    d->cause = l3 ? "l3-banks" : limit->cause;
    d->load = limit->key;
    (void)snprintf(d->words, sizeof(d->words), "%s",
                   l3 ? "the banks of the L3" : limit->words);
    say(d, "%s: %.1f %% of the cycles", load->text, 100 * load->share);
    if (strcmp(limit->key, "table") == 0)
        say(d, " with all %d places of a subslice's taken",
            (int)v->config->dp_messages);
    if (strcmp(limit->key, "slm") == 0)
        say(d, ", %.1f %% of them conflicts",
            percent(v->launch[at].slm_conflict_cycles, v->launch[at].slm_cycles));
    say_traffic(d, v, at);
}

static bool judge_memory(struct view_verdict *d, const struct view *v, uint32_t at,
                         const struct view_load *loads, unsigned count)
{
    for (unsigned i = 0; i < sizeof(limits) / sizeof(limits[0]); i++)
        for (unsigned k = 0; k < count; k++)
            if (strcmp(limits[i].key, loads[k].key) == 0 &&
                loads[k].share >= limits[i].share) {
                used_up(d, v, at, &limits[i], &loads[k]);
                return true;
            }
    return false;
}

static double load_of(const struct view_load *loads, unsigned count, const char *key)
{
    for (unsigned k = 0; k < count; k++)
        if (strcmp(loads[k].key, key) == 0)
            return loads[k].share;
    return 0;
}

static bool judge_fpus(struct view_verdict *d, const struct view *v, uint32_t at,
                       const struct view_load *loads, unsigned count)
{
    double fpu0 = load_of(loads, count, "fpu0"), fpu1 = load_of(loads, count, "fpu1");
    bool one = fpu1 >= 0.80 && fpu0 < fpu1 - 0.15;

    if (!one && (fpu0 + fpu1) / 2 < 0.80)
        return false;
    d->cause = one ? "fpu1" : "fpus";
    (void)snprintf(d->words, sizeof(d->words), "%s",
                   one ? "FPU1: extended math, double and other instructions that FPU0 "
                         "does not have"
                       : "the FPUs");
    say(d, "FPU0 %.1f %%, FPU1 %.1f %% of the cycles", 100 * fpu0, 100 * fpu1);
    say_where(d, v, at, PROFILE_UNIT);
    return true;
}

/* The cause with the most thread-cycles, as one of its reasons. */
static unsigned biggest(const struct profile_result *r, uint64_t *cycles)
{
    uint64_t sum[PROFILE_REASONS], issues, most = 0;
    unsigned at = PROFILE_FRONT_END;

    profile_sum(r, sum, &issues);
    for (unsigned i = 0; i < PROFILE_REASONS; i++) {
        uint64_t all = 0;

        for (unsigned k = 0; k < PROFILE_REASONS; k++)
            all += view_alike(i, k) ? sum[k] : 0;
        if (all > most) {
            most = all;
            at = i;
        }
    }
    *cycles = most;
    return at;
}

/* Were most of these waits for a unit for SEND? */
static bool for_send(const struct profile_result *r, uint64_t cycles)
{
    uint64_t sends = 0;

    for (uint32_t i = 0; i < r->count; i++)
        if (r->inst[i].send != PROFILE_NONE)
            sends += cycles_like(&r->inst[i], PROFILE_UNIT);
    return 2 * sends > cycles;
}

static void judge_waits(struct view_verdict *d, const struct view *v, uint32_t at)
{
    const struct profile_result *r = &v->result[at];
    uint64_t cycles;
    unsigned reason = biggest(r, &cycles), name = reason;
    bool l3;

    if (view_alike(reason, PROFILE_UNIT) && for_send(r, cycles))
        name = PROFILE_MSG_PAYLOAD;
    l3 = view_alike(reason, PROFILE_CREDIT) && l3_is_slow(v, at);
    d->cause = l3 ? "l3-banks" : causes[name].cause;
    d->reason = name;
    (void)snprintf(d->words, sizeof(d->words), "%s",
                   l3 ? "the banks of the L3, which keep the data port's credits"
                      : causes[name].words);
    say(d, "%.1f %% of the threads' cycles", percent(cycles, r->thread_cycles));
    say_where(d, v, at, reason);
}

/* Most slots are empty, and waits do not say why. */
static bool judge_empty(struct view_verdict *d, const struct view *v, uint32_t at)
{
    const struct profile_result *r = &v->result[at];
    const uint64_t *e = r->empty;
    uint64_t all = r->thread_cycles, most = 0;
    struct view_room room;
    unsigned why = 0;

    for (unsigned i = 0; i < PROFILE_EMPTIES; i++) {
        all += e[i];
        if (e[i] > most) {
            most = e[i];
            why = i;
        }
    }
    if (2 * r->thread_cycles > all || why == PROFILE_EMPTY_NEVER || 2 * most < all)
        return false;
    view_room(v, at, &room);
    if (why == PROFILE_EMPTY_TAIL) {
        d->cause = "tail";
        (void)snprintf(d->words, sizeof(d->words), "its last threads");
    } else {
        d->cause = "dispatch";
        (void)snprintf(d->words, sizeof(d->words), "the dispatch of threads");
    }
    say(d,
        "%.1f %% of the thread slots' cycles are empty, %.1f %% %s; threads live %.0f "
        "cycles",
        percent(all - r->thread_cycles, all), percent(most, all),
        why == PROFILE_EMPTY_TAIL    ? "behind the slots' last threads"
        : why == PROFILE_EMPTY_START ? "before the slots' first threads"
                                     : "between two threads of a slot",
        r->threads != 0 ? (double)r->thread_cycles / (double)r->threads : 0);
    return true;
}

static void say_room(struct view_verdict *d, const struct view *v, uint32_t at)
{
    const struct profile_result *r = &v->result[at];
    uint64_t slots = v->config->gpu_subslices * v->config->eu_count *
                     v->config->eu_threads * (r->end - r->start);
    struct view_room room;

    if (percent(r->thread_cycles, slots) >= 60)
        return;
    view_room(v, at, &room);
    say(d,
        "; %.0f %% of the thread slots are in use (room: %u threads a subslice, by "
        "%s)",
        percent(r->thread_cycles, slots), room.threads, room.limit);
}

void view_judge(const struct view *v, uint32_t at, struct view_verdict *d)
{
    struct view_load loads[VIEW_LOADS];
    unsigned count = view_loads(v, at, loads);

    d->words[0] = d->evidence[0] = '\0';
    d->load = NULL;
    d->reason = PROFILE_UNIT;
    if (judge_memory(d, v, at, loads, count) || judge_fpus(d, v, at, loads, count) ||
        judge_empty(d, v, at))
        return;
    judge_waits(d, v, at);
    say_room(d, v, at);
}

uint32_t view_longest(const struct view *v)
{
    uint32_t most = 0;

    for (uint32_t i = 1; i < v->count; i++)
        if (v->result[i].end - v->result[i].start >
            v->result[most].end - v->result[most].start)
            most = i;
    return most;
}
