/* trace_dump_json.c - `igpu trace dump --format json`: one object, written while the
 * trace is read. docs/7-formats.md lists its members. */
#include <inttypes.h>

#include "igpu/json.h"
#include "traces/format/trace_dump.h"

static void member(const char *name, const char *text, FILE *out)
{
    fprintf(out, "\"%s\": ", name);
    igpu_json_string(text, out);
    fputs(",\n", out);
}

static void print_header(const struct trace_reader *r, FILE *out)
{
    const struct trace_header *h = trace_header(r);
    const struct trace_summary *s = trace_summary(r);

    fprintf(out, "{\"format\": \"%" PRIu32 ".%" PRIu32 "\",\n", s->major, s->minor);
    member("producer", h->producer, out);
    member("device", h->device, out);
    member("program", h->program, out);
    member("command_line", h->command_line, out);
    fprintf(out,
            "\"threads\": %" PRIu64 ", \"instructions\": %" PRIu64
            ", \"lane_instructions\": %" PRIu64 ", \"flops\": %" PRIu64
            ", \"accesses\": %" PRIu64 ",\n",
            s->threads, s->totals.instructions, s->totals.lane_instructions,
            s->totals.flops, s->accesses);
}

static void print_blocks(const struct trace_kernel *k, FILE *out)
{
    for (uint32_t b = 0; b < k->blocks.count; b++) {
        const struct isa_block *block = &k->blocks.block[b];

        fprintf(out,
                "%s{\"first\": %" PRIu32 ", \"count\": %" PRIu32 ", \"successors\": [",
                b ? ",\n  " : "\n  ", block->first, block->count);
        for (uint32_t s = 0; s < block->nsucc; s++)
            fprintf(out, "%s%" PRIu32, s ? ", " : "", block->succ[s]);
        fprintf(out, "], \"any_successor\": %s, \"ends_thread\": %s}",
                block->is_dynamic ? "true" : "false",
                block->ends_thread ? "true" : "false");
    }
}

static void print_kernel(const struct trace_reader *r, uint32_t index, bool code,
                         FILE *out)
{
    const struct trace_kernel *k = trace_kernel(r, index);

    fputs(index ? ",\n {" : "\n {", out);
    member("name", k->name, out);
    member("build_options", k->build_options, out);
    fprintf(out,
            "\"simd\": %" PRIu32 ", \"slm_bytes\": %" PRIu32 ", \"grf_count\": %" PRIu32
            ", \"barriers\": %s",
            k->simd, k->slm_bytes, k->grf_count, k->barriers ? "true" : "false");
    if (code) {
        fputs(",\n \"blocks\": [", out);
        print_blocks(k, out);
        fputs("],\n \"instructions\": [", out);
        trace_json_instructions(k, index, out);
        fputc(']', out);
    }
    fputc('}', out);
}

static void print_triple(const char *name, const uint64_t *v, FILE *out)
{
    fprintf(out, "\"%s\": [%" PRIu64 ", %" PRIu64 ", %" PRIu64 "], ", name, v[0], v[1],
            v[2]);
}

static void print_args(const struct trace_launch *l, FILE *out)
{
    static const char *const kinds[] = {"value", "buffer", "local", "image", "sampler"};

    fputs("\"args\": [", out);
    for (uint32_t i = 0; i < l->nargs; i++) {
        const struct trace_arg *a = &l->args[i];

        fprintf(out, "%s{\"kind\": \"%s\", \"bytes\": %" PRIu64, i ? ", " : "",
                kinds[a->kind], a->bytes);
        if (a->kind == TRACE_ARG_BUFFER || a->kind == TRACE_ARG_IMAGE)
            fprintf(out, ", \"address\": %" PRIu64, a->address);
        if (a->kind == TRACE_ARG_VALUE) {
            fputs(", \"value\": \"0x", out);
            for (uint64_t k = a->bytes; k-- > 0;)
                fprintf(out, "%02x", a->value[k]);
            fputc('"', out);
        }
        fputc('}', out);
    }
    fputs("],\n ", out);
}

static enum igpu_status print_path(struct trace_cursor *c, FILE *out,
                                   struct igpu_err *err)
{
    const char *separator = "";
    enum trace_next next;
    uint32_t block;

