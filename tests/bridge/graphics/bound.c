/* bound.c - for tests/bridge/test_node.sh: draws that the driver repeats without
 * telling again what it told before, so that they read what lies where an earlier batch
 * left it.
 *   bound WHAT PICTURE.ppm: draws, border, or queries, which count */
#include <string.h>

#include "gl.h"

enum { SIDE = 64, TIMES = 4 };

static const char *const colour = "#version 320 es\nprecision highp float;\n"
                                  "out vec4 o; void main() { o = vec4(.25); }";

/* No attributes: a vertex is its number, and that of its instance. */
static void draws(void)
{
    glUseProgram(link_program(
        "#version 320 es\nvoid main() { gl_Position = vec4(gl_VertexID == 1 ? 3 : -1, "
        "gl_VertexID == 2 ? 3 : -1, gl_InstanceID, 1); }",
        colour));
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE);
    for (int i = 0; i < TIMES; i++) {
        glDrawArrays(GL_TRIANGLES, 0, 3);
        glFinish();
    }
}

/* A texture of one texel, of which all but the picture's middle is the border. */
static void border(void)
{
    static const float red_green[4] = {1, .5f, 0, 1};
    static const unsigned char blue[4] = {0, 0, 255, 255};
    GLuint texture;

    glUseProgram(link_program(
        "#version 320 es\nlayout(location = 0) in vec2 p; out vec2 at;\n"
        "void main() { at = p * 2. + .5; gl_Position = vec4(p, 0, 1); }",
        "#version 320 es\nprecision highp float; in vec2 at; uniform sampler2D s;\n"
        "out vec4 o; void main() { o = texture(s, at) * .25; }"));
    cover_picture();
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, 1, 1);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, blue);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_BORDER);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_BORDER);
    glTexParameterfv(GL_TEXTURE_2D, GL_TEXTURE_BORDER_COLOR, red_green);
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE);
    for (int i = 0; i < TIMES; i++) {
        glDrawArrays(GL_TRIANGLES, 0, 3);
        glFinish();
    }
}

/* The same query about the same draw, again and again: each sees something. */
static int queries(void)
{
    int wrong = 0;

    glUseProgram(link_program(
        "#version 320 es\nvoid main() { gl_Position = vec4(gl_VertexID == 1 ? 3 : -1, "
        "gl_VertexID == 2 ? 3 : -1, 0, 1); }",
        colour));
    for (int i = 0; i < TIMES; i++) {
        GLuint query, seen = 0;

        glGenQueries(1, &query);
        glBeginQuery(GL_ANY_SAMPLES_PASSED, query);
        glDrawArrays(GL_TRIANGLES, 0, 3);
        glEndQuery(GL_ANY_SAMPLES_PASSED);
        glGetQueryObjectuiv(query, GL_QUERY_RESULT, &seen);
        wrong |= seen != 1;
    }
    return wrong;
}

/* Is the pixel this? */
static int is(int x, int y, int r, int g, int b)
{
    unsigned char p[4];

    glReadPixels(x, y, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, p);
    if (abs(p[0] - r) <= 2 && abs(p[1] - g) <= 2 && abs(p[2] - b) <= 2)
        return 1;
    printf("pixel %d %d is %d %d %d, not %d %d %d\n", x, y, p[0], p[1], p[2], r, g, b);
    return 0;
}

int main(int argc, char **argv)
{
    const char *what = argc > 2 ? argv[1] : "";
    EGLDisplay display;
    EGLSurface surface = start_gles(SIDE, SIDE, 0, &display);
    int right = 1;

    glClearColor(0, 0, 0, 0);
    glClear(GL_COLOR_BUFFER_BIT);
    if (strcmp(what, "queries") == 0) {
        right = !queries();
    } else if (strcmp(what, "border") == 0) {
        border();
        right = is(2, 2, 255, 128, 0) && is(SIDE / 2, SIDE / 2, 0, 0, 255);
    } else {
        draws();
        right = is(2, 2, 255, 255, 255) && is(SIDE - 1, SIDE - 1, 255, 255, 255);
    }
    save_picture(argv[2], SIDE, SIDE);
    eglSwapBuffers(display, surface);
    return right && glGetError() == GL_NO_ERROR ? 0 : 1;
}
