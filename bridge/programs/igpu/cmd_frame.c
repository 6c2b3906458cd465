/* cmd_frame.c - `igpu frame info|dump|verify`; render is in frame_render.c: options,
 * messages, exit status. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "bridge/programs/igpu/commands.h"
#include "bridge/programs/igpu/frame_count.h"
#include "bridge/programs/igpu/frame_cut.h"
#include "bridge/programs/igpu/frame_render.h"
#include "bridge/programs/igpu/frame_time.h"
#include "bridge/programs/igpu/frame_trace.h"
#include "igpu/program.h"
#include "traces/frame/frame.h"

static const char program[] = "igpu frame";

static void print_help(void)
{
    fputs(
        "usage: igpu frame info FILE\n"
        "       igpu frame dump FILE\n"
        "       igpu frame verify FILE\n"
        "       igpu frame render [--frame N] [--compare REF.png] [--difference "
        "D.png]\n"
        "                         [--counters] [--draws D.csv] [--json J.json]\n"
        "                         [--overdraw H.png] [--every E.csv] [-o OUT.png]\n"
        "                         [--times C.csv --heat H.pfm] [--busiest] "
        "[--rtl-values] FILE\n"
        "       igpu frame cut [--frame N[-M]] -o OUT.igf FILE\n"
        "       igpu frame trace [--frame N] [--no-hiz] -o TRACE.pb FILE\n"
        "       igpu frame time [-c CONFIG] [-s KEY=VALUE]... [--frame N] [--csv] "
        "[--no-hiz]\n"
        "                       FILE|TRACE.pb\n"
        "       igpu frame report [--frame N] [-o PAGE.html] FILE\n"
        "       igpu frame counters\n"
        "\n"
        "  info    the program, the driver, and the batches and pages of each frame\n"
        "  dump    every batch with its buffers and the pages written before it\n"
        "  verify  read all of it: checksum, sizes, references, counts\n"
        "  render  execute the batches and write a frame's picture\n"
        "      --frame N          the frame (default: the last one in the file)\n"
        "      --compare REF.png  status 1 unless 99.5 % of the pixels are within 3 "
        "of\n"
        "                         255 of that picture's\n"
        "      --difference D.png how far each pixel is from it, eight times brighter\n"
        "      --counters         what the frame's batches counted, as CSV\n"
        "      --draws D.csv      what each of its draws counted, a line a draw\n"
        "      --json J.json      both, with definitions\n"
        "      --overdraw H.png   how often each pixel of the picture was written:\n"
        "                         blue once, red eight times and more\n"
        "      --every E.csv      what each frame until then counted, a line a frame\n"
        "      --times C.csv --heat H.pfm\n"
        "                         cycles on each pixel of the picture, as floats; "
        "C.csv "
        "is\n"
        "                         what igpu frame time --csv printed\n"
        "      --busiest          --overdraw and --heat of the target that most pixels "
        "were\n"
        "                         written of, in the place of the picture\n"
        "      --rtl-values       the frame's shaders on the RTL as well, in lock-step "
        "(make\n"
        "                         igpu-rtl): the first difference ends it, status 1\n"
        "  -o, --output OUT.png   the picture\n"
        "  cut     frames as a capture of their own, which needs none before them\n"
        "      --frame N[-M]      which, then numbered from 1 (default: the last one)\n"
        "  trace     record the frame's shaders, for ./Vigpu and igpu ref\n"
        "  time      the frame's cycles on the C reference, draw by draw, and what "
        "holds\n"
        "            each up\n"
        "      --no-hiz           of both: as if no draw's depth were tested by "
        "hierarchical\n"
        "                         depth, in blocks of 8x4 pixels\n"
        "  report    a page of all that (make python)\n"
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
    const char *verb = argc > 1 ? argv[1] : "";
    bool info = strcmp(verb, "info") == 0, dump = strcmp(verb, "dump") == 0;
    struct frame_reader *r;
    struct igpu_err err = {.text = ""};
    enum igpu_status status;

    if (is_help(verb) || (argc > 2 && is_help(argv[2]))) {
        print_help();
        return IGPU_OK;
    }
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
