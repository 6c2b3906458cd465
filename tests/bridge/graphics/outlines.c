/* outlines.c - scenes of desktop GL for tests/bridge/test_gfx.sh: polygons drawn as
 * their edges or corners, smooth lines and points, textures that
 * are clamped to half of their border. Each picture is read back into FOLDER.
 *   outlines FOLDER */
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/gl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 200, HEIGHT = 150 };

/* GL by lookup: no library of desktop GL is needed to build this. */
#define FUNCTIONS(X)                                                                   \
    X(void, Begin, (GLenum))                                                           \
    X(void, End, (void))                                                               \
    X(void, Vertex4f, (GLfloat, GLfloat, GLfloat, GLfloat))                            \
    X(void, Color4f, (GLfloat, GLfloat, GLfloat, GLfloat))                             \
    X(void, Enable, (GLenum))                                                          \
    X(void, Disable, (GLenum))                                                         \
    X(void, PolygonMode, (GLenum, GLenum))                                             \
    X(void, BlendFunc, (GLenum, GLenum))                                               \
    X(void, LineWidth, (GLfloat))                                                      \
    X(void, LineStipple, (GLint, GLushort))                                            \
    X(void, PolygonStipple, (const GLubyte *))                                         \
    X(void, EdgeFlag, (GLboolean))                                                     \
    X(void, PointSize, (GLfloat))                                                      \
    X(void, Viewport, (GLint, GLint, GLsizei, GLsizei))                                \
    X(void, Clear, (GLbitfield))                                                       \
    X(void, ClearColor, (GLfloat, GLfloat, GLfloat, GLfloat))                          \
    X(void, GenTextures, (GLsizei, GLuint *))                                          \
    X(void, BindTexture, (GLenum, GLuint))                                             \
    X(void, TexImage2D,                                                                \
      (GLenum, GLint, GLint, GLsizei, GLsizei, GLint, GLenum, GLenum, const void *))   \
    X(void, TexParameteri, (GLenum, GLenum, GLint))                                    \
    X(void, TexParameterfv, (GLenum, GLenum, const GLfloat *))                         \
    X(void, TexCoord2f, (GLfloat, GLfloat))                                            \
    X(void, TexImage1D,                                                                \
      (GLenum, GLint, GLint, GLsizei, GLint, GLenum, GLenum, const void *))            \
    X(void, MatrixMode, (GLenum))                                                      \
    X(void, LoadIdentity, (void))                                                      \
    X(void, Ortho, (GLdouble, GLdouble, GLdouble, GLdouble, GLdouble, GLdouble))       \
    X(void, EnableClientState, (GLenum))                                               \
    X(void, DisableClientState, (GLenum))                                              \
    X(void, VertexPointer, (GLint, GLenum, GLsizei, const void *))                     \
    X(void, TexCoordPointer, (GLint, GLenum, GLsizei, const void *))                   \
    X(void, DrawArrays, (GLenum, GLint, GLsizei))                                      \
    X(void, GenFramebuffers, (GLsizei, GLuint *))                                      \
    X(void, BindFramebuffer, (GLenum, GLuint))                                         \
    X(void, FramebufferTexture2D, (GLenum, GLenum, GLenum, GLuint, GLint))             \
    X(void, ReadPixels, (GLint, GLint, GLsizei, GLsizei, GLenum, GLenum, void *))

#define DECLARE(type, name, parameters) static type(*p##name) parameters;
FUNCTIONS(DECLARE)
#undef DECLARE

static void look_up(const char *name, void *fn)
{
    void (*found)(void) = eglGetProcAddress(name);

    if (found == NULL)
        exit(3);
    memcpy(fn, &found, sizeof(found));
}

static void start(void)
{
    EGLDisplay d =
        eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
    static const EGLint want[] = {EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_SURFACE_TYPE,
                                  EGL_PBUFFER_BIT, EGL_NONE};
    GLuint frame, colour;
    EGLConfig config;
    EGLint n;

    if (!eglInitialize(d, NULL, NULL) || !eglBindAPI(EGL_OPENGL_API) ||
        !eglChooseConfig(d, want, &config, 1, &n) || n < 1 ||
        !eglMakeCurrent(d, EGL_NO_SURFACE, EGL_NO_SURFACE,
                        eglCreateContext(d, config, EGL_NO_CONTEXT, NULL)))
        exit(3);
#define LOOK_UP(type, name, parameters) look_up("gl" #name, &p##name);
    FUNCTIONS(LOOK_UP)
#undef LOOK_UP
    pGenTextures(1, &colour);
    pBindTexture(GL_TEXTURE_2D, colour);
    pTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, WIDTH, HEIGHT, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                NULL);
    pGenFramebuffers(1, &frame);
    pBindFramebuffer(GL_FRAMEBUFFER, frame);
    pFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, colour,
                          0);
    pViewport(0, 0, WIDTH, HEIGHT);
    pClearColor(0.2f, 0.3f, 0.4f, 1);
}

