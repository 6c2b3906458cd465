/* sizes.c - for tests/bridge/test_gfx.sh: what shaders are told of their surfaces'
 * sizes, of each kind, which the program knows: storage buffers of several lengths in
 * vertex, pixel and compute shaders, textures and images in a compute shader. */
#include <string.h>

#include "gl.h"

enum { MOST = 64 };
static int wrong;

static void check(const char *what, const GLuint *got, const GLuint *wanted, int count)
{
    if (memcmp(got, wanted, (size_t)count * sizeof(*got)) == 0)
        return;
    printf("%s:", what);
    for (int i = 0; i < count; i++)
        printf(" %u (%u)", got[i], wanted[i]);
    printf("\n");
    wrong = 1;
}

/* Buffer 0: what shaders say. */
static GLuint said;

static void new_said(void)
{
    glGenBuffers(1, &said);
    glBindBuffer(GL_SHADER_STORAGE_BUFFER, said);
    glBufferData(GL_SHADER_STORAGE_BUFFER, MOST * 4, NULL, GL_STREAM_READ);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, said);
}

static void read_said(GLuint to[MOST])
{
    const GLuint *p;

    glMemoryBarrier(GL_ALL_BARRIER_BITS);
    glBindBuffer(GL_SHADER_STORAGE_BUFFER, said);
    p = glMapBufferRange(GL_SHADER_STORAGE_BUFFER, 0, MOST * 4, GL_MAP_READ_BIT);
    memcpy(to, p, MOST * 4);
    glUnmapBuffer(GL_SHADER_STORAGE_BUFFER);
}

static GLuint new_program(int count, const GLenum *stage, const char *const *source)
{
    GLuint program = glCreateProgram();
    GLint good;

    for (int i = 0; i < count; i++)
        glAttachShader(program, compile(stage[i], 1, &source[i]));
    glLinkProgram(program);
    glGetProgramiv(program, GL_LINK_STATUS, &good);
    if (!good) {
        char log[1000];

        glGetProgramInfoLog(program, sizeof(log), NULL, log);
        fprintf(stderr, "%s\n", log);
        exit(3);
    }
    glUseProgram(program);
    return program;
}

/* ---- storage buffers ---------------------------------------------------- */

#define BUFFERS                                                                        \
    "#version 320 es\nprecision highp float;\n"                                        \
    "layout(std430, binding = 0) buffer S { uint said[]; };\n"                         \
    "layout(std430, binding = 1) buffer B { uvec4 head; uint x[]; };\n"

static void lengths(void)
{
    static const GLenum compute[] = {GL_COMPUTE_SHADER},
                        both[] = {GL_VERTEX_SHADER, GL_FRAGMENT_SHADER};
    static const char *const in_compute[] = {
        BUFFERS "layout(local_size_x = 1) in;\n"
                "void main() { said[0] = uint(x.length()); }"};
    static const char *const in_vertex[] = {
        BUFFERS
        "flat out uint n; void main() { n = uint(x.length()); gl_PointSize = 1.;\n"
        "gl_Position = vec4(0, 0, 0, 1); }",
        BUFFERS
        "flat in uint n; out vec4 o; void main() { said[1] = n; o = vec4(1); }"};
    static const char *const in_pixel[] = {
        BUFFERS "void main() { gl_PointSize = 1.; gl_Position = vec4(0, 0, 0, 1); }",
        BUFFERS "out vec4 o; void main() { said[2] = uint(x.length()); o = vec4(1); }"};
    static const GLsizeiptr count[] = {1, 2, 3, 33, 1000, 1 << 20};
    GLuint program[] = {new_program(1, compute, in_compute),
                        new_program(2, both, in_vertex),
                        new_program(2, both, in_pixel)};
    GLuint buffer;

    glGenBuffers(1, &buffer);
    glBindBuffer(GL_SHADER_STORAGE_BUFFER, buffer);
    glBufferData(GL_SHADER_STORAGE_BUFFER, 16 + 4 * (1 << 20), NULL, GL_STATIC_DRAW);
    for (size_t i = 0; i < sizeof(count) / sizeof(count[0]); i++) {
        const GLuint n = (GLuint)count[i], wanted[3] = {n, n, n};
        GLuint got[MOST];

        glBindBufferRange(GL_SHADER_STORAGE_BUFFER, 1, buffer, 0, 16 + 4 * count[i]);
        glUseProgram(program[0]);
        glDispatchCompute(1, 1, 1);
        for (int k = 1; k < 3; k++) {
            glUseProgram(program[k]);
            glDrawArrays(GL_POINTS, 0, 1);
        }
        read_said(got);
        check("lengths", got, wanted, 3);
    }
}

/* ---- textures and images ------------------------------------------------ */

