/* batch.c - see batch.h. */
#define _DEFAULT_SOURCE /* strsep, wait4 */
#include "bridge/programs/cli/batch.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bridge/programs/cli/run.h"
#include "igpu/clock.h"
#include "igpu/grow.h"
#include "igpu/program.h"

enum { PROTOCOL = 1, MAX_WORDS = 1024, READ_BYTES = 1 << 16 };

struct job {
    const char *id;
    uint64_t seconds;
    int argc;
    char *argv[MAX_WORDS + 3]; /* program, --quiet, words, NULL */
};

/* What a child prints on one of its streams. */
struct stream {
    int fd; /* -1: at its end */
    char *data;
    size_t bytes, capacity;
};

struct child {
    pid_t pid;
    struct stream out, err;
    bool late;
};

static double now(void)
{
    return igpu_seconds(CLOCK_MONOTONIC);
}

/* Split `line` in place. */
static enum igpu_status parse_job(struct job *job, char *line, const char *program,
                                  struct igpu_err *err)
{
    char *rest = line, *end = NULL;
    char *seconds;

    job->id = strsep(&rest, "\t");
    seconds = strsep(&rest, "\t");
    if (seconds != NULL)
        job->seconds = strtoull(seconds, &end, 10);
    if (*job->id == '\0' || strchr(job->id, ' ') != NULL || rest == NULL ||
        *seconds < '0' || *seconds > '9' || *end != '\0')
        return igpu_fail(
            err, IGPU_BAD_INPUT,
            "--batch: %.100s: expected ID, SECONDS and words, separated by "
            "tabs",
            line);
    job->argc = 0;
    job->argv[job->argc++] = (char *)(uintptr_t)program;
    job->argv[job->argc++] = (char *)(uintptr_t) "--quiet";
    while (rest != NULL) {
        if (job->argc == MAX_WORDS + 2)
            return igpu_fail(err, IGPU_BAD_INPUT, "--batch: %s: at most %d words",
                             job->id, MAX_WORDS);
        job->argv[job->argc++] = strsep(&rest, "\t");
    }
    job->argv[job->argc] = NULL;
    return IGPU_OK;
}

static _Noreturn void be_child(struct job *job, const struct engine_set *engines,
                               const int out[2], const int err[2], pid_t parent)
{
    int null = open("/dev/null", O_RDONLY);

    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent || null < 0 || dup2(null, STDIN_FILENO) < 0 ||
        dup2(out[1], STDOUT_FILENO) < 0 || dup2(err[1], STDERR_FILENO) < 0)
        _exit(IGPU_SIM_ERROR);
    (void)close(null);
    for (unsigned i = 0; i < 2; i++) {
        (void)close(out[i]);
        (void)close(err[i]);
    }
    _exit(igpu_program_end(engines->program, run_main(job->argc, job->argv, engines)));
}

static enum igpu_status job_start(struct child *child, struct job *job,
                                  const struct engine_set *engines,
                                  struct igpu_err *err)
{
    int out[2], told[2] = {-1, -1};
    pid_t self = getpid();

    if (pipe(out) != 0)
        return igpu_fail(err, IGPU_SIM_ERROR, "--batch: pipe: %s", strerror(errno));
    child->pid = -1;
    if (pipe(told) == 0 && (child->pid = fork()) == 0)
        be_child(job, engines, out, told, self);
    if (child->pid < 0)
        (void)igpu_fail(err, IGPU_SIM_ERROR, "--batch: cannot start a process: %s",
                        strerror(errno));
    (void)close(out[1]);
    (void)close(told[1]);
    child->out.fd = out[0];
    child->err.fd = told[0];
    child->out.bytes = child->err.bytes = 0;
    child->late = false;
    return child->pid < 0 ? IGPU_SIM_ERROR : IGPU_OK;
}

/* Take what is there. */
static enum igpu_status batch_take(struct stream *s, struct igpu_err *err)
{
    ssize_t n;

