/* cleared.c - surfaces of several samples in memory that something else had: drivers
 * fill the notes on their samples with ones, which says that all are clear, and draw
 * nothing. Each sample of each layer is the clear colour but where a rectangle was
 * drawn, which leaves pixels of two samples in part. 1: one is not, which a line says.
 */
#include "gl.h"

#include <stdbool.h>

enum { SIZE = 64, OLD = 40, LAYERS = 2, MOST = 16 };

static const char vertex[] = "#version 320 es\nvoid main() {\n"
                             "/* columns 16 to 32.5, rows 8 to 40 */ \n"
                             "vec2 p = vec2((gl_VertexID & 1) == 0 ? 16.0 : 32.5, "
                             "gl_VertexID < 2 ? 8.0 : 40.0);\n"
                             "gl_Position = vec4(p / 32.0 - 1.0, 0, 1); }";
static const char all[] =
    "#version 320 es\nvoid main() {\n"
    "gl_Position = vec4(gl_VertexID & 1, gl_VertexID >> 1, 0, 0.5) * 2.0 - 0.5; }";
static const char white[] = "#version 320 es\nprecision highp float; out vec4 o;\n"
                            "void main() { o = vec4(1); }";
static const char fetch[] =
    "#version 320 es\nprecision highp float; uniform highp sampler2DMSArray s;\n"
    "uniform int sampled, layer; out vec4 o; void main() {\n"
    "o = texelFetch(s, ivec3(gl_FragCoord.xy, layer), sampled); }";

static GLuint make_frame(void)
{
    GLuint frame;

    glGenFramebuffers(1, &frame);
    glBindFramebuffer(GL_FRAMEBUFFER, frame);
    return frame;
}

/* Textures full of red, that are given back: the driver uses their memory again. */
static void leave_red(void)
{
    GLuint old[OLD], frame = make_frame();
    unsigned char pixel[4];

    glGenTextures(OLD, old);
    for (int i = 0; i < OLD; i++) {
        glBindTexture(GL_TEXTURE_2D, old[i]);
        glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, SIZE, 4 * SIZE);
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D,
                               old[i], 0);
        glClearColor(1, 0, 0, 1);
        glEnable(GL_SCISSOR_TEST); /* a part is drawn, not cleared by notes */
        glScissor(0, 0, SIZE - 1, 4 * SIZE - 1);
        glClear(GL_COLOR_BUFFER_BIT);
        glDisable(GL_SCISSOR_TEST);
        glReadPixels(3, 3, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
    }
    glDeleteFramebuffers(1, &frame);
    glDeleteTextures(OLD, old);
    glFinish();
}

static GLuint make_cleared(GLuint program, int samples)
{
    GLuint texture, frame = make_frame();

    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D_MULTISAMPLE_ARRAY, texture);
    glTexStorage3DMultisample(GL_TEXTURE_2D_MULTISAMPLE_ARRAY, samples, GL_RGBA8, SIZE,
                              SIZE, LAYERS, GL_TRUE);
    glUseProgram(program);
    for (int i = 0; i < LAYERS; i++) {
        glFramebufferTextureLayer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, texture, 0, i);
        glClearColor(0, 0, 0, 0);
        glClear(GL_COLOR_BUFFER_BIT);
        glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    }
    glDeleteFramebuffers(1, &frame);
    return texture;
}

/* Pixels of the sample that are neither what was cleared nor what was drawn there. */
static int count_wrong(void)
{
    static unsigned char picture[SIZE][SIZE][4];
    int wrong = 0;

    glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, picture);
    for (int y = 0; y < SIZE; y++)
        for (int x = 0; x < SIZE; x++) {
            bool in = x >= 16 && x < 33 && y >= 8 && y < 40;
            int value = picture[y][x][0];

            wrong +=
                x == 32 && in ? value != 0 && value != 255 : value != (in ? 255 : 0);
        }
    return wrong;
}

static int check(GLuint program, GLuint texture, int samples)
{
    int wrong = 0;

    glUseProgram(program);
    glBindTexture(GL_TEXTURE_2D_MULTISAMPLE_ARRAY, texture);
    for (int i = 0; i < LAYERS * samples; i++) {
        glUniform1i(glGetUniformLocation(program, "layer"), i / samples);
        glUniform1i(glGetUniformLocation(program, "sampled"), i % samples);
        glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
        wrong += count_wrong();
    }
    if (wrong != 0)
        printf("%d samples: %d wrong\n", samples, wrong);
    return wrong;
}

int main(void)
{
    EGLDisplay display;
    GLuint draws, fetches, textures[MOST], frame, picture;
    GLint most;
    int wrong = 0, count = 0;

    (void)start_gles(SIZE, SIZE, 0, &display);
    draws = link_program(vertex, white);
    fetches = link_program(all, fetch);
    glViewport(0, 0, SIZE, SIZE);
    glGetIntegerv(GL_MAX_COLOR_TEXTURE_SAMPLES, &most);
    for (int i = 0; i < 3; i++)
        leave_red();
    for (int samples = 2; samples <= most && samples <= MOST; samples *= 2)
        for (int k = 0; k < 3; k++)
            textures[count++] = make_cleared(draws, samples);
    frame = make_frame();
    glGenTextures(1, &picture);
    glBindTexture(GL_TEXTURE_2D, picture);
    glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, SIZE, SIZE);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, picture,
                           0);
    for (int i = 0; i < count; i++)
        wrong += check(fetches, textures[i], 2 << i / 3);
    glDeleteFramebuffers(1, &frame);
    printf("%d surfaces\n", count);
    return wrong != 0 || count == 0;
}
