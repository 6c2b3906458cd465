/* frame_write.c - frame files, as they grow. */
#include "frame_int.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "igpu/grow.h"
#include "igpu/output.h"

enum { ZSTD_LEVEL = 3 };

/* What a reader has of a buffer: a hash a page. */
struct known {
    uint32_t id;
    uint32_t pages;
    XXH128_hash_t *hash;
};

struct frame_writer {
    struct igpu_output file;
    ZSTD_CStream *zstd;
    void *out;
    size_t out_bytes;
    struct frame_set contents;
    struct known *known; /* by id */
    uint32_t known_count, known_cap;
    uint8_t *changes; /* of the batch at hand, as they are written */
    size_t changes_cap;
    XXH128_hash_t zero;
    struct frame_batch batch;    /* between its begin and its end.. */
    struct frame_buffer *buffer; /* ..its buffers.. */
    uint32_t buffer_cap;
    uint32_t changed; /* ..and changes until now */
    frame_data *data; /* NULL: no holes are known */
    struct frame_counts counts;
};

/* ---- bytes -------------------------------------------------------------- */

static enum igpu_status bytes_put(struct frame_writer *w, const void *data,
                                  size_t bytes, ZSTD_EndDirective end,
                                  struct igpu_err *err)
{
    ZSTD_inBuffer in = {data, bytes, 0};
    size_t left;

    do {
        ZSTD_outBuffer out = {w->out, w->out_bytes, 0};

        left = ZSTD_compressStream2(w->zstd, &out, &in, end);
        if (ZSTD_isError(left))
            return igpu_fail(err, IGPU_SIM_ERROR, "%s: %s", w->file.path,
                             ZSTD_getErrorName(left));
        if (fwrite(w->out, 1, out.pos, w->file.file) != out.pos)
            return igpu_fail(err, IGPU_SIM_ERROR, "%s: cannot write", w->file.path);
    } while (in.pos < in.size || (end == ZSTD_e_end && left != 0));
    return IGPU_OK;
}

static enum igpu_status begin_record(struct frame_writer *w, enum frame_kind kind,
                                     size_t bytes, struct igpu_err *err)
{
    uint8_t head[FRAME_RECORD_HEAD];

    frame_put32(head, (uint32_t)kind);
    frame_put32(head + 4, (uint32_t)bytes);
    w->counts.records++;
    w->counts.bytes += FRAME_RECORD_HEAD + bytes;
    return bytes_put(w, head, sizeof(head), ZSTD_e_continue, err);
}

static enum igpu_status put_record(struct frame_writer *w, enum frame_kind kind,
                                   const void *body, size_t bytes, struct igpu_err *err)
{
    enum igpu_status status = begin_record(w, kind, bytes, err);

    if (status == IGPU_OK && bytes > 0)
        status = bytes_put(w, body, bytes, ZSTD_e_continue, err);
    return status;
}

/* ---- open and close ----------------------------------------------------- */

static void writer_release(struct frame_writer *w)
{
    for (uint32_t i = 0; i < w->known_count; i++)
        free(w->known[i].hash);
    free(w->known);
    free(w->changes);
    free(w->buffer);
    free(w->out);
    frame_set_free(&w->contents);
    (void)ZSTD_freeCStream(w->zstd);
    free(w);
}

/* The text without what would end its line. */
static const char *one_line(const char *text, char *to, size_t bytes)
{
    size_t n = 0;

    for (; text[n] != '\0' && n + 1 < bytes; n++)
        to[n] = text[n] == '\n' || text[n] == '\r' ? ' ' : text[n];
    to[n] = '\0';
    return to;
}

static enum igpu_status put_info(struct frame_writer *w, const struct frame_info *info,
                                 struct igpu_err *err)
{
    char text[FRAME_MAX_INFO], a[64], b[256], c[FRAME_TEXT_BYTES];
    int n = snprintf(text, sizeof(text),
                     "device %s\npci 0x%04x\ndriver %s\nframes %u %u\nexecuted %d\n"
                     "command %s\n",
                     one_line(info->device, a, sizeof(a)), (unsigned)info->pci,
                     one_line(info->driver, b, sizeof(b)), (unsigned)info->first,
                     (unsigned)info->last, (int)info->executed,
                     one_line(info->command, c, sizeof(c)));

    return put_record(w, FRAME_KIND_INFO, text, (size_t)n, err);
}

