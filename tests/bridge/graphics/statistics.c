/* statistics.c - pipeline statistics and occlusion counts of a draw, a line each, and
 * what stream output writes, by desktop GL on Mesa's surfaceless platform, for
 * tests/bridge/test_gfx.sh. Triangles lie inside, outside, across the near plane and
 * behind each other; their corners are doubles. */
#include "scene.h"

static const struct {
    GLenum target;
    const char *name;
} queries[] = {
    {0x82EE, "vertices"},     {0x82EF, "primitives"},    {0x82F0, "vertex shaders"},
    {0x82F6, "clipper's in"}, {0x82F7, "clipper's out"}, {0x8914, "samples passed"},
};
enum { QUERIES = sizeof(queries) / sizeof(queries[0]), TRIANGLES = 6 };

static void start_desktop(void)
{
    static const EGLint want[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT,
                                  EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_NONE};
    EGLDisplay d =
        eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
    GLuint frame, colour, depth;
    EGLConfig config;
    EGLint n;

    if (!eglInitialize(d, NULL, NULL) || !eglBindAPI(EGL_OPENGL_API) ||
        !eglChooseConfig(d, want, &config, 1, &n) || n < 1 ||
        !eglMakeCurrent(d, EGL_NO_SURFACE, EGL_NO_SURFACE,
                        eglCreateContext(d, config, EGL_NO_CONTEXT, NULL)))
        exit(3);
    glGenRenderbuffers(1, &colour);
    glBindRenderbuffer(GL_RENDERBUFFER, colour);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, WIDTH, HEIGHT);
    glGenRenderbuffers(1, &depth);
    glBindRenderbuffer(GL_RENDERBUFFER, depth);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH24_STENCIL8, WIDTH, HEIGHT);
    glGenFramebuffers(1, &frame);
    glBindFramebuffer(GL_FRAMEBUFFER, frame);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER,
                              colour);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT,
                              GL_RENDERBUFFER, depth);
    glViewport(0, 0, WIDTH, HEIGHT);
}

static void prepare_draw(void)
{
    enum { DOUBLES = 0x140A };
    static const double place[TRIANGLES * 3][4] = {
        {-.9, -.9, 0, 1},  {.3, -.8, 0, 1},  {-.5, .7, 0, 1}, /* inside */
        {-.7, -.7, .5, 1}, {.6, -.6, .5, 1}, {0, .8, .5, 1},  /* partly hidden */
        {2, 0, 0, 1},      {3, 0, 0, 1},     {2, 1, 0, 1},    /* outside */
        {.2, .2, -2, 1},   {.9, .3, 0, 1},   {.4, .9, 0, 1},  /* near plane */
        {-.2, -.2, .9, 1}, {.2, -.2, .9, 1}, {0, .2, .9, 1},  /* hidden */
        {.5, -.9, 0, 1},   {.9, -.9, 0, 1},  {.9, -.2, 0, 1},
    };
    static const char *const vertex = "#version 130\nin vec4 place;\n"
                                      "void main() { gl_Position = place; }";
    static const char *const pixel = "#version 130\nout vec4 o;\n"
                                     "void main() { o = vec4(1.0); }";
    GLuint program = glCreateProgram(), buffer;

    glAttachShader(program, compile(GL_VERTEX_SHADER, 1, &vertex));
    glAttachShader(program, compile(GL_FRAGMENT_SHADER, 1, &pixel));
    glBindAttribLocation(program, 0, "place");
    glLinkProgram(program);
    glUseProgram(program);
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferData(GL_ARRAY_BUFFER, sizeof(place), place, GL_STATIC_DRAW);
    glVertexAttribPointer(0, 4, DOUBLES, GL_FALSE, 0, NULL);
    glEnableVertexAttribArray(0);
    glEnable(GL_DEPTH_TEST);
}

/* The triangles' corners as they leave the vertex shader, into a buffer that has room
 * for four of six: what was written, and how many there were and would have been. */
