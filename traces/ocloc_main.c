/* ocloc_main.c - igpu_ocloc: a compile server. Loading Intel's compiler takes as long
 * as compiling a small kernel, so this process keeps it loaded and answers one request
 * after the other.
 *
 *   igpu_ocloc LIBOCLOC     requests come on stdin, a socket; see compile_wire.h
 *
 * It ends when its client does, when nobody asked for IDLE_MS, or when the compiler
 * failed in another way than by refusing the source: its memory may be damaged then.
 * It is an orphan from the start, so that the client's wait() never meets it. */
#define _GNU_SOURCE /* memfd_create, close_range */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "loader/compile_wire.h"

enum {
    IDLE_MS = 30000,
    MAX_FILES = 4096,
    MAX_RSS_KB = 2 << 20,      /* beyond it a fresh server is better */
    OCLOC_BUILD_FAILURE = -11, /* the source was refused; nothing is wrong */
    SAID_MAX = 1 << 20
};

/* oclocInvoke() and oclocFreeOutput() of ocloc_api.h, which is C++ only. */
typedef int (*invoke_fn)(unsigned arguments, const char *argument[], uint32_t sources,
                         const uint8_t **data, const uint64_t *bytes, const char **name,
                         uint32_t headers, const uint8_t **header_data,
                         const uint64_t *header_bytes, const char **header_name,
                         uint32_t *outputs, uint8_t ***out_data, uint64_t **out_bytes,
                         char ***out_name);
typedef int (*free_fn)(uint32_t *outputs, uint8_t ***data, uint64_t **bytes,
                       char ***name);

struct compiler {
    invoke_fn invoke;
    free_fn free_output;
    int said;         /* what goes to stdout and stderr */
    uint32_t sources; /* compiled */
};

/* A request taken apart; all pointers are into its bytes. */
struct job {
    struct wire_request head;
    char *bytes;
    const char *folder, *ending;
    const char **argument, **name;
    const uint8_t **data;
    uint64_t *size;
};

static bool take(void *to, size_t bytes)
{
    for (char *p = to; bytes > 0;) {
        ssize_t n = read(0, p, bytes);

        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        p += n;
        bytes -= (size_t)n;
    }
    return true;
}

static bool give(const void *from, size_t bytes)
{
    for (const char *p = from; bytes > 0;) {
        ssize_t n = send(0, p, bytes, MSG_NOSIGNAL);

        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        p += n;
        bytes -= (size_t)n;
    }
    return true;
}

static const char *next_string(const struct job *j, size_t *at)
{
    const char *text = j->bytes + *at;

    *at += strnlen(text, j->head.bytes - *at) + 1;
    return *at <= j->head.bytes ? text : NULL;
}

static bool split(struct job *j)
{
    size_t at = 0;

    j->folder = next_string(j, &at);
    j->ending = j->folder == NULL ? NULL : next_string(j, &at);
    if (j->ending == NULL)
        return false;
    for (uint32_t i = 0; i < j->head.arguments; i++)
        if ((j->argument[i] = next_string(j, &at)) == NULL)
            return false;
    for (uint32_t i = 0; i < j->head.files; i++) {
        if ((j->name[i] = next_string(j, &at)) == NULL ||
            j->head.bytes - at < sizeof(j->size[i]))
            return false;
        memcpy(&j->size[i], j->bytes + at, sizeof(j->size[i]));
        at += sizeof(j->size[i]);
        if (j->size[i] > j->head.bytes - at)
            return false;
        j->data[i] = (const uint8_t *)j->bytes + at;
        at += j->size[i];
    }
    return true;
}

/* The next request, whole; the memory of the last one goes back. False: no more. */
static bool next_job(struct job *j)
{
    struct pollfd wait = {.fd = 0, .events = POLLIN};

    free(j->bytes);
    free(j->argument);
    free(j->name);
    free(j->data);
    free(j->size);
    memset(j, 0, sizeof(*j));
    if (poll(&wait, 1, IDLE_MS) <= 0 || !take(&j->head, sizeof(j->head)) ||
        j->head.version != WIRE_VERSION || j->head.arguments > MAX_FILES ||
        j->head.files > MAX_FILES)
        return false;
    j->bytes = malloc(j->head.bytes + 1);
    j->argument = calloc(j->head.arguments + 1, sizeof(*j->argument));
    j->name = calloc(j->head.files + 1, sizeof(*j->name));
    j->data = calloc(j->head.files + 1, sizeof(*j->data));
    j->size = calloc(j->head.files + 1, sizeof(*j->size));
    return j->bytes != NULL && j->argument != NULL && j->name != NULL &&
           j->data != NULL && j->size != NULL && take(j->bytes, j->head.bytes) &&
           split(j);
}

