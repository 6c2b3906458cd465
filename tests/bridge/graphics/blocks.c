/* blocks.c - scenes of compressed textures for tests/bridge/test_gfx.sh. Each picture
 * is read back into FOLDER. blocks FOLDER [SCENE] */
#include "../../support/rng.h"
#include "scene.h"

enum { BC7 = 0x8E8C };

/* Blocks of fixed noise: every mode of a format comes up. */
static void compressed(GLenum format, int bytes, GLenum base)
{
    static unsigned char data[16 * 16 * 16];
    unsigned state = format;
    GLuint texture;

    for (size_t i = 0; i < sizeof(data); i++)
        data[i] = (unsigned char)(lcg32_next(&state) >> 24);
    for (unsigned i = 0; i < 256 && base == GL_RGB; i++) /* BC6H: five bits of mode */
        data[16 * i] = (unsigned char)((data[16 * i] & ~31u) | (i & 31));
    for (unsigned i = 0; i < 256 && format == BC7; i++) /* the lowest bit that is set */
        data[16 * i] = (unsigned char)((2u * data[16 * i] | 1) << (i & 7));
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glCompressedTexImage2D(GL_TEXTURE_2D, 0, format, 64, 64, 0, 16 * 16 * bytes, data);
    glCompressedTexImage2D(GL_TEXTURE_2D, 1, format, 32, 32, 0, 8 * 8 * bytes, data);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 1);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST_MIPMAP_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    if (glGetError() != GL_NO_ERROR)
        exit(4);
    use(plain_vertex,
        base == GL_RED   ? "in vec3 c; uniform sampler2D s; out vec4 o;\n"
                           "void main() { vec4 t = texture(s, c.xy * 1.5);\n"
                           "o = vec4(t.rg * 0.5 + 0.4, t.r - t.g, 1.0); }"
        : base == GL_RGB ? "in vec3 c; uniform sampler2D s; out vec4 o;\n"
                           "void main() { vec4 t = texture(s, c.xy * 1.5);\n"
                           "o = vec4(t.rgb / (1.0 + abs(t.rgb)) * 0.5 + 0.5, t.a); }"
                         : "in vec3 c; uniform sampler2D s; out vec4 o;\n"
                           "void main() { vec4 t = texture(s, c.xy * 1.5);\n"
                           "o = vec4(mix(c, t.rgb, 0.3 + 0.7 * t.a), 1.0); }",
        4);
    draw();
}

static void bc1(void)
{
    compressed(0x83F0, 8, GL_RGBA);
}
static void bc1_alpha(void)
{
    compressed(0x83F1, 8, GL_RGBA);
}
static void bc2(void)
{
    compressed(0x83F2, 16, GL_RGBA);
}
static void bc3(void)
{
    compressed(0x83F3, 16, GL_RGBA);
}
static void bc3_srgb(void)
{
    compressed(0x8C4F, 16, GL_RGBA);
}
static void bc4(void)
{
    compressed(0x8DBB, 8, GL_RED);
}
static void bc5_signed(void)
{
    compressed(0x8DBE, 16, GL_RED);
}
static void etc2(void)
{
    compressed(GL_COMPRESSED_RGB8_ETC2, 8, GL_RGBA);
}
static void etc2_punched(void)
{
    compressed(GL_COMPRESSED_RGB8_PUNCHTHROUGH_ALPHA1_ETC2, 8, GL_RGBA);
}
static void etc2_alpha(void)
{
    compressed(GL_COMPRESSED_RGBA8_ETC2_EAC, 16, GL_RGBA);
}
static void eac(void)
{
    compressed(GL_COMPRESSED_R11_EAC, 8, GL_RED);
}
static void eac_signed(void)
{
    compressed(GL_COMPRESSED_SIGNED_RG11_EAC, 16, GL_RED);
}
static void bc6h(void)
{
    compressed(0x8E8F, 16, GL_RGB);
}
static void bc6h_signed(void)
{
    compressed(0x8E8E, 16, GL_RGB);
}
static void bc7(void)
{
    compressed(BC7, 16, GL_RGBA);
}
static void bc7_srgb(void)
{
    compressed(0x8E8D, 16, GL_RGBA);
}

static const struct scene scenes[] = {
    {"bc1", bc1},
    {"bc1_alpha", bc1_alpha},
    {"bc2", bc2},
    {"bc3", bc3},
    {"bc3_srgb", bc3_srgb},
    {"bc4", bc4},
    {"bc5_signed", bc5_signed},
    {"etc2", etc2},
    {"etc2_punched", etc2_punched},
    {"etc2_alpha", etc2_alpha},
    {"eac", eac},
    {"eac_signed", eac_signed},
    {"bc6h", bc6h},
    {"bc6h_signed", bc6h_signed},
    {"bc7", bc7},
    {"bc7_srgb", bc7_srgb},
};

int main(int argc, char **argv)
{
    return show_scenes(argc, argv, scenes, sizeof(scenes) / sizeof(scenes[0]));
}
