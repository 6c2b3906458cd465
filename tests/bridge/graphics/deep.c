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

/* A new frame buffer, whose memory is zeros. */
static void new_buffer(void)
{
    GLuint frame, buffer[2];

    glGenFramebuffers(1, &frame);
    glBindFramebuffer(GL_FRAMEBUFFER, frame);
    glGenRenderbuffers(2, buffer);
    glBindRenderbuffer(GL_RENDERBUFFER, buffer[0]);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH_COMPONENT32F, WIDTH, HEIGHT);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER,
                              buffer[0]);
    glBindRenderbuffer(GL_RENDERBUFFER, buffer[1]);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, WIDTH, HEIGHT);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER,
                              buffer[1]);
}

int main(void)
{
    static const float corner[] = {-1, -1, 3, -1, -1, 3};
    EGLDisplay display;
    EGLSurface surface = start_gles(WIDTH, HEIGHT, 0, &display);
    GLuint buffer;

    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferData(GL_ARRAY_BUFFER, sizeof(corner), corner, GL_STATIC_DRAW);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 8, NULL);
    glEnableVertexAttribArray(0);

    glViewport(0, 0, WIDTH, HEIGHT);
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_GREATER);
    glClearDepthf(0);
    for (int i = 0; i < FRAMES; i++) {
        glUseProgram(link_program(vertex, fragment[i]));
        new_buffer();
        if (i == 2)
            glClear(GL_DEPTH_BUFFER_BIT);
        glDrawArrays(GL_TRIANGLES, 0, 3);
        eglSwapBuffers(display, surface);
    }
    return glGetError() == GL_NO_ERROR ? 0 : 1;
}
