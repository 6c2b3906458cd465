/* frame_play.c - see frame_play.h. */
#include "bridge/programs/igpu/frame_play.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "igpu/grow.h"
#include "igpu/option.h"
#include "igpu/program.h"
#include "igpu/threads.h"

/* Of all buffers at a time. */
#define MEMORY_LIMIT ((uint64_t)8 << 30)

enum igpu_status frame_player_open(struct frame_player *p, const char *file,
                                   struct igpu_err *err)
{
    enum igpu_status status;
    uint32_t threads;

    memset(p, 0, sizeof(*p));
    p->reader = frame_open(file, &status, err);
    if (p->reader == NULL)
        return status;
    p->memory = frame_memory_new(MEMORY_LIMIT);
    p->gfx = gfx_new();
    if (p->memory == NULL || p->gfx == NULL)
        return igpu_no_memory(err, "a frame");
    status = igpu_host_threads(&threads, err);
    if (status != IGPU_OK)
        return status;
    gfx_use_host_threads(p->gfx, threads);
    if (strncmp(frame_get_info(p->reader)->device, "kbl", 3) == 0) /* of two slices */
        gfx_set_threads(p->gfx, 2 * GFX_HW_THREADS);
    return IGPU_OK;
}

void frame_player_close(struct frame_player *p)
{
    frame_close(p->reader);
    frame_memory_free(p->memory);
    gfx_free(p->gfx);
    free(p->buffer);
}

static enum igpu_status batch_execute(struct frame_player *p,
                                      const struct frame_batch *b, struct igpu_err *err)
{
    struct igpu_err why = {.text = ""};

    if (!IGPU_RESIZE(p->buffer, b->count))
        return igpu_no_memory(err, "buffers");
    for (uint32_t i = 0; i < b->count; i++)
        p->buffer[i] =
            (struct gfx_buffer){b->buffer[i].va, b->buffer[i].bytes,
                                frame_memory_host(p->memory, b->buffer[i].id)};
    p->batches++;
    if (gfx_map(p->gfx, p->buffer, b->count, &why) == IGPU_OK &&
        gfx_batch(p->gfx, b->context, b->start, &why) == IGPU_OK)
        return IGPU_OK;
    return igpu_fail(err, IGPU_SIM_ERROR, "batch %" PRIu64 ": %s", p->batches,
                     why.text);
}

enum igpu_status frame_play(struct frame_player *p, uint64_t frame,
                            const struct frame_play_hooks *hooks, struct igpu_err *err)
{
    const struct frame_counts *now = frame_get_counts(p->reader);
    struct frame_record record = {.kind = FRAME_KIND_INFO};
    uint64_t since = 0;

    while (record.kind != FRAME_KIND_END) {
        enum igpu_status status = frame_next(p->reader, &record, err);

        if (status == IGPU_OK)
            status = frame_memory_apply(p->memory, &record, err);
        if (status == IGPU_OK && record.kind == FRAME_KIND_STATE)
            status = gfx_restore(p->gfx, record.state, record.state_bytes, err);
        if (status == IGPU_OK && record.kind == FRAME_KIND_BATCH && since++ == 0 &&
            hooks->begin != NULL)
            hooks->begin(hooks->ctx, now->frames + 1);
        if (status == IGPU_OK && hooks->record != NULL)
            status = hooks->record(hooks->ctx, &record, err);
        if (status == IGPU_OK && record.kind == FRAME_KIND_BATCH) {
            status = batch_execute(p, &record.batch, err);
            if (status == IGPU_OK && hooks->batch != NULL)
                status = hooks->batch(hooks->ctx, err);
        }
        if (status != IGPU_OK)
            return status;
        if (record.kind != FRAME_KIND_SHOWN)
            continue;
        since = 0;
        if (now->frames == frame)
            return IGPU_OK;
    }
    if (frame == 0 && now->frames > 0)
        return IGPU_OK;
    return igpu_fail(err, IGPU_USAGE,
                     "--frame %" PRIu64 ": the file has %" PRIu64 " frames", frame,
                     now->frames);
}

enum igpu_status frame_find_last(const char *file, uint64_t *frame,
                                 struct igpu_err *err)
{
    enum igpu_status status;
    struct frame_reader *r = frame_open(file, &status, err);

    if (r == NULL)
        return status;
    status = frame_verify(r, err);
    *frame = frame_get_counts(r)->frames;
    frame_close(r);
    if (status == IGPU_OK && *frame == 0)
        return igpu_fail(err, IGPU_USAGE, "%s: no frame is in it", file);
    return status;
}

int frame_options(const char *program, int argc, char **argv,
                  const struct igpu_option *table, int (*take)(void *ctx, int option),
                  void *ctx)
{
    int option, status = 0;

    optind = 1;
    while (status == 0 && (option = igpu_option_next(table, false, argc, argv)) != -1)
        status = option == '?' ? igpu_complain_of_option(program, argv[optind - 1])
                               : take(ctx, option);
    return status;
}

int frame_number(const char *program, const char *text, uint64_t *frame)
{
    if (igpu_option_count(text, 1, UINT64_MAX, frame))
        return 0;
    return igpu_complain_of(program, IGPU_USAGE,
                            "--frame %s: expected a number of 1 or more", text);
}

static bool take_number(const char **text, uint64_t *value)
{
    char *end;

    if ((*text)[0] < '1' || (*text)[0] > '9')
        return false;
    *value = strtoull(*text, &end, 10);
    *text = end;
    return *value <= FRAME_MOST; /* what is too large for its type is more, too */
}

bool frame_range(const char *text, uint64_t *first, uint64_t *last)
{
    bool good = take_number(&text, first);

    *last = *first;
    if (good && *text == '-') {
        text++;
        good = take_number(&text, last);
    }
    return good && *text == '\0' && *last >= *first;
}
