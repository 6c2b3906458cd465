/* view_text.c - a profile as text; see view.h. */
#include <inttypes.h>
#include <string.h>

#include "bridge/programs/view/view.h"

static double percent(uint64_t part, uint64_t whole)
{
    return whole != 0 ? 100.0 * (double)part / (double)whole : 0;
}

const struct trace_kernel *view_kernel(const struct view *v, uint32_t at)
{
    return trace_kernel(v->reader,
                        trace_launch(v->reader, v->result[at].launch)->kernel);
}

/* What a send does, in words behind its descriptors. */
static void add_message(const struct isa_inst *inst, char text[VIEW_ASM])
{
    const struct isa_message *m = &inst->msg;
    size_t at = strlen(text);

    if (m->family == ISA_MSG_NONE || inst->eot)
        return;
    if (m->addr_model == ISA_ADDR_BTI)
        (void)snprintf(text + at, VIEW_ASM - at, " // %s, surface %u",
                       isa_family_name((enum isa_family)m->family), m->bti);
    else if (m->addr_model != ISA_ADDR_NONE)
        (void)snprintf(text + at, VIEW_ASM - at, " // %s, %s",
                       isa_family_name((enum isa_family)m->family),
                       isa_addr_model_name((enum isa_addr_model)m->addr_model));
    else
        (void)snprintf(text + at, VIEW_ASM - at, " // %s",
                       isa_family_name((enum isa_family)m->family));
}

void view_disasm(const struct trace_kernel *k, uint32_t inst, char text[VIEW_ASM])
{
    char *to = text;

    (void)isa_disasm(&k->code.inst[inst], text, VIEW_ASM);
    add_message(&k->code.inst[inst], text);
    for (const char *from = text; *from != '\0'; from++)
        if (*from != ' ' || (to > text && to[-1] != ' '))
            *to++ = *from;
    while (to > text && to[-1] == ' ')
        to--;
    *to = '\0';
}

uint64_t view_cycles(const struct profile_inst *inst)
{
    uint64_t sum = inst->issues;

    for (unsigned k = 0; k < PROFILE_REASONS; k++)
        sum += inst->wait[k];
    return sum;
}

void view_line(FILE *out, const struct view *v)
{
    struct view_verdict d;

    if (v->count == 0)
        return;
    view_judge(v, view_longest(v), &d);
    fprintf(out, "held up by    %s (%s)\n              %s\n", d.words, d.cause,
            d.evidence);
}

static void print_reasons(FILE *out, const struct view *v, uint32_t at)
{
    const struct profile_result *r = &v->result[at];
    const struct view_sample *s =
        v->sample != NULL && v->sample[at].sampled ? &v->sample[at] : NULL;
    uint64_t sum[PROFILE_REASONS], issues;
    bool done[PROFILE_REASONS] = {false};

    profile_sum(r, sum, &issues);
    fprintf(out, "\n%7s  %-13s  where the threads' %" PRIu64 " cycles went\n", "share",
            "reason", r->thread_cycles);
    fprintf(out, "%5.1f %%  %-13s  an instruction issues\n",
            percent(issues, r->thread_cycles), "issue");
    for (;;) {
        unsigned most = PROFILE_REASONS;

        for (unsigned k = 0; k < PROFILE_REASONS; k++)
            if (!done[k] && sum[k] != 0 &&
                (most == PROFILE_REASONS || sum[k] > sum[most]))
                most = k;
        if (most == PROFILE_REASONS)
            return;
        done[most] = true;
        fprintf(out, "%5.1f %%  %-13s  %s", percent(sum[most], r->thread_cycles),
                profile_key((enum profile_reason)most),
                profile_text((enum profile_reason)most));
        if (s != NULL)
            fprintf(out, " (+-%.1f %%)",
                    100 * s->half[most] / (double)r->thread_cycles);
        fputc('\n', out);
    }
}

static void print_loads(FILE *out, const struct view *v, uint32_t at)
{
    struct view_load loads[VIEW_LOADS];
    unsigned count = view_loads(v, at, loads);

    fprintf(out, "\n%7s  speed of light\n", "busy");
    for (unsigned i = 0; i < count; i++)
        fprintf(out, "%5.1f %%  %s\n", 100 * loads[i].share, loads[i].text);
}

static void print_room(FILE *out, const struct view *v, uint32_t at)
{
    static const char *const texts[PROFILE_EMPTIES] = {
        "before a slot's first thread", "between two threads",
        "behind a slot's last thread", "slots without any thread"};
    const struct profile_result *r = &v->result[at];
    uint64_t slots = r->thread_cycles;
    struct view_room room;

    for (unsigned i = 0; i < PROFILE_EMPTIES; i++)
        slots += r->empty[i];
    view_room(v, at, &room);
    fprintf(out, "\n%7s  thread slots: room for %u threads a subslice, by %s\n",
            "share", room.threads, room.limit);
    fprintf(out, "%5.1f %%  taken\n", percent(r->thread_cycles, slots));
    for (unsigned i = 0; i < PROFILE_EMPTIES; i++)
        if (r->empty[i] != 0)
            fprintf(out, "%5.1f %%  empty, %s\n", percent(r->empty[i], slots),
                    texts[i]);
}

