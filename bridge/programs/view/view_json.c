/* view_json.c - a profile as JSON (docs/guide/profile.md, section 5); see view.h. */
#include <stdlib.h>

#include "bridge/programs/view/view.h"
#include "igpu/json.h"

enum { SCHEMA = 1 };

void view_json_from(struct igpu_json *j, const uint64_t from[MEM_LINE_LEVELS])
{
    igpu_json_object(j, "lines_from", IGPU_JSON_ROW);
    for (unsigned i = 0; i < MEM_LINE_LEVELS; i++)
        if (from[i] != 0)
            igpu_json_u64(j, profile_level((enum mem_level)i), from[i]);
    igpu_json_end(j);
}

void view_json_reasons(struct igpu_json *j, const char *key,
                       const uint64_t wait[PROFILE_REASONS])
{
    igpu_json_object(j, key, IGPU_JSON_ROW);
    for (unsigned k = 0; k < PROFILE_REASONS; k++)
        if (wait[k] != 0)
            igpu_json_u64(j, profile_key((enum profile_reason)k), wait[k]);
    igpu_json_end(j);
}

static void json_send(struct igpu_json *j, const struct profile_send *s)
{
    unsigned last = PROFILE_BUCKETS;

    igpu_json_object(j, "send", IGPU_JSON_ROW);
    igpu_json_u64(j, "messages", s->messages);
    igpu_json_u64(j, "lines", s->lines);
    igpu_json_u64(j, "bytes", s->bytes);
    view_json_from(j, s->from);
    igpu_json_object(j, "answered_by", IGPU_JSON_ROW);
    for (unsigned i = 0; i < MEM_LEVELS; i++)
        if (s->level[i] != 0)
            igpu_json_u64(j, profile_level((enum mem_level)i), s->level[i]);
    igpu_json_end(j);
    igpu_json_u64(j, "port_cycles", s->queued);
    igpu_json_u64(j, "table_full_cycles", s->full);
    igpu_json_u64(j, "latency_cycles", s->latency);
    igpu_json_u64(j, "latency_most", s->latency_most);
    igpu_json_array(j, "latency", IGPU_JSON_ROW);
    while (last > 0 && s->bucket[last - 1] == 0)
        last--;
    for (unsigned i = 0; i < last; i++) {
        if (s->bucket[i] == 0)
            continue;
        igpu_json_array(j, NULL, IGPU_JSON_ROW);
        igpu_json_u64(j, NULL, profile_bucket_from(i));
        igpu_json_u64(j, NULL, s->bucket[i]);
        igpu_json_end(j);
    }
    igpu_json_end(j);
    igpu_json_end(j);
}

/* Where the functions are called that it is inlined with, the innermost first. */
static void json_calls(struct igpu_json *j, const struct trace_kernel *k, uint32_t i)
{
    uint32_t call = k->line != NULL ? k->line[i].call : 0;

    if (call == 0)
        return;
    igpu_json_array(j, "called_from", IGPU_JSON_ROW);
    for (; call != 0; call = k->call[call - 1].up) {
        igpu_json_array(j, NULL, IGPU_JSON_ROW);
        igpu_json_u64(j, NULL, k->call[call - 1].source - 1);
        igpu_json_u64(j, NULL, k->call[call - 1].line);
        igpu_json_end(j);
    }
    igpu_json_end(j);
}

