/* trace_dump.c - `igpu trace dump`: a whole trace as text, see trace.h. */
#include "traces/format/trace_dump.h"

#include <inttypes.h>

enum { PATH_PER_LINE = 16 };

static void print_header(const struct trace_reader *r, FILE *out)
{
    const struct trace_header *h = trace_header(r);
    const struct trace_summary *s = trace_summary(r);

    fprintf(out, "PROGRAM %s\n", h->program);
    fprintf(out, "format: %u.%u\nproducer: %s\ndevice: %s\ncommand_line: %s\n",
            s->major, s->minor, h->producer, h->device, h->command_line);
    fprintf(out,
            "num_kernels: %u\nnum_kernel_invocations: %u\nnum_threads: %" PRIu64 "\n",
            s->kernels, s->launches, s->threads);
    fprintf(out, "num_bbls: %" PRIu64 "\nnum_instructions: %" PRIu64 "\n", s->blocks,
            s->totals.instructions);
    fprintf(out, "num_memops: %" PRIu64 "\n", s->accesses);
}

static void print_args(const struct trace_launch *l, FILE *out)
{
    static const char *const kinds[] = {"value", "buffer", "local", "image", "sampler"};

    for (uint32_t i = 0; i < l->nargs; i++) {
        const struct trace_arg *a = &l->args[i];

        fprintf(out, "arg %u: %s, %" PRIu64 " bytes", i, kinds[a->kind], a->bytes);
        if (a->kind == TRACE_ARG_BUFFER || a->kind == TRACE_ARG_IMAGE)
            fprintf(out, ", address 0x%" PRIx64, a->address);
        for (uint64_t k = 0; a->kind == TRACE_ARG_VALUE && k < a->bytes; k++)
            fprintf(out, "%s%02x", k ? "" : ", 0x", a->value[a->bytes - 1 - k]);
        fputc('\n', out);
    }
}

static void print_toggles(const struct trace_launch *l, FILE *out)
{
    struct toggle_count sum = {0};

    for (uint32_t i = 0; i < l->toggle_count; i++) {
        sum.operand_bits += l->toggles[i].operand_bits;
        sum.operand_toggles += l->toggles[i].operand_toggles;
        sum.result_bits += l->toggles[i].result_bits;
        sum.result_toggles += l->toggles[i].result_toggles;
    }
    if (l->toggles != NULL)
        fprintf(out,
                "operand_bits: %" PRIu64 "\noperand_toggles: %" PRIu64
                "\nresult_bits: %" PRIu64 "\nresult_toggles: %" PRIu64 "\n",
                sum.operand_bits, sum.operand_toggles, sum.result_bits,
                sum.result_toggles);
}

static void print_launch(const struct trace_reader *r, uint32_t index, FILE *out)
{
    const struct trace_launch *l = trace_launch(r, index);

    fprintf(out, "\nKERNEL_INVOCATION %u: kernel %u %s\n", index, l->kernel,
            trace_kernel(r, l->kernel)->name);
    fprintf(out,
            "global: %" PRIu64 " %" PRIu64 " %" PRIu64 "\nlocal: %" PRIu64 " %" PRIu64
            " %" PRIu64 "\noffset: %" PRIu64 " %" PRIu64 " %" PRIu64 "\n",
            l->global[0], l->global[1], l->global[2], l->local[0], l->local[1],
            l->local[2], l->offset[0], l->offset[1], l->offset[2]);
    fprintf(out, "work_dim: %u\nslm_bytes: %u\nthreads_per_group: %u\nthreads: %u\n",
            l->dims, l->slm_bytes, l->threads_per_group, l->threads);
    if (l->context != 0)
        fprintf(out, "context: %u\n", l->context);
    if (l->draw != 0)
        fprintf(out, "draw: %u\n", l->draw);
    if (l->arbiter != TRACE_ARBITER_ANY)
        fprintf(out, "arbiter: %s\n", trace_arbiter_name(l->arbiter));
    print_args(l, out);
    fprintf(out,
            "num_bbls: %" PRIu64 "\nnum_instructions: %" PRIu64
            "\nlane_instructions: %" PRIu64 "\nflops: %" PRIu64 "\nnum_memops: %" PRIu64
            "\nnum_memop_lanes: %" PRIu64 "\n",
            l->blocks, l->totals.instructions, l->totals.lane_instructions,
            l->totals.flops, l->accesses, l->lane_accesses);
    print_toggles(l, out);
}