static void save(const char *folder, const char *name)
{
    static unsigned char pixel[HEIGHT][WIDTH][4];
    char path[4096];
    FILE *file;

    snprintf(path, sizeof(path), "%s/%s.ppm", folder, name);
    file = fopen(path, "wb");
    if (file == NULL)
        exit(3);
    pReadPixels(0, 0, WIDTH, HEIGHT, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
    fprintf(file, "P6 %d %d 255\n", WIDTH, HEIGHT);
    for (int y = HEIGHT - 1; y >= 0; y--)
        for (int x = 0; x < WIDTH; x++)
            fwrite(pixel[y][x], 1, 3, file);
    fclose(file);
}

/* ---- scenes ------------------------------------------------------------- */

/* No place lies between pixels, where rules differ. */
static void corner(int i, float x, float y, float w)
{
    x += 0.0013f;
    y += 0.0021f;
    pColor4f((float)(i % 3) / 2, (float)(i % 4) / 3, (float)(i % 5) / 4, 1);
    pVertex4f(x * w, y * w, 0, w);
}

/* The second one faces away. A quad is left out that would be filled: into which two
 * triangles it falls is not the same everywhere. */
static void shapes(float w)
{
    static const float polygon[7][2] = {{-0.9f, 0.1f}, {-0.6f, 0.05f}, {-0.3f, 0.2f},
                                        {-0.2f, 0.5f}, {-0.4f, 0.85f}, {-0.7f, 0.9f},
                                        {-0.95f, 0.5f}};

    pBegin(GL_POLYGON);
    for (int i = 0; i < 7; i++)
        corner(i, polygon[i][0], polygon[i][1], 1);
    pEnd();
    pBegin(GL_POLYGON);
    for (int i = 6; i >= 0; i--)
        corner(i, polygon[i][0] + 1.1f, polygon[i][1], 1);
    pEnd();
    pBegin(w > 0 ? GL_QUADS : GL_POINTS);
    corner(0, -0.9f, -0.9f, 1);
    corner(1, -0.2f, -0.8f, 1);
    corner(2, -0.3f, -0.2f, 1);
    corner(3, -0.8f, -0.1f, 1);
    pEnd();
    pBegin(GL_TRIANGLES);
    corner(0, -0.6f, -0.5f, 1);
    corner(1, -0.5f, -0.2f, 1);
    corner(2, 0.2f, 0.1f, w);
    pEnd();
    pBegin(GL_TRIANGLE_STRIP);
    for (int i = 0; i < 6; i++)
        corner(i, 0.1f + 0.15f * (float)i, i % 2 ? -0.3f : -0.8f, 1);
    pEnd();
}

static void outline(void)
{
    pPolygonMode(GL_FRONT_AND_BACK, GL_LINE);
    shapes(1);
    pPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
}

/* One side as edges, the other whole; a corner may lie behind the eye. */
static void sides(void)
{
    pPolygonMode(GL_BACK, GL_LINE);
    pLineWidth(3);
    shapes(-0.3f);
    pLineWidth(1);
    pPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
}

static void corners(void)
{
    pPolygonMode(GL_FRONT_AND_BACK, GL_POINT);
    pPointSize(5);
    shapes(1);
    pPointSize(1);
    pPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
}

/* Some edges of polygons are none of theirs, nor are these corners. */
static void edge_flags(GLenum mode)
{
    pPolygonMode(GL_FRONT_AND_BACK, mode);
    pPointSize(5);
    for (int i = 0; i < 6; i++) {
        pBegin(i < 2 ? GL_TRIANGLES : i < 4 ? GL_QUADS : GL_POLYGON);
        for (int k = 0; k < 3 + i / 2; k++) {
            float turn = 6.2832f * (float)k / (float)(3 + i / 2);

            pEdgeFlag((i + k) % 3 != 0);
            corner(k, -0.6f + 0.6f * (float)(i % 3) + 0.25f * cosf(turn),
                   (i < 3 ? -0.5f : 0.5f) + 0.3f * sinf(turn), 1);
        }
        pEnd();
    }
    pEdgeFlag(GL_TRUE);
    pPointSize(1);
    pPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
}

static void flagged_edges(void)
{
    edge_flags(GL_LINE);
}

static void flagged_corners(void)
{
    edge_flags(GL_POINT);
}

static void stippled_polygons(void)
{
    GLubyte pattern[128];

    for (int i = 0; i < 128; i++)
        pattern[i] = (GLubyte)(i * 37 ^ i / 4);
    pPolygonStipple(pattern);
    pEnable(GL_POLYGON_STIPPLE);
    shapes(-0.3f);
    pDisable(GL_POLYGON_STIPPLE);
}

/* Strips, loops and separate lines; those that are wide, too. They begin and end in the
 * middle of pixels: llvmpipe cuts lines by lengths, which moves ends by a pixel. */
static void stippled_lines(void)
{
    pEnable(GL_LINE_STIPPLE);
    for (int i = 0; i < 6; i++) {
        pLineStipple(3 + i % 3, (GLushort)(0x3F0F - 0x0101 * i));
        pLineWidth(i % 2 ? 4 : 1);
        pBegin(i < 2 ? GL_LINES : i < 4 ? GL_LINE_STRIP : GL_LINE_LOOP);
        for (int k = 0; k < 6; k++) {
            int x = 12 + 14 * i + 19 * k, y = 15 + (k * 53 + i * 31) % 120;

            corner(k, (float)(2 * x + 1) / WIDTH - 1, (float)(2 * y + 1) / HEIGHT - 1,
                   1);
        }
        pEnd();
    }
    pLineWidth(1);
    pDisable(GL_LINE_STIPPLE);
}

static void blended(GLenum what)
{
    pEnable(what);
    pEnable(GL_BLEND);
    pBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
}

static void smooth_lines(void)
{
    blended(GL_LINE_SMOOTH);
    for (int i = 0; i < 12; i++) {
        pLineWidth(1 + (float)(i % 4));
        pBegin(GL_LINES);
        corner(i, -0.9f + 0.1f * (float)i, -0.9f, 1);
        corner(i + 3, 0.9f - 0.12f * (float)i, 0.15f * (float)i - 0.8f, 1);
        pEnd();
    }
    pLineWidth(1);
    pDisable(GL_LINE_SMOOTH);
    pDisable(GL_BLEND);
}

static void smooth_points(void)
{
    blended(GL_POINT_SMOOTH);
    for (int i = 0; i < 40; i++) {
        pPointSize(2 + (float)(i % 9) * 1.5f);
        pBegin(GL_POINTS);
        corner(i, -0.9f + 0.2f * (float)(i % 10), -0.7f + 0.4f * (float)(i / 10), 1);
        pEnd();
    }
    pPointSize(1);
    pDisable(GL_POINT_SMOOTH);
    pDisable(GL_BLEND);
}

/* GL_CLAMP: linear filters take half of the border, nearest ones the edge. */
static void half_borders(void)
{
    static const GLfloat border[4] = {0.9f, 0.1f, 0.5f, 1};
    static unsigned char texel[8][8][2];
    GLuint texture;

    for (int y = 0; y < 8; y++)
        for (int x = 0; x < 8; x++)
            texel[y][x][0] = (unsigned char)((y * 8 + x) * 53);
    for (int i = 0; i < 2; i++) {
        float x = i ? 0 : -0.98f;

        pGenTextures(1, &texture);
        pBindTexture(GL_TEXTURE_2D, texture);
        pTexImage2D(GL_TEXTURE_2D, 0, GL_RG8, 8, 8, 0, GL_RG, GL_UNSIGNED_BYTE, texel);
        pTexParameterfv(GL_TEXTURE_2D, GL_TEXTURE_BORDER_COLOR, border);
        pTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP);
        pTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP);
        pTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER,
                       i ? GL_LINEAR : GL_NEAREST);
        pTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER,
                       i ? GL_LINEAR : GL_NEAREST);
        pEnable(GL_TEXTURE_2D);
        pColor4f(1, 1, 1, 1);
        pBegin(GL_QUADS);
        for (int k = 0; k < 4; k++) {
            float u = k == 1 || k == 2 ? 1 : 0, v = k > 1 ? 1 : 0;

            pTexCoord2f(u * 2 - 0.5f, v * 2 - 0.5f);
            pVertex4f(x + u * 0.95f, v * 1.8f - 0.9f, 0, 1);
        }
        pEnd();
        pDisable(GL_TEXTURE_2D);
    }
}

