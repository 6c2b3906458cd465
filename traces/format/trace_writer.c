/* trace_writer.c - files, kernels and launches of the writer, see trace.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "traces/format/trace_alike.h"
#include "traces/format/trace_follow.h"
#include "traces/format/trace_sections.h"
#include "traces/format/trace_toggles.h"
#include "traces/format/trace_writer_state.h"

/* ---- open --------------------------------------------------------------- */

static void thread_free(struct trace_thread *t)
{
    free(t->block);
    free(t->list.inst);
    free(t->list.mask);
    free(t->list.base);
    free(t->list.stride);
    free(t->list.differ);
    free(t->list.kind);
    free(t->head);
    free(t->way);
    trace_bytes_free(&t->values);
    trace_graphics_free(&t->graphics);
    free(t);
}

static void free_all(struct trace_writer *w)
{
    struct trace_kernel_out *kernels = w->kernels.data;

    for (int list = 0; list < 2; list++)
        for (struct trace_thread *t = list ? w->idle : w->open, *next; t; t = next) {
            next = t->next;
            thread_free(t);
        }
    for (size_t i = 0; i < w->kernels.count; i++) {
        free(kernels[i].blocks.block);
        free(kernels[i].inst);
    }
    free(kernels);
    trace_launch_free(w->launch);
    trace_chunk_free(&w->chunk);
    trace_values_out_free(&w->values);
    trace_segment_work_free(w->work);
    trace_moved_free(w->moved);
    trace_follow_free(w->follow);
    trace_alike_free(w->alike);
    trace_paths_free(w);
    trace_out_free(&w->out);
    for (int i = 0; i < 2; i++)
        trace_bytes_free(&w->encoded[i]);
    for (int i = 0; i < 3; i++)
        free(w->chunk_of[i].data);
    free(w->sections.data);
    free(w->begun);
    free(w->seen);
    free(w->path);
    free(w);
}

/* The names and everything that is allocated once. */
static bool allocate(struct trace_writer *w, const char *path)
{
    size_t n = strlen(path);

    w->path = malloc(n + 1);
    w->seen = calloc((size_t)TRACE_SEEN_SETS * TRACE_SEEN_WAYS, sizeof(*w->seen));
    w->work = trace_segment_work_new();
    w->moved = trace_moved_new();
    w->follow = trace_follow_new(w->moved);
    if (!w->path || !w->seen || !w->work || !w->moved || !w->follow)
        return false;
    memcpy(w->path, path, n + 1);
    trace_crc_init(&w->out.crc);
    return true;
}

static enum igpu_status begin_file(struct trace_writer *w,
                                   const struct trace_header *header)
{
    uint8_t magic[TRACE_MAGIC_BYTES];
    struct trace_section section;
    struct igpu_err err;
    enum igpu_status status;

    status = igpu_output_open(&w->file, w->path, &err);
    if (status != IGPU_OK)
        return trace_writer_fail(w, status, "%s", err.text);
    w->out.file = w->file.file;
    /* Sections are large, and a child of fork() shall have nothing to write at its end.
     */
    (void)setvbuf(w->out.file, NULL, _IONBF, 0);
    w->out.path = w->file.path;
    memcpy(magic, trace_magic, sizeof(trace_magic));
    magic[6] = TRACE_MAJOR;
    w->launches_only = header->launches;
    magic[7] = header->launches   ? TRACE_MINOR_LAUNCHES
               : header->graphics ? TRACE_MINOR
                                  : TRACE_MINOR_COMPUTE;
    status = trace_out_bytes(&w->out, magic, sizeof(magic), &err);
    if (status == IGPU_OK)
        status = trace_header_write(&w->out, header, &section, &err);
    return trace_writer_keep(w, &section, status, &err);
}

struct trace_writer *trace_writer_open(const char *path,
                                       const struct trace_header *header,
                                       enum igpu_status *status, struct igpu_err *err)
{
    struct trace_writer *w = calloc(1, sizeof(*w));
    enum igpu_status unused;

    status = status ? status : &unused;
    if (!w || !allocate(w, path)) {
        *status = igpu_no_memory(err, "trace writer");
        if (w)
            free_all(w);
        return NULL;
    }
    *status = begin_file(w, header);
    if (*status != IGPU_OK) {
        trace_writer_status(w, err);
        trace_writer_abort(w);
        return NULL;
    }
    return w;
}

/* ---- kernels and launches ----------------------------------------------- */

static bool reads_images(const struct trace_kernel *kernel)
{
    for (uint32_t i = 0; i < kernel->code.count; i++)
        if (kernel->code.inst[i].msg.family == ISA_MSG_SAMPLER)
            return true;
    return false;
}

enum igpu_status trace_writer_kernel(struct trace_writer *w,
                                     const struct trace_kernel *kernel, uint32_t *index,
                                     struct igpu_err *err)
{
    uint32_t inst;
    const char *fault = trace_kernel_fault(kernel, &inst);
    struct trace_kernel_out copy = {{NULL, 0, NULL}, 0, 0, NULL};
    struct trace_section section = {0};
    struct igpu_err why;
    size_t bytes = kernel->blocks.count * sizeof(struct isa_block);
    size_t code = kernel->code.count * sizeof(struct isa_inst);