static enum igpu_status file_start(struct frame_writer *w,
                                   const struct frame_info *info, struct igpu_err *err)
{
    uint8_t head[FRAME_HEAD_BYTES] = {0};

    memcpy(head, frame_magic, sizeof(frame_magic));
    frame_put32(head + 8, info->state ? FRAME_VERSION_STATE : FRAME_VERSION);
    if (fwrite(head, 1, sizeof(head), w->file.file) != sizeof(head))
        return igpu_fail(err, IGPU_SIM_ERROR, "%s: cannot write", w->file.path);
    return put_info(w, info, err);
}

struct frame_writer *frame_create(const char *path, const struct frame_info *info,
                                  struct igpu_err *err)
{
    struct frame_writer *w = calloc(1, sizeof(*w));

    if (w != NULL) {
        w->zstd = ZSTD_createCStream();
        w->out_bytes = ZSTD_CStreamOutSize();
        w->out = malloc(w->out_bytes);
        w->zero = XXH3_128bits(frame_zeros, sizeof(frame_zeros));
    }
    if (w == NULL || w->zstd == NULL || w->out == NULL) {
        (void)igpu_no_memory(err, "%s", path);
        if (w != NULL)
            writer_release(w);
        return NULL;
    }
    (void)ZSTD_CCtx_setParameter(w->zstd, ZSTD_c_compressionLevel, ZSTD_LEVEL);
    (void)ZSTD_CCtx_setParameter(w->zstd, ZSTD_c_checksumFlag, 1);
    if (igpu_output_open(&w->file, path, err) != IGPU_OK) {
        frame_abandon(w);
        return NULL;
    }
    /* A child of fork() that ends has nothing of the file to write. */
    (void)setvbuf(w->file.file, NULL, _IONBF, 0);
    if (file_start(w, info, err) != IGPU_OK) {
        frame_abandon(w);
        return NULL;
    }
    return w;
}

enum igpu_status frame_finish(struct frame_writer *w, struct igpu_err *err)
{
    uint8_t end[FRAME_END_BYTES];
    enum igpu_status status;

    frame_put64(end, w->counts.pages);
    frame_put64(end + 8, w->counts.batches);
    frame_put64(end + 16, w->counts.drops);
    frame_put64(end + 24, w->counts.frames);
    status = put_record(w, FRAME_KIND_END, end, sizeof(end), err);
    if (status == IGPU_OK)
        status = bytes_put(w, NULL, 0, ZSTD_e_end, err);
    if (status == IGPU_OK)
        status = igpu_output_close(&w->file, err);
    else
        igpu_output_abort(&w->file);
    writer_release(w);
    return status;
}

void frame_abandon(struct frame_writer *w)
{
    if (w == NULL)
        return;
    igpu_output_abort(&w->file);
    writer_release(w);
}

/* ---- what a reader has -------------------------------------------------- */

