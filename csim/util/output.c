/* output.c - see output.h. */
#define _GNU_SOURCE /* O_TMPFILE, fsync, getrandom, realpath */
#include "igpu/output.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    SLOTS = 64,      /* names that a signal removes */
    NO_SLOT = SLOTS, /* one more, which it leaves */
    SUFFIX = 40,     /* bytes of .PID.RANDOM.part and the 0 */
    TRIES = 100
};
static const char ending[] = ".part";

/* ---- what a signal removes ----------------------------------------------- */

/* A name stays valid while it is here; who takes it out owns it. */
static struct {
    _Atomic(char *) name; /* NULL: free */
    pid_t owner;          /* a child of fork() leaves its parent's files alone */
} slots[SLOTS];

static unsigned take_slot(char *name)
{
    for (unsigned i = 0; i < SLOTS; i++) {
        char *none = NULL;

        if (atomic_compare_exchange_strong(&slots[i].name, &none, name)) {
            slots[i].owner = getpid();
            return i;
        }
    }
    return NO_SLOT;
}

/* False: a signal handler has the name, and the program ends. */
static bool leave_slot(unsigned slot)
{
    return slot == NO_SLOT || atomic_exchange(&slots[slot].name, NULL) != NULL;
}

void igpu_output_remove_all(void)
{
    pid_t self = getpid();

    for (unsigned i = 0; i < SLOTS; i++) {
        char *name = atomic_exchange(&slots[i].name, NULL);

        if (name != NULL && slots[i].owner == self)
            (void)unlink(name);
    }
}

/* ---- names --------------------------------------------------------------- */

static bool is_special(const char *path)
{
    struct stat info;

    return stat(path, &info) == 0 && !S_ISDIR(info.st_mode) &&
           (!S_ISREG(info.st_mode) || info.st_nlink == 0);
}

/* The file to be made, malloc'ed: a link's end, if that is there. */
static char *resolve(const char *path)
{
    struct stat info;
    char *end = NULL;

    if (lstat(path, &info) == 0 && S_ISLNK(info.st_mode) && !is_special(path))
        end = realpath(path, NULL);
    return end != NULL ? end : strdup(path);
}

/* PATH.PID.RANDOM.part, with PATH cut where a name would be too long. */
static void beside(char *name, const char *path)
{
    const char *slash = strrchr(path, '/');
    size_t folder = slash != NULL ? (size_t)(slash + 1 - path) : 0;
    size_t base = strlen(path + folder);
    uint32_t random = 0;

    if (base > NAME_MAX - SUFFIX)
        base = NAME_MAX - SUFFIX;
    if (getrandom(&random, sizeof(random), 0) < 0)
        random = (uint32_t)(uintptr_t)&random;
    memcpy(name, path, folder + base);
    (void)snprintf(name + folder + base, SUFFIX, ".%ld.%08x%s", (long)getpid(),
                   (unsigned)random, ending);
}

/* ---- open, close --------------------------------------------------------- */

static bool is_beside(const struct igpu_output *o)
{
    return strcmp(o->name, o->path) != 0;
}

static void link_of(char link[IGPU_OUTPUT_UNNAMED], int fd)
{
    (void)snprintf(link, IGPU_OUTPUT_UNNAMED, "/proc/self/fd/%d", fd);
}

/* Whether it has its name yet, or none. */
static void remove_beside(const struct igpu_output *o)
{
    if (is_beside(o) && !o->unnamed)
        (void)unlink(o->name);
}

static void output_forget(struct igpu_output *o)
{
    bool mine = o->name == NULL || leave_slot(o->slot);

    free(o->path);
    if (mine)
        free(o->name);
    *o = (struct igpu_output){.slot = NO_SLOT};
}

/* A new file in the folder, which goes with the process, whatever ends that; -1: the
 * file system has none, or nothing would be there by which it is opened again, or gets
 * a name. */
static int create_unnamed(const char *folder, mode_t mode)
{
    int fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, mode);
    char link[IGPU_OUTPUT_UNNAMED];

    if (fd < 0)
        return -1;
    link_of(link, fd);
    if (access(link, F_OK) == 0)
        return fd;
    (void)close(fd);
    return -1;
}

/* The file: a new one that nobody else has, never through a link. */
static int make(const char *name)
{
    return open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666);
}

/* A name for `fd`, which has none; then 0. */
static int give(const char *name, int fd)
{
    char link[IGPU_OUTPUT_UNNAMED];

    link_of(link, fd);
    return linkat(AT_FDCWD, link, AT_FDCWD, name, AT_SYMLINK_FOLLOW);
}

/* A name beside the path's: of a file that is made (fd -1), or of one that has none. It
 * is known to the signal handler before it is there. */
static int take_name(struct igpu_output *o, int fd)
{
    int result = -1;

    for (unsigned i = 0; result < 0 && i < TRIES; i++) {
        int error;

        beside(o->name, o->path);
        o->slot = take_slot(o->name);
        result = fd < 0 ? make(o->name) : give(o->name, fd);
        error = errno;
        if (result < 0 && leave_slot(o->slot))
            o->slot = NO_SLOT;
        errno = error;
        if (result < 0 && error != EEXIST)
            break;
    }
    return result;
}

static int create_beside(struct igpu_output *o)
{
    char *slash = strrchr(strcpy(o->name, o->path), '/');
    int fd;

    if (slash != NULL)
        slash[slash == o->name] = '\0';
    fd = create_unnamed(slash != NULL ? o->name : ".", 0666);
    o->unnamed = fd >= 0;
    if (o->unnamed)
        beside(o->name, o->path);
    return o->unnamed ? fd : take_name(o, -1);
}

