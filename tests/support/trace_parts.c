/* trace_parts.c - see trace_parts.h. */
#include "tests/support/trace_parts.h"

#include <zstd.h>

void parts_read(struct trace_parts *p, const char *name)
{
    size_t size = file_bytes(name);
    struct trace_in in = {.fd = -1};
    struct trace_section section;
    struct trace_bytes raw = {0};
    struct igpu_err err;
    uint64_t at = TRACE_MAGIC_BYTES;
    FILE *f;

    memset(p, 0, sizeof(*p));
    trace_crc_init(&p->crc);
    in.crc = p->crc;
    in.path = name;
    in.bytes = size;
    f = fopen(name, "rb");
    assert_non_null(f);
    in.fd = fileno(f);
    while (at < size - TRACE_TRAILER_BYTES) {
        assert_ok(
            trace_in_section(&in, at, TRACE_MAX_SECTION, &section, &raw, &at, &err),
            err);
        assert_true(p->count < PARTS_MAX);
        p->part[p->count].kind = section.kind;
        trace_bytes_put(&p->part[p->count++].raw, raw.data, raw.size);
    }
    p->count--; /* the footer */
    p->footer = vigpu__trace__footer__unpack(NULL, raw.size, raw.data);
    assert_non_null(p->footer);
    assert_int_equal(p->footer->n_offset, p->count);
    fclose(f);
    trace_bytes_free(&raw);
    trace_bytes_free(&p->part[p->count].raw);
    trace_bytes_free(&in.frame);
    ZSTD_freeDCtx(in.zstd);
}

void parts_free(struct trace_parts *p)
{
    for (uint32_t i = 0; i < p->count; i++)
        trace_bytes_free(&p->part[i].raw);
    vigpu__trace__footer__free_unpacked(p->footer, NULL);
}

static void put_section(struct trace_parts *p, struct trace_bytes *file, uint32_t kind,
                        const uint8_t *raw, size_t size, uint32_t *checksum)
{
    Vigpu__Trace__Frame frame = VIGPU__TRACE__FRAME__INIT;
    uint8_t head[12];

    trace_put_le32(head, kind);
    trace_put_le32(head + 4, 0);
    trace_put_le32(head + 8, (uint32_t)size);
    frame.kind = (Vigpu__Trace__SectionKind)kind;
    frame.raw_size = (uint32_t)size;
    frame.payload.data = (uint8_t *)(uintptr_t)raw;
    frame.payload.len = size;
    frame.checksum = trace_crc_add(&p->crc, 0, head, sizeof(head));
    frame.checksum = trace_crc_add(&p->crc, frame.checksum, raw, size);
    *checksum = frame.checksum;
    size = vigpu__trace__frame__get_packed_size(&frame);
    trace_bytes_varint(file, size);
    vigpu__trace__frame__pack(&frame, trace_bytes_extend(file, size));
}

void parts_write(struct trace_parts *p, const struct trace_bytes *footer,
                 const char *name)
{
    struct trace_bytes file = {0}, raw = {0};
    uint8_t trailer[TRACE_TRAILER_BYTES];
    uint32_t unused;

    trace_bytes_put(&file, trace_magic, sizeof(trace_magic));
    trace_bytes_u8(&file, TRACE_MAJOR);
    trace_bytes_u8(&file, TRACE_MINOR);
    for (uint32_t i = 0; i < p->count; i++) {
        p->footer->offset[i] = file.size;
        p->footer->kind[i] = p->part[i].kind;
        p->footer->raw_size[i] = (uint32_t)p->part[i].raw.size;
        put_section(p, &file, p->part[i].kind, p->part[i].raw.data, p->part[i].raw.size,
                    &p->footer->checksum[i]);
    }
    trace_put_le64(trailer, file.size);
    trace_put_le32(trailer + 8, trace_crc_add(&p->crc, 0, trailer, 8));
    memcpy(trailer + 12, trace_end_magic, sizeof(trace_end_magic));
    if (footer) {
        trace_bytes_put(&raw, footer->data, footer->size);
    } else {
        size_t size = vigpu__trace__footer__get_packed_size(p->footer);

        vigpu__trace__footer__pack(p->footer, trace_bytes_extend(&raw, size));
    }
    put_section(p, &file, TRACE_KIND_FOOTER, raw.data, raw.size, &unused);
    trace_bytes_put(&file, trailer, sizeof(trailer));
    write_file(name, file.data, file.size);
    trace_bytes_free(&file);
    trace_bytes_free(&raw);
}

void parts_mutate(struct rng *g, uint8_t *data, size_t size)
{
    uint32_t n = 1 + rng_below(g, 3);

    while (size > 0 && n-- > 0) {
        uint32_t at = rng_below(g, (uint32_t)size);

        switch (rng_below(g, 4)) {
        case 0:
            data[at] = (uint8_t)rng_next(g);
            break;
        case 1:
            data[at] = 0xff;
            break;
        case 2:
            data[at] = (uint8_t)(data[at] + (rng_below(g, 2) ? 1 : 255));
            break;
        default:
            data[at] ^= (uint8_t)(1u << rng_below(g, 8));
            break;
        }
    }
}
