/* contexts.c - a GL program for tests/bridge/test_gl.sh: queries of one context do not
 * count what another one draws between their begin and their end. */
#include "gl.h"
#include "right.h"

#define GL_SAMPLES_PASSED 0x8914
#define GL_VERTICES_SUBMITTED 0x82EE
enum { WIDTH = 16, HEIGHT = 16, KINDS = 5, OTHERS = 30 };

static const GLenum kind[KINDS] = {GL_SAMPLES_PASSED, GL_VERTICES_SUBMITTED,
                                   0x82F0 /* vertex shaders */, 0x82F7 /* clipper's */,
                                   GL_PRIMITIVES_GENERATED};

static void prepare(void)
{
    cover_picture();
    glViewport(0, 0, WIDTH, HEIGHT);
    glUseProgram(
        link_program("#version 130\nin vec2 place;\n"
                     "void main() { gl_Position = vec4(place, 0.0, 1.0); }",
                     "#version 130\nvoid main() { gl_FragColor = vec4(1.0); }"));
}

/* What `kind` counts of two draws with the other context's between them, or alone. */
static GLuint counted(GLenum target, EGLDisplay d, EGLSurface s, EGLContext own,
                      EGLContext other)
{
    GLuint query, value = 0;

    glGenQueries(1, &query);
    glBeginQuery(target, query);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    if (other != EGL_NO_CONTEXT) {
        if (!eglMakeCurrent(d, s, s, other))
            exit(3);
        for (int i = 0; i < OTHERS; i++)
            glDrawArrays(GL_TRIANGLES, 0, 3);
        glFinish();
        if (!eglMakeCurrent(d, s, s, own))
            exit(3);
    }
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glEndQuery(target);
    glGetQueryObjectuiv(query, GL_QUERY_RESULT, &value);
    return value;
}

int main(void)
{
    EGLDisplay display;
    EGLSurface surface = start_gl(WIDTH, HEIGHT, 0, &display);
    EGLContext own = eglGetCurrentContext(), other;
    EGLConfig config;
    EGLint number, id[] = {EGL_CONFIG_ID, 0, EGL_NONE};

    if (!eglQueryContext(display, own, EGL_CONFIG_ID, &id[1]) ||
        !eglChooseConfig(display, id, &config, 1, &number) || number < 1)
        return 3;
    prepare();
    other = eglCreateContext(display, config, EGL_NO_CONTEXT, NULL);
    if (!eglMakeCurrent(display, surface, surface, other))
        return 3;
    prepare();
    if (!eglMakeCurrent(display, surface, surface, own))
        return 3;
    for (int i = 0; i < KINDS; i++) {
        GLuint alone = counted(kind[i], display, surface, own, EGL_NO_CONTEXT);
        GLuint beside = counted(kind[i], display, surface, own, other);

        printf("0x%04x: %u alone, %u beside another context\n", kind[i], alone, beside);
        check(alone > 0 && alone == beside, "only its own are counted");
    }
    eglSwapBuffers(display, surface);
    return wrong;
}
