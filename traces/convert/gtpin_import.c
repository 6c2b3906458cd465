/* gtpin_import.c - dumps to a trace, see convert.h. Two passes: the first learns the
 * code, the second writes paths and addresses, so that memory does not grow with the
 * length of the dumps. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "traces/convert/gtpin.h"
#include "traces/format/trace.h"

enum { MAX_KERNELS = 4096, MAX_LAUNCHES = 1 << 16 };

/* Where a dump's next launch starts: behind its KERNEL line. */
struct place {
    off_t offset; /* 0: not read yet */
    uint64_t line;
    uint32_t launches;
};

struct gtpin_launch {
    uint32_t kernel, threads;
};

struct import {
    const char *const *paths;
    uint32_t count;
    const struct gtpin_options *options;
    struct gtpin_code *kernel; /* in order of first appearance */
    uint32_t *writer_kernel;   /* their numbers in the trace */
    uint32_t nkernels;
    struct gtpin_launch *launch;
    uint32_t nlaunches, launch_capacity;
    struct place *place; /* of each dump */
    struct gtpin_report *report;
    struct igpu_err *err;
};

/* A thread's position while its dump is read. */
struct position {
    int64_t before;
    uint64_t instructions;
};

static enum igpu_status no_memory(const struct import *im)
{
    return igpu_fail(im->err, IGPU_BAD_INPUT, "out of memory");
}

/* ---- instruction numbers ------------------------------------------------ */

static bool is_memop(const struct gtpin_inst *in)
{
    return in->have[GTPIN_IS_MEMOP] && in->value[GTPIN_IS_MEMOP];
}

/* The number of the instruction just read: given, or one more than the last; the
 * first is 0. */
static enum igpu_status number_of(const struct gtpin_reader *r,
                                  const struct position *p, uint32_t *id,
                                  struct igpu_err *err)
{
    int64_t n = r->id;

    if (n == GTPIN_NO_ID && !r->inst.have[GTPIN_INS_OFFSET])
        n = 0; /* its number 0 and offset 0 are not printed */
    if (n == GTPIN_NO_ID)
        n = p->before + 1;
    if (n >= GTPIN_MAX_INST)
        return igpu_fail(err, IGPU_BAD_INPUT,
                         "%s: line %" PRIu64 ": instruction number %" PRId64
                         "; at most %d are expected in a kernel",
                         r->path, r->inst_line, n, GTPIN_MAX_INST - 1);
    *id = (uint32_t)n;
    return IGPU_OK;
}

/* ---- first pass --------------------------------------------------------- */

static enum igpu_status kernel_number(struct import *im, const char *name, uint32_t *k)
{
    struct gtpin_code *kernel;

    for (*k = 0; *k < im->nkernels; ++*k)
        if (strcmp(im->kernel[*k].name, name) == 0)
            return IGPU_OK;
    if (im->nkernels == MAX_KERNELS)
        return igpu_fail(im->err, IGPU_BAD_INPUT, "more than %d kernels", MAX_KERNELS);
    kernel = realloc(im->kernel, (im->nkernels + 1) * sizeof(*kernel));
    if (!kernel)
        return no_memory(im);
    im->kernel = kernel;
    memset(&kernel[im->nkernels], 0, sizeof(*kernel));
    strcpy(kernel[im->nkernels++].name, name);
    return IGPU_OK;
}

/* Launch number `n` of a dump runs kernel `k`: as in the dumps before it. */
static enum igpu_status note_launch(struct import *im, const struct gtpin_reader *r,
                                    uint32_t n, uint32_t k)
{
    if (n < im->nlaunches && im->launch[n].kernel != k)
        return igpu_fail(im->err, IGPU_BAD_INPUT,
                         "%s: line %" PRIu64 ": launch %" PRIu32
                         " is of kernel %.64s, but of %.64s in the dumps before; "
                         "expected the threads of one run",
                         r->path, r->number, n, im->kernel[k].name,
                         im->kernel[im->launch[n].kernel].name);
    if (n < im->nlaunches) {
        im->launch[n].threads++;
        return IGPU_OK;
    }
    if (n == MAX_LAUNCHES)
        return igpu_fail(im->err, IGPU_BAD_INPUT, "%s: more than %d launches", r->path,
                         MAX_LAUNCHES);
    if (n == im->launch_capacity) {
        uint32_t capacity = n ? 2 * n : 16;
        struct gtpin_launch *launch = realloc(im->launch, capacity * sizeof(*launch));

        if (!launch)
            return no_memory(im);
        im->launch = launch;
        im->launch_capacity = capacity;
    }
    im->launch[im->nlaunches++] = (struct gtpin_launch){k, 1};
    return IGPU_OK;
}

