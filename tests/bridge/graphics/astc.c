/* astc.c - ASTC textures of all 14 sizes of blocks, plain and sRGB, for
 * tests/bridge/test_gfx.sh: 40,264 blocks of fixed noise, some of one colour, most of
 * few weights, so that over 10,000 are legal, of one to four pairs of colours.
 * astc FOLDER [NAME]: a picture of 240x240 pixels a format, a texel each, one of
 * several levels, filtered, and one of slices of a volume. Mesa's Gen9 driver has 5x5
 * unpacked by the processor. */
#include "../../support/rng.h"
#include "gl.h"

#include <stdbool.h>
#include <string.h>

#ifndef SCENE_WIDTH
#define SCENE_WIDTH 240
#endif
enum { SIZE = SCENE_WIDTH, FORMATS = 28, RGBA_ASTC = 0x93B0, SRGB_ASTC = 0x93D0 };

static const unsigned char side[14][2] = {{4, 4},  {5, 4},   {5, 5},   {6, 5},  {6, 6},
                                          {8, 5},  {8, 6},   {8, 8},   {10, 5}, {10, 6},
                                          {10, 8}, {10, 10}, {12, 10}, {12, 12}};

static const char vertex[] =
    "#version 300 es\nin vec2 place; out vec2 c; void main() {\n"
    "gl_Position = vec4(place, 0, 1); c = place * 0.5 + 0.5; }";
static const char texels[] =
    "#version 300 es\nprecision highp float; uniform highp sampler2D s; in vec2 c;\n"
    "out vec4 o; void main() { vec4 t = texelFetch(s, ivec2(gl_FragCoord.xy), 0);\n"
    "o = vec4(t.rgb * (0.5 + 0.5 * t.a), 1); }";
static const char filtered[] =
    "#version 300 es\nprecision highp float; uniform highp sampler2D s; in vec2 c;\n"
    "out vec4 o; void main() { o = vec4(texture(s, c * (1.0 + 3.0 * c.y)).rgb, 1); }";

static const char slices[] =
    "#version 300 es\nprecision highp float; uniform highp sampler3D s; in vec2 c;\n"
    "out vec4 o; void main() { o = vec4(texelFetch(s, ivec3(gl_FragCoord.xy,\n"
    "int(gl_FragCoord.x / 61.0)), 0).rgb, 1); }";

static unsigned next(unsigned *state)
{
    return lcg32_next(state) >> 24;
}

/* A block of one colour, one of few weights and so many colours, or anything. */
static void fill(unsigned char *block, unsigned n, unsigned *state)
{
    static const unsigned short mode[8] = {0x042, 0x053, 0x0A9, 0x442,
                                           0x0C3, 0x251, 0x108, 0x462};

    for (int i = 0; i < 16; i++)
        block[i] = (unsigned char)next(state);
    if (n % 16 == 5) {
        memset(block, 0xFF, 8);
        block[0] = 0xFC;
        block[1] = n % 64 == 21 ? 0xFF : 0xFD; /* of high dynamic range, and not */
    } else if (n % 4 != 3) {
        unsigned word = mode[next(state) % 8] | (next(state) & 0xF8) << 8;

        block[0] = (unsigned char)word;
        block[1] = (unsigned char)(word >> 8);
    }
}

static unsigned char *noise(unsigned count, unsigned seed)
{
    unsigned char *data = malloc((size_t)count * 16);

    for (unsigned i = 0; data != NULL && i < count; i++)
        fill(data + 16 * i, i, &seed);
    return data;
}

static void make_texture(unsigned which, unsigned levels)
{
    GLenum format = (which < 14 ? RGBA_ASTC : SRGB_ASTC) + which % 14;
    GLuint texture;

    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    for (unsigned l = 0; l < levels; l++) {
        unsigned size = SIZE >> l, w = side[which % 14][0], h = side[which % 14][1];
        unsigned blocks = (size + w - 1) / w * ((size + h - 1) / h);
        unsigned char *data = noise(blocks, which * 16 + l + 1);

        glCompressedTexImage2D(GL_TEXTURE_2D, (GLint)l, format, (GLsizei)size,
                               (GLsizei)size, 0, (GLsizei)(blocks * 16), data);
        free(data);
    }
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, (GLint)levels - 1);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER,
                    levels > 1 ? GL_LINEAR_MIPMAP_NEAREST : GL_NEAREST);
}

/* 8x6 blocks in four slices. */
static void make_slices(void)
{
    enum { FORMAT = RGBA_ASTC + 6, SLICES = 4, BLOCKS = SIZE / 8 * SIZE / 6 * SLICES };
    unsigned char *data = noise(BLOCKS, 1000);
    GLuint texture;

    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_3D, texture);
    glCompressedTexImage3D(GL_TEXTURE_3D, 0, FORMAT, SIZE, SIZE, SLICES, 0, BLOCKS * 16,
                           data);
    free(data);
    glTexParameteri(GL_TEXTURE_3D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
}

static void show(const char *folder, const char *name)
{
    char path[300];

    if (glGetError() != GL_NO_ERROR)
        exit(4);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    (void)snprintf(path, sizeof(path), "%s/astc_%s.ppm", folder, name);
    save_picture(path, SIZE, SIZE);
}

int main(int argc, char **argv)
{
    EGLDisplay display;
    GLuint program[2];
    char name[40];

    if (argc < 2)
        return 2;
    (void)start_gles(SIZE, SIZE, 0, &display);
    if (strstr((const char *)glGetString(GL_EXTENSIONS),
               "texture_compression_astc_ldr") == NULL)
        return 5;
    program[0] = link_program(vertex, texels);
    program[1] = link_program(vertex, filtered);
    cover_picture();
    glViewport(0, 0, SIZE, SIZE);
    for (unsigned i = 0; i <= FORMATS; i++) {
        bool levels = i == FORMATS;

        (void)snprintf(name, sizeof(name), "%s%ux%u",
                       levels   ? "levels_"
                       : i < 14 ? ""
                                : "srgb_",
                       side[i % 14][0], side[i % 14][1]);
        if (argc > 2 && strcmp(argv[2], name) != 0)
            continue;
        glUseProgram(program[levels]);
        make_texture(levels ? 4 : i, levels ? 4 : 1);
        show(argv[1], name);
    }
    if (argc > 2)
        return 0;
    glUseProgram(link_program(vertex, slices));
    make_slices();
    show(argv[1], "slices");
    return 0;
}
