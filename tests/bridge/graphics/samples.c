/* samples.c - scenes of several samples a pixel for tests/bridge/test_gfx.sh, with
 * four: as many as llvmpipe has. Each picture is read back into FOLDER. samples FOLDER
 * [SCENE] */
#include "scene.h"

enum { SAMPLES = 4 };

static GLuint own, many, texture;

/* From here on a new frame buffer of several samples is drawn to. */
static void begin(void)
{
    GLuint depth;
    GLint frame;

    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &frame);
    own = (GLuint)frame;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D_MULTISAMPLE, texture);
    glTexStorage2DMultisample(GL_TEXTURE_2D_MULTISAMPLE, SAMPLES, GL_RGBA8, WIDTH,
                              HEIGHT, GL_TRUE);
    glGenRenderbuffers(1, &depth);
    glBindRenderbuffer(GL_RENDERBUFFER, depth);
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, SAMPLES, GL_DEPTH24_STENCIL8,
                                     WIDTH, HEIGHT);
    glGenFramebuffers(1, &many);
    glBindFramebuffer(GL_FRAMEBUFFER, many);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0,
                           GL_TEXTURE_2D_MULTISAMPLE, texture, 0);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT,
                              GL_RENDERBUFFER, depth);
}

/* Its samples' mean. */
static void resolve(void)
{
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, own);
    glBlitFramebuffer(0, 0, WIDTH, HEIGHT, 0, 0, WIDTH, HEIGHT, GL_COLOR_BUFFER_BIT,
                      GL_NEAREST);
    glBindFramebuffer(GL_FRAMEBUFFER, own);
}

static void edges(void)
{
    begin();
    use(plain_vertex, plain_pixel, 4);
    draw();
    resolve();
}

/* Two draws in each other, by depth and stencil of each sample. */
static void crossing(void)
{
    begin();
    use(plain_vertex, plain_pixel, 4);
    glEnable(GL_STENCIL_TEST);
    glStencilFunc(GL_ALWAYS, 1, 255);
    glStencilOp(GL_KEEP, GL_KEEP, GL_INCR);
    draw();
    glUseProgram(0);
    {
        GLuint program = glCreateProgram();

        glAttachShader(program,
                       shader(GL_VERTEX_SHADER,
                              "in vec4 place; uniform mat4 m; void main() {\n"
                              "gl_Position = m * (place * vec4(1.3, 0.5, 1.2, 1)); }"));
        glAttachShader(program, shader(GL_FRAGMENT_SHADER,
                                       "out vec4 o; void main() {\n"
                                       "o = vec4(1.0, 1.0 - gl_FragCoord.z, 0, 1); }"));
        glBindAttribLocation(program, 0, "place");
        glLinkProgram(program);
        glUseProgram(program);
        set_matrix(program, 4);
    }
    glStencilFunc(GL_GREATER, 3, 255);
    draw();
    glDisable(GL_STENCIL_TEST);
    resolve();
}

/* Each of them shown. */
static void fetched(void)
{
    begin();
    use(plain_vertex, plain_pixel, 4);
    draw();
    glBindFramebuffer(GL_FRAMEBUFFER, own);
    use(plain_vertex,
        "precision highp sampler2DMS; uniform sampler2DMS s; in vec3 c; out vec4 o;\n"
        "void main() { ivec2 p = ivec2(gl_FragCoord.xy);\n"
        "o = texelFetch(s, p, (p.x + p.y) & 3) * 0.8; o.b += c.x * 0.2; }",
        4);
    draw();
}

/* The shader runs for each sample. */
static void for_each_sample(void)
{
    begin();
    use("in vec4 place; in vec3 colour; uniform mat4 m; sample out vec3 c;\n"
        "void main() { gl_Position = m * place; c = colour; }",
        "sample in vec3 c; out vec4 o; void main() {\n"
        "o = vec4(c * 0.6 + 0.4 * vec3(gl_SamplePosition, float(gl_SampleID) / 3.0), "
        "1); }",
        4);
    draw();
    resolve();
}

/* How colours change towards places that the shader names, 20 times. Without
 * perspective: llvmpipe takes that of the pixel's middle for all places. */
static void differences(const char *places)
{
    char text[700];

    snprintf(text, sizeof(text),
             "in vec3 c; out vec4 o; void main() { vec3 d = vec3(0); %s\n"
             "o = vec4(0.5 + 20.0 * d, 1.0); }",
             places);
    use("in vec4 place; in vec3 colour; uniform mat4 m; out vec3 c; void main() {\n"
        "gl_Position = m * place; gl_Position /= gl_Position.w; c = colour; }",
        text, 4);
    draw();
}

static void at_offsets(void)
{
    differences("d.x = interpolateAtOffset(c, vec2(0.4375, -0.5)).x - c.x;\n"
                "vec2 steps = floor(fract(c.xy * 7.0) * 16.0);\n"
                "d.y = interpolateAtOffset(c, steps / 16.0 - 0.5).y - c.y;\n"
                "d.z = interpolateAtCentroid(c).z - c.z;");
}

