/* hidden.c - a GLES 3 program for tests/bridge/test_frame_hiz.sh: frames of 128x96
 * pixels, each of a cleared depth buffer and one or two draws, whose blocks of 8x4
 * pixels must pass, fail or be tested pixel by pixel. */
#include "gl.h"

enum { WIDTH = 128, HEIGHT = 96 };

static const char vertex[] =
    "#version 300 es\nlayout(location = 0) in vec2 place; uniform vec2 depth;\n"
    "void main() { gl_Position = vec4(place, depth.x * place.x + depth.y, 1.0); }";
static const char plain[] =
    "#version 300 es\nprecision highp float; out vec4 o;\n"
    "uniform vec2 depth; void main() { o = vec4(depth, 1.0, 1.0); }";
static const char cut[] =
    "#version 300 es\nprecision highp float; out vec4 o;\n"
    "void main() { if (gl_FragCoord.x < 0.0) discard; o = vec4(1.0); }";

static const char deep[] =
    "#version 300 es\nprecision highp float; out vec4 o;\n"
    "void main() { gl_FragDepth = 0.1; o = vec4(1.0, 0.0, 0.0, 1.0); }";

static GLint depth_at;

static void begin(GLenum format)
{
    new_frame_buffer(format, WIDTH, HEIGHT);
    glDepthFunc(GL_LESS);
    glClear(GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
}

/* The same of four samples a pixel. */
static void begin_samples(void)
{
    enum { SAMPLES = 4 };
    GLuint frame, buffer[2];

    glGenFramebuffers(1, &frame);
    glBindFramebuffer(GL_FRAMEBUFFER, frame);
    glGenRenderbuffers(2, buffer);
    for (int i = 0; i < 2; i++) {
        glBindRenderbuffer(GL_RENDERBUFFER, buffer[i]);
        glRenderbufferStorageMultisample(GL_RENDERBUFFER, SAMPLES,
                                         i == 0 ? GL_RGBA8 : GL_DEPTH_COMPONENT24,
                                         WIDTH, HEIGHT);
        glFramebufferRenderbuffer(GL_FRAMEBUFFER,
                                  i == 0 ? GL_COLOR_ATTACHMENT0 : GL_DEPTH_ATTACHMENT,
                                  GL_RENDERBUFFER, buffer[i]);
    }
    glDepthFunc(GL_LESS);
    glClear(GL_DEPTH_BUFFER_BIT);
}

/* The whole picture, at depth slope * x + depth. */
static void fill(float slope, float depth)
{
    glUniform2f(depth_at, slope, depth);
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

static void scissored(int x, int y, int width, int height, float depth)
{
    glEnable(GL_SCISSOR_TEST);
    glScissor(x, y, width, height);
    fill(0, depth);
    glDisable(GL_SCISSOR_TEST);
}

static void stencil(GLenum depth_fails)
{
    fill(0, -0.5f);
    glEnable(GL_STENCIL_TEST);
    glStencilFunc(GL_ALWAYS, 0, 255);
    glStencilOp(GL_KEEP, depth_fails, GL_KEEP);
    fill(0, 0.5f);
    glDisable(GL_STENCIL_TEST);
}

/* False: there is no such frame. */
static int draw(int frame, GLuint first, GLuint second, GLuint third)
{
    begin(frame == 4                 ? GL_DEPTH_COMPONENT16
          : frame == 6 || frame == 7 ? GL_DEPTH24_STENCIL8
          : frame == 1               ? GL_DEPTH_COMPONENT32F
                                     : GL_DEPTH_COMPONENT24);
    glUseProgram(first);
    switch (frame) {
    case 0: /* front to back */
    case 4:
        fill(0, -0.5f);
        fill(0, 0.5f);
        return 1;
    case 1: /* back to front */
        fill(0, 0.5f);
        fill(0, -0.5f);
        return 1;
    case 2: /* through each other, where the pixel is 68 */
        fill(0, 0);
        fill(0.3f, -0.01875f);
        return 1;
    case 3: /* a part of some blocks */
        scissored(4, 2, 16, 8, -0.5f);
        fill(0, 0.5f);
        return 1;
    case 5: /* equal */
        fill(0, 0.5f);
        glDepthFunc(GL_EQUAL);
        fill(0, 0.5f);
        return 1;
    case 6: /* what fails leaves nothing, or counts */
    case 7:
        stencil(frame == 6 ? GL_KEEP : GL_INCR);
        return 1;
    case 8: /* behind the shader, what is hidden and what is not */
    case 9:
        fill(0, frame == 8 ? -0.5f : 0.5f);
        glUseProgram(second);
        fill(0, frame == 8 ? 0.5f : -0.5f);
        return 1;
    case 10: /* a shader that computes depth, for what it would hide */
        fill(0, -0.5f);
        glUseProgram(third);
        fill(0, 0.5f);
        return 1;
    case 12: /* the same of several samples */
        begin_samples();
        /* fall through */
    case 11: /* late, half of the picture behind the other */
        fill(0.3f, 0);
        glUseProgram(second);
        fill(0, 0);
        return 1;
    default:
        return 0;
    }
}

int main(void)
{
    EGLDisplay display;
    EGLSurface surface = start_gles(WIDTH, HEIGHT, 0, &display);
    GLuint first = link_program(vertex, plain), second = link_program(vertex, cut);
    GLuint third = link_program(vertex, deep);

    cover_picture();
    depth_at = glGetUniformLocation(first, "depth");
    glViewport(0, 0, WIDTH, HEIGHT);
    glEnable(GL_DEPTH_TEST);
    glClearDepthf(1);
    for (int i = 0; draw(i, first, second, third); i++)
        eglSwapBuffers(display, surface);
    return glGetError() == GL_NO_ERROR ? 0 : 1;
}
