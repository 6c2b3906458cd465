/* macsim_folder.c - the folder that MacSim reads, see macsim.h. It is written under
 * another name, DIR.part, which a lock keeps to one export at a time; what an export
 * that was killed has left there, the next one removes. */
#define _DEFAULT_SOURCE /* flock, dirfd */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "traces/convert/macsim.h"

/* ---- files --------------------------------------------------------------- */

static char *path_of(const char *dir, const char *format, uint32_t number)
{
    size_t size = strlen(dir) + 32;
    char *path = malloc(size);
    int n;

    if (!path)
        return NULL;
    n = snprintf(path, size, "%s/", dir);
    (void)snprintf(path + n, size - (size_t)n, format, number);
    return path;
}

/* trace.txt of a launch, and with launch < 0 the list of them. Of a path in the list
 * its reader keeps the last folder, which it finds between two slashes. */
static enum igpu_status put_list(struct macsim *ms, const char *dir, int64_t launch)
{
    char *path = path_of(dir, "trace.txt", 0);
    FILE *f = path ? fopen(path, "w") : NULL;
    enum igpu_status status = IGPU_OK;

    if (f && launch >= 0) {
        uint32_t threads = trace_launch(ms->reader, (uint32_t)launch)->threads;

        fprintf(f, "igpu\n%" PRIu32 "\n", threads);
        for (uint32_t t = 0; t < threads; t++)
            fprintf(f, "%" PRIu32 " 0\n", t);
    } else if (f) {
        fputs("igpu\n-1\n", f);
        for (uint32_t i = 0; i < trace_summary(ms->reader)->launches; i++)
            fprintf(f, "./K%" PRIu32 "/trace.txt\n", i);
    }
    if (!f || ferror(f) || fclose(f) != 0)
        status = igpu_fail(ms->err, IGPU_BAD_INPUT, "%s: cannot write: %s",
                           path ? path : dir, strerror(errno));
    free(path);
    return status;
}

static enum igpu_status put_launch(struct macsim *ms, const char *dir, uint32_t launch)
{
    const struct trace_launch *l = trace_launch(ms->reader, launch);
    enum igpu_status status = put_list(ms, dir, launch);

    for (uint32_t t = 0; t < l->threads && status == IGPU_OK; t++) {
        char *path = path_of(dir, "trace_%" PRIu32 ".raw", t);

        status = path ? macsim_put_thread(ms, path, launch, t)
                      : igpu_no_memory(ms->err, "a MacSim trace");
        free(path);
        ms->report->threads++;
        if (status == IGPU_OK)
            status = macsim_stopped(ms);
    }
    return status;
}

static enum igpu_status put_launches(struct macsim *ms)
{
    uint32_t launches = trace_summary(ms->reader)->launches;
    enum igpu_status status;

    ms->report->launches = launches;
    if (launches == 1)
        return put_launch(ms, ms->part, 0);
    status = put_list(ms, ms->part, -1);
    for (uint32_t i = 0; i < launches && status == IGPU_OK; i++) {
        char *dir = path_of(ms->part, "K%" PRIu32, i);

        if (!dir)
            status = igpu_no_memory(ms->err, "a MacSim trace");
        else if (mkdir(dir, 0777) != 0)
            status = igpu_fail(ms->err, IGPU_BAD_INPUT,
                               "%s: cannot make the folder: %s", dir, strerror(errno));
        if (status == IGPU_OK)
            status = put_launch(ms, dir, i);
        free(dir);
    }
    return status;
}

/* ---- the folder ---------------------------------------------------------- */

/* Is name `before`, digits, `after`? */
static bool is_numbered(const char *name, const char *before, const char *after)
{
    size_t n = strlen(before), digits;

    if (strncmp(name, before, n) != 0)
        return false;
    digits = strspn(name + n, "0123456789");
    return digits > 0 && strcmp(name + n + digits, after) == 0;
}

