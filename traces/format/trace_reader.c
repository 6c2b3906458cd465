/* trace_reader.c - opening a trace: magic, trailer, footer, index, static sections.
 * See trace.h. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include "traces/format/trace_reader_state.h"
#include "traces/format/trace_sections.h"
#include "traces/format/trace_toggles.h"

enum { SCAN_LIMIT = 1 << 16, INDEX_FACTOR = 8, INDEX_BASE = 1024 };

static enum igpu_status bad_footer(const struct trace_reader *r, const char *what,
                                   struct igpu_err *err)
{
    return trace_in_bad(&r->in, r->footer, what, err);
}

/* ---- file --------------------------------------------------------------- */

static enum igpu_status open_file(struct trace_reader *r, struct igpu_err *err)
{
    struct stat st;

    r->in.fd = open(r->path, O_RDONLY | O_CLOEXEC);
    if (r->in.fd < 0)
        return igpu_fail(
            err, IGPU_BAD_INPUT,
            "%s: cannot open: %s; expected a trace file, made by igpu record", r->path,
            strerror(errno));
    if (fstat(r->in.fd, &st) != 0 || !S_ISREG(st.st_mode))
        return igpu_fail(err, IGPU_BAD_INPUT,
                         "%s: not a regular file; expected a trace file, made by igpu "
                         "record",
                         r->path);
    r->in.bytes = (uint64_t)st.st_size;
    if (r->in.bytes == 0)
        return igpu_fail(err, IGPU_BAD_INPUT,
                         "%s: empty file (offset 0); expected a trace, made by igpu "
                         "record",
                         r->path);
    return IGPU_OK;
}

static enum igpu_status check_magic(struct trace_reader *r, struct igpu_err *err)
{
    uint8_t magic[TRACE_MAGIC_BYTES] = {0};
    size_t n = r->in.bytes < sizeof(magic) ? (size_t)r->in.bytes : sizeof(magic);
    size_t known = n < sizeof(trace_magic) ? n : sizeof(trace_magic);
    enum igpu_status status = trace_in_bytes(&r->in, 0, magic, n, err);

    if (status != IGPU_OK)
        return status;
    if (memcmp(magic, trace_magic, known) != 0)
        return igpu_fail(err, IGPU_BAD_INPUT,
                         "%s: not a trace: other bytes than a trace's at offset 0; "
                         "expected a file made by igpu record",
                         r->path);
    if (n == sizeof(magic) && magic[6] != TRACE_MAJOR)
        return igpu_fail(err, IGPU_BAD_INPUT,
                         "%s: trace format version %u.%u (offset 6), but this program "
                         "reads version %d; record it again",
                         r->path, magic[6], magic[7], TRACE_MAJOR);
    r->summary.major = magic[6];
    r->summary.minor = magic[7];
    return IGPU_OK;
}

/* The trailer is not there: say where the last section that is whole ends. */
static enum igpu_status cut_short(struct trace_reader *r, struct igpu_err *err)
{
    uint64_t at = TRACE_MAGIC_BYTES;

    for (unsigned i = 0; i < SCAN_LIMIT && at < r->in.bytes; i++) {
        uint8_t head[10];
        uint64_t left = r->in.bytes - at, length;
        size_t n = left < sizeof(head) ? (size_t)left : sizeof(head);
        struct trace_view view = trace_view_of(head, n);

        if (trace_in_bytes(&r->in, at, head, n, NULL) != IGPU_OK)
            break;
        length = trace_view_varint(&view);
        left -= n - trace_view_left(&view);
        if (view.bad || length == 0 || length > TRACE_MAX_FRAME || length > left)
            break;
        at = r->in.bytes - left + length;
    }
    at = at < r->in.bytes ? at : r->in.bytes;
    return igpu_fail(err, IGPU_BAD_INPUT,
                     "%s: cut short or corrupt: no trailer at the end (offset %llu); "
                     "sections are whole up to offset %llu; record it again",
                     r->path, (unsigned long long)r->in.bytes, (unsigned long long)at);
}