static void stream_out(void)
{
    enum { ROOM = 4 };
    static const char *const varying = "gl_Position";
    GLint program;
    GLuint buffer, query[2], count[2] = {0, 0};
    const float *corner;

    glGetIntegerv(GL_CURRENT_PROGRAM, &program);
    glTransformFeedbackVaryings((GLuint)program, 1, &varying, GL_INTERLEAVED_ATTRIBS);
    glLinkProgram((GLuint)program);
    glUseProgram((GLuint)program);
    glGenBuffers(1, &buffer);
    glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, buffer);
    glBufferData(GL_TRANSFORM_FEEDBACK_BUFFER, ROOM * 3 * 16 + 12, NULL,
                 GL_STATIC_READ);
    glGenQueries(2, query);
    glBeginQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, query[0]);
    glBeginQuery(GL_PRIMITIVES_GENERATED, query[1]);
    glBeginTransformFeedback(GL_TRIANGLES);
    glDrawArrays(GL_TRIANGLES, 0, 6); /* in two parts: the second follows the first */
    glDrawArrays(GL_TRIANGLES, 6, 3 * (TRIANGLES - 2));
    glEndTransformFeedback();
    glEndQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN);
    glEndQuery(GL_PRIMITIVES_GENERATED);
    for (int i = 0; i < 2; i++)
        glGetQueryObjectuiv(query[i], GL_QUERY_RESULT, &count[i]);
    printf("streamed %u of %u\n", count[0], count[1]);
    corner = glMapBufferRange(GL_TRANSFORM_FEEDBACK_BUFFER, 0, ROOM * 3 * 16,
                              GL_MAP_READ_BIT);
    for (int i = 0; corner != NULL && i < ROOM * 3; i++)
        printf("%.2f %.2f %.2f %.2f\n", (double)corner[4 * i],
               (double)corner[4 * i + 1], (double)corner[4 * i + 2],
               (double)corner[4 * i + 3]);
    glUnmapBuffer(GL_TRANSFORM_FEEDBACK_BUFFER);
}

/* Levels of a texture of one dimension and several layers, as a shader is told. */
static void sizes(void)
{
    enum { ARRAY_1D = 0x8C18, WIDE = 37, LAYERS = 5 };
    static const char *const varying = "gl_Position";
    static const char *const vertex =
        "#version 130\nuniform sampler1DArray s;\n"
        "void main() { gl_Position = vec4(textureSize(s, 0), textureSize(s, 1)); }";
    GLuint program = glCreateProgram(), texture;
    const float *size;

    glAttachShader(program, compile(GL_VERTEX_SHADER, 1, &vertex));
    glTransformFeedbackVaryings(program, 1, &varying, GL_INTERLEAVED_ATTRIBS);
    glLinkProgram(program);
    glUseProgram(program);
    glGenTextures(1, &texture);
    glBindTexture(ARRAY_1D, texture);
    for (int i = 0; i < 6; i++)
        glTexImage2D(ARRAY_1D, i, GL_RGBA8, WIDE >> i, LAYERS, 0, GL_RGBA,
                     GL_UNSIGNED_BYTE, NULL);
    glBeginTransformFeedback(GL_POINTS);
    glDrawArrays(GL_POINTS, 0, 1);
    glEndTransformFeedback();
    size = glMapBufferRange(GL_TRANSFORM_FEEDBACK_BUFFER, 0, 16, GL_MAP_READ_BIT);
    if (size != NULL)
        printf("sizes %.0f %.0f, %.0f %.0f\n", (double)size[0], (double)size[1],
               (double)size[2], (double)size[3]);
}

/* Lanes of a compute shader: groups of 25 fill no thread, of 700 several. */
static void count_compute(void)
{
    enum { INVOCATIONS = 0x82F5 };
    static const char *const sources[2] = {
        "#version 430\nlayout(local_size_x = 5, local_size_y = 5) in;\n"
        "layout(std430, binding = 1) buffer B { uint n[]; };\n"
        "void main() { atomicAdd(n[0], 1u); }",
        "#version 430\nlayout(local_size_x = 700) in;\n"
        "layout(std430, binding = 1) buffer B { uint n[]; };\n"
        "void main() { atomicAdd(n[1], 1u); }"};
    GLuint buffer, query, value = 0;

    glGenBuffers(1, &buffer);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, buffer);
    glBufferData(GL_SHADER_STORAGE_BUFFER, 8, NULL, GL_STATIC_DRAW);
    glGenQueries(1, &query);
    for (int i = 0; i < 2; i++) {
        GLuint program = glCreateProgram();

        glAttachShader(program, compile(GL_COMPUTE_SHADER, 1, &sources[i]));
        glLinkProgram(program);
        glUseProgram(program);
        glBeginQuery(INVOCATIONS, query);
        glDispatchCompute(3, 2, 4);
        glDispatchCompute(1, 1, 1);
        glEndQuery(INVOCATIONS);
        glGetQueryObjectuiv(query, GL_QUERY_RESULT, &value);
        printf("compute shaders %u\n", value);
    }
}

int main(void)
{
    GLuint query[QUERIES];

    start_desktop();
    prepare_draw();
    glGenQueries(QUERIES, query);
    for (int i = 0; i < QUERIES; i++) {
        GLuint value = 0;

        glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
        glBeginQuery(queries[i].target, query[i]);
        glDrawArrays(GL_TRIANGLES, 0, TRIANGLES * 3);
        glEndQuery(queries[i].target);
        glGetQueryObjectuiv(query[i], GL_QUERY_RESULT, &value);
        printf("%s %u\n", queries[i].name, value);
    }
    stream_out();
    sizes();
    count_compute();
    return glGetError() == GL_NO_ERROR ? 0 : 4;
}
