/* trace_section_in.c - sections of an open trace: one read, and what each is. See
 * trace.h and trace_reader_state.h. */
#include "traces/format/trace_reader_state.h"
#include "traces/format/trace_sections.h"

enum igpu_status trace_reader_section(struct trace_reader *r, uint32_t index,
                                      struct trace_bytes *raw, struct igpu_err *err)
{
    const struct trace_section *s = &r->section[index];
    uint32_t limit = s->kind == TRACE_KIND_THREADS || s->kind == TRACE_KIND_VALUES
                         ? TRACE_MAX_THREADS_SECTION
                         : TRACE_MAX_SECTION;
    uint64_t next = 0, end = index + 1 < r->nsections ? s[1].offset : r->footer;
    struct trace_section got;
    enum igpu_status status =
        trace_in_section(&r->in, s->offset, limit, &got, raw, &next, err);

    if (status != IGPU_OK)
        return status;
    if (got.kind != s->kind || got.checksum != s->checksum ||
        got.raw_size != s->raw_size || next != end)
        return trace_in_bad(&r->in, s->offset, "it is not the one in the index", err);
    return IGPU_OK;
}

enum igpu_status trace_chunk_check(struct trace_reader *r, uint32_t index,
                                   struct igpu_err *err)
{
    return trace_reader_section(r, index, NULL, err);
}

uint32_t trace_sections(const struct trace_reader *r)
{
    return r->nsections;
}

enum trace_kind trace_section_kind(const struct trace_reader *r, uint32_t index)
{
    return (enum trace_kind)r->section[index].kind;
}

enum igpu_status trace_section_read(struct trace_reader *r, uint32_t index,
                                    struct trace_bytes *raw, struct igpu_err *err)
{
    return trace_reader_section(r, index, raw, err);
}

enum igpu_status trace_section_bad(const struct trace_reader *r, uint32_t index,
                                   const char *what, struct igpu_err *err)
{
    return trace_in_bad(&r->in, r->section[index].offset, what, err);
}

/* The entry of thread section `section`; entries are in the order of sections. */
static const struct trace_chunk_entry *find_entry(const struct trace_reader *r,
                                                  uint32_t section)
{
    uint32_t low = 0, high = r->nchunks - 1;

    while (low < high) {
        uint32_t mid = low + (high - low) / 2;

        if (r->chunk[mid].section < section)
            low = mid + 1;
        else
            high = mid;
    }
    return &r->chunk[low];
}

struct trace_chunk_info trace_chunk(const struct trace_reader *r, uint32_t index)
{
    static const char *const kinds[] = {"unknown", "header",  "kernel", "launch",
                                        "threads", "unknown", "values"};
    const struct trace_section *s = &r->section[index];
    uint64_t end = index + 1 < r->nsections ? s[1].offset : r->footer;
    struct trace_chunk_info info = {"unknown", s->offset, 0, s->raw_size, 0, 0, 0};

    info.bytes = (uint32_t)(end - s->offset);
    if (s->kind < sizeof(kinds) / sizeof(kinds[0]))
        info.kind = kinds[s->kind];
    if (s->kind == TRACE_KIND_THREADS) {
        const struct trace_chunk_entry *entry = find_entry(r, index);

        info.launch = entry->launch;
        info.first_thread = entry->first;
        info.last_thread = entry->last;
    }
    return info;
}