    if (w->failed || w->launch || fault) {
        trace_writer_fail(w, IGPU_SIM_ERROR,
                          "trace writer: kernel %s, at instruction %u: %s",
                          kernel->name ? kernel->name : "", inst,
                          fault ? fault : "added inside a launch");
        return trace_writer_status(w, err);
    }
    if (trace_writer_keep(w, &section,
                          trace_kernel_write(&w->out, kernel, &section, &why), &why))
        return trace_writer_status(w, err);
    w->images |= reads_images(kernel);
    copy.insts = kernel->code.count;
    copy.graphics = kernel->graphics;
    copy.blocks.count = kernel->blocks.count;
    copy.blocks.block = malloc(bytes);
    copy.inst = malloc(code);
    if (copy.blocks.block)
        memcpy(copy.blocks.block, kernel->blocks.block, bytes);
    if (copy.inst)
        memcpy(copy.inst, kernel->code.inst, code);
    if (!copy.blocks.block || !copy.inst ||
        !trace_array_add(&w->kernels, &copy, sizeof(copy))) {
        free(copy.blocks.block);
        free(copy.inst);
        trace_writer_fail(w, IGPU_NO_MEMORY, "trace writer: out of memory");
        return trace_writer_status(w, err);
    }
    *index = (uint32_t)w->kernels.count - 1;
    return IGPU_OK;
}

enum igpu_status trace_writer_launch_begin(struct trace_writer *w,
                                           const struct trace_launch *launch,
                                           uint32_t *index, struct igpu_err *err)
{
    const char *fault = trace_launch_fault(launch, (uint32_t)w->kernels.count);

    if (w->launch)
        fault = "the one before has not ended";
    if (w->failed || fault) {
        trace_writer_fail(
            w, fault == igpu_short_memory ? IGPU_NO_MEMORY : IGPU_SIM_ERROR,
            "trace writer: launch %u: %s", w->launches, fault ? fault : "");
        return trace_writer_status(w, err);
    }
    free(w->begun);
    w->begun = calloc(launch->threads / 8 + 1u, 1);
    w->launch = trace_launch_copy(launch);
    if (!w->begun || !w->launch) {
        trace_writer_fail(w, IGPU_NO_MEMORY, "trace writer: out of memory");
        return trace_writer_status(w, err);
    }
    memset(&w->launch->totals, 0, sizeof(w->launch->totals));
    w->launch->blocks = w->launch->accesses = w->launch->lane_accesses = 0;
    free((struct toggle_count *)w->launch->toggles);
    w->launch->toggles = NULL;
    w->launch->toggle_count = 0;
    w->kernel = (const struct trace_kernel_out *)w->kernels.data + launch->kernel;
    w->ended = 0;
    if (index)
        *index = w->launches;
    return IGPU_OK;
}

static void add_to_sums(struct trace_writer *w)
{
    const struct trace_launch *l = w->launch;

    w->sums.totals.instructions += l->totals.instructions;
    w->sums.totals.lane_instructions += l->totals.lane_instructions;
    w->sums.totals.flops += l->totals.flops;
    w->sums.blocks += l->blocks;
    w->sums.accesses += l->accesses;
    w->sums.lane_accesses += l->lane_accesses;
    w->threads += l->threads;
    w->launches++;
}

void trace_writer_toggles(struct trace_writer *w, const struct toggle_count *toggles)
{
    const char *fault = NULL;

    if (!w->launch || w->launch->toggles)
        fault = "toggles belong to a launch, once";
    else if (!trace_toggles_copy(w->launch, toggles, w->kernel->insts))
        fault = igpu_short_memory;
    else
        fault = trace_toggles_fault(w->launch, w->kernel->insts);
    if (fault)
        trace_writer_fail(w,
                          fault == igpu_short_memory ? IGPU_NO_MEMORY : IGPU_SIM_ERROR,
                          "trace writer: launch %u: %s", w->launches, fault);
}

enum igpu_status trace_writer_launch_end(struct trace_writer *w, struct igpu_err *err)
{
    struct trace_section section = {0};
    struct igpu_err why;

    if (!w->launch) {
        trace_writer_fail(w, IGPU_SIM_ERROR, "trace writer: no launch to end");
        return trace_writer_status(w, err);
    }
    if (!w->launches_only && w->ended != w->launch->threads)
        trace_writer_fail(w, IGPU_SIM_ERROR,
                          "trace writer: launch %u ends after %u of its %u threads",
                          w->launches, w->ended, w->launch->threads);
    trace_chunk_flush(w);
    trace_values_flush(w);
    if (!w->failed)
        trace_writer_keep(w, &section,
                          trace_launch_write(&w->out, w->launch, &section, &why), &why);
    add_to_sums(w);
    trace_launch_free(w->launch);
    w->launch = NULL;
    trace_alike_free(w->alike);
    w->alike = NULL;
    return trace_writer_status(w, err);
}

/* ---- close -------------------------------------------------------------- */

