/* fills.c - for tests/bridge/test_frame_fill.sh: rectangles in one colour, of even and
 * odd corners, of channels alone, small ones, and of targets of two, four and eight
 * bytes a pixel, of which a part is copied into the picture. */
#include "gl.h"

enum { WIDE = 200, HIGH = 150, SIDE = 64 };

static void fill(GLint x, GLint y, GLsizei wide, GLsizei high, float r, float g,
                 float b)
{
    glScissor(x, y, wide, high);
    glClearColor(r, g, b, 0.5f);
    glClear(GL_COLOR_BUFFER_BIT);
}

/* A level of a texture of this format, filled and copied to x, y. */
static void other(GLenum format, GLint level, GLint x, GLint y)
{
    const GLint side = SIDE >> level;
    GLuint frame, texture;

    glGenFramebuffers(1, &frame);
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexStorage2D(GL_TEXTURE_2D, 3, format, SIDE, SIDE);
    glBindFramebuffer(GL_FRAMEBUFFER, frame);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture,
                           level);
    fill(0, 0, side, side, 0.2f, 0.9f, 0.4f);
    fill(4, 2, side - 8, side - 6, 0.9f, 0.1f, 0.7f);
    glDisable(GL_SCISSOR_TEST);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
    glBlitFramebuffer(0, 0, side, side, x, y, x + side, y + side, GL_COLOR_BUFFER_BIT,
                      GL_NEAREST);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glEnable(GL_SCISSOR_TEST);
}

int main(void)
{
    EGLDisplay display;
    EGLSurface surface = start_gles(WIDE, HIGH, 24, &display);

    glEnable(GL_SCISSOR_TEST);
    fill(0, 0, WIDE, HIGH, 0.1f, 0.2f, 0.3f);
    fill(10, 10, 50, 30, 1, 0, 0);  /* 25 blocks a row: threads reach over its end */
    fill(70, 10, 36, 22, 0, 1, 0);  /* 18 */
    fill(120, 10, 8, 40, 0, 0, 1);  /* a thread a row */
    fill(140, 10, 6, 40, 1, 1, 0);  /* less */
    fill(150, 11, 31, 31, 0, 1, 1); /* odd */
    glColorMask(1, 0, 1, 0);
    fill(20, 20, 100, 20, 0.6f, 0.5f, 0.4f);
    glColorMask(1, 1, 1, 1);
    other(GL_RGBA8, 0, 0, 60);
    other(GL_RGBA8, 1, 70, 60);
    other(GL_RGB565, 0, 130, 60);
    other(GL_RGBA4, 2, 70, 100);
    other(GL_SRGB8_ALPHA8, 1, 100, 100);
    eglSwapBuffers(display, surface);
    glFinish();
    return 0;
}
