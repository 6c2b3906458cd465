/* gl.h - what the GL programs of these tests share: a context, a shader compiled, a
 * picture saved. What fails ends the program with 3. */
#ifndef GL_H
#define GL_H
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES3/gl32.h>
#include <stdio.h>
#include <stdlib.h>

/* A context of `api` without a window, of `version` (EGL_NONE: any), and its picture,
 * with so many bits of depth. */
static inline EGLSurface start_api(EGLenum api, EGLint kind, const EGLint *version,
                                   EGLint width, EGLint height, EGLint depth,
                                   EGLDisplay *display)
{
    const EGLint want[] = {EGL_SURFACE_TYPE,
                           EGL_PBUFFER_BIT,
                           EGL_RENDERABLE_TYPE,
                           kind,
                           EGL_RED_SIZE,
                           8,
                           EGL_DEPTH_SIZE,
                           depth,
                           EGL_NONE};
    const EGLint size[] = {EGL_WIDTH, width, EGL_HEIGHT, height, EGL_NONE};
    EGLDisplay d =
        eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
    EGLSurface surface;
    EGLContext context;
    EGLConfig config;
    EGLint n;

    if (!eglInitialize(d, NULL, NULL) || !eglBindAPI(api) ||
        !eglChooseConfig(d, want, &config, 1, &n) || n < 1)
        exit(3);
    context = eglCreateContext(d, config, EGL_NO_CONTEXT, version);
    surface = eglCreatePbufferSurface(d, config, size);
    if (!eglMakeCurrent(d, surface, surface, context))
        exit(3);
    *display = d;
    return surface;
}

/* GLES 3. */
static inline EGLSurface start_gles(EGLint width, EGLint height, EGLint depth,
                                    EGLDisplay *display)
{
    static const EGLint version[] = {EGL_CONTEXT_CLIENT_VERSION, 3, EGL_NONE};

    return start_api(EGL_OPENGL_ES_API, EGL_OPENGL_ES3_BIT, version, width, height,
                     depth, display);
}

/* GL, compatible with old ones. */
static inline EGLSurface start_gl(EGLint width, EGLint height, EGLint depth,
                                  EGLDisplay *display)
{
    return start_api(EGL_OPENGL_API, EGL_OPENGL_BIT, NULL, width, height, depth,
                     display);
}

static inline GLuint compile(GLenum type, GLsizei parts, const char *const *source)
{
    GLuint s = glCreateShader(type);
    GLint good;

    glShaderSource(s, parts, source, NULL);
    glCompileShader(s);
    glGetShaderiv(s, GL_COMPILE_STATUS, &good);
    if (!good) {
        char log[1000];

        glGetShaderInfoLog(s, sizeof(log), NULL, log);
        fprintf(stderr, "%s\n%s\n", log, source[parts - 1]);
        exit(3);
    }
    return s;
}

/* A program of both. */
static inline GLuint link_program(const char *vertex, const char *fragment)
{
    GLuint program = glCreateProgram();

    glAttachShader(program, compile(GL_VERTEX_SHADER, 1, &vertex));
    glAttachShader(program, compile(GL_FRAGMENT_SHADER, 1, &fragment));
    glLinkProgram(program);
    return program;
}

/* Attribute 0: the two coordinates of a triangle's corners that covers the picture. */
static inline void cover_picture(void)
{
    static const float corner[] = {-1, -1, 3, -1, -1, 3};
    GLuint buffer;

    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferData(GL_ARRAY_BUFFER, sizeof(corner), corner, GL_STATIC_DRAW);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 8, NULL);
    glEnableVertexAttribArray(0);
}

/* A new frame buffer of RGBA8 and depths of this format, whose memory is zeros. */
static inline void new_frame_buffer(GLenum depth, GLsizei width, GLsizei height)
{
    GLuint frame, buffer[2];

    glGenFramebuffers(1, &frame);
    glBindFramebuffer(GL_FRAMEBUFFER, frame);
    glGenRenderbuffers(2, buffer);
    glBindRenderbuffer(GL_RENDERBUFFER, buffer[0]);
    glRenderbufferStorage(GL_RENDERBUFFER, depth, width, height);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER,
                              depth == GL_DEPTH24_STENCIL8 ? GL_DEPTH_STENCIL_ATTACHMENT
                                                           : GL_DEPTH_ATTACHMENT,
                              GL_RENDERBUFFER, buffer[0]);
    glBindRenderbuffer(GL_RENDERBUFFER, buffer[1]);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, width, height);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER,
                              buffer[1]);
}

/* The frame buffer's width x height pixels as PPM. */
static inline void save_picture(const char *path, int width, int height)
{
    size_t row = (size_t)width * 4;
    unsigned char *pixel = malloc(row * (size_t)height);
    FILE *file = fopen(path, "wb");

    if (pixel == NULL || file == NULL)
        exit(3);
    glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
    fprintf(file, "P6 %d %d 255\n", width, height);
    for (int y = height - 1; y >= 0; y--)
        for (int x = 0; x < width; x++)
            fwrite(&pixel[row * (size_t)y + 4 * (size_t)x], 1, 3, file);
    fclose(file);
    free(pixel);
}

#endif