static int create(struct igpu_output *o)
{
    struct stat info;

    if (stat(o->path, &info) == 0 && S_ISDIR(info.st_mode)) {
        errno = EISDIR;
        return -1;
    }
    if (!is_special(o->path))
        return create_beside(o);
    strcpy(o->name, o->path);
    return open(o->name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
}

enum igpu_status igpu_output_open(struct igpu_output *o, const char *path,
                                  struct igpu_err *err)
{
    enum igpu_status status = IGPU_OK;
    int fd;

    *o = (struct igpu_output){.slot = NO_SLOT, .path = resolve(path)};
    if (o->path != NULL)
        o->name = malloc(strlen(o->path) + SUFFIX);
    if (o->name == NULL) {
        output_forget(o);
        return igpu_no_memory(err, "%s", path);
    }
    fd = create(o);
    if (fd >= 0)
        o->file = fdopen(fd, is_beside(o) ? "w+b" : "wb");
    if (o->file == NULL) {
        status =
            igpu_fail(err, IGPU_USAGE, "%s: cannot create: %s; choose another place",
                      path, strerror(errno));
        if (fd >= 0) {
            (void)close(fd);
            remove_beside(o);
        }
        output_forget(o);
    }
    return status;
}

/* Everything to the disk: 0, or the error. A write that failed before is most often one
 * for a full disk. */
static int flush(const struct igpu_output *o)
{
    bool lost = ferror(o->file) != 0;

    errno = 0;
    if (fflush(o->file) != 0 || lost || (is_beside(o) && fsync(fileno(o->file)) != 0))
        return errno != 0 ? errno : ENOSPC;
    return 0;
}

enum igpu_status igpu_output_close(struct igpu_output *o, struct igpu_err *err)
{
    int error = flush(o);

    if (error == 0 && o->unnamed) {
        o->unnamed = take_name(o, fileno(o->file)) != 0;
        error = o->unnamed ? errno : 0;
    }
    errno = error;
    if (fclose(o->file) != 0 && error == 0)
        error = errno;
    if (error == 0 && is_beside(o) && rename(o->name, o->path) != 0)
        error = errno;
    if (error != 0)
        remove_beside(o);
    if (error != 0)
        (void)igpu_fail(err, IGPU_SIM_ERROR, "%s: cannot write: %s", o->path,
                        strerror(error));
    output_forget(o);
    return error == 0 ? IGPU_OK : IGPU_SIM_ERROR;
}

void igpu_output_abort(struct igpu_output *o)
{
    if (o->file == NULL)
        return;
    (void)fclose(o->file);
    remove_beside(o);
    output_forget(o);
}

/* ---- helpers ------------------------------------------------------------- */

enum igpu_status igpu_output_put(const char *path, void (*write)(FILE *out, void *ctx),
                                 void *ctx, struct igpu_err *err)
{
    struct igpu_output out;
    enum igpu_status status;

    if (strcmp(path, "-") == 0) {
        write(stdout, ctx);
        return IGPU_OK;
    }
    status = igpu_output_open(&out, path, err);
    if (status != IGPU_OK)
        return status;
    write(out.file, ctx);
    return igpu_output_close(&out, err);
}

/* One that has a name between the two calls. */
static int create_and_unlink(const char *folder)
{
    char name[PATH_MAX];
    sigset_t all, before;
    int fd = -1, n = snprintf(name, sizeof(name), "%s/igpu-XXXXXX", folder);

    if (n > 0 && (size_t)n < sizeof(name)) {
        (void)sigfillset(&all);
        (void)pthread_sigmask(SIG_BLOCK, &all, &before);
        fd = mkostemp(name, O_CLOEXEC);
        if (fd >= 0)
            (void)unlink(name);
        (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    }
    return fd;
}

int igpu_output_unnamed(char path[IGPU_OUTPUT_UNNAMED], struct igpu_err *err)
{
    const char *folder = getenv("TMPDIR");
    int fd;

    folder = folder != NULL && folder[0] != '\0' ? folder : "/tmp";
    fd = create_unnamed(folder, 0600);
    if (fd < 0)
        fd = create_and_unlink(folder);
    if (fd < 0)
        (void)igpu_fail(err, IGPU_USAGE, "TMPDIR %.200s: no file can be made there: %s",
                        folder, strerror(errno));
    else
        link_of(path, fd);
    return fd;
}

enum igpu_status igpu_output_check(const char *path, struct igpu_err *err)
{
    struct igpu_output out;
    enum igpu_status status = IGPU_OK;

    if (path == NULL || strcmp(path, "-") == 0 || is_special(path))
        return IGPU_OK;
    status = igpu_output_open(&out, path, err);
    if (status == IGPU_OK)
        igpu_output_abort(&out);
    return status;
}

/* The process in PATH.PID.RANDOM.part; 0: no name of that form. */
static pid_t writer_of(const char *name)
{
    size_t length = strlen(name), tail = sizeof(".01234567.part") - 1;
    const char *end = name + length - tail, *dot = end;

    if (length <= tail || strcmp(name + length - (sizeof(ending) - 1), ending) != 0 ||
        strspn(end + 1, "0123456789abcdef") != 8)
        return 0;
    while (dot > name && dot[-1] >= '0' && dot[-1] <= '9')
        dot--;
    return dot > name && dot[-1] == '.' && *end == '.' ? (pid_t)strtol(dot, NULL, 10)
                                                       : 0;
}

void igpu_output_sweep(const char *folder)
{
    DIR *dir = opendir(folder);
    struct dirent *entry;

    while (dir != NULL && (entry = readdir(dir)) != NULL) {
        pid_t writer = writer_of(entry->d_name);

        if (writer > 0 && kill(writer, 0) != 0 && errno == ESRCH)
            (void)unlinkat(dirfd(dir), entry->d_name, 0);
    }
    if (dir != NULL)
        (void)closedir(dir);
}