static enum igpu_status find_footer(struct trace_reader *r, struct igpu_err *err)
{
    uint8_t trailer[TRACE_TRAILER_BYTES];
    uint64_t at = r->in.bytes - sizeof(trailer);
    enum igpu_status status;

    if (r->in.bytes < TRACE_MAGIC_BYTES + sizeof(trailer))
        return cut_short(r, err);
    status = trace_in_bytes(&r->in, at, trailer, sizeof(trailer), err);
    if (status != IGPU_OK)
        return status;
    r->footer = trace_get_le64(trailer);
    if (memcmp(trailer + 12, trace_end_magic, sizeof(trace_end_magic)) != 0 ||
        trace_get_le32(trailer + 8) != trace_crc_add(&r->in.crc, 0, trailer, 8) ||
        r->footer < TRACE_MAGIC_BYTES || r->footer >= at)
        return cut_short(r, err);
    return IGPU_OK;
}

/* ---- footer and index --------------------------------------------------- */

static enum igpu_status read_sections(struct trace_reader *r,
                                      const Vigpu__Trace__Footer *f,
                                      struct igpu_err *err)
{
    size_t n = f->n_offset, chunks = 0;

    if (n == 0 || n > UINT32_MAX || f->n_kind != n || f->n_checksum != n ||
        f->n_raw_size != n || !f->totals)
        return bad_footer(r, "the index is not valid", err);
    r->section = calloc(n, sizeof(*r->section));
    if (!r->section)
        return igpu_no_memory(err, "%s", r->path);
    r->nsections = (uint32_t)n;
    for (size_t i = 0; i < n; i++) {
        r->section[i].offset = f->offset[i];
        r->section[i].kind = f->kind[i];
        r->section[i].checksum = f->checksum[i];
        r->section[i].raw_size = f->raw_size[i];
        chunks += f->kind[i] == TRACE_KIND_THREADS;
        r->nkernels += f->kind[i] == TRACE_KIND_KERNEL;
        r->nlaunches += f->kind[i] == TRACE_KIND_LAUNCH;
        if (f->offset[i] >= r->footer || (i == 0 ? f->offset[i] != TRACE_MAGIC_BYTES
                                                 : f->offset[i] <= f->offset[i - 1]))
            return bad_footer(r, "an offset of the index is not valid", err);
    }
    if (r->section[0].kind != TRACE_KIND_HEADER || f->n_launch != chunks ||
        f->n_first_thread != chunks || f->n_last_thread != chunks ||
        r->nkernels != f->kernels || r->nlaunches != f->launches)
        return bad_footer(r, "the index does not match its counts", err);
    r->nchunks = (uint32_t)chunks;
    return IGPU_OK;
}

/* Thread sections: by launch, launches in order. */
static enum igpu_status read_chunks(struct trace_reader *r,
                                    const Vigpu__Trace__Footer *f, struct igpu_err *err)
{
    uint32_t section = 0, launch = 0;

    r->chunk = calloc(r->nchunks + 1u, sizeof(*r->chunk));
    r->first_chunk = calloc(r->nlaunches + 1u, sizeof(*r->first_chunk));
    if (!r->chunk || !r->first_chunk)
        return igpu_no_memory(err, "%s", r->path);
    for (uint32_t i = 0; i < r->nchunks; i++) {
        struct trace_chunk_entry *c = &r->chunk[i];

        while (r->section[section].kind != TRACE_KIND_THREADS)
            section++;
        c->section = section++;
        c->launch = f->launch[i];
        c->first = f->first_thread[i];
        c->last = f->last_thread[i];
        if (c->launch < launch || c->launch >= r->nlaunches || c->first > c->last)
            return bad_footer(r, "the index of threads is not valid", err);
        c->most = c->last;
        if (i > 0 && c->launch == c[-1].launch && c[-1].most > c->most)
            c->most = c[-1].most;
        while (launch < c->launch)
            r->first_chunk[++launch] = i;
    }
    while (launch < r->nlaunches)
        r->first_chunk[++launch] = r->nchunks;
    return IGPU_OK;
}

