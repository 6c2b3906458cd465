/* sink.c - see sink.h. */
#define _XOPEN_SOURCE 700 /* realpath */
#include "bridge/drivers/ocl/sink.h"

#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bridge/drivers/ocl/device_time.h"
#include "bridge/drivers/ocl/progress.h"
#include "bridge/drivers/ocl/setting.h"
#include "igpu/output.h"
#include "traces/format/trace.h"

enum { PATH_BYTES = 4096, MAX_PROCESSES = 1000 };

static struct {
    bool ready, one;
    const char *dir, *kernel;
    uint64_t first, last, every, limit;
    FILE *list;
    unsigned process; /* 0, 1, ... in this folder */
    uint64_t launches, matched, instructions;
    struct trace_writer *writer;       /* of the common trace */
    int temporary;                     /* file of temporary traces; 0: none yet */
    char unnamed[IGPU_OUTPUT_UNNAMED]; /* by which it is opened */
} sink;

static pthread_once_t once = PTHREAD_ONCE_INIT;

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
              "lane_instructions,flops,host_seconds,cycles,time_ns,trace,sampled,"
              "cycles_low,cycles_high,queue,error",
              sink.list);
        fputs(setting_flag(SETTING_ENERGY) ? ",pkg_nj,dram_nj,igpu_nj\n" : "\n",
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
    static char absolute[PATH_MAX];

    sink.dir = setting_text(SETTING_TRACE_DIR);
    sink.one = setting_flag(SETTING_TRACE_ONE);
    if (sink.one && device_time_simulated()) {
        setting_complain(SETTING_TRACE_ONE, "not with IGPU_TIME=1");
        sink.one = false;
    }
    sink.kernel = setting_text(SETTING_TRACE_KERNEL);
    sink.every = setting_number(SETTING_TRACE_EVERY, 1, 1);
    sink.limit = setting_number(SETTING_TRACE_INSTRUCTIONS, 0, UINT64_MAX);
    setting_range(SETTING_TRACE_LAUNCHES, &sink.first, &sink.last);
    if (sink.dir == NULL)
        return;
    if (mkdir(sink.dir, 0777) != 0 && errno != EEXIST) {
        fprintf(stderr, "vigpu: %s: cannot make the folder: %s; nothing is recorded\n",
                sink.dir, strerror(errno));
        sink.dir = NULL;
        return;
    }
    if (realpath(sink.dir, absolute) != NULL) /* the program may change its folder */
        sink.dir = absolute;
    open_list();
}

/* In a child of fork(): list and traces are the parent's; the child's own launches
 * begin others. */
static void sink_forget(void)
{
    static const pthread_once_t again = PTHREAD_ONCE_INIT;

    memset(&sink, 0, sizeof(sink));
    once = again;
}

