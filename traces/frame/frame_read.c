/* frame_read.c - frame files, record after record. Nothing of a file is believed before
 * it is checked: sizes are bounded, references lead to what was there before. */
#include "frame_int.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "igpu/grow.h"

struct frame_reader {
    FILE *file;
    char *path;
    ZSTD_DStream *zstd;
    uint8_t *in;
    ZSTD_inBuffer input;
    size_t in_bytes;
    bool frame_over, ended; /* of zstd; END was read */
    uint8_t *body;
    size_t body_cap;
    struct frame_buffer *buffer;
    struct frame_change *change;
    struct live {
        uint32_t id, pages;
    } * live; /* buffers not dropped, by id */
    uint32_t live_count, live_cap;
    struct frame_info info;
    struct frame_counts counts;
};

/* ---- bytes -------------------------------------------------------------- */

static enum igpu_status damaged(struct frame_reader *r, struct igpu_err *err,
                                const char *what)
{
    return igpu_fail(err, IGPU_BAD_INPUT,
                     "%s: damaged at byte %" PRIu64
                     " of its records: %s; capture it again",
                     r->path, r->counts.bytes, what);
}

static enum igpu_status refill(struct frame_reader *r, struct igpu_err *err)
{
    r->input = (ZSTD_inBuffer){r->in, fread(r->in, 1, r->in_bytes, r->file), 0};
    if (ferror(r->file))
        return igpu_fail(err, IGPU_BAD_INPUT, "%s: %s", r->path, strerror(errno));
    if (r->input.size == 0)
        return damaged(r, err, "the file ends early");
    return IGPU_OK;
}

/* Exactly `bytes` of the unpacked stream. */
static enum igpu_status reader_take(struct frame_reader *r, void *to, size_t bytes,
                                    struct igpu_err *err)
{
    ZSTD_outBuffer out = {to, bytes, 0};

    while (out.pos < out.size) {
        size_t before = out.pos, left;

        if (r->frame_over)
            return damaged(r, err, "its records end early");
        if (r->input.pos == r->input.size && refill(r, err) != IGPU_OK)
            return IGPU_BAD_INPUT;
        left = ZSTD_decompressStream(r->zstd, &out, &r->input);
        if (ZSTD_isError(left))
            return damaged(r, err, ZSTD_getErrorName(left));
        r->frame_over = left == 0;
        r->counts.bytes += out.pos - before;
    }
    return IGPU_OK;
}

/* The stream is over, its checksum right, and nothing is behind it. */
static enum igpu_status take_end(struct frame_reader *r, struct igpu_err *err)
{
    uint8_t none;

    while (!r->frame_over) {
        ZSTD_outBuffer out = {&none, 1, 0};
        size_t left;

        if (r->input.pos == r->input.size && refill(r, err) != IGPU_OK)
            return IGPU_BAD_INPUT;
        left = ZSTD_decompressStream(r->zstd, &out, &r->input);
        if (ZSTD_isError(left))
            return damaged(r, err, ZSTD_getErrorName(left));
        if (out.pos != 0)
            return damaged(r, err, "records behind the end");
        r->frame_over = left == 0;
    }
    if (r->input.pos < r->input.size || fgetc(r->file) != EOF)
        return damaged(r, err, "bytes behind the end");
    return IGPU_OK;
}

static enum igpu_status take_body(struct frame_reader *r, uint64_t bytes,
                                  struct igpu_err *err)
{
    enum { STEP = 1 << 20 };
    enum igpu_status status = IGPU_OK;

    /* In steps: a damaged size does not ask for memory that no bytes fill. */
    for (uint64_t have = 0; have < bytes && status == IGPU_OK;) {
        uint64_t step = bytes - have < STEP ? bytes - have : STEP;

        if (!IGPU_RESERVE(r->body, r->body_cap, (size_t)(have + step)))
            return igpu_no_memory(err, "%s", r->path);
        status = reader_take(r, r->body + have, (size_t)step, err);
        have += step;
    }
    return status;
}

/* ---- info --------------------------------------------------------------- */

