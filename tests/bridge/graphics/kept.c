/* kept.c - a GLES 3.2 program for tests/bridge/test_frame_cut.sh: four frames, each of
 * which needs what those before left in the GPU and in memory: depths and the notes on
 * them, vertices of stream output written on and on, a texture that was drawn, a query
 * that began a frame earlier, and state that the driver sent once. `kept still`: and
 * four more, in which nothing is drawn. */
#include <string.h>

#include "gl.h"

enum { WIDTH = 96, HEIGHT = 64, FRAMES = 4 };

static const char vertex[] =
    "#version 320 es\nlayout(location = 0) in vec2 place; uniform vec3 at; out vec4 "
    "kept;\n"
    "void main() { gl_Position = vec4(place * at.x + at.yz, at.x * 0.5 - 0.3, 1.0);\n"
    "kept = vec4(place * 0.2 + at.yz, 0.0, 1.0); }";
static const char again[] = "#version 320 es\nlayout(location = 1) in vec4 kept;\n"
                            "void main() { gl_Position = kept; }";
static const char plain[] =
    "#version 320 es\nprecision highp float; uniform vec4 colour; out vec4 o;\n"
    "void main() { if (gl_FragCoord.x < 2.0) discard; o = colour; }";
static const char red[] = "#version 320 es\nprecision highp float; out vec4 o;\n"
                          "void main() { o = vec4(1.0, 0.2, 0.1, 1.0); }";
static const char over[] = "#version 320 es\nvoid main() { gl_Position = "
                           "vec4(gl_VertexID & 1, gl_VertexID >> 1,\n"
                           "0.0, 0.5) * 2.0 - vec4(1.0, 1.0, 0.0, 0.0); }";
static const char copy[] =
    "#version 320 es\nprecision highp float; uniform sampler2D s; out vec4 o;\n"
    "void main() { o = texture(s, gl_FragCoord.xy / vec2(96.0, 64.0)); }";

/* As link_program(), and `kept` goes to stream output. */
static GLuint link_kept(void)
{
    static const char *const names[] = {"kept"};
    GLuint program = link_program(vertex, plain);

    glTransformFeedbackVaryings(program, 1, names, GL_INTERLEAVED_ATTRIBS);
    glLinkProgram(program);
    return program;
}

static GLuint make_target(GLuint *frame)
{
    GLuint texture, depth;

    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, WIDTH, HEIGHT);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glGenRenderbuffers(1, &depth);
    glBindRenderbuffer(GL_RENDERBUFFER, depth);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH_COMPONENT24, WIDTH, HEIGHT);
    glGenFramebuffers(1, frame);
    glBindFramebuffer(GL_FRAMEBUFFER, *frame);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture,
                           0);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER,
                              depth);
    return texture;
}

/* Triangle i, nearer the smaller it is, into the target and into the stream. */
static void draw_kept(GLuint program, int i, GLuint stream)
{
    glUseProgram(program);
    glUniform3f(glGetUniformLocation(program, "at"), 0.9f - 0.2f * (float)i,
                0.1f * (float)i, -0.1f * (float)i);
    glUniform4f(glGetUniformLocation(program, "colour"), 0.2f * (float)i, 0.7f,
                1.0f - 0.2f * (float)i, 1.0f);
    glBindBufferRange(GL_TRANSFORM_FEEDBACK_BUFFER, 0, stream, 48 * i, 48);
    glBeginTransformFeedback(GL_TRIANGLES);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glEndTransformFeedback();
}

/* What was streamed until now, as triangles. */
static void draw_streamed(GLuint program, int i, GLuint stream)
{
    glUseProgram(program);
    glBindBuffer(GL_ARRAY_BUFFER, stream);
    glVertexAttribPointer(1, 4, GL_FLOAT, GL_FALSE, 16, NULL);
    glEnableVertexAttribArray(1);
    glDrawArrays(GL_TRIANGLES, 0, 3 * (i + 1));
    glDisableVertexAttribArray(1);
}

int main(int argc, char **argv)
{
    EGLDisplay display;
    EGLSurface surface = start_gles(WIDTH, HEIGHT, 0, &display);
    GLuint kept = link_kept(), streamed = link_program(again, red);
    GLuint shown = link_program(over, copy), frame, stream, query, passed;
    GLuint texture = make_target(&frame);

    cover_picture();
    glGenBuffers(1, &stream);
    glBindBuffer(GL_TRANSFORM_FEEDBACK_BUFFER, stream);
    glBufferData(GL_TRANSFORM_FEEDBACK_BUFFER, 48 * FRAMES, NULL, GL_DYNAMIC_COPY);
    glGenQueries(1, &query);
    glViewport(0, 0, WIDTH, HEIGHT);
    glDepthFunc(GL_LESS);
    glBindFramebuffer(GL_FRAMEBUFFER, frame);
    glClear(GL_DEPTH_BUFFER_BIT | GL_COLOR_BUFFER_BIT);
    for (int i = 0; i < FRAMES; i++) {
        glBindFramebuffer(GL_FRAMEBUFFER, frame);
        glEnable(GL_DEPTH_TEST);
        draw_kept(kept, i, stream);
        draw_streamed(streamed, i, stream);
        if (i % 2 == 1) { /* begun a frame before */
            glEndQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN);
            glGetQueryObjectuiv(query, GL_QUERY_RESULT, &passed);
            printf("%u written\n", passed);
        }
        glBindFramebuffer(GL_FRAMEBUFFER, 0);
        glDisable(GL_DEPTH_TEST);
        glBindTexture(GL_TEXTURE_2D, texture);
        glUseProgram(shown);
        glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
        if (i % 2 == 0)
            glBeginQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, query);
        eglSwapBuffers(display, surface);
    }
    for (int i = 0; i < FRAMES && argc > 1 && strcmp(argv[1], "still") == 0; i++) {
        glClear(GL_COLOR_BUFFER_BIT);
        eglSwapBuffers(display, surface);
    }
    return glGetError() == GL_NO_ERROR ? 0 : 1;
}