/* An instruction that the end of its file may have cut is left out: no opcode yet, or
 * a memory operation without its address. */
static bool is_cut(const struct gtpin_reader *r)
{
    return feof(r->file) && !r->pending &&
           (!r->inst.have[GTPIN_OPCODE] || (is_memop(&r->inst) && r->addrs == 0));
}

static enum igpu_status learn_inst(struct gtpin_code *c, const struct gtpin_reader *r,
                                   struct position *p, struct igpu_err *err)
{
    uint32_t id = 0;
    enum igpu_status status = number_of(r, p, &id, err);

    if (status == IGPU_OK)
        status = gtpin_code_add(c, r, id, p->before, err);
    if (status != IGPU_OK)
        return status;
    p->before = id;
    p->instructions++;
    return IGPU_OK;
}

/* A launch of the dump is over. */
static enum igpu_status learn_end(struct import *im, const struct gtpin_reader *r,
                                  uint32_t kernel, const struct position *p)
{
    if (p->before == GTPIN_NO_ID)
        return igpu_fail(im->err, IGPU_BAD_INPUT,
                         "%s: line %" PRIu64
                         ": no instruction of kernel %.64s before it; expected a "
                         "GT-Pin text dump",
                         r->path, r->number, r->kernel);
    gtpin_code_end(&im->kernel[kernel], (uint32_t)p->before);
    return IGPU_OK;
}

/* *total: how many launches are in it. */
static enum igpu_status learn_file(struct import *im, struct gtpin_reader *r,
                                   uint32_t *total)
{
    struct position p = {GTPIN_NO_ID, 0};
    uint32_t kernel = 0, launches = 0;
    uint64_t instructions = 0;
    enum igpu_status status = IGPU_OK;
    enum gtpin_event event;

    while (status == IGPU_OK && (event = gtpin_next(r, im->err)) != GTPIN_END) {
        if (event == GTPIN_ERROR)
            return IGPU_BAD_INPUT;
        if (event == GTPIN_KERNEL) {
            if (launches > 0)
                status = learn_end(im, r, kernel, &p);
            p = (struct position){GTPIN_NO_ID, 0};
            if (status == IGPU_OK)
                status = kernel_number(im, r->kernel, &kernel);
            if (status == IGPU_OK)
                status = note_launch(im, r, launches++, kernel);
        } else if (is_cut(r)) {
            im->report->dropped++;
        } else {
            status = learn_inst(&im->kernel[kernel], r, &p, im->err);
            instructions++;
        }
    }
    if (status == IGPU_OK)
        status = learn_end(im, r, kernel, &p);
    *total = launches;
    im->report->cut += instructions < r->declared;
    return status;
}

static enum igpu_status learn(struct import *im)
{
    for (uint32_t i = 0; i < im->count; i++) {
        struct gtpin_reader r;
        enum igpu_status status = gtpin_open(&r, im->paths[i], im->err);

        if (status == IGPU_OK)
            status = learn_file(im, &r, &im->place[i].launches);
        gtpin_close(&r);
        if (status != IGPU_OK)
            return status;
    }
    for (uint32_t k = 0; k < im->nkernels; k++) {
        enum igpu_status status =
            gtpin_code_finish(&im->kernel[k], im->paths[0], im->err);

        if (status != IGPU_OK)
            return status;
        im->report->messages_guessed += im->kernel[k].guessed;
    }
    return IGPU_OK;
}

/* ---- second pass -------------------------------------------------------- */

/* Work-items of a full thread: the widest instruction. */
static uint32_t simd_of(const struct gtpin_code *c)
{
    uint32_t simd = 8;

    for (uint32_t i = 0; i < c->code.count; i++)
        if (c->code.inst[i].exec_size > simd)
            simd = c->code.inst[i].exec_size;
    return simd;
}

