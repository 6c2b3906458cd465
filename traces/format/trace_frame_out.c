/* trace_frame_out.c - see trace_frame.h: writing sections. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "igpu/grow.h"
#include "igpu_trace.pb-c.h"
#include "traces/format/trace_frame.h"

const uint8_t trace_magic[6] = {0x89, 'V', 'G', 'T', '\r', '\n'};
const uint8_t trace_end_magic[4] = {'V', 'G', 'T', 'E'};

/* zstd's levels: thread sections are many, the rest is small and written once. What
 * hardly becomes smaller becomes so at the first level as well, in a sixth of the time.
 */
enum { LEVEL_DENSE = 1, LEVEL_THREADS = 5, LEVEL_STATIC = 15 };

static enum igpu_status short_memory(struct igpu_err *err)
{
    return igpu_no_memory(err, "trace writer");
}

enum igpu_status trace_out_bytes(struct trace_out *out, const void *data, size_t size,
                                 struct igpu_err *err)
{
    if (fwrite(data, 1, size, out->file) != size)
        return igpu_fail(err, IGPU_SIM_ERROR,
                         "%s: cannot write at offset %llu: %s; free some space or "
                         "choose another place with -o",
                         out->path, (unsigned long long)out->offset, strerror(errno));
    out->offset += size;
    return IGPU_OK;
}

/* out->raw to out->packed; false when that is no smaller or fails. */
static bool compress(struct trace_out *out, enum trace_kind kind)
{
    size_t bound = ZSTD_compressBound(out->raw.size), got;
    bool many = kind == TRACE_KIND_THREADS || kind == TRACE_KIND_VALUES;
    int level = !many ? LEVEL_STATIC : out->dense ? LEVEL_DENSE : LEVEL_THREADS;

    if (!out->zstd)
        out->zstd = ZSTD_createCCtx();
    out->packed.size = 0;
    if (!out->zstd || !IGPU_RESERVE(out->packed.data, out->packed.capacity, bound))
        return false;
    got = ZSTD_compressCCtx(out->zstd, out->packed.data, bound, out->raw.data,
                            out->raw.size, level);
    if (ZSTD_isError(got))
        return false;
    if (many)
        out->dense = got > out->raw.size / 4 * 3;
    if (got >= out->raw.size)
        return false;
    out->packed.size = got;
    return true;
}

static uint32_t checksum(const struct trace_crc *crc, uint32_t kind, uint32_t codec,
                         uint32_t raw_size, const void *payload, size_t size)
{
    uint8_t head[12];

    trace_put_le32(head, kind);
    trace_put_le32(head + 4, codec);
    trace_put_le32(head + 8, raw_size);
    return trace_crc_add(crc, trace_crc_add(crc, 0, head, sizeof(head)), payload, size);
}

static enum igpu_status check_size(const struct trace_out *out, size_t size,
                                   struct igpu_err *err)
{
    if (size <= TRACE_MAX_SECTION)
        return IGPU_OK;
    return igpu_fail(err, IGPU_BAD_INPUT,
                     "%s: a section of %zu bytes at offset %llu is over the format's "
                     "limit of %d; split the recording",
                     out->path, size, (unsigned long long)out->offset,
                     TRACE_MAX_SECTION);
}

enum igpu_status trace_out_section(struct trace_out *out, enum trace_kind kind,
                                   const ProtobufCMessage *message,
                                   struct trace_section *section, struct igpu_err *err)
{
    size_t size = protobuf_c_message_get_packed_size(message);
    enum igpu_status status = check_size(out, size, err);

    if (status != IGPU_OK)
        return status;
    out->raw.size = 0;
    if (!trace_bytes_extend(&out->raw, size))
        return short_memory(err);
    protobuf_c_message_pack(message, out->raw.data);
    return trace_out_packed(out, kind, section, err);
}

enum igpu_status trace_out_packed(struct trace_out *out, enum trace_kind kind,
                                  struct trace_section *section, struct igpu_err *err)
{
    Vigpu__Trace__Frame frame = VIGPU__TRACE__FRAME__INIT;
    size_t size = out->raw.size, packed;
    enum igpu_status status = check_size(out, size, err);
    bool zstd;

    if (out->raw.failed)
        return short_memory(err);
    if (status != IGPU_OK)
        return status;
    zstd = compress(out, kind);
    frame.kind = (Vigpu__Trace__SectionKind)kind;
    frame.codec =
        zstd ? VIGPU__TRACE__CODEC__CODEC_ZSTD : VIGPU__TRACE__CODEC__CODEC_NONE;
    frame.raw_size = (uint32_t)size;
    frame.payload.data = zstd ? out->packed.data : out->raw.data;
    frame.payload.len = zstd ? out->packed.size : size;
    frame.checksum = checksum(&out->crc, kind, frame.codec, frame.raw_size,
                              frame.payload.data, frame.payload.len);
    section->offset = out->offset;
    section->kind = kind;
    section->raw_size = frame.raw_size;
    section->checksum = frame.checksum;
    packed = vigpu__trace__frame__get_packed_size(&frame);
    out->frame.size = 0;
    trace_bytes_varint(&out->frame, packed);
    if (!trace_bytes_extend(&out->frame, packed))
        return short_memory(err);
    vigpu__trace__frame__pack(&frame, out->frame.data + (out->frame.size - packed));
    return trace_out_bytes(out, out->frame.data, out->frame.size, err);
}

void trace_out_free(struct trace_out *out)
{
    ZSTD_freeCCtx(out->zstd);
    trace_bytes_free(&out->raw);
    trace_bytes_free(&out->packed);
    trace_bytes_free(&out->frame);
}
