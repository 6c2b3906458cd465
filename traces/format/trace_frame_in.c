/* trace_frame_in.c - see trace_frame.h: reading sections. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

#include "igpu_trace.pb-c.h"
#include "traces/format/trace_frame.h"

enum { BUDGET_BASE = 1 << 16, BUDGET_FACTOR = 16 };

enum igpu_status trace_in_bad(const struct trace_in *in, uint64_t offset,
                              const char *what, struct igpu_err *err)
{
    if (what == igpu_short_memory)
        return igpu_no_memory(err, "%s", in->path);
    return igpu_fail(err, IGPU_BAD_INPUT,
                     "%s: section at offset %llu: %s; the file is corrupt, record it "
                     "again",
                     in->path, (unsigned long long)offset, what);
}

/* ---- allocator ---------------------------------------------------------- */

static void *budget_alloc(void *data, size_t size)
{
    struct trace_budget *budget = data;

    if (size > budget->left)
        return NULL;
    budget->left -= size;
    return malloc(size);
}

static void budget_free(void *data, void *pointer)
{
    (void)data;
    free(pointer);
}

void trace_budget_init(struct trace_budget *budget, size_t raw_size)
{
    budget->allocator.alloc = budget_alloc;
    budget->allocator.free = budget_free;
    budget->allocator.allocator_data = budget;
    budget->left = BUDGET_BASE + raw_size * BUDGET_FACTOR;
}

/* ---- sections ----------------------------------------------------------- */

enum igpu_status trace_in_bytes(struct trace_in *in, uint64_t offset, void *data,
                                size_t size, struct igpu_err *err)
{
    uint8_t *to = data;

    while (size > 0) {
        ssize_t got = pread(in->fd, to, size, (off_t)offset);

        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return igpu_fail(err, IGPU_BAD_INPUT, "%s: cannot read at offset %llu: %s",
                             in->path, (unsigned long long)offset, strerror(errno));
        if (got == 0)
            return igpu_fail(
                err, IGPU_BAD_INPUT,
                "%s: ends at offset %llu inside a section; the file is cut "
                "short, record it again",
                in->path, (unsigned long long)offset);
        to += got;
        offset += (uint64_t)got;
        size -= (size_t)got;
    }
    return IGPU_OK;
}

/* The frame's bytes to in->frame, the offset behind it to *next. */
static enum igpu_status read_frame(struct trace_in *in, uint64_t offset, uint64_t *next,
                                   struct igpu_err *err)
{
    uint8_t head[10];
    uint64_t left = offset < in->bytes ? in->bytes - offset : 0, length;
    size_t peek = left < sizeof(head) ? (size_t)left : sizeof(head), used;
    struct trace_view view;
    enum igpu_status status = trace_in_bytes(in, offset, head, peek, err);

    if (status != IGPU_OK)
        return status;
    view = trace_view_of(head, peek);
    length = trace_view_varint(&view);
    used = peek - trace_view_left(&view);
    if (view.bad || length == 0 || length > TRACE_MAX_FRAME)
        return trace_in_bad(in, offset, "its length is not valid", err);
    if (length > left - used)
        return igpu_fail(
            err, IGPU_BAD_INPUT,
            "%s: section at offset %llu: %llu bytes expected, but the file "
            "ends at %llu; it is cut short, record it again",
            in->path, (unsigned long long)offset, (unsigned long long)length,
            (unsigned long long)in->bytes);
    in->frame.size = 0;
    if (!trace_bytes_extend(&in->frame, (size_t)length))
        return igpu_no_memory(err, "%s", in->path);
    *next = offset + used + length;
    return trace_in_bytes(in, offset + used, in->frame.data, (size_t)length, err);
}

static enum igpu_status expand(struct trace_in *in, uint64_t offset,
                               const Vigpu__Trace__Frame *frame,
                               struct trace_bytes *raw, struct igpu_err *err)
{
    size_t got;

    raw->size = 0;
    if (frame->codec == VIGPU__TRACE__CODEC__CODEC_NONE) {
        if (frame->payload.len != frame->raw_size)
            return trace_in_bad(in, offset, "its sizes disagree", err);
        trace_bytes_put(raw, frame->payload.data, frame->payload.len);
        return raw->failed ? igpu_no_memory(err, "%s", in->path) : IGPU_OK;
    }
    if (frame->codec != VIGPU__TRACE__CODEC__CODEC_ZSTD)
        return trace_in_bad(in, offset, "an unknown compression", err);
    if (!in->zstd)
        in->zstd = ZSTD_createDCtx();
    if (!in->zstd || (frame->raw_size > 0 && !trace_bytes_extend(raw, frame->raw_size)))
        return igpu_no_memory(err, "%s", in->path);
    got = ZSTD_decompressDCtx(in->zstd, raw->data, raw->size, frame->payload.data,
                              frame->payload.len);
    if (ZSTD_isError(got) || got != frame->raw_size)
        return trace_in_bad(in, offset, "it does not decompress", err);
    return IGPU_OK;
}

static enum igpu_status check_frame(struct trace_in *in, uint64_t offset,
                                    uint32_t limit, const Vigpu__Trace__Frame *frame,
                                    struct trace_section *section, struct igpu_err *err)
{
    uint8_t head[12];
    uint32_t sum;

    trace_put_le32(head, (uint32_t)frame->kind);
    trace_put_le32(head + 4, (uint32_t)frame->codec);
    trace_put_le32(head + 8, frame->raw_size);
    sum = trace_crc_add(&in->crc, 0, head, sizeof(head));
    sum = trace_crc_add(&in->crc, sum, frame->payload.data, frame->payload.len);
    if (sum != frame->checksum)
        return trace_in_bad(in, offset, "its checksum differs", err);
    if (frame->raw_size > limit)
        return trace_in_bad(in, offset, "it is larger than the format allows", err);
    section->offset = offset;
    section->kind = (uint32_t)frame->kind;
    section->raw_size = frame->raw_size;
    section->checksum = frame->checksum;
    return IGPU_OK;
}

enum igpu_status trace_in_section(struct trace_in *in, uint64_t offset, uint32_t limit,
                                  struct trace_section *section,
                                  struct trace_bytes *raw, uint64_t *next,
                                  struct igpu_err *err)
{
    struct trace_budget budget;
    Vigpu__Trace__Frame *frame;
    uint64_t behind = offset;
    enum igpu_status status = read_frame(in, offset, &behind, err);

    if (status != IGPU_OK)
        return status;
    trace_budget_init(&budget, in->frame.size);
    frame =
        vigpu__trace__frame__unpack(&budget.allocator, in->frame.size, in->frame.data);
    if (!frame)
        return trace_in_bad(in, offset, "it is not a frame", err);
    status = check_frame(in, offset, limit, frame, section, err);
    if (status == IGPU_OK && raw)
        status = expand(in, offset, frame, raw, err);
    if (status == IGPU_OK && next)
        *next = behind;
    vigpu__trace__frame__free_unpacked(frame, &budget.allocator);
    return status;
}
