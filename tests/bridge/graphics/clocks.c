/* clocks.c - a GLES 3 program for tests/bridge/test_gl_time.sh: what timer queries say
 * of a draw whose pixels go 10 and 2,000 times round, twice in turn, and the context's
 * clock between two queries. */
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES3/gl32.h>

#include <GLES2/gl2ext.h> /* behind the types that it needs */
#include <stdlib.h>

#include "gl.h"
#include "right.h"

enum { WIDTH = 64, HEIGHT = 64 };

static const char vertex[] = "#version 300 es\nlayout(location = 0) in vec2 place;\n"
                             "void main() { gl_Position = vec4(place, 0.0, 1.0); }";

static const char fragment[] =
    "#version 300 es\nprecision highp float; out vec4 o; uniform int n;\n"
    "void main() { float a = gl_FragCoord.x;\n"
    " for (int i = 0; i < n; i++) a = fract(a * 1.25 + 0.5); o = vec4(a); }";

static PFNGLGETQUERYOBJECTUI64VEXTPROC get_result;
static PFNGLQUERYCOUNTEREXTPROC query_counter;

static void find_calls(void)
{
    get_result =
        (PFNGLGETQUERYOBJECTUI64VEXTPROC)eglGetProcAddress("glGetQueryObjectui64vEXT");
    query_counter = (PFNGLQUERYCOUNTEREXTPROC)eglGetProcAddress("glQueryCounterEXT");
    if (get_result == NULL || query_counter == NULL)
        exit(3);
}

static GLuint64 result_of(GLuint query)
{
    GLuint64 value = 0;

    get_result(query, GL_QUERY_RESULT_EXT, &value);
    return value;
}

int main(void)
{
    EGLDisplay display;
    EGLSurface surface = start_gles(WIDTH, HEIGHT, 0, &display);
    GLuint program = link_program(vertex, fragment), query[3];
    GLuint64 took[4];
    GLint64 now = 0;

    find_calls();
    cover_picture();
    glViewport(0, 0, WIDTH, HEIGHT);
    glUseProgram(program);
    glGenQueries(3, query);
    for (int i = 0; i < 4; i++) {
        glUniform1i(glGetUniformLocation(program, "n"), i % 2 ? 2000 : 10);
        glBeginQuery(GL_TIME_ELAPSED_EXT, query[0]);
        glDrawArrays(GL_TRIANGLES, 0, 3);
        glEndQuery(GL_TIME_ELAPSED_EXT);
        took[i] = result_of(query[0]);
        printf("%d rounds: %llu ns\n", i % 2 ? 2000 : 10, (unsigned long long)took[i]);
    }
    check(took[3] > 50 * took[2], "200 times the rounds take over 50 times as long");
    query_counter(query[1], GL_TIMESTAMP_EXT);
    (void)result_of(query[1]);
    glGetInteger64v(GL_TIMESTAMP_EXT, &now);
    query_counter(query[2], GL_TIMESTAMP_EXT);
    check(result_of(query[1]) <= (GLuint64)now && (GLuint64)now <= result_of(query[2]),
          "the context's clock lies between the queries around it");
    eglSwapBuffers(display, surface);
    return wrong;
}
