/* abrupt.c - for tests/bridge/test_gl.sh: draws and ends so that no library gets to
 * clean up: by _exit(), with the argument "c" by _Exit(), or with "signal" by _exit()
 * in the handler of a signal that comes amidst a batch. */
#define _XOPEN_SOURCE 700 /* setitimer */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "gl.h"

static void end(int number)
{
    _exit(number == SIGALRM ? 0 : 1);
}

/* Batches that take long, one behind the other. */
static void draw_on(void)
{
    const struct itimerval soon = {.it_value = {.tv_usec = 300000}};

    (void)signal(SIGALRM, end);
    (void)setitimer(ITIMER_REAL, &soon, NULL);
    glEnable(GL_SCISSOR_TEST);
    for (unsigned i = 0;; i++) {
        glScissor(1, 1, 2000, 2000);
        glClearColor(1, (float)(i % 7) / 7, 0, 1);
        glClear(GL_COLOR_BUFFER_BIT);
        glFinish();
    }
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "";
    EGLDisplay display;

    (void)start_gles(2048, 2048, 0, &display);
    glClearColor(1, 0, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glFinish();
    if (strcmp(how, "signal") == 0)
        draw_on();
    if (strcmp(how, "c") == 0)
        _Exit(0);
    _exit(0);
}
