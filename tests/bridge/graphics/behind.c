/* behind.c - a GLES 3 program for tests/bridge/test_gfx.sh: of a frame buffer of its
 * own the lower left quarter is drawn three times and all of it once, without a clear;
 * then it is copied to the window by a draw. */
#include "gl.h"

enum { WIDTH = 64, HEIGHT = 48 };

static const char vertex[] =
    "#version 300 es\nuniform float to; out vec2 at;\n"
    "void main() { vec2 p = vec2(gl_VertexID & 1, gl_VertexID >> 1); at = p;\n"
    "gl_Position = vec4(p * (to + 1.0) - 1.0, 0, 1); }";
static const char plain[] = "#version 300 es\nprecision highp float; in vec2 at;\n"
                            "out vec4 o; void main() { o = vec4(at, 0, 1); }";
static const char copy[] =
    "#version 300 es\nprecision highp float; in vec2 at; uniform sampler2D s;\n"
    "out vec4 o; void main() { o = texture(s, at); }";

static void draw(GLuint program, float to)
{
    glUseProgram(program);
    glUniform1f(glGetUniformLocation(program, "to"), to);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

int main(void)
{
    EGLDisplay display;
    EGLSurface surface = start_gles(WIDTH, HEIGHT, 0, &display);
    GLuint first = link_program(vertex, plain), second = link_program(vertex, copy);
    GLuint texture, frame;

    glViewport(0, 0, WIDTH, HEIGHT);
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, WIDTH, HEIGHT);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glGenFramebuffers(1, &frame);
    glBindFramebuffer(GL_FRAMEBUFFER, frame);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture,
                           0);
    draw(first, 1);
    for (int i = 0; i < 3; i++)
        draw(first, 0);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    draw(second, 1);
    eglSwapBuffers(display, surface);
    return 0;
}
