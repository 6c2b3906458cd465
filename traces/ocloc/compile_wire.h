/* compile_wire.h - what compile_server.c and the compile server,
 * traces/ocloc/ocloc_main.c, say to each other: both are of one build on one machine,
 * so structures go as they are.
 *
 * A request is a struct wire_request and `bytes` bytes: the working folder, the ending
 * of the wanted output (".bin"), then the arguments, each closed by a 0; then for each
 * file in memory its name, closed by a 0, its size as uint64_t, and its bytes.
 * An answer is a struct wire_answer, the log, and the output. */
#ifndef TRACES_COMPILE_WIRE_H
#define TRACES_COMPILE_WIRE_H
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <unistd.h>

enum { WIRE_VERSION = 3 }; /* of these structures: an installed server may be newer */

struct wire_request {
    uint64_t bytes;
    uint32_t version, arguments, files;
    uint32_t ahead; /* 1: one source, which includes nothing */
};

struct wire_answer {
    uint64_t log_bytes, image_bytes;
    int32_t exit_code;
    uint32_t sources; /* compiled so far, with this one: its name in the log */
    uint32_t last;    /* 1: the server ends after this answer */
    uint32_t ahead;   /* 1: compiled ahead */
};

/* All of it, or false: the other end is gone. */
static inline bool wire_send(int socket, const void *from, size_t bytes)
{
    for (const char *p = from; bytes > 0;) {
        ssize_t n = send(socket, p, bytes, MSG_NOSIGNAL);

        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        p += n;
        bytes -= (size_t)n;
    }
    return true;
}

/* Of a socket, or of a file. */
static inline bool wire_receive(int fd, void *to, size_t bytes)
{
    for (char *p = to; bytes > 0;) {
        ssize_t n = read(fd, p, bytes);

        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        p += n;
        bytes -= (size_t)n;
    }
    return true;
}

#endif
