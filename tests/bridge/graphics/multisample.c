/* multisample.c - 2, 4, 8 and 16 samples a pixel, as many as the driver has, against
 * what follows from the places of samples that it tells: which of them a triangle
 * covers, by whole numbers; what shaders that run for each sample wrote to each; masks;
 * the mean of a resolve. Says a line for each number of samples; 1: something differs.
 */
#include "gl.h"

#include <stdbool.h>
#include <string.h>

enum { SIZE = 16, GRID = 256, MOST = 16, TRIANGLES = 6 };
/* Depth is 0 where x is half a pixel's 256th behind this, in 1/256 pixel. */
enum { DEPTH_0 = 2048 + 128 };

static const char vertex[] =
    "#version 320 es\nin vec2 place; uniform float slope; void main() {\n"
    "vec2 p = place / 2048.0 - 1.0; /* 1/256 pixel */\n"
    "gl_Position = vec4(p, slope * (p.x - 0.0625 - 1.0 / 4096.0), 1); }";
static const char white[] = "#version 320 es\nprecision highp float; out vec4 o;\n"
                            "void main() { o = vec4(1); }";
static const char black[] = "#version 320 es\nprecision highp float; out vec4 o;\n"
                            "void main() { o = vec4(0); }";
static const char each[] =
    "#version 320 es\nprecision highp float; uniform int samples; out vec4 o;\n"
    "void main() { o = vec4(float(gl_SampleID * 15) / 255.0, gl_SamplePosition,\n"
    "float(gl_SampleMaskIn[0] == 1 << gl_SampleID)); }";
static const char masked[] =
    "#version 320 es\nprecision highp float; out vec4 o; void main() {\n"
    "int here = int(gl_FragCoord.x) * 3 + int(gl_FragCoord.y) * 5;\n"
    "gl_SampleMask[0] = 40503 * (here + 1) >> 4;\n"
    "o = vec4(float(bitCount(gl_SampleMaskIn[0])) / 255.0, 1, 1, 1); }";
static const char fetch[] =
    "#version 320 es\nprecision highp float; uniform highp sampler2DMS s;\n"
    "uniform int which; out vec4 o; void main() {\n"
    "o = texelFetch(s, ivec2(gl_FragCoord.xy), which); }";

static const short triangle[TRIANGLES][6] = {
    {101, 57, 3999, 733, 1207, 4011},     {-300, 1111, 4500, 1303, 4500, 1999},
    {1027, -500, 1291, 4700, 895, 4700},  {-99, -99, 5001, -99, -99, 5001},
    {2011, 2013, 2219, 2055, 2101, 2207}, {-7, 3001, 4201, 77, 4201, 5003}};

struct image {
    GLuint frame, texture;
};

static struct image make_image(int samples)
{
    struct image i;
    GLuint depth;

    glGenTextures(1, &i.texture);
    glGenFramebuffers(1, &i.frame);
    glBindFramebuffer(GL_FRAMEBUFFER, i.frame);
    if (samples > 0) {
        glBindTexture(GL_TEXTURE_2D_MULTISAMPLE, i.texture);
        glTexStorage2DMultisample(GL_TEXTURE_2D_MULTISAMPLE, samples, GL_RGBA8, SIZE,
                                  SIZE, GL_TRUE);
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0,
                               GL_TEXTURE_2D_MULTISAMPLE, i.texture, 0);
        glGenRenderbuffers(1, &depth);
        glBindRenderbuffer(GL_RENDERBUFFER, depth);
        glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, GL_DEPTH_COMPONENT24,
                                         SIZE, SIZE);
        glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER,
                                  depth);
    } else {
        glBindTexture(GL_TEXTURE_2D, i.texture);
        glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, SIZE, SIZE);
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D,
                               i.texture, 0);
    }
    return i;
}

static void draw(GLuint program, const short corners[6])
{
    float v[6];

    for (int i = 0; i < 6; i++)
        v[i] = corners[i];
    glUseProgram(program);
    glBufferData(GL_ARRAY_BUFFER, sizeof(v), v, GL_STREAM_DRAW);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 8, NULL);
    glEnableVertexAttribArray(0);
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

typedef unsigned char pixels[SIZE][SIZE][4];

/* Sample `which` of each pixel. */
static void read_sample(GLuint program, struct image to, int which, pixels p)
{
    static const short all[6] = {0, 0, 8192, 0, 0, 8192};

    glBindFramebuffer(GL_FRAMEBUFFER, to.frame);
    glUseProgram(program);
    glUniform1i(glGetUniformLocation(program, "which"), which);
    draw(program, all);
    glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, p);
}

/* Twice the area of a, b and the sample; of one sign inside. Never 0: no corner lies
 * where an edge meets samples, which are on a grid of 16. */
static long side(const short *a, const short *b, long x, long y)
{
    return (long)(b[0] - a[0]) * (y - a[1]) - (long)(b[1] - a[1]) * (x - a[0]);
}

/* 1: inside, 0: outside, -1: on an edge. */
static int covers(const short *c, long x, long y)
{
    long s[3] = {side(c, c + 2, x, y), side(c + 2, c + 4, x, y), side(c + 4, c, x, y)};

    if (s[0] == 0 || s[1] == 0 || s[2] == 0)
        return -1;
    return (s[0] > 0) == (s[1] > 0) && (s[1] > 0) == (s[2] > 0);
}

