/* trace_dump_json.c - `igpu trace dump --format json`: one object, written while the
 * trace is read. docs/contract/formats.md lists its members. */
#include <stdlib.h>

#include "igpu/json.h"
#include "traces/format/trace_dump.h"

static void print_header(const struct trace_reader *r, struct igpu_json *j)
{
    const struct trace_header *h = trace_header(r);
    const struct trace_summary *s = trace_summary(r);
    char version[24];

    (void)snprintf(version, sizeof(version), "%u.%u", (unsigned)s->major,
                   (unsigned)s->minor);
    igpu_json_text(j, "format", version);
    igpu_json_text(j, "producer", h->producer);
    igpu_json_text(j, "device", h->device);
    igpu_json_text(j, "program", h->program);
    igpu_json_text(j, "command_line", h->command_line);
    igpu_json_u64(j, "threads", s->threads);
    igpu_json_u64(j, "instructions", s->totals.instructions);
    igpu_json_u64(j, "lane_instructions", s->totals.lane_instructions);
    igpu_json_u64(j, "flops", s->totals.flops);
    igpu_json_u64(j, "accesses", s->accesses);
}

static void print_blocks(const struct trace_kernel *k, struct igpu_json *j)
{
    igpu_json_array(j, "blocks", IGPU_JSON_LINES);
    for (uint32_t b = 0; b < k->blocks.count; b++) {
        const struct isa_block *block = &k->blocks.block[b];

        igpu_json_object(j, NULL, IGPU_JSON_ROW);
        igpu_json_u64(j, "first", block->first);
        igpu_json_u64(j, "count", block->count);
        igpu_json_array(j, "successors", IGPU_JSON_ROW);
        for (uint32_t s = 0; s < block->nsucc; s++)
            igpu_json_u64(j, NULL, block->succ[s]);
        igpu_json_end(j);
        igpu_json_bool(j, "any_successor", block->is_dynamic);
        igpu_json_bool(j, "ends_thread", block->ends_thread);
        igpu_json_end(j);
    }
    igpu_json_end(j);
}

static void print_kernel(const struct trace_reader *r, uint32_t index, bool code,
                         struct igpu_json *j)
{
    const struct trace_kernel *k = trace_kernel(r, index);

    igpu_json_object(j, NULL, IGPU_JSON_LINES);
    igpu_json_text(j, "name", k->name);
    igpu_json_text(j, "build_options", k->build_options);
    igpu_json_u64(j, "simd", k->simd);
    igpu_json_u64(j, "slm_bytes", k->slm_bytes);
    igpu_json_u64(j, "grf_count", k->grf_count);
    igpu_json_bool(j, "barriers", k->barriers);
    if (code) {
        print_blocks(k, j);
        igpu_json_array(j, "instructions", IGPU_JSON_LINES);
        trace_json_instructions(k, index, j);
        igpu_json_end(j);
    }
    igpu_json_end(j);
}

static void print_triple(const char *name, const uint64_t *v, struct igpu_json *j)
{
    igpu_json_array(j, name, IGPU_JSON_ROW);
    for (unsigned i = 0; i < 3; i++)
        igpu_json_u64(j, NULL, v[i]);
    igpu_json_end(j);
}

/* "0x" and the digits, the highest byte first. */
static enum igpu_status print_value(const struct trace_arg *a, struct igpu_json *j,
                                    struct igpu_err *err)
{
    char *text = malloc(2 * (size_t)a->bytes + 3), *at = text;

    if (text == NULL)
        return igpu_no_memory(err, "a dump");
    at += sprintf(at, "0x");
    for (uint64_t k = a->bytes; k-- > 0;)
        at += sprintf(at, "%02x", a->value[k]);
    igpu_json_text(j, "value", text);
    free(text);
    return IGPU_OK;
}