/* The output whose name ends so; or the count when there is none. */
static uint32_t find_output(uint32_t outputs, char **name, const char *ending)
{
    uint32_t i = 0;

    for (; i < outputs; i++) {
        size_t n = strlen(name[i]), m = strlen(ending);

        if (n >= m && strcmp(name[i] + n - m, ending) == 0)
            break;
    }
    return i;
}

static bool memory_is_short(void)
{
    struct rusage usage;

    return getrusage(RUSAGE_SELF, &usage) == 0 && usage.ru_maxrss > MAX_RSS_KB;
}

static bool answer(struct compiler *c, const struct job *j)
{
    struct wire_answer a = {.log_bytes = 0};
    uint32_t outputs = 0, log, image;
    uint64_t *bytes = NULL, ocloc_log;
    uint8_t **data = NULL;
    char **name = NULL, *said = malloc(SAID_MAX);
    ssize_t n = 0;
    bool ok;

    for (uint32_t i = 0; i < j->head.files; i++)
        c->sources += strcmp(j->name[i], "kernel.cl") == 0;
    a.sources = c->sources;
    if (ftruncate(c->said, 0) == 0)
        (void)lseek(c->said, 0, SEEK_SET);
    a.exit_code =
        c->invoke(j->head.arguments, j->argument, j->head.files, j->data, j->size,
                  j->name, 0, NULL, NULL, NULL, &outputs, &data, &bytes, &name);
    (void)fflush(NULL);
    if (said != NULL)
        n = pread(c->said, said, SAID_MAX, 0);
    log = find_output(outputs, name, "stdout.log");
    image = find_output(outputs, name, j->ending);
    ocloc_log = log < outputs ? strnlen((char *)data[log], bytes[log]) : 0;
    a.log_bytes = ocloc_log + (n > 0 ? (uint64_t)n : 0);
    a.image_bytes = image < outputs && a.exit_code == 0 ? bytes[image] : 0;
    a.last =
        (a.exit_code != OCLOC_BUILD_FAILURE && a.image_bytes == 0) || memory_is_short();
    ok = give(&a, sizeof(a)) && (ocloc_log == 0 || give(data[log], ocloc_log)) &&
         (n <= 0 || give(said, (size_t)n)) &&
         (a.image_bytes == 0 || give(data[image], a.image_bytes));
    free(said);
    if (outputs > 0)
        (void)c->free_output(&outputs, &data, &bytes, &name);
    return ok && !a.last;
}

/* What else the compiler says goes to a file without a name. */
static bool redirect(struct compiler *c)
{
    c->said = memfd_create("igpu_ocloc", MFD_CLOEXEC);
    return c->said > 2 && dup2(c->said, 1) == 1 && dup2(c->said, 2) == 2;
}

static bool load(struct compiler *c, const char *path)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_GLOBAL), *symbol;

    if (library == NULL)
        return false;
    symbol = dlsym(library, "oclocInvoke");
    memcpy(&c->invoke, &symbol, sizeof(symbol));
    symbol = dlsym(library, "oclocFreeOutput");
    memcpy(&c->free_output, &symbol, sizeof(symbol));
    return c->invoke != NULL && c->free_output != NULL;
}

int main(int argc, char **argv)
{
    struct job job = {.bytes = NULL};
    struct compiler compiler = {.sources = 0};
    pid_t child;

    if (argc != 2) {
        fputs("usage: igpu_ocloc LIBOCLOC (a part of Vigpu; not for use by hand)\n",
              stderr);
        return 2;
    }
    child = fork();
    if (child != 0)
        _exit(child < 0);
    (void)close_range(3, ~0U, 0); /* pipes of the client's that somebody waits on */
    if (!redirect(&compiler) || !load(&compiler, argv[1]))
        _exit(1);
    while (next_job(&job)) {
        (void)!chdir(job.folder);
        if (!answer(&compiler, &job))
            break;
    }
    _exit(0);
}