static bool take_line(struct frame_info *info, const char *key, const char *value)
{
    unsigned a, b;

    if (strcmp(key, "device") == 0)
        (void)snprintf(info->device, sizeof(info->device), "%s", value);
    else if (strcmp(key, "driver") == 0)
        (void)snprintf(info->driver, sizeof(info->driver), "%s", value);
    else if (strcmp(key, "command") == 0)
        (void)snprintf(info->command, sizeof(info->command), "%s", value);
    else if (strcmp(key, "pci") == 0)
        info->pci = (uint32_t)strtoul(value, NULL, 16);
    else if (strcmp(key, "executed") == 0)
        info->executed = value[0] == '1';
    else if (strcmp(key, "frames") == 0 && sscanf(value, "%9u %9u", &a, &b) == 2) {
        info->first = a;
        info->last = b;
    } else
        return false;
    return true;
}

static enum igpu_status parse_info(struct frame_reader *r, uint32_t bytes,
                                   struct igpu_err *err)
{
    char text[FRAME_MAX_INFO + 1], *rest = text, *line;

    if (bytes > 0)
        memcpy(text, r->body, bytes);
    text[bytes] = '\0';
    for (uint32_t i = 0; i < bytes; i++)
        if ((uint8_t)text[i] < 32 && text[i] != '\n')
            return damaged(r, err, "a control character in the description");
    while ((line = strtok_r(rest, "\n", &rest)) != NULL) {
        char *space = strchr(line, ' ');

        if (space == NULL)
            return damaged(r, err, "a line of the description without a value");
        *space = '\0';
        if (!take_line(&r->info, line, space + 1))
            return damaged(r, err, "an unknown line in the description");
    }
    return IGPU_OK;
}

/* ---- records ------------------------------------------------------------ */

