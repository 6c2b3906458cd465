/* side.c - see side.h. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS, usleep */
#include "bridge/host/sample/side.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
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
    struct {
        struct launches_row is;
        /* Its profile, which does not fit here: in that process's file, from 1 on,
         * there; 0: it has none. */
        uint32_t process;
        long at;
    } row[];
};

/* Who does it, and where profiles go. */
struct process {
    uint32_t number; /* from 1 on */
    FILE *file;      /* of no name; NULL: nobody asks for profiles */
};

/* ---- a process ------------------------------------------------------------------ */

/* Also flushed: the process ends without. */
static enum igpu_status put_profile(const struct process *to, struct shared *s,
                                    uint32_t row, struct igpu_err *err)
{
    struct waits_profile *w = s->row[row].is.profile;
    bool good;

    s->row[row].is.profile = NULL;
    s->row[row].process = to->number;
    s->row[row].at = ftell(to->file);
    good = fwrite(w, sizeof(*w), 1, to->file) == 1 &&
           profile_result_write(&w->result, to->file) && fflush(to->file) == 0;
    waits_profile_free(w);
    free(w);
    return good ? IGPU_OK
                : igpu_fail(err, IGPU_SIM_ERROR,
                            "-j: no room for what is temporary; see TMPDIR");
}

static enum igpu_status work(struct machine *m, struct before *before,
                             const struct side *side, const struct side_job *job,
                             const struct process *me, struct shared *s,
                             struct igpu_err *err)
{
    enum igpu_status status =
        before_launch(before, m, side->earliest, side->first + job->begin, err);

    for (uint32_t i = job->begin; i < job->end && status == IGPU_OK; i++) {
        status = launches_one(&s->row[i].is, m, side->first + i, side->sample, err);
        if (status == IGPU_OK && s->row[i].is.profile != NULL)
            status = put_profile(me, s, i, err);
    }
    return status;
}

static _Noreturn void be_worker(const struct side *side, const struct side_job *job,
                                uint32_t count, const struct process *me,
                                struct shared *s, pid_t parent)
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
        status = work(&m, before, side, &job[i], me, s, &err);
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

static void job_start(const struct side *side, const struct side_job *job,
                      uint32_t count, const struct process *process, struct shared *s)
{
    pid_t pid[SIDE_MOST], self = getpid();
    uint32_t started = 0;

    for (; started < side->jobs && started < count; started++) {
        pid[started] = fork();
        if (pid[started] == 0)
            be_worker(side, job, count, &process[started], s, self);
        if (pid[started] < 0)
            break;
    }
    if (started == 0)
        s->status = igpu_fail(&s->err, IGPU_SIM_ERROR, "-j: cannot start a process: %s",
                              strerror(errno));
    await(side->machine, s, pid, started);
}

/* A file for each process, where launches have profiles. */
static enum igpu_status make_files(const struct side *side, struct process *process,
                                   struct igpu_err *err)
{
    for (uint32_t i = 0; i < side->jobs; i++) {
        process[i].number = i + 1;
        process[i].file = side->machine->profile ? tmpfile() : NULL;
        if (side->machine->profile && process[i].file == NULL)
            return igpu_fail(err, IGPU_SIM_ERROR, "-j: no temporary file: %s",
                             strerror(errno));
    }
    return IGPU_OK;
}

static bool get_profile(struct launches_row *row, FILE *file, long at)
{
    struct waits_profile *w = calloc(1, sizeof(*w));
    bool good = w != NULL && fseek(file, at, SEEK_SET) == 0 &&
                fread(w, sizeof(*w), 1, file) == 1;

    if (w != NULL)
        memset(&w->result, 0, sizeof(w->result)); /* pointers of the other process */
    good = good && profile_result_read(&w->result, file);
    if (!good) {
        free(w);
        return false;
    }
    row->profile = w;
    return true;
}

/* What the processes have done. */
static enum igpu_status take_rows(const struct shared *s, const struct process *process,
                                  struct launches *l, struct igpu_err *err)
{
    for (uint32_t i = 0; i < l->count; i++) {
        l->row[i] = s->row[i].is;
        if (s->row[i].process != 0 &&
            !get_profile(&l->row[i], process[s->row[i].process - 1].file, s->row[i].at))
            return igpu_no_memory(err, "-j");
    }
    return IGPU_OK;
}

enum igpu_status side_run(const struct side *side, const struct side_job *job,
                          uint32_t count, struct launches *l, struct igpu_err *err)
{
    size_t bytes =
        sizeof(struct shared) + l->count * sizeof(((struct shared *)0)->row[0]);
    struct process process[SIDE_MOST] = {{0}};
    struct shared *s =
        mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    enum igpu_status status;

    if (s == MAP_FAILED)
        return igpu_no_memory(err, "-j");
    for (uint32_t i = 0; i < l->count; i++)
        s->row[i].is = l->row[i];
    status = make_files(side, process, err);
    if (status == IGPU_OK) {
        job_start(side, job, count, process, s);
        status = s->status;
        if (status == IGPU_OK)
            status = take_rows(s, process, l, err);
        else
            *err = s->err;
    }
    for (uint32_t i = 0; i < side->jobs; i++)
        if (process[i].file != NULL)
            (void)fclose(process[i].file);
    (void)munmap(s, bytes);
    return status;
}
