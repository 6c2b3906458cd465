/* cmd_profile.c - `igpu profile`: of a trace, of a frame of a capture, or of a program
 * that is run and recorded first. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/programs/cli/run.h"
#include "bridge/programs/igpu/commands.h"
#include "bridge/programs/igpu/frame_play.h"
#include "bridge/programs/igpu/frame_trace.h"
#include "igpu/program.h"
#include "igpu_model.h"
#include "traces/program/compile_folder.h"

enum { MOST_WORDS = 256 };

static const char program[] = "igpu profile";

static int profile(int argc, char **argv)
{
    const struct engine_set engines = {.program = program,
                                       .model = IGPU_MODEL_REF,
                                       .engine = &engine_reference_only,
                                       .engines = 1,
                                       .profiles = true};

    return run_main(argc, argv, &engines);
}

/* What is not a name of ours: igpu run [the options of `igpu run`] -- PROGRAM. */
static int record(const struct compile_folder *folder, int argc, char **argv)
{
    char name[] = "run", quiet[] = "--quiet", one[] = "--one", output[] = "-o",
         end[] = "--";
    char *words[MOST_WORDS] = {name, quiet, one, output, (char *)folder->path, end};
    int count = 6;

    if (argc + count >= MOST_WORDS)
        return igpu_complain_of(program, IGPU_USAGE, "at most %d words of a program",
                                MOST_WORDS - count - 1);
    for (int i = 0; i < argc; i++)
        words[count++] = argv[i];
    return cmd_ocl_run(count, words);
}

/* argv[0..before) are ours; behind them and a "--" comes the program. */
static int profile_program(int before, int argc, char **argv)
{
    struct compile_folder folder = {.path = ""};
    char trace[sizeof(folder.path) + 16];
    char *words[MOST_WORDS];
    int result;

    if (before + 1 >= argc)
        return igpu_complain_of(program, IGPU_USAGE, "expected a program behind --");
    if (before + 2 >= MOST_WORDS)
        return igpu_complain_of(program, IGPU_USAGE, "at most %d options",
                                MOST_WORDS - 3);
    if (!compile_folder_make(&folder))
        return igpu_complain_of(program, IGPU_USAGE, "no temporary folder: see TMPDIR");
    result = record(&folder, argc - before - 1, argv + before + 1);
    if (result == 0) {
        (void)snprintf(trace, sizeof(trace), "%s/trace.pb", folder.path);
        for (int i = 0; i < before; i++)
            words[i] = argv[i];
        words[before] = trace;
        words[before + 1] = NULL;
        result = profile(before + 1, words);
    }
    compile_folder_remove(&folder);
    return result;
}

/* Captures begin so (docs/contract/frames.md). */
static bool is_capture(const char *path)
{
    static const char magic[] = "igpufrm\n";
    char first[sizeof(magic) - 1];
    FILE *in = fopen(path, "rb");
    bool is = in != NULL && fread(first, 1, sizeof(first), in) == sizeof(first) &&
              memcmp(first, magic, sizeof(first)) == 0;

    if (in != NULL)
        (void)fclose(in);
    return is;
}

/* Take "--frame N" out of the words; the number of words that remain, or 0 behind an
 * error. */
static int take_frame(int argc, char **argv, uint64_t *frame)
{
    int kept = 0;

    for (int i = 0; i < argc; i++) {
        if (strcmp(argv[i], "--frame") != 0) {
            argv[kept++] = argv[i];
            continue;
        }
        if (i + 1 == argc) {
            (void)igpu_complain_of(program, IGPU_USAGE, "--frame: expected a number");
            return 0;
        }
        if (frame_number(program, argv[++i], frame) != 0)
            return 0;
    }
    argv[kept] = NULL;
    return kept;
}

/* The last word is a capture: its frame's draws as a trace. */
static int profile_capture(int argc, char **argv, uint64_t frame)
{
    struct compile_folder folder = {.path = ""};
    char trace[sizeof(folder.path) + 16];
    struct frame_recorded recorded;
    struct igpu_err err = {.text = ""};
    enum igpu_status status;
    int result;

    if (!compile_folder_make(&folder))
        return igpu_complain_of(program, IGPU_USAGE, "no temporary folder: see TMPDIR");
    (void)snprintf(trace, sizeof(trace), "%s/trace.pb", folder.path);
    status = frame_trace_record(argv[argc - 1], frame, false, trace, &recorded, &err);
    argv[argc - 1] = trace;
    result = status == IGPU_OK ? profile(argc, argv)
                               : (int)igpu_complain(program, status, &err);
    compile_folder_remove(&folder);
    return result;
}

int cmd_profile(int argc, char **argv)
{
    uint64_t frame = 0;
    int words;

    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--") == 0)
            return profile_program(i, argc, argv);
    words = take_frame(argc, argv, &frame);
    if (words == 0)
        return IGPU_USAGE;
    if (words > 1 && is_capture(argv[words - 1]))
        return profile_capture(words, argv, frame);
    if (frame != 0)
        return igpu_complain_of(program, IGPU_USAGE,
                                "--frame goes with a capture (.igf) as the last word");
    return profile(words, argv);
}