/* pj: of all instructions, or NULL. */
static void json_inst(struct igpu_json *j, const struct view *v, uint32_t at,
                      uint32_t i, const double *pj)
{
    const struct profile_result *r = &v->result[at];
    const struct profile_inst *inst = &r->inst[i];
    const struct trace_kernel *k = view_kernel(v, at);
    char text[VIEW_ASM];

    view_disasm(k, i, text);
    igpu_json_object(j, NULL, IGPU_JSON_ROW);
    igpu_json_u64(j, "pc", k->code.inst[i].pc);
    igpu_json_u64(j, "block", k->blocks.block_of[i]);
    igpu_json_text(j, "text", text);
    if (view_source(k, i) != NULL) {
        igpu_json_array(j, "line", IGPU_JSON_ROW);
        igpu_json_u64(j, NULL, k->line[i].source - 1);
        igpu_json_u64(j, NULL, k->line[i].line);
        igpu_json_end(j);
    }
    json_calls(j, k, i);
    igpu_json_u64(j, "issues", inst->issues);
    if (pj != NULL)
        igpu_json_real(j, "energy_pj", pj[i], 1);
    view_json_reasons(j, "wait", inst->wait);
    if (inst->edge != PROFILE_NONE) {
        igpu_json_array(j, "for", IGPU_JSON_ROW);
        for (uint32_t e = inst->edge; e != PROFILE_NONE; e = r->edge[e].next) {
            igpu_json_object(j, NULL, IGPU_JSON_ROW);
            igpu_json_u64(j, "producer", r->edge[e].producer);
            igpu_json_text(j, "reason",
                           profile_key((enum profile_reason)r->edge[e].reason));
            igpu_json_u64(j, "cycles", r->edge[e].cycles);
            igpu_json_end(j);
        }
        igpu_json_end(j);
    }
    if (inst->send != PROFILE_NONE && r->send[inst->send].messages != 0)
        json_send(j, &r->send[inst->send]);
    igpu_json_end(j);
}

static void json_shape(struct igpu_json *j, const struct view *v, uint32_t at)
{
    static const char *const empties[PROFILE_EMPTIES] = {"start", "between", "tail",
                                                         "never"};
    const struct profile_result *r = &v->result[at];
    struct view_load loads[VIEW_LOADS];
    unsigned count = view_loads(v, at, loads);
    struct view_room room;

    igpu_json_object(j, "busy", IGPU_JSON_ROW);
    for (unsigned i = 0; i < count; i++)
        igpu_json_real(j, loads[i].key, loads[i].share, 6);
    igpu_json_end(j);
    view_room(v, at, &room);
    igpu_json_object(j, "slots", IGPU_JSON_ROW);
    igpu_json_u64(j, "room", room.threads);
    igpu_json_text(j, "limit", room.limit);
    igpu_json_u64(j, "taken", r->thread_cycles);
    for (unsigned i = 0; i < PROFILE_EMPTIES; i++)
        igpu_json_u64(j, empties[i], r->empty[i]);
    igpu_json_end(j);
}

static void json_traffic(struct igpu_json *j, const struct sim_stats *n)
{
    igpu_json_object(j, "traffic", IGPU_JSON_ROW);
    igpu_json_u64(j, "flops", n->run_flops);
    igpu_json_u64(j, "instructions", n->run_instructions);
    igpu_json_u64(j, "lanes", n->run_lane_instructions);
    igpu_json_u64(j, "slm_words", n->slm_words);
    igpu_json_u64(j, "l3_lines", n->l3_accesses);
    igpu_json_u64(j, "llc_lines", n->llc_accesses);
    igpu_json_u64(j, "dram_bytes", n->dram_bytes);
    igpu_json_end(j);
}

static void json_sources(struct igpu_json *j, const struct trace_kernel *k)
{
    if (k->line == NULL)
        return;
    igpu_json_array(j, "sources", IGPU_JSON_LINES);
    for (uint32_t i = 0; i < k->sources; i++) {
        igpu_json_object(j, NULL, IGPU_JSON_ROW);
        igpu_json_text(j, "name", k->source[i].name);
        igpu_json_text(j, "text", k->source[i].text);
        igpu_json_end(j);
    }
    igpu_json_end(j);
}

static void json_sample(struct igpu_json *j, const struct view *v, uint32_t at)
{
    const struct view_sample *s = v->sample != NULL ? &v->sample[at] : NULL;

    if (s == NULL)
        return;
    igpu_json_u64(j, "stands_for", s->stands_for);
    if (!s->sampled)
        return;
    igpu_json_object(j, "sample", IGPU_JSON_ROW);
    igpu_json_u64(j, "threads", s->threads);
    igpu_json_object(j, "half", IGPU_JSON_ROW);
    for (unsigned k = 0; k < PROFILE_REASONS; k++)
        if (s->half[k] > 0)
            igpu_json_real(j, profile_key((enum profile_reason)k), s->half[k], 1);
    igpu_json_end(j);
    igpu_json_end(j);
}

