/* igpu_main.c - ./igpu: recorder, trace tools, and the reference engine. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "bridge/programs/bench/commands.h"
#include "bridge/programs/cli/batch.h"
#include "bridge/programs/igpu/commands.h"
#include "igpu/emu.h"
#include "igpu/nearest.h"
#include "igpu/program.h"
#include "igpu_model.h"
#include "traces/program/compile.h"
#include "traces/program/compile_folder.h"
#include "traces/program/jit_cache.h"

enum { PATH_BYTES = 4096 };

static int cmd_ref(int argc, char **argv)
{
    const struct engine_set engines = {.program = "igpu ref",
                                       .model = IGPU_MODEL_REF,
                                       .engine = &engine_reference_only,
                                       .engines = 1};

    return batch_or_run(argc, argv, &engines);
}

static const struct {
    const char *name, *text;
    int (*run)(int argc, char **argv);
    bool compiles; /* OpenCL C */
} commands[] = {
    {"record", "run an OpenCL kernel on the emulator and record its trace", cmd_record,
     true},
    {"run", "run an OpenCL program on the simulated GPU, recording its launches",
     cmd_ocl_run, true},
    {"suite", "run a list of kernels and compare with the host's results", cmd_suite,
     true},
    {"features", "what launches execute, as numbers, without timing", cmd_features,
     true},
    {"trace", "info, dump or verify a trace", cmd_trace, false},
    {"gl", "run a GL or Vulkan program, capturing what it hands to the GPU", cmd_gl,
     false},
    {"frame", "info, dump, verify or render a capture of graphics", cmd_frame, true},
    {"ref", "simulate a trace with the C reference engine", cmd_ref, false},
    {"profile", "where a trace's or a program's cycles go, by instruction and reason",
     cmd_profile, true},
    {"disasm", "a trace's kernels as assembly, with executions", cmd_disasm, false},
    {"counters", "metric sets, and what a recording of OA reports says", cmd_counters,
     false},
    {"bench", "the published experiments as commands", cmd_bench, true},
    {"params", "each parameter: default, range, unit, source", cmd_params, false},
    /* What follows is Python's; print_help() begins a new part with the first of them.
     */
    {"predict", "cycles and energy of launches by a trained model", cmd_hand_over,
     false},
    {"compare", "two traces, configurations or profiles side by side", cmd_hand_over,
     false},
    {"sweep", "simulate traces x configurations into a database", cmd_hand_over, false},
    {"report", "all published experiments against ours, as a page", cmd_hand_over,
     false},
    {"plot", "draw a published experiment", cmd_hand_over, false},
};
enum { COMMANDS = sizeof(commands) / sizeof(commands[0]) };

static void print_help(FILE *out)
{
    fputs("usage: igpu COMMAND [options]\n\n", out);
    for (unsigned i = 0; i < COMMANDS; i++) {
        if (commands[i].run == cmd_hand_over && commands[i - 1].run != cmd_hand_over)
            fputs("\nOf the Python package (make python):\n\n", out);
        fprintf(out, "  %-8s %s\n", commands[i].name, commands[i].text);
    }
    fputs(
        "\nigpu COMMAND --help tells each command's options. ./Vigpu simulates a trace "
        "in RTL.\n",
        out);
}

/* The compile server and the translator of kernels that were built or installed with
 * this program, and no folders left of earlier compilations. */
static void prepare_compiler(void)
{
    static const char *const places[] = {"../lib", "build/lib"};
    char self[PATH_BYTES], path[PATH_BYTES + 64];
    ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);

    compile_folder_sweep();
#ifdef IGPU_DRIVERDIR
    emu_jit_library(IGPU_DRIVERDIR "/libigpu_jit.so");
    jit_cache_use(IGPU_DRIVERDIR "/libigpu_jit.so");
#endif
    self[n > 0 ? n : 0] = '\0';
    if (strrchr(self, '/') == NULL)
        return;
    *strrchr(self, '/') = '\0';
    for (unsigned i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
        snprintf(path, sizeof(path), "%s/%s/igpu_ocloc", self, places[i]);
        if (access(path, X_OK) == 0) {
            compile_set_server(path);
            snprintf(path, sizeof(path), "%s/%s/libigpu_jit.so", self, places[i]);
            emu_jit_library(path);
            jit_cache_use(path);
            break;
        }
    }
}

static int unknown_command(const char *word)
{
    const char *names[COMMANDS], *near;

    for (unsigned i = 0; i < COMMANDS; i++)
        names[i] = commands[i].name;
    near = igpu_nearest(word, names, COMMANDS);
    return igpu_complain_of("igpu", IGPU_USAGE,
                            "unknown command %.60s%s%s%s; see igpu --help", word,
                            near != NULL ? "; did you mean " : "",
                            near != NULL ? near : "", near != NULL ? "?" : "");
}

static int run_command(int argc, char **argv)
{
    if (argc < 2) {
        return igpu_complain_of("igpu", IGPU_USAGE,
                                "expected a command; see igpu --help");
    }
    for (unsigned i = 0; i < COMMANDS; i++) {
        if (strcmp(argv[1], commands[i].name) != 0)
            continue;
        if (commands[i].compiles)
            prepare_compiler();
        return commands[i].run(argc - 1, argv + 1);
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
        strcmp(argv[1], "help") == 0) {
        print_help(stdout);
        return 0;
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("igpu %s\n", IGPU_VERSION);
        return 0;
    }
    return unknown_command(argv[1]);
}

int main(int argc, char **argv)
{
    igpu_program_start();
    return igpu_program_end("igpu", run_command(argc, argv));
}
