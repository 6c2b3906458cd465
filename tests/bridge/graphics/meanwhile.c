/* meanwhile.c - for tests/bridge/test_node.sh: what a program's other threads do while
 * a batch is executed, and how it ends.
 *   meanwhile writes PICTURE.ppm: one writes to a buffer that stays mapped, of which
 *     the next draw reads, at other pages than the batch's and at the batch's own
 *   meanwhile ends: one in the batch is ended by a signal's handler, then exit()
 *   meanwhile forks: the program forks, and the child ends before the batch does
 *   meanwhile aborts, meanwhile becomes: behind a batch it crashes, or is another
 *     program */
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "gl.h"

typedef void storage_fn(GLenum target, GLsizeiptr bytes, const void *data,
                        GLbitfield how);
enum { PERSISTENT = 0x40, COHERENT = 0x80, SIDE = 128, BYTES = 65536, PAGE = 4096 };

static volatile int begun, written;
static float *mapped;

static GLint repeats;

static void sleep_ms(long ms)
{
    const struct timespec time = {0, ms * 1000000};

    (void)nanosleep(&time, NULL);
}

/* Pixels of the colour that is bound, after so many rounds; each of the first row's
 * adds one to a word of the buffer, beside what the other thread writes. */
static void prepare(void)
{
    static const char *const vertex =
        "#version 320 es\nvoid main() { gl_Position = vec4(gl_VertexID == 1 ? 3 : -1, "
        "gl_VertexID == 2 ? 3 : -1, 0, 1); }";
    static const char *const pixel =
        "#version 320 es\nprecision highp float;\n"
        "layout(std140, binding = 0) uniform C { vec4 colour; };\n"
        "layout(std430, binding = 0) buffer N { uint drawn; };\n"
        "layout(location = 0) uniform int n; out vec4 o;\n"
        "void main() { float f = gl_FragCoord.x;\n"
        "    for (int i = 0; i < n; i++) f = sin(f * 1.1);\n"
        "    if (gl_FragCoord.y < 1.) atomicAdd(drawn, 1u);\n"
        "    o = colour + f * 1e-9; }";
    GLuint program = link_program(vertex, pixel);

    glUseProgram(program);
    repeats = glGetUniformLocation(program, "n");
}

static void draw(int rounds, GLintptr colour)
{
    GLint buffer;

    glGetIntegerv(GL_UNIFORM_BUFFER_BINDING, &buffer);
    glBindBufferRange(GL_UNIFORM_BUFFER, 0, (GLuint)buffer, colour, 16);
    glUniform1i(repeats, rounds);
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

static GLuint map_buffer(void)
{
    storage_fn *storage;
    void (*found)(void) = eglGetProcAddress("glBufferStorageEXT");
    GLbitfield how = GL_MAP_READ_BIT | GL_MAP_WRITE_BIT | PERSISTENT | COHERENT;
    GLuint buffer;

    memcpy(&storage, &found, sizeof(storage));
    if (storage == NULL)
        exit(3);
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_UNIFORM_BUFFER, buffer);
    storage(GL_UNIFORM_BUFFER, BYTES, NULL, how);
    mapped = glMapBufferRange(GL_UNIFORM_BUFFER, 0, BYTES, how);
    glBindBufferRange(GL_SHADER_STORAGE_BUFFER, 0, buffer, PAGE, 4);
    return buffer;
}

/* Green to a page of its own, blue to the one whose first word the shader counts in. */
static void *write_colours(void *nothing)
{
    static const float green[4] = {0, 1, 0, 1}, blue[4] = {0, 0, 1, 1};

    while (!begun)
        sleep_ms(1);
    sleep_ms(100);
    memcpy(mapped + 2 * PAGE / 4, green, sizeof(green));
    memcpy(mapped + (PAGE + 256) / 4, blue, sizeof(blue));
    written = 1;
    return nothing;
}

static int writes(EGLDisplay display, EGLSurface surface, const char *picture)
{
    static const float red[4] = {1, 0, 0, 1};
    unsigned char half[2][4];
    pthread_t thread;
    unsigned counted;
    int during;

    (void)map_buffer();
    memcpy(mapped, red, sizeof(red));
    (void)pthread_create(&thread, NULL, write_colours, NULL);
    glClearColor(0, 0, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    draw(1500, 0);
    begun = 1;
    (void)eglSwapBuffers(display, surface); /* the batch is executed in here */
    during = written;
    (void)pthread_join(thread, NULL);
    memcpy(&counted, mapped + PAGE / 4, sizeof(counted));
    draw(0, 2 * PAGE);
    glEnable(GL_SCISSOR_TEST);
    glScissor(0, 0, SIDE / 2, SIDE);
    draw(0, PAGE + 256);
    glReadPixels(SIDE - 1, 1, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, half[0]);
    glReadPixels(0, 1, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, half[1]);
    glDisable(GL_SCISSOR_TEST);
    save_picture(picture, SIDE, SIDE);
    (void)eglSwapBuffers(display, surface);
    printf("written while the batch was executed: %s\n", during ? "yes" : "no");
    return during && counted == SIDE && half[0][1] == 255 && half[1][2] == 255 ? 0 : 1;
}

static void end_thread(int number)
{
    (void)number;
    pthread_exit(NULL);
}

static void *draw_long(void *nothing)
{
    EGLDisplay display;
    EGLSurface surface = start_gles(SIDE, SIDE, 0, &display);

    prepare();
    (void)map_buffer();
    draw(1, 0);
    (void)eglSwapBuffers(display, surface);
    draw(1500, 0);
    begun = 1;
    (void)eglSwapBuffers(display, surface);
    return nothing;
}

static int ends(void)
{
    pthread_t thread;

    (void)signal(SIGQUIT, end_thread);
    (void)pthread_create(&thread, NULL, draw_long, NULL);
    while (!begun)
        sleep_ms(1);
    sleep_ms(100);
    (void)pthread_kill(thread, SIGQUIT);
    exit(0);
}

static int forks(void)
{
    pthread_t thread;
    pid_t child;
    int status = 1;

    (void)pthread_create(&thread, NULL, draw_long, NULL);
    while (!begun)
        sleep_ms(1);
    sleep_ms(100);
    child = fork();
    if (child == 0)
        exit(0);
    (void)waitpid(child, &status, 0);
    (void)pthread_join(thread, NULL);
    return status;
}

int main(int argc, char **argv)
{
    EGLDisplay display;
    EGLSurface surface;

    if (argc < 2)
        return 2;
    if (strcmp(argv[1], "ends") == 0)
        return ends();
    if (strcmp(argv[1], "forks") == 0)
        return forks();
    surface = start_gles(SIDE, SIDE, 0, &display);
    prepare();
    if (argc > 2)
        return writes(display, surface, argv[2]);
    glClear(GL_COLOR_BUFFER_BIT);
    glFinish();
    if (strcmp(argv[1], "becomes") == 0)
        (void)execlp("true", "true", (char *)NULL);
    abort();
}