static enum igpu_status read_values(struct trace_reader *r,
                                    const Vigpu__Trace__Footer *f, struct igpu_err *err)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < r->nsections; i++)
        n += r->section[i].kind == TRACE_KIND_VALUES;
    if (f->n_values_launch != n || f->n_values_first_thread != n ||
        f->n_values_last_thread != n)
        return bad_footer(r, "the index of values is not valid", err);
    r->values = calloc(n + 1u, sizeof(*r->values));
    if (!r->values)
        return igpu_no_memory(err, "%s", r->path);
    for (uint32_t i = 0; i < r->nsections; i++) {
        uint32_t k = r->nvalues;

        if (r->section[i].kind != TRACE_KIND_VALUES)
            continue;
        r->values[r->nvalues++] = (struct trace_values_entry){i, f->values_launch[k],
                                                              f->values_first_thread[k],
                                                              f->values_last_thread[k]};
        if (f->values_launch[k] >= r->nlaunches ||
            f->values_first_thread[k] > f->values_last_thread[k])
            return bad_footer(r, "the index of values is not valid", err);
    }
    return IGPU_OK;
}

static void fill_summary(struct trace_reader *r, const Vigpu__Trace__Footer *f)
{
    struct trace_summary *s = &r->summary;

    s->kernels = r->nkernels;
    s->launches = r->nlaunches;
    s->chunks = r->nsections;
    s->threads = f->threads;
    s->blocks = f->totals->blocks;
    s->accesses = f->totals->accesses;
    s->lane_accesses = f->totals->lane_accesses;
    s->totals.instructions = f->totals->instructions;
    s->totals.lane_instructions = f->totals->lane_instructions;
    s->totals.flops = f->totals->flops;
    s->file_bytes = r->in.bytes;
    s->path_bytes = f->path_bytes;
    s->access_bytes = f->access_bytes;
    s->values = f->values_records;
    s->values_bytes = f->values_bytes;
}

/* An index has a few bytes for each section, which has more than that in the file. */
static uint32_t footer_limit(const struct trace_reader *r)
{
    uint64_t limit = INDEX_BASE + INDEX_FACTOR * r->in.bytes;

    return limit < TRACE_MAX_SECTION ? (uint32_t)limit : TRACE_MAX_SECTION;
}

static enum igpu_status read_footer(struct trace_reader *r, struct igpu_err *err)
{
    struct trace_section section;
    struct trace_budget budget;
    Vigpu__Trace__Footer *footer;
    uint64_t next = 0;
    enum igpu_status status = trace_in_section(&r->in, r->footer, footer_limit(r),
                                               &section, &r->raw, &next, err);

    if (status != IGPU_OK)
        return status;
    if (section.kind != TRACE_KIND_FOOTER || next != r->in.bytes - TRACE_TRAILER_BYTES)
        return bad_footer(r, "it is not the footer that the trailer promises", err);
    trace_budget_init(&budget, r->raw.size);
    footer = vigpu__trace__footer__unpack(&budget.allocator, r->raw.size, r->raw.data);
    if (!footer)
        return bad_footer(r, "the footer cannot be read", err);
    status = read_sections(r, footer, err);
    if (status == IGPU_OK)
        status = read_chunks(r, footer, err);
    if (status == IGPU_OK)
        status = read_values(r, footer, err);
    if (status == IGPU_OK)
        fill_summary(r, footer);
    vigpu__trace__footer__free_unpacked(footer, &budget.allocator);
    return status;
}

/* ---- sections ----------------------------------------------------------- */

