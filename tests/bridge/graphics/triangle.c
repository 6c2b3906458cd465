/* triangle.c - a GLES 3 program for tests/bridge/test_gl.sh on Mesa's surfaceless
 * platform: a coloured triangle, a picture a frame, read back and written as PPM.
 *   triangle OUT.ppm [FRAMES [many]]: many vertices, too many to be executed */
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES3/gl32.h>
#include <stdio.h>
#include <stdlib.h>

#include "gl.h"

enum { WIDTH = 128, HEIGHT = 96, TOO_MANY = (1 << 24) + 2 };

static GLuint shader(GLenum type, const char *source)
{
    return compile(type, 1, &source);
}

static void prepare(void)
{
    static const float corner[] = {-0.8f, -0.7f, 0, 1, 1,    0, 0, 0.9f, -0.6f, 0, 1,
                                   0,     1,     0, 0, 0.8f, 0, 1, 0,    0,     1};
    GLuint program = glCreateProgram(), buffer;

    glAttachShader(program,
                   shader(GL_VERTEX_SHADER,
                          "#version 300 es\nlayout(location = 0) in vec4 place;\n"
                          "layout(location = 1) in vec3 colour; out vec3 c;\n"
                          "void main() { gl_Position = place; c = colour; }"));
    glAttachShader(program,
                   shader(GL_FRAGMENT_SHADER,
                          "#version 300 es\nprecision highp float; in vec3 c;\n"
                          "out vec4 o; void main() { o = vec4(c, 1.0); }"));
    glLinkProgram(program);
    glUseProgram(program);
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferData(GL_ARRAY_BUFFER, sizeof(corner), corner, GL_STATIC_DRAW);
    glVertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, 28, NULL);
    glVertexAttribPointer(1, 3, GL_FLOAT, GL_FALSE, 28, (void *)16);
    glEnableVertexAttribArray(0);
    glEnableVertexAttribArray(1);
    glViewport(0, 0, WIDTH, HEIGHT);
}

int main(int argc, char **argv)
{
    int frames = argc > 2 ? atoi(argv[2]) : 1;
    EGLDisplay display;
    EGLSurface surface = start_gles(WIDTH, HEIGHT, 24, &display);

    printf("%s\n", (const char *)glGetString(GL_RENDERER));
    fflush(stdout);
    prepare();
    for (int i = 0; i < frames; i++) {
        glClearColor(0.2f, 0.3f, 0.1f * (float)i, 1);
        glClear(GL_COLOR_BUFFER_BIT);
        glDrawArrays(GL_TRIANGLES, 0, argc > 3 ? TOO_MANY : 3);
        if (argc > 1 && i == frames - 1)
            save_picture(argv[1], WIDTH, HEIGHT);
        eglSwapBuffers(display, surface);
    }
    return 0;
}
