/* layers.c - scenes of layers and viewports that shaders choose, and of what else goes
 * from stage to stage, for tests/bridge/test_gfx.sh. Each picture is read back into
 * FOLDER.
 *   layers FOLDER [SCENE] */
#include "scene.h"

enum { LAYERS = 4, SIDE = 16 };

static GLuint own_frame(void)
{
    GLint frame;

    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &frame);
    return (GLuint)frame;
}

/* A frame buffer of all layers of a new texture, bound; *old: the one before. */
static void target(GLenum kind, GLuint *old)
{
    GLuint texture, frame;

    *old = own_frame();
    glGenTextures(1, &texture);
    glBindTexture(kind, texture);
    glTexStorage3D(kind, 1, GL_RGBA8, SIDE, SIDE, LAYERS);
    glTexParameteri(kind, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(kind, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glGenFramebuffers(1, &frame);
    glBindFramebuffer(GL_FRAMEBUFFER, frame);
    glFramebufferTexture(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, texture, 0);
    glViewport(0, 0, SIDE, SIDE);
    glClearColor(0.9f, 0.1f, 0.6f, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glClearColor(0.2f, 0.3f, 0.4f, 1);
}

static void show(bool volume, GLuint old)
{
    glBindFramebuffer(GL_FRAMEBUFFER, old);
    glViewport(0, 0, WIDTH, HEIGHT);
    use(plain_vertex,
        volume ? "in vec3 c; uniform sampler3D s; out vec4 o;\n"
                 "void main() { o = texture(s, vec3(c.xy, (floor(c.z * 3.9) + 0.5) / "
                 "4.0)); o.b += c.x * 0.1; }"
               : "in vec3 c; uniform sampler2DArray s; out vec4 o;\n"
                 "void main() { o = texture(s, vec3(c.xy, floor(c.z * 3.9)));\n"
                 "o.b += c.x * 0.1; }",
        4);
    draw();
}

/* One layer's part is cleared apart from the others. */
static void clear_layers(GLenum kind)
{
    GLuint old, frame;
    GLint texture;

    target(kind, &old);
    glGetFramebufferAttachmentParameteriv(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0,
                                          GL_FRAMEBUFFER_ATTACHMENT_OBJECT_NAME,
                                          &texture);
    glGenFramebuffers(1, &frame);
    glBindFramebuffer(GL_FRAMEBUFFER, frame);
    glEnable(GL_SCISSOR_TEST);
    for (int i = 1; i < LAYERS; i += 2) {
        glFramebufferTextureLayer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, (GLuint)texture,
                                  0, i);
        glScissor(2, 3, 4 * i, 5);
        glClearColor(0, (float)i / LAYERS, 1, 1);
        glClear(GL_COLOR_BUFFER_BIT);
    }
    glDisable(GL_SCISSOR_TEST);
    glClearColor(0.2f, 0.3f, 0.4f, 1);
    show(kind == GL_TEXTURE_3D, old);
}

static void cleared_array(void)
{
    clear_layers(GL_TEXTURE_2D_ARRAY);
}

static void cleared_volume(void)
{
    clear_layers(GL_TEXTURE_3D);
}

static const char open_vertex[] =
    "in vec4 place; in vec3 colour; uniform mat4 m; out vec3 d;\n"
    "void main() { gl_Position = m * place; d = colour; }";

static void chosen_layers(void)
{
    GLuint old;

    target(GL_TEXTURE_2D_ARRAY, &old);
    glDisable(GL_DEPTH_TEST);
    use_three(open_vertex,
              "layout(triangles, invocations = 4) in;\n"
              "layout(triangle_strip, max_vertices = 3) out; in vec3 d[]; out vec3 c;\n"
              "void main() { for (int i = 0; i < 3; i++) { c = d[i];\n"
              "gl_Layer = gl_InvocationID;\n"
              "gl_Position = gl_in[i].gl_Position;\n"
              "gl_Position.x += float(gl_InvocationID) * 0.3; EmitVertex(); } }",
              "in vec3 c; out vec4 o;\n"
              "void main() { o = vec4(c.xy, float(gl_Layer) * 0.3, 1.0); }",
              5);
    draw();
    show(false, old);
}

static void viewports(void)
{
    void (*set)(GLuint, GLfloat, GLfloat, GLfloat, GLfloat);
    void (*found)(void) = eglGetProcAddress("glViewportIndexedfOES");

    memcpy(&set, &found, sizeof(set));
    use_three(open_vertex,
              "layout(triangles, invocations = 3) in;\n"
              "layout(triangle_strip, max_vertices = 3) out; in vec3 d[]; out vec3 c;\n"
              "void main() { for (int i = 0; i < 3; i++) { c = d[i];\n"
              "gl_ViewportIndex = gl_InvocationID;\n"
              "gl_Position = gl_in[i].gl_Position; EmitVertex(); } }",
              plain_pixel, 4);
    set(0, 0, 0, 90, 80);
    set(1, 90, 10, 100, 60);
    set(2, 20, 80, 170, 70);
    draw();
    glViewport(0, 0, WIDTH, HEIGHT);
}

/* Without a geometry shader. */
static void primitive_id(void)
{
    use(plain_vertex,
        "in vec3 c; out vec4 o; void main() {\n"
        "o = vec4(float(gl_PrimitiveID) / 12.0, c.xy * float(gl_PrimitiveID & 1), 1); "
        "}",
        4);
    draw();
}

/* Arrays that are indexed lie in scratch space, of both shaders. */
static void spilled(void)
{
    use("in vec4 place; in vec3 colour; uniform mat4 m; out vec3 c; void main() {\n"
        "vec4 t[24]; for (int i = 0; i < 24; i++)\n"
        "t[i] = fract(colour.xyzx * float(i + 3) * vec4(0.31, 0.17, 0.23, 0.5));\n"
        "gl_Position = m * place; c = t[gl_VertexID * 7 % 24].rgb; }",
        "in vec3 c; out vec4 o; void main() {\n"
        "vec4 t[24]; for (int i = 0; i < 24; i++) t[i] = vec4(c, 1.0) * float(i) / "
        "24.0;\n"
        "o = t[int(gl_FragCoord.x) * 5 % 24] + t[int(gl_FragCoord.y) % 24]; }",
        4);
    draw();
}

/* A comparison's result where the texture's channels are chosen. */
static void swizzled_shadow(void)
{
    enum { TEXELS_A_SIDE = 8 };
    static const GLint from[4] = {GL_ZERO, GL_RED, GL_ONE, GL_RED};
    unsigned int depth[2][TEXELS_A_SIDE][TEXELS_A_SIDE];
    GLuint texture;

    for (unsigned int layer = 0; layer < 2; layer++)
        for (unsigned int i = 0; i < TEXELS_A_SIDE * TEXELS_A_SIDE; i++)
            depth[layer][i / 8][i % 8] = (layer * 64 + i) * 37 % 128 << 25;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D_ARRAY, texture);
    glTexImage3D(GL_TEXTURE_2D_ARRAY, 0, GL_DEPTH_COMPONENT24, TEXELS_A_SIDE,
                 TEXELS_A_SIDE, 2, 0, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, depth);
    glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_COMPARE_MODE,
                    GL_COMPARE_REF_TO_TEXTURE);
    for (GLenum i = 0; i < 4; i++)
        glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_SWIZZLE_R + i, from[i]);
    use(plain_vertex,
        "precision highp sampler2DArrayShadow;\n"
        "in vec3 c; uniform sampler2DArrayShadow s;\n"
        "out vec4 o; void main() { float lit = texture(s, vec4(c.xy, c.x * 2.0, "
        "0.5));\n"
        "o = vec4(lit, c.xy, 1.0); }",
        4);
    draw();
}

