/* fxt1.c - FXT1 textures, which GL alone has and GLES has not, for
 * tests/bridge/test_gfx.sh: blocks of fixed noise in two levels, seen at two sizes and
 * filtered. fxt1 FOLDER: two pictures of 200x150 pixels. */
#include "../../support/rng.h"
#include "gl.h"

enum { WIDTH = 200, HEIGHT = 150, RGB_FXT1 = 0x86B0, RGBA_FXT1 };

static const char vertex[] =
    "#version 130\nin vec2 place; out vec2 c;\n"
    "void main() { gl_Position = vec4(place, 0.0, 1.0); c = place * 0.6 + 0.4; }";
static const char fragment[] =
    "#version 130\nin vec2 c; uniform sampler2D s; out vec4 o;\n"
    "void main() { vec4 t = texture(s, c.y < 0.2 ? c * 3.0 : c);\n"
    "o = vec4(mix(vec3(c, 0.5), t.rgb, 0.3 + 0.7 * t.a), 1.0); }";

/* 64x32 texels and 32x16, each block's mode in turn. */
static void make_texture(GLenum format)
{
    static unsigned char data[8 * 8 * 16];
    unsigned state = format;
    GLuint texture;

    for (size_t i = 0; i < sizeof(data); i++)
        data[i] = (unsigned char)(lcg32_next(&state) >> 24);
    for (unsigned i = 0; i < 64; i++)
        data[16 * i + 15] = (unsigned char)((data[16 * i + 15] & 31) | i << 5);
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glCompressedTexImage2D(GL_TEXTURE_2D, 0, format, 64, 32, 0, 8 * 8 * 16, data);
    glCompressedTexImage2D(GL_TEXTURE_2D, 1, format, 32, 16, 0, 4 * 4 * 16, data);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 1);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST_MIPMAP_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
}

int main(int argc, char **argv)
{
    EGLDisplay display;
    char path[300];

    if (argc != 2)
        return 2;
    (void)start_gl(WIDTH, HEIGHT, 0, &display);
    glUseProgram(link_program(vertex, fragment));
    cover_picture();
    glViewport(0, 0, WIDTH, HEIGHT);
    for (GLenum format = RGB_FXT1; format <= RGBA_FXT1; format++) {
        make_texture(format);
        if (glGetError() != GL_NO_ERROR)
            return 4;
        glDrawArrays(GL_TRIANGLES, 0, 3);
        (void)snprintf(path, sizeof(path), "%s/fxt1%s.ppm", argv[1],
                       format == RGBA_FXT1 ? "_alpha" : "");
        save_picture(path, WIDTH, HEIGHT);
    }
    return 0;
}
