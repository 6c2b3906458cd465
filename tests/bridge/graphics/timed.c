/* timed.c - a GLES 3 program for tests/bridge/test_frame_time.sh: four frames, each
 * held up by another part of the GPU: its samplers, its render targets, its EUs, its
 * vertex fetch; and two of many small draws, in the pipeline together and one after the
 * other. */
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES3/gl32.h>
#include <stdlib.h>

#include "gl.h"

enum { WIDTH = 128, HEIGHT = 96, TEXELS = 64, TINY = 3000, SMALL = 40 };

static const char vertex[] =
    "#version 300 es\nlayout(location = 0) in vec2 place; out vec2 at;\n"
    "void main() { gl_Position = vec4(place, 0.0, 1.0); at = place; }";

/* Twelve texels a pixel, from all over the texture. */
static const char samples[] =
    "#version 300 es\nprecision highp float; in vec2 at; out vec4 o;\n"
    "uniform sampler2D t;\n"
    "void main() { o = vec4(0.0); for (int i = 0; i < 12; i++)\n"
    " o += texture(t, at * 0.5 + vec2(float(i) * 0.0625, 0.0)) * 0.0625; }";

static const char fill[] =
    "#version 300 es\nprecision highp float; in vec2 at; out vec4 o;\n"
    "void main() { o = vec4(1.0, 0.5, 0.25, 1.0); }";

static const char arithmetic[] =
    "#version 300 es\nprecision highp float; in vec2 at; out vec4 o;\n"
    "void main() { vec4 a = vec4(at, at); for (int i = 0; i < 40; i++)\n"
    " a = a * a.wzyx + vec4(0.25, -0.5, 0.125, 0.375); o = fract(a); }";

/* Two triangles that fill the picture, and behind them many without a pixel. */
static void prepare(void)
{
    static float corner[2 * (6 + 3 * TINY)] = {-1, -1, 1, -1, 1,  1,
                                               -1, -1, 1, 1,  -1, 1};
    static unsigned char texel[TEXELS * TEXELS * 4];
    GLuint buffer, texture;

    for (int i = 0; i < 3 * TINY; i++) {
        corner[12 + 2 * i] = -0.5f + (float)(i % 3) * 0.0001f;
        corner[13 + 2 * i] = 0.5f + (float)(i % 2) * 0.0001f;
    }
    for (int i = 0; i < TEXELS * TEXELS * 4; i++)
        texel[i] = (unsigned char)(i * 37 / 5);
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferData(GL_ARRAY_BUFFER, sizeof(corner), corner, GL_STATIC_DRAW);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 8, NULL);
    glEnableVertexAttribArray(0);
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, TEXELS, TEXELS, 0, GL_RGBA,
                 GL_UNSIGNED_BYTE, texel);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glViewport(0, 0, WIDTH, HEIGHT);
}

/* Each of its own small part of the picture. */
static void draw_small(int apart)
{
    for (int i = 0; i < SMALL; i++) {
        glViewport(i % 8 * 16, i / 8 * 16, 12, 12);
        glDrawArrays(GL_TRIANGLES, 0, 6);
        if (apart)
            glFinish();
    }
    glViewport(0, 0, WIDTH, HEIGHT);
}

int main(void)
{
    const char *const fragment[] = {samples, fill,       arithmetic,
                                    fill,    arithmetic, arithmetic};
    EGLDisplay display;
    EGLSurface surface = start_gles(WIDTH, HEIGHT, 0, &display);

    prepare();
    for (int i = 0; i < 6; i++) {
        glUseProgram(link_program(vertex, fragment[i]));
        if (i == 3)
            glDrawArrays(GL_TRIANGLES, 6, 3 * TINY);
        if (i > 3)
            draw_small(i == 5);
        for (int layer = 0; i < 3 && layer < (i == 1 ? 4 : 1); layer++)
            glDrawArrays(GL_TRIANGLES, 0, 6);
        eglSwapBuffers(display, surface);
    }
    return glGetError() == GL_NO_ERROR ? 0 : 1;
}
