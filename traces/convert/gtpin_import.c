/* gtpin_import.c - dumps to a trace, see convert.h. Two passes: the first learns the
 * code, the second writes paths and addresses, so that memory does not grow with the
 * length of the dumps. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "igpu/grow.h"
#include "traces/convert/gtpin.h"
#include "traces/format/trace.h"

enum { MAX_KERNELS = 4096, MAX_LAUNCHES = 1 << 16 };

/* Where a dump's next launch starts: behind its KERNEL line. */
struct place {
    off_t offset; /* 0: not read yet */
    uint64_t line;
    uint32_t launches;
    bool dropped; /* its last instruction is left out */
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
    uint32_t nkernels, kernel_capacity;
    struct gtpin_launch *launch;
    uint32_t nlaunches, launch_capacity;
    struct place *place; /* of each dump */
    struct gtpin_report *report;
    struct igpu_err *err;
};

static enum igpu_status import_no_memory(const struct import *im)
{
    return igpu_no_memory(im->err, "a GTPin profile");
}

static bool is_memop(const struct gtpin_inst *in)
{
    return in->have[GTPIN_IS_MEMOP] && in->value[GTPIN_IS_MEMOP];
}

/* ---- first pass --------------------------------------------------------- */

static enum igpu_status kernel_number(struct import *im, const char *name, uint32_t *k)
{
    for (*k = 0; *k < im->nkernels; ++*k)
        if (strcmp(im->kernel[*k].name, name) == 0)
            return IGPU_OK;
    if (im->nkernels == MAX_KERNELS)
        return igpu_fail(im->err, IGPU_BAD_INPUT, "more than %d kernels", MAX_KERNELS);
    if (!IGPU_RESERVE_ZERO(im->kernel, im->kernel_capacity, (size_t)im->nkernels + 1))
        return import_no_memory(im);
    strcpy(im->kernel[im->nkernels++].name, name);
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
    return IGPU_APPEND(im->launch, im->nlaunches, im->launch_capacity,
                       (struct gtpin_launch){k, 1})
               ? IGPU_OK
               : import_no_memory(im);
}

/* The first pass over one dump. */
struct learner {
    struct import *im;
    struct gtpin_reader *r;
    struct place *place;
    int64_t before;  /* instruction of the launch that is open; NO_ID: none yet */
    uint32_t kernel; /* its */
    uint64_t instructions;
};

/* Nobody knows what the last instruction of a dump that stops early lacks: it is left
 * out. So it is where it shows: no opcode, or a memory operation without its address.
 */
static bool is_cut(const struct learner *l)
{
    const struct gtpin_reader *r = l->r;

    if (!r->ended)
        return false;
    return r->open_line || l->instructions + 1 < r->declared ||
           !r->inst.have[GTPIN_OPCODE] || (is_memop(&r->inst) && r->addrs == 0);
}

static enum igpu_status learn_inst(struct learner *l)
{
    struct gtpin_code *c = &l->im->kernel[l->kernel];
    struct igpu_err *err = l->im->err;
    uint32_t id = 0;
    enum igpu_status status = IGPU_OK;

    if (l->before == GTPIN_NO_ID)
        status = note_launch(l->im, l->r, l->place->launches++, l->kernel);
    if (status == IGPU_OK)
        status = gtpin_code_number(c, l->r, l->before, &id, err);
    if (status == IGPU_OK)
        status = gtpin_code_add(c, l->r, id, l->before, err);
    l->before = id;
    l->instructions++;
    return status;
}

/* A launch of the dump is over; the last one may have no instruction when the dump
 * stops early. */
static enum igpu_status learn_end(struct learner *l, bool last)
{
    if (l->before != GTPIN_NO_ID)
        gtpin_code_end(&l->im->kernel[l->kernel], (uint32_t)l->before);
    else if (!last || l->place->launches == 0)
        return igpu_fail(l->im->err, IGPU_BAD_INPUT,
                         "%s: line %" PRIu64 ": no whole instruction before it%s%.64s; "
                         "expected a GT-Pin text dump",
                         l->r->path, l->r->number, l->r->kernel[0] ? " of kernel " : "",
                         l->r->kernel);
    return IGPU_OK;
}

static enum igpu_status learn_kernel(struct learner *l, bool first)
{
    enum igpu_status status = first ? IGPU_OK : learn_end(l, false);

    l->before = GTPIN_NO_ID;
    return status == IGPU_OK ? kernel_number(l->im, l->r->kernel, &l->kernel) : status;
}

static enum igpu_status learn_file(struct learner *l)
{
    struct gtpin_report *report = l->im->report;
    enum igpu_status status = IGPU_OK;
    enum gtpin_event event;
    bool first = true;

    while (status == IGPU_OK && (event = gtpin_next(l->r, l->im->err)) != GTPIN_END) {
        if (event == GTPIN_ERROR)
            return IGPU_BAD_INPUT;
        if (event == GTPIN_KERNEL) {
            status = learn_kernel(l, first);
            first = false;
        } else if (is_cut(l)) {
            report->dropped++;
            l->place->dropped = true;
        } else {
            status = learn_inst(l);
        }
    }
    if (status == IGPU_OK)
        status = learn_end(l, true);
    report->cut += l->r->open_line || l->instructions < l->r->declared;
    return status;
}