static void put_texture(GLuint unit, GLenum target)
{
    GLuint t;

    glGenTextures(1, &t);
    glActiveTexture(GL_TEXTURE0 + unit);
    glBindTexture(target, t);
    if (target != GL_TEXTURE_BUFFER && target != GL_TEXTURE_2D_MULTISAMPLE &&
        target != GL_TEXTURE_2D_MULTISAMPLE_ARRAY)
        for (int i = 0; i < 2; i++)
            glTexParameteri(target, i ? GL_TEXTURE_MIN_FILTER : GL_TEXTURE_MAG_FILTER,
                            i ? GL_NEAREST_MIPMAP_NEAREST : GL_NEAREST);
}

static void put_all(void)
{
    GLuint texels;

    put_texture(0, GL_TEXTURE_2D);
    glTexStorage2D(GL_TEXTURE_2D, 4, GL_RGBA8, 37, 21);
    put_texture(1, GL_TEXTURE_3D);
    glTexStorage3D(GL_TEXTURE_3D, 3, GL_RGBA8, 20, 12, 9);
    put_texture(2, GL_TEXTURE_2D_ARRAY);
    glTexStorage3D(GL_TEXTURE_2D_ARRAY, 2, GL_RGBA8, 14, 10, 7);
    put_texture(3, GL_TEXTURE_CUBE_MAP);
    glTexStorage2D(GL_TEXTURE_CUBE_MAP, 3, GL_RGBA8, 18, 18);
    put_texture(4, GL_TEXTURE_CUBE_MAP_ARRAY);
    glTexStorage3D(GL_TEXTURE_CUBE_MAP_ARRAY, 2, GL_RGBA8, 16, 16, 12);
    put_texture(5, GL_TEXTURE_2D_MULTISAMPLE);
    glTexStorage2DMultisample(GL_TEXTURE_2D_MULTISAMPLE, 4, GL_RGBA8, 33, 9, GL_TRUE);
    put_texture(6, GL_TEXTURE_2D_MULTISAMPLE_ARRAY);
    glTexStorage3DMultisample(GL_TEXTURE_2D_MULTISAMPLE_ARRAY, 2, GL_RGBA8, 11, 6, 5,
                              GL_TRUE);
    glGenBuffers(1, &texels);
    glBindBuffer(GL_TEXTURE_BUFFER, texels);
    glBufferData(GL_TEXTURE_BUFFER, 4 * 300, NULL, GL_STATIC_DRAW);
    put_texture(7, GL_TEXTURE_BUFFER);
    glTexBuffer(GL_TEXTURE_BUFFER, GL_RGBA8, texels);
}

static void sizes(void)
{
    static const GLenum compute[] = {GL_COMPUTE_SHADER};
    static const char *const source[] = {
        "#version 320 es\nprecision highp float; precision highp int;\n"
        "precision highp sampler3D; precision highp sampler2DArray;\n"
        "precision highp samplerCubeArray; precision highp sampler2DMS;\n"
        "precision highp sampler2DMSArray; precision highp samplerBuffer;\n"
        "layout(local_size_x = 1) in;\n"
        "layout(std430, binding = 0) buffer S { uint said[]; };\n"
        "layout(binding = 0) uniform sampler2D a;\n"
        "layout(binding = 1) uniform sampler3D b;\n"
        "layout(binding = 2) uniform sampler2DArray c;\n"
        "layout(binding = 3) uniform samplerCube d;\n"
        "layout(binding = 4) uniform samplerCubeArray e;\n"
        "layout(binding = 5) uniform sampler2DMS f;\n"
        "layout(binding = 6) uniform sampler2DMSArray g;\n"
        "layout(binding = 7) uniform samplerBuffer h;\n"
        "uniform int level; int n = 0;\n"
        "void say(int x) { said[n++] = uint(x); }\n"
        "void say(ivec2 x) { say(x.x); say(x.y); }\n"
        "void say(ivec3 x) { say(x.xy); say(x.z); }\n"
        "void main() { say(textureSize(a, level)); say(textureSize(a, level + 2));\n"
        "say(textureSize(b, level)); say(textureSize(c, level));\n"
        "say(textureSize(d, level)); say(textureSize(e, level)); say(textureSize(f));\n"
        "say(textureSize(g)); say(textureSize(h)); }"};
    static const GLuint wanted[] = {18, 10, 4, 2, 10, 6, 4,  7, 5, 7,  9,
                                    9,  8,  8, 2, 33, 9, 11, 6, 5, 300};
    GLuint program = new_program(1, compute, source), got[MOST];

    glUniform1i(glGetUniformLocation(program, "level"), 1);
    glDispatchCompute(1, 1, 1);
    read_said(got);
    check("textures", got, wanted, sizeof(wanted) / sizeof(wanted[0]));
}

/* Texels that are not there are zeros: of a level, a layer, a column that the texture
 * lacks. */
