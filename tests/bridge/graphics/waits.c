/* waits.c - a GLES 3 program for tests/bridge/test_gl.sh: the GPU's clock, as the
 * processor and as queries see it, goes on while the program waits, by as much, and
 * never back; a small draw between two waits does not take what they do. */
#define _GNU_SOURCE /* nanosleep */
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES3/gl32.h>

#include <GLES2/gl2ext.h> /* behind the types that it needs */
#include <stdlib.h>
#include <time.h>

#include "gl.h"
#include "right.h"

enum { WIDTH = 16, HEIGHT = 16, LOOKS = 60, WAIT_NS = 20000000 };

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

static uint64_t processor_look(void)
{
    GLint64 now = 0;

    glGetInteger64v(GL_TIMESTAMP_EXT, &now);
    return (uint64_t)now;
}

static uint64_t query_look(GLuint query)
{
    GLuint64 value = 0;

    query_counter(query, GL_TIMESTAMP_EXT);
    get_result(query, GL_QUERY_RESULT_EXT, &value);
    return value;
}

static void wait(void)
{
    const struct timespec t = {.tv_nsec = WAIT_NS};

    (void)nanosleep(&t, NULL);
}

static void waits(GLuint query)
{
    uint64_t first = processor_look(), second;

    wait();
    second = processor_look();
    check(second >= first + WAIT_NS, "the processor's look finds that it waited");
    first = query_look(query);
    wait();
    second = query_look(query);
    check(second >= first + WAIT_NS, "a query finds it");
    first = processor_look();
    while (processor_look() < first + 1000000)
        ;
    check(1, "who only looks at the clock sees it go on");
}

static void order(GLuint query)
{
    uint64_t last = 0, back = 0;

    for (int i = 0; i < LOOKS; i++) {
        uint64_t now = i % 3 == 1 ? query_look(query) : processor_look();

        glDrawArrays(GL_TRIANGLES, 0, 3);
        if (i % 5 == 0)
            glFinish();
        back += now < last;
        last = now;
    }
    check(back == 0, "no look goes back");
}

static void draw(GLuint query)
{
    GLuint64 took = 0;

    wait();
    glBeginQuery(GL_TIME_ELAPSED_EXT, query);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glEndQuery(GL_TIME_ELAPSED_EXT);
    wait();
    get_result(query, GL_QUERY_RESULT_EXT, &took);
    check(took < WAIT_NS / 10, "a draw does not take what the program waits around it");
}

int main(void)
{
    EGLDisplay display;
    EGLSurface surface = start_gles(WIDTH, HEIGHT, 0, &display);
    GLuint query[2];

    find_calls();
    cover_picture();
    glViewport(0, 0, WIDTH, HEIGHT);
    glUseProgram(link_program("#version 300 es\nlayout(location = 0) in vec2 place;\n"
                              "void main() { gl_Position = vec4(place, 0.0, 1.0); }",
                              "#version 300 es\nprecision highp float; out vec4 o; "
                              "void main() { o = vec4(1.0); }"));
    glGenQueries(2, query);
    waits(query[0]);
    order(query[0]);
    draw(query[1]);
    eglSwapBuffers(display, surface);
    return wrong;
}