/* Textures of formats that only desktop GL has, and vertices that are whole numbers. */
static void old_formats(void)
{
    static const GLint format[12] = {GL_ALPHA8,
                                     GL_LUMINANCE16,
                                     GL_INTENSITY8,
                                     GL_LUMINANCE8_ALPHA8,
                                     GL_SLUMINANCE8,
                                     GL_SRGB8_ALPHA8,
                                     GL_RGB5_A1,
                                     GL_RGBA4,
                                     GL_RGB16F,
                                     GL_ALPHA16,
                                     GL_LUMINANCE16_ALPHA16,
                                     GL_RGB10};
    static unsigned char texel[8][8][4];

    for (int y = 0; y < 8; y++)
        for (int x = 0; x < 32; x++)
            texel[y][x / 4][x % 4] = (unsigned char)((y * 32 + x) * 91);
    pEnable(GL_BLEND);
    pBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    for (int i = 0; i < 12; i++) {
        GLshort x = (GLshort)(i % 4), y = (GLshort)(i / 4);
        GLuint texture;

        pGenTextures(1, &texture);
        pBindTexture(GL_TEXTURE_2D, texture);
        pTexImage2D(GL_TEXTURE_2D, 0, format[i], 8, 8, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                    texel);
        pTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
        pEnable(GL_TEXTURE_2D);
        pColor4f(1, 0.8f, 0.9f, 1);
        {
            const GLshort place[4][2] = {{x, y},
                                         {(GLshort)(x + 1), y},
                                         {(GLshort)(x + 1), (GLshort)(y + 1)},
                                         {x, (GLshort)(y + 1)}};
            static const GLshort corner[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};

            pMatrixMode(GL_PROJECTION);
            pLoadIdentity();
            pOrtho(0, 4, 0, 3, -1, 1);
            pEnableClientState(GL_VERTEX_ARRAY);
            pEnableClientState(GL_TEXTURE_COORD_ARRAY);
            pVertexPointer(2, GL_SHORT, 0, place);
            pTexCoordPointer(2, GL_SHORT, 0, corner);
            pDrawArrays(GL_QUADS, 0, 4);
            pDisableClientState(GL_VERTEX_ARRAY);
            pDisableClientState(GL_TEXTURE_COORD_ARRAY);
        }
    }
    pLoadIdentity();
    pDisable(GL_TEXTURE_2D);
    pDisable(GL_BLEND);
}

