/* deep.c - a GLES 3 program for tests/bridge/test_frame_depth.sh: three frames, each a
 * triangle over a whole frame buffer with depth: tested before the pixel shader, behind
 * it since the shader may discard, and before it where depth was cleared first. */
#include "gl.h"

enum { WIDTH = 128, HEIGHT = 96, FRAMES = 3 };

static const char vertex[] = "#version 300 es\nlayout(location = 0) in vec2 place;\n"
                             "void main() { gl_Position = vec4(place, 0.5, 1.0); }";

static const char *const fragment[FRAMES] = {
    "#version 300 es\nprecision highp float; out vec4 o;\n"
    "void main() { o = vec4(1.0, 0.5, 0.25, 1.0); }",
    "#version 300 es\nprecision highp float; out vec4 o;\n"
    "void main() { if (gl_FragCoord.x < 0.0) discard; o = vec4(1.0); }",
    "#version 300 es\nprecision highp float; out vec4 o;\n"
    "void main() { o = vec4(0.25); }"};

int main(void)
{
    EGLDisplay display;
    EGLSurface surface = start_gles(WIDTH, HEIGHT, 0, &display);

    cover_picture();

    glViewport(0, 0, WIDTH, HEIGHT);
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_GREATER);
    glClearDepthf(0);
    for (int i = 0; i < FRAMES; i++) {
        glUseProgram(link_program(vertex, fragment[i]));
        new_frame_buffer(GL_DEPTH_COMPONENT32F, WIDTH, HEIGHT);
        if (i == 2)
            glClear(GL_DEPTH_BUFFER_BIT);
        glDrawArrays(GL_TRIANGLES, 0, 3);
        eglSwapBuffers(display, surface);
    }
    return glGetError() == GL_NO_ERROR ? 0 : 1;
}
