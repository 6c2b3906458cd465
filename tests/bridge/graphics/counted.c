/* counted.c - a GLES 3 program for tests/bridge/test_gl_counters.sh: what
 * GL_INTEL_performance_query says of a draw whose pixels go 10 and 2,000 times round,
 * set by set, and what i915-perf's stream says while the program draws. counted sets:
 * each set of the driver, around the same draw counted rounds: a set of 3D, 10 and
 * 2,000 rounds, beside a timer query counted stream: the stream's own calls, and its
 * reports */
#define _GNU_SOURCE
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES3/gl32.h>

#include <GLES2/gl2ext.h> /* behind the types that it needs */
#include <errno.h>
#include <fcntl.h>
#include <i915_drm.h>
#include <poll.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "gl.h"
#include "right.h"

enum { WIDTH = 64, HEIGHT = 64, MOST_COUNTERS = 128, NAME = 256 };

static const char vertex[] = "#version 300 es\nlayout(location = 0) in vec2 place;\n"
                             "void main() { gl_Position = vec4(place, 0.0, 1.0); }";

static const char fragment[] =
    "#version 300 es\nprecision highp float; out vec4 o; uniform int n;\n"
    "void main() { float a = gl_FragCoord.x;\n"
    " for (int i = 0; i < n; i++) a = fract(a * 1.25 + 0.5); o = vec4(a); }";

static GLint rounds;

/* ---- queries ------------------------------------------------------------ */

static PFNGLGETFIRSTPERFQUERYIDINTELPROC first_query;
static PFNGLGETNEXTPERFQUERYIDINTELPROC next_query;
static PFNGLGETPERFQUERYINFOINTELPROC query_info;
static PFNGLGETPERFCOUNTERINFOINTELPROC counter_info;
static PFNGLCREATEPERFQUERYINTELPROC create_query;
static PFNGLDELETEPERFQUERYINTELPROC delete_query;
static PFNGLBEGINPERFQUERYINTELPROC begin_query;
static PFNGLENDPERFQUERYINTELPROC end_query;
static PFNGLGETPERFQUERYDATAINTELPROC query_data;
static PFNGLGETQUERYOBJECTUI64VEXTPROC get_result;

static void find_calls(void)
{
#define FIND(to, type, name)                                                           \
    to = (type)eglGetProcAddress(name);                                                \
    if (to == NULL)                                                                    \
    exit(3)
    FIND(first_query, PFNGLGETFIRSTPERFQUERYIDINTELPROC, "glGetFirstPerfQueryIdINTEL");
    FIND(next_query, PFNGLGETNEXTPERFQUERYIDINTELPROC, "glGetNextPerfQueryIdINTEL");
    FIND(query_info, PFNGLGETPERFQUERYINFOINTELPROC, "glGetPerfQueryInfoINTEL");
    FIND(counter_info, PFNGLGETPERFCOUNTERINFOINTELPROC, "glGetPerfCounterInfoINTEL");
    FIND(create_query, PFNGLCREATEPERFQUERYINTELPROC, "glCreatePerfQueryINTEL");
    FIND(delete_query, PFNGLDELETEPERFQUERYINTELPROC, "glDeletePerfQueryINTEL");
    FIND(begin_query, PFNGLBEGINPERFQUERYINTELPROC, "glBeginPerfQueryINTEL");
    FIND(end_query, PFNGLENDPERFQUERYINTELPROC, "glEndPerfQueryINTEL");
    FIND(query_data, PFNGLGETPERFQUERYDATAINTELPROC, "glGetPerfQueryDataINTEL");
    FIND(get_result, PFNGLGETQUERYOBJECTUI64VEXTPROC, "glGetQueryObjectui64vEXT");
}