/* Headers, kernels and launches into memory; nkernels and nlaunches count up. */
static const char *keep_section(struct trace_reader *r, uint32_t kind)
{
    const char *what = NULL;
    const void *raw = r->raw.data;
    size_t size = r->raw.size;

    if (kind == TRACE_KIND_HEADER && r->header)
        return "a second header";
    if (kind == TRACE_KIND_HEADER)
        r->header = trace_header_read(raw, size, &what);
    if (kind == TRACE_KIND_KERNEL) {
        r->kernel[r->nkernels] = trace_kernel_read(raw, size, &what);
        r->nkernels += !what;
    }
    if (kind == TRACE_KIND_LAUNCH) {
        r->launch[r->nlaunches] = trace_launch_read(raw, size, &what);
        r->nlaunches += !what;
        if (!what && r->launch[r->nlaunches - 1]->kernel >= r->nkernels)
            what = "a launch of a kernel that does not come before it";
        if (!what) {
            const struct trace_launch *l = r->launch[r->nlaunches - 1];

            what = trace_toggles_fault(l, r->kernel[l->kernel]->code.count);
        }
    }
    return what;
}

/* Until version 1.9 addresses of messages of graphics were counts and flags, too. */
static enum igpu_status check_version(const struct trace_reader *r,
                                      struct igpu_err *err)
{
    if (r->nkernels == 0 || !r->kernel[r->nkernels - 1]->graphics ||
        r->summary.minor >= TRACE_MINOR)
        return IGPU_OK;
    return igpu_fail(
        err, IGPU_BAD_INPUT,
        "%s: a frame in trace format version %u.%u, but this program reads "
        "frames from version %d.%d on; make it again: igpu frame trace -o "
        "FILE CAPTURE",
        r->path, r->summary.major, r->summary.minor, TRACE_MAJOR, TRACE_MINOR);
}

static enum igpu_status read_static(struct trace_reader *r, struct igpu_err *err)
{
    r->kernel = calloc(r->nkernels + 1u, sizeof(struct trace_kernel *));
    r->launch = calloc(r->nlaunches + 1u, sizeof(struct trace_launch *));
    r->nkernels = r->nlaunches = 0;
    if (!r->kernel || !r->launch)
        return igpu_no_memory(err, "%s", r->path);
    for (uint32_t i = 0; i < r->nsections; i++) {
        uint32_t kind = r->section[i].kind;
        enum igpu_status status;
        const char *what;

        if (kind != TRACE_KIND_HEADER && kind != TRACE_KIND_KERNEL &&
            kind != TRACE_KIND_LAUNCH)
            continue;
        status = trace_reader_section(r, i, &r->raw, err);
        if (status != IGPU_OK)
            return status;
        what = keep_section(r, kind);
        if (what)
            return trace_in_bad(&r->in, r->section[i].offset, what, err);
        status = check_version(r, err);
        if (status != IGPU_OK)
            return status;
    }
    return IGPU_OK;
}

static bool same_sums(const struct trace_reader *r)
{
    struct trace_summary sum = {0};

    for (uint32_t i = 0; i < r->nlaunches; i++) {
        const struct trace_launch *l = r->launch[i];

        sum.threads += l->threads;
        sum.blocks += l->blocks;
        sum.accesses += l->accesses;
        sum.lane_accesses += l->lane_accesses;
        sum.totals.instructions += l->totals.instructions;
        sum.totals.lane_instructions += l->totals.lane_instructions;
        sum.totals.flops += l->totals.flops;
    }
    return sum.threads == r->summary.threads && sum.blocks == r->summary.blocks &&
           sum.accesses == r->summary.accesses &&
           sum.lane_accesses == r->summary.lane_accesses &&
           sum.totals.instructions == r->summary.totals.instructions &&
           sum.totals.lane_instructions == r->summary.totals.lane_instructions &&
           sum.totals.flops == r->summary.totals.flops;
}

static enum igpu_status check_launches(const struct trace_reader *r,
                                       struct igpu_err *err)
{
    for (uint32_t i = 0; i < r->nchunks; i++)
        if (r->chunk[i].last >= r->launch[r->chunk[i].launch]->threads)
            return bad_footer(r, "the index has a thread that its launch has not", err);
    return same_sums(r) ? IGPU_OK
                        : bad_footer(r, "its totals are not the launches' sums", err);
}

