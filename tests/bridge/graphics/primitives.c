/* primitives.c - scenes of primitives for tests/bridge/test_gfx.sh: points, lines, what
 * is cut, moved or drawn by numbers in memory. Each picture is read back into FOLDER.
 *   primitives FOLDER [SCENE] */
#include "scene.h"

static const char sized_vertex[] =
    "in vec4 place; in vec3 colour; uniform mat4 m; out vec3 c; void main() {\n"
    "gl_Position = m * place; c = colour; gl_PointSize = 3.0 + float(gl_VertexID % 9) "
    "* "
    "2.5; }";

static void points(void)
{
    use(sized_vertex, plain_pixel, 4);
    glDrawArrays(GL_POINTS, 0, CORNERS);
}

static void sprites(void)
{
    use(sized_vertex,
        "in vec3 c; out vec4 o; void main() {\n"
        "o = vec4(gl_PointCoord, c.z, 1.0); }",
        4);
    glDrawArrays(GL_POINTS, 0, CORNERS);
}

static void many_lines(GLenum mode)
{
    use(plain_vertex, plain_pixel, 4);
    glDrawArrays(mode, 0, CORNERS);
}

static void lines(void)
{
    many_lines(GL_LINES);
}

static void strip(void)
{
    many_lines(GL_LINE_STRIP);
}

static void loop(void)
{
    glLineWidth(4);
    many_lines(GL_LINE_LOOP);
    glLineWidth(1);
}

/* Through the near plane. */
static void cut_lines(void)
{
    use(plain_vertex, plain_pixel, 1.6f);
    glLineWidth(3);
    glDrawArrays(GL_LINE_STRIP, 0, CORNERS);
    glLineWidth(1);
}

static void flat_lines(void)
{
    use("in vec4 place; in vec3 colour; uniform mat4 m; flat out vec3 c;\n"
        "void main() { gl_Position = m * place; c = colour; }",
        "flat in vec3 c; out vec4 o; void main() { o = vec4(c, 1.0); }", 4);
    glLineWidth(5);
    glDrawArrays(GL_LINES, 0, CORNERS);
    glLineWidth(1);
}

/* A second coat that shows where an offset of depth brings it in front. */
static void offset(void)
{
    use(plain_vertex, plain_pixel, 4);
    draw();
    glEnable(GL_POLYGON_OFFSET_FILL);
    for (int i = 0; i < 3; i++) {
        glPolygonOffset((float)(1 - i), (float)(40 - 40 * i));
        glVertexAttrib3f(1, 0.3f * (float)i, 1, 0);
        glDisableVertexAttribArray(1);
        glDrawArrays(GL_TRIANGLES, 12 * i, 12);
    }
    glEnableVertexAttribArray(1);
    glDisable(GL_POLYGON_OFFSET_FILL);
}

/* By how many steps of the buffer an offset of three units moves depth. */
static void offset_steps(void)
{
    GLuint frame, texture;
    GLint old, program;

    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &old);
    glEnable(GL_POLYGON_OFFSET_FILL);
    for (int i = 0; i < 2; i++) {
        glGenTextures(1, &texture);
        glActiveTexture(GL_TEXTURE0 + (GLenum)i);
        glBindTexture(GL_TEXTURE_2D, texture);
        glTexStorage2D(GL_TEXTURE_2D, 1, GL_DEPTH_COMPONENT24, WIDTH, HEIGHT);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
        glGenFramebuffers(1, &frame);
        glBindFramebuffer(GL_FRAMEBUFFER, frame);
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D,
                               texture, 0);
        glPolygonOffset(0, (float)(3 * i));
        use(plain_vertex, plain_pixel, 4);
        draw();
    }
    glDisable(GL_POLYGON_OFFSET_FILL);
    glActiveTexture(GL_TEXTURE0);
    glBindFramebuffer(GL_FRAMEBUFFER, (GLuint)old);
    use(plain_vertex,
        "in vec3 c; uniform sampler2D s, t; out vec4 o; void main() {\n"
        "ivec2 at = ivec2(gl_FragCoord.xy); o = vec4((texelFetch(t, at, 0).x\n"
        "- texelFetch(s, at, 0).x) * 16777215.0 * 30.0 / 255.0, c.xy, 1.0); }",
        4);
    glGetIntegerv(GL_CURRENT_PROGRAM, &program);
    glUniform1i(glGetUniformLocation((GLuint)program, "t"), 1);
    draw();
}

