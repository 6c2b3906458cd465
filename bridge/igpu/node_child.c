/* node_child.c - see node_child.h. The library in the program takes everything from its
 * environment (bridge/drm/drm_settings.c) and leaves its last word in a file. */
#define _GNU_SOURCE /* memfd_create */
#include "bridge/igpu/node_child.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bridge/igpu/child.h"
#include "igpu/output.h"
#include "igpu/program.h"

enum { PATH_BYTES = 4096 };

static int complain(const struct node_child *c, const char *what, const char *value,
                    const char *expected)
{
    return igpu_complain_of(c->command, IGPU_USAGE, "%s%s%s: %s", what,
                            value[0] != '\0' ? " " : "", value, expected);
}

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

static int find_library(const struct node_child *c, char real[PATH_BYTES])
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
    return igpu_complain_of(c->command, IGPU_USAGE,
                            "no libigpu_drm.so in ../lib or build/lib of %s; make igpu",
                            self);
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

static int set_preload(const struct node_child *c, const char *library)
{
    const char *before = getenv("LD_PRELOAD");
    char list[2 * PATH_BYTES];
    int n = snprintf(list, sizeof(list), "%s%s%s", library,
                     before != NULL && before[0] != '\0' ? ":" : "",
                     before != NULL ? before : "");

    if (n < 0 || (size_t)n >= sizeof(list))
        return complain(c, "LD_PRELOAD", "", "is too long");
    return setenv("LD_PRELOAD", list, 1);
}

/* Absolute: the program may change its folder. */
static int set_output(const struct node_child *c)
{
    const char *out = c->out;
    char path[PATH_BYTES], real[PATH_BYTES];
    const char *slash = strrchr(out, '/');
    int n;

    n = snprintf(path, sizeof(path), "%.*s", slash != NULL ? (int)(slash - out) : 1,
                 slash != NULL ? out : ".");
    if (slash == out)
        (void)strcpy(path, "/");
    if (n < 0 || (size_t)n >= sizeof(path) || realpath(path, real) == NULL)
        return complain(c, "-o", out, strerror(errno));
    n = snprintf(path, sizeof(path), "%s/%s", strcmp(real, "/") == 0 ? "" : real,
                 slash != NULL ? slash + 1 : out);
    if (n < 0 || (size_t)n >= sizeof(path))
        return complain(c, "-o", out, "the path is too long");
    return setenv("IGPU_GL_OUT", path, 1);
}

/* A file without a name, which the program finds as one of ours: nothing of it is left,
 * however we end. */
static int make_status(struct node_child *c)
{
    char path[64];

    c->status = memfd_create("igpu-gl", MFD_CLOEXEC);
    if (c->status < 0)
        return complain(c, "memfd_create", "", strerror(errno));
    (void)snprintf(path, sizeof(path), "/proc/%ld/fd/%d", (long)getpid(), c->status);
    return setenv("IGPU_GL_STATUS", path, 1);
}

/* What is left of this capture, or of earlier ones, whose program was killed or became
 * another one. */
static void sweep(const struct node_child *c)
{
    char folder[PATH_BYTES];

    if (c->out == NULL)
        return;
    (void)snprintf(folder, sizeof(folder), "%s", getenv("IGPU_GL_OUT"));
    *(strrchr(folder, '/') + 1) = '\0';
    igpu_output_sweep(folder);
}

int node_child_prepare(struct node_child *c, int argc, char **argv)
{
    char library[PATH_BYTES];
    struct igpu_err err = {""};
    int status;

    if (c->out != NULL && igpu_output_check(c->out, &err) != IGPU_OK)
        return igpu_complain(c->command, IGPU_USAGE, &err);
    status = find_library(c, library);
    if (status == 0)
        status = set_command(argc, argv);
    if (status == 0 && c->out != NULL)
        status = set_output(c);
    if (status == 0)
        status = make_status(c);
    if (status == 0)
        status = set_preload(c, library);
    if (status == 0)
        sweep(c);
    return status;
}

/* ---- the run ------------------------------------------------------------ */

/* The library's last word. Returns the exit status, in the program's own if that is
 * not 0. */
static int sum_up(const struct node_child *c, int status)
{
    char word[16] = "", text[512] = "";
    uint64_t frames = 0, batches = 0;
    char line[640] = "";
    ssize_t n = pread(c->status, line, sizeof(line) - 1, 0);

    if (c->out == NULL)
        return status;
    if (n <= 0 || sscanf(line, "%15s %" SCNu64 " %" SCNu64 " %511[^\n]", word, &frames,
                         &batches, text) < 3)
        word[0] = '\0';
    if (strcmp(word, "ok") == 0 || strcmp(word, "part") == 0) {
        printf("%s: %" PRIu64 " frames, %" PRIu64 " batches\n", c->out, frames,
               batches);
        return status != 0 ? status : word[0] == 'p' ? IGPU_SIM_ERROR : 0;
    }
    if (strcmp(word, "cut") == 0)
        (void)igpu_complain_of(c->command, IGPU_SIM_ERROR,
                               "the program ended without its end%s",
                               c->cut != NULL ? c->cut : "");
    else if (word[0] == '\0')
        (void)igpu_complain_of(
            c->command, IGPU_SIM_ERROR,
            "the program did not use the GPU: nothing is captured; %s", c->unused);
    return status != 0 ? status : IGPU_SIM_ERROR;
}

void node_child_clear(void)
{
    static const char *const names[] = {
        "IGPU_GL_OUT",    "IGPU_GL_STATUS",     "IGPU_GL_FIRST", "IGPU_GL_LAST",
        "IGPU_GL_DEVICE", "IGPU_GL_NO_EXECUTE", "IGPU_GL_DRIVER"};

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        (void)unsetenv(names[i]);
}

int node_child_run(struct node_child *c, char **argv)
{
    int status = child_run(c->command, argv);

    sweep(c);
    if (status != CHILD_NOT_STARTED)
        status = sum_up(c, status);
    (void)close(c->status);
    return status;
}