static enum igpu_status print_args(const struct trace_launch *l, struct igpu_json *j,
                                   struct igpu_err *err)
{
    static const char *const kinds[] = {"value", "buffer", "local", "image", "sampler"};
    enum igpu_status status = IGPU_OK;

    igpu_json_array(j, "args", IGPU_JSON_ROW);
    for (uint32_t i = 0; i < l->nargs && status == IGPU_OK; i++) {
        const struct trace_arg *a = &l->args[i];

        igpu_json_object(j, NULL, IGPU_JSON_ROW);
        igpu_json_text(j, "kind", kinds[a->kind]);
        igpu_json_u64(j, "bytes", a->bytes);
        if (a->kind == TRACE_ARG_BUFFER || a->kind == TRACE_ARG_IMAGE)
            igpu_json_u64(j, "address", a->address);
        if (a->kind == TRACE_ARG_VALUE)
            status = print_value(a, j, err);
        igpu_json_end(j);
    }
    igpu_json_end(j);
    return status;
}

static enum igpu_status print_path(struct trace_cursor *c, struct igpu_json *j,
                                   struct igpu_err *err)
{
    enum trace_next next;
    uint32_t block;

    igpu_json_array(j, "path", IGPU_JSON_ROW);
    while ((next = trace_cursor_next_block(c, &block, err)) == TRACE_NEXT_OK)
        igpu_json_u64(j, NULL, block);
    igpu_json_end(j);
    return next == TRACE_NEXT_ERROR ? IGPU_BAD_INPUT : IGPU_OK;
}

static void print_payload(const struct trace_payload *p, struct igpu_json *j)
{
    igpu_json_array(j, "work", IGPU_JSON_ROW);
    for (uint32_t w = 0; w < TRACE_WORKS; w++)
        igpu_json_u64(j, NULL, p->work[w]);
    igpu_json_end(j);
    igpu_json_u64(j, "needed", p->needed);
    igpu_json_u64(j, "draw", p->draw);
    igpu_json_u64(j, "stage", p->stage);
    igpu_json_array(j, "depth", IGPU_JSON_ROW);
    for (uint32_t i = 0; i < p->runs; i++) {
        igpu_json_array(j, NULL, IGPU_JSON_ROW);
        igpu_json_u64(j, NULL, p->depth[i].page);
        igpu_json_u64(j, NULL, p->depth[i].lines);
        igpu_json_u64(j, NULL, p->depth[i].how);
        igpu_json_end(j);
    }
    igpu_json_end(j);
}

/* What a message of graphics is about. */
static void print_graphics(const struct trace_graphics *g, uint32_t lines,
                           struct igpu_json *j)
{
    if (g->family == ISA_MSG_PAYLOAD) {
        print_payload(&g->payload, j);
        return;
    }
    if (g->family == ISA_MSG_TEXTURE) {
        igpu_json_u64(j, "samples", g->texture.samples);
    } else {
        igpu_json_u64(j, "written", g->target.written);
        igpu_json_u64(j, "read", g->target.read);
    }
    igpu_json_array(j, "how", IGPU_JSON_ROW);
    for (uint32_t i = 0; i < lines; i++)
        igpu_json_u64(j, NULL, g->how[i]);
    igpu_json_end(j);
}

static enum igpu_status print_accesses(struct trace_cursor *c, struct igpu_json *j,
                                       struct igpu_err *err)
{
    const struct trace_graphics *g;
    struct trace_access a;
    enum trace_next next;

    igpu_json_array(j, "accesses", IGPU_JSON_LINES);
    while ((next = trace_cursor_next_access(c, &a, err)) == TRACE_NEXT_OK) {
        igpu_json_object(j, NULL, IGPU_JSON_ROW);
        igpu_json_u64(j, "instruction", a.inst);
        igpu_json_u64(j, "mask", a.mask);
        igpu_json_array(j, "addresses", IGPU_JSON_ROW);
        for (uint32_t lane = 0; lane < TRACE_MAX_LANES; lane++)
            if (a.mask >> lane & 1)
                igpu_json_u64(j, NULL, a.addr[lane]);
        igpu_json_end(j);
        g = trace_cursor_graphics(c);
        if (g != NULL)
            print_graphics(g, (uint32_t)__builtin_popcount(a.mask), j);
        igpu_json_end(j);
    }
    igpu_json_end(j);
    return next == TRACE_NEXT_ERROR ? IGPU_BAD_INPUT : IGPU_OK;
}

