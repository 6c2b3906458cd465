/* threads.c - an EGL program with windows for tests/bridge/test_x11.sh: two threads,
 * each with a window of its own, show pictures at once. What the X server has of each
 * must be what GLES reads. threads */
#include <EGL/egl.h>
#include <GLES3/gl3.h>
#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { WIDTH = 70, HEIGHT = 50, FRAMES = 6 };

struct screen {
    Display *x;
    Window window;
    EGLDisplay egl;
    EGLSurface surface;
};

static EGLConfig choose(EGLDisplay egl)
{
    static const EGLint want[] = {EGL_SURFACE_TYPE,
                                  EGL_WINDOW_BIT,
                                  EGL_RENDERABLE_TYPE,
                                  EGL_OPENGL_ES3_BIT,
                                  EGL_RED_SIZE,
                                  8,
                                  EGL_NONE};
    EGLConfig config;
    EGLint n;

    if (!eglChooseConfig(egl, want, &config, 1, &n) || n < 1)
        exit(3);
    return config;
}

/* Beside the other's: what another window hides of it the server does not have. */
static Window make_window(Display *x, VisualID id, int place)
{
    XVisualInfo want = {.visualid = id}, *visual;
    XSetWindowAttributes set = {.override_redirect = True};
    Window window, root = DefaultRootWindow(x);
    int n;

    visual = XGetVisualInfo(x, VisualIDMask, &want, &n);
    if (visual == NULL)
        exit(3);
    set.colormap = XCreateColormap(x, root, visual->visual, AllocNone);
    window = XCreateWindow(x, root, place * (WIDTH + 10), 0, WIDTH, HEIGHT, 0,
                           visual->depth, InputOutput, visual->visual,
                           CWColormap | CWBorderPixel | CWOverrideRedirect, &set);
    XFree(visual);
    XMapWindow(x, window);
    XSync(x, False);
    return window;
}

static void start(struct screen *s, int place)
{
    static const EGLint version[] = {EGL_CONTEXT_CLIENT_VERSION, 3, EGL_NONE};
    EGLConfig config;
    EGLContext context;
    EGLint visual;

    s->x = XOpenDisplay(NULL);
    s->egl = s->x != NULL ? eglGetDisplay(s->x) : EGL_NO_DISPLAY;
    if (!eglInitialize(s->egl, NULL, NULL))
        exit(3);
    config = choose(s->egl);
    eglGetConfigAttrib(s->egl, config, EGL_NATIVE_VISUAL_ID, &visual);
    s->window = make_window(s->x, (VisualID)visual, place);
    s->surface = eglCreateWindowSurface(s->egl, config, s->window, NULL);
    context = eglCreateContext(s->egl, config, EGL_NO_CONTEXT, version);
    if (!eglMakeCurrent(s->egl, s->surface, s->surface, context))
        exit(3);
}

/* A colour of the thread and the frame, and another half. */
static int show(struct screen *s, int place, int frame)
{
    static _Thread_local unsigned char pixel[WIDTH * HEIGHT * 4];
    XImage *image;
    int wrong = 0;

    glDisable(GL_SCISSOR_TEST);
    glClearColor((float)frame / FRAMES, (float)place, 0.5f, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glEnable(GL_SCISSOR_TEST);
    glScissor(frame, frame, WIDTH / 2, HEIGHT / 2);
    glClearColor(0, 0, (float)frame / FRAMES, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glReadPixels(0, 0, WIDTH, HEIGHT, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
    eglSwapBuffers(s->egl, s->surface);
    image = XGetImage(s->x, s->window, 0, 0, WIDTH, HEIGHT, AllPlanes, ZPixmap);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            const unsigned char *p = pixel + ((HEIGHT - 1 - y) * WIDTH + x) * 4;

            wrong += (XGetPixel(image, x, y) & 0xFFFFFF) !=
                     ((unsigned long)p[0] << 16 | (unsigned long)p[1] << 8 | p[2]);
        }
    XDestroyImage(image);
    return wrong;
}

static void *run(void *arg)
{
    int place = *(int *)arg;
    struct screen s;

    start(&s, place);
    *(int *)arg = 0;
    for (int i = 1; i <= FRAMES; i++)
        *(int *)arg += show(&s, place, i);
    eglMakeCurrent(s.egl, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    eglTerminate(s.egl);
    XCloseDisplay(s.x);
    return NULL;
}

int main(void)
{
    pthread_t thread[2];
    int arg[2] = {0, 1};

    XInitThreads();
    for (int i = 0; i < 2; i++)
        if (pthread_create(&thread[i], NULL, run, &arg[i]) != 0)
            return 3;
    for (int i = 0; i < 2; i++)
        pthread_join(thread[i], NULL);
    for (int i = 0; i < 2; i++)
        printf("%s thread-%d\n", arg[i] == 0 ? "ok" : "not ok", i + 1);
    return 0;
}