static bool has_barrier(const struct gtpin_code *c)
{
    for (uint32_t i = 0; i < c->code.count; i++)
        if (c->code.inst[i].msg.family == ISA_MSG_BARRIER)
            return true;
    return false;
}

static enum igpu_status write_kernels(struct import *im, struct trace_writer *w)
{
    for (uint32_t k = 0; k < im->nkernels; k++) {
        const struct gtpin_code *c = &im->kernel[k];
        const struct trace_kernel kernel = {
            .name = c->name,
            .simd = simd_of(c),
            .grf_count = ISA_GRF_COUNT,
            .barriers = has_barrier(c),
            .code = c->code,
            .blocks = c->blocks,
        };
        enum igpu_status status =
            trace_writer_kernel(w, &kernel, &im->writer_kernel[k], im->err);

        if (status != IGPU_OK)
            return status;
    }
    return IGPU_OK;
}

static void write_access(const struct gtpin_code *c, const struct gtpin_reader *r,
                         uint32_t index, struct trace_thread *t)
{
    const struct isa_message *m = &c->code.inst[index].msg;
    /* More lines than lanes are repeated ones. */
    uint32_t lanes = m->block_bytes > 0 ? 1 : c->code.inst[index].exec_size;
    uint32_t n = r->addrs < lanes ? r->addrs : lanes;

    if (!m->is_read && !m->is_write)
        return;
    trace_thread_access(t, index, n < 32 ? (UINT32_C(1) << n) - 1 : UINT32_MAX,
                        r->addr);
}

/* The thread enters the block of `index`, when it starts there. */
static void write_inst(const struct gtpin_code *c, const struct gtpin_reader *r,
                       uint32_t index, struct trace_thread *t,
                       struct trace_totals *totals)
{
    const struct isa_inst *in = &c->code.inst[index];
    uint32_t block = c->blocks.block_of[index];

    if (c->blocks.block[block].first == index)
        trace_thread_block(t, block);
    totals->instructions++;
    totals->lane_instructions += in->exec_size;
    totals->flops += (uint64_t)in->exec_size * isa_flops(in);
    write_access(c, r, index, t);
}

static enum igpu_status end_thread(struct import *im, const struct gtpin_code *c,
                                   int64_t last, struct trace_thread *t,
                                   struct trace_totals *totals)
{
    if (!c->code.inst[c->index_of[last]].eot) {
        trace_thread_block(t, c->blocks.count - 1);
        totals->instructions++;
        totals->lane_instructions += c->code.inst[c->code.count - 1].exec_size;
        im->report->ends_added++;
    }
    return trace_thread_end(t, totals, im->err);
}

/* One thread: the instructions up to the dump's next kernel. */
static enum igpu_status write_thread(struct import *im, struct trace_writer *w,
                                     struct gtpin_reader *r, uint32_t kernel,
                                     uint32_t number, enum gtpin_event *event)
{
    const struct gtpin_code *c = &im->kernel[kernel];
    struct trace_thread *t = trace_thread_begin(w, number);
    struct position p = {GTPIN_NO_ID, 0};
    struct trace_totals totals = {0, 0, 0};

    if (!t)
        return no_memory(im);
    while ((*event = gtpin_next(r, im->err)) == GTPIN_INST) {
        uint32_t id = 0;

        if (is_cut(r))
            continue;
        if (number_of(r, &p, &id, im->err) != IGPU_OK)
            return IGPU_BAD_INPUT;
        write_inst(c, r, c->index_of[id], t, &totals);
        p.before = id;
        im->report->instructions++;
        im->report->accesses += r->addrs > 0;
    }
    if (*event == GTPIN_ERROR)
        return IGPU_BAD_INPUT;
    return end_thread(im, c, p.before, t, &totals);
}