static enum igpu_status print_thread(struct trace_reader *r, uint32_t launch,
                                     uint32_t thread, struct igpu_json *j,
                                     struct igpu_err *err)
{
    struct trace_totals totals = {0, 0, 0};
    enum igpu_status status;
    struct trace_cursor *c = trace_cursor_open(r, launch, thread, &status, err);

    if (!c)
        return status;
    status = trace_cursor_totals(c, &totals, err);
    igpu_json_object(j, NULL, IGPU_JSON_LINES);
    igpu_json_u64(j, "thread", thread);
    igpu_json_u64(j, "instructions", totals.instructions);
    igpu_json_u64(j, "lane_instructions", totals.lane_instructions);
    igpu_json_u64(j, "flops", totals.flops);
    if (status == IGPU_OK)
        status = print_path(c, j, err);
    if (status == IGPU_OK)
        status = print_accesses(c, j, err);
    igpu_json_end(j);
    trace_cursor_close(c);
    return status;
}

static enum igpu_status print_launch(struct trace_reader *r, uint32_t index,
                                     const struct trace_dump_options *o,
                                     struct igpu_json *j, struct igpu_err *err)
{
    const struct trace_launch *l = trace_launch(r, index);
    enum igpu_status status;

    igpu_json_object(j, NULL, IGPU_JSON_LINES);
    igpu_json_u64(j, "launch", index);
    igpu_json_u64(j, "kernel", l->kernel);
    igpu_json_u64(j, "work_dim", l->dims);
    print_triple("global", l->global, j);
    print_triple("local", l->local, j);
    print_triple("offset", l->offset, j);
    igpu_json_u64(j, "slm_bytes", l->slm_bytes);
    igpu_json_u64(j, "threads_per_group", l->threads_per_group);
    if (l->context != 0)
        igpu_json_u64(j, "context", l->context);
    if (l->draw != 0)
        igpu_json_u64(j, "draw", l->draw);
    if (l->arbiter != TRACE_ARBITER_ANY)
        igpu_json_text(j, "arbiter", trace_arbiter_name(l->arbiter));
    status = print_args(l, j, err);
    igpu_json_array(j, "threads", IGPU_JSON_LINES);
    for (uint32_t t = o->first; t < l->threads && t <= o->last && status == IGPU_OK;
         t++)
        status = print_thread(r, index, t, j, err);
    igpu_json_end(j);
    igpu_json_end(j);
    return status;
}

enum igpu_status trace_dump_json(struct trace_reader *r,
                                 const struct trace_dump_options *o, FILE *out,
                                 struct igpu_err *err)
{
    const struct trace_summary *s = trace_summary(r);
    enum igpu_status status = IGPU_OK;
    struct igpu_json j;

    igpu_json_start(&j, out, false);
    igpu_json_object(&j, NULL, IGPU_JSON_LINES);
    print_header(r, &j);
    igpu_json_array(&j, "kernels", IGPU_JSON_LINES);
    for (uint32_t i = 0; i < s->kernels; i++)
        print_kernel(r, i, o->code, &j);
    igpu_json_end(&j);
    igpu_json_array(&j, "launches", IGPU_JSON_LINES);
    for (uint32_t i = o->launch_first;
         i < s->launches && i <= o->launch_last && status == IGPU_OK; i++)
        status = print_launch(r, i, o, &j, err);
    igpu_json_end(&j);
    igpu_json_end(&j);
    return status;
}
