/* scenes.c - small GLES 3 scenes for tests/bridge/test_gfx.sh, each with one part of
 * the pipeline, on Mesa's surfaceless platform. Each picture is read back into FOLDER.
 *   scenes FOLDER [SCENE] */
#include "scene.h"

static void depth(void)
{
    use(plain_vertex, plain_pixel, 4);
    draw();
}

/* Through the near plane. */
static void clip(void)
{
    use(plain_vertex, plain_pixel, 1.6f);
    draw();
}

static void blend(void)
{
    use(plain_vertex, "in vec3 c; out vec4 o; void main() { o = vec4(c, 0.4); }", 4);
    glDisable(GL_DEPTH_TEST);
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    draw();
    glDisable(GL_BLEND);
}

static void linear(void)
{
    make_texture(GL_LINEAR, GL_LINEAR);
    use(plain_vertex, textured, 4);
    draw();
}

static void mipmap(void)
{
    make_texture(GL_LINEAR_MIPMAP_LINEAR, GL_LINEAR);
    use(plain_vertex, textured, 4);
    draw();
}

static void discard(void)
{
    use(plain_vertex,
        "in vec3 c; out vec4 o; void main() {\n"
        "if (length(fract(c.xy * 4.0) - 0.5) > 0.4) discard; o = vec4(c, 1.0); }",
        4);
    draw();
}

static void stencil(void)
{
    use(plain_vertex, plain_pixel, 4);
    glDisable(GL_DEPTH_TEST);
    glEnable(GL_STENCIL_TEST);
    glStencilFunc(GL_ALWAYS, 1, 255);
    glStencilOp(GL_KEEP, GL_KEEP, GL_REPLACE);
    glDrawArrays(GL_TRIANGLES, 0, 6);
    glStencilFunc(GL_NOTEQUAL, 1, 255);
    glDrawArrays(GL_TRIANGLES, 6, CORNERS - 6);
    glDisable(GL_STENCIL_TEST);
}

static void scissor(void)
{
    use(plain_vertex, plain_pixel, 4);
    glEnable(GL_CULL_FACE);
    glEnable(GL_SCISSOR_TEST);
    glScissor(30, 40, 90, 70);
    draw();
    glDisable(GL_SCISSOR_TEST);
    glDisable(GL_CULL_FACE);
}

/* Provoking vertices, facing, the pixel's own place. */
static void flat(void)
{
    use("in vec4 place; in vec3 colour; uniform mat4 m; flat out vec3 c;\n"
        "void main() { gl_Position = m * place; c = colour; }",
        "flat in vec3 c; out vec4 o; void main() {\n"
        "o = vec4(c * (gl_FrontFacing ? 1.0 : 0.5), 1.0) + 0.1 * gl_FragCoord.zzzz; }",
        4);
    draw();
}

/* Indices of 16 bits, three instances. */
static void indexed(void)
{
    unsigned short index[CORNERS];
    GLuint buffer;

    for (int i = 0; i < CORNERS; i++)
        index[i] = (unsigned short)(CORNERS - 1 - i);
    use("in vec4 place; in vec3 colour; uniform mat4 m; out vec3 c; void main() {\n"
        "gl_Position = m * (place * vec4(0.4, 0.4, 0.4, 1) +\n"
        "    vec4(float(gl_InstanceID) - 1.0, 0, 0, 0));\n"
        "c = colour * fract(float(gl_VertexID) * 0.3); }",
        plain_pixel, 4);
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, buffer);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, sizeof(index), index, GL_STATIC_DRAW);
    glDrawElementsInstanced(GL_TRIANGLES, CORNERS, GL_UNSIGNED_SHORT, NULL, 3);
}

/* A loop that each pixel leaves at another time. */
static void branches(void)
{
    use(plain_vertex,
        "in vec3 c; out vec4 o; void main() { vec2 z = vec2(0); int n = 0;\n"
        "vec2 k = c.xy * 3.0 - vec2(2.0, 1.5);\n"
        "for (int i = 0; i < 12; i++) {\n"
        "z = vec2(z.x * z.x - z.y * z.y, 2.0 * z.x * z.y) + k;\n"
        "if (dot(z, z) > 4.0) break; n++; }\n"
        "o = vec4(sin(float(n) * 0.3), cos(float(n) * 0.2), float(n) / 12.0, 1.0); }",
        4);
    draw();
}

/* A vertex shader that reads a texture, by a level and by a texel. */
static void fetch(void)
{
    make_texture(GL_LINEAR_MIPMAP_LINEAR, GL_LINEAR);
    use("in vec4 place; in vec3 colour; uniform mat4 m; uniform sampler2D s; out vec3 "
        "c;\n"
        "void main() { vec4 t = textureLod(s, colour.xy * 0.6 + 0.1, 1.5);\n"
        "c = t.rgb + texelFetch(s, ivec2(colour.xy * 9.0), 2).rgb * 0.3;\n"
        "gl_Position = m * (place * vec4(vec3(0.6 + 0.4 * t.g), 1)); }",
        plain_pixel, 4);
    draw();
}

