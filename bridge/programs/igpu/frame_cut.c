/* frame_cut.c - `igpu frame cut`: some frames of a capture by themselves. What lies
 * before them is executed once; the file then begins with what the GPU kept of it, and
 * its batches with the memory that they find. */
#include "bridge/programs/igpu/frame_cut.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/programs/igpu/frame_play.h"
#include "igpu/grow.h"
#include "igpu/option.h"
#include "igpu/program.h"

enum { OPT_FRAME = IGPU_OPTION_LONG };

static const char program[] = "igpu frame cut";

struct options {
    const char *out, *file;
    uint64_t first, last; /* 0: the capture's last frame */
};

const struct igpu_option frame_cut_options[] = {
    {'o', "output", "OUT.igf", "the capture"},
    {OPT_FRAME, "frame", "N[-M]",
     "which, then numbered from 1 (default: the last one)"},
    {.name = NULL},
};

/* What cuts. */
struct cut {
    struct frame_player player;
    const struct options *o;
    uint64_t frame; /* the one at hand */
    struct frame_writer *writer;
    struct frame_batch batch; /* the one at hand, with its memory */
    struct frame_buffer *buffer;
};

/* ---- options ------------------------------------------------------------ */

static int cut_take(void *ctx, int option)
{
    struct options *o = ctx;

    if (option == 'o')
        o->out = optarg;
    else if (!frame_range(optarg, &o->first, &o->last))
        return igpu_complain_of(program, IGPU_USAGE,
                                "--frame %s: expected N or N-M, M not below N", optarg);
    return 0;
}

static int parse(int argc, char **argv, struct options *o)
{
    int status = frame_options(program, argc, argv, frame_cut_options, cut_take, o);

    if (status != 0)
        return status;
    if (optind + 1 != argc || o->out == NULL)
        return igpu_complain_of(
            program, IGPU_USAGE,
            "expected -o OUT.igf and one frame file; see igpu frame --help");
    o->file = argv[optind];
    return 0;
}

/* ---- cutting ------------------------------------------------------------ */

/* Before the first batch of the first frame. */
static enum igpu_status begin_file(struct cut *c, struct igpu_err *err)
{
    struct frame_info info = *frame_get_info(c->player.reader);
    size_t bytes;
    uint8_t *state = gfx_save(c->player.gfx, &bytes, err);
    enum igpu_status status = IGPU_SIM_ERROR;

    /* Frames of what was cut out before are numbered as they were there. */
    info.first = (uint32_t)c->o->first + (info.state ? info.first - 1 : 0);
    info.last = info.first + (uint32_t)(c->o->last - c->o->first);
    info.state = true;
    info.executed = true;
    if (state == NULL)
        return status;
    c->writer = frame_create(c->o->out, &info, err);
    if (c->writer != NULL)
        status = frame_add_state(c->writer, state, bytes, err);
    free(state);
    return status;
}

static enum igpu_status add_batch(struct cut *c, const struct frame_batch *b,
                                  struct igpu_err *err)
{
    if (!IGPU_RESIZE(c->buffer, b->count))
        return igpu_no_memory(err, "buffers");
    for (uint32_t i = 0; i < b->count; i++) {
        c->buffer[i] = b->buffer[i];
        c->buffer[i].host = frame_memory_host(c->player.memory, b->buffer[i].id);
    }
    c->batch = *b;
    c->batch.buffer = c->buffer;
    c->batch.change = NULL;
    c->batch.changes = 0;
    return frame_add_batch(c->writer, &c->batch, err);
}

static void begin_frame(void *ctx, uint64_t frame)
{
    struct cut *c = ctx;

    c->frame = frame;
}

static enum igpu_status record(void *ctx, const struct frame_record *record,
                               struct igpu_err *err)
{
    struct cut *c = ctx;
    enum igpu_status status = IGPU_OK;

    if (record->kind == FRAME_KIND_BATCH && c->writer == NULL &&
        c->frame == c->o->first)
        status = begin_file(c, err);
    if (status != IGPU_OK || c->writer == NULL)
        return status;
    switch (record->kind) {
    case FRAME_KIND_BATCH:
        return add_batch(c, &record->batch, err);
    case FRAME_KIND_DROP:
        return frame_drop_buffer(c->writer, record->id, err);
    case FRAME_KIND_SHOWN:
        return frame_end_frame(c->writer, err);
    default:
        return IGPU_OK;
    }
}

static enum igpu_status batch_done(void *ctx, struct igpu_err *err)
{
    struct cut *c = ctx;

    return c->writer == NULL ? IGPU_OK : frame_executed(c->writer, &c->batch, err);
}

static enum igpu_status frame_cut_write(struct cut *c, struct igpu_err *err)
{
    const struct frame_play_hooks hooks = {
        .ctx = c, .begin = begin_frame, .record = record, .batch = batch_done};
    enum igpu_status status = frame_player_open(&c->player, c->o->file, err);

    if (status == IGPU_OK)
        status = frame_play(&c->player, c->o->last, &hooks, err);
    if (status == IGPU_OK && c->writer == NULL)
        status = igpu_fail(err, IGPU_SIM_ERROR,
                           "%s: frame %" PRIu64 " has no batch: nothing to cut out",
                           c->o->file, c->o->first);
    if (status == IGPU_OK)
        status = frame_finish(c->writer, err);
    else
        frame_abandon(c->writer);
    return status;
}

int frame_cut(int argc, char **argv)
{
    struct options o = {.out = NULL};
    struct cut c = {.o = &o};
    struct igpu_err err = {.text = ""};
    enum igpu_status status = (enum igpu_status)parse(argc, argv, &o);

    if (status != IGPU_OK)
        return (int)status;
    if (o.last == 0) {
        status = frame_find_last(o.file, &o.last, &err);
        o.first = o.last;
    }
    if (status == IGPU_OK)
        status = frame_cut_write(&c, &err);
    frame_player_close(&c.player);
    free(c.buffer);
    if (status != IGPU_OK)
        return igpu_complain(program, status, &err);
    return (int)status;
}
