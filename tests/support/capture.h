/* capture.h - what a program writes to stdout or stderr, for a test to read. */
#ifndef TESTS_CAPTURE_H
#define TESTS_CAPTURE_H
#include <stddef.h>
#include <stdio.h>

struct capture {
    FILE *file;
    int fd, saved;
};

/* From now on what goes to fd is kept. Fails the test where that is impossible. */
void capture_begin(struct capture *capture, int fd);
/* fd is as it was; *text is what was written, at most cap - 1 bytes and a zero. */
void capture_end(struct capture *capture, char *text, size_t cap);

#endif
