/* inner.c - GL_INTEL_conservative_rasterization for tests/bridge/test_gfx.sh: which
 * pixels triangles touch, and which its shader's coverage says lie in it as a whole, of
 * four samples; both are known here by integers. Of one sample Mesa's shaders take the
 * coverage for all of their pixels. 1: something differs, 77: there is no such
 * extension. */
#include "gl.h"
#include "touches.h"

#include <string.h>

enum { SIDE = 32, TRIANGLES = 6, CONSERVATIVE_RASTERIZATION_INTEL = 0x83FE };

static const char vertex[] =
    "#version 320 es\nlayout(location = 0) in vec2 place; void main() {\n"
    "gl_Position = vec4(place / 4096.0 - 1.0, 0.5, 1); }";
/* Red where it runs, green for each sample of the mask. */
static const char pixel[] =
    "#version 320 es\n#extension GL_INTEL_conservative_rasterization : require\n"
    "precision highp float; layout(inner_coverage) in; out vec4 o;\n"
    "void main() { o = vec4(1, float(bitCount(gl_SampleMaskIn[0])) / 4.0, 0, 1); }";

static const struct place triangle[TRIANGLES][3] = {
    {{101, 57}, {7999, 1733}, {2207, 7011}},
    {{256, 256}, {2304, 256}, {256, 2304}},
    {{4000, 4000}, {4010, 4003}, {4004, 4020}},
    {{13, 8000}, {8190, 8100}, {77, 8190}},
    {{0, 0}, {8192, 0}, {8192, 8192}},
    {{2000, 100}, {2100, 8000}, {2050, 8101}}};

static void new_target(int samples, GLuint *frame)
{
    GLuint buffer;

    glGenFramebuffers(1, frame);
    glBindFramebuffer(GL_FRAMEBUFFER, *frame);
    glGenRenderbuffers(1, &buffer);
    glBindRenderbuffer(GL_RENDERBUFFER, buffer);
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, GL_RGBA8, SIDE, SIDE);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER,
                              buffer);
}

static int check(const struct place t[3], int samples, int *inner)
{
    static unsigned char is[SIDE][SIDE][4];
    int wrong = 0;

    glReadPixels(0, 0, SIDE, SIDE, GL_RGBA, GL_UNSIGNED_BYTE, is);
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++) {
            int red = touches(t, x, y) ? 255 : 0;
            int green = samples == 1        ? red / 4 + (red > 0)
                        : encloses(t, x, y) ? 255
                                            : 0;

            *inner += green == 255;
            if (is[y][x][0] != red || is[y][x][1] != green) {
                if (++wrong < 9)
                    printf("%d samples, pixel %d, %d: %d %d, %d %d expected\n", samples,
                           x, y, is[y][x][0], is[y][x][1], red, green);
            }
        }
    return wrong;
}

int main(void)
{
    short corner[3][2];
    EGLDisplay display;
    GLuint one, many, buffer;
    int wrong = 0, inner = 0;

    (void)start_gles(SIDE, SIDE, 0, &display);
    if (strstr((const char *)glGetString(GL_EXTENSIONS),
               "GL_INTEL_conservative_rasterization") == NULL)
        return 77;
    new_target(0, &one);
    new_target(4, &many);
    glUseProgram(link_program(vertex, pixel));
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glVertexAttribPointer(0, 2, GL_SHORT, GL_FALSE, 4, NULL);
    glEnableVertexAttribArray(0);
    glViewport(0, 0, SIDE, SIDE);
    glEnable(CONSERVATIVE_RASTERIZATION_INTEL);
    for (int i = 0; i < 2 * TRIANGLES; i++) {
        const struct place *t = triangle[i / 2];

        for (int k = 0; k < 3; k++) {
            corner[k][0] = (short)t[k].x;
            corner[k][1] = (short)t[k].y;
        }
        glBufferData(GL_ARRAY_BUFFER, sizeof(corner), corner, GL_STATIC_DRAW);
        glBindFramebuffer(GL_FRAMEBUFFER, i & 1 ? many : one);
        glClear(GL_COLOR_BUFFER_BIT);
        glDrawArrays(GL_TRIANGLES, 0, 3);
        glBindFramebuffer(GL_READ_FRAMEBUFFER, i & 1 ? many : one);
        glBindFramebuffer(GL_DRAW_FRAMEBUFFER, one);
        if (i & 1)
            glBlitFramebuffer(0, 0, SIDE, SIDE, 0, 0, SIDE, SIDE, GL_COLOR_BUFFER_BIT,
                              GL_NEAREST);
        glBindFramebuffer(GL_READ_FRAMEBUFFER, one);
        wrong += check(t, i & 1 ? 4 : 1, &inner);
    }
    printf("%d pixels inside, %d wrong\n", inner, wrong);
    return wrong > 0;
}