static void json_without(struct igpu_json *j, const struct view *v, uint32_t at,
                         const struct view_verdict *d)
{
    struct view_without w;

    view_without(v, at, d, &w);
    igpu_json_object(j, "without", IGPU_JSON_ROW);
    igpu_json_real(j, "cycles", w.floor, 0);
    igpu_json_text(j, "next", w.next);
    igpu_json_real(j, "part", w.part, 0);
    if (v->ease_cycles > 0 || v->ease_share > 0)
        igpu_json_real(j, "eased", w.eased, 0);
    igpu_json_end(j);
}

/* The members of one launch; `name` NULL: in an array. */
static void view_json_launch(struct igpu_json *j, const struct view *v, uint32_t at)
{
    const struct profile_result *r = &v->result[at];
    const struct trace_launch *l = trace_launch(v->reader, r->launch);
    uint64_t sum[PROFILE_REASONS], issues;
    double *pj = view_energy(v, at);
    struct view_verdict d;

    view_judge(v, at, &d);
    profile_sum(r, sum, &issues);
    igpu_json_object(j, NULL, IGPU_JSON_LINES);
    igpu_json_u64(j, "launch", r->launch);
    if (l->draw != 0)
        igpu_json_u64(j, "draw", l->draw);
    igpu_json_text(j, "kernel", view_kernel(v, at)->name);
    igpu_json_u64(j, "queue", l->context);
    igpu_json_text(j, "cause", d.cause);
    igpu_json_text(j, "verdict", d.words);
    igpu_json_text(j, "evidence", d.evidence);
    json_without(j, v, at, &d);
    igpu_json_u64(j, "cycles", r->end - r->start);
    igpu_json_u64(j, "threads", r->threads);
    igpu_json_u64(j, "simd", view_kernel(v, at)->simd);
    igpu_json_u64(j, "thread_cycles", r->thread_cycles);
    igpu_json_u64(j, "issues", issues);
    igpu_json_bool(j, "complete", r->complete);
    view_json_reasons(j, "wait", sum);
    json_sample(j, v, at);
    json_shape(j, v, at);
    json_traffic(j, &v->launch[at]);
    view_json_buffers(j, v, at);
    view_json_heat(j, v, at);
    view_json_parts(j, v, at);
    json_sources(j, view_kernel(v, at));
    igpu_json_array(j, "instructions", IGPU_JSON_LINES);
    for (uint32_t i = 0; i < r->count; i++)
        json_inst(j, v, at, i, pj);
    free(pj);
    igpu_json_end(j);
    igpu_json_end(j);
}

void view_json(FILE *out, const struct view *v)
{
    const struct igpu_config *c = v->config;
    struct igpu_json j;

    igpu_json_start(&j, out, true);
    igpu_json_object(&j, NULL, IGPU_JSON_LINES);
    igpu_json_u64(&j, "profile", SCHEMA);
    igpu_json_text(&j, "trace", v->trace);
    igpu_json_text(&j, "engine", v->engine);
    igpu_json_text(&j, "config", c->name);
    igpu_json_u64(&j, "clock_hz", c->gpu_clock_hz);
    igpu_json_u64(&j, "eus", c->gpu_subslices * c->eu_count);
    igpu_json_u64(&j, "slots", c->gpu_subslices * c->eu_count * c->eu_threads);
    igpu_json_u64(&j, "l3_bytes_per_cycle", 64 * c->l3_banks * c->gpu_slices);
    igpu_json_real(&j, "dram_bytes_per_cycle",
                   16.0 * (double)c->dram_channels * (double)c->dram_clock_hz /
                       (double)c->gpu_clock_hz,
                   6);
    igpu_json_object(&j, "reasons", IGPU_JSON_ROW);
    for (unsigned k = 0; k < PROFILE_REASONS; k++)
        igpu_json_text(&j, profile_key((enum profile_reason)k),
                       profile_text((enum profile_reason)k));
    igpu_json_end(&j);
    igpu_json_array(&j, "launches", IGPU_JSON_LINES);
    for (uint32_t i = 0; i < v->count; i++)
        view_json_launch(&j, v, i);
    igpu_json_end(&j);
    igpu_json_end(&j);
}
