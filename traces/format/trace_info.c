/* trace_info.c - `igpu trace info`: totals and tables, see trace.h. */
#include <inttypes.h>
#include <stdlib.h>

#include "traces/format/trace.h"

/* Sizes of the sections of one kind, in the file. */
static uint64_t bytes_of(const struct trace_reader *r, char first_letter)
{
    uint64_t sum = 0;

    for (uint32_t i = 0; i < trace_summary(r)->chunks; i++) {
        struct trace_chunk_info info = trace_chunk(r, i);

        if (info.kind[0] == first_letter)
            sum += info.bytes;
    }
    return sum;
}

static double per(uint64_t a, uint64_t b)
{
    return b ? (double)a / (double)b : 0;
}

static void print_totals(const struct trace_reader *r, FILE *out)
{
    const struct trace_summary *s = trace_summary(r);
    const struct trace_header *h = trace_header(r);

    fprintf(out, "format             %u.%u\n", s->major, s->minor);
    fprintf(out, "producer           %s\n", h->producer);
    fprintf(out, "device             %s\n", h->device);
    fprintf(out, "program            %s\n", h->program);
    fprintf(out, "command line       %s\n", h->command_line);
    fprintf(out, "kernels            %" PRIu32 "\n", s->kernels);
    fprintf(out, "launches           %" PRIu32 "\n", s->launches);
    fprintf(out, "threads            %" PRIu64 "\n", s->threads);
    fprintf(out, "instructions       %" PRIu64 " (hardware thread)\n",
            s->totals.instructions);
    fprintf(out, "lane instructions  %" PRIu64 "\n", s->totals.lane_instructions);
    fprintf(out, "flops              %" PRIu64 "\n", s->totals.flops);
    fprintf(out, "basic blocks       %" PRIu64 "\n", s->blocks);
    fprintf(out, "memory accesses    %" PRIu64 " (%" PRIu64 " lanes)\n", s->accesses,
            s->lane_accesses);
    fprintf(out,
            "bytes              %" PRIu64 " (threads %" PRIu64 ", kernels %" PRIu64
            ", rest %" PRIu64 ")\n",
            s->file_bytes, bytes_of(r, 't'), bytes_of(r, 'k'),
            s->file_bytes - bytes_of(r, 't') - bytes_of(r, 'k'));
    fprintf(out, "before zstd        paths %" PRIu64 ", accesses %" PRIu64 "\n",
            s->path_bytes, s->access_bytes);
    if (s->values)
        fprintf(out,
                "FPU values         %" PRIu64 " instructions, %" PRIu64
                " bytes before zstd, %" PRIu64 " in the file\n",
                s->values, s->values_bytes, bytes_of(r, 'v'));
    fprintf(out, "bytes/instruction  %.6f\n",
            per(s->file_bytes, s->totals.instructions));
    fprintf(out, "bits/access        %.3f\n", 8 * per(bytes_of(r, 't'), s->accesses));
}

static void print_kernels(const struct trace_reader *r, FILE *out)
{
    const struct trace_summary *s = trace_summary(r);

    fprintf(out, "\n%6s %5s %6s %6s %8s %8s %8s  %s\n", "kernel", "simd", "insts",
            "blocks", "slm", "barriers", "launches", "name");
    for (uint32_t i = 0; i < s->kernels; i++) {
        const struct trace_kernel *k = trace_kernel(r, i);
        uint32_t launches = 0;

        for (uint32_t l = 0; l < s->launches; l++)
            launches += trace_launch(r, l)->kernel == i;
        fprintf(out, "%6u %5u %6u %6u %8u %8s %8u  %s\n", i, k->simd, k->code.count,
                k->blocks.count, k->slm_bytes, k->barriers ? "yes" : "no", launches,
                k->name);
    }
}

/* Bytes of each launch's thread sections; NULL: memory is short. */
static uint64_t *launch_bytes(const struct trace_reader *r)
{
    uint64_t *bytes = calloc(trace_summary(r)->launches + 1u, sizeof(*bytes));

    for (uint32_t c = 0; bytes && c < trace_summary(r)->chunks; c++) {
        struct trace_chunk_info info = trace_chunk(r, c);

        if (info.kind[0] == 't')
            bytes[info.launch] += info.bytes;
    }
    return bytes;
}

static void print_launches(const struct trace_reader *r, const uint64_t *bytes,
                           FILE *out)
{
    fprintf(out, "\n%6s %6s %9s %4s %14s %14s %12s %12s %9s  %s\n", "launch", "kernel",
            "threads", "tpg", "instructions", "flops", "accesses", "bytes", "B/instr",
            "global/local");
    for (uint32_t i = 0; i < trace_summary(r)->launches; i++) {
        const struct trace_launch *l = trace_launch(r, i);

        fprintf(out,
                "%6u %6u %9u %4u %14" PRIu64 " %14" PRIu64 " %12" PRIu64 " %12" PRIu64
                " %9.6f  %" PRIu64 ",%" PRIu64 ",%" PRIu64 "/%" PRIu64 ",%" PRIu64
                ",%" PRIu64 "\n",
                i, l->kernel, l->threads, l->threads_per_group, l->totals.instructions,
                l->totals.flops, l->accesses, bytes[i],
                per(bytes[i], l->totals.instructions), l->global[0], l->global[1],
                l->global[2], l->local[0], l->local[1], l->local[2]);
    }
}

enum igpu_status trace_print_info(struct trace_reader *r, FILE *out,
                                  struct igpu_err *err)
{
    uint64_t *bytes;

    for (uint32_t i = 0; i < trace_summary(r)->chunks; i++) {
        enum igpu_status status = trace_chunk_check(r, i, err);

        if (status != IGPU_OK)
            return status;
    }
    bytes = launch_bytes(r);
    if (!bytes)
        return igpu_no_memory(err, "trace info");
    print_totals(r, out);
    print_kernels(r, out);
    print_launches(r, bytes, out);
    free(bytes);
    return IGPU_OK;
}
