/* textures.c - scenes of textures for tests/bridge/test_gfx.sh: kinds, filters, ways to
 * sample. Each picture is read back into FOLDER.
 *   textures FOLDER [SCENE] */
#include "scene.h"

enum { SIDE = 16 };

static unsigned char texel[6 * SIDE * SIDE * 4];

/* Smooth, and different in each layer. */
static void fill(int layers)
{
    for (int i = 0; i < layers * SIDE * SIDE; i++) {
        int x = i % SIDE, y = i / SIDE % SIDE, l = i / SIDE / SIDE;

        texel[4 * i] = (unsigned char)(x * 16);
        texel[4 * i + 1] = (unsigned char)(y * 16);
        texel[4 * i + 2] = (unsigned char)(l * 40 + (x ^ y) * 3);
        texel[4 * i + 3] = 255;
    }
}

static void filter_by(GLenum target, GLint min, GLint mag)
{
    glTexParameteri(target, GL_TEXTURE_MIN_FILTER, min);
    glTexParameteri(target, GL_TEXTURE_MAG_FILTER, mag);
}

static void make(GLenum target, int layers)
{
    GLuint texture;

    glGenTextures(1, &texture);
    glBindTexture(target, texture);
    fill(layers);
}

static void make_smooth(void)
{
    make(GL_TEXTURE_2D, 1);
    for (int i = 0; i < SIDE * SIDE; i++)
        texel[4 * i + 2] = 100;
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, SIDE, SIDE, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                 texel);
    glGenerateMipmap(GL_TEXTURE_2D);
    filter_by(GL_TEXTURE_2D, GL_LINEAR_MIPMAP_LINEAR, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_MIRRORED_REPEAT);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_MIRRORED_REPEAT);
}

static void make_cube_map(GLint min, GLint mag)
{
    make(GL_TEXTURE_CUBE_MAP, 6);
    for (int i = 0; i < 6; i++)
        glTexImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X + (GLenum)i, 0, GL_RGBA8, SIDE,
                     SIDE, 0, GL_RGBA, GL_UNSIGNED_BYTE, texel + i * SIDE * SIDE * 4);
    glGenerateMipmap(GL_TEXTURE_CUBE_MAP);
    filter_by(GL_TEXTURE_CUBE_MAP, min, mag);
}

static const char cube_pixel[] =
    "in vec3 c; uniform samplerCube s; out vec4 o;\n"
    "void main() { o = texture(s, c - vec3(0.5, 0.4, 0.45)); }";

static void cube(void)
{
    make_cube_map(GL_LINEAR_MIPMAP_LINEAR, GL_LINEAR);
    use(plain_vertex, cube_pixel, 4);
    draw();
}

static void cube_nearest(void)
{
    make_cube_map(GL_NEAREST, GL_NEAREST);
    use(plain_vertex, cube_pixel, 4);
    draw();
}

static void cube_array(void)
{
    static unsigned char twice[2 * sizeof(texel)];

    make(GL_TEXTURE_CUBE_MAP_ARRAY, 6);
    memcpy(twice, texel, sizeof(texel));
    for (size_t i = 0; i < sizeof(texel); i++)
        twice[sizeof(texel) + i] = (unsigned char)(255 - texel[i]);
    glTexImage3D(GL_TEXTURE_CUBE_MAP_ARRAY, 0, GL_RGBA8, SIDE, SIDE, 12, 0, GL_RGBA,
                 GL_UNSIGNED_BYTE, twice);
    filter_by(GL_TEXTURE_CUBE_MAP_ARRAY, GL_LINEAR, GL_LINEAR);
    use(plain_vertex,
        "in vec3 c; uniform samplerCubeArray s; out vec4 o;\n"
        "void main() { o = texture(s, vec4(c - vec3(0.5, 0.4, 0.45),\n"
        "c.z > 0.5 ? 1.0 : 0.0)); }",
        4);
    draw();
}

static void volume(void)
{
    make(GL_TEXTURE_3D, 6);
    glTexImage3D(GL_TEXTURE_3D, 0, GL_RGBA8, SIDE, SIDE, 6, 0, GL_RGBA,
                 GL_UNSIGNED_BYTE, texel);
    glGenerateMipmap(GL_TEXTURE_3D);
    filter_by(GL_TEXTURE_3D, GL_LINEAR_MIPMAP_NEAREST, GL_LINEAR);
    use(plain_vertex,
        "in vec3 c; uniform sampler3D s; out vec4 o;\n"
        "void main() { o = texture(s, c * vec3(3.0, 2.0, 1.0)); }",
        4);
    draw();
}