/* Shadows of one dimension, whose texture lies in tiles. */
static void depth_line(void)
{
    float depth[16];
    GLuint texture;

    for (int i = 0; i < 16; i++)
        depth[i] = (float)(i * 7 % 16) / 16;
    pGenTextures(1, &texture);
    pBindTexture(GL_TEXTURE_1D, texture);
    pTexImage1D(GL_TEXTURE_1D, 0, GL_DEPTH_COMPONENT24, 16, 0, GL_DEPTH_COMPONENT,
                GL_FLOAT, depth);
    pTexParameteri(GL_TEXTURE_1D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    pTexParameteri(GL_TEXTURE_1D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    pEnable(GL_TEXTURE_1D);
    pColor4f(1, 1, 0.5f, 1);
    pBegin(GL_QUADS);
    for (int k = 0; k < 4; k++) {
        float u = k == 1 || k == 2 ? 1 : 0;

        pTexCoord2f(u, 0);
        pVertex4f(u * 1.8f - 0.9f, k > 1 ? 0.8f : -0.8f, 0, 1);
    }
    pEnd();
    pDisable(GL_TEXTURE_1D);
}

static const struct {
    const char *name;
    void (*show)(void);
} scenes[] = {
    {"outline", outline},
    {"sides", sides},
    {"corners", corners},
    {"flagged_edges", flagged_edges},
    {"flagged_corners", flagged_corners},
    {"stippled_polygons", stippled_polygons},
    {"stippled_lines", stippled_lines},
    {"smooth_lines", smooth_lines},
    {"smooth_points", smooth_points},
    {"half_borders", half_borders},
    {"old_formats", old_formats},
    {"depth_line", depth_line},
};

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    start();
    for (size_t i = 0; i < sizeof(scenes) / sizeof(scenes[0]); i++) {
        pClear(GL_COLOR_BUFFER_BIT);
        scenes[i].show();
        save(argv[1], scenes[i].name);
    }
    return 0;
}