/* The same of lines, along them, and of points, which are the same all over. */
static void at_offsets_of_lines(void)
{
    static const float v[10][5] = {
        {-0.9f, -0.79333f, 0, 0, 0}, {0.8f, -0.79333f, 1, 0.5f, 0.2f},
        {-0.695f, 0.9f, 1, 0, 0.5f}, {-0.695f, -0.6f, 0, 1, 0},
        {0.6f, 0.31f, 0, 0.2f, 1},   {-0.5f, 0.31f, 0.9f, 0.1f, 0},
        {0.705f, -0.6f, 0.2f, 0, 1}, {0.705f, 0.7f, 1, 1, 0},
        {0.1f, -0.2f, 0.3f, 1, 0},   {-0.2f, 0, 0.9f, 0.6f, 1}};
    GLint old;
    GLuint buffer;

    use("in vec4 place; in vec3 colour; out vec3 c; void main() {\n"
        "gl_Position = vec4(place.xy, 0, 1); gl_PointSize = 15.0; c = colour; }",
        "in vec3 c; out vec4 o; void main() {\n"
        "vec3 d = interpolateAtOffset(c, vec2(0.4375, -0.5)) - c; o = vec4(c, 1.0);\n"
        "o.rg += 20.0 * d.rg; }",
        4);
    glGetIntegerv(GL_ARRAY_BUFFER_BINDING, &old);
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferData(GL_ARRAY_BUFFER, sizeof(v), v, GL_STATIC_DRAW);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, sizeof(v[0]), NULL);
    glVertexAttribPointer(1, 3, GL_FLOAT, GL_FALSE, sizeof(v[0]), (void *)8);
    glLineWidth(3);
    glDrawArrays(GL_LINES, 0, 8);
    glDrawArrays(GL_POINTS, 8, 2);
    glLineWidth(1);
    glBindBuffer(GL_ARRAY_BUFFER, (GLuint)old);
    glVertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, sizeof(float) * CORNER_FLOATS,
                          NULL);
    glVertexAttribPointer(1, 3, GL_FLOAT, GL_FALSE, sizeof(float) * CORNER_FLOATS,
                          (void *)16);
}

/* Samples by a number in the code, and by one that a loop counts. */
static void at_samples(void)
{
    begin();
    differences("d.x = interpolateAtSample(c, 2).x - c.x;\n"
                "for (int i = 0; i < 4; i++) d.y += interpolateAtSample(c,\n"
                "(i * int(gl_FragCoord.x)) % 4).y - c.y;");
    resolve();
}

static void centroids(void)
{
    begin();
    use("in vec4 place; in vec3 colour; uniform mat4 m; centroid out vec3 c;\n"
        "void main() { gl_Position = m * place; c = colour; }",
        "centroid in vec3 c; out vec4 o; void main() {\n"
        "o = vec4(step(vec3(-0.001), c) * step(c, vec3(1.001)) * c, 1.0); }",
        4);
    draw();
    resolve();
}

/* Coverage by the state, and by the shader, which also reads it. */
static void masks(void)
{
    begin();
    use(plain_vertex,
        "in vec3 c; out vec4 o; void main() {\n"
        "gl_SampleMask[0] = c.x > 0.5 ? gl_SampleMaskIn[0] : 5;\n"
        "o = vec4(c, 1.0); }",
        4);
    glEnable(GL_SAMPLE_MASK);
    glSampleMaski(0, 7);
    draw();
    glDisable(GL_SAMPLE_MASK);
    resolve();
}

static void few_alpha(void)
{
    begin();
    use(plain_vertex,
        "in vec3 c; out vec4 o; void main() { o = vec4(c, floor(c.y * 3.9) / 4.0 + "
        "0.2); }",
        4);
    glDisable(GL_DEPTH_TEST);
    glEnable(GL_SAMPLE_ALPHA_TO_COVERAGE);
    draw();
    glDisable(GL_SAMPLE_ALPHA_TO_COVERAGE);
    resolve();
}

/* Behind coverage, alpha is 1 for blending. */
static void whole_alpha(void)
{
    enum { SAMPLE_ALPHA_TO_ONE = 0x809F };

    begin();
    use(plain_vertex, "in vec3 c; out vec4 o; void main() { o = vec4(c, 0.4); }", 4);
    glDisable(GL_DEPTH_TEST);
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    glEnable(SAMPLE_ALPHA_TO_ONE);
    draw();
    glDisable(SAMPLE_ALPHA_TO_ONE);
    glDisable(GL_BLEND);
    resolve();
}

/* A second colour of the shader weighs what was there; into one sample. */
static void second_source(void)
{
    enum { SECOND_COLOUR = 0x88F9, ONE_MINUS_SECOND_ALPHA = 0x88FB };

    use(plain_vertex,
        "in vec3 c; layout(location = 0, index = 0) out vec4 o;\n"
        "layout(location = 0, index = 1) out vec4 p;\n"
        "void main() { o = vec4(c, 1.0); p = vec4(c.zxy, c.x * 0.7); }",
        4);
    glDisable(GL_DEPTH_TEST);
    glEnable(GL_BLEND);
    glBlendFunc(SECOND_COLOUR, ONE_MINUS_SECOND_ALPHA);
    draw();
    glDisable(GL_BLEND);
}

/* A shader blends by itself: it reads what its pixel has. */
static void read_target(void)
{
    use(plain_vertex,
        "in vec3 c; inout vec4 o;\n"
        "void main() { o = vec4(o.bgr * 0.6 + c * 0.4, 1); }",
        4);
    glDisable(GL_DEPTH_TEST);
    draw();
}

/* ..and what its sample has. */
static void read_samples(void)
{
    begin();
    read_target();
    resolve();
}

static const struct scene scenes[] = {
    {"edges", edges},
    {"crossing", crossing},
    {"fetched", fetched},
    {"for_each_sample", for_each_sample},
    {"centroids", centroids},
    {"at_offsets", at_offsets},
    {"at_offsets_of_lines", at_offsets_of_lines},
    {"at_samples", at_samples},
    {"masks", masks},
    {"few_alpha", few_alpha},
    {"whole_alpha", whole_alpha},
    {"second_source", second_source},
    {"read_target", read_target},
    {"read_samples", read_samples},
};

int main(int argc, char **argv)
{
    return show_scenes(argc, argv, scenes, sizeof(scenes) / sizeof(scenes[0]));
}
