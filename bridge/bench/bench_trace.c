/* bench_trace.c - traces recorded once and kept in the cache folder's `traces`, each
 * named by a hash of kernel source, compiler, recorder, options and arguments.
 * A trace is recorded under a name of its own and renamed when whole, so any number of
 * processes may want the same one: their files differ in that name alone, and where
 * one's trace comes to lie beside the other's sum it is recorded again. One that nobody
 * used for a month is removed. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "bridge/bench/bench_path.h"
#include "bridge/bench/bench_sim.h"
#include "bridge/igpu/commands.h"
#include "traces/program/compile.h"
#include "traces/program/file_cache.h"

enum { MAX_ARGV = 40, KEEP_SECONDS = 30 * 86400, MAX_PATH = 4096 };

struct command {
    const char *argv[MAX_ARGV];
    int argc;
    char global[24], local[24], repeat[16], source[MAX_PATH];
};

static void add(struct command *c, const char *word)
{
    c->argv[c->argc++] = word;
}

/* The command but for its output file. */
static enum igpu_status make_command(struct command *c, const struct bench_sim *sim,
                                     const char *device, struct igpu_err *err)
{
    enum igpu_status status =
        bench_kernel_path(sim->file, c->source, sizeof(c->source), err);

    (void)snprintf(c->global, sizeof(c->global), "%llu",
                   (unsigned long long)sim->global);
    (void)snprintf(c->local, sizeof(c->local), "%llu", (unsigned long long)sim->local);
    (void)snprintf(c->repeat, sizeof(c->repeat), "%u", sim->repeat);
    c->argc = 0;
    add(c, "record");
    add(c, "--quiet");
    add(c, "-d");
    add(c, device);
    add(c, "-k");
    add(c, sim->kernel);
    add(c, "-g");
    add(c, c->global);
    add(c, "-l");
    add(c, c->local);
    add(c, "--repeat");
    add(c, c->repeat);
    for (uint32_t i = 0; i < sim->args; i++) {
        add(c, "--arg");
        add(c, sim->arg[i]);
    }
    if (sim->again[0] != '\0') {
        add(c, "--again");
        add(c, sim->again);
    }
    if (sim->options[0] != '\0') {
        add(c, "-O");
        add(c, sim->options);
    }
    return status;
}

/* What decides the trace's content: the compiled kernel's key, this program, and the
 * command. */
static enum igpu_status make_key(const struct command *c, const struct bench_sim *sim,
                                 const char *device, char key[33], struct igpu_err *err)
{
    struct compile_request request = {
        .source_path = c->source, .device = device, .options = sim->options};
    struct compile_result built = {0};
    enum igpu_status status = compile_opencl(&request, &built, err);
    struct cache_hash hash = cache_hash_start();

    if (status == IGPU_OK) {
        cache_hash_field(&hash, built.key, sizeof(built.key));
        cache_hash_file(&hash, BENCH_SELF);
        for (int i = 0; i < c->argc; i++)
            cache_hash_field(&hash, c->argv[i], strlen(c->argv[i]));
        cache_hash_text(&hash, key);
    }
    compile_free(&built);
    return status;
}

static void remove_old(const char *folder)
{
    DIR *dir = opendir(folder);
    struct dirent *entry;
    time_t now = time(NULL);

    while (dir != NULL && (entry = readdir(dir)) != NULL) {
        char path[MAX_PATH];
        struct stat info;

        if (snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name) <
                (int)sizeof(path) &&
            stat(path, &info) == 0 && S_ISREG(info.st_mode) &&
            info.st_mtime + KEEP_SECONDS < now)
            (void)unlink(path);
    }
    if (dir != NULL)
        (void)closedir(dir);
}

/* Record into `beside`, then rename to `path`. */
static enum igpu_status record(struct command *c, const char *beside, const char *path,
                               struct igpu_err *err)
{
    int status;

    add(c, "-o");
    add(c, beside);
    add(c, c->source);
    add(c, NULL);
    status = cmd_record(c->argc - 1, (char **)(uintptr_t)c->argv);
    if (status != 0)
        return igpu_fail(err, (enum igpu_status)status, "no trace of kernel %s in %s",
                         c->argv[5], c->source);
    if (!cache_note(beside, path) || rename(beside, path) != 0) {
        (void)unlink(beside);
        return igpu_fail(err, IGPU_USAGE, "%s: cannot write: %s", path,
                         strerror(errno));
    }
    return IGPU_OK;
}

enum igpu_status bench_trace(const struct bench_sim *sim, const char *device,
                             char *path, uint32_t cap, struct igpu_err *err)
{
    struct command c;
    char folder[MAX_PATH - 128], traces[MAX_PATH - 64], key[33], beside[MAX_PATH];
    enum igpu_status status = make_command(&c, sim, device, err);

    if (status == IGPU_OK)
        status = make_key(&c, sim, device, key, err);
    if (status != IGPU_OK)
        return status;
    if (!cache_folder(NULL, folder, sizeof(folder)))
        return igpu_fail(err, IGPU_USAGE,
                         "no folder for traces: set HOME or XDG_CACHE_HOME to one that "
                         "can be written");
    (void)snprintf(traces, sizeof(traces), "%s/traces", folder);
    if (!cache_folder(traces, folder, sizeof(folder)) ||
        snprintf(path, cap, "%s/%s.pb", traces, key) >= (int)cap)
        return igpu_fail(err, IGPU_USAGE, "%s: no folder that can be written", traces);
    if (cache_is_as_noted(path)) { /* and in use: see remove_old() */
        (void)utimensat(AT_FDCWD, path, NULL, 0);
        return IGPU_OK;
    }
    remove_old(traces);
    (void)snprintf(beside, sizeof(beside), "%s/%s.%ld", traces, key, (long)getpid());
    return record(&c, beside, path, err);
}
