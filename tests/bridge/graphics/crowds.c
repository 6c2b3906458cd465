/* crowds.c - for tests/bridge/test_frame_threads.sh: draws whose threads meet on the
 * same pixels, in one picture that is saved as FILE: many layers that are blended, by
 * shaders that take more and less time, with depth as well; a mesh of small triangles,
 * displaced by a texture, with depth; pixels that are discarded, with a query; and what
 * may not run out of order: images, buffers and the target itself that are read or
 * written, by vertices too, atomics that say who came first. crowds FILE */
#define SCENE_WIDTH 320
#define SCENE_HEIGHT 240
#include "scene.h"

enum { LAYERS = 30, SMALL = 1000, GRID = 48 };

static GLuint link_scene(const char *vertex, const char *pixel)
{
    GLuint program = glCreateProgram();

    glAttachShader(program, shader(GL_VERTEX_SHADER, vertex));
    glAttachShader(program, shader(GL_FRAGMENT_SHADER, pixel));
    glLinkProgram(program);
    return program;
}

static const char layer_vertex[] =
    "uniform float from, size, deep; out vec4 c; flat out int turns; void main() {\n"
    "int i = gl_VertexID / 3, k = gl_VertexID % 3; float a = float(i) * 0.7 + from;\n"
    "vec2 p = vec2(cos(a + 2.1 * float(k)), sin(a * 1.3 + 2.1 * float(k)));\n"
    "gl_Position = vec4(p * size * (0.3 + 0.6 * fract(a)),\n"
    "deep * (fract(a * 0.37) - 0.4 * float(k)), 1.0);\n"
    "c = vec4(fract(a * 0.31), fract(a * 0.17), fract(a * 0.11), 0.15 + 0.3 * "
    "fract(a));\n"
    "turns = i % 5 * 6; }";

/* Triangles one over the other, of which each changes what is there; of the small ones
 * several are on their way at a time. */
static void deep_layers(const char *pixel, float from, float deep)
{
    GLuint program = link_scene(layer_vertex, pixel);

    glUseProgram(program);
    glUniform1f(glGetUniformLocation(program, "deep"), deep);
    glUniform1f(glGetUniformLocation(program, "from"), from);
    glUniform1f(glGetUniformLocation(program, "size"), 1);
    glDrawArrays(GL_TRIANGLES, 0, 3 * LAYERS);
    glUniform1f(glGetUniformLocation(program, "size"), 0.08f);
    glDrawArrays(GL_TRIANGLES, 0, 3 * SMALL);
}

static void layers(const char *pixel, float from)
{
    deep_layers(pixel, from, 0);
}

static const char slow_pixel[] =
    "in vec4 c; flat in int turns; out vec4 o; void main() { vec4 v = c;\n"
    "for (int i = 0; i < turns; i++) v = v.yzxw * 0.999 + 0.0005; o = v; }";

static void blended(void)
{
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    layers(slow_pixel, 0);
    glBlendFuncSeparate(GL_ONE_MINUS_DST_COLOR, GL_SRC_COLOR, GL_ONE, GL_DST_ALPHA);
    glBlendEquation(GL_FUNC_REVERSE_SUBTRACT);
    layers(slow_pixel, 5);
    glBlendEquation(GL_FUNC_ADD);
    glDisable(GL_BLEND);
}

/* Some of each lies behind others. */
static void hidden(void)
{
    glClear(GL_DEPTH_BUFFER_BIT);
    glEnable(GL_DEPTH_TEST);
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    deep_layers(slow_pixel, 37, 0.7f);
    glDepthFunc(GL_GREATER);
    deep_layers(slow_pixel, 41, -0.7f);
    glDepthFunc(GL_LESS);
    glDisable(GL_BLEND);
    glDisable(GL_DEPTH_TEST);
}

/* A mesh of small triangles, whose heights are a texture's. */
static void mesh(void)
{
    glClear(GL_DEPTH_BUFFER_BIT);
    glEnable(GL_DEPTH_TEST);
    make_texture(GL_LINEAR, GL_LINEAR);
    glUseProgram(link_scene(
        "uniform sampler2D t; out vec2 at; void main() {\n"
        "int q = gl_VertexID / 6, k = gl_VertexID % 6, n = 48;\n"
        "ivec2 corner = ivec2(k == 1 || k == 3 || k == 4, k == 2 || k == 4 || k == "
        "5);\n"
        "at = vec2(ivec2(q % n, q / n) + corner) / float(n);\n"
        "float h = textureLod(t, at, 0.0).r;\n"
        "gl_Position = vec4(at * 1.6 - 0.8 + 0.2 * h, h * 0.9 - 0.45, 1.0); }",
        "uniform sampler2D t; in vec2 at; out vec4 o;\n"
        "void main() { o = texture(t, at * 3.0); }"));
    glDrawArrays(GL_TRIANGLES, 0, 6 * GRID * GRID);
}