/* ---- interface ---------------------------------------------------------- */

static enum igpu_status open_reader(struct trace_reader *r, struct igpu_err *err)
{
    enum igpu_status status = open_file(r, err);

    if (status == IGPU_OK)
        status = check_magic(r, err);
    if (status == IGPU_OK)
        status = find_footer(r, err);
    if (status == IGPU_OK)
        status = read_footer(r, err);
    if (status == IGPU_OK)
        status = read_static(r, err);
    if (status == IGPU_OK)
        status = check_launches(r, err);
    return status;
}

struct trace_reader *trace_open_any(const char *path, enum igpu_status *status,
                                    struct igpu_err *err)
{
    struct trace_reader *r = calloc(1, sizeof(*r));
    size_t n = strlen(path);
    enum igpu_status result = IGPU_BAD_INPUT;

    if (r) {
        r->in.fd = -1;
        r->path = malloc(n + 1);
        r->work = trace_segment_work_new();
    }
    if (r && r->path && r->work) {
        memcpy(r->path, path, n + 1);
        r->in.path = r->path;
        trace_crc_init(&r->in.crc);
        result = open_reader(r, err);
    } else {
        igpu_no_memory(err, "%s", path);
    }
    if (status)
        *status = result;
    if (result != IGPU_OK) {
        trace_close(r);
        return NULL;
    }
    return r;
}

static bool trace_is_launches(const struct trace_reader *r)
{
    for (uint32_t i = 0; i < r->nsections; i++)
        if (r->section[i].kind == TRACE_KIND_ABI)
            return true;
    return false;
}

/* One of the kind that is wanted. */
static struct trace_reader *open_kind(const char *path, bool launches,
                                      enum igpu_status *status, struct igpu_err *err)
{
    struct trace_reader *r = trace_open_any(path, status, err);
    enum igpu_status wrong;

    if (!r || trace_is_launches(r) == launches)
        return r;
    wrong =
        igpu_fail(err, IGPU_BAD_INPUT,
                  launches ? "%s: a trace, whose paths are recorded; --execute takes "
                             "a launch file, made by igpu record --launch"
                           : "%s: a launch file, which has no recorded paths; run it "
                             "with --execute",
                  path);
    if (status)
        *status = wrong;
    trace_close(r);
    return NULL;
}

struct trace_reader *trace_open(const char *path, enum igpu_status *status,
                                struct igpu_err *err)
{
    return open_kind(path, false, status, err);
}

struct trace_reader *trace_open_launches(const char *path, enum igpu_status *status,
                                         struct igpu_err *err)
{
    return open_kind(path, true, status, err);
}

void trace_close(struct trace_reader *r)
{
    if (!r)
        return;
    if (r->in.fd >= 0)
        close(r->in.fd);
    trace_cache_free(r);
    trace_values_cache_free(r);
    trace_header_free(r->header);
    for (uint32_t i = 0; r->kernel && i < r->nkernels; i++)
        trace_kernel_free(r->kernel[i]);
    for (uint32_t i = 0; r->launch && i < r->nlaunches; i++)
        trace_launch_free(r->launch[i]);
    free(r->kernel);
    free(r->launch);
    free(r->section);
    free(r->chunk);
    free(r->first_chunk);
    free(r->path);
    trace_segment_work_free(r->work);
    trace_bytes_free(&r->raw);
    trace_bytes_free(&r->in.frame);
    ZSTD_freeDCtx(r->in.zstd);
    free(r);
}

const struct trace_header *trace_header(const struct trace_reader *r)
{
    return r->header;
}

const struct trace_summary *trace_summary(const struct trace_reader *r)
{
    return &r->summary;
}

const struct trace_launch *trace_launch(const struct trace_reader *r, uint32_t index)
{
    return r->launch[index];
}

const struct trace_kernel *trace_kernel(const struct trace_reader *r, uint32_t index)
{
    return r->kernel[index];
}