static void draw(int n)
{
    glUniform1i(rounds, n);
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

/* A query's counters around one draw. */
struct counted {
    GLuint counters;
    struct {
        char name[NAME];
        double value, most;
    } counter[MOST_COUNTERS];
};

static double value_at(const uint8_t *data, GLuint offset, GLuint type)
{
    uint64_t wide;
    uint32_t narrow;
    float f;
    double d;

    switch (type) {
    case GL_PERFQUERY_COUNTER_DATA_UINT64_INTEL:
        memcpy(&wide, data + offset, sizeof(wide));
        return (double)wide;
    case GL_PERFQUERY_COUNTER_DATA_FLOAT_INTEL:
        memcpy(&f, data + offset, sizeof(f));
        return (double)f;
    case GL_PERFQUERY_COUNTER_DATA_DOUBLE_INTEL:
        memcpy(&d, data + offset, sizeof(d));
        return d;
    default:
        memcpy(&narrow, data + offset, sizeof(narrow));
        return narrow;
    }
}

static void take(GLuint id, const uint8_t *data, struct counted *to)
{
    char text[NAME];

    for (GLuint i = 0; i < to->counters && i < MOST_COUNTERS; i++) {
        GLuint offset, bytes, kind, type;
        GLuint64 most = 0;

        counter_info(id, i + 1, NAME, to->counter[i].name, NAME, text, &offset, &bytes,
                     &kind, &type, &most);
        to->counter[i].value = value_at(data, offset, type);
        to->counter[i].most = (double)most;
    }
}

/* False: there is no such query, or it fails. */
static int around(GLuint id, int n, struct counted *to)
{
    char name[NAME];
    GLuint bytes, copies, caps, query, got = 0;
    uint8_t *data;

    query_info(id, NAME, name, &bytes, &to->counters, &copies, &caps);
    create_query(id, &query);
    data = calloc(1, bytes);
    begin_query(query);
    draw(n);
    end_query(query);
    query_data(query, GL_PERFQUERY_WAIT_INTEL, (GLsizei)bytes, data, &got);
    take(id, data, to);
    free(data);
    delete_query(query);
    return got == bytes && glGetError() == GL_NO_ERROR;
}

static double counter(const struct counted *c, const char *name)
{
    for (GLuint i = 0; i < c->counters && i < MOST_COUNTERS; i++)
        if (strcmp(c->counter[i].name, name) == 0)
            return c->counter[i].value;
    printf("no counter %s\n", name);
    wrong = 1;
    return -1;
}

static void all_sets(void)
{
    static struct counted c;
    GLuint id = 0, queries = 0, failed = 0, above = 0;

    for (first_query(&id); id != 0; next_query(id, &id)) {
        char name[NAME];
        GLuint bytes, counters, copies, caps;

        query_info(id, NAME, name, &bytes, &counters, &copies, &caps);
        queries++;
        if (!around(id, 100, &c)) {
            printf("%s fails\n", name);
            failed++;
        }
        for (GLuint i = 0; i < c.counters && i < MOST_COUNTERS; i++)
            if (c.counter[i].most == 100 && c.counter[i].value > 100) {
                printf("%s: %s is %g\n", name, c.counter[i].name, c.counter[i].value);
                above++;
            }
    }
    printf("%u queries\n", queries);
    check(queries > 20 && failed == 0, "each set of the driver counts");
    check(above == 0, "no share is above 100 %");
}

static GLuint find_set(const char *wanted)
{
    char name[NAME];
    GLuint id = 0, bytes, counters, copies, caps;

    for (first_query(&id); id != 0; next_query(id, &id)) {
        query_info(id, NAME, name, &bytes, &counters, &copies, &caps);
        if (strcmp(name, wanted) == 0)
            return id;
    }
    printf("no set %s\n", wanted);
    exit(3);
}

static void count_rounds(void)
{
    static struct counted few, many;
    GLuint id = find_set("Render Metrics Basic set"), query;
    GLuint64 took = 0;
    double threads, ns;

    check(around(id, 10, &few) && around(id, 10, &few) && around(id, 2000, &many),
          "three queries");
    glGenQueries(1, &query);
    glBeginQuery(GL_TIME_ELAPSED_EXT, query);
    draw(2000);
    glEndQuery(GL_TIME_ELAPSED_EXT);
    get_result(query, GL_QUERY_RESULT_EXT, &took);
    ns = counter(&many, "GPU Time Elapsed");
    threads = counter(&many, "FS Threads Dispatched");
    printf("10 rounds %g ns, 2000 rounds %g ns, %g clocks, EUs active %g %%, a timer "
           "query %llu ns, %g threads, %g samples\n",
           counter(&few, "GPU Time Elapsed"), ns, counter(&many, "GPU Core Clocks"),
           counter(&many, "EU Active"), (unsigned long long)took, threads,
           counter(&many, "Samples Written"));
    check(ns > 50 * counter(&few, "GPU Time Elapsed"),
          "200 times the rounds take over 50 times as long");
    check(ns > 0.97 * (double)took && ns < 1.03 * (double)took,
          "as long as a timer query says");
    check(counter(&many, "Samples Written") == WIDTH * HEIGHT,
          "a sample is written for each pixel");
    check(threads >= WIDTH * HEIGHT / 32 && threads <= WIDTH * HEIGHT / 8 &&
              threads == counter(&few, "FS Threads Dispatched"),
          "as many threads of pixel shaders");
    check(counter(&many, "EU Active") > 10 * counter(&few, "EU Active") / 10 &&
              counter(&many, "EU Active") <= 100,
          "EUs are active");
}

/* ---- the stream --------------------------------------------------------- */

static int node;

static int open_stream(uint64_t set, uint64_t format, uint64_t exponent, uint32_t flags)
{
    uint64_t p[] = {DRM_I915_PERF_PROP_SAMPLE_OA,      1,
                    DRM_I915_PERF_PROP_OA_METRICS_SET, set,
                    DRM_I915_PERF_PROP_OA_FORMAT,      format,
                    DRM_I915_PERF_PROP_OA_EXPONENT,    exponent};
    struct drm_i915_perf_open_param o = {.flags = flags | I915_PERF_FLAG_FD_CLOEXEC,
                                         .num_properties = sizeof(p) / sizeof(p[0]) / 2,
                                         .properties_ptr = (uintptr_t)p};

    return ioctl(node, DRM_IOCTL_I915_PERF_OPEN, &o);
}

static void expect_error(int got, int error, const char *what)
{
    check(got < 0 && errno == error, what);
}

static uint64_t number_of(const char *uuid)
{
    char path[200], text[32] = "";
    int fd;

    (void)snprintf(path, sizeof(path),
                   "/sys/dev/char/226:128/device/drm/card0/metrics/%s/id", uuid);
    fd = open(path, O_RDONLY);
    if (fd < 0 || read(fd, text, sizeof(text) - 1) <= 0)
        exit(3);
    (void)close(fd);
    return strtoull(text, NULL, 10);
}

enum { REPORT = 256, EXPONENT = 5, PERIOD = 2 << EXPONENT, REASON_TIMER = 1 << 19 };

struct report {
    struct drm_i915_perf_record_header header;
    uint32_t word[REPORT / 4];
};

/* All that waits: by the timer each 64 ticks, 5.3 us, in time's order. */
static void look_at(int fd, uint64_t *timers, uint32_t *first, uint32_t *last)
{
    static struct report r[64];
    uint32_t before = 0, tick = 0, apart = 0, back = 0, all = 0;
    ssize_t n;

    *timers = 0;
    while ((n = read(fd, r, sizeof(r))) > 0)
        for (size_t i = 0; i < (size_t)n / sizeof(r[0]); i++) {
            uint32_t time = r[i].word[1];

            all++;
            back += time < before || r[i].header.size != sizeof(r[0]) ||
                    r[i].header.type != DRM_I915_PERF_RECORD_SAMPLE;
            if (r[i].word[0] & REASON_TIMER) {
                apart += *timers > 0 && time != tick + PERIOD &&
                         time / PERIOD != tick / PERIOD + 1;
                tick = time;
                if ((*timers)++ == 0)
                    memcpy(first, r[i].word, REPORT);
                memcpy(last, r[i].word, REPORT);
            }
            before = time;
        }
    printf("%u reports, %llu of the timer, %u apart\n", all,
           (unsigned long long)*timers, apart);
    check(n < 0 && errno == EAGAIN && back == 0, "reports in time's order, then none");
    check(apart == 0, "the timer's are a period apart");
}

static void read_stream(void)
{
    uint64_t set, timers;
    uint32_t first[REPORT / 4] = {0}, last[REPORT / 4] = {0}, active, clocks;
    struct pollfd p = {.events = POLLIN};
    uint64_t none = UINT64_MAX;
    char small[8];
    int fd;

    node = open("/dev/dri/renderD128", O_RDWR);
    set = number_of("07b25942-d9fd-4fce-bd58-e29abd66b7de");
    expect_error(ioctl(node, DRM_IOCTL_I915_PERF_REMOVE_CONFIG, &none), ENOENT,
                 "a set that is none");
    expect_error(open_stream(set + 1000, I915_OA_FORMAT_A32u40_A4u32_B8_C8, 5, 0),
                 EINVAL, "a stream of none");
    expect_error(open_stream(set, 100, 5, 0), EINVAL, "a format that is none");
    expect_error(open_stream(set, I915_OA_FORMAT_A32u40_A4u32_B8_C8, 32, 0), EINVAL,
                 "a period that is none");
    fd = open_stream(set, I915_OA_FORMAT_A32u40_A4u32_B8_C8, EXPONENT,
                     I915_PERF_FLAG_FD_NONBLOCK | I915_PERF_FLAG_DISABLED);
    check(fd >= 0, "a stream");
    expect_error(open_stream(set, I915_OA_FORMAT_A32u40_A4u32_B8_C8, 5, 0), EBUSY,
                 "a second one");
    expect_error((int)read(fd, first, sizeof(first)), EIO, "it is not enabled");
    check(ioctl(fd, I915_PERF_IOCTL_ENABLE, 0) == 0, "it is");
    expect_error((int)read(fd, first, sizeof(first)), EAGAIN,
                 "nothing was counted yet");
    draw(2000);
    glFinish();
    p.fd = fd;
    check(poll(&p, 1, 0) == 1, "reports are there to be read");
    expect_error((int)read(fd, small, sizeof(small)), ENOSPC, "no room for one");
    look_at(fd, &timers, first, last);
    check(poll(&p, 1, 0) == 0, "there are no more");
    active = last[4 + 7] - first[4 + 7]; /* A7 */
    clocks = last[3] - first[3];
    printf(
        "between the first and the last of the timer %u clocks, EUs active %.1f %%\n",
        clocks, 100.0 * active / (24.0 * clocks));
    check(timers > 20 && active > 12 * clocks && active <= 24 * clocks,
          "EUs are active between them");
    check(ioctl(fd, I915_PERF_IOCTL_CONFIG, set) == (int)set, "the same set again");
    check(ioctl(fd, I915_PERF_IOCTL_DISABLE, 0) == 0, "it is disabled");
    (void)close(fd);
    fd = open_stream(set, I915_OA_FORMAT_C4_B8, 20, I915_PERF_FLAG_FD_NONBLOCK);
    check(fd >= 0, "another stream behind it");
    (void)close(fd);
    (void)close(node);
}

int main(int argc, char **argv)
{
    EGLDisplay display;
    EGLSurface surface = start_gles(WIDTH, HEIGHT, 0, &display);
    GLuint program = link_program(vertex, fragment);

    if (argc != 2)
        return 3;
    find_calls();
    cover_picture();
    glViewport(0, 0, WIDTH, HEIGHT);
    glUseProgram(program);
    rounds = glGetUniformLocation(program, "n");
    if (strcmp(argv[1], "sets") == 0)
        all_sets();
    else if (strcmp(argv[1], "rounds") == 0)
        count_rounds();
    else
        read_stream();
    eglSwapBuffers(display, surface);
    return wrong;
}