static enum igpu_status begin_launch(struct import *im, struct trace_writer *w,
                                     uint32_t n)
{
    const struct gtpin_launch *l = &im->launch[n];
    uint32_t per_group = im->options->threads_per_group;
    uint64_t simd = simd_of(&im->kernel[l->kernel]);
    const struct trace_launch launch = {
        .kernel = im->writer_kernel[l->kernel],
        .dims = 1,
        .global = {simd * l->threads, 1, 1},
        .local = {simd * per_group, 1, 1},
        .threads_per_group = per_group,
        .threads = l->threads,
    };

    if (l->threads % per_group != 0)
        return igpu_fail(im->err, IGPU_USAGE,
                         "launch %" PRIu32 " has %" PRIu32
                         " threads, which are not whole work-groups of %" PRIu32
                         "; choose another --threads-per-group",
                         n, l->threads, per_group);
    return trace_writer_launch_begin(w, &launch, NULL, im->err);
}

/* Go on in dump `i` where its last launch ended. */
static enum igpu_status resume(const struct import *im, uint32_t i,
                               struct gtpin_reader *r)
{
    const struct place *at = &im->place[i];
    enum igpu_status status = gtpin_open(r, im->paths[i], im->err);

    if (status != IGPU_OK)
        return status;
    if (at->offset == 0)
        return gtpin_next(r, im->err) == GTPIN_KERNEL ? IGPU_OK : IGPU_BAD_INPUT;
    r->number = at->line;
    strcpy(r->kernel, "resumed");
    if (fseeko(r->file, at->offset, SEEK_SET) != 0)
        return igpu_fail(im->err, IGPU_BAD_INPUT, "%s: cannot seek; expected a file",
                         r->path);
    return IGPU_OK;
}

static enum igpu_status write_launch(struct import *im, struct trace_writer *w,
                                     uint32_t n)
{
    enum igpu_status status = begin_launch(im, w, n);
    uint32_t number = 0;

    for (uint32_t i = 0; i < im->count && status == IGPU_OK; i++) {
        struct gtpin_reader r = {0};
        enum gtpin_event event;

        if (im->place[i].launches <= n)
            continue;
        status = resume(im, i, &r);
        if (status == IGPU_OK)
            status = write_thread(im, w, &r, im->launch[n].kernel, number++, &event);
        if (status == IGPU_OK) {
            im->place[i].offset = ftello(r.file);
            im->place[i].line = r.number;
        }
        gtpin_close(&r);
    }
    return status == IGPU_OK ? trace_writer_launch_end(w, im->err) : status;
}

static enum igpu_status write_trace(struct import *im, const char *out)
{
    const struct trace_header header = {
        .producer = "igpu " IGPU_VERSION " (from GT-Pin dumps)",
        .device = im->options->device,
        .program = im->paths[0],
        .command_line = im->options->command_line,
    };
    enum igpu_status status;
    struct trace_writer *w = trace_writer_open(out, &header, &status, im->err);

    if (!w)
        return status;
    status = write_kernels(im, w);
    for (uint32_t n = 0; n < im->nlaunches && status == IGPU_OK; n++)
        status = write_launch(im, w, n);
    if (status != IGPU_OK) {
        trace_writer_abort(w);
        return status;
    }
    im->report->launches = im->nlaunches;
    im->report->kernels = im->nkernels;
    im->report->threads = im->count;
    return trace_writer_close(w, im->err);
}

enum igpu_status convert_from_gtpin(const char *const *paths, uint32_t count,
                                    const char *out,
                                    const struct gtpin_options *options,
                                    struct gtpin_report *report, struct igpu_err *err)
{
    struct import im = {.paths = paths,
                        .count = count,
                        .options = options,
                        .report = report,
                        .err = err};
    enum igpu_status status = IGPU_OK;

    memset(report, 0, sizeof(*report));
    im.place = calloc(count, sizeof(*im.place));
    if (!im.place)
        status = no_memory(&im);
    if (status == IGPU_OK)
        status = learn(&im);
    if (status == IGPU_OK) {
        im.writer_kernel = calloc(im.nkernels, sizeof(*im.writer_kernel));
        status = im.writer_kernel ? write_trace(&im, out) : no_memory(&im);
    }
    for (uint32_t k = 0; k < im.nkernels; k++)
        gtpin_code_free(&im.kernel[k]);
    free(im.kernel);
    free(im.writer_kernel);
    free(im.launch);
    free(im.place);
    return status;
}