static void clip_distance(void)
{
    use("in vec4 place; in vec3 colour; uniform mat4 m; out vec3 c;\n"
        "out highp float gl_ClipDistance[2]; void main() {\n"
        "gl_Position = m * place; c = colour;\n"
        "gl_ClipDistance[0] = place.x + 0.3 * place.y + 0.5;\n"
        "gl_ClipDistance[1] = 0.7 - place.z; }",
        plain_pixel, 4);
    glEnable(0x3000); /* GL_CLIP_DISTANCE0 and 1 */
    glEnable(0x3001);
    draw();
    glDisable(0x3000);
    glDisable(0x3001);
}

/* How much is drawn stands in a buffer. */
static void indirect(void)
{
    static const GLuint command[5] = {18, 1, 6, 0, 0};
    GLuint array, buffer, old;

    use(plain_vertex, plain_pixel, 4);
    glGenVertexArrays(1, &array);
    glGetIntegerv(GL_ARRAY_BUFFER_BINDING, (GLint *)&old);
    glBindVertexArray(array);
    glVertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, CORNER_FLOATS * 4, NULL);
    glVertexAttribPointer(1, 3, GL_FLOAT, GL_FALSE, CORNER_FLOATS * 4, (void *)16);
    glEnableVertexAttribArray(0);
    glEnableVertexAttribArray(1);
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_DRAW_INDIRECT_BUFFER, buffer);
    glBufferData(GL_DRAW_INDIRECT_BUFFER, sizeof(command), command, GL_STATIC_DRAW);
    glDrawArraysIndirect(GL_TRIANGLES, NULL);
    glBindVertexArray(0);
    glBindBuffer(GL_ARRAY_BUFFER, old);
}

/* To a texture of this format and from it to the picture, a third as bright. */
static void through(GLenum format, const char *pixel)
{
    GLuint frame, texture, old;

    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, (GLint *)&old);
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexStorage2D(GL_TEXTURE_2D, 1, format, WIDTH, HEIGHT);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glGenFramebuffers(1, &frame);
    glBindFramebuffer(GL_FRAMEBUFFER, frame);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture,
                           0);
    use(plain_vertex, pixel, 4);
    glDisable(GL_DEPTH_TEST);
    draw();
    glBindFramebuffer(GL_FRAMEBUFFER, old);
    glDisable(GL_BLEND);
    use(plain_vertex,
        "in vec3 c; uniform sampler2D s; out vec4 o;\n"
        "void main() { o = vec4(texelFetch(s, ivec2(gl_FragCoord.xy), 0).rgb / 3.0,\n"
        "1.0); }",
        4);
    draw();
}

/* Floats of 11 bits. */
static void small_floats(void)
{
    through(GL_R11F_G11F_B10F,
            "in vec3 c; out vec4 o; void main() { o = vec4(c * 2.9, 1.0); }");
}

/* Colour and constant are cut to the target's range before they are blended. */
static void signed_blend(void)
{
    glEnable(GL_BLEND);
    glBlendColor(1.7f, 0.6f, -0.5f, 1);
    glBlendFunc(GL_CONSTANT_COLOR, GL_ZERO);
    through(GL_RGBA8_SNORM,
            "in vec3 c; out vec4 o; void main() { o = vec4(c * 2.0 - vec3(0, 1.5, 1), "
            "1.0); }");
}

static const char vertex_for_geometry[] =
    "in vec4 place; in vec3 colour; uniform mat4 m; out vec3 d;\n"
    "void main() { gl_Position = m * place; d = colour; }";

