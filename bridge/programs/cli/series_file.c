/* series_file.c - see series_file.h. */
#include "bridge/programs/cli/series_file.h"

#include <inttypes.h>
#include <stdlib.h>

struct series_file {
    struct igpu_output out;
    bool written;              /* there is a file */
    struct timeline *timeline; /* NULL: none */
    uint64_t every;
    unsigned eus, ports, banks;
    struct igpu_sample last;
    bool begun;
};

/* EUs' counters, by the names of stats.def where it has them. */
#define EU_COUNTERS(X)                                                                 \
    X(run_instructions, instructions)                                                  \
    X(run_threads_dispatched, threads)                                                 \
    X(eu_active, active)                                                               \
    X(eu_stall, stall)                                                                 \
    X(eu_fpu0, fpu0)                                                                   \
    X(eu_fpu1, fpu1)                                                                   \
    X(eu_fpu_both, fpu_both)                                                           \
    X(eu_send, send)                                                                   \
    X(eu_branch, branch)                                                               \
    X(thread_cycles, resident)

static void head(const struct series_file *f)
{
    FILE *out = f->out.file;

    fputs("launch,from,to", out);
#define EU(name, member) fputs("," #name, out);
    EU_COUNTERS(EU)
#undef EU
#define MEM_STAT(section, name, unit, text) fputs("," #section "_" #name, out);
#define MEM_PEAK(section, name, unit, text)
#include "igpu/mem_stats.def"
#undef MEM_STAT
#undef MEM_PEAK
    for (unsigned i = 0; i < f->ports; i++)
        fprintf(out, ",port%u_messages,port%u_lines,port%u_full_cycles", i, i, i);
    for (unsigned i = 0; i < f->banks; i++)
        fprintf(out, ",bank%u_accesses,bank%u_stalled_cycles", i, i);
    fputc('\n', out);
}

static uint64_t all_ops(const uint64_t ops[SAMPLE_OPS])
{
    uint64_t sum = 0;

    for (unsigned i = 0; i < SAMPLE_OPS; i++)
        sum += ops[i];
    return sum;
}

static void line(const struct series_file *f, const struct igpu_sample *now)
{
    const struct igpu_sample *was = &f->last;
    FILE *out = f->out.file;

    fprintf(out, "%" PRIu64 ",%" PRIu64 ",%" PRIu64, was->launch, was->cycle,
            now->cycle);
#define EU(name, member) fprintf(out, ",%" PRIu64, now->eu.member - was->eu.member);
    EU_COUNTERS(EU)
#undef EU
#define MEM_STAT(section, name, unit, text)                                            \
    fprintf(out, ",%" PRIu64, now->mem.section##_##name - was->mem.section##_##name);
#define MEM_PEAK(section, name, unit, text)
#include "igpu/mem_stats.def"
#undef MEM_STAT
#undef MEM_PEAK
    for (unsigned i = 0; i < f->ports; i++) {
        const struct sample_port *a = &was->mem.port[i], *b = &now->mem.port[i];

        fprintf(out, ",%" PRIu64 ",%" PRIu64 ",%" PRIu64,
                all_ops(b->messages) - all_ops(a->messages),
                all_ops(b->lines) - all_ops(a->lines), b->full_cycles - a->full_cycles);
    }
    for (unsigned i = 0; i < f->banks; i++)
        fprintf(out, ",%" PRIu64 ",%" PRIu64,
                now->mem.bank[i].accesses - was->mem.bank[i].accesses,
                now->mem.bank[i].stalled_cycles - was->mem.bank[i].stalled_cycles);
    fputc('\n', out);
}

/* ---- counter tracks ---- */

static void track(const struct series_file *f, const struct igpu_sample *now,
                  const char *name, uint64_t before, uint64_t behind, double times)
{
    uint64_t cycles = now->cycle - f->last.cycle;

    timeline_counter(f->timeline, name, f->last.cycle,
                     times * (double)(behind - before) / (double)cycles);
}

/* Shares are of all EUs, ports and banks. */
static void tracks(const struct series_file *f, const struct igpu_sample *now)
{
    const struct igpu_sample *was = &f->last;
    double eu = 100.0 / (double)f->eus;
    uint64_t full[2] = {0, 0};

    for (unsigned i = 0; i < f->ports; i++) {
        full[0] += was->mem.port[i].full_cycles;
        full[1] += now->mem.port[i].full_cycles;
    }
    track(f, now, "instructions a cycle", was->eu.instructions, now->eu.instructions,
          1);
    track(f, now, "threads", was->eu.resident, now->eu.resident, 1);
    track(f, now, "FPU0 busy (%)", was->eu.fpu0, now->eu.fpu0, eu);
    track(f, now, "FPU1 busy (%)", was->eu.fpu1, now->eu.fpu1, eu);
    track(f, now, "SEND busy (%)", was->eu.send, now->eu.send, eu);
    track(f, now, "port tables full (%)", full[0], full[1], 100.0 / (double)f->ports);
#define TRACK(text, name) track(f, now, text, was->mem.name, now->mem.name, 1)
    TRACK("messages a cycle", mem_requests);
    TRACK("L3 lines a cycle", l3_accesses);
    TRACK("LLC lines a cycle", llc_accesses);
    TRACK("DRAM bytes a cycle", dram_bytes);
#undef TRACK
}

static uint64_t edge_next(void *ctx, uint64_t from)
{
    const struct series_file *f = ctx;

    return (from + f->every - 1) / f->every * f->every;
}

static void series_take(void *ctx, enum sim_sample_kind kind,
                        const struct igpu_sample *sample)
{
    struct series_file *f = ctx;

    (void)kind;
    if (f->begun && sample->cycle != f->last.cycle) {
        if (f->written)
            line(f, sample);
        if (f->timeline != NULL)
            tracks(f, sample);
    } else if (f->begun) { /* the next launch's begin in the last one's last cycle */
        f->last.launch = sample->launch;
    }
    if (!f->begun || sample->cycle != f->last.cycle)
        f->last = *sample;
    f->begun = true;
}

enum igpu_status series_file_open(struct series_file **file, const char *path,
                                  uint64_t every, struct sim_options *options,
                                  struct igpu_err *err)
{
    struct series_file *f = calloc(1, sizeof(*f));
    enum igpu_status status;

    *file = NULL;
    if (f == NULL)
        return igpu_no_memory(err, "%s", path);
    f->written = path != NULL;
    status = f->written ? igpu_output_open(&f->out, path, err) : IGPU_OK;
    if (status != IGPU_OK) {
        free(f);
        return status;
    }
    f->every = every;
    f->ports = (unsigned)options->config->gpu_subslices;
    f->banks = (unsigned)(options->config->l3_banks * options->config->gpu_slices);
    f->eus = (unsigned)(options->config->gpu_subslices * options->config->eu_count);
    if (f->written)
        head(f);
    options->sampler[options->samplers++] =
        (struct sim_sampler){f, edge_next, series_take};
    *file = f;
    return IGPU_OK;
}

void series_file_tracks(struct series_file *f, struct timeline *timeline)
{
    f->timeline = timeline;
}

enum igpu_status series_file_close(struct series_file *f, struct igpu_err *err)
{
    enum igpu_status status = IGPU_OK;

    if (f != NULL && f->written)
        status = igpu_output_close(&f->out, err);
    series_file_abort(f);
    return status;
}

void series_file_abort(struct series_file *f)
{
    if (f == NULL)
        return;
    igpu_output_abort(&f->out);
    free(f);
}
