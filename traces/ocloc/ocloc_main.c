/* ocloc_main.c - igpu_ocloc: a compile server. Loading Intel's compiler takes as long
 * as compiling a small kernel, so this process keeps it loaded and answers one request
 * after the other.
 *
 *   igpu_ocloc LIBOCLOC     requests come on stdin, a socket; see compile_wire.h
 *
 * A third source with the same arguments, and those after it, are compiled ahead.
 *
 * It ends when its client does, when nobody asked for IDLE_MS, or when the compiler
 * failed in another way than by refusing the source: its memory may be damaged then.
 * It is an orphan from the start, so that the client's wait() never meets it. */
#define _GNU_SOURCE /* memfd_create, close_range */
#include <dlfcn.h>
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

#include "ocloc_ahead.h"
#include "traces/ocloc/compile_wire.h"

enum {
    IDLE_MS = 30000,
    MAX_FILES = 4096,
    MAX_RSS_KB = 2 << 20,      /* beyond it a fresh server is better */
    OCLOC_BUILD_FAILURE = -11, /* the source was refused; nothing is wrong */
    SAID_MAX = 1 << 20,
    AHEAD = 3 /* sets of arguments that compilers ahead stand by for */
};

static const char built[] = "Build succeeded.\n"; /* the log when there is none */

/* oclocInvoke() and oclocFreeOutput() of ocloc_api.h, which is C++ only. */
typedef int (*invoke_fn)(unsigned arguments, const char *argument[], uint32_t sources,
                         const uint8_t **data, const uint64_t *bytes, const char **name,
                         uint32_t headers, const uint8_t **header_data,
                         const uint64_t *header_bytes, const char **header_name,
                         uint32_t *outputs, uint8_t ***out_data, uint64_t **out_bytes,
                         char ***out_name);
typedef int (*free_fn)(uint32_t *outputs, uint8_t ***data, uint64_t **bytes,
                       char ***name);

/* Stdout and stderr are a file without a name. */
struct compiler {
    invoke_fn invoke;
    free_fn free_output;
    uint32_t sources; /* compiled in the plain way */
    /* Compilers ahead, by what comes before the source in their requests; one that did
     * not work out stays, without a socket. */
    struct {
        char *key;
        size_t bytes;
        int socket;
    } ahead[AHEAD];
    unsigned next; /* of `ahead`, to go */
    char *last;    /* the last plain request's key */
    size_t last_bytes;
};

/* A request taken apart; all pointers are into its bytes. */
struct job {
    struct wire_request head;
    char *bytes;
    size_t key_bytes; /* all but the files */
    const char *folder, *ending;
    const char **argument, **name;
    const uint8_t **data;
    uint64_t *size;
};

static const char *next_string(const struct job *j, size_t *at)
{
    const char *text = j->bytes + *at;

    *at += strnlen(text, j->head.bytes - *at) + 1;
    return *at <= j->head.bytes ? text : NULL;
}

