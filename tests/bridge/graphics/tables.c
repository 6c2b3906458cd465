/* tables.c - arrays of buffers, images and textures, of which shaders choose one while
 * they run, for tests/bridge/test_gfx.sh and test_frame_stages.sh: such messages have
 * their descriptors in a register. tables FOLDER [SCENE]: pictures of 64x64 pixels. */
#include "gl.h"

#include <string.h>

enum { SIZE = 64, OBJECTS = 4, FLOATS = 80, TEXELS = 8 };

static const char vertex[] = "#version 450\nin vec2 place; out vec2 c; void main() {\n"
                             "gl_Position = vec4(place, 0, 1);\n"
                             "c = place * 0.5 + 0.5; }";

static const char uniforms[] =
    "#version 450\nin vec2 c; layout(std140, binding = 0) uniform B { vec4 v[16]; }\n"
    "b[4]; uniform int which; out vec4 o; void main() {\n"
    "o = 0.5 * b[which].v[3] + 0.5 * b[which ^ 1].v[int(c.x * 7.9)]; }";

/* The first pixel changes two of them for the draw behind it. */
static const char buffers[] =
    "#version 450\nin vec2 c; layout(std430, binding = 0) buffer B\n"
    "{ uint n; vec4 v[16]; } b[4]; uniform int which; out vec4 o; void main() {\n"
    "o = vec4(b[which].v[int(c.x * 7.9)].xy, float(b[which ^ 3].n & 255u) / 255.0, "
    "1);\n"
    "if (gl_FragCoord.x < 1.0 && gl_FragCoord.y < 1.0) {\n"
    "b[which ^ 3].v[1] = vec4(0.25, 0.75, 0.5, 1); atomicAdd(b[which].n, 33u); } }";

static const char images[] =
    "#version 450\nin vec2 c; layout(r32ui, binding = 0) uniform uimage2D b[4];\n"
    "uniform int which; out vec4 o; void main() {\n"
    "uint n = imageLoad(b[which], ivec2(c * 8.0)).x;\n"
    "o = vec4(n & 255u, n >> 8 & 255u, n >> 16 & 255u, 255) / 255.0;\n"
    "if (gl_FragCoord.x < 1.0 && gl_FragCoord.y < 1.0) {\n"
    "imageStore(b[which ^ 3], ivec2(2), uvec4(0x40C0FFu));\n"
    "imageAtomicXor(b[which ^ 3], ivec2(5, 3), 0x808080u); } }";

static const char textures[] =
    "#version 450\nin vec2 c; uniform sampler2D s[4]; uniform int which; out vec4 o;\n"
    "void main() { vec2 g = vec2(textureSize(s[which], 0)) / 16.0;\n"
    "o = 0.5 * texture(s[which], c) + 0.25 * texelFetch(s[which ^ 1], ivec2(c * 8.0), "
    "0)\n"
    "+ 0.25 * vec4(textureGather(s[which ^ 2], c * g).xyz, 1); }";

static const char texels[] =
    "#version 450\nin vec2 c; uniform samplerBuffer s[4]; uniform int which;\n"
    "out vec4 o; void main() { o = texelFetch(s[which], int(c.x * 63.9)); }";

static void make_buffers(GLenum target)
{
    float data[FLOATS];
    GLuint buffer;

    for (GLuint i = 0; i < OBJECTS; i++) {
        for (GLuint k = 0; k < FLOATS; k++)
            data[k] = (float)((k * 5 + i * 13) % 17) / 17;
        glGenBuffers(1, &buffer);
        glBindBuffer(target, buffer);
        glBufferData(target, sizeof(data), data, GL_STATIC_DRAW);
        glBindBufferBase(target, i, buffer);
    }
}

static void make_texels(GLuint object, GLenum target)
{
    static unsigned char data[TEXELS * TEXELS * 4];
    GLuint texture, buffer;

    for (GLuint k = 0; k < sizeof(data); k++)
        data[k] = (unsigned char)(k * (object * 7 + 3) + object * 40);
    glActiveTexture(GL_TEXTURE0 + object);
    glGenTextures(1, &texture);
    glBindTexture(target, texture);
    if (target == GL_TEXTURE_BUFFER) {
        glGenBuffers(1, &buffer);
        glBindBuffer(target, buffer);
        glBufferData(target, sizeof(data), data, GL_STATIC_DRAW);
        glTexBuffer(target, GL_RGBA8, buffer);
        return;
    }
    glTexStorage2D(target, 1, GL_RGBA8, TEXELS, TEXELS);
    glTexSubImage2D(target, 0, 0, 0, TEXELS, TEXELS, GL_RGBA, GL_UNSIGNED_BYTE, data);
    glTexParameteri(target, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(target, GL_TEXTURE_MAG_FILTER, object & 1 ? GL_LINEAR : GL_NEAREST);
    glBindImageTexture(object, texture, 0, GL_FALSE, 0, GL_READ_WRITE, GL_R32UI);
}

static const struct scene {
    const char *name, *fragment;
    GLenum target;
} scenes[] = {{"tables_uniforms", uniforms, GL_UNIFORM_BUFFER},
              {"tables_buffers", buffers, GL_SHADER_STORAGE_BUFFER},
              {"tables_images", images, GL_TEXTURE_2D},
              {"tables_textures", textures, GL_TEXTURE_2D},
              {"tables_texels", texels, GL_TEXTURE_BUFFER}};

/* The left half by another object than the right one. */
static void show(const struct scene *s)
{
    static const GLint unit[OBJECTS] = {0, 1, 2, 3};
    GLuint program = link_program(vertex, s->fragment);

    glUseProgram(program);
    if (s->target == GL_UNIFORM_BUFFER || s->target == GL_SHADER_STORAGE_BUFFER)
        make_buffers(s->target);
    else
        for (GLuint i = 0; i < OBJECTS; i++)
            make_texels(i, s->target);
    if (s->fragment == textures || s->fragment == texels)
        glUniform1iv(glGetUniformLocation(program, "s"), OBJECTS, unit);
    for (GLint which = 2; which > 0; which--) {
        glUniform1i(glGetUniformLocation(program, "which"), which);
        glViewport(0, 0, SIZE / 2 * which, SIZE);
        glDrawArrays(GL_TRIANGLES, 0, 3);
        glMemoryBarrier(GL_ALL_BARRIER_BITS);
    }
}

int main(int argc, char **argv)
{
    static const EGLint version[] = {EGL_CONTEXT_MAJOR_VERSION, 4,
                                     EGL_CONTEXT_MINOR_VERSION, 5, EGL_NONE};
    GLuint array;
    EGLDisplay display;
    char path[300];

    if (argc < 2)
        return 2;
    (void)start_api(EGL_OPENGL_API, EGL_OPENGL_BIT, version, SIZE, SIZE, 0, &display);
    glGenVertexArrays(1, &array);
    glBindVertexArray(array);
    cover_picture();
    for (size_t i = 0; i < sizeof(scenes) / sizeof(scenes[0]); i++) {
        if (argc > 2 && strcmp(argv[2], scenes[i].name) != 0)
            continue;
        show(&scenes[i]);
        if (glGetError() != GL_NO_ERROR)
            return 4;
        (void)snprintf(path, sizeof(path), "%s/%s.ppm", argv[1], scenes[i].name);
        save_picture(path, SIZE, SIZE);
    }
    return 0;
}
