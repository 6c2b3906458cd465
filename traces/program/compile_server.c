/* compile_server.c - see compile_server.h; the other end is traces/ocloc/ocloc_main.c.
 */
#define _DEFAULT_SOURCE /* realpath */
#include "compile_server.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compile_run.h"
#include "traces/ocloc/compile_wire.h"
#include "traces/program/compile.h"
#include "traces/program/file_cache.h"
#include "traces/program/loader.h"

enum { KEPT = 4, PATH_BYTES = PATH_MAX + 64, LOG_MAX = 1 << 20 };

/* Servers without a task. A server of another environment or compiler is not used:
 * what it would answer may differ. A child of fork() leaves its parent's alone. */
static struct {
    pthread_mutex_t lock;
    pid_t owner;
    int socket[KEPT];
    ino_t inode[KEPT]; /* of the socket */
    char key[KEPT][33];
    unsigned count;
} idle = {.lock = PTHREAD_MUTEX_INITIALIZER};

static atomic_uint served_ahead; /* answers of compilers ahead */

/* ---- which programs ----------------------------------------------------------- */

/* The library beside the program: PREFIX/bin/ocloc, PREFIX/lib.../libocloc.so. False
 * for a program that is a script: what it does is its own. */
static bool find_library(const char *program, char *path, size_t cap)
{
    static const char *const places[] = {"lib/x86_64-linux-gnu", "lib64", "lib"};
    char real[PATH_MAX], magic[4] = "";
    FILE *file = fopen(program, "rb");
    bool elf = file != NULL && fread(magic, 1, 4, file) == 4 &&
               memcmp(magic, "\177ELF", 4) == 0;

    if (file != NULL)
        (void)fclose(file);
    if (!elf || realpath(program, real) == NULL || strcmp(strrchr(real, '/'), "/ocloc"))
        return false;
    for (unsigned i = 0; i < 2; i++)
        *strrchr(real, '/') = '\0';
    for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
        int n = snprintf(path, cap, "%s/%s/libocloc.so", real, places[i]);

        if (n > 0 && (size_t)n < cap && access(path, R_OK) == 0)
            return true;
        if (strchr(real, '/') == NULL)
            break;
    }
    return false;
}

/* Before the first compilation; never changed after. */
static char chosen_server[PATH_BYTES];

void compile_set_server(const char *path)
{
    (void)snprintf(chosen_server, sizeof(chosen_server), "%s", path);
}

/* Where it is: as the program or the driver said, or where `make install` puts it. Not
 * beside whatever program this code is in, and nowhere below its working folder. */
static const char *find_server(void)
{
#ifdef IGPU_LIBEXECDIR
    static const char installed[] = IGPU_LIBEXECDIR "/igpu_ocloc";
#else
    static const char installed[] = "";
#endif

    if (chosen_server[0] == '/' && access(chosen_server, X_OK) == 0)
        return chosen_server;
    return installed[0] == '/' && access(installed, X_OK) == 0 ? installed : NULL;
}

static void make_key(const char *library, char key[33])
{
    struct cache_hash hash = cache_hash_start();

    cache_hash_file(&hash, library);
    for (char *const *variable = compile_environment(); *variable != NULL; variable++)
        cache_hash_field(&hash, *variable, strlen(*variable));
    cache_hash_text(&hash, key);
}

/* ---- servers ------------------------------------------------------------------ */

static ino_t inode_of(int fd)
{
    struct stat info;

    return fstat(fd, &info) == 0 && S_ISSOCK(info.st_mode) ? info.st_ino : 0;
}

/* The lock is held across fork(), so that the child finds the list whole. */
static void before_fork(void)
{
    (void)pthread_mutex_lock(&idle.lock);
}

static void after_fork(void)
{
    (void)pthread_mutex_unlock(&idle.lock);
}

static void __attribute__((constructor)) watch_fork(void)
{
    (void)pthread_atfork(before_fork, after_fork, after_fork);
}

/* Under the lock: the last idle server's socket; -1 when the program has closed what it
 * does not know, and the number may be that of a file of its own. */
static int pop(void)
{
    int fd = idle.socket[--idle.count];

    return inode_of(fd) == idle.inode[idle.count] ? fd : -1;
}

/* Under the lock: forget what a parent before fork() had. */
static void claim(void)
{
    if (idle.owner == getpid())
        return;
    while (idle.count > 0) {
        int fd = pop();

        if (fd >= 0)
            (void)close(fd);
    }
    idle.owner = getpid();
}

static int take_idle(const char *key)
{
    int fd = -1;

    (void)pthread_mutex_lock(&idle.lock);
    claim();
    while (idle.count > 0 && fd < 0) {
        fd = pop();
        if (fd >= 0 && strcmp(idle.key[idle.count], key) != 0) {
            (void)close(fd);
            fd = -1;
        }
    }
    (void)pthread_mutex_unlock(&idle.lock);
    return fd;
}

static void keep_idle(int fd, const char *key)
{
    (void)pthread_mutex_lock(&idle.lock);
    claim();
    if (idle.count < KEPT) {
        memcpy(idle.key[idle.count], key, sizeof(idle.key[0]));
        idle.inode[idle.count] = inode_of(fd);
        idle.socket[idle.count++] = fd;
        fd = -1;
    }
    (void)pthread_mutex_unlock(&idle.lock);
    if (fd >= 0)
        (void)close(fd);
}