    if (!IGPU_RESERVE(s->data, s->capacity, s->bytes + READ_BYTES))
        return igpu_no_memory(err, "--batch");
    n = read(s->fd, s->data + s->bytes, READ_BYTES);
    if (n > 0) {
        s->bytes += (size_t)n;
    } else if (n == 0 || errno != EINTR) {
        (void)close(s->fd);
        s->fd = -1;
    }
    return IGPU_OK;
}

/* Until both streams end, which they do with the child. */
static enum igpu_status collect(struct child *child, uint64_t seconds,
                                struct igpu_err *err)
{
    double deadline = now() + (double)seconds;
    enum igpu_status status = IGPU_OK;

    while (status == IGPU_OK && (child->out.fd >= 0 || child->err.fd >= 0)) {
        struct pollfd fds[2] = {{.fd = child->out.fd, .events = POLLIN},
                                {.fd = child->err.fd, .events = POLLIN}};
        double left = (deadline - now()) * 1e3;
        int wait = seconds == 0 || child->late ? -1
                   : left <= 0                 ? 0
                   : left >= 1e9               ? 1000000000
                                               : (int)left + 1;
        int n = poll(fds, 2, wait);

        if (n == 0 && now() >= deadline) {
            child->late = true;
            (void)kill(child->pid, SIGKILL);
        }
        if (n > 0 && fds[0].revents != 0)
            status = batch_take(&child->out, err);
        if (n > 0 && status == IGPU_OK && fds[1].revents != 0)
            status = batch_take(&child->err, err);
    }
    if (status != IGPU_OK)
        (void)kill(child->pid, SIGKILL);
    return status;
}

static uint64_t micros(struct timeval t)
{
    return (uint64_t)t.tv_sec * 1000000 + (uint64_t)t.tv_usec;
}

static void child_answer(const struct child *child, const char *id, int how,
                         const struct rusage *usage)
{
    bool exited = WIFEXITED(how);

    printf("%s %d %d %d %" PRIu64 " %ld %zu %zu\n", id, exited ? WEXITSTATUS(how) : 0,
           exited ? 0 : WTERMSIG(how), child->late,
           micros(usage->ru_utime) + micros(usage->ru_stime), usage->ru_maxrss,
           child->out.bytes, child->err.bytes);
    (void)fwrite(child->out.data, 1, child->out.bytes, stdout);
    (void)fwrite(child->err.data, 1, child->err.bytes, stdout);
}

static enum igpu_status serve(struct child *child, char *line,
                              const struct engine_set *engines, struct igpu_err *err)
{
    struct job job = {.seconds = 0};
    struct rusage usage;
    enum igpu_status status = parse_job(&job, line, engines->program, err);
    int how = 0;

    if (status == IGPU_OK)
        status = job_start(child, &job, engines, err);
    if (status != IGPU_OK)
        return status;
    status = collect(child, job.seconds, err);
    while (wait4(child->pid, &how, 0, &usage) < 0 && errno == EINTR)
        ;
    if (status == IGPU_OK)
        child_answer(child, job.id, how, &usage);
    return status;
}

static int serve_all(const struct engine_set *engines)
{
    const char *engine = engines->engine[0].name;
    struct child child = {.pid = -1};
    struct igpu_err err = {.text = "no error"};
    enum igpu_status status = IGPU_OK;
    char *line = NULL;
    size_t capacity = 0;
    ssize_t n;

    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    printf("batch %d %s %s\n", PROTOCOL, engine, engines->model);
    while (status == IGPU_OK && fflush(stdout) == 0 &&
           (n = getline(&line, &capacity, stdin)) > 0) {
        if (line[n - 1] == '\n')
            line[n - 1] = '\0';
        status = serve(&child, line, engines, &err);
    }
    free(line);
    free(child.out.data);
    free(child.err.data);
    return status == IGPU_OK ? 0 : igpu_complain(engines->program, status, &err);
}

int batch_or_run(int argc, char **argv, const struct engine_set *engines)
{
    if (argc < 2 || strcmp(argv[1], "--batch") != 0)
        return run_main(argc, argv, engines);
    if (argc > 2)
        return igpu_complain_of(engines->program, IGPU_USAGE,
                                "--batch: expected no other words");
    return serve_all(engines);
}