static bool job_split(struct job *j)
{
    size_t at = 0;

    j->folder = next_string(j, &at);
    j->ending = j->folder == NULL ? NULL : next_string(j, &at);
    if (j->ending == NULL)
        return false;
    for (uint32_t i = 0; i < j->head.arguments; i++)
        if ((j->argument[i] = next_string(j, &at)) == NULL)
            return false;
    j->key_bytes = at;
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
    if (poll(&wait, 1, IDLE_MS) <= 0 || !wire_receive(0, &j->head, sizeof(j->head)) ||
        j->head.version != WIRE_VERSION || j->head.arguments > MAX_FILES ||
        j->head.files > MAX_FILES)
        return false;
    j->bytes = malloc(j->head.bytes + 1);
    j->argument = calloc(j->head.arguments + 1, sizeof(*j->argument));
    j->name = calloc(j->head.files + 1, sizeof(*j->name));
    j->data = calloc(j->head.files + 1, sizeof(*j->data));
    j->size = calloc(j->head.files + 1, sizeof(*j->size));
    return j->bytes != NULL && j->argument != NULL && j->name != NULL &&
           j->data != NULL && j->size != NULL &&
           wire_receive(0, j->bytes, j->head.bytes) && job_split(j);
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

/* What the compiler left, and what it said. */
struct output {
    uint32_t count, log, image; /* of them; count: not there */
    uint64_t *bytes;
    uint8_t **data;
    char **name;
    int exit_code;
};

static void compile(const struct compiler *c, const struct job *j, struct output *o)
{
    memset(o, 0, sizeof(*o));
    if (ftruncate(1, 0) == 0)
        (void)lseek(1, 0, SEEK_SET);
    o->exit_code = c->invoke(j->head.arguments, j->argument, j->head.files, j->data,
                             j->size, j->name, 0, NULL, NULL, NULL, &o->count, &o->data,
                             &o->bytes, &o->name);
    (void)fflush(NULL);
    o->log = find_output(o->count, o->name, "stdout.log");
    o->image = find_output(o->count, o->name, j->ending);
}

static bool answer_plainly(struct compiler *c, const struct job *j)
{
    struct wire_answer a = {.log_bytes = 0};
    struct output o;
    char *said = malloc(SAID_MAX);
    uint64_t log_bytes;
    ssize_t n = 0;
    bool ok;

    for (uint32_t i = 0; i < j->head.files; i++)
        c->sources += strcmp(j->name[i], "kernel.cl") == 0;
    compile(c, j, &o);
    if (said != NULL)
        n = pread(1, said, SAID_MAX, 0);
    log_bytes = o.log < o.count ? strnlen((char *)o.data[o.log], o.bytes[o.log]) : 0;
    a.sources = c->sources;
    a.exit_code = o.exit_code;
    a.log_bytes = log_bytes + (n > 0 ? (uint64_t)n : 0);
    a.image_bytes = o.image < o.count && o.exit_code == 0 ? o.bytes[o.image] : 0;
    a.last =
        (a.exit_code != OCLOC_BUILD_FAILURE && a.image_bytes == 0) || memory_is_short();
    ok = wire_send(0, &a, sizeof(a)) &&
         (log_bytes == 0 || wire_send(0, o.data[o.log], log_bytes)) &&
         (n <= 0 || wire_send(0, said, (size_t)n)) &&
         (a.image_bytes == 0 || wire_send(0, o.data[o.image], a.image_bytes));
    free(said);
    if (o.count > 0)
        (void)c->free_output(&o.count, &o.data, &o.bytes, &o.name);
    return ok && !a.last;
}

/* ---- ahead -------------------------------------------------------------------- */

struct ahead_context {
    const struct compiler *compiler;
    const struct job *job;
};

/* In a compiler ahead. It ends after this, so nothing is freed. */
static bool compile_ahead(void *context, const char *text)
{
    const struct ahead_context *x = context;
    const uint8_t *data = (const uint8_t *)text;
    uint64_t size = strlen(text) + 1;
    struct job job = *x->job;
    struct output o;

    job.data = &data;
    job.size = &size;
    compile(x->compiler, &job, &o);
    return o.exit_code == 0 && o.image < o.count && o.log < o.count &&
           strnlen((char *)o.data[o.log], o.bytes[o.log]) == sizeof(built) - 1 &&
           memcmp(o.data[o.log], built, sizeof(built) - 1) == 0 &&
           lseek(1, 0, SEEK_END) == 0 &&
           ahead_answer(o.data[o.image], o.bytes[o.image]);
}

static bool is_key(const struct job *j, const char *key, size_t bytes)
{
    return key != NULL && bytes == j->key_bytes && memcmp(key, j->bytes, bytes) == 0;
}

/* The one for the job's arguments; a new one when they are those of the last request
 * too; else -1. */
static int find_ahead(struct compiler *c, const struct job *j)
{
    struct ahead_context x = {c, j};
    unsigned i = 0;

    while (i < AHEAD && !is_key(j, c->ahead[i].key, c->ahead[i].bytes))
        i++;
    if (i < AHEAD)
        return (int)i;
    if (is_key(j, c->last, c->last_bytes)) {
        i = c->next++ % AHEAD;
        if (c->ahead[i].key != NULL && c->ahead[i].socket >= 0)
            (void)close(c->ahead[i].socket);
        free(c->ahead[i].key);
        c->ahead[i].key = c->last;
        c->ahead[i].bytes = c->last_bytes;
        c->ahead[i].socket = ahead_start(compile_ahead, &x);
        c->last = NULL;
        return (int)i;
    }
    free(c->last);
    c->last = malloc(j->key_bytes);
    c->last_bytes = j->key_bytes;
    if (c->last != NULL)
        memcpy(c->last, j->bytes, j->key_bytes);
    return -1;
}

static bool job_answer(struct compiler *c, const struct job *j)
{
    int i = j->head.ahead && j->head.files == 1 ? find_ahead(c, j) : -1;
    struct wire_answer a = {.log_bytes = sizeof(built) - 1, .ahead = 1};
    uint8_t *image = NULL;
    size_t bytes;
    bool ok, alive;

    if (i >= 0 && c->ahead[i].socket >= 0) {
        image = ahead_ask(c->ahead[i].socket, (const char *)j->data[0], j->size[0] - 1,
                          &bytes, &alive);
        if (!alive) {
            (void)close(c->ahead[i].socket);
            c->ahead[i].socket = -1;
        }
    }
    if (image == NULL)
        return answer_plainly(c, j);
    a.image_bytes = bytes;
    ok = wire_send(0, &a, sizeof(a)) && wire_send(0, built, sizeof(built) - 1) &&
         wire_send(0, image, bytes);
    free(image);
    return ok;
}

/* ---- start -------------------------------------------------------------------- */

static bool compiler_load(struct compiler *c, const char *path)
{
    void *library, *symbol;

    /* The front end first: the library would load it such that it finds no open() but
     * the C library's. Without it nothing is compiled ahead. */
    (void)dlopen("libigdfcl.so.1", RTLD_LAZY);
    library = dlopen(path, RTLD_NOW);

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
    int said;

    if (argc != 2) {
        fputs("usage: igpu_ocloc LIBOCLOC (a part of Vigpu; not for use by hand)\n",
              stderr);
        return 2;
    }
    child = fork();
    if (child != 0)
        _exit(child < 0);
    (void)close_range(3, ~0U, 0);   /* pipes of the client's that somebody waits on */
    (void)signal(SIGCHLD, SIG_IGN); /* compilers ahead need nobody to wait for them */
    said = memfd_create("igpu_ocloc", MFD_CLOEXEC);
    if (said < 0 || dup2(said, 1) != 1 || dup2(said, 2) != 2 ||
        !compiler_load(&compiler, argv[1]))
        _exit(1);
    (void)close(said);
    while (next_job(&job)) {
        if (chdir(job.folder) != 0 || !job_answer(&compiler, &job))
            break;
    }
    _exit(0);
}
