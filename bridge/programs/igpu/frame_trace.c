/* frame_trace.c - `igpu frame trace`: a captured frame executed, and its shaders'
 * threads recorded. */
#include "bridge/programs/igpu/frame_trace.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/programs/igpu/frame_play.h"
#include "igpu/option.h"
#include "igpu/program.h"
#include "traces/draws/frame_threads.h"

enum { OPT_FRAME = IGPU_OPTION_LONG, OPT_NO_HIZ };

static const char program[] = "igpu frame trace";

struct options {
    const char *out, *file;
    uint64_t frame; /* 0: the last one */
    bool no_hiz;
};

const struct igpu_option frame_trace_options[] = {
    {'o', "output", "TRACE.pb", "the trace"},
    {OPT_FRAME, "frame", "N", "the frame (default: the last one in the file)"},
    {OPT_NO_HIZ, "no-hiz", "", "as of time"},
    {.name = NULL},
};

/* What records. */
struct recording {
    struct frame_threads threads;
    uint64_t frame;
};

static int trace_take(void *ctx, int option)
{
    struct options *o = ctx;

    if (option == 'o') {
        o->out = optarg;
        return 0;
    }
    if (option == OPT_NO_HIZ) {
        o->no_hiz = true;
        return 0;
    }
    return frame_number(program, optarg, &o->frame);
}

static int parse(int argc, char **argv, struct options *o)
{
    int status = frame_options(program, argc, argv, frame_trace_options, trace_take, o);

    if (status != 0)
        return status;
    if (optind + 1 != argc || o->out == NULL)
        return igpu_complain_of(
            program, IGPU_USAGE,
            "expected -o TRACE and one frame file; see igpu frame --help");
    o->file = argv[optind];
    return 0;
}

static void begin_frame(void *ctx, uint64_t frame)
{
    struct recording *r = ctx;

    r->threads.on = frame == r->frame;
}

static enum igpu_status batch_done(void *ctx, struct igpu_err *err)
{
    struct recording *r = ctx;

    frame_threads_flush(&r->threads);
    if (r->threads.failed)
        *err = r->threads.err;
    return r->threads.failed ? IGPU_SIM_ERROR : IGPU_OK;
}

static enum igpu_status record(struct frame_player *p, struct recording *r,
                               const char *file, const char *out, struct igpu_err *err)
{
    const struct frame_info *info = frame_get_info(p->reader);
    const struct trace_header header = {"igpu frame trace " IGPU_VERSION,
                                        strncmp(info->device, "kbl", 3) == 0 ? "kbl"
                                                                             : "skl",
                                        file,
                                        info->command,
                                        true,
                                        false};
    const struct frame_play_hooks hooks = {
        .ctx = r, .begin = begin_frame, .batch = batch_done};
    enum igpu_status status = IGPU_OK;
    struct trace_writer *w = trace_writer_open(out, &header, &status, err);

    if (w == NULL)
        return status;
    r->threads.writer = w;
    frame_threads_watch(&r->threads, p->gfx);
    status = frame_play(p, r->frame, &hooks, err);
    frame_threads_forget_depth(&r->threads); /* of the last draws: no thread comes */
    if (status == IGPU_OK && r->threads.launches == 0)
        status = igpu_fail(err, IGPU_SIM_ERROR,
                           "%s: frame %" PRIu64 " ran no shader: nothing to record",
                           file, r->frame);
    if (status == IGPU_OK)
        return trace_writer_close(w, err);
    trace_writer_abort(w);
    return status;
}

enum igpu_status frame_trace_record(const char *file, uint64_t frame, bool no_hiz,
                                    const char *out, struct frame_recorded *recorded,
                                    struct igpu_err *err)
{
    struct frame_player player = {.reader = NULL};
    struct recording r = {.frame = frame};
    enum igpu_status status = IGPU_OK;

    if (frame == 0)
        status = frame_find_last(file, &r.frame, err);
    if (status == IGPU_OK)
        status = frame_player_open(&player, file, err);
    if (status == IGPU_OK)
        gfx_ignore_hiz(player.gfx, no_hiz);
    if (status == IGPU_OK)
        status = record(&player, &r, file, out, err);
    *recorded = (struct frame_recorded){r.frame,
                                        r.threads.draws - r.threads.dispatches,
                                        r.threads.dispatches,
                                        r.threads.kernels.count,
                                        r.threads.messages,
                                        r.threads.cut,
                                        r.threads.depth_cut};
    frame_threads_free(&r.threads);
    frame_player_close(&player);
    return status;
}

int frame_trace(int argc, char **argv)
{
    struct options o = {.out = NULL};
    struct frame_recorded r;
    struct igpu_err err = {.text = ""};
    enum igpu_status status = (enum igpu_status)parse(argc, argv, &o);

    if (status != IGPU_OK)
        return (int)status;
    status = frame_trace_record(o.file, o.frame, o.no_hiz, o.out, &r, &err);
    if (status != IGPU_OK)
        return (int)igpu_complain(program, status, &err);
    printf("frame %" PRIu64 ": %" PRIu32 " draws, %" PRIu32 " dispatches, %" PRIu32
           " kernels; %" PRIu64 " of %" PRIu64
           " messages with more lines than a record has\n",
           r.frame, r.draws, r.dispatches, r.kernels, r.cut, r.messages);
    if (r.depth_cut > 0)
        printf("up to %" PRIu64 " runs of lines of depth and stencil left out\n",
               r.depth_cut);
    return (int)status;
}