static void array(void)
{
    make(GL_TEXTURE_2D_ARRAY, 6);
    glTexImage3D(GL_TEXTURE_2D_ARRAY, 0, GL_RGBA8, SIDE, SIDE, 6, 0, GL_RGBA,
                 GL_UNSIGNED_BYTE, texel);
    glGenerateMipmap(GL_TEXTURE_2D_ARRAY);
    filter_by(GL_TEXTURE_2D_ARRAY, GL_LINEAR_MIPMAP_NEAREST, GL_NEAREST);
    use(plain_vertex,
        "in vec3 c; uniform sampler2DArray s; out vec4 o;\n"
        "void main() { o = texture(s, vec3(c.xy * 4.0, c.z * 5.0)); }",
        4);
    draw();
}

static void wraps(void)
{
    static const GLint mode[3] = {GL_MIRRORED_REPEAT, GL_CLAMP_TO_EDGE,
                                  GL_CLAMP_TO_BORDER};
    static const float red[4] = {1, 0, 0, 1};

    make_texture(GL_LINEAR, GL_LINEAR);
    glTexParameterfv(GL_TEXTURE_2D, GL_TEXTURE_BORDER_COLOR, red);
    use(plain_vertex,
        "in vec3 c; uniform sampler2D s; out vec4 o;\n"
        "void main() { o = texture(s, c.xy * 3.0 - 1.0); }",
        4);
    for (int i = 0; i < 3; i++) {
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, mode[i]);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, mode[(i + 1) % 3]);
        glDrawArrays(GL_TRIANGLES, 12 * i, 12);
    }
}

/* Offsets of texels in the message's header, and a level's bias. */
static void offsets(void)
{
    make_smooth();
    use(plain_vertex,
        "in vec3 c; uniform sampler2D s; out vec4 o;\n"
        "void main() { o = 0.5 * textureOffset(s, c.xy, ivec2(-8, 7)) +\n"
        "0.3 * textureOffset(s, c.xy, ivec2(5, -3), 1.0) +\n"
        "0.2 * textureLodOffset(s, c.xy, 1.3, ivec2(1, 2)); }",
        4);
    draw();
}

static void gather(void)
{
    make_texture(GL_NEAREST, GL_NEAREST);
    use(plain_vertex,
        "in vec3 c; uniform sampler2D s; out vec4 o;\n"
        "void main() { vec4 a = textureGather(s, c.xy, 1);\n"
        "vec4 b = textureGatherOffset(s, c.xy, ivec2(3, -2), 2);\n"
        "o = vec4(a.x * 0.5 + b.y * 0.5, a.y * 0.4 + b.z * 0.6,\n"
        "a.z * 0.7 + a.w * b.w * 0.3, 1.0); }",
        4);
    draw();
}

static void gradients(void)
{
    make_smooth();
    use(plain_vertex,
        "in vec3 c; uniform sampler2D s; out vec4 o;\n"
        "void main() { vec2 u = c.xy * 2.0;\n"
        "o = textureGrad(s, u, dFdx(u) * 2.0, dFdy(u) * 0.5); }",
        4);
    draw();
}

/* A depth texture made by drawing, then compared with. */
static void shadow(void)
{
    GLuint frame, depth_map, old;

    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, (GLint *)&old);
    glGenTextures(1, &depth_map);
    glBindTexture(GL_TEXTURE_2D, depth_map);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT24, 64, 64, 0, GL_DEPTH_COMPONENT,
                 GL_UNSIGNED_INT, NULL);
    filter_by(GL_TEXTURE_2D, GL_LINEAR, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
    glGenFramebuffers(1, &frame);
    glBindFramebuffer(GL_FRAMEBUFFER, frame);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D,
                           depth_map, 0);
    glViewport(0, 0, 64, 64);
    use(plain_vertex, "void main() { }", 4);
    draw();
    glBindFramebuffer(GL_FRAMEBUFFER, old);
    glViewport(0, 0, WIDTH, HEIGHT);
    use(plain_vertex,
        "in vec3 c; uniform sampler2DShadow s; out vec4 o;\n"
        "void main() { o = vec4(texture(s, vec3(c.xy, c.z * 0.2 + 0.72)), c.xy, 1.0);\n"
        "o.b = dot(textureGather(s, c.xy, 0.85), vec4(0.25)); }",
        4);
    draw();
}

/* The cube's depth and stencil into one layer and level of a texture, which is then
 * shown: nearer is brighter. */