static int start_server(const char *library)
{
    const char *arguments[] = {"igpu_ocloc", library, NULL};
    const char *path = find_server();
    int pair[2];

    if (path == NULL || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
        return -1;
    if (compile_start_server(path, (char *const *)(uintptr_t)arguments, pair[1]) != 0) {
        (void)close(pair[0]);
        pair[0] = -1;
    }
    (void)close(pair[1]);
    return pair[0];
}

/* ---- one task ----------------------------------------------------------------- */

static bool give_string(int fd, const char *text)
{
    return wire_send(fd, text, strlen(text) + 1);
}

static bool ask(int fd, const struct compile_task *task, const char *folder)
{
    struct wire_request head = {.version = WIRE_VERSION,
                                .arguments = task->arguments,
                                .files = task->files,
                                .ahead = task->ahead};
    bool ok;

    head.bytes = strlen(folder) + 1 + strlen(task->ending) + 1;
    for (uint32_t i = 0; i < task->arguments; i++)
        head.bytes += strlen(task->argument[i]) + 1;
    for (uint32_t i = 0; i < task->files; i++)
        head.bytes += strlen(task->file[i].name) + 1 + sizeof(uint64_t) +
                      task->file[i].size + task->file[i].text;
    ok = wire_send(fd, &head, sizeof(head)) && give_string(fd, folder) &&
         give_string(fd, task->ending);
    for (uint32_t i = 0; i < task->arguments; i++)
        ok = ok && give_string(fd, task->argument[i]);
    for (uint32_t i = 0; i < task->files; i++) {
        const struct compile_file *f = &task->file[i];
        uint64_t size = f->size + f->text;

        ok = ok && give_string(fd, f->name) && wire_send(fd, &size, sizeof(size)) &&
             wire_send(fd, f->bytes, f->size) && wire_send(fd, "", f->text);
    }
    return ok;
}

/* `bytes` bytes and a 0, malloc'ed; what is over max is read and dropped. */
static char *take_text(int fd, uint64_t bytes, size_t max)
{
    size_t fit = bytes < max ? (size_t)bytes : max;
    char *text = malloc(fit + 1), dropped[4096];
    bool ok = text != NULL && wire_receive(fd, text, fit);

    for (uint64_t rest = bytes - fit; ok && rest > 0;) {
        size_t n = rest < sizeof(dropped) ? (size_t)rest : sizeof(dropped);

        ok = wire_receive(fd, dropped, n);
        rest -= n;
    }
    if (!ok) {
        free(text);
        return NULL;
    }
    text[fit] = '\0';
    return text;
}

/* The compiler names sources in messages 1, 2, 3 in the order in which a process
 * compiles them. Here each is called 1, as if it had a process for itself. */
static void name_source(char *log, uint32_t number)
{
    static const char from[] = "In file included from ";
    char name[16], *to = log;
    size_t bytes = (size_t)snprintf(name, sizeof(name), "%u:", number);

    while (*log != '\0') {
        size_t rest = strcspn(log, "\n");

        if (strncmp(log, from, sizeof(from) - 1) == 0) {
            memmove(to, log, sizeof(from) - 1);
            to += sizeof(from) - 1;
            log += sizeof(from) - 1;
            rest -= sizeof(from) - 1;
        }
        if (strncmp(log, name, bytes) == 0 && isdigit((unsigned char)log[bytes])) {
            memcpy(to, "1:", 2);
            to += 2;
            log += bytes;
            rest -= bytes;
        }
        rest += log[rest] == '\n';
        memmove(to, log, rest);
        to += rest;
        log += rest;
    }
    *to = '\0';
}

/* The answer to what was asked. False: it did not come. */
static bool hear(int fd, struct wire_answer *a, char **log, uint8_t **image)
{
    *image = NULL;
    if (!wire_receive(fd, a, sizeof(*a)) || a->image_bytes > LOADER_MAX_FILE_BYTES)
        return false;
    *log = take_text(fd, a->log_bytes, LOG_MAX);
    if (*log != NULL && a->image_bytes > 0)
        *image = (uint8_t *)take_text(fd, a->image_bytes, LOADER_MAX_FILE_BYTES);
    if (*log == NULL || (a->image_bytes > 0 && *image == NULL)) {
        free(*log);
        return false;
    }
    return true;
}

unsigned compile_served_ahead(void)
{
    return served_ahead;
}

bool compile_serve(const struct compile_task *task, char **log, int *exit_code,
                   uint8_t **image, size_t *bytes)
{
    char library[PATH_BYTES], folder[PATH_MAX], key[33], *text;
    struct wire_answer a;
    uint8_t *output;
    bool ok, old;
    int fd;

    if (getcwd(folder, sizeof(folder)) == NULL ||
        !find_library(task->program, library, sizeof(library)))
        return false;
    make_key(library, key);
    do { /* one that was idle for long may just have ended: then a new one */
        fd = take_idle(key);
        old = fd >= 0;
        if (!old)
            fd = start_server(library);
        if (fd < 0)
            return false;
        ok = ask(fd, task, folder);
        if (ok)
            compile_wait_for(fd, &task->waiting);
        ok = ok && hear(fd, &a, &text, &output);
        if (!ok)
            (void)close(fd);
    } while (!ok && old);
    if (!ok)
        return false;
    if (a.last)
        (void)close(fd);
    else
        keep_idle(fd, key);
    name_source(text, a.sources);
    served_ahead += a.ahead;
    *log = text;
    *exit_code = a.exit_code & 0xFF;
    *image = output;
    *bytes = a.image_bytes;
    return true;
}
