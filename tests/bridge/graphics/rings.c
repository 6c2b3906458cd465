/* rings.c - for tests/bridge/test_gfx.sh: all triangles that tessellated patches have,
 * as their corners' places in the domain, by transform feedback; a line each, behind
 * one that names the patch. Factors come from a fixed seed. */
#include <string.h>

#include "../../support/rng.h"
#include "gl.h"

enum { PATCHES = 14, ROOM = 1 << 20, DEFAULT_INNER = 0x8E73, DEFAULT_OUTER = 0x8E74 };
typedef void levels_fn(GLenum which, const GLfloat *values);

static float any(void)
{
    static uint64_t seed = 3;

    return 1.05f + lcg_unit(&seed) * 12;
}

static void use_program(const char *domain, const char *spacing)
{
    static const char *const varying = "place";
    static const char *const vertex = "#version 410\nvoid main() { }";
    char evaluation[400];
    const char *text = evaluation;
    GLuint program = glCreateProgram();

    snprintf(evaluation, sizeof(evaluation),
             "#version 410\nlayout(%s, %s, ccw) in;\nout vec3 place;\n"
             "void main() { place = gl_TessCoord; gl_Position = vec4(0); }",
             domain, spacing);
    glAttachShader(program, compile(GL_VERTEX_SHADER, 1, &vertex));
    glAttachShader(program, compile(GL_TESS_EVALUATION_SHADER, 1, &text));
    glTransformFeedbackVaryings(program, 1, &varying, GL_INTERLEAVED_ATTRIBS);
    glLinkProgram(program);
    glUseProgram(program);
}

static void draw(const char *name)
{
    GLuint query, count = 0;
    const float *place;

    glGenQueries(1, &query);
    glBeginQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, query);
    glBeginTransformFeedback(GL_TRIANGLES);
    glDrawArrays(GL_PATCHES, 0, 1);
    glEndTransformFeedback();
    glEndQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN);
    glGetQueryObjectuiv(query, GL_QUERY_RESULT, &count);
    printf("%s\n", name);
    place = glMapBufferRange(GL_TRANSFORM_FEEDBACK_BUFFER, 0, ROOM, GL_MAP_READ_BIT);
    for (GLuint i = 0; place != NULL && i < count * 9; i++)
        printf("%.5f%c", (double)place[i], i % 9 == 8 ? '\n' : ' ');
    glUnmapBuffer(GL_TRANSFORM_FEEDBACK_BUFFER);
}

int main(void)
{
    static const char *const domains[] = {"quads", "triangles"};
    static const char *const spacings[] = {"equal_spacing", "fractional_odd_spacing",
                                           "fractional_even_spacing"};
    void (*found)(void) = eglGetProcAddress("glPatchParameterfv");
    levels_fn *set_levels;
    EGLDisplay display;
    GLuint buffer;

    (void)start_gl(16, 16, 0, &display);
    memcpy(&set_levels, &found, sizeof(set_levels));
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_TRANSFORM_FEEDBACK_BUFFER, buffer);
    glBufferData(GL_TRANSFORM_FEEDBACK_BUFFER, ROOM, NULL, GL_STREAM_READ);
    glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, buffer);
    glEnable(GL_RASTERIZER_DISCARD);
    glPatchParameteri(GL_PATCH_VERTICES, 1);
    for (int i = 0; i < 6; i++) {
        use_program(domains[i / 3], spacings[i % 3]);
        for (int k = 0; k < PATCHES; k++) {
            GLfloat outer[4] = {any(), any(), any(), any()}, inner[2] = {any(), any()};

            if (k % 3 == 0) /* all alike */
                outer[1] = outer[2] = outer[3] = inner[0] = inner[1] = outer[0];
            set_levels(DEFAULT_OUTER, outer);
            set_levels(DEFAULT_INNER, inner);
            draw(domains[i / 3]);
        }
    }
    return glGetError() != GL_NO_ERROR;
}