/* Some pixels less, counted, and again by what was counted. */
static void discarded(void)
{
    GLuint query, passed;

    glGenQueries(1, &query);
    glBeginQuery(GL_ANY_SAMPLES_PASSED, query);
    layers("in vec4 c; flat in int turns; out vec4 o; void main() {\n"
           "if (fract(c.r * 40.0) < 0.5) discard; o = c; }",
           11);
    glEndQuery(GL_ANY_SAMPLES_PASSED);
    glGetQueryObjectuiv(query, GL_QUERY_RESULT, &passed);
    glDisable(GL_DEPTH_TEST);
    glEnable(GL_SCISSOR_TEST);
    glScissor(4, 4, 20, 20);
    glClearColor((float)passed, 0, 1, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glDisable(GL_SCISSOR_TEST);
}

/* What is behind is read by the shader itself. */
static void fetched(void)
{
    layers("in vec4 c; flat in int turns; layout(location = 0) inout vec4 o;\n"
           "void main() { o = vec4(fract(o.rgb * 1.7 + c.rgb), 1.0); }",
           17);
}

/* Who came first has the lowest number, and is remembered in an image. */
static void numbered(void)
{
    static const GLuint zero[16];
    GLuint buffer, image;

    glGenBuffers(1, &buffer);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, buffer);
    glBufferData(GL_SHADER_STORAGE_BUFFER, sizeof(zero), zero, GL_DYNAMIC_COPY);
    glGenTextures(1, &image);
    glBindTexture(GL_TEXTURE_2D, image);
    glTexStorage2D(GL_TEXTURE_2D, 1, GL_R32UI, WIDTH, HEIGHT);
    glBindImageTexture(0, image, 0, GL_FALSE, 0, GL_READ_WRITE, GL_R32UI);
    layers("layout(std430, binding = 0) buffer B { uint n; };\n"
           "layout(r32ui, binding = 0) uniform highp uimage2D m;\n"
           "in vec4 c; flat in int turns; out vec4 o; void main() {\n"
           "uint i = atomicAdd(n, 1u), b = imageLoad(m, ivec2(gl_FragCoord.xy)).r;\n"
           "imageStore(m, ivec2(gl_FragCoord.xy), uvec4(b * 3u + i));\n"
           "o = vec4(float(i % 251u) / 250.0, float(b % 239u) / 238.0, c.b, 1.0); }",
           23);
}

/* A frame buffer of a texture, which is drawn to from now on, instead of *before. */
static GLuint draw_to_texture(GLsizei levels, GLuint *texture, GLuint *before)
{
    GLuint frame;

    glGetIntegerv(GL_FRAMEBUFFER_BINDING, (GLint *)before);
    glGenFramebuffers(1, &frame);
    glGenTextures(1, texture);
    glBindTexture(GL_TEXTURE_2D, *texture);
    glTexStorage2D(GL_TEXTURE_2D, levels, GL_RGBA8, 128, 128);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER,
                    levels > 1 ? GL_NEAREST_MIPMAP_LINEAR : GL_NEAREST);
    glBindFramebuffer(GL_FRAMEBUFFER, frame);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D,
                           *texture, 0);
    glViewport(0, 0, 128, 128);
    return frame;
}

/* A texture that is drawn from into another level of itself, over and over. */
static void from_itself(void)
{
    GLuint before, texture, frame = draw_to_texture(2, &texture, &before);

    layers(slow_pixel, 29);
    glGenerateMipmap(GL_TEXTURE_2D);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, frame);
    glFramebufferTexture2D(GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D,
                           texture, 1);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, before);
    glBlitFramebuffer(0, 0, 64, 64, WIDTH - 64, 0, WIDTH, 64, GL_COLOR_BUFFER_BIT,
                      GL_NEAREST);
    glBindFramebuffer(GL_FRAMEBUFFER, before);
    glViewport(0, 0, WIDTH, HEIGHT);
}

/* Vertices that lie, and have colours, as what their own pixels are drawn to had it. */
static void made_of_pixels(void)
{
    GLuint before, texture;

    (void)draw_to_texture(1, &texture, &before);
    layers(slow_pixel, 31);
    glUseProgram(link_scene(
        "uniform sampler2D t; out vec4 c; void main() {\n"
        "int q = gl_VertexID / 3, k = gl_VertexID % 3;\n"
        "c = texelFetch(t, ivec2(q * 7 % 128, q * 3 / 7 % 128), 0);\n"
        "vec2 p = fract(c.rg * 5.0 + vec2(q % 61, q % 53) / 60.0) * 2.0 - 1.0;\n"
        "gl_Position = vec4(p + 0.2 * vec2(k == 1, k == 2), 0.0, 1.0); }",
        "in vec4 c; out vec4 o; void main() { o = fract(c.gbra * 1.7 + 0.1); }"));
    glDrawArrays(GL_TRIANGLES, 0, 3 * SMALL);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, before);
    glBlitFramebuffer(0, 0, 128, 128, 0, HEIGHT - 128, 128, HEIGHT, GL_COLOR_BUFFER_BIT,
                      GL_NEAREST);
    glBindFramebuffer(GL_FRAMEBUFFER, before);
    glViewport(0, 0, WIDTH, HEIGHT);
}

int main(int argc, char **argv)
{
    start();
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    glDisable(GL_DEPTH_TEST);
    blended();
    hidden();
    mesh();
    discarded();
    fetched();
    numbered();
    from_itself();
    made_of_pixels();
    glFinish();
    if (argc < 2 || glGetError() != GL_NO_ERROR)
        return 3;
    save_picture(argv[1], WIDTH, HEIGHT);
    return 0;
}
