/* capture.c - see capture.h. */
#include "capture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <unistd.h>

#include <cmocka.h>

static void point_to(const struct capture *capture, int target)
{
    (void)fflush(stdout);
    assert_true(dup2(target, capture->fd) >= 0);
}

void capture_begin(struct capture *capture, int fd)
{
    *capture = (struct capture){tmpfile(), fd, dup(fd)};
    assert_non_null(capture->file);
    assert_true(capture->saved >= 0);
    point_to(capture, fileno(capture->file));
}

void capture_end(struct capture *capture, char *text, size_t cap)
{
    point_to(capture, capture->saved);
    (void)close(capture->saved);
    rewind(capture->file);
    text[fread(text, 1, cap - 1, capture->file)] = '\0';
    (void)fclose(capture->file);
}
