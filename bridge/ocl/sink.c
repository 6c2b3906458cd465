/* sink.c - see sink.h. */
#include "bridge/ocl/sink.h"

#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "traces/trace.h"

enum { PATH_BYTES = 4096, MAX_PROCESSES = 1000 };

static struct {
    bool ready, one;
    const char *dir, *kernel;
    uint64_t first, last, every, limit;
    FILE *list;
    unsigned process; /* 0, 1, ... in this folder */
    uint64_t launches, matched, instructions;
    struct trace_writer *writer; /* of the common trace */
} sink;

static pthread_once_t once = PTHREAD_ONCE_INIT;

static uint64_t number(const char *name, uint64_t otherwise)
{
    const char *text = getenv(name);

    return text != NULL && text[0] != '\0' ? strtoull(text, NULL, 10) : otherwise;
}

static void read_range(void)
{
    const char *text = getenv("IGPU_TRACE_LAUNCHES"), *dots;

    sink.last = UINT64_MAX;
    if (text == NULL || text[0] == '\0')
        return;
    sink.first = sink.last = strtoull(text, NULL, 10);
    dots = strstr(text, "..");
    if (dots != NULL)
        sink.last = strtoull(dots + 2, NULL, 10);
}

/* The first list that no other process has. */
static void open_list(void)
{
    char path[PATH_BYTES];

    for (sink.process = 0; sink.process < MAX_PROCESSES; sink.process++) {
        int fd;

        if (sink.process == 0)
            snprintf(path, sizeof(path), "%s/launches.csv", sink.dir);
        else
            snprintf(path, sizeof(path), "%s/launches.%u.csv", sink.dir, sink.process);
        fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd >= 0)
            sink.list = fdopen(fd, "w");
        if (fd >= 0 || errno != EEXIST)
            break;
    }
    if (sink.list != NULL) {
        fputs("launch,kernel,device,global,local,threads,instructions,"
              "lane_instructions,flops,host_seconds,cycles,time_ns,trace,error\n",
              sink.list);
        (void)fflush(sink.list);
    } else {
        fprintf(stderr, "vigpu: %s: cannot write: %s; nothing is recorded\n", path,
                strerror(errno));
        sink.dir = NULL;
    }
}

static void set_up(void)
{
    const char *one = getenv("IGPU_TRACE_ONE");

    sink.dir = getenv("IGPU_TRACE_DIR");
    if (sink.dir != NULL && sink.dir[0] == '\0')
        sink.dir = NULL;
    sink.one = one != NULL && strcmp(one, "1") == 0;
    sink.kernel = getenv("IGPU_TRACE_KERNEL");
    sink.every = number("IGPU_TRACE_EVERY", 1);
    if (sink.every == 0)
        sink.every = 1;
    sink.limit = number("IGPU_TRACE_INSTRUCTIONS", UINT64_MAX);
    read_range();
    if (sink.dir == NULL)
        return;
    if (mkdir(sink.dir, 0777) != 0 && errno != EEXIST) {
        fprintf(stderr, "vigpu: %s: cannot make the folder: %s; nothing is recorded\n",
                sink.dir, strerror(errno));
        sink.dir = NULL;
        return;
    }
    open_list();
}

uint64_t sink_next(void)
{
    (void)pthread_once(&once, set_up);
    return sink.launches++;
}

static bool wanted(uint64_t launch, const char *kernel)
{
    if (sink.dir == NULL || launch < sink.first || launch > sink.last ||
        sink.instructions >= sink.limit ||
        (sink.kernel != NULL && fnmatch(sink.kernel, kernel, 0) != 0))
        return false;
    return sink.matched++ % sink.every == 0;
}

/* ---- names --------------------------------------------------------------------- */

/* "0007-gemm.pb"; what a file name should not hold becomes '_'. */
static void file_name(char *name, size_t cap, uint64_t launch, const char *kernel)
{
    char prefix[16] = "";
    size_t n;

    if (sink.process > 0)
        snprintf(prefix, sizeof(prefix), "%u-", sink.process);
    if (sink.one) {
        snprintf(name, cap, "%strace.pb", prefix);
        return;
    }
    snprintf(name, cap, "%s%04" PRIu64 "-%.80s.pb", prefix, launch, kernel);
    n = strlen(name);
    for (size_t i = 0; i < n; i++)
        if (strchr("/\\:*?\"<>| ", name[i]) != NULL)
            name[i] = '_';
}

/* A trace that only the simulation needs. */
static void temporary_name(char *path, size_t cap, uint64_t launch)
{
    const char *top = getenv("TMPDIR");

    snprintf(path, cap, "%s/vigpu-%ld-%" PRIu64 ".timing.pb",
             top != NULL && top[0] == '/' ? top : "/tmp", (long)getpid(), launch);
}