static enum igpu_status learn(struct import *im)
{
    for (uint32_t i = 0; i < im->count; i++) {
        struct gtpin_reader r;
        enum igpu_status status = gtpin_open(&r, im->paths[i], im->err);

        if (status == IGPU_OK) {
            struct learner l = {im, &r, &im->place[i], GTPIN_NO_ID, 0, 0};

            status = learn_file(&l);
        }
        gtpin_close(&r);
        if (status != IGPU_OK)
            return status;
    }
    for (uint32_t k = 0; k < im->nkernels; k++) {
        enum igpu_status status = gtpin_code_finish(&im->kernel[k], im->err);

        if (status != IGPU_OK)
            return status;
        im->report->messages_guessed += im->kernel[k].guessed;
    }
    return IGPU_OK;
}

/* Other instructions than in the first pass. */
static enum igpu_status changed(const struct import *im, const struct gtpin_reader *r)
{
    return igpu_fail(im->err, IGPU_BAD_INPUT,
                     "%s: line %" PRIu64 ": the file changed while it was read; "
                     "convert it again",
                     r->path, r->number);
}

/* ---- second pass -------------------------------------------------------- */

static enum igpu_status write_kernels(struct import *im, struct trace_writer *w)
{
    for (uint32_t k = 0; k < im->nkernels; k++) {
        const struct trace_kernel kernel = gtpin_code_kernel(&im->kernel[k]);
        enum igpu_status status =
            trace_writer_kernel(w, &kernel, &im->writer_kernel[k], im->err);

        if (status != IGPU_OK)
            return status;
    }
    return IGPU_OK;
}

static void write_access(struct import *im, const struct gtpin_code *c,
                         const struct gtpin_reader *r, uint32_t index,
                         struct trace_thread *t)
{
    const struct isa_inst *in = &c->code.inst[index];
    /* More lines than lanes are repeated ones. */
    uint32_t simd = in->msg.simd ? in->msg.simd : in->exec_size;
    uint32_t lanes = in->exec_size < simd ? in->exec_size : simd;
    uint32_t n = r->addrs < lanes ? r->addrs : lanes;

    if (!trace_has_access(in))
        return;
    im->report->accesses++;
    im->report->without_address += n == 0;
    trace_thread_access(t, index, n < 32 ? (UINT32_C(1) << n) - 1 : UINT32_MAX,
                        r->addr);
}

/* The thread enters the block of `index`, when it starts there. */
static void write_inst(struct import *im, const struct gtpin_code *c,
                       const struct gtpin_reader *r, uint32_t index,
                       struct trace_thread *t, struct trace_totals *totals)
{
    const struct isa_inst *in = &c->code.inst[index];
    uint32_t block = c->blocks.block_of[index];

    if (c->blocks.block[block].first == index)
        trace_thread_block(t, block);
    totals->instructions++;
    totals->lane_instructions += in->exec_size;
    totals->flops += (uint64_t)in->exec_size * isa_flops(in);
    write_access(im, c, r, index, t);
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
                                     struct gtpin_reader *r, const struct place *place,
                                     uint32_t kernel, uint32_t number)
{
    const struct gtpin_code *c = &im->kernel[kernel];
    struct trace_thread *t = trace_thread_begin(w, number);
    struct trace_totals totals = {0, 0, 0};
    int64_t before = GTPIN_NO_ID;
    enum gtpin_event event;

    if (!t)
        return import_no_memory(im);
    while ((event = gtpin_next(r, im->err)) == GTPIN_INST) {
        uint32_t id = 0;

        if (r->ended && place->dropped)
            break;
        if (gtpin_code_number(c, r, before, &id, im->err) != IGPU_OK)
            return IGPU_BAD_INPUT;
        if (id >= c->count || !c->at[id].path)
            return changed(im, r);
        write_inst(im, c, r, c->index_of[id], t, &totals);
        before = id;
        im->report->instructions++;
    }
    if (event == GTPIN_ERROR)
        return IGPU_BAD_INPUT;
    if (before == GTPIN_NO_ID)
        return changed(im, r);
    return end_thread(im, c, before, t, &totals);
}

static enum igpu_status begin_launch(struct import *im, struct trace_writer *w,
                                     uint32_t n)
{
    const struct gtpin_launch *l = &im->launch[n];
    uint32_t per_group = im->options->threads_per_group;
    uint64_t simd = gtpin_code_kernel(&im->kernel[l->kernel]).simd;
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
    if (at->offset == 0) {
        enum gtpin_event event = gtpin_next(r, im->err);

        return event == GTPIN_KERNEL  ? IGPU_OK
               : event == GTPIN_ERROR ? IGPU_BAD_INPUT
                                      : changed(im, r);
    }
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

        if (im->place[i].launches <= n)
            continue;
        status = resume(im, i, &r);
        if (status == IGPU_OK)
            status =
                write_thread(im, w, &r, &im->place[i], im->launch[n].kernel, number++);
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
    if (im->report->accesses > 0 &&
        im->report->without_address == im->report->accesses) {
        trace_writer_abort(w);
        return igpu_fail(im->err, IGPU_BAD_INPUT,
                         "%s: none of %" PRIu64
                         " memory operations has an address (mem_addr); "
                         "expected dumps that were recorded with addresses",
                         im->paths[0], im->report->accesses);
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
        status = import_no_memory(&im);
    if (status == IGPU_OK)
        status = learn(&im);
    if (status == IGPU_OK) {
        im.writer_kernel = calloc(im.nkernels, sizeof(*im.writer_kernel));
        status = im.writer_kernel ? write_trace(&im, out) : import_no_memory(&im);
    }
    for (uint32_t k = 0; k < im.nkernels; k++)
        gtpin_code_free(&im.kernel[k]);
    free(im.kernel);
    free(im.writer_kernel);
    free(im.launch);
    free(im.place);
    return status;
}
