/* ocloc_ahead.c - see ocloc_ahead.h. */
#define _GNU_SOURCE /* memfd_create, close_range */
#include "ocloc_ahead.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "traces/ocloc/compile_wire.h"

/* The folder exists, the file does not. Line 1 of the real source is line 1, and its
 * name is the one that the compiler gives a source. */
#define SOURCE_PATH "/dev/igpu_ocloc"
static const char wrapper[] = "#include \"" SOURCE_PATH "\"\n";
static const char first_line[] = "#line 1 \"1\"\n";

static bool is_ahead; /* in the child: its requests come on stdin */

/* The next request's source as a file without a name; -1: no more, or no memory. */
static int next_source(void)
{
    uint64_t bytes;
    char *source;
    int fd;

    if (!wire_receive(0, &bytes, sizeof(bytes)))
        return -1;
    source = malloc(bytes + 1);
    fd = memfd_create("source", MFD_CLOEXEC);
    if (source == NULL || fd < 0 || !wire_receive(0, source, bytes) ||
        write(fd, first_line, sizeof(first_line) - 1) < 0 ||
        write(fd, source, bytes) != (ssize_t)bytes || lseek(fd, 0, SEEK_SET) != 0)
        return -1;
    free(source);
    return fd;
}

/* clang has read the header: a process for each source from here on. */
static int wait_here(void)
{
    static const uint64_t failed = 0;
    int fd, status = 0;
    pid_t child;

    while ((fd = next_source()) >= 0) {
        child = fork();
        if (child == 0)
            return fd;
        (void)close(fd);
        if (child < 0 || waitpid(child, &status, 0) != child || status != 0)
            if (!wire_send(0, &failed, sizeof(failed)))
                break;
    }
    _exit(0);
}

/* In place of the C library's, for clang too: see the link flags. */
int open(const char *path, int flags, ...)
{
    unsigned mode = 0;
    va_list more;

    va_start(more, flags);
    if ((flags & O_CREAT) != 0 ||
        (flags & O_TMPFILE) == O_TMPFILE) /* of several bits */
        mode = va_arg(more, unsigned);
    va_end(more);
    if (is_ahead && strcmp(path, SOURCE_PATH) == 0)
        return wait_here();
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

int ahead_start(ahead_compile_fn compile, void *context)
{
    int pair[2];
    pid_t child;

    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
        return -1;
    child = fork();
    if (child == 0) {
        (void)signal(SIGCHLD, SIG_DFL);
        (void)dup2(pair[1], 0); /* in place of the client */
        (void)close_range(3, ~0U, 0);
        is_ahead = true;
        _exit(compile(context, wrapper) ? 0 : 1);
    }
    (void)close(pair[1]);
    if (child > 0)
        return pair[0];
    (void)close(pair[0]);
    return -1;
}

bool ahead_answer(const uint8_t *image, uint64_t bytes)
{
    return wire_send(0, &bytes, sizeof(bytes)) && wire_send(0, image, bytes);
}

uint8_t *ahead_ask(int socket, const char *source, size_t bytes, size_t *image_bytes,
                   bool *alive)
{
    uint64_t size = bytes;
    uint8_t *image;

    *alive = wire_send(socket, &size, sizeof(size)) &&
             wire_send(socket, source, bytes) &&
             wire_receive(socket, &size, sizeof(size));
    if (!*alive || size == 0)
        return NULL;
    image = malloc(size);
    *image_bytes = size;
    *alive = image != NULL && wire_receive(socket, image, size);
    if (*alive)
        return image;
    free(image);
    return NULL;
}