static bool is_temporary(const char *path)
{
    size_t n = strlen(path), m = strlen(".timing.pb");

    return n > m && strcmp(path + n - m, ".timing.pb") == 0;
}

void sink_done(const char *path)
{
    if (is_temporary(path))
        (void)unlink(path);
}

/* ---- recording ----------------------------------------------------------------- */

static struct trace_writer *open_writer(const char *path, const char *device,
                                        struct igpu_err *err)
{
    char program[1024] = "";
    ssize_t n = readlink("/proc/self/exe", program, sizeof(program) - 1);
    const char *slash = n > 0 ? strrchr(program, '/') : NULL;
    struct trace_header header = {"igpu run " IGPU_VERSION, device,
                                  slash != NULL ? slash + 1 : "", ""};

    return trace_writer_open(path, &header, NULL, err);
}

/* Into a file of its own. */
static enum igpu_status run_alone(struct record_program *program, const char *device,
                                  const struct emu_launch *launch, const char *path,
                                  struct emu_counts *counts, struct igpu_err *err)
{
    struct trace_writer *writer = open_writer(path, device, err);
    uint32_t index = UINT32_MAX;
    enum igpu_status status;

    if (writer == NULL)
        return IGPU_BAD_INPUT;
    status = record_launch(program, launch, writer, &index, counts, err);
    if (status == IGPU_OK)
        return trace_writer_close(writer, err);
    trace_writer_abort(writer);
    return status;
}

/* Into the common trace, which an error spoils: it is given up then. */
static enum igpu_status run_common(struct record_program *program, const char *device,
                                   const struct emu_launch *launch, const char *path,
                                   uint32_t *index, struct emu_counts *counts,
                                   struct igpu_err *err)
{
    enum igpu_status status;

    if (sink.writer == NULL)
        sink.writer = open_writer(path, device, err);
    if (sink.writer == NULL)
        return IGPU_BAD_INPUT;
    status = record_launch(program, launch, sink.writer, index, counts, err);
    if (status != IGPU_OK) {
        trace_writer_abort(sink.writer);
        sink.writer = NULL;
        fprintf(stderr, "vigpu: %s is given up: a launch failed\n", path);
        sink.limit = 0; /* no second one over it */
    }
    return status;
}

enum igpu_status sink_run(struct record_program *program, const char *device,
                          const struct emu_launch *launch, uint32_t *index, bool timed,
                          char *path, size_t cap, struct sink_row *row,
                          struct igpu_err *err)
{
    static char name[128];
    bool record = wanted(row->launch, row->kernel);
    enum igpu_status status;

    path[0] = '\0';
    if (record) {
        file_name(name, sizeof(name), row->launch, row->kernel);
        snprintf(path, cap, "%s/%s", sink.dir, name);
    }
    if (record && sink.one && !timed) {
        status = run_common(program, device, launch, path, index, &row->counts, err);
        path[0] = '\0';
    } else if (record || timed) {
        if (!record)
            temporary_name(path, cap, row->launch);
        status = run_alone(program, device, launch, path, &row->counts, err);
    } else {
        status = emu_run(program->emu, program->mem, launch, &row->counts, err);
    }
    if (record && status == IGPU_OK) {
        row->trace = name;
        sink.instructions += row->counts.instructions;
    }
    return status;
}

/* A name without what would break the list's columns. */
static void write_text(FILE *out, const char *text)
{
    for (; *text != '\0'; text++)
        fputc(*text == ',' || *text == '\n' || *text == '"' ? ' ' : *text, out);
}

void sink_row(const struct sink_row *r)
{
    FILE *out = sink.list;

    if (out == NULL)
        return;
    fprintf(out, "%" PRIu64 ",", r->launch);
    write_text(out, r->kernel);
    fprintf(out,
            ",%s,%" PRIu64 "x%" PRIu64 "x%" PRIu64 ",%" PRIu64 "x%" PRIu64 "x%" PRIu64,
            r->device, r->global[0], r->global[1], r->global[2], r->local[0],
            r->local[1], r->local[2]);
    fprintf(out,
            ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%.6f,%" PRIu64 ",%" PRIu64
            ",%s,",
            r->counts.threads, r->counts.instructions, r->counts.lane_instructions,
            r->counts.flops, r->host_seconds, r->cycles, r->ns, r->trace);
    write_text(out, r->error);
    fputc('\n', out);
    (void)fflush(out);
}

/* At exit, after the device thread stopped (destructors run in reverse order of
 * priority numbers: sched.c's has none and runs first). */
static void __attribute__((destructor(101))) close_all(void)
{
    struct igpu_err err;

    if (sink.writer != NULL && trace_writer_close(sink.writer, &err) != IGPU_OK)
        fprintf(stderr, "vigpu: trace.pb: %s\n", err.text);
    if (sink.list != NULL)
        (void)fclose(sink.list);
}