/* Pixel shaders that write, read and change texels of images; a later one shows them.
 */
static void images(void)
{
    GLuint texture[3];

    glGenTextures(3, texture);
    for (GLuint i = 0; i < 3; i++) {
        GLenum kind = i == 1 ? GL_TEXTURE_2D_ARRAY : GL_TEXTURE_2D;
        static const GLenum format[3] = {GL_RGBA8, GL_RGBA16F, GL_R32UI};

        glBindTexture(kind, texture[i]);
        if (i == 1)
            glTexStorage3D(kind, 1, format[i], WIDTH, HEIGHT, 2);
        else
            glTexStorage2D(kind, 1, format[i], WIDTH, HEIGHT);
        glBindImageTexture(i, texture[i], 0, i == 1, 0, GL_READ_WRITE, format[i]);
    }
    use(plain_vertex,
        "precision highp image2D; precision highp image2DArray;\n"
        "precision highp uimage2D;\n"
        "layout(rgba8, binding = 0) uniform writeonly image2D a;\n"
        "layout(rgba16f, binding = 1) uniform writeonly image2DArray b;\n"
        "layout(r32ui, binding = 2) uniform uimage2D n;\n"
        "in vec3 c; out vec4 o; void main() { ivec2 p = ivec2(gl_FragCoord.xy);\n"
        "imageStore(a, p, vec4(c, 1.0));\n"
        "imageStore(b, ivec3(p, 1), vec4(c.zyx * 2.0, 0.5));\n"
        "imageAtomicAdd(n, p / 8, 1u); o = vec4(c, 1.0); }",
        4);
    draw();
    glMemoryBarrier(GL_ALL_BARRIER_BITS);
    use(plain_vertex,
        "precision highp image2D; precision highp image2DArray;\n"
        "precision highp uimage2D;\n"
        "layout(rgba8, binding = 0) uniform readonly image2D a;\n"
        "layout(rgba16f, binding = 1) uniform readonly image2DArray b;\n"
        "layout(r32ui, binding = 2) uniform readonly uimage2D n;\n"
        "in vec3 c; out vec4 o; void main() { ivec2 p = ivec2(gl_FragCoord.xy);\n"
        "ivec2 q = imageSize(a) - p; vec4 t = imageLoad(a, q);\n"
        "o = t * 0.5 + imageLoad(b, ivec3(p, 1)) * 0.2;\n"
        "o.g += float(imageLoad(n, p / 8).x) / 256.0; }",
        4);
    draw();
}