/* "3*1000": block 3, a thousand times. */
struct run {
    uint32_t block, on_line;
    uint64_t times;
};

static void end_run(struct run *run, FILE *out)
{
    if (run->times == 0)
        return;
    if (run->on_line == PATH_PER_LINE) {
        fputs("\n ", out);
        run->on_line = 0;
    }
    fprintf(out, " %" PRIu32, run->block);
    if (run->times > 1)
        fprintf(out, "*%" PRIu64, run->times);
    run->on_line++;
    run->times = 0;
}

static enum igpu_status print_path(struct trace_cursor *c, FILE *out,
                                   struct igpu_err *err)
{
    struct run run = {0, 0, 0};
    uint32_t block;
    enum trace_next next;

    fputs("bbls:", out);
    while ((next = trace_cursor_next_block(c, &block, err)) == TRACE_NEXT_OK) {
        if (run.times > 0 && block != run.block)
            end_run(&run, out);
        run.block = block;
        run.times++;
    }
    end_run(&run, out);
    fputc('\n', out);
    return next == TRACE_NEXT_ERROR ? IGPU_BAD_INPUT : IGPU_OK;
}

/* What a message of graphics is about. */
static void print_graphics(const struct trace_graphics *g, uint32_t lines, FILE *out)
{
    if (g->family == ISA_MSG_PAYLOAD) {
        fputs(" work", out);
        for (uint32_t w = 0; w < TRACE_WORKS; w++)
            fprintf(out, " %" PRIu64, g->payload.work[w]);
        fprintf(out, " needed %" PRIu64 " draw %" PRIu32 " stage %u", g->payload.needed,
                g->payload.draw, (unsigned)g->payload.stage);
        for (uint32_t i = 0; i < g->payload.runs; i++)
            fprintf(out, " depth 0x%" PRIx64 " lines 0x%" PRIx64 " how %u",
                    g->payload.depth[i].page, g->payload.depth[i].lines,
                    g->payload.depth[i].how);
        return;
    }
    if (g->family == ISA_MSG_TEXTURE)
        fprintf(out, " samples %" PRIu32, g->texture.samples);
    else
        fprintf(out, " written %" PRIu32 " read %" PRIu32, g->target.written,
                g->target.read);
    for (uint32_t i = 0; i < lines; i++)
        fprintf(out, "%s%u", i == 0 ? " how " : " ", g->how[i]);
}

static enum igpu_status print_accesses(struct trace_cursor *c,
                                       const struct trace_kernel *k, uint32_t kernel,
                                       FILE *out, struct igpu_err *err)
{
    const struct trace_graphics *g;
    struct trace_access a;
    enum trace_next next;

    while ((next = trace_cursor_next_access(c, &a, err)) == TRACE_NEXT_OK) {
        uint32_t block = k->blocks.block_of[a.inst];

        fprintf(out, "memop: ins_uid \"%u_%u_%u\" mask 0x%" PRIx32 " addr", kernel,
                block, a.inst - k->blocks.block[block].first, a.mask);
        for (uint32_t lane = 0; lane < TRACE_MAX_LANES; lane++)
            if (a.mask & (UINT32_C(1) << lane))
                fprintf(out, " 0x%" PRIx64, a.addr[lane]);
        g = trace_cursor_graphics(c);
        if (g != NULL)
            print_graphics(g, (uint32_t)__builtin_popcount(a.mask), out);
        fputc('\n', out);
    }
    return next == TRACE_NEXT_ERROR ? IGPU_BAD_INPUT : IGPU_OK;
}

static void print_lanes(const char *name, const uint64_t *lane, uint32_t mask,
                        FILE *out)
{
    fprintf(out, " %s", name);
    for (; mask != 0; mask &= mask - 1)
        fprintf(out, " 0x%" PRIx64, lane[__builtin_ctz(mask)]);
}

