/* windows.c - a GLX program for tests/bridge/test_x11.sh: pictures in a window, a
 * resized one, copied in part, drawn in front, in a pixmap and from one, in a pbuffer.
 * Each is read back by GL and by the X server, and both must be the same. One line a
 * check; pictures as the server has them. windows FOLDER */
#define GLX_GLXEXT_PROTOTYPES
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glx.h>
#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST = 200, RED = 0xFF0000, GREEN = 0x00FF00, BLUE = 0x0000FF };

struct picture {
    int width, height;
    unsigned pixel[LARGEST * LARGEST]; /* 0xRRGGBB, from the upper left */
};

static struct {
    Display *display;
    XVisualInfo *visual;
    GLXFBConfig config;
    GLXContext context;
    Window window;
    const char *folder;
} test;

static void check(int good, const char *what)
{
    printf("%s %s\n", good ? "ok" : "not ok", what);
    fflush(stdout);
}

/* ---- pictures ----------------------------------------------------------- */

static void read_by_gl(struct picture *p, int width, int height)
{
    unsigned char *rows = malloc((size_t)width * (size_t)height * 4);

    p->width = width;
    p->height = height;
    glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, rows);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            const unsigned char *at = rows + ((height - 1 - y) * width + x) * 4;

            p->pixel[y * width + x] =
                (unsigned)at[0] << 16 | (unsigned)at[1] << 8 | at[2];
        }
    free(rows);
}

static void read_by_server(struct picture *p, Drawable drawable, int width, int height)
{
    XImage *image = XGetImage(test.display, drawable, 0, 0, (unsigned)width,
                              (unsigned)height, AllPlanes, ZPixmap);

    p->width = width;
    p->height = height;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            p->pixel[y * width + x] = (unsigned)XGetPixel(image, x, y) & 0xFFFFFF;
    XDestroyImage(image);
}

static int same(const struct picture *a, const struct picture *b)
{
    return a->width == b->width && a->height == b->height &&
           memcmp(a->pixel, b->pixel,
                  (size_t)a->width * (size_t)a->height * sizeof(a->pixel[0])) == 0;
}

static unsigned at(const struct picture *p, int x, int y)
{
    return p->pixel[y * p->width + x];
}

static void save(const struct picture *p, const char *name)
{
    char path[1000];
    FILE *file;

    snprintf(path, sizeof(path), "%s/%s.ppm", test.folder, name);
    file = fopen(path, "wb");
    if (file == NULL)
        exit(3);
    fprintf(file, "P6 %d %d 255\n", p->width, p->height);
    for (int i = 0; i < p->width * p->height; i++) {
        fputc((int)(p->pixel[i] >> 16), file);
        fputc((int)(p->pixel[i] >> 8 & 0xFF), file);
        fputc((int)(p->pixel[i] & 0xFF), file);
    }
    fclose(file);
}

/* ---- what is drawn ------------------------------------------------------ */