/* A texture of depths, all layers of which belong to the frame buffer. */
static GLuint attach_depths(GLenum format)
{
    GLuint texture;

    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D_ARRAY, texture);
    glTexStorage3D(GL_TEXTURE_2D_ARRAY, 1, format, SIDE, SIDE, LAYERS);
    glFramebufferTexture(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, texture, 0);
    return texture;
}

/* Depth of all layers is cleared at once, and of one again. */
static void cleared_depths(void)
{
    GLuint old, texture, frame;

    target(GL_TEXTURE_2D_ARRAY, &old);
    texture = attach_depths(GL_DEPTH_COMPONENT24);
    glClearDepthf(0.4f);
    glClear(GL_DEPTH_BUFFER_BIT);
    glGenFramebuffers(1, &frame);
    glBindFramebuffer(GL_FRAMEBUFFER, frame);
    glFramebufferTextureLayer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, texture, 0, 2);
    glClearDepthf(0.7f);
    glClear(GL_DEPTH_BUFFER_BIT);
    glClearDepthf(1);
    glBindTexture(GL_TEXTURE_2D_ARRAY, texture);
    glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    show(false, old);
    glDeleteFramebuffers(1, &frame);
}

static void tested_depths(void)
{
    GLuint old, texture;

    target(GL_TEXTURE_2D_ARRAY, &old);
    texture = attach_depths(GL_DEPTH_COMPONENT32F);
    glClearDepthf(0.8f);
    use_three(plain_vertex,
              "layout(triangles, invocations = 4) in;\n"
              "layout(triangle_strip, max_vertices = 3) out;\n"
              "in vec3 c[]; out vec3 d; void main() { for (int i = 0; i < 3; i++) {\n"
              "gl_Layer = gl_InvocationID; gl_Position = gl_in[i].gl_Position;\n"
              "gl_Position.z += 0.15 * float(gl_Layer) * gl_Position.w; d = c[i];\n"
              "EmitVertex(); } EndPrimitive(); }",
              "in vec3 d; out vec4 o; void main() { o = vec4(d, 1.0); }", 4);
    glClearDepthf(1);
    draw();
    glDisable(GL_DEPTH_TEST);
    glGetFramebufferAttachmentParameteriv(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0,
                                          GL_FRAMEBUFFER_ATTACHMENT_OBJECT_NAME,
                                          (GLint *)&texture);
    glBindTexture(GL_TEXTURE_2D_ARRAY, texture);
    show(false, old);
}

static const struct scene scenes[] = {
    {"cleared_array", cleared_array},     {"cleared_volume", cleared_volume},
    {"chosen_layers", chosen_layers},     {"viewports", viewports},
    {"primitive_id", primitive_id},       {"spilled", spilled},
    {"swizzled_shadow", swizzled_shadow}, {"images", images},
    {"cleared_depths", cleared_depths},   {"tested_depths", tested_depths},
};

int main(int argc, char **argv)
{
    return show_scenes(argc, argv, scenes, sizeof(scenes) / sizeof(scenes[0]));
}
