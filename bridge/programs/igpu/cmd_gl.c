/* cmd_gl.c - `igpu gl`: start a graphics program on the captured GPU and tell what came
 * of it. */
#include "bridge/programs/igpu/commands.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/programs/igpu/frame_play.h"
#include "bridge/programs/igpu/node_child.h"
#include "igpu/option.h"
#include "igpu/program.h"
#include "traces/frame/node_settings.h"

enum { MAX_SETTINGS = 64 };
enum { OPT_FRAMES = IGPU_OPTION_LONG, OPT_NO_EXECUTE, OPT_TIME, OPT_CSV };

static const char program[] = "igpu gl";

static const struct igpu_option table[] = {
    {'o', "output", "FILE", "the frame file; see igpu frame"},
    {'d', "device", "NAME",
     "the GPU that Mesa sees: skl (HD Graphics 530, default) or\n"
     "kbl-gt3e (Iris Plus 640)"},
    {OPT_FRAMES, "frames", "N[-M]",
     "the frames to be looked at, from 1; the file is complete\n"
     "after the last and the program is ended then\n"
     "(default: all, to the program's end)"},
    {OPT_NO_EXECUTE, "no-execute", "",
     "capture only: the program reads zeros of what it draws"},
    {OPT_TIME, "time", "",
     "each draw and dispatch takes simulated time, which the\n"
     "program's timer queries tell; -o may be left out"},
    {OPT_CSV, "csv", "FILE", "with --time: a line for each launch"},
    {'c', "config", "NAME|FILE", "the machine for --time (default: the device's own)"},
    {'s', "set", "KEY=VALUE", "change one parameter of it; repeatable"},
    {'h', "help", "", "this"},
    {.name = NULL},
};

struct command {
    struct node_child child;
    const char *setting[MAX_SETTINGS];
    bool help, no_execute;
};

static void print_help(void)
{
    fputs("usage: igpu gl [-d skl|kbl-gt3e] [--frames N[-M]] [--time] -o FRAME.igf\n"
          "               [--] PROGRAM [ARGUMENTS]\n"
          "\n"
          "Runs a GL, GLES or Vulkan program, unmodified, with Mesa's own driver on a\n"
          "Gen9 GPU that is not there, and captures what it hands to that GPU.\n",
          stdout);
    igpu_option_help(stdout, table);
    fputs("\n"
          "Programs with windows need an X server, but none with a GPU:\n"
          "  xvfb-run -a igpu gl --frames 3 -o gears.igf -- glxgears\n"
          "Without a display EGL programs get Mesa's surfaceless platform. What else "
          "is set\nfor the program: docs/guide/graphics.md.\n"
          "\nExit status: the program's; 1 nothing was captured, or not all could be "
          "executed\n(the file is good); 2 usage; 127 the "
          "program cannot\nbe started.\n",
          stdout);
}

static int complain(const char *what, const char *value, const char *expected)
{
    return igpu_complain_of(program, IGPU_USAGE, "%s%s%s: %s", what,
                            value[0] != '\0' ? " " : "", value, expected);
}

/* ---- options ------------------------------------------------------------ */

static int set_frames(const char *text)
{
    uint64_t first, last;
    char number[32];

    if (!frame_range(text, &first, &last))
        return complain("--frames", text,
                        "expected N or N-M, frames counted from 1 to 1000000");
    (void)snprintf(number, sizeof(number), "%" PRIu64, first);
    (void)node_set(NODE_FIRST, number);
    (void)snprintf(number, sizeof(number), "%" PRIu64, last);
    return node_set(NODE_LAST, number);
}

static int gl_take(struct command *c, int option)
{
    switch (option) {
    case 'o':
        c->child.out = optarg;
        return 0;
    case 'd':
        if (strcmp(optarg, "skl") != 0 && strcmp(optarg, "kbl-gt3e") != 0)
            return complain("-d", optarg, "expected skl or kbl-gt3e");
        return node_set(NODE_DEVICE, optarg);
    case OPT_FRAMES:
        return set_frames(optarg);
    case OPT_TIME:
        c->child.time = 1;
        return 0;
    case OPT_CSV:
        c->child.list = optarg;
        return 0;
    case 'c':
        c->child.machine = optarg;
        return 0;
    case 's':
        if (c->child.settings == MAX_SETTINGS)
            return complain("-s", optarg, "there are too many");
        c->setting[c->child.settings++] = optarg;
        return 0;
    case OPT_NO_EXECUTE:
        c->no_execute = true;
        return node_set(NODE_NO_EXECUTE, "1");
    default:
        c->help = true;
        return 0;
    }
}

/* ---- the program's environment ------------------------------------------ */

/* A program of this variable's own choice keeps it. */
static void suggest(const char *name, const char *value)
{
    (void)setenv(name, value, 0);
}

static bool has_display(void)
{
    return getenv("DISPLAY") != NULL || getenv("WAYLAND_DISPLAY") != NULL;
}

/* See docs/guide/graphics.md for why each. */
static void set_mesa(void)
{
    static const char *const others[] = {
        "LIBGL_ALWAYS_SOFTWARE",       "GALLIUM_DRIVER",
        "MESA_LOADER_DRIVER_OVERRIDE", "DRI_PRIME",
        "LIBGL_ALWAYS_INDIRECT",       "LIBGL_DRI3_DISABLE"};

    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
        (void)unsetenv(others[i]);
    (void)setenv("GALLIUM_THREAD", "0", 1);
    (void)setenv("MESA_SHADER_CACHE_DISABLE", "true", 1);
    suggest("MESA_VK_WSI_DEBUG", "sw");
    if (!has_display())
        suggest("EGL_PLATFORM", "surfaceless");
}

static int command_prepare(struct command *c, int argc, char **argv)
{
    int status;

    if (c->child.out == NULL && !c->child.time)
        return complain("-o", "", "is missing; see igpu gl --help");
    if (c->child.time && c->no_execute)
        return complain("--no-execute", "", "what is not executed has no time");
    if (!c->child.time && c->child.list != NULL)
        return complain("--csv", "", "has no meaning without --time");
    if (!c->child.time && (c->child.machine != NULL || c->child.settings > 0))
        return complain("-c or -s", "", "have no meaning without --time");
    c->child.setting = c->setting;
    if (argc == 0)
        return complain("PROGRAM", "", "expected; see igpu gl --help");
    status = node_child_prepare(&c->child, argc, argv);
    if (status == 0)
        set_mesa();
    return status;
}

int cmd_gl(int argc, char **argv)
{
    struct command c = {
        .child = {.command = program,
                  .cut = "; use --frames N, which ends it after a frame",
                  .status = -1}};
    int option, status = 0;

    node_child_clear();
    c.child.unused = has_display() ? "see docs/guide/graphics.md"
                                   : "if it has windows, run it in an X server: "
                                     "xvfb-run -a igpu gl ...";
    optind = 1;
    while (status == 0 && !c.help &&
           (option = igpu_option_next(table, true, argc, argv)) != -1) {
        if (option == '?')
            return igpu_complain_of_option(program, argv[optind - 1]);
        status = gl_take(&c, option);
    }
    if (c.help) {
        print_help();
        return 0;
    }
    if (status == 0)
        status = command_prepare(&c, argc - optind, argv + optind);
    return status == 0 ? node_child_run(&c.child, argv + optind) : status;
}