/* Each triangle smaller, in three copies side by side. */
static void geometry(void)
{
    use_three(vertex_for_geometry,
              "layout(triangles, invocations = 3) in;\n"
              "layout(triangle_strip, max_vertices = 3) out;\n"
              "in vec3 d[]; out vec3 c;\n"
              "void main() { for (int i = 0; i < 3; i++) {\n"
              "gl_Position = mix(gl_in[i].gl_Position, gl_in[(i + 1) % 3].gl_Position, "
              "0.3)\n"
              "+ vec4(float(gl_InvocationID) - 1.0, 0.0, 0.0, 0.0);\n"
              "c = d[i] * float(gl_PrimitiveIDIn % 4 + 1) / 4.0; EmitVertex(); } }",
              plain_pixel, 4);
    draw();
}

/* As many strips, and as long, as its number says. */
static void fans(void)
{
    use_three(vertex_for_geometry,
              "layout(points) in; layout(line_strip, max_vertices = 24) out;\n"
              "in vec3 d[]; out vec3 c;\n"
              "void main() { for (int k = 0; k < gl_PrimitiveIDIn % 5; k++) {\n"
              "for (int i = 0; i < 3 + k; i++) {\n"
              "float a = float(i) * 0.7 + float(k);\n"
              "gl_Position = gl_in[0].gl_Position + vec4(cos(a), sin(a), 0, 0)\n"
              "* (0.1 + 0.1 * float(k)); c = d[0]; EmitVertex(); }\n"
              "EndPrimitive(); } }",
              plain_pixel, 4);
    glDrawArrays(GL_POINTS, 0, CORNERS);
}

/* Points at the neighbours of each line and triangle. */
static void neighbours(void)
{
    static const char *const kind[2] = {"lines_adjacency", "triangles_adjacency"};

    for (int i = 0; i < 2; i++) {
        char text[600];

        snprintf(text, sizeof(text),
                 "layout(%s) in; layout(points, max_vertices = 6) out;\n"
                 "in vec3 d[]; out vec3 c;\n"
                 "void main() { for (int i = 0; i < gl_in.length(); i++) {\n"
                 "gl_Position = gl_in[i].gl_Position * (1.0 - 0.03 * float(i));\n"
                 "gl_PointSize = 3.0 + float(i); c = d[i]; EmitVertex(); } }",
                 kind[i]);
        use_three(vertex_for_geometry, text, plain_pixel, i ? 5 : 4);
        if (i == 0)
            glDrawArrays(GL_LINES_ADJACENCY, 0, CORNERS);
        glDrawArrays(i ? GL_TRIANGLES_ADJACENCY : GL_LINE_STRIP_ADJACENCY, 0, 18);
    }
}

/* A strip's triangles, smaller and coloured by their places in it, with a point at each
 * neighbour; strips of one, two and six, and one without a shader. */
static void strip_neighbours(void)
{
    use_three(vertex_for_geometry,
              "layout(triangles_adjacency) in;\n"
              "layout(triangle_strip, max_vertices = 12) out;\n"
              "in vec3 d[]; out vec3 c;\n"
              "void main() { for (int i = 0; i < 6; i += 2) {\n"
              "gl_Position = mix(gl_in[i].gl_Position,\n"
              "gl_in[(i + 2) % 6].gl_Position, 0.2); c = d[i]; EmitVertex(); }\n"
              "EndPrimitive(); for (int i = 1; i < 6; i += 2) {\n"
              "for (int k = 0; k < 3; k++) {\n"
              "gl_Position = gl_in[i].gl_Position + 0.1 * float(i)\n"
              "* vec4(k == 1, k == 2, 0, 0); c = vec3(i == 1, i == 3, i == 5);\n"
              "EmitVertex(); } EndPrimitive(); } }",
              plain_pixel, 4);
    glDrawArrays(GL_TRIANGLE_STRIP_ADJACENCY, 0, 6);
    glDrawArrays(GL_TRIANGLE_STRIP_ADJACENCY, 4, 9);
    glDrawArrays(GL_TRIANGLE_STRIP_ADJACENCY, 14, 16);
    use(plain_vertex, plain_pixel, 5);
    glDrawArrays(GL_TRIANGLE_STRIP_ADJACENCY, 3, 14);
}