static GLuint make_buffer(GLenum target, const void *data, size_t bytes)
{
    GLuint buffer;

    glGenBuffers(1, &buffer);
    glBindBufferBase(target, 0, buffer);
    glBufferData(target, (GLsizeiptr)bytes, data, GL_DYNAMIC_COPY);
    return buffer;
}

/* Elements that each pixel and each vertex chooses. */
static void uniforms(void)
{
    float colour[64][4];

    for (int i = 0; i < 256; i++)
        colour[i / 4][i % 4] = (float)(i * 37 % 64) / 64;
    use("in vec4 place; in vec3 colour; uniform mat4 m; out vec3 c;\n"
        "layout(std140, binding = 0) uniform B { vec4 t[64]; }; void main() {\n"
        "gl_Position = m * place; c = colour * t[gl_VertexID].rgb + 0.3; }",
        "in vec3 c; out vec4 o; layout(std140, binding = 0) uniform B { vec4 t[64]; "
        "};\n"
        "void main() { ivec2 p = ivec2(gl_FragCoord.xy) / 3;\n"
        "o = vec4(mix(c, t[(p.x * 7 + p.y) & 63].rgb, 0.4), 1.0); }",
        4);
    (void)make_buffer(GL_UNIFORM_BUFFER, colour, sizeof(colour));
    draw();
}

/* Pixels that read a buffer and count themselves in it, and a draw that reads that. */
static void storage(void)
{
    static GLuint word[256];

    for (GLuint i = 0; i < 256; i++)
        word[i] = i < 4 ? 0 : i * 2654435761u >> 24;
    (void)make_buffer(GL_SHADER_STORAGE_BUFFER, word, sizeof(word));
    use(plain_vertex,
        "in vec3 c; out vec4 o; layout(std430, binding = 0) buffer B { uint t[256]; "
        "};\n"
        "void main() { ivec2 p = ivec2(gl_FragCoord.xy) / 2;\n"
        "atomicAdd(t[gl_FrontFacing ? 1 : 2], 1u); atomicMax(t[3], uint(p.x));\n"
        "o = vec4(c.xy, float(t[4 + ((p.x + p.y * 16) & 127)]) / 255.0, 1.0); }",
        4);
    draw();
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
    use(plain_vertex,
        "in vec3 c; out vec4 o; layout(std430, binding = 0) buffer B { uint t[256]; "
        "};\n"
        "void main() { o = vec4(float(t[1] & 255u), float(t[2] & 255u),\n"
        "float(t[3]), 255.0) / 255.0 + c.zzzz * 0.1; }",
        4);
    glDrawArrays(GL_TRIANGLES, 0, 12);
}

/* A program that waits for a query: 1 pixel of a triangle passes, then none. */
static void query(void)
{
    GLuint q[2], result[2];

    use(plain_vertex, plain_pixel, 4);
    glGenQueries(2, q);
    for (int i = 0; i < 2; i++) {
        glDepthFunc(i == 0 ? GL_LESS : GL_NEVER);
        glBeginQuery(GL_ANY_SAMPLES_PASSED, q[i]);
        draw();
        glEndQuery(GL_ANY_SAMPLES_PASSED);
        glGetQueryObjectuiv(q[i], GL_QUERY_RESULT, &result[i]);
    }
    glDepthFunc(GL_LESS);
    printf("query %u %u\n", result[0], result[1]);
}

/* All pixels find the least there is, of which threads look for their own first. */
static void least(void)
{
    static const GLuint word[4] = {5, 5, 5, 5};

    (void)make_buffer(GL_SHADER_STORAGE_BUFFER, word, sizeof(word));
    use(plain_vertex,
        "in vec3 c; out vec4 o; layout(std430, binding = 0) buffer B { uint t[4]; };\n"
        "void main() { uint v = atomicMin(t[1], 7u + uint(gl_FragCoord.x));\n"
        "o = vec4(c.xy, float(v + t[1]) / 20.0, 1.0); }",
        4);
    draw();
}

static const struct scene scenes[] = {
    {"depth", depth},       {"clip", clip},         {"blend", blend},
    {"linear", linear},     {"mipmap", mipmap},     {"discard", discard},
    {"stencil", stencil},   {"scissor", scissor},   {"flat", flat},
    {"indexed", indexed},   {"branches", branches}, {"fetch", fetch},
    {"uniforms", uniforms}, {"storage", storage},   {"least", least},
    {"query", query},
};

int main(int argc, char **argv)
{
    return show_scenes(argc, argv, scenes, sizeof(scenes) / sizeof(scenes[0]));
}