    fputs(", \"path\": [", out);
    while ((next = trace_cursor_next_block(c, &block, err)) == TRACE_NEXT_OK) {
        fprintf(out, "%s%" PRIu32, separator, block);
        separator = ", ";
    }
    fputs("],\n   \"accesses\": [", out);
    return next == TRACE_NEXT_ERROR ? IGPU_BAD_INPUT : IGPU_OK;
}

static enum igpu_status print_accesses(struct trace_cursor *c, FILE *out,
                                       struct igpu_err *err)
{
    const char *separator = "";
    struct trace_access a;
    enum trace_next next;

    while ((next = trace_cursor_next_access(c, &a, err)) == TRACE_NEXT_OK) {
        const char *comma = "";

        fprintf(out,
                "%s{\"instruction\": %" PRIu32 ", \"mask\": %" PRIu32
                ", \"addresses\": [",
                separator, a.inst, a.mask);
        for (uint32_t lane = 0; lane < TRACE_MAX_LANES; lane++)
            if (a.mask >> lane & 1) {
                fprintf(out, "%s%" PRIu64, comma, a.addr[lane]);
                comma = ", ";
            }
        fputs("]}", out);
        separator = ",\n    ";
    }
    fputs("]}", out);
    return next == TRACE_NEXT_ERROR ? IGPU_BAD_INPUT : IGPU_OK;
}

static enum igpu_status print_thread(struct trace_reader *r, uint32_t launch,
                                     uint32_t thread, FILE *out, struct igpu_err *err)
{
    struct trace_totals totals = {0, 0, 0};
    enum igpu_status status;
    struct trace_cursor *c = trace_cursor_open(r, launch, thread, &status, err);

    if (!c)
        return status;
    status = trace_cursor_totals(c, &totals, err);
    fprintf(out,
            "  {\"thread\": %" PRIu32 ", \"instructions\": %" PRIu64
            ", \"lane_instructions\": %" PRIu64 ", \"flops\": %" PRIu64,
            thread, totals.instructions, totals.lane_instructions, totals.flops);
    if (status == IGPU_OK)
        status = print_path(c, out, err);
    if (status == IGPU_OK)
        status = print_accesses(c, out, err);
    trace_cursor_close(c);
    return status;
}

static enum igpu_status print_launch(struct trace_reader *r, uint32_t index,
                                     const struct trace_dump_options *o, FILE *out,
                                     struct igpu_err *err)
{
    const struct trace_launch *l = trace_launch(r, index);
    enum igpu_status status = IGPU_OK;

    fprintf(out, "%s{\"launch\": %" PRIu32 ", \"kernel\": %" PRIu32 ", ",
            index > o->launch_first ? ",\n " : "\n ", index, l->kernel);
    fprintf(out, "\"work_dim\": %" PRIu32 ", ", l->dims);
    print_triple("global", l->global, out);
    print_triple("local", l->local, out);
    print_triple("offset", l->offset, out);
    fprintf(out, "\"slm_bytes\": %" PRIu32 ", \"threads_per_group\": %" PRIu32 ",\n ",
            l->slm_bytes, l->threads_per_group);
    print_args(l, out);
    fputs("\"threads\": [", out);
    for (uint32_t t = o->first; t < l->threads && t <= o->last && status == IGPU_OK;
         t++) {
        fputs(t > o->first ? ",\n" : "\n", out);
        status = print_thread(r, index, t, out, err);
    }
    fputs("]}", out);
    return status;
}

enum igpu_status trace_dump_json(struct trace_reader *r,
                                 const struct trace_dump_options *o, FILE *out,
                                 struct igpu_err *err)
{
    const struct trace_summary *s = trace_summary(r);
    enum igpu_status status = IGPU_OK;

    print_header(r, out);
    fputs("\"kernels\": [", out);
    for (uint32_t i = 0; i < s->kernels; i++)
        print_kernel(r, i, o->code, out);
    fputs("],\n\"launches\": [", out);
    for (uint32_t i = o->launch_first;
         i < s->launches && i <= o->launch_last && status == IGPU_OK; i++)
        status = print_launch(r, i, o, out, err);
    fputs("]}\n", out);
    return status;
}
