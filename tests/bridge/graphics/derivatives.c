/* derivatives.c - for tests/bridge/test_gfx.sh: how values change across and down a
 * block of 2x2 pixels, coarse and fine, which the program knows of each pixel, in
 * shaders of both widths. */
#include <math.h>

#include "gl.h"

enum { SIDE = 16, WORDS = 4 };

/* The values whose change is asked for, of pixel x, y. */
static float value(int which, int x, int y)
{
    float u = (float)x, v = (float)y;

    return which == 0 ? u * v : which == 1 ? u * u + 3 * v * v : u - 2 * v;
}

static const char *const values =
    "vec3(p.x * p.y, p.x * p.x + 3. * p.y * p.y, p.x - 2. * p.y)";

/* Fine: the pixel's own row or column; coarse: the block's first. */
static float change(int which, int x, int y, int down, int fine)
{
    int x0 = x & ~1, y0 = y & ~1;

    if (down)
        x0 = fine ? x : x0;
    else
        y0 = fine ? y : y0;
    return value(which, x0 + !down, y0 + down) - value(which, x0, y0);
}

static int check(const char *name, int down, int fine, const char *more)
{
    static const char *const vertex = "#version 450\nlayout(location = 0) in vec2 p;\n"
                                      "void main() { gl_Position = vec4(p, 0, 1); }";
    static float pixel[SIDE * SIDE][WORDS];
    char text[500];
    int wrong = 0;

    snprintf(
        text, sizeof(text),
        "#version 450\nout vec4 o; void main() { vec2 p = floor(gl_FragCoord.xy);\n"
        "o = vec4(%s(%s), 1.)%s; }",
        name, values, more);
    glUseProgram(link_program(vertex, text));
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glReadPixels(0, 0, SIDE, SIDE, GL_RGBA, GL_FLOAT, pixel);
    for (int i = 0; i < SIDE * SIDE; i++)
        for (int k = 0; k < 3; k++) {
            int x = i % SIDE, y = i / SIDE;
            float wanted = change(k, x, y, down & 1, fine);

            if (down == 2) /* both together */
                wanted =
                    fabsf(change(k, x, y, 0, fine)) + fabsf(change(k, x, y, 1, fine));
            wrong += pixel[i][k] != wanted;
        }
    if (wrong)
        printf("%s: %d of %d wrong\n", name, wrong, 3 * SIDE * SIDE);
    return wrong != 0;
}

int main(void)
{
    static const char *const more[] = {"", " + 0. * vec4(sin(p.x) + exp(p.y))"};
    EGLDisplay display;
    GLuint frame, buffer;
    int wrong = 0;

    (void)start_gl(SIDE, SIDE, 0, &display);
    glGenFramebuffers(1, &frame);
    glBindFramebuffer(GL_FRAMEBUFFER, frame);
    glGenRenderbuffers(1, &buffer);
    glBindRenderbuffer(GL_RENDERBUFFER, buffer);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA32F, SIDE, SIDE);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER,
                              buffer);
    glViewport(0, 0, SIDE, SIDE);
    cover_picture();
    for (int i = 0; i < 2; i++) {
        wrong |= check("dFdxCoarse", 0, 0, more[i]);
        wrong |= check("dFdyCoarse", 1, 0, more[i]);
        wrong |= check("dFdxFine", 0, 1, more[i]);
        wrong |= check("dFdyFine", 1, 1, more[i]);
        wrong |= check("fwidthFine", 2, 1, more[i]);
        wrong |= check("fwidthCoarse", 2, 0, more[i]);
    }
    return wrong || glGetError() != GL_NO_ERROR;
}
