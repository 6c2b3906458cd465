/* beside.c - for tests/bridge/test_gfx.sh: what a driver does beside the program's
 * draws is counted by none of its queries; of several targets the first one's alpha is
 * the coverage of all; and the clock goes on with work, the same for queries and
 * program. */
#include <string.h>

#include "gl.h"

enum { SIDE = 64, SAMPLES_PASSED = 0x8914, GENERATED = 0x8C87 };
static int wrong;

static void check(const char *what, GLuint got, GLuint wanted)
{
    if (got == wanted)
        return;
    printf("%s: %u, not %u\n", what, got, wanted);
    wrong = 1;
}

static GLuint frame[2];

static void new_targets(void)
{
    GLuint texture[2];

    glGenFramebuffers(2, frame);
    glGenTextures(2, texture);
    for (int i = 0; i < 2; i++) {
        glBindTexture(GL_TEXTURE_2D, texture[i]);
        glTexStorage2D(GL_TEXTURE_2D, 7, GL_RGBA8, SIDE, SIDE);
        glBindFramebuffer(GL_FRAMEBUFFER, frame[i]);
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D,
                               texture[i], 0);
    }
}

/* A clear of the whole and of a part, a copy and levels of a texture. */
static void work(void)
{
    glBindFramebuffer(GL_FRAMEBUFFER, frame[0]);
    glClear(GL_COLOR_BUFFER_BIT);
    glEnable(GL_SCISSOR_TEST);
    glScissor(3, 3, 20, 20);
    glClear(GL_COLOR_BUFFER_BIT);
    glDisable(GL_SCISSOR_TEST);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, frame[0]);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, frame[1]);
    glBlitFramebuffer(0, 0, SIDE, SIDE, 0, 0, SIDE, SIDE, GL_COLOR_BUFFER_BIT,
                      GL_NEAREST);
    glGenerateMipmap(GL_TEXTURE_2D);
    glBindFramebuffer(GL_FRAMEBUFFER, frame[0]);
}

static GLuint count(GLenum target, int draws, int works)
{
    GLuint query, value = 0;

    glGenQueries(1, &query);
    glBeginQuery(target, query);
    if (draws)
        glDrawArrays(GL_TRIANGLES, 0, 3);
    if (works)
        work();
    if (draws)
        glDrawArrays(GL_TRIANGLES, 0, 3);
    glEndQuery(target);
    glGetQueryObjectuiv(query, GL_QUERY_RESULT, &value);
    return value;
}

static void queries(void)
{
    static const struct {
        GLenum target;
        const char *name;
        GLuint of_a_draw;
    } query[] = {{SAMPLES_PASSED, "samples", SIDE * SIDE},
                 {GENERATED, "primitives generated", 1},
                 {0x82EE, "vertices", 3},
                 {0x82EF, "primitives", 1},
                 {0x82F0, "vertex shaders", 3},
                 {0x82F6, "clipper's in", 1},
                 {0x82F7, "clipper's out", 1},
                 {0x82F4, "pixel shaders", SIDE * SIDE}};

    new_targets();
    glViewport(0, 0, SIDE, SIDE);
    glUseProgram(
        link_program("#version 130\nin vec2 p;\n"
                     "void main() { gl_Position = vec4(p, 0, 1); }",
                     "#version 130\nout vec4 o; void main() { o = vec4(1); }"));
    cover_picture();
    glBindFramebuffer(GL_FRAMEBUFFER, frame[0]);
    for (size_t i = 0; i < sizeof(query) / sizeof(query[0]); i++) {
        check(query[i].name, count(query[i].target, 0, 1), 0);
        check(query[i].name, count(query[i].target, 1, 1), 2 * query[i].of_a_draw);
    }
}

