/* node_child.c - see node_child.h. The library in the program takes everything from its
 * environment (bridge/drivers/drm/drm_settings.c) and leaves its last word in a file.
 */
#define _GNU_SOURCE /* memfd_create */
#include "bridge/programs/igpu/node_child.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bridge/host/sim/config_file.h"
#include "bridge/programs/igpu/child.h"
#include "igpu/output.h"
#include "igpu/program.h"
#include "traces/frame/node_settings.h"

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
    return node_set(NODE_COMMAND, line);
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

/* The path of a file that is made there, absolute: the program may change its folder.
 */
static int set_path(const struct node_child *c, const char *option,
                    enum node_setting setting, const char *value)
{
    char path[PATH_BYTES], real[PATH_BYTES];
    const char *slash = strrchr(value, '/');
    int n, folder = slash == NULL || slash == value ? 1 : (int)(slash - value);

    n = snprintf(path, sizeof(path), "%.*s", folder, slash != NULL ? value : ".");
    if (n < 0 || (size_t)n >= sizeof(path) || realpath(path, real) == NULL)
        return complain(c, option, value, strerror(errno));
    n = snprintf(path, sizeof(path), "%s/%s", strcmp(real, "/") == 0 ? "" : real,
                 slash != NULL ? slash + 1 : value);
    if (n < 0 || (size_t)n >= sizeof(path))
        return complain(c, option, value, "the path is too long");
    return node_set(setting, path);
}

/* The settings as one text; wrong ones are told here, not by the program. */
static int check_machine(const struct node_child *c, char *set, size_t bytes)
{
    struct igpu_config config;
    struct igpu_err err = {.text = ""};
    enum igpu_status status =
        config_load(&config, c->machine != NULL ? c->machine : "skl-gt2", &err);

    set[0] = '\0';
    for (unsigned i = 0; i < c->settings && status == IGPU_OK; i++) {
        size_t used = strlen(set);
        int n =
            snprintf(set + used, bytes - used, "%s%s", i > 0 ? " " : "", c->setting[i]);

        if (n < 0 || (size_t)n >= bytes - used || strchr(c->setting[i], ' ') != NULL)
            return complain(c, "-s", c->setting[i], "expected KEY=VALUE");
        status = igpu_config_set(&config, c->setting[i], &err);
    }
    if (status == IGPU_OK)
        status = igpu_config_check(&config, &err);
    if (status == IGPU_OK && c->list != NULL)
        status = igpu_output_check(c->list, &err);
    return status == IGPU_OK ? 0 : igpu_complain(c->command, status, &err);
}

static int set_time(const struct node_child *c)
{
    char set[1024], path[PATH_BYTES];
    int status = check_machine(c, set, sizeof(set));

    if (status == 0 && c->list != NULL)
        status = set_path(c, "--csv", NODE_TIMES, c->list);
    if (status == 0 && c->machine != NULL)
        status = setenv("IGPU_CONFIG",
                        realpath(c->machine, path) != NULL ? path : c->machine, 1);
    if (status == 0 && set[0] != '\0')
        status = setenv("IGPU_SET", set, 1);
    return status == 0 ? node_set(NODE_TIME, "1") : status;
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
    return node_set(NODE_STATUS, path);
}

/* What is left of this run's files, or of earlier ones', whose program was killed or
 * became another one. */
static void sweep(void)
{
    static const enum node_setting files[] = {NODE_OUT, NODE_TIMES};
    char folder[PATH_BYTES];

    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
        const char *path = node_get(files[i]);

        if (path == NULL)
            continue;
        (void)snprintf(folder, sizeof(folder), "%s", path);
        *(strrchr(folder, '/') + 1) = '\0';
        igpu_output_sweep(folder);
    }
}

int node_child_prepare(struct node_child *c, int argc, char **argv)
{
    char library[PATH_BYTES];
    struct igpu_err err = {.text = ""};
    int status;

    if (c->out != NULL && igpu_output_check(c->out, &err) != IGPU_OK)
        return igpu_complain(c->command, IGPU_USAGE, &err);
    status = find_library(c, library);
    if (status == 0)
        status = set_command(argc, argv);
    if (status == 0 && c->out != NULL)
        status = set_path(c, "-o", NODE_OUT, c->out);
    if (status == 0)
        status = make_status(c);
    if (status == 0 && c->time)
        status = set_time(c);
    if (status == 0)
        status = set_preload(c, library);
    if (status == 0)
        sweep();
    return status;
}

/* ---- the run ------------------------------------------------------------ */

/* Behind the last word in its file (bridge/drivers/drm/drm.h). */
static void print_time(const struct node_child *c)
{
    uint64_t launches = 0, cycles = 0, hz = 0;
    char line[128] = "";
    ssize_t n = pread(c->status, line, sizeof(line) - 1, 4096);

    if (n <= 0 ||
        sscanf(line, "time %" SCNu64 " %" SCNu64 " %" SCNu64, &launches, &cycles,
               &hz) != 3 ||
        hz == 0) {
        printf("simulated: no launch\n");
        return;
    }
    printf("simulated: %" PRIu64 " launches, %" PRIu64 " cycles, %.3f ms at %.0f MHz\n",
           launches, cycles, (double)cycles * 1e3 / (double)hz, (double)hz / 1e6);
}

/* The library's last word. Returns the exit status, in the program's own if that is
 * not 0. */
static int sum_up(const struct node_child *c, int status)
{
    char word[16] = "", text[512] = "";
    uint64_t frames = 0, batches = 0;
    char line[640] = "";
    ssize_t n = pread(c->status, line, sizeof(line) - 1, 0);

    if (c->time)
        print_time(c);
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
    for (enum node_setting i = 0; i < NODE_SETTINGS_N; i++)
        (void)unsetenv(node_name(i));
    (void)unsetenv("IGPU_CONFIG");
    (void)unsetenv("IGPU_SET");
}

int node_child_run(struct node_child *c, char **argv)
{
    int status = child_run(c->command, argv);

    sweep();
    if (status != CHILD_NOT_STARTED)
        status = sum_up(c, status);
    (void)close(c->status);
    return status;
}
