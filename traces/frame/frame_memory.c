/* frame_memory.c - buffers as the batches of a frame file find them. */
#include "frame_int.h"

#include <stdlib.h>
#include <string.h>

#include "igpu/grow.h"

struct frame_memory {
    uint64_t limit, bytes; /* of the buffers */
    uint8_t **page;        /* contents, from number 1 on */
    uint32_t pages, page_cap;
    struct held {
        uint32_t id;
        uint64_t bytes;
        uint8_t *host;
    } * held; /* by id */
    uint32_t count, cap;
};

struct frame_memory *frame_memory_new(uint64_t limit)
{
    struct frame_memory *m = calloc(1, sizeof(*m));

    if (m != NULL)
        m->limit = limit;
    return m;
}

void frame_memory_free(struct frame_memory *m)
{
    if (m == NULL)
        return;
    for (uint32_t i = 0; i < m->pages; i++)
        free(m->page[i]);
    for (uint32_t i = 0; i < m->count; i++)
        free(m->held[i].host);
    free(m->page);
    free(m->held);
    free(m);
}

static uint32_t buffer_find(const struct frame_memory *m, uint32_t id)
{
    uint32_t low = 0, high = m->count;

    while (low < high) {
        uint32_t mid = low + (high - low) / 2;

        if (m->held[mid].id < id)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

uint8_t *frame_memory_host(struct frame_memory *m, uint32_t id)
{
    uint32_t at = buffer_find(m, id);

    return at < m->count && m->held[at].id == id ? m->held[at].host : NULL;
}

/* Would so many bytes more be too many, of buffers and contents together? */
static bool is_full(const struct frame_memory *m, uint64_t more)
{
    uint64_t used = m->bytes + (uint64_t)m->pages * FRAME_PAGE_BYTES;

    return more > m->limit || used > m->limit - more;
}

static enum igpu_status too_much(const struct frame_memory *m, struct igpu_err *err)
{
    return igpu_fail(err, IGPU_BAD_INPUT,
                     "the frame's buffers and pages have more than %u MB at a time",
                     (unsigned)(m->limit >> 20));
}

static enum igpu_status page_keep(struct frame_memory *m, const uint8_t *page,
                                  struct igpu_err *err)
{
    uint8_t *copy = NULL;

    if (is_full(m, FRAME_PAGE_BYTES))
        return too_much(m, err);
    copy = malloc(FRAME_PAGE_BYTES);
    if (copy == NULL || !IGPU_APPEND(m->page, m->pages, m->page_cap, copy)) {
        free(copy);
        return igpu_no_memory(err, "a frame's pages");
    }
    memcpy(copy, page, FRAME_PAGE_BYTES);
    return IGPU_OK;
}

static enum igpu_status hold(struct frame_memory *m, const struct frame_buffer *b,
                             struct igpu_err *err)
{
    uint32_t at = buffer_find(m, b->id);
    uint8_t *host;

    if (at < m->count && m->held[at].id == b->id)
        return IGPU_OK;
    if (is_full(m, b->bytes))
        return too_much(m, err);
    if (!IGPU_RESERVE(m->held, m->cap, (size_t)m->count + 1))
        return igpu_no_memory(err, "buffers");
    host = calloc(1, (size_t)b->bytes);
    if (host == NULL)
        return igpu_no_memory(err, "a buffer");
    memmove(&m->held[at + 1], &m->held[at], (m->count - at) * sizeof(*m->held));
    m->held[at] = (struct held){b->id, b->bytes, host};
    m->count++;
    m->bytes += b->bytes;
    return IGPU_OK;
}

static void drop(struct frame_memory *m, uint32_t id)
{
    uint32_t at = buffer_find(m, id);

    if (at == m->count || m->held[at].id != id)
        return;
    m->bytes -= m->held[at].bytes;
    free(m->held[at].host);
    m->count--;
    memmove(&m->held[at], &m->held[at + 1], (m->count - at) * sizeof(*m->held));
}

static void change(struct frame_memory *m, const struct frame_batch *b)
{
    for (uint32_t i = 0; i < b->changes; i++) {
        const struct frame_change *c = &b->change[i];
        uint8_t *host = frame_memory_host(m, b->buffer[c->index].id);

        memcpy(host + (size_t)c->page * FRAME_PAGE_BYTES,
               c->content == 0 ? frame_zeros : m->page[c->content - 1],
               FRAME_PAGE_BYTES);
    }
}

enum igpu_status frame_memory_apply(struct frame_memory *m,
                                    const struct frame_record *record,
                                    struct igpu_err *err)
{
    enum igpu_status status = IGPU_OK;

    if (record->kind == FRAME_KIND_PAGE)
        return page_keep(m, record->page, err);
    if (record->kind == FRAME_KIND_DROP)
        drop(m, record->id);
    if (record->kind != FRAME_KIND_BATCH)
        return IGPU_OK;
    for (uint32_t i = 0; i < record->batch.count && status == IGPU_OK; i++)
        status = hold(m, &record->batch.buffer[i], err);
    if (status == IGPU_OK)
        change(m, &record->batch);
    return status;
}