/* Two targets of four samples: the first one's alpha is 1, the second one's a half. */
static void coverage(void)
{
    static const GLenum both[] = {GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1};
    GLuint many, buffer[2];

    glGenFramebuffers(1, &many);
    glBindFramebuffer(GL_FRAMEBUFFER, many);
    glGenRenderbuffers(2, buffer);
    for (int i = 0; i < 2; i++) {
        glBindRenderbuffer(GL_RENDERBUFFER, buffer[i]);
        glRenderbufferStorageMultisample(GL_RENDERBUFFER, 4, GL_RGBA8, SIDE, SIDE);
        glFramebufferRenderbuffer(GL_FRAMEBUFFER, both[i], GL_RENDERBUFFER, buffer[i]);
    }
    glDrawBuffers(2, both);
    glClearColor(1, 1, 1, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glUseProgram(link_program(
        "#version 330\nin vec2 p; void main() { gl_Position = vec4(p, 0, 1); }",
        "#version 330\nlayout(location = 0) out vec4 a;\n"
        "layout(location = 1) out vec4 b;\n"
        "void main() { bool left = gl_FragCoord.x < 32.;\n"
        "a = vec4(0, 1, 0, left ? 1. : .5); b = vec4(0, 0, 1, left ? .5 : 1.); }"));
    glEnable(GL_SAMPLE_ALPHA_TO_COVERAGE);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    for (int i = 0; i < 4; i++) {
        static const unsigned char wanted[4][4] = {{0, 255, 0, 255},
                                                   {128, 255, 128, 191},
                                                   {0, 0, 255, 128},
                                                   {128, 128, 255, 255}};
        unsigned char p[4];

        glBindFramebuffer(GL_READ_FRAMEBUFFER, many);
        glReadBuffer(both[i / 2]);
        glBindFramebuffer(GL_DRAW_FRAMEBUFFER, frame[0]);
        glBlitFramebuffer(0, 0, SIDE, SIDE, 0, 0, SIDE, SIDE, GL_COLOR_BUFFER_BIT,
                          GL_NEAREST);
        glBindFramebuffer(GL_READ_FRAMEBUFFER, frame[0]);
        glReadPixels(i % 2 ? SIDE - 2 : 1, 1, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, p);
        for (int k = 0; k < 4; k++)
            check("alpha to coverage", (GLuint)(abs(p[k] - wanted[i][k]) <= 1), 1);
    }
}

/* ---- the clock ---------------------------------------------------------- */

enum { ELAPSED = 0x88BF, TIMESTAMP = 0x8E28 };
typedef void counter_fn(GLuint query, GLenum target);
typedef void result_fn(GLuint query, GLenum which, GLuint64 *value);

static GLuint64 elapsed(result_fn *result, GLuint query, GLint rounds, int count)
{
    GLuint64 ns = 0;

    glUniform1i(rounds, count);
    glBeginQuery(ELAPSED, query);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glEndQuery(ELAPSED);
    result(query, GL_QUERY_RESULT, &ns);
    return ns;
}

static void times(void)
{
    void (*found[2])(void) = {eglGetProcAddress("glQueryCounter"),
                              eglGetProcAddress("glGetQueryObjectui64v")};
    counter_fn *counter;
    result_fn *result;
    GLuint64 before = 0, after = 0, few, many;
    GLuint query[3], program;
    GLint64 now = 0;
    GLint rounds;

    memcpy(&counter, &found[0], sizeof(counter));
    memcpy(&result, &found[1], sizeof(result));
    glGenQueries(3, query);
    glDisable(GL_SAMPLE_ALPHA_TO_COVERAGE);
    program = link_program(
        "#version 330\nin vec2 p; void main() { gl_Position = vec4(p, 0, 1); }",
        "#version 330\nuniform int n; out vec4 o; void main() { float f = "
        "gl_FragCoord.x;\n"
        "for (int i = 0; i < n; i++) f = sin(f * 1.1); o = vec4(f); }");
    glUseProgram(program);
    rounds = glGetUniformLocation(program, "n");
    (void)elapsed(result, query[0], rounds, 10); /* and the driver's own beginnings */
    few = elapsed(result, query[0], rounds, 10);
    many = elapsed(result, query[0], rounds, 1000);
    check("100 times the work takes longer", many > 20 * few && few > 0, 1);
    counter(query[1], TIMESTAMP);
    result(query[1], GL_QUERY_RESULT, &before);
    glGetInteger64v(TIMESTAMP, &now);
    counter(query[2], TIMESTAMP);
    result(query[2], GL_QUERY_RESULT, &after);
    check("the program's look lies between",
          before > 0 && (GLuint64)now >= before && (GLuint64)now <= after, 1);
}

int main(void)
{
    EGLDisplay display;

    (void)start_gl(SIDE, SIDE, 0, &display);
    queries();
    coverage();
    times();
    return wrong || glGetError() != GL_NO_ERROR;
}
