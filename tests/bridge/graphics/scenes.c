/* scenes.c - small GLES 3 scenes for tests/bridge/test_gfx.sh, each with one part of
 * the pipeline, on Mesa's surfaceless platform. Each picture is read back into FOLDER.
 *   scenes FOLDER [SCENE] */
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES3/gl3.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 200, HEIGHT = 150, CORNERS = 36, CORNER_FLOATS = 7, TEXELS = 64 };

/* ---- GL ----------------------------------------------------------------- */

static void start(void)
{
    static const EGLint want[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT,
                                  EGL_RENDERABLE_TYPE, EGL_OPENGL_ES3_BIT, EGL_NONE};
    static const EGLint version[] = {EGL_CONTEXT_CLIENT_VERSION, 3, EGL_NONE};
    EGLDisplay d =
        eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
    GLuint frame, colour, depth;
    EGLConfig config;
    EGLint n;

    if (!eglInitialize(d, NULL, NULL) || !eglBindAPI(EGL_OPENGL_ES_API) ||
        !eglChooseConfig(d, want, &config, 1, &n) || n < 1 ||
        !eglMakeCurrent(d, EGL_NO_SURFACE, EGL_NO_SURFACE,
                        eglCreateContext(d, config, EGL_NO_CONTEXT, version)))
        exit(3);
    glGenTextures(1, &colour);
    glBindTexture(GL_TEXTURE_2D, colour);
    glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, WIDTH, HEIGHT);
    glGenRenderbuffers(1, &depth);
    glBindRenderbuffer(GL_RENDERBUFFER, depth);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH24_STENCIL8, WIDTH, HEIGHT);
    glGenFramebuffers(1, &frame);
    glBindFramebuffer(GL_FRAMEBUFFER, frame);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, colour,
                           0);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT,
                              GL_RENDERBUFFER, depth);
    glViewport(0, 0, WIDTH, HEIGHT);
    glClearColor(0.2f, 0.3f, 0.4f, 1);
}

static GLuint shader(GLenum type, const char *body)
{
    const char *source[2] = {"#version 300 es\nprecision highp float;\n", body};
    GLuint s = glCreateShader(type);
    GLint good;

    glShaderSource(s, 2, source, NULL);
    glCompileShader(s);
    glGetShaderiv(s, GL_COMPILE_STATUS, &good);
    if (!good)
        exit(3);
    return s;
}

/* A cube from -1 to 1: four floats of place, three of colour a corner. */
static void make_cube(void)
{
    static const int face[6][4] = {{0, 1, 3, 2}, {4, 6, 7, 5}, {0, 4, 5, 1},
                                   {2, 3, 7, 6}, {0, 2, 6, 4}, {1, 5, 7, 3}};
    static const int turn[6] = {0, 1, 2, 0, 2, 3};
    float v[CORNERS][CORNER_FLOATS];
    GLuint buffer;

    for (int i = 0; i < CORNERS; i++) {
        int p = face[i / 6][turn[i % 6]];
        const float corner[CORNER_FLOATS] = {
            p & 1 ? 1.0f : -1.0f, p & 2 ? 1.0f : -1.0f, p & 4 ? 1.0f : -1.0f, 1,
            (float)(p & 1),       (float)(p >> 1 & 1),  (float)(i / 6) / 5};

        memcpy(v[i], corner, sizeof(corner));
    }
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferData(GL_ARRAY_BUFFER, sizeof(v), v, GL_STATIC_DRAW);
    glVertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, sizeof(v[0]), NULL);
    glVertexAttribPointer(1, 3, GL_FLOAT, GL_FALSE, sizeof(v[0]), (void *)16);
    glEnableVertexAttribArray(0);
    glEnableVertexAttribArray(1);
}

