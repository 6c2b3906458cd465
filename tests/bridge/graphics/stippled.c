/* stippled.c - stippled lines that are rectangles, for tests/bridge/test_gfx.sh: smooth
 * ones, and lines of four samples a pixel. GL divides them into pieces of a pixel's
 * length from the strip's first vertex on, a bit of the pattern each: what becomes of a
 * pixel is known here. Says a line for each scene; 1: something differs. */
#include "gl.h"

#include <math.h>
#include <string.h>

enum { WIDTH = 80, HEIGHT = 24, SAMPLES = 4, PATTERN = 0x6B31, REPEAT = 3 };
enum { LINE_SMOOTH = 0x0B20, LINE_STIPPLE = 0x0B24, MULTISAMPLE = 0x809D };

static void (*begin)(GLenum), (*end)(void), (*vertex)(GLfloat, GLfloat);
static void (*stipple)(GLint, GLushort);

static void look_up(const char *name, void *fn)
{
    void (*found)(void) = eglGetProcAddress(name);

    if (found == NULL)
        exit(3);
    memcpy(fn, &found, sizeof(found));
}

/* A strip along row y from x on: 30 pixels, and 40 more. */
static void draw(float x, float y)
{
    begin(GL_LINE_STRIP);
    vertex(x / WIDTH * 2 - 1, y / HEIGHT * 2 - 1);
    vertex((x + 30) / WIDTH * 2 - 1, y / HEIGHT * 2 - 1);
    vertex((x + 70) / WIDTH * 2 - 1, y / HEIGHT * 2 - 1);
    end();
}

static int bit_at(float along)
{
    return along >= 0 && along < 70 ? PATTERN >> (int)along / REPEAT % 16 & 1 : 0;
}

static unsigned char pixel[HEIGHT][WIDTH][4];

static int check(const char *scene, float (*covered)(int x, int y))
{
    int wrong = 0, some = 0;

    glReadPixels(0, 0, WIDTH, HEIGHT, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            float part = covered(x, y);

            some += part > 0 && part < 1;
            if (fabsf((float)pixel[y][x][0] - 255 * part) > 2 && ++wrong < 9)
                printf("%s: %d, %d: %d, %f expected\n", scene, x, y, pixel[y][x][0],
                       (double)(255 * part));
        }
    printf("%s: %d pixels partly covered, %d wrong\n", scene, some, wrong);
    return wrong > 0;
}

/* From 4 + 1/4 on, a piece for each pixel but a quarter; four rows. */
static float smooth_part(int x, int y)
{
    float part = 0;

    for (int i = 0; i < 4; i++)
        part += (float)bit_at((float)x + (float)i / 4 - 4.25f) / 4;
    return y >= 8 && y < 12 ? part : 0;
}

static float place[SAMPLES][2];

static float samples_part(int x, int y)
{
    float part = 0;

    for (int i = 0; i < SAMPLES; i++) {
        float at = (float)y + place[i][1];

        if (at > 8 && at < 12)
            part += (float)bit_at((float)x + place[i][0] - 4.25f) / SAMPLES;
    }
    return part;
}

static GLuint new_target(int samples)
{
    GLuint frame, buffer;

    glGenFramebuffers(1, &frame);
    glBindFramebuffer(GL_FRAMEBUFFER, frame);
    glGenRenderbuffers(1, &buffer);
    glBindRenderbuffer(GL_RENDERBUFFER, buffer);
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, GL_RGBA8, WIDTH, HEIGHT);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER,
                              buffer);
    glClear(GL_COLOR_BUFFER_BIT);
    return frame;
}

int main(void)
{
    EGLDisplay display;
    GLuint one, many;
    int wrong;

    (void)start_gl(WIDTH, HEIGHT, 0, &display);
    look_up("glBegin", &begin);
    look_up("glEnd", &end);
    look_up("glVertex2f", &vertex);
    look_up("glLineStipple", &stipple);
    glViewport(0, 0, WIDTH, HEIGHT);
    stipple(REPEAT, PATTERN);
    glEnable(LINE_STIPPLE);
    glLineWidth(4);

    one = new_target(0);
    glEnable(LINE_SMOOTH);
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    draw(4.25f, 10);
    wrong = check("smooth", smooth_part);

    glDisable(LINE_SMOOTH);
    glDisable(GL_BLEND);
    many = new_target(SAMPLES);
    for (GLuint i = 0; i < SAMPLES; i++)
        glGetMultisamplefv(GL_SAMPLE_POSITION, i, place[i]);
    draw(4.25f, 10);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, many);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, one);
    glBlitFramebuffer(0, 0, WIDTH, HEIGHT, 0, 0, WIDTH, HEIGHT, GL_COLOR_BUFFER_BIT,
                      GL_NEAREST);
    glBindFramebuffer(GL_FRAMEBUFFER, one);
    return check("samples", samples_part) || wrong;
}
