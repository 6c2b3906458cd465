/* cmd_frame.c - `igpu frame info|dump|verify`; render is in frame_render.c: options,
 * messages, exit status. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/programs/igpu/commands.h"
#include "bridge/programs/igpu/frame_count.h"
#include "bridge/programs/igpu/frame_cut.h"
#include "bridge/programs/igpu/frame_render.h"
#include "bridge/programs/igpu/frame_time.h"
#include "bridge/programs/igpu/frame_trace.h"
#include "igpu/emu.h"
#include "igpu/option.h"
#include "igpu/program.h"
#include "traces/frame/frame.h"

static const char program[] = "igpu frame";

/* What a verb does, and its options. */
static void help_of(const char *text, const struct igpu_option *table)
{
    fputs(text, stdout);
    igpu_option_help(stdout, table);
}

static void print_help(void)
{
    fputs(
        "usage: igpu frame info|dump|verify FILE\n"
        "       igpu frame render [OPTIONS] [-o OUT.png] FILE\n"
        "       igpu frame cut [--frame N[-M]] -o OUT.igf FILE\n"
        "       igpu frame trace [--frame N] [--no-hiz] -o TRACE.pb FILE\n"
        "       igpu frame time [OPTIONS] FILE|TRACE.pb\n"
        "       igpu frame report [--frame N] [-o PAGE.html] FILE\n"
        "       igpu frame counters\n"
        "\n"
        "  info      the program, the driver, and the batches and pages of each frame\n"
        "  dump      every batch with its buffers and the pages written before it\n"
        "  verify    read all of it: checksum, sizes, references, counts\n",
        stdout);
    help_of("  render    execute the batches and write a frame's picture\n",
            frame_render_options);
    help_of(
        "  cut       frames as a capture of their own, which needs none before them\n",
        frame_cut_options);
    help_of("  trace     record the frame's shaders, for ./Vigpu and igpu ref\n",
            frame_trace_options);
    help_of(
        "  time      the frame's cycles on the C reference, draw by draw, and what\n"
        "            holds each up\n",
        frame_time_options);
    fputs("  report    a page of all that (make python)\n"
          "  counters  every counter with its unit and meaning\n"
          "\n"
          "igpu gl makes such files; docs/contract/frames.md has their format.\n",
          stdout);
}

static enum igpu_status verify(struct frame_reader *r, const char *file,
                               struct igpu_err *err)
{
    const struct frame_counts *c = frame_get_counts(r);
    enum igpu_status status = frame_verify(r, err);

    if (status == IGPU_OK)
        printf("%s: ok: %" PRIu64 " frames, %" PRIu64 " batches, %" PRIu64 " pages\n",
               file, c->frames, c->batches, c->pages);
    return status;
}

static bool is_help(const char *word)
{
    return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
}

int cmd_frame(int argc, char **argv)
{
    const char *verb = argc > 1 ? argv[1] : "", *jit = getenv("IGPU_JIT");
    bool info = strcmp(verb, "info") == 0, dump = strcmp(verb, "dump") == 0;
    struct frame_reader *r;
    struct igpu_err err = {.text = ""};
    enum igpu_status status;

    if (is_help(verb) || (argc > 2 && is_help(argv[2]))) {
        print_help();
        return IGPU_OK;
    }
    if (jit != NULL && jit[0] != '\0' && !emu_jit_choice(jit))
        return igpu_complain_of(program, IGPU_USAGE,
                                "environment: IGPU_JIT=%.60s: expected on, off or now",
                                jit);
    if (strcmp(verb, "render") == 0)
        return frame_render(argc - 1, argv + 1);
    if (strcmp(verb, "time") == 0)
        return frame_time(argc - 1, argv + 1);
    if (strcmp(verb, "trace") == 0)
        return frame_trace(argc - 1, argv + 1);
    if (strcmp(verb, "cut") == 0)
        return frame_cut(argc - 1, argv + 1);
    if (strcmp(verb, "report") == 0)
        return cmd_hand_over(argc, argv);
    if (strcmp(verb, "counters") == 0 && argc == 2) {
        frame_print_definitions(stdout);
        return IGPU_OK;
    }
    if (!info && !dump && strcmp(verb, "verify") != 0)
        return igpu_complain_of(program, IGPU_USAGE,
                                "%s: expected info, dump, verify, render, cut, trace, "
                                "time, report or counters; see %s --help",
                                verb[0] != '\0' ? verb : "no command", program);
    if (argc != 3)
        return igpu_complain_of(program, IGPU_USAGE,
                                "expected one frame file, got %d; see %s --help",
                                argc - 2, program);
    r = frame_open(argv[2], &status, &err);
    if (r != NULL && info)
        status = frame_print_info(r, stdout, &err);
    else if (r != NULL && dump)
        status = frame_print_dump(r, stdout, &err);
    else if (r != NULL)
        status = verify(r, argv[2], &err);
    frame_close(r);
    if (status != IGPU_OK)
        return igpu_complain(program, status, &err);
    return (int)status;
}