/* "value:" lines, one for each instruction of an FPU whose operands are stored. */
static enum igpu_status print_values(struct trace_reader *r, uint32_t launch,
                                     uint32_t thread, FILE *out, struct igpu_err *err)
{
    const struct trace_launch *l = trace_launch(r, launch);
    const struct trace_kernel *k = trace_kernel(r, l->kernel);
    struct trace_values_cursor *c = trace_values_open(r, launch, thread, err);
    enum trace_next next = TRACE_NEXT_ERROR;
    struct fpu_values v;

    while (c && (next = trace_values_next(c, &v, err)) == TRACE_NEXT_OK) {
        uint32_t block = k->blocks.block_of[v.inst];
        struct fpu_shape shape;

        fpu_shape_of(&k->code.inst[v.inst], &shape);
        fprintf(out, "value: ins_uid \"%u_%u_%u\" mask 0x%" PRIx32 " mode 0x%x",
                l->kernel, block, v.inst - k->blocks.block[block].first, v.mask,
                v.mode);
        for (uint32_t i = 0; i < shape.nsrc; i++)
            if (shape.form[i] != FPU_FORM_WIDE)
                print_lanes("src", v.src[i], v.mask, out);
        if (shape.result_form == FPU_FORM_VECTOR)
            print_lanes("result", v.result, v.mask, out);
        if (shape.has_flags && v.mask)
            fprintf(out, " flags 0x%" PRIx32, v.flags);
        fputc('\n', out);
    }
    trace_values_close(c);
    return next == TRACE_NEXT_ERROR ? IGPU_BAD_INPUT : IGPU_OK;
}

static enum igpu_status print_thread(struct trace_reader *r, uint32_t launch,
                                     uint32_t thread, FILE *out, struct igpu_err *err)
{
    const struct trace_launch *l = trace_launch(r, launch);
    const struct trace_kernel *k = trace_kernel(r, l->kernel);
    struct trace_totals totals = {0, 0, 0};
    enum igpu_status status;
    struct trace_cursor *c = trace_cursor_open(r, launch, thread, &status, err);

    if (!c)
        return status;
    status = trace_cursor_totals(c, &totals, err);
    if (status == IGPU_OK) {
        fprintf(out, "\nTHREAD %u_%u: group %u, thread %u of it\n", launch, thread,
                thread / l->threads_per_group, thread % l->threads_per_group);
        fprintf(out,
                "num_instructions: %" PRIu64 "\nlane_instructions: %" PRIu64
                "\nflops: %" PRIu64 "\n",
                totals.instructions, totals.lane_instructions, totals.flops);
        status = print_path(c, out, err);
    }
    if (status == IGPU_OK)
        status = print_accesses(c, k, l->kernel, out, err);
    if (status == IGPU_OK && trace_summary(r)->values)
        status = print_values(r, launch, thread, out, err);
    trace_cursor_close(c);
    return status;
}

enum igpu_status trace_print_dump(struct trace_reader *r,
                                  const struct trace_dump_options *options, FILE *out,
                                  struct igpu_err *err)
{
    const struct trace_summary *s = trace_summary(r);
    enum igpu_status status = IGPU_OK;

    if (options->format == TRACE_DUMP_JSON)
        return trace_dump_json(r, options, out, err);
    if (options->format == TRACE_DUMP_CSV)
        return trace_dump_csv(r, options, out, err);
    print_header(r, out);
    for (uint32_t i = 0; options->code && i < s->kernels; i++)
        trace_dump_kernel(trace_kernel(r, i), i, out);
    for (uint32_t i = options->launch_first;
         i < s->launches && i <= options->launch_last && status == IGPU_OK; i++) {
        uint32_t threads = trace_launch(r, i)->threads;

        print_launch(r, i, out);
        for (uint32_t t = options->first;
             t < threads && t <= options->last && status == IGPU_OK; t++)
            status = print_thread(r, i, t, out, err);
    }
    return status;
}