static void deep(GLenum format, GLint layer, GLint level)
{
    GLuint frame, map, old;

    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, (GLint *)&old);
    glGenTextures(1, &map);
    glBindTexture(GL_TEXTURE_2D_ARRAY, map);
    glTexStorage3D(GL_TEXTURE_2D_ARRAY, 4, format, 100, 92, 3);
    filter_by(GL_TEXTURE_2D_ARRAY, GL_NEAREST_MIPMAP_NEAREST, GL_NEAREST);
    glGenFramebuffers(1, &frame);
    glBindFramebuffer(GL_FRAMEBUFFER, frame);
    glFramebufferTextureLayer(GL_FRAMEBUFFER,
                              format == GL_DEPTH24_STENCIL8
                                  ? GL_DEPTH_STENCIL_ATTACHMENT
                                  : GL_DEPTH_ATTACHMENT,
                              map, level, layer);
    glViewport(0, 0, 100 >> level, 92 >> level);
    use(plain_vertex, "void main() { }", 4);
    if (format == GL_DEPTH24_STENCIL8) { /* each face's triangles once */
        glEnable(GL_STENCIL_TEST);
        glStencilFunc(GL_GREATER, 1, 255);
        glStencilOp(GL_KEEP, GL_KEEP, GL_INCR);
    }
    draw();
    glDisable(GL_STENCIL_TEST);
    glBindFramebuffer(GL_FRAMEBUFFER, old);
    glViewport(0, 0, WIDTH, HEIGHT);
    use(plain_vertex,
        "in vec3 c; uniform sampler2DArray s; uniform vec2 k; out vec4 o; void main() "
        "{\n"
        "float d = textureLod(s, vec3(c.xy, k.x), k.y).r;\n"
        "o = vec4((d - 0.7) * 3.3, c.xy, 1.0); }",
        4);
    glGetIntegerv(GL_CURRENT_PROGRAM, (GLint *)&frame);
    glUniform2f(glGetUniformLocation(frame, "k"), (float)layer, (float)level);
    draw();
}

static void depth_layer(void)
{
    deep(GL_DEPTH24_STENCIL8, 2, 0);
}

static void depth_level(void)
{
    deep(GL_DEPTH_COMPONENT16, 1, 2);
}

static void depth_stencil_level(void)
{
    deep(GL_DEPTH24_STENCIL8, 1, 1);
}

/* The reference is without: llvmpipe's own lies half a texel beside its other filters,
 * and of a smooth texture all make much the same. */
static void anisotropic(void)
{
    make_smooth();
    if (getenv("REFERENCE") == NULL)
        glTexParameterf(GL_TEXTURE_2D, 0x84FE /* GL_TEXTURE_MAX_ANISOTROPY */, 4);
    use(plain_vertex,
        "in vec3 c; uniform sampler2D s; out vec4 o;\n"
        "void main() { o = texture(s, c.xy * 0.9 + 0.05); }",
        4);
    draw();
}

/* So coarse that pixels of a block look at several faces; only those at one are shown.
 */
static void cube_coarse(void)
{
    make_cube_map(GL_NEAREST_MIPMAP_NEAREST, GL_NEAREST);
    use(plain_vertex,
        "in vec3 c; uniform samplerCube s; out vec4 o; void main() {\n"
        "vec2 at = floor(gl_FragCoord.xy), d = mod(at, 2.0) * 1.8\n"
        "+ fract(floor(at / 2.0) * 0.37) * 0.9 - 0.45;\n"
        "vec4 texel = texture(s, vec3(d, 1.0));\n"
        "o = all(lessThan(abs(d), vec2(0.95))) ? texel : vec4(c, 1.0); }",
        4);
    draw();
}

/* Textures by a number that only the draw knows. */
static void chosen(void)
{
    GLint program, places[3] = {0, 1, 2};

    for (int i = 0; i < 3; i++) {
        glActiveTexture(GL_TEXTURE0 + (GLenum)i);
        make(GL_TEXTURE_2D, 1);
        for (int k = 0; k < SIDE * SIDE; k++)
            texel[4 * k + 2] = (unsigned char)(120 * i);
        glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, SIDE >> i, SIDE >> i, 0, GL_RGBA,
                     GL_UNSIGNED_BYTE, texel);
        filter_by(GL_TEXTURE_2D, GL_LINEAR, GL_LINEAR);
    }
    glActiveTexture(GL_TEXTURE0);
    use(plain_vertex,
        "in vec3 c; uniform sampler2D s[3]; uniform int which; out vec4 o;\n"
        "void main() { o = texture(s[which], c.xy); }",
        4);
    glGetIntegerv(GL_CURRENT_PROGRAM, &program);
    glUniform1iv(glGetUniformLocation((GLuint)program, "s"), 3, places);
    for (int i = 0; i < 3; i++) {
        glUniform1i(glGetUniformLocation((GLuint)program, "which"), (i + 1) % 3);
        glDrawArrays(GL_TRIANGLES, 12 * i, 12);
    }
}

static const struct scene scenes[] = {
    {"cube", cube},
    {"cube_nearest", cube_nearest},
    {"cube_coarse", cube_coarse},
    {"cube_array", cube_array},
    {"volume", volume},
    {"array", array},
    {"wraps", wraps},
    {"offsets", offsets},
    {"gather", gather},
    {"gradients", gradients},
    {"shadow", shadow},
    {"depth_layer", depth_layer},
    {"depth_level", depth_level},
    {"depth_stencil_level", depth_stencil_level},
    {"anisotropic", anisotropic},
    {"chosen", chosen},
};

int main(int argc, char **argv)
{
    return show_scenes(argc, argv, scenes, sizeof(scenes) / sizeof(scenes[0]));
}