/* Index in w->known where id is, or belongs. */
static uint32_t find_known(const struct frame_writer *w, uint32_t id)
{
    uint32_t low = 0, high = w->known_count;

    while (low < high) {
        uint32_t mid = low + (high - low) / 2;

        if (w->known[mid].id < id)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

/* A buffer that a reader sees first is full of zeros. NULL: memory is short. */
static struct known *know(struct frame_writer *w, const struct frame_buffer *b)
{
    uint32_t at = find_known(w, b->id), pages = (uint32_t)(b->bytes / FRAME_PAGE_BYTES);
    XXH128_hash_t *hash;

    if (at < w->known_count && w->known[at].id == b->id)
        return &w->known[at];
    if (!IGPU_RESERVE(w->known, w->known_cap, (size_t)w->known_count + 1))
        return NULL;
    hash = malloc((pages ? pages : 1) * sizeof(*hash));
    if (hash == NULL)
        return NULL;
    for (uint32_t i = 0; i < pages; i++)
        hash[i] = w->zero;
    memmove(&w->known[at + 1], &w->known[at],
            (w->known_count - at) * sizeof(*w->known));
    w->known[at] = (struct known){b->id, pages, hash};
    w->known_count++;
    return &w->known[at];
}

/* ---- batches ------------------------------------------------------------ */

static enum igpu_status add_content(struct frame_writer *w, const uint8_t *page,
                                    XXH128_hash_t hash, uint32_t *number,
                                    struct igpu_err *err)
{
    *number = 0;
    if (XXH128_isEqual(hash, w->zero))
        return IGPU_OK;
    *number = frame_set_find(&w->contents, hash);
    if (*number != 0)
        return IGPU_OK;
    *number = (uint32_t)++w->counts.pages;
    if (!frame_set_add(&w->contents, hash, *number))
        return igpu_no_memory(err, "%s", w->file.path);
    return put_record(w, FRAME_KIND_PAGE, page, FRAME_PAGE_BYTES, err);
}

static enum igpu_status add_change(struct frame_writer *w, uint32_t count,
                                   uint32_t index, uint32_t page, uint32_t number,
                                   struct igpu_err *err)
{
    size_t at = (size_t)count * FRAME_CHANGE_BYTES;

    if (!IGPU_RESERVE(w->changes, w->changes_cap, at + FRAME_CHANGE_BYTES))
        return igpu_no_memory(err, "%s", w->file.path);
    frame_put32(w->changes + at, index);
    frame_put32(w->changes + at + 4, page);
    frame_put32(w->changes + at + 8, number);
    return IGPU_OK;
}

/* A page differs from what a reader has: it is written, as a copy has it, which no
 * thread of the program changes between its hash and the file. */
static enum igpu_status tell_page(struct frame_writer *w, struct known *k,
                                  const uint8_t *page, uint32_t index, uint32_t i,
                                  struct igpu_err *err)
{
    uint8_t copy[FRAME_PAGE_BYTES];
    enum igpu_status status;
    uint32_t number;

    memcpy(copy, page, sizeof(copy));
    k->hash[i] = XXH3_128bits(copy, sizeof(copy));
    status = add_content(w, copy, k->hash[i], &number, err);
    return status == IGPU_OK ? add_change(w, w->changed++, index, i, number, err)
                             : status;
}

/* Compare buffer `index`'s pages with what a reader has, and write those that differ.
 * Those in a hole of its file are zeros. */
static enum igpu_status pages_compare(struct frame_writer *w, uint32_t index,
                                      struct igpu_err *err)
{
    const struct frame_buffer *b = &w->buffer[index];
    struct known *k = know(w, b);
    enum igpu_status status = IGPU_OK;
    uint64_t data = 0;

    if (k == NULL)
        return igpu_no_memory(err, "%s", w->file.path);
    for (uint32_t i = 0; i < k->pages && status == IGPU_OK; i++) {
        uint64_t from = (uint64_t)i * FRAME_PAGE_BYTES, end = from + FRAME_PAGE_BYTES;
        const uint8_t *page = b->host + from;
        bool hole;

        if (w->data != NULL && data < end)
            data = w->data(b->host, from, b->bytes);
        hole = w->data != NULL && data >= end;
        if (!XXH128_isEqual(hole ? w->zero : XXH3_128bits(page, FRAME_PAGE_BYTES),
                            k->hash[i]))
            status = tell_page(w, k, hole ? frame_zeros : page, index, i, err);
    }
    return status;
}

static enum igpu_status put_batch(struct frame_writer *w, const struct frame_batch *b,
                                  uint32_t changes, struct igpu_err *err)
{
    size_t bytes = FRAME_BATCH_HEAD + (size_t)b->count * FRAME_BUFFER_BYTES +
                   (size_t)changes * FRAME_CHANGE_BYTES;
    uint8_t head[FRAME_BATCH_HEAD], entry[FRAME_BUFFER_BYTES];
    enum igpu_status status = begin_record(w, FRAME_KIND_BATCH, bytes, err);

    frame_put32(head, b->context);
    frame_put32(head + 4, b->engine);
    frame_put64(head + 8, b->start);
    frame_put64(head + 16, b->bytes);
    frame_put32(head + 24, b->count);
    frame_put32(head + 28, changes);
    if (status == IGPU_OK)
        status = bytes_put(w, head, sizeof(head), ZSTD_e_continue, err);
    for (uint32_t i = 0; i < b->count && status == IGPU_OK; i++) {
        frame_put64(entry, b->buffer[i].id);
        frame_put64(entry + 8, b->buffer[i].va);
        frame_put64(entry + 16, b->buffer[i].bytes);
        status = bytes_put(w, entry, sizeof(entry), ZSTD_e_continue, err);
    }
    if (status == IGPU_OK)
        status = bytes_put(w, w->changes, (size_t)changes * FRAME_CHANGE_BYTES,
                           ZSTD_e_continue, err);
    return status;
}

enum igpu_status frame_add_state(struct frame_writer *w, const uint8_t *state,
                                 size_t bytes, struct igpu_err *err)
{
    if (bytes > FRAME_MAX_BODY)
        return igpu_fail(err, IGPU_SIM_ERROR, "%s: a state of %zu bytes", w->file.path,
                         bytes);
    return put_record(w, FRAME_KIND_STATE, state, bytes, err);
}

/* ---- a batch in steps --------------------------------------------------- */

void frame_skip_holes(struct frame_writer *w, frame_data *data)
{
    w->data = data;
}

enum igpu_status frame_use_buffer(struct frame_writer *w, const struct frame_buffer *b,
                                  struct igpu_err *err)
{
    const char *flaw = frame_buffer_flaw(b);

    if (flaw == NULL && w->batch.count == FRAME_MAX_BUFFERS)
        flaw = "the batch has more than 65536 buffers";
    if (flaw != NULL)
        return igpu_fail(err, IGPU_SIM_ERROR, "%s: %s", w->file.path, flaw);
    if (!IGPU_RESERVE(w->buffer, w->buffer_cap, (size_t)w->batch.count + 1))
        return igpu_no_memory(err, "%s", w->file.path);
    w->buffer[w->batch.count] = *b;
    return pages_compare(w, w->batch.count++, err);
}

enum igpu_status frame_begin_batch(struct frame_writer *w, const struct frame_batch *b,
                                   struct igpu_err *err)
{
    const char *flaw = frame_batch_flaw(b);
    enum igpu_status status = IGPU_OK;

    if (flaw != NULL)
        return igpu_fail(err, IGPU_SIM_ERROR, "%s: %s", w->file.path, flaw);
    w->batch = *b;
    w->batch.count = 0;
    w->changed = 0;
    for (uint32_t i = 0; i < b->count && status == IGPU_OK; i++)
        status = frame_use_buffer(w, &b->buffer[i], err);
    return status;
}

/* What a reader has of a page that executing the batch wrote. Where the program wrote
 * before the GPU did a reader has neither: the page comes again with the next batch. */
static void follow_page(const struct frame_writer *w, struct known *k, uint32_t i,
                        const struct frame_written_page *p, const uint8_t *now)
{
    uint8_t page[FRAME_PAGE_BYTES];

    frame_written_merge(p, now, page);
    if (XXH128_isEqual(XXH3_128bits(p->before, FRAME_PAGE_BYTES), k->hash[i]))
        k->hash[i] = XXH3_128bits(page, FRAME_PAGE_BYTES);
    else
        k->hash[i] = (XXH128_hash_t){~w->zero.low64, ~w->zero.high64};
}

static enum igpu_status follow(struct frame_writer *w, const struct frame_buffer *b,
                               const struct frame_written *written,
                               struct igpu_err *err)
{
    struct known *k = know(w, b);

    if (k == NULL)
        return igpu_no_memory(err, "%s", w->file.path);
    for (uint32_t i = 0; i < k->pages; i++) {
        const uint8_t *now = b->host + (size_t)i * FRAME_PAGE_BYTES;
        const struct frame_written_page *p =
            written != NULL ? frame_written_find(written, b->va / FRAME_PAGE_BYTES + i)
                            : NULL;

        if (p != NULL)
            follow_page(w, k, i, p, now);
        else if (written == NULL || frame_written_all(written))
            k->hash[i] = XXH3_128bits(now, FRAME_PAGE_BYTES);
    }
    return IGPU_OK;
}

enum igpu_status frame_end_batch(struct frame_writer *w,
                                 const struct frame_written *written,
                                 struct igpu_err *err)
{
    enum igpu_status status;

    w->batch.buffer = w->buffer;
    status = put_batch(w, &w->batch, w->changed, err);
    w->counts.batches++;
    w->counts.changes += w->changed;
    for (uint32_t i = 0; i < w->batch.count && written != NULL && status == IGPU_OK;
         i++)
        status = follow(w, &w->buffer[i], written, err);
    return status;
}

enum igpu_status frame_add_batch(struct frame_writer *w, const struct frame_batch *b,
                                 struct igpu_err *err)
{
    enum igpu_status status = frame_begin_batch(w, b, err);

    return status == IGPU_OK ? frame_end_batch(w, NULL, err) : status;
}

enum igpu_status frame_executed(struct frame_writer *w, const struct frame_batch *b,
                                struct igpu_err *err)
{
    enum igpu_status status = IGPU_OK;

    for (uint32_t i = 0; i < b->count && status == IGPU_OK; i++)
        status = follow(w, &b->buffer[i], NULL, err);
    return status;
}

enum igpu_status frame_drop_buffer(struct frame_writer *w, uint32_t id,
                                   struct igpu_err *err)
{
    uint32_t at = find_known(w, id);
    uint8_t body[4];

    if (at == w->known_count || w->known[at].id != id)
        return IGPU_OK; /* no batch had it */
    free(w->known[at].hash);
    w->known_count--;
    memmove(&w->known[at], &w->known[at + 1],
            (w->known_count - at) * sizeof(*w->known));
    w->counts.drops++;
    frame_put32(body, id);
    return put_record(w, FRAME_KIND_DROP, body, sizeof(body), err);
}

enum igpu_status frame_end_frame(struct frame_writer *w, struct igpu_err *err)
{
    w->counts.frames++;
    return put_record(w, FRAME_KIND_SHOWN, NULL, 0, err);
}
