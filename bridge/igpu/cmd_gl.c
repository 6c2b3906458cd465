/* cmd_gl.c - `igpu gl`: start a graphics program on the captured GPU and tell what came
 * of it. The library in the program takes everything from its environment
 * (bridge/drm/drm_settings.c) and leaves its last word in a file. */
#define _GNU_SOURCE /* memfd_create */
#include "bridge/igpu/commands.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bridge/igpu/child.h"
#include "bridge/igpu/frame_play.h"
#include "igpu/output.h"
#include "igpu/program.h"

enum { PATH_BYTES = 4096, OPT_FRAMES = 256, OPT_NO_EXECUTE, OPT_HELP = 'h' };

static const char program[] = "igpu gl";

static const struct option longs[] = {
    {"output", required_argument, NULL, 'o'},
    {"device", required_argument, NULL, 'd'},
    {"frames", required_argument, NULL, OPT_FRAMES},
    {"no-execute", no_argument, NULL, OPT_NO_EXECUTE},
    {"help", no_argument, NULL, OPT_HELP},
    {NULL, 0, NULL, 0},
};

struct command {
    const char *out;
    int status; /* file of the library's last word; -1 */
    bool help;
};

static void print_help(void)
{
    fputs(
        "usage: igpu gl [-d skl|kbl-gt3e] [--frames N[-M]] -o FRAME.igf\n"
        "               [--] PROGRAM [ARGUMENTS]\n"
        "\n"
        "Runs a GL, GLES or Vulkan program, unmodified, with Mesa's own driver on a\n"
        "Gen9 GPU that is not there, and captures what it hands to that GPU.\n"
        "  -o, --output FILE   the frame file; see igpu frame\n"
        "  -d, --device NAME   the GPU that Mesa sees: skl (HD Graphics 530) or\n"
        "                      kbl-gt3e (Iris Plus 640); default skl\n"
        "      --frames N[-M]  the frames to be looked at, from 1; the file is "
        "complete\n"
        "                      after the last and the program is ended then\n"
        "                      (default: all, to the program's end)\n"
        "      --no-execute    capture only: the program reads zeros of what it draws\n"
        "\n"
        "Programs with windows need an X server, but none with a GPU:\n"
        "  xvfb-run -a igpu gl --frames 3 -o gears.igf -- glxgears\n"
        "Without a display EGL programs get Mesa's surfaceless platform. What else "
        "is set\nfor the program: docs/graphics.md.\n"
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
    (void)setenv("IGPU_GL_FIRST", number, 1);
    (void)snprintf(number, sizeof(number), "%" PRIu64, last);
    return setenv("IGPU_GL_LAST", number, 1);
}

static int take(struct command *c, int option)
{
    switch (option) {
    case 'o':
        c->out = optarg;
        return 0;
    case 'd':
        if (strcmp(optarg, "skl") != 0 && strcmp(optarg, "kbl-gt3e") != 0)
            return complain("-d", optarg, "expected skl or kbl-gt3e");
        return setenv("IGPU_GL_DEVICE", optarg, 1);
    case OPT_FRAMES:
        return set_frames(optarg);
    case OPT_NO_EXECUTE:
        return setenv("IGPU_GL_NO_EXECUTE", "1", 1);
    default:
        c->help = true;
        return 0;
    }
}

/* ---- the program's environment ------------------------------------------ */

/* Where `make install` puts it; in a build that is not installed: nowhere. */
#ifndef IGPU_DRIVERDIR
#define IGPU_DRIVERDIR ""
#endif

static bool use_library(const char *folder, char real[PATH_BYTES])
{
    char path[PATH_BYTES + 64];

    (void)snprintf(path, sizeof(path), "%s/libigpu_drm.so", folder);
    return realpath(path, real) != NULL && access(real, R_OK) == 0;
}

static int find_library(char real[PATH_BYTES])
{
    static const char *const places[] = {"../lib", "build/lib"};
    char self[PATH_BYTES], folder[PATH_BYTES + 16];
    ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);

    self[n > 0 ? n : 0] = '\0';
    if (strrchr(self, '/') != NULL)
        *strrchr(self, '/') = '\0';
    for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
        (void)snprintf(folder, sizeof(folder), "%s/%s", self, places[i]);
        if (use_library(folder, real))
            return 0;
    }
    if (IGPU_DRIVERDIR[0] == '/' && use_library(IGPU_DRIVERDIR, real))
        return 0;
    return igpu_complain_of(program, IGPU_USAGE,
                            "no libigpu_drm.so in ../lib or build/lib of %s; make igpu",
                            self);
}

/* A program of this variable's own choice keeps it. */
static void suggest(const char *name, const char *value)
{
    (void)setenv(name, value, 0);
}

static bool has_display(void)
{
    return getenv("DISPLAY") != NULL || getenv("WAYLAND_DISPLAY") != NULL;
}

/* See docs/graphics.md for why each. */
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

static int set_command(int argc, char **argv)
{
    char line[1024] = "";

    for (int i = 0; i < argc; i++) {
        size_t used = strlen(line);

        (void)snprintf(line + used, sizeof(line) - used, "%s%s", i > 0 ? " " : "",
                       argv[i]);
    }
    return setenv("IGPU_GL_COMMAND", line, 1);
}

