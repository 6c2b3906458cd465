/* side.c - see side.h. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS, usleep */
#include "bridge/host/sample/side.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bridge/host/sample/before.h"

enum { POLL_US = 10000 };

/* In memory that all processes share. */
struct shared {
    atomic_uint next; /* job that nobody has taken */
    atomic_uint failed;
    enum igpu_status status; /* of the process that failed first */
    struct igpu_err err;
    struct launches_row row[];
};

/* ---- a process ------------------------------------------------------------------ */

static enum igpu_status work(struct machine *m, struct before *before,
                             const struct side *side, const struct side_job *job,
                             struct shared *s, struct igpu_err *err)
{
    enum igpu_status status =
        before_launch(before, m, side->earliest, side->first + job->begin, err);

    for (uint32_t i = job->begin; i < job->end && status == IGPU_OK; i++)
        status = launches_one(&s->row[i], m, side->first + i, side->sample, err);
    return status;
}

static _Noreturn void be_worker(const struct side *side, const struct side_job *job,
                                uint32_t count, struct shared *s, pid_t parent)
{
    struct machine m = *side->machine;
    struct before *before = NULL;
    struct igpu_err err = {.text = "no error"};
    enum igpu_status status = IGPU_OK;
    uint32_t i;

    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(1);
    m.reader = trace_open(side->path, &status, &err);
    if (status == IGPU_OK && (before = before_new(&m, &err)) == NULL)
        status = IGPU_BAD_INPUT;
    while (status == IGPU_OK && atomic_load(&s->failed) == 0 &&
           (i = atomic_fetch_add(&s->next, 1)) < count)
        status = work(&m, before, side, &job[i], s, &err);
    if (status != IGPU_OK && atomic_exchange(&s->failed, 1) == 0) {
        s->status = status;
        s->err = err;
    }
    _exit(status == IGPU_OK ? 0 : 1);
}

/* ---- all of them ---------------------------------------------------------------- */

/* Until all have ended; *s has what failed. */
static void await(const struct machine *m, struct shared *s, pid_t *pid, uint32_t count)
{
    uint32_t left = count;
    bool stopped = false;
    int how;

    while (left > 0) {
        for (uint32_t i = 0; i < count; i++) {
            if (pid[i] <= 0 || waitpid(pid[i], &how, WNOHANG) != pid[i])
                continue;
            pid[i] = 0;
            left--;
            if (!WIFEXITED(how) && atomic_exchange(&s->failed, 1) == 0)
                s->status =
                    igpu_fail(&s->err, IGPU_SIM_ERROR,
                              "-j: a process was ended by signal %d", WTERMSIG(how));
        }
        if (!stopped && m->stop != NULL && m->stop(m->stop_ctx, 0)) {
            stopped = true;
            for (uint32_t i = 0; i < count; i++)
                if (pid[i] > 0)
                    (void)kill(pid[i], SIGTERM);
        }
        if (left > 0)
            (void)usleep(POLL_US);
    }
}

static void start(const struct side *side, const struct side_job *job, uint32_t count,
                  struct shared *s)
{
    pid_t pid[SIDE_MOST], self = getpid();
    uint32_t started = 0;

    for (; started < side->jobs && started < count; started++) {
        pid[started] = fork();
        if (pid[started] == 0)
            be_worker(side, job, count, s, self);
        if (pid[started] < 0)
            break;
    }
    if (started == 0)
        s->status = igpu_fail(&s->err, IGPU_SIM_ERROR, "-j: cannot start a process: %s",
                              strerror(errno));
    await(side->machine, s, pid, started);
}

enum igpu_status side_run(const struct side *side, const struct side_job *job,
                          uint32_t count, struct launches *l, struct igpu_err *err)
{
    size_t bytes = sizeof(struct shared) + l->count * sizeof(*l->row);
    struct shared *s =
        mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    enum igpu_status status;

    if (s == MAP_FAILED)
        return igpu_no_memory(err, "-j");
    memcpy(s->row, l->row, l->count * sizeof(*l->row));
    start(side, job, count, s);
    status = s->status;
    if (status == IGPU_OK)
        memcpy(l->row, s->row, l->count * sizeof(*l->row));
    else
        *err = s->err;
    (void)munmap(s, bytes);
    return status;
}