/* Strips of a geometry shader into a buffer, and from there drawn. */
static void streamed(void)
{
    static const char *const varying[2] = {"gl_Position", "c"};
    enum { VERTICES = CORNERS * 2, STRIDE = CORNER_FLOATS * sizeof(float) };
    GLuint buffer, array;
    GLint program;

    use_three(vertex_for_geometry,
              "layout(triangles) in; layout(triangle_strip, max_vertices = 4) out;\n"
              "in vec3 d[]; out vec3 c;\n"
              "void main() { for (int i = 0; i < 4; i++) {\n"
              "gl_Position = gl_in[i % 3].gl_Position + vec4(float(i / 3), 0, 0, 0);\n"
              "c = d[i % 3] * (1.0 - 0.2 * float(i)); EmitVertex(); } }",
              plain_pixel, 4);
    glGetIntegerv(GL_CURRENT_PROGRAM, &program);
    glTransformFeedbackVaryings((GLuint)program, 2, varying, GL_INTERLEAVED_ATTRIBS);
    glLinkProgram((GLuint)program);
    glUseProgram((GLuint)program);
    set_matrix((GLuint)program, 4);
    glGenBuffers(1, &buffer);
    glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, buffer);
    glBufferData(GL_TRANSFORM_FEEDBACK_BUFFER, VERTICES * STRIDE, NULL, GL_STATIC_COPY);
    glEnable(GL_RASTERIZER_DISCARD);
    glBeginTransformFeedback(GL_TRIANGLES);
    draw();
    glEndTransformFeedback();
    glDisable(GL_RASTERIZER_DISCARD);
    use("in vec4 place; in vec3 colour; out vec3 c;\n"
        "void main() { gl_Position = place; c = colour; }",
        plain_pixel, 4);
    glGenVertexArrays(1, &array);
    glBindVertexArray(array);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glVertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, STRIDE, NULL);
    glVertexAttribPointer(1, 3, GL_FLOAT, GL_FALSE, STRIDE, (void *)16);
    glEnableVertexAttribArray(0);
    glEnableVertexAttribArray(1);
    glDrawArrays(GL_TRIANGLES, 0, VERTICES);
    glBindVertexArray(0);
}

/* Vertices' numbers count from the draw's first one. */
static void numbered(void)
{
    unsigned short index[12];
    GLuint buffer;

    for (int i = 0; i < 12; i++)
        index[i] = (unsigned short)i;
    use("in vec4 place; in vec3 colour; uniform mat4 m; out vec3 c;\n"
        "void main() { gl_Position = m * place;\n"
        "c = colour * fract(float(gl_VertexID) * 0.07); }",
        plain_pixel, 4);
    glDrawArrays(GL_TRIANGLES, 6, 12);
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, buffer);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, sizeof(index), index, GL_STATIC_DRAW);
    glDrawElementsBaseVertex(GL_TRIANGLES, 12, GL_UNSIGNED_SHORT, NULL, 24);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, 0);
}

/* Halves packed and unpacked, normal and not. */
static void small_halves(void)
{
    use(plain_vertex,
        "in vec3 c; out vec4 o; void main() {\n"
        "uint h = packHalf2x16(c.xy * 6.0e-5); vec2 u = unpackHalf2x16(h);\n"
        "o = vec4(u / 6.0e-5, float(h & 0xFFu) / 255.0, 1); }",
        4);
    draw();
}

static const struct scene scenes[] = {
    {"points", points},
    {"sprites", sprites},
    {"lines", lines},
    {"strip", strip},
    {"loop", loop},
    {"cut_lines", cut_lines},
    {"flat_lines", flat_lines},
    {"offset", offset},
    {"offset_steps", offset_steps},
    {"clip_distance", clip_distance},
    {"indirect", indirect},
    {"small_floats", small_floats},
    {"signed_blend", signed_blend},
    {"geometry", geometry},
    {"fans", fans},
    {"neighbours", neighbours},
    {"strip_neighbours", strip_neighbours},
    {"numbered", numbered},
    {"streamed", streamed},
    {"small_halves", small_halves},
};

int main(int argc, char **argv)
{
    return show_scenes(argc, argv, scenes, sizeof(scenes) / sizeof(scenes[0]));
}
