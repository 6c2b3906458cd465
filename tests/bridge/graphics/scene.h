/* scene.h - what the programs of small GLES 3.2 scenes share: a context on Mesa's
 * surfaceless platform, a cube, a texture, pictures. */
#ifndef SCENE_H
#define SCENE_H
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES3/gl32.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gl.h"

#ifndef SCENE_WIDTH
#define SCENE_WIDTH 200
#define SCENE_HEIGHT 150
#endif
enum {
    WIDTH = SCENE_WIDTH,
    HEIGHT = SCENE_HEIGHT,
    CORNERS = 36,
    CORNER_FLOATS = 7,
    TEXELS = 64
};

/* ---- GL ----------------------------------------------------------------- */

static inline void start(void)
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

static inline GLuint shader(GLenum type, const char *body)
{
    const char *source[2] = {"#version 320 es\n"
                             "#extension GL_EXT_clip_cull_distance : enable\n"
                             "#extension GL_EXT_geometry_point_size : enable\n"
                             "#extension GL_EXT_tessellation_point_size : enable\n"
                             "#extension GL_OES_viewport_array : enable\n"
                             "#extension GL_EXT_blend_func_extended : enable\n"
                             "#extension GL_EXT_shader_framebuffer_fetch : enable\n"
                             "precision highp float;\nprecision highp sampler3D;\n"
                             "precision highp sampler2DArray;\n"
                             "precision highp sampler2DShadow;\n"
                             "precision highp samplerCubeShadow;\n"
                             "precision highp samplerCubeArray;\n",
                             body};

    return compile(type, 2, source);
}

/* A cube from -1 to 1: four floats of place, three of colour a corner. */
static inline void make_cube(void)
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
static inline void set_matrix(GLuint program, float away)
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

/* geometry NULL: none. */
static inline void use_three(const char *vertex, const char *geometry,
                             const char *pixel, float away)
{
    GLuint program = glCreateProgram();

    glAttachShader(program, shader(GL_VERTEX_SHADER, vertex));
    if (geometry != NULL)
        glAttachShader(program, shader(GL_GEOMETRY_SHADER, geometry));
    glAttachShader(program, shader(GL_FRAGMENT_SHADER, pixel));
    glBindAttribLocation(program, 0, "place");
    glBindAttribLocation(program, 1, "colour");
    glLinkProgram(program);
    glUseProgram(program);
    set_matrix(program, away);
    glEnable(GL_DEPTH_TEST);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
}

static inline void use(const char *vertex, const char *pixel, float away)
{
    use_three(vertex, NULL, pixel, away);
}

static inline void make_texture(GLint min, GLint mag)
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

static inline void save(const char *folder, const char *name)
{
    char path[4096];

    snprintf(path, sizeof(path), "%s/%s.ppm", folder, name);
    save_picture(path, WIDTH, HEIGHT);
}

/* ---- parts of scenes ---------------------------------------------------- */

static const char plain_vertex[] =
    "in vec4 place; in vec3 colour; uniform mat4 m; out vec3 c;\n"
    "void main() { gl_Position = m * place; c = colour; }";
static const char plain_pixel[] =
    "in vec3 c; out vec4 o; void main() { o = vec4(c, 1.0); }";
static const char textured[] = "in vec3 c; uniform sampler2D s; out vec4 o;\n"
                               "void main() { o = texture(s, c.xy * 2.0); }";

static inline void draw(void)
{
    glDrawArrays(GL_TRIANGLES, 0, CORNERS);
}

struct scene {
    const char *name;
    void (*show)(void);
};

static inline int is_wanted(int argc, char **argv, const char *name)
{
    int wanted = argc == 2;

    for (int i = 2; i < argc; i++)
        wanted |= strcmp(argv[i], name) == 0;
    return wanted;
}

/* PROGRAM FOLDER [SCENE...]: all of them, or these. */
static inline int show_scenes(int argc, char **argv, const struct scene *scene,
                              size_t count)
{
    start();
    make_cube();
    for (size_t i = 0; i < count; i++) {
        if (!is_wanted(argc, argv, scene[i].name))
            continue;
        scene[i].show();
        save(argv[1], scene[i].name);
    }
    return 0;
}
#endif