/* The cube turned, `away` from the eye. */
static void set_matrix(GLuint program, float away)
{
    const float ca = cosf(0.6f), sa = sinf(0.6f), cb = cosf(0.5f), sb = sinf(0.5f);
    const float view[16] = {ca,      0,   -sa,     0, sa * sb, cb, ca * sb, 0,
                            sa * cb, -sb, ca * cb, 0, 0,       0,  -away,   1};
    const float near = 1, far = 10;
    float project[16] = {0}, m[16] = {0};

    project[0] = 1.6f * HEIGHT / WIDTH;
    project[5] = 1.6f;
    project[10] = -(far + near) / (far - near);
    project[11] = -1;
    project[14] = -2 * far * near / (far - near);
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            for (int k = 0; k < 4; k++)
                m[j * 4 + i] += project[k * 4 + i] * view[j * 4 + k];
    glUniformMatrix4fv(glGetUniformLocation(program, "m"), 1, GL_FALSE, m);
}

static void use(const char *vertex, const char *pixel, float away)
{
    GLuint program = glCreateProgram();

    glAttachShader(program, shader(GL_VERTEX_SHADER, vertex));
    glAttachShader(program, shader(GL_FRAGMENT_SHADER, pixel));
    glBindAttribLocation(program, 0, "place");
    glBindAttribLocation(program, 1, "colour");
    glLinkProgram(program);
    glUseProgram(program);
    set_matrix(program, away);
    glEnable(GL_DEPTH_TEST);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
}

static void make_texture(GLint min, GLint mag)
{
    static unsigned char t[TEXELS][TEXELS][4];
    GLuint texture;

    for (int y = 0; y < TEXELS; y++)
        for (int x = 0; x < TEXELS; x++) {
            t[y][x][0] = (unsigned char)(((x / 8 + y / 8) & 1) * 255);
            t[y][x][1] = (unsigned char)(x * 4);
            t[y][x][2] = (unsigned char)(y * 4);
            t[y][x][3] = 255;
        }
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, TEXELS, TEXELS, 0, GL_RGBA,
                 GL_UNSIGNED_BYTE, t);
    glGenerateMipmap(GL_TEXTURE_2D);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, min);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, mag);
}

static void save(const char *folder, const char *name)
{
    static unsigned char pixel[HEIGHT][WIDTH][4];
    char path[4096];
    FILE *file;

    glReadPixels(0, 0, WIDTH, HEIGHT, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
    snprintf(path, sizeof(path), "%s/%s.ppm", folder, name);
    file = fopen(path, "wb");
    if (file == NULL)
        exit(3);
    fprintf(file, "P6 %d %d 255\n", WIDTH, HEIGHT);
    for (int y = HEIGHT - 1; y >= 0; y--)
        for (int x = 0; x < WIDTH; x++)
            fwrite(pixel[y][x], 1, 3, file);
    fclose(file);
}

/* ---- scenes ------------------------------------------------------------- */

static const char plain_vertex[] =
    "in vec4 place; in vec3 colour; uniform mat4 m; out vec3 c;\n"
    "void main() { gl_Position = m * place; c = colour; }";
static const char plain_pixel[] =
    "in vec3 c; out vec4 o; void main() { o = vec4(c, 1.0); }";
static const char textured[] = "in vec3 c; uniform sampler2D s; out vec4 o;\n"
                               "void main() { o = texture(s, c.xy * 2.0); }";

static void draw(void)
{
    glDrawArrays(GL_TRIANGLES, 0, CORNERS);
}

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

static const struct {
    const char *name;
    void (*show)(void);
} scenes[] = {
    {"depth", depth},     {"clip", clip},         {"blend", blend},
    {"linear", linear},   {"mipmap", mipmap},     {"discard", discard},
    {"stencil", stencil}, {"scissor", scissor},   {"flat", flat},
    {"indexed", indexed}, {"branches", branches}, {"fetch", fetch},
    {"query", query},
};

int main(int argc, char **argv)
{
    start();
    make_cube();
    for (size_t i = 0; i < sizeof(scenes) / sizeof(scenes[0]); i++) {
        if (argc < 2 || (argc > 2 && strcmp(argv[2], scenes[i].name) != 0))
            continue;
        scenes[i].show();
        save(argv[1], scenes[i].name);
    }
    return 0;
}