static int set_preload(const char *library)
{
    const char *before = getenv("LD_PRELOAD");
    char list[2 * PATH_BYTES];
    int n = snprintf(list, sizeof(list), "%s%s%s", library,
                     before != NULL && before[0] != '\0' ? ":" : "",
                     before != NULL ? before : "");

    if (n < 0 || (size_t)n >= sizeof(list))
        return complain("LD_PRELOAD", "", "is too long");
    return setenv("LD_PRELOAD", list, 1);
}

/* Absolute: the program may change its folder. */
static int set_output(const char *out)
{
    char path[PATH_BYTES], real[PATH_BYTES];
    const char *slash = strrchr(out, '/');
    int n;

    n = snprintf(path, sizeof(path), "%.*s", slash != NULL ? (int)(slash - out) : 1,
                 slash != NULL ? out : ".");
    if (slash == out)
        (void)strcpy(path, "/");
    if (n < 0 || (size_t)n >= sizeof(path) || realpath(path, real) == NULL)
        return complain("-o", out, strerror(errno));
    n = snprintf(path, sizeof(path), "%s/%s", strcmp(real, "/") == 0 ? "" : real,
                 slash != NULL ? slash + 1 : out);
    if (n < 0 || (size_t)n >= sizeof(path))
        return complain("-o", out, "the path is too long");
    return setenv("IGPU_GL_OUT", path, 1);
}

/* A file without a name, which the program finds as one of ours: nothing of it is left,
 * however we end. */
static int make_status(struct command *c)
{
    char path[64];

    c->status = memfd_create("igpu-gl", MFD_CLOEXEC);
    if (c->status < 0)
        return complain("memfd_create", "", strerror(errno));
    (void)snprintf(path, sizeof(path), "/proc/%ld/fd/%d", (long)getpid(), c->status);
    return setenv("IGPU_GL_STATUS", path, 1);
}

/* What is left of this capture, or of earlier ones, whose program was killed or became
 * another one. */
static void sweep(void)
{
    char folder[PATH_BYTES];

    (void)snprintf(folder, sizeof(folder), "%s", getenv("IGPU_GL_OUT"));
    *(strrchr(folder, '/') + 1) = '\0';
    igpu_output_sweep(folder);
}

static int prepare(struct command *c, int argc, char **argv)
{
    char library[PATH_BYTES];
    struct igpu_err err = {""};
    int status;

    if (c->out == NULL)
        return complain("-o", "", "is missing; see igpu gl --help");
    if (argc == 0)
        return complain("PROGRAM", "", "expected; see igpu gl --help");
    if (igpu_output_check(c->out, &err) != IGPU_OK)
        return igpu_complain(program, IGPU_USAGE, &err);
    status = find_library(library);
    if (status == 0)
        status = set_command(argc, argv);
    if (status == 0)
        status = set_output(c->out);
    if (status == 0)
        status = make_status(c);
    if (status == 0)
        status = set_preload(library);
    if (status != 0)
        return status;
    set_mesa();
    sweep();
    return 0;
}

/* ---- the run ------------------------------------------------------------ */

/* The library's last word. Returns the exit status, in the program's own if that is
 * not 0. */
static int sum_up(const struct command *c, int status)
{
    char word[16] = "", text[512] = "";
    uint64_t frames = 0, batches = 0;
    char line[640] = "";
    ssize_t n = pread(c->status, line, sizeof(line) - 1, 0);

    if (n <= 0 || sscanf(line, "%15s %" SCNu64 " %" SCNu64 " %511[^\n]", word, &frames,
                         &batches, text) < 3)
        word[0] = '\0';
    if (strcmp(word, "ok") == 0 || strcmp(word, "part") == 0) {
        printf("%s: %" PRIu64 " frames, %" PRIu64 " batches\n", c->out, frames,
               batches);
        return status != 0 ? status : word[0] == 'p' ? IGPU_SIM_ERROR : 0;
    }
    if (strcmp(word, "cut") == 0)
        (void)igpu_complain_of(program, IGPU_SIM_ERROR,
                               "the program ended without its end; use --frames N, "
                               "which ends it after a frame");
    else if (word[0] == '\0')
        (void)igpu_complain_of(
            program, IGPU_SIM_ERROR,
            "the program did not use the GPU: nothing is captured; %s",
            has_display() ? "see docs/graphics.md"
                          : "if it has windows, run it in an X server: "
                            "xvfb-run -a igpu gl ...");
    return status != 0 ? status : IGPU_SIM_ERROR;
}

static void clear_environment(void)
{
    static const char *const names[] = {"IGPU_GL_OUT",    "IGPU_GL_STATUS",
                                        "IGPU_GL_FIRST",  "IGPU_GL_LAST",
                                        "IGPU_GL_DEVICE", "IGPU_GL_NO_EXECUTE"};

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        (void)unsetenv(names[i]);
}

int cmd_gl(int argc, char **argv)
{
    struct command c = {.out = NULL, .status = -1};
    int option, status = 0;

    clear_environment();
    opterr = 0;
    optind = 1;
    while (status == 0 && !c.help &&
           (option = getopt_long(argc, argv, "+o:d:h", longs, NULL)) != -1) {
        if (option == '?')
            return igpu_complain_of_option(program, argv[optind - 1]);
        status = take(&c, option);
    }
    if (c.help) {
        print_help();
        return 0;
    }
    if (status == 0)
        status = prepare(&c, argc - optind, argv + optind);
    if (status == 0) {
        status = child_run(program, argv + optind);
        sweep();
        if (status != CHILD_NOT_STARTED)
            status = sum_up(&c, status);
    }
    if (c.status >= 0)
        (void)close(c.status);
    return status;
}