/* One column of the index, out of the sections. */
static uint32_t *index_columns(const struct trace_writer *w, uint64_t *offset)
{
    const struct trace_section *s = w->sections.data;
    size_t n = w->sections.count;
    uint32_t *column = calloc(3 * n, sizeof(*column));

    for (size_t i = 0; column && i < n; i++) {
        offset[i] = s[i].offset;
        column[i] = s[i].kind;
        column[n + i] = s[i].checksum;
        column[2 * n + i] = s[i].raw_size;
    }
    return column;
}

static void fill_footer(const struct trace_writer *w, Vigpu__Trace__Totals *totals,
                        Vigpu__Trace__Footer *footer)
{
    totals->instructions = w->sums.totals.instructions;
    totals->lane_instructions = w->sums.totals.lane_instructions;
    totals->flops = w->sums.totals.flops;
    totals->blocks = w->sums.blocks;
    totals->accesses = w->sums.accesses;
    totals->lane_accesses = w->sums.lane_accesses;
    footer->kernels = (uint32_t)w->kernels.count;
    footer->launches = w->launches;
    footer->threads = w->threads;
    footer->totals = totals;
    footer->path_bytes = w->path_bytes;
    footer->access_bytes = w->access_bytes;
    footer->launch = w->chunk_of[0].data;
    footer->first_thread = w->chunk_of[1].data;
    footer->last_thread = w->chunk_of[2].data;
    footer->n_launch = footer->n_first_thread = footer->n_last_thread =
        w->chunk_of[0].count;
    footer->values_launch = w->values.of[0].data;
    footer->values_first_thread = w->values.of[1].data;
    footer->values_last_thread = w->values.of[2].data;
    footer->n_values_launch = footer->n_values_first_thread =
        footer->n_values_last_thread = w->values.of[0].count;
    footer->values_records = w->values.total;
    footer->values_bytes = w->values.bytes;
}

static enum igpu_status write_footer(struct trace_writer *w, struct igpu_err *err)
{
    Vigpu__Trace__Footer footer = VIGPU__TRACE__FOOTER__INIT;
    Vigpu__Trace__Totals totals = VIGPU__TRACE__TOTALS__INIT;
    struct trace_section section;
    uint8_t trailer[TRACE_TRAILER_BYTES];
    size_t n = w->sections.count;
    uint64_t *offset = calloc(n, sizeof(*offset));
    uint32_t *column = offset ? index_columns(w, offset) : NULL;
    enum igpu_status status;

    if (!column) {
        free(offset);
        return igpu_no_memory(err, "trace writer");
    }
    fill_footer(w, &totals, &footer);
    footer.offset = offset;
    footer.kind = column;
    footer.checksum = column + n;
    footer.raw_size = column + 2 * n;
    footer.n_offset = footer.n_kind = footer.n_checksum = footer.n_raw_size = n;
    status = trace_out_section(&w->out, TRACE_KIND_FOOTER, &footer.base, &section, err);
    free(offset);
    free(column);
    if (status != IGPU_OK)
        return status;
    trace_put_le64(trailer, section.offset);
    trace_put_le32(trailer + 8, trace_crc_add(&w->out.crc, 0, trailer, 8));
    memcpy(trailer + 12, trace_end_magic, sizeof(trace_end_magic));
    return trace_out_bytes(&w->out, trailer, sizeof(trailer), err);
}

/* The version is known when all kernels are. A pipe's stays as it is. */
static enum igpu_status finish_magic(struct trace_writer *w, struct igpu_err *err)
{
    FILE *file = w->out.file;
    int minor = w->moved_any ? TRACE_MINOR_MOVED : TRACE_MINOR_IMAGES;

    if ((!w->images && !w->moved_any) || w->launches_only)
        return IGPU_OK;
    if (fseek(file, TRACE_MAGIC_BYTES - 1, SEEK_SET) != 0 && errno == ESPIPE)
        return IGPU_OK;
    if (fseek(file, TRACE_MAGIC_BYTES - 1, SEEK_SET) != 0 ||
        fputc(minor, file) == EOF || fseek(file, 0, SEEK_END) != 0)
        return igpu_fail(err, IGPU_BAD_INPUT, "%s: cannot write its version", w->path);
    return IGPU_OK;
}

enum igpu_status trace_writer_close(struct trace_writer *w, struct igpu_err *err)
{
    struct igpu_err why;
    enum igpu_status status;

    if (w->launch)
        trace_writer_fail(w, IGPU_SIM_ERROR, "trace writer: launch %u has not ended",
                          w->launches);
    if (!w->failed) {
        status = write_footer(w, &why);
        if (status == IGPU_OK)
            status = finish_magic(w, &why);
        if (status != IGPU_OK)
            trace_writer_fail(w, status, "%s", why.text);
    }
    if (w->failed)
        igpu_output_abort(&w->file);
    else if ((status = igpu_output_close(&w->file, &why)) != IGPU_OK)
        trace_writer_fail(w, status, "%s", why.text);
    status = trace_writer_status(w, err);
    free_all(w);
    return status;
}

void trace_writer_abort(struct trace_writer *w)
{
    if (!w)
        return;
    igpu_output_abort(&w->file);
    free_all(w);
}