static void draw(int width, int height, float blue)
{
    glViewport(0, 0, width, height);
    glClearColor(0.2f, 0.3f, blue, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glBegin(GL_TRIANGLES);
    glColor3f(1, 0, 0);
    glVertex2f(-0.8f, -0.7f);
    glColor3f(0, 1, 0);
    glVertex2f(0.9f, -0.6f);
    glColor3f(0, 0, 1);
    glVertex2f(0, 0.8f);
    glEnd();
}

static void clear_to(unsigned colour)
{
    glClearColor(colour & RED ? 1 : 0, colour & GREEN ? 1 : 0, colour & BLUE ? 1 : 0,
                 1);
    glClear(GL_COLOR_BUFFER_BIT);
}

static void fill(Drawable drawable, unsigned colour, int x, int y, unsigned size)
{
    GC gc = XCreateGC(test.display, drawable, 0, NULL);

    XSetForeground(test.display, gc, colour);
    XFillRectangle(test.display, drawable, gc, x, y, size, size);
    XFreeGC(test.display, gc);
}

/* ---- checks ------------------------------------------------------------- */

static void frame(const char *name, int width, int height, float blue)
{
    static struct picture gl, server;

    draw(width, height, blue);
    read_by_gl(&gl, width, height);
    glXSwapBuffers(test.display, test.window);
    read_by_server(&server, test.window, width, height);
    check(same(&gl, &server), name);
    save(&server, name);
}

static void resize(int width, int height)
{
    XResizeWindow(test.display, test.window, (unsigned)width, (unsigned)height);
    XSync(test.display, False);
}

static void copy_part(int width, int height)
{
    static struct picture before, behind;

    read_by_server(&before, test.window, width, height);
    clear_to(GREEN);
    glXCopySubBufferMESA(test.display, test.window, 10, 20, 30, 40);
    read_by_server(&behind, test.window, width, height);
    check(at(&behind, 10, height - 60) == GREEN &&
              at(&behind, 39, height - 21) == GREEN,
          "part-copied");
    check(at(&behind, 9, height - 60) == at(&before, 9, height - 60) &&
              at(&behind, 40, height - 21) == at(&before, 40, height - 21),
          "part-beside");
    save(&behind, "part");
}

static void front(int width, int height)
{
    static struct picture gl, server;

    glDrawBuffer(GL_FRONT);
    glReadBuffer(GL_FRONT);
    glEnable(GL_SCISSOR_TEST);
    glScissor(0, 0, width / 2, height / 2);
    clear_to(BLUE);
    glDisable(GL_SCISSOR_TEST);
    glFlush();
    glXWaitGL();
    read_by_server(&server, test.window, width, height);
    check(at(&server, 0, height - 1) == BLUE, "front-drawn");
    fill(test.window, RED, width - 20, 0, 20);
    glXWaitX();
    read_by_gl(&gl, width, height);
    read_by_server(&server, test.window, width, height);
    check(at(&gl, width - 1, 0) == RED, "front-of-server");
    check(same(&gl, &server), "front-both");
    save(&server, "front");
    glDrawBuffer(GL_BACK);
    glReadBuffer(GL_BACK);
}

static GLXFBConfig choose(int kind)
{
    const int want[] = {GLX_DRAWABLE_TYPE,
                        kind,
                        GLX_RENDER_TYPE,
                        GLX_RGBA_BIT,
                        GLX_RED_SIZE,
                        8,
                        GLX_DOUBLEBUFFER,
                        kind == GLX_WINDOW_BIT,
                        GLX_BIND_TO_TEXTURE_RGB_EXT,
                        kind == GLX_PIXMAP_BIT ? 1 : (int)GLX_DONT_CARE,
                        None};
    int count;
    GLXFBConfig *all =
        glXChooseFBConfig(test.display, DefaultScreen(test.display), want, &count);
    GLXFBConfig found = NULL;

    for (int i = 0; all != NULL && i < count && found == NULL; i++) {
        XVisualInfo *v = glXGetVisualFromFBConfig(test.display, all[i]);

        if (v != NULL && v->depth == 24)
            found = all[i];
        XFree(v);
    }
    if (found == NULL)
        exit(3);
    XFree(all);
    return found;
}

static void pixmap(void)
{
    static const int as_texture[] = {GLX_TEXTURE_TARGET_EXT, GLX_TEXTURE_2D_EXT,
                                     GLX_TEXTURE_FORMAT_EXT, GLX_TEXTURE_FORMAT_RGB_EXT,
                                     None};
    static struct picture gl, server;
    GLXFBConfig config = choose(GLX_PIXMAP_BIT);
    Pixmap pixmap = XCreatePixmap(test.display, test.window, 64, 48, 24);
    GLXPixmap drawable = glXCreatePixmap(test.display, config, pixmap, as_texture);
    GLXContext context =
        glXCreateNewContext(test.display, config, GLX_RGBA_TYPE, NULL, True);
    GLuint texture;

    fill(pixmap, BLUE, 0, 0, 64);
    XSync(test.display, False);
    glXMakeCurrent(test.display, drawable, context);
    read_by_gl(&gl, 64, 48);
    check(at(&gl, 5, 5) == BLUE, "pixmap-of-server");
    draw(64, 48, 0.5f);
    read_by_gl(&gl, 64, 48);
    glFinish();
    read_by_server(&server, pixmap, 64, 48);
    check(same(&gl, &server), "pixmap-both");
    save(&server, "pixmap");
    glXMakeCurrent(test.display, test.window, test.context);
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    fill(pixmap, GREEN, 0, 0, 64);
    glXBindTexImageEXT(test.display, drawable, GLX_FRONT_LEFT_EXT, NULL);
    glEnable(GL_TEXTURE_2D);
    glColor3f(1, 1, 1);
    glRectf(-1, -1, 1, 1);
    glDisable(GL_TEXTURE_2D);
    read_by_gl(&gl, 64, 48);
    check(at(&gl, 30, 20) == GREEN, "texture-from-pixmap");
    glXReleaseTexImageEXT(test.display, drawable, GLX_FRONT_LEFT_EXT);
    glXDestroyContext(test.display, context);
    glXDestroyPixmap(test.display, drawable);
    XFreePixmap(test.display, pixmap);
}

static void pbuffer(void)
{
    static const int size[] = {GLX_PBUFFER_WIDTH, 64, GLX_PBUFFER_HEIGHT, 48, None};
    static struct picture gl;
    GLXFBConfig config = choose(GLX_PBUFFER_BIT);
    GLXPbuffer drawable = glXCreatePbuffer(test.display, config, size);
    GLXContext context =
        glXCreateNewContext(test.display, config, GLX_RGBA_TYPE, NULL, True);

    glXMakeCurrent(test.display, drawable, context);
    draw(64, 48, 0.5f);
    read_by_gl(&gl, 64, 48);
    save(&gl, "pbuffer");
    glXMakeCurrent(test.display, test.window, test.context);
    glXDestroyContext(test.display, context);
    glXDestroyPbuffer(test.display, drawable);
}

/* Counters of the screen and of swaps, where there are any. */
static void counters(void)
{
    int64_t ust = 0, msc = 0, sbc = 0, later = 0;

    if (strstr(glXQueryExtensionsString(test.display, DefaultScreen(test.display)),
               "GLX_OML_sync_control") == NULL)
        return;
    glXGetSyncValuesOML(test.display, test.window, &ust, &msc, &sbc);
    glXWaitForMscOML(test.display, test.window, msc + 10, 0, 0, &ust, &later, &sbc);
    check(later >= msc + 10, "counter-reached");
    draw(LARGEST, 150, 0);
    glXSwapBuffersMscOML(test.display, test.window, 0, 0, 0);
    glXWaitForSbcOML(test.display, test.window, 0, &ust, &msc, &later);
    check(later == sbc + 1, "swap-counted");
}

static void start(int width, int height)
{
    XSetWindowAttributes set = {.override_redirect = True};
    Window root;

    test.display = XOpenDisplay(NULL);
    if (test.display == NULL)
        exit(3);
    root = DefaultRootWindow(test.display);
    test.config = choose(GLX_WINDOW_BIT);
    test.visual = glXGetVisualFromFBConfig(test.display, test.config);
    set.colormap = XCreateColormap(test.display, root, test.visual->visual, AllocNone);
    test.window =
        XCreateWindow(test.display, root, 0, 0, (unsigned)width, (unsigned)height, 0,
                      test.visual->depth, InputOutput, test.visual->visual,
                      CWColormap | CWBorderPixel | CWOverrideRedirect, &set);
    XMapWindow(test.display, test.window);
    XSync(test.display, False);
    test.context =
        glXCreateNewContext(test.display, test.config, GLX_RGBA_TYPE, NULL, True);
    if (!glXMakeCurrent(test.display, test.window, test.context))
        exit(3);
    printf("%s\n", (const char *)glGetString(GL_RENDERER));
}

int main(int argc, char **argv)
{
    test.folder = argc > 1 ? argv[1] : ".";
    start(128, 96);
    frame("window", 128, 96, 0.1f);
    resize(LARGEST, 150);
    frame("larger", LARGEST, 150, 0.4f);
    copy_part(LARGEST, 150);
    front(LARGEST, 150);
    pixmap();
    pbuffer();
    counters();
    resize(33, 17); /* rows that end within tiles */
    draw(33, 17, 0.7f);
    glXSwapBuffers(test.display, test.window);
    frame("smaller", 33, 17, 0.7f);
    glXMakeCurrent(test.display, None, NULL);
    glXDestroyContext(test.display, test.context);
    XDestroyWindow(test.display, test.window);
    XCloseDisplay(test.display);
    return 0;
}