static uint32_t find_live(const struct frame_reader *r, uint32_t id)
{
    uint32_t low = 0, high = r->live_count;

    while (low < high) {
        uint32_t mid = low + (high - low) / 2;

        if (r->live[mid].id < id)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

static enum igpu_status meet(struct frame_reader *r, uint32_t id, uint32_t pages,
                             struct igpu_err *err)
{
    uint32_t at = find_live(r, id);

    if (at < r->live_count && r->live[at].id == id)
        return r->live[at].pages == pages
                   ? IGPU_OK
                   : damaged(r, err, "a buffer changes its size");
    if (r->live_count >= FRAME_MAX_BUFFERS)
        return damaged(r, err, "more than 65536 buffers at a time");
    if (!IGPU_RESERVE(r->live, r->live_cap, (size_t)r->live_count + 1))
        return igpu_no_memory(err, "%s", r->path);
    memmove(&r->live[at + 1], &r->live[at], (r->live_count - at) * sizeof(*r->live));
    r->live[at] = (struct live){id, pages};
    r->live_count++;
    return IGPU_OK;
}

static enum igpu_status parse_buffer(struct frame_reader *r, const uint8_t *p,
                                     struct frame_buffer *b, struct igpu_err *err)
{
    *b = (struct frame_buffer){frame_get32(p), frame_get64(p + 8), frame_get64(p + 16),
                               NULL};
    if (frame_buffer_flaw(b) != NULL)
        return damaged(r, err, frame_buffer_flaw(b));
    return meet(r, b->id, (uint32_t)(b->bytes / FRAME_PAGE_BYTES), err);
}

static enum igpu_status parse_changes(struct frame_reader *r, const uint8_t *p,
                                      const struct frame_batch *b, struct igpu_err *err)
{
    for (uint32_t i = 0; i < b->changes; i++, p += FRAME_CHANGE_BYTES) {
        struct frame_change *c = &r->change[i];

        *c = (struct frame_change){frame_get32(p), frame_get32(p + 4),
                                   frame_get32(p + 8)};
        if (c->index >= b->count || c->content > r->counts.pages ||
            c->page >= b->buffer[c->index].bytes / FRAME_PAGE_BYTES)
            return damaged(r, err, "a change of a page that is not there");
    }
    r->counts.changes += b->changes;
    return IGPU_OK;
}

static enum igpu_status parse_batch(struct frame_reader *r, uint32_t bytes,
                                    struct frame_batch *b, struct igpu_err *err)
{
    const uint8_t *p = r->body;
    enum igpu_status status = IGPU_OK;

    if (bytes < FRAME_BATCH_HEAD)
        return damaged(r, err, "a batch without its head");
    *b = (struct frame_batch){.context = frame_get32(p),
                              .engine = frame_get32(p + 4),
                              .start = frame_get64(p + 8),
                              .bytes = frame_get64(p + 16),
                              .count = frame_get32(p + 24),
                              .changes = frame_get32(p + 28)};
    if (frame_batch_flaw(b) != NULL)
        return damaged(r, err, frame_batch_flaw(b));
    if (FRAME_BATCH_HEAD + (uint64_t)b->count * FRAME_BUFFER_BYTES +
            (uint64_t)b->changes * FRAME_CHANGE_BYTES !=
        bytes)
        return damaged(r, err, "a batch whose parts do not fill it");
    if (!IGPU_RESIZE(r->buffer, b->count) || !IGPU_RESIZE(r->change, b->changes))
        return igpu_no_memory(err, "%s", r->path);
    b->buffer = r->buffer;
    b->change = r->change;
    p += FRAME_BATCH_HEAD;
    for (uint32_t i = 0; i < b->count && status == IGPU_OK; i++)
        status =
            parse_buffer(r, p + (size_t)i * FRAME_BUFFER_BYTES, &r->buffer[i], err);
    if (status == IGPU_OK)
        status = parse_changes(r, p + (size_t)b->count * FRAME_BUFFER_BYTES, b, err);
    r->counts.batches++;
    return status;
}

static enum igpu_status parse_drop(struct frame_reader *r, uint32_t *id,
                                   struct igpu_err *err)
{
    uint32_t at;

    *id = frame_get32(r->body);
    at = find_live(r, *id);
    if (at == r->live_count || r->live[at].id != *id)
        return damaged(r, err, "a buffer is dropped that is not there");
    r->live_count--;
    memmove(&r->live[at], &r->live[at + 1], (r->live_count - at) * sizeof(*r->live));
    r->counts.drops++;
    return IGPU_OK;
}

static enum igpu_status parse_end(struct frame_reader *r, struct igpu_err *err)
{
    const struct frame_counts *c = &r->counts;

    if (frame_get64(r->body) != c->pages || frame_get64(r->body + 8) != c->batches ||
        frame_get64(r->body + 16) != c->drops || frame_get64(r->body + 24) != c->frames)
        return damaged(r, err, "its counts are not those of its records");
    r->ended = true;
    return take_end(r, err);
}

/* Does a record of this kind have this size? */
static bool size_fits(uint32_t kind, uint64_t bytes)
{
    switch (kind) {
    case FRAME_KIND_INFO:
        return bytes <= FRAME_MAX_INFO;
    case FRAME_KIND_PAGE:
        return bytes == FRAME_PAGE_BYTES;
    case FRAME_KIND_BATCH:
    case FRAME_KIND_STATE:
        return bytes <= FRAME_MAX_BODY;
    case FRAME_KIND_DROP:
        return bytes == 4;
    case FRAME_KIND_SHOWN:
        return bytes == 0;
    case FRAME_KIND_END:
        return bytes == FRAME_END_BYTES;
    default:
        return false;
    }
}

static enum igpu_status parse(struct frame_reader *r, uint32_t bytes,
                              struct frame_record *record, struct igpu_err *err)
{
    switch (record->kind) {
    case FRAME_KIND_INFO:
        return r->counts.records == 1
                   ? parse_info(r, bytes, err)
                   : damaged(r, err, "a description behind the beginning");
    case FRAME_KIND_PAGE:
        record->page = r->body;
        r->counts.pages++;
        return IGPU_OK;
    case FRAME_KIND_BATCH:
        return parse_batch(r, bytes, &record->batch, err);
    case FRAME_KIND_DROP:
        return parse_drop(r, &record->id, err);
    case FRAME_KIND_SHOWN:
        r->counts.frames++;
        return IGPU_OK;
    case FRAME_KIND_STATE:
        record->state = r->body;
        record->state_bytes = bytes;
        return IGPU_OK;
    default:
        return parse_end(r, err);
    }
}

enum igpu_status frame_next(struct frame_reader *r, struct frame_record *record,
                            struct igpu_err *err)
{
    uint8_t head[FRAME_RECORD_HEAD];
    enum igpu_status status;

    *record = (struct frame_record){.kind = FRAME_KIND_END};
    if (r->ended)
        return IGPU_OK;
    status = reader_take(r, head, sizeof(head), err);
    if (status != IGPU_OK)
        return status;
    if (!size_fits(frame_get32(head), frame_get32(head + 4)))
        return damaged(r, err, "a record of unknown kind or size");
    record->kind = (enum frame_kind)frame_get32(head);
    status = take_body(r, frame_get32(head + 4), err);
    if (status != IGPU_OK)
        return status;
    if (++r->counts.records == 1 && record->kind != FRAME_KIND_INFO)
        return damaged(r, err, "it does not begin with its description");
    if ((record->kind == FRAME_KIND_STATE) != (r->info.state && r->counts.records == 2))
        return damaged(r, err, "a state that is not where one belongs");
    return parse(r, frame_get32(head + 4), record, err);
}

/* ---- open and close ----------------------------------------------------- */

static enum igpu_status read_head(struct frame_reader *r, struct igpu_err *err)
{
    uint8_t head[FRAME_HEAD_BYTES];
    struct frame_record first;
    uint32_t version;

    if (fread(head, 1, sizeof(head), r->file) != sizeof(head) ||
        memcmp(head, frame_magic, sizeof(frame_magic)) != 0)
        return igpu_fail(err, IGPU_BAD_INPUT,
                         "%s: no frame file; igpu gl -o FILE makes one", r->path);
    version = frame_get32(head + 8);
    if ((version != FRAME_VERSION && version != FRAME_VERSION_STATE) ||
        frame_get32(head + 12) != 0)
        return igpu_fail(err, IGPU_BAD_INPUT,
                         "%s: version %u of the frame file, expected %d or %d; capture "
                         "it again with this igpu",
                         r->path, (unsigned)version, FRAME_VERSION,
                         FRAME_VERSION_STATE);
    r->info.state = version == FRAME_VERSION_STATE;
    return frame_next(r, &first, err);
}

struct frame_reader *frame_open(const char *path, enum igpu_status *status,
                                struct igpu_err *err)
{
    struct frame_reader *r = calloc(1, sizeof(*r));

    if (r != NULL) {
        r->path = malloc(strlen(path) + 1);
        r->zstd = ZSTD_createDStream();
        r->in_bytes = ZSTD_DStreamInSize();
        r->in = malloc(r->in_bytes);
    }
    if (r == NULL || r->path == NULL || r->zstd == NULL || r->in == NULL) {
        *status = igpu_no_memory(err, "%s", path);
        frame_close(r);
        return NULL;
    }
    strcpy(r->path, path);
    r->file = fopen(path, "rb");
    if (r->file == NULL)
        *status = igpu_fail(err, IGPU_BAD_INPUT, "%s: %s", path, strerror(errno));
    else
        *status = read_head(r, err);
    if (*status == IGPU_OK)
        return r;
    frame_close(r);
    return NULL;
}

void frame_close(struct frame_reader *r)
{
    if (r == NULL)
        return;
    if (r->file != NULL)
        (void)fclose(r->file);
    (void)ZSTD_freeDStream(r->zstd);
    free(r->path);
    free(r->in);
    free(r->body);
    free(r->buffer);
    free(r->change);
    free(r->live);
    free(r);
}

const struct frame_info *frame_get_info(const struct frame_reader *r)
{
    return &r->info;
}

const struct frame_counts *frame_get_counts(const struct frame_reader *r)
{
    return &r->counts;
}

enum igpu_status frame_verify(struct frame_reader *r, struct igpu_err *err)
{
    struct frame_record record;
    enum igpu_status status;

    do
        status = frame_next(r, &record, err);
    while (status == IGPU_OK && record.kind != FRAME_KIND_END);
    return status;
}