/* The reason with the most cycles; PROFILE_REASONS: none. */
static unsigned main_reason(const struct profile_inst *inst)
{
    unsigned most = PROFILE_REASONS;

    for (unsigned k = 0; k < PROFILE_REASONS; k++)
        if (inst->wait[k] != 0 &&
            (most == PROFILE_REASONS || inst->wait[k] > inst->wait[most]))
            most = k;
    return most;
}

static void print_producer(FILE *out, const struct profile_result *r, uint32_t i)
{
    uint32_t most = PROFILE_NONE;

    for (uint32_t e = r->inst[i].edge; e != PROFILE_NONE; e = r->edge[e].next)
        if (most == PROFILE_NONE || r->edge[e].cycles > r->edge[most].cycles)
            most = e;
    if (most == PROFILE_NONE)
        fprintf(out, "%6s", "");
    else
        fprintf(out, "%6u", r->edge[most].producer);
}

static void print_inst(FILE *out, const struct view *v, uint32_t at, uint32_t i)
{
    const struct profile_result *r = &v->result[at];
    const struct profile_inst *inst = &r->inst[i];
    unsigned reason = main_reason(inst);
    char text[VIEW_ASM];

    view_disasm(view_kernel(v, at), i, text);
    fprintf(out, "%5.1f %%  %10" PRIu64 "  %-13s ",
            percent(view_cycles(inst), r->thread_cycles), inst->issues,
            reason == PROFILE_REASONS ? "-" : profile_key((enum profile_reason)reason));
    print_producer(out, r, i);
    fprintf(out, "  %5u: %s\n", i, text);
}

static void print_insts(FILE *out, const struct view *v, uint32_t at)
{
    const struct profile_result *r = &v->result[at];
    uint64_t below = UINT64_MAX;
    uint32_t shown = 0;

    fprintf(out, "\n%7s  %10s  %-13s %6s  %5s  instruction\n", "share", "executions",
            "most for", "after", "index");
    while (shown < v->top && below > 0) {
        uint64_t most = 0;

        for (uint32_t i = 0; i < r->count; i++) {
            uint64_t cycles = view_cycles(&r->inst[i]);

            if (cycles < below && cycles > most)
                most = cycles;
        }
        for (uint32_t i = 0; i < r->count && most > 0; i++)
            if (view_cycles(&r->inst[i]) == most && shown++ < v->top)
                print_inst(out, v, at, i);
        below = most;
    }
}

static void print_sample(FILE *out, const struct view *v, uint32_t at)
{
    const struct view_sample *s = v->sample != NULL ? &v->sample[at] : NULL;

    if (s != NULL && s->sampled)
        fprintf(out,
                "  a sample: %" PRIu64
                " threads were simulated; intervals are of 95 %% "
                "confidence\n",
                s->threads);
    if (s != NULL && s->stands_for > 1)
        fprintf(out, "  %u launches that execute the same were left out\n",
                s->stands_for - 1);
}

static void print_without(FILE *out, const struct view *v, uint32_t at,
                          const struct view_verdict *d)
{
    struct view_without w;

    view_without(v, at, d, &w);
    fprintf(out, "  without it about %.0f cycles, by %s\n", w.floor, w.next);
    if (v->ease_cycles > 0)
        fprintf(out, "  with each wait for it %u cycles shorter: about %.0f\n",
                v->ease_cycles, w.eased);
    else if (v->ease_share > 0)
        fprintf(out, "  with %.0f %% of it: about %.0f cycles\n",
                100 * (1 - v->ease_share), w.eased);
}

static void print_launch(FILE *out, const struct view *v, uint32_t at)
{
    const struct profile_result *r = &v->result[at];
    struct view_verdict d;

    view_judge(v, at, &d);
    fprintf(out, "launch %u, ", r->launch);
    if (trace_launch(v->reader, r->launch)->draw != 0)
        fprintf(out, "draw %u, ", trace_launch(v->reader, r->launch)->draw);
    fprintf(out, "%s, is held up by %s (%s)\n  %s\n", view_kernel(v, at)->name, d.words,
            d.cause, d.evidence);
    fprintf(out, "  %" PRIu64 " cycles%s on %s, engine %s; %" PRIu64 " threads\n",
            r->end - r->start, r->complete ? "" : " (stopped early)", v->config->name,
            v->engine, r->threads);
    print_without(out, v, at, &d);
    print_sample(out, v, at);
    print_reasons(out, v, at);
    print_loads(out, v, at);
    print_room(out, v, at);
    view_text_buffers(out, v, at);
    view_text_heat(out, v, at);
    view_text_parts(out, v, at);
    view_text_lines(out, v, at);
    print_insts(out, v, at);
    view_text_energy(out, v, at);
}

void view_text(FILE *out, const struct view *v)
{
    for (uint32_t i = 0; i < v->count; i++) {
        if (i > 0)
            fputc('\n', out);
        print_launch(out, v, i);
    }
}