static void __attribute__((constructor)) watch_fork(void)
{
    (void)pthread_atfork(NULL, NULL, sink_forget);
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

/* A trace that only the simulation needs: a file without a name, so that nothing is
 * left of it however the program ends. */
static bool temporary_name(char *path, size_t cap, struct igpu_err *err)
{
    if (sink.temporary <= 0)
        sink.temporary = igpu_output_unnamed(sink.unnamed, err);
    (void)snprintf(path, cap, "%s", sink.unnamed);
    return sink.temporary > 0;
}

/* ---- recording ----------------------------------------------------------------- */

static struct trace_writer *open_writer(const char *path, const char *device,
                                        bool launches, struct igpu_err *err)
{
    char program[1024] = "";
    ssize_t n = readlink("/proc/self/exe", program, sizeof(program) - 1);
    const char *slash = n > 0 ? strrchr(program, '/') : NULL;
    struct trace_header header = {"igpu run " IGPU_VERSION,
                                  device,
                                  slash != NULL ? slash + 1 : "",
                                  "",
                                  false,
                                  launches};

    return trace_writer_open(path, &header, NULL, err);
}

/* Into a file of its own. */
static enum igpu_status run_alone(const struct sink_work *work, const char *path,
                                  struct sink_row *row, struct igpu_err *err)
{
    struct trace_writer *writer = open_writer(path, work->device, false, err);
    uint32_t index = UINT32_MAX;
    enum igpu_status status;

    if (writer == NULL)
        return IGPU_BAD_INPUT;
    status = exec_run(&work->exec, writer, &index, &row->counts, &row->sampled, err);
    if (status == IGPU_OK)
        return trace_writer_close(writer, err);
    trace_writer_abort(writer);
    return status;
}

/* Into the common trace, which an error spoils: it is given up then. */
static enum igpu_status run_common(const struct sink_work *work, const char *path,
                                   struct sink_row *row, struct igpu_err *err)
{
    enum igpu_status status;

    if (sink.writer == NULL)
        sink.writer = open_writer(path, work->device, false, err);
    if (sink.writer == NULL)
        return IGPU_BAD_INPUT;
    status = exec_run(&work->exec, sink.writer, work->index, &row->counts,
                      &row->sampled, err);
    if (status != IGPU_OK) {
        trace_writer_abort(sink.writer);
        sink.writer = NULL;
        fprintf(stderr, "vigpu: %s is given up: a launch failed\n", path);
        sink.limit = 0; /* no second one over it */
    }
    return status;
}

static uint64_t recorded_instructions(const struct exec *exec,
                                      const struct sink_row *row)
{
    uint64_t sum = 0;

    for (uint32_t i = 0; i < exec->sample->plan.windows; i++)
        sum += exec->sample->window_instructions[i];
    return exec->sample->plan.windows > 0 ? sum : row->counts.instructions;
}

enum igpu_status sink_run(const struct sink_work *work, char *path, size_t cap,
                          struct sink_row *row, struct igpu_err *err)
{
    static char name[128];
    bool record = wanted(row->launch, row->kernel);
    enum igpu_status status;

    path[0] = '\0';
    work->exec.sample->skipped = work->exec.sample->skipped && !record;
    if (work->exec.sample->skipped || (!record && !work->exec.timed))
        return exec_run(&work->exec, NULL, NULL, &row->counts, &row->sampled, err);
    if (record) {
        file_name(name, sizeof(name), row->launch, row->kernel);
        snprintf(path, cap, "%s/%s", sink.dir, name);
    } else if (!temporary_name(path, cap, err)) {
        return IGPU_BAD_INPUT;
    }
    if (sink.one && record) {
        status = run_common(work, path, row, err);
        path[0] = '\0';
    } else {
        status = run_alone(work, path, row, err);
        if (status != IGPU_OK && !record && strncmp(err->text, path, strlen(path)) == 0)
            status = igpu_fail(
                err, status, "its trace in the temporary folder: no space; set TMPDIR");
    }
    if (record && status == IGPU_OK) {
        row->trace = name;
        sink.instructions += recorded_instructions(&work->exec, row);
    }
    return status;
}

enum igpu_status sink_launch(const struct sink_work *work, char *path, size_t cap,
                             struct sink_row *row, struct igpu_err *err)
{
    static char name[128];
    bool record = wanted(row->launch, row->kernel);
    const struct sample *sample = work->exec.sample;
    enum igpu_status status = IGPU_OK;
    struct trace_writer *writer;
    uint32_t kernel = UINT32_MAX;

    if (record) {
        file_name(name, sizeof(name), row->launch, row->kernel);
        snprintf(path, cap, "%s/%s", sink.dir, name);
    } else if (!temporary_name(path, cap, err)) {
        return IGPU_BAD_INPUT;
    }
    writer = open_writer(path, work->device, true, err);
    if (writer == NULL)
        return IGPU_BAD_INPUT;
    for (uint32_t i = 0; i < sample->pieces && status == IGPU_OK; i++)
        status = record_write_launch(work->exec.program, &sample->piece[i], writer,
                                     record, &kernel, err);
    if (status == IGPU_OK)
        status = trace_writer_close(writer, err);
    else
        trace_writer_abort(writer);
    if (record && status == IGPU_OK)
        row->trace = name;
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
            ",%s,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu32 ",",
            r->counts.threads, r->counts.instructions, r->counts.lane_instructions,
            r->counts.flops, r->host_seconds, r->cycles, r->ns, r->trace, r->sampled,
            r->low, r->high, r->queue);
    write_text(out, r->error);
    if (setting_flag(SETTING_ENERGY))
        fprintf(out, ",%.3f,%.3f,%.3f", r->energy.pkg_nj, r->energy.dram_nj,
                r->energy.igpu_nj);
    fputc('\n', out);
    if (fflush(out) != 0 || ferror(out) != 0) {
        fprintf(stderr, "vigpu: launches.csv in %s: cannot write: %s; it ends here\n",
                sink.dir, strerror(errno));
        sink.list = NULL;
        (void)fclose(out);
    }
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
    sink.writer = NULL;
    sink.list = NULL;
    sink.dir = NULL; /* what runs later is not recorded */
}