static void absent(void)
{
    static const GLenum compute[] = {GL_COMPUTE_SHADER};
    static const char *const source[] = {
        "#version 320 es\nprecision highp float; precision highp int;\n"
        "precision highp usampler2D; precision highp usampler2DArray;\n"
        "layout(local_size_x = 1) in;\n"
        "layout(std430, binding = 0) buffer S { uint said[]; };\n"
        "layout(binding = 0) uniform usampler2D a;\n"
        "layout(binding = 1) uniform usampler2DArray b; uniform int one;\n"
        "void main() { said[0] = texelFetch(a, ivec2(0), one).r;\n"
        "said[1] = texelFetch(a, ivec2(0), one + 1).r;\n"
        "said[2] = texelFetch(a, ivec2(0), one + 20).r;\n"
        "said[3] = texelFetch(a, ivec2(4, 0), one).r;\n"
        "said[4] = texelFetch(b, ivec3(0, 0, one), 0).r;\n"
        "said[5] = texelFetch(b, ivec3(0, 0, one + 1), 0).r; }"};
    static const GLuint wanted[] = {7, 0, 0, 0, 7, 0};
    static unsigned seven[8 * 8 * 2];
    GLuint got[MOST], program = new_program(1, compute, source);

    for (int i = 0; i < 8 * 8 * 2; i++)
        seven[i] = 7;
    put_texture(0, GL_TEXTURE_2D);
    glTexStorage2D(GL_TEXTURE_2D, 2, GL_R32UI, 8, 8);
    for (int i = 0; i < 2; i++)
        glTexSubImage2D(GL_TEXTURE_2D, i, 0, 0, 8 >> i, 8 >> i, GL_RED_INTEGER,
                        GL_UNSIGNED_INT, seven);
    put_texture(1, GL_TEXTURE_2D_ARRAY);
    glTexStorage3D(GL_TEXTURE_2D_ARRAY, 1, GL_R32UI, 8, 8, 2);
    glTexSubImage3D(GL_TEXTURE_2D_ARRAY, 0, 0, 0, 0, 8, 8, 2, GL_RED_INTEGER,
                    GL_UNSIGNED_INT, seven);
    glUniform1i(glGetUniformLocation(program, "one"), 1);
    glDispatchCompute(1, 1, 1);
    read_said(got);
    check("absent texels", got, wanted, 6);
}

/* Level `level` of what is bound to a texture unit. */
static void put_image(GLuint image, GLuint unit, GLenum binding, GLint level)
{
    GLint t;

    glActiveTexture(GL_TEXTURE0 + unit);
    glGetIntegerv(binding, &t);
    glBindImageTexture(image, (GLuint)t, level, GL_TRUE, 0, GL_READ_ONLY, GL_RGBA8);
}

static void image_sizes(void)
{
    static const GLenum compute[] = {GL_COMPUTE_SHADER};
    static const char *const source[] = {
        "#version 320 es\nprecision highp float; precision highp image2D;\n"
        "precision highp image3D; precision highp image2DArray;\n"
        "precision highp imageBuffer;\nlayout(local_size_x = 1) in;\n"
        "layout(std430, binding = 0) buffer S { uint said[]; };\n"
        "layout(rgba8, binding = 0) readonly uniform image2D a;\n"
        "layout(rgba8, binding = 1) readonly uniform image3D b;\n"
        "layout(rgba8, binding = 2) readonly uniform image2DArray c;\n"
        "layout(rgba8, binding = 3) readonly uniform imageBuffer h;\n"
        "void main() { ivec2 i = imageSize(a); ivec3 j = imageSize(b), k = "
        "imageSize(c);\n"
        "said[0] = uint(i.x); said[1] = uint(i.y); said[2] = uint(j.x);\n"
        "said[3] = uint(j.y); said[4] = uint(j.z); said[5] = uint(k.x);\n"
        "said[6] = uint(k.y); said[7] = uint(k.z); said[8] = uint(imageSize(h)); }"};
    static const GLuint wanted[] = {18, 10, 10, 6, 4, 7, 5, 7, 300};
    GLuint got[MOST];

    (void)new_program(1, compute, source);
    put_image(0, 0, GL_TEXTURE_BINDING_2D, 1);
    put_image(1, 1, GL_TEXTURE_BINDING_3D, 1);
    put_image(2, 2, GL_TEXTURE_BINDING_2D_ARRAY, 1);
    put_image(3, 7, GL_TEXTURE_BINDING_BUFFER, 0);
    glDispatchCompute(1, 1, 1);
    read_said(got);
    check("images", got, wanted, sizeof(wanted) / sizeof(wanted[0]));
}

int main(void)
{
    EGLDisplay display;

    (void)start_gles(16, 16, 0, &display);
    new_said();
    lengths();
    put_all();
    sizes();
    image_sizes();
    absent();
    return wrong || glGetError() != GL_NO_ERROR;
}