/* Remove what an export writes from the folder `fd` (closed) and the folders in it.
 * True when nothing else is in it. */
static bool empty(int fd)
{
    DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
    const struct dirent *e;
    bool all = dir != NULL;

    if (!dir && fd >= 0)
        (void)close(fd);
    while (dir && (e = readdir(dir)) != NULL) {
        int flags = 0;

        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
            continue;
        if (is_numbered(e->d_name, "K", "")) {
            flags = AT_REMOVEDIR;
            (void)empty(openat(dirfd(dir), e->d_name,
                               O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
        } else if (strcmp(e->d_name, "trace.txt") != 0 &&
                   !is_numbered(e->d_name, "trace_", ".raw")) {
            all = false;
            continue;
        }
        all &= unlinkat(dirfd(dir), e->d_name, flags) == 0;
    }
    if (dir)
        (void)closedir(dir);
    return all;
}

static int open_part(const struct macsim *ms)
{
    return open(ms->part, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

static void remove_part(const struct macsim *ms)
{
    (void)empty(open_part(ms));
    (void)rmdir(ms->part);
}

/* Is `fd` still the folder of that name? */
static bool is_part(const struct macsim *ms, int fd)
{
    struct stat here, there;

    return fstat(fd, &here) == 0 && lstat(ms->part, &there) == 0 &&
           here.st_dev == there.st_dev && here.st_ino == there.st_ino;
}

/* Make ms->part, empty and locked by *lock; what an export that was killed has left is
 * removed, but no other file. */
static enum igpu_status claim(const struct macsim *ms, int *lock)
{
    const char *what = NULL;

    *lock = -1;
    if (mkdir(ms->part, 0777) == 0 || errno == EEXIST)
        *lock = open_part(ms);
    if (*lock < 0)
        what = strerror(errno);
    else if (flock(*lock, LOCK_EX | LOCK_NB) != 0 || !is_part(ms, *lock))
        what = "another export is writing it";
    else if (!empty(open_part(ms)))
        what = "it holds files that no export made; move them away";
    if (what && *lock >= 0)
        (void)close(*lock);
    if (what)
        return igpu_fail(ms->err, IGPU_BAD_INPUT, "%s: cannot make the folder: %s",
                         ms->part, what);
    return IGPU_OK;
}

/* Write all threads and the lists of them to ms->dir: whole, or nothing is left. */
static enum igpu_status macsim_put_folder(struct macsim *ms)
{
    int lock;
    enum igpu_status status = claim(ms, &lock);

    if (status != IGPU_OK)
        return status;
    status = put_launches(ms);
    if (status == IGPU_OK && rename(ms->part, ms->dir) != 0)
        status = igpu_fail(ms->err, IGPU_BAD_INPUT, "%s: cannot rename %s: %s", ms->dir,
                           ms->part, strerror(errno));
    if (status != IGPU_OK)
        remove_part(ms);
    (void)close(lock);
    return status;
}

enum igpu_status convert_to_macsim(const char *trace, const char *dir,
                                   enum macsim_variant variant, bool (*stop)(void),
                                   struct macsim_report *report, struct igpu_err *err)
{
    struct macsim ms = {
        .dir = dir, .variant = variant, .report = report, .err = err, .stop = stop};
    enum igpu_status status;

    memset(report, 0, sizeof(*report));
    if (access(dir, F_OK) == 0)
        return igpu_fail(err, IGPU_USAGE, "%s: exists; expected a new folder's name",
                         dir);
    ms.reader = trace_open(trace, &status, err);
    if (!ms.reader)
        return status;
    ms.part = malloc(strlen(dir) + sizeof(".part"));
    if (ms.part) {
        strcpy(ms.part, dir);
        strcat(ms.part, ".part");
        status = macsim_put_folder(&ms);
    } else {
        status = igpu_no_memory(err, "a MacSim trace");
    }
    free(ms.part);
    trace_close(ms.reader);
    return status;
}
