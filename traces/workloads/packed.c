/* packed.c - what github.com/azhirnov/as-en measures of compressed render targets
 * (AE/samples/res_editor/_data/scripts/perf/RTCompression.as @bfbdf500, as which its
 * table was measured), 2,048 x 2,048 of its 8,192 x 8,192 pixels: a target of noise in
 * squares, which the next pass halves into another target, four texel fetches a pixel.
 * The target is a frame, the halving the next one.
 * packed SQUARE [SIZE] (log2 of the square's side, 9: one colour; pixels a side) */
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES3/gl32.h>
#include <stdio.h>
#include <stdlib.h>

static void display_start(EGLDisplay *display, EGLSurface *surface)
{
    static const EGLint want[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT,
                                  EGL_RENDERABLE_TYPE, EGL_OPENGL_ES3_BIT, EGL_NONE};
    static const EGLint size[] = {EGL_WIDTH, 16, EGL_HEIGHT, 16, EGL_NONE};
    static const EGLint version[] = {EGL_CONTEXT_CLIENT_VERSION, 3, EGL_NONE};
    EGLConfig config;
    EGLContext context;
    EGLint n = 0;

    *display =
        eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
    if (!eglInitialize(*display, NULL, NULL) || !eglBindAPI(EGL_OPENGL_ES_API) ||
        !eglChooseConfig(*display, want, &config, 1, &n) || n < 1)
        exit(3);
    context = eglCreateContext(*display, config, EGL_NO_CONTEXT, version);
    *surface = eglCreatePbufferSurface(*display, config, size);
    if (!eglMakeCurrent(*display, *surface, *surface, context))
        exit(3);
}

static void shader_add(GLuint program, GLenum type, const char *text)
{
    GLuint shader = glCreateShader(type);
    GLint good;

    glShaderSource(shader, 1, &text, NULL);
    glCompileShader(shader);
    glGetShaderiv(shader, GL_COMPILE_STATUS, &good);
    if (!good)
        exit(3);
    glAttachShader(program, shader);
}

static GLuint image_of(GLsizei size)
{
    GLuint texture;

    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, size, size);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    return texture;
}

static const char vertex[] =
    "#version 320 es\nvoid main() { gl_Position = vec4(\n"
    "gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0, 0.0, 1.0); }";

/* A random number of each square and channel, by integers, so that any driver draws the
 * same. */
static const char noise[] =
    "#version 320 es\nprecision highp float; precision highp int;\n"
    "uniform int square; out vec4 o;\n"
    "uint hash(uint n) { n = (n ^ (n >> 16)) * 0x7feb352du;\n"
    "n = (n ^ (n >> 15)) * 0x846ca68bu; return n ^ (n >> 16); }\n"
    "void main() { uvec2 p = uvec2(gl_FragCoord.xy) >> square;\n"
    "uint n = hash(p.x + hash(p.y + 1u));\n"
    "o = square > 8 ? vec4(0.0) : vec4(uvec4(n, n >> 8, n >> 16, n >> 24) & 255u)\n"
    "/ 255.0; }";

static const char mean[] =
    "#version 320 es\nprecision highp float; uniform highp sampler2D s; out vec4 o;\n"
    "void main() { ivec2 at = ivec2(gl_FragCoord.xy) * 2;\n"
    "o = (texelFetch(s, at, 0) + texelFetch(s, at + ivec2(1, 0), 0) +\n"
    "texelFetch(s, at + ivec2(0, 1), 0) + texelFetch(s, at + ivec2(1, 1), 0)) / 4.0; }";

/* Draw all of `target` by a fragment shader. */
static void texture_fill(GLuint target, GLsizei size, const char *fragment, int square)
{
    GLuint program = glCreateProgram(), frame;

    shader_add(program, GL_VERTEX_SHADER, vertex);
    shader_add(program, GL_FRAGMENT_SHADER, fragment);
    glLinkProgram(program);
    glUseProgram(program);
    glUniform1i(glGetUniformLocation(program, "square"), square);
    glGenFramebuffers(1, &frame);
    glBindFramebuffer(GL_FRAMEBUFFER, frame);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, target,
                           0);
    glViewport(0, 0, size, size);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glFinish();
}

int main(int argc, char **argv)
{
    EGLDisplay display;
    EGLSurface surface;
    GLuint from, to;
    GLsizei size = argc > 2 ? atoi(argv[2]) : 2048;

    if (argc < 2 || argc > 3 || size < 2) {
        fprintf(stderr, "usage: packed SQUARE [SIZE]\n");
        return 2;
    }
    display_start(&display, &surface);
    from = image_of(size);
    to = image_of(size / 2);
    texture_fill(from, size, noise, atoi(argv[1]));
    eglSwapBuffers(display, surface);
    glBindTexture(GL_TEXTURE_2D, from);
    texture_fill(to, size / 2, mean, 0);
    eglSwapBuffers(display, surface);
    return glGetError() == GL_NO_ERROR ? 0 : 1;
}
