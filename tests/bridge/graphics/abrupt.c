/* abrupt.c - for tests/bridge/test_gl.sh: draws and ends by _exit(), so that no library
 * gets to clean up. */
#include <unistd.h>

#include "gl.h"

int main(void)
{
    EGLDisplay display;

    (void)start_gles(64, 64, 0, &display);
    glClearColor(1, 0, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glFinish();
    _exit(0);
}