struct run {
    int samples, place[MOST][2]; /* in 1/256 pixel */
    struct image many, one;
    GLuint white, black, each, masked, fetch;
    pixels of[MOST], mean;
    unsigned checked, wrong;
};

static bool inside(const struct run *r, const short *c, int x, int y, int s)
{
    return covers(c, (long)x * GRID + r->place[s][0],
                  (long)y * GRID + r->place[s][1]) == 1;
}

static void expect(struct run *r, int found, int wanted, int apart)
{
    r->checked++;
    r->wrong += found - wanted > apart || wanted - found > apart;
}

/* Draw it, sloped behind a black one that is level if `deep`, and read every sample and
 * the mean. */
static void show(struct run *r, GLuint program, const short *corners, bool deep)
{
    static const short all[6] = {0, 0, 8192, 0, 0, 8192};

    glBindFramebuffer(GL_FRAMEBUFFER, r->many.frame);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    if (deep) {
        glEnable(GL_DEPTH_TEST);
        draw(r->black, all);
        glUseProgram(program);
        glUniform1f(glGetUniformLocation(program, "slope"), 0.5f);
    }
    draw(program, corners);
    glUniform1f(glGetUniformLocation(program, "slope"), 0);
    glDisable(GL_DEPTH_TEST);
    for (int s = 0; s < r->samples; s++)
        read_sample(r->fetch, r->one, s, r->of[s]);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, r->many.frame);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, r->one.frame);
    glBlitFramebuffer(0, 0, SIZE, SIZE, 0, 0, SIZE, SIZE, GL_COLOR_BUFFER_BIT,
                      GL_NEAREST);
    glBindFramebuffer(GL_FRAMEBUFFER, r->one.frame);
    glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, r->mean);
}

static void check_pixel(struct run *r, const short *c, int kind, int x, int y)
{
    int covered = 0, sum = 0, mask = 40503 * (x * 3 + y * 5 + 1) >> 4;

    for (int s = 0; s < r->samples; s++)
        covered += inside(r, c, x, y, s);
    for (int s = 0; s < r->samples; s++) {
        const unsigned char *p = r->of[s][y][x];
        bool in = inside(r, c, x, y, s);

        sum += p[0];
        if (kind == 0) {
            expect(r, p[0], in ? 255 : 0, 0);
        } else if (kind == 1) {
            expect(r, p[0], in ? s * 15 : 0, 0);
            expect(r, p[1], in ? r->place[s][0] * 255 / GRID : 0, 1);
            expect(r, p[2], in ? r->place[s][1] * 255 / GRID : 0, 1);
            expect(r, p[3], in ? 255 : 0, 0);
        } else if (kind == 2) {
            in = in && x * GRID + r->place[s][0] <= DEPTH_0;
            expect(r, p[0], in ? 255 : 0, 0);
        } else {
            in = in && mask >> s & 1;
            expect(r, p[0], in ? covered : 0, 0);
            expect(r, p[1], in ? 255 : 0, 0);
        }
    }
    expect(r, r->mean[y][x][0], (sum + r->samples / 2) / r->samples, 1);
}

static void check(struct run *r)
{
    const GLuint program[4] = {r->white, r->each, r->white, r->masked};

    for (int kind = 0; kind < 4; kind++)
        for (int t = 0; t < TRIANGLES; t++) {
            show(r, program[kind], triangle[t], kind == 2);
            for (int i = 0; i < SIZE * SIZE; i++)
                check_pixel(r, triangle[t], kind, i % SIZE, i / SIZE);
        }
}

/* No sample on an edge, and no two in one place. */
static void check_places(struct run *r)
{
    for (int s = 0; s < r->samples; s++) {
        float at[2];

        glGetMultisamplefv(GL_SAMPLE_POSITION, (GLuint)s, at);
        r->place[s][0] = (int)(at[0] * GRID);
        r->place[s][1] = (int)(at[1] * GRID);
        for (int k = 0; k < s; k++)
            expect(r,
                   r->place[k][0] == r->place[s][0] && r->place[k][1] == r->place[s][1],
                   0, 0);
        for (int i = 0; i < TRIANGLES * SIZE * SIZE; i++)
            expect(r,
                   covers(triangle[i / SIZE / SIZE],
                          (long)(i % SIZE) * GRID + r->place[s][0],
                          (long)(i / SIZE % SIZE) * GRID + r->place[s][1]) < 0,
                   0, 0);
    }
}

int main(void)
{
    struct run r;
    EGLDisplay display;
    GLuint buffer;
    GLint most;
    unsigned wrong = 0;

    (void)start_gles(SIZE, SIZE, 0, &display);
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glGetIntegerv(GL_MAX_COLOR_TEXTURE_SAMPLES, &most);
    glViewport(0, 0, SIZE, SIZE);
    memset(&r, 0, sizeof(r));
    r.white = link_program(vertex, white);
    r.black = link_program(vertex, black);
    r.each = link_program(vertex, each);
    r.masked = link_program(vertex, masked);
    r.fetch = link_program(vertex, fetch);
    r.one = make_image(0);
    for (r.samples = 2; r.samples <= most; r.samples *= 2) {
        r.checked = r.wrong = 0;
        r.many = make_image(r.samples);
        check_places(&r);
        check(&r);
        printf("%d samples: %u checked, %u wrong\n", r.samples, r.checked, r.wrong);
        wrong += r.wrong;
    }
    return wrong != 0 || glGetError() != GL_NO_ERROR;
}
