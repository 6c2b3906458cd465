/* pieces.c - see pieces.h. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS, usleep */
#include "bridge/sample/pieces.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bridge/sample/scale.h"
#include "bridge/sample/walk.h"

enum { POLL_US = 10000 };
/* Looking further back ends where as many launches again bring less than this part of
 * new lines. */
#define FEW_NEW 0.01

/* In memory that all processes share. */
struct shared {
    atomic_uint next; /* piece that nobody has taken */
    atomic_uint failed;
    enum igpu_status status; /* of the process that failed first */
    struct igpu_err err;
    uint32_t count; /* pieces */
    uint32_t begin[PIECES + 1];
    struct launches_row row[];
};

static uint64_t work(const struct trace_reader *reader, uint32_t launch)
{
    return trace_launch(reader, launch)->totals.instructions;
}

/* Pieces of about as many instructions each. */
static void cut(struct shared *s, const struct trace_reader *reader, uint32_t first,
                uint32_t last)
{
    uint64_t all = 0, sum = 0;

    for (uint32_t i = first; i <= last; i++)
        all += work(reader, i);
    s->begin[0] = first;
    s->count = 1;
    for (uint32_t i = first; i < last && s->count < PIECES; i++) {
        sum += work(reader, i);
        if (sum >= all / PIECES * s->count)
            s->begin[s->count++] = i + 1;
    }
    s->begin[s->count] = last + 1;
}

/* ---- caches at a piece's begin -------------------------------------------------- */

static enum igpu_status look(const struct machine *m, struct warm *warm, uint32_t from,
                             uint32_t to, struct igpu_err *err)
{
    enum igpu_status status = IGPU_OK;

    for (uint32_t i = from; i < to && status == IGPU_OK; i++)
        status =
            walk_lines(m->reader, i, 0, trace_launch(m->reader, i)->threads, warm, err);
    return status;
}

/* The launch from which on what comes before `begin` decides what the caches hold. */
static enum igpu_status reach(const struct machine *m, uint32_t first, uint32_t begin,
                              uint32_t *from, struct igpu_err *err)
{
    uint64_t most = (m->sim.config->llc_size + m->sim.config->edram_size) / 64;
    struct warm *warm = warm_new(most);
    enum igpu_status status = IGPU_OK;
    uint64_t lines = 0;

    if (warm == NULL)
        return igpu_fail(err, IGPU_BAD_INPUT, "-j: out of memory");
    *from = begin;
    for (uint32_t step = 1; *from > first && status == IGPU_OK; step *= 2) {
        uint32_t to = *from;

        *from = to - first < step ? first : to - step;
        status = look(m, warm, *from, to, err);
        if (warm_lines(warm) >= most ||
            (step > 1 && (double)(warm_lines(warm) - lines) < FEW_NEW * (double)lines))
            break;
        lines = warm_lines(warm);
    }
    warm_free(warm);
    return status;
}

/* ---- a process ------------------------------------------------------------------ */

static enum igpu_status piece(struct machine *m, struct shared *s, uint32_t i,
                              struct igpu_err *err)
{
    uint32_t first = s->begin[0], begin = s->begin[i], from = begin;
    enum igpu_status status = IGPU_OK;

    machine_free(m);
    m->next = 0;
    if (begin > first)
        status = reach(m, first, begin, &from, err);
    if (status == IGPU_OK && from < begin)
        status = machine_skip(m, from, begin - 1, err);
    for (uint32_t l = begin; l < s->begin[i + 1] && status == IGPU_OK; l++) {
        struct machine_result r;

        status = machine_whole(m, l, &r, err);
        if (status == IGPU_OK)
            s->row[l - first] = (struct launches_row){.stats = r.stats,
                                                      .cycles = r.time.cycles,
                                                      .span = r.span,
                                                      .threads = r.threads};
    }
    return status;
}

static _Noreturn void be_worker(struct machine m, struct shared *s, const char *path,
                                pid_t parent)
{
    struct igpu_err err = {"no error"};
    enum igpu_status status = IGPU_OK;
    uint32_t i;

    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(1);
    m.reader = trace_open(path, &status, &err);
    while (status == IGPU_OK && atomic_load(&s->failed) == 0 &&
           (i = atomic_fetch_add(&s->next, 1)) < s->count)
        status = piece(&m, s, i, &err);
    if (status != IGPU_OK && atomic_exchange(&s->failed, 1) == 0) {
        s->status = status;
        s->err = err;
    }
    _exit(status == IGPU_OK ? 0 : 1);
}

/* ---- all of them ------------------------------------------------------------------
 */

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

static void add_up(struct launches *l)
{
    for (uint32_t i = 0; i < l->count; i++) {
        scale_add(&l->total.stats, &l->row[i].stats);
        l->total.threads += l->row[i].threads;
        l->total.cycles += i + 1 < l->count ? (double)l->row[i].span : l->row[i].cycles;
    }
    l->total.stats.run_cycles = (uint64_t)(l->total.cycles + 0.5);
    l->total.stats.complete = true;
}

static void start(const struct machine *m, struct shared *s, const char *path,
                  uint32_t jobs)
{
    pid_t pid[PIECES_MOST_JOBS], self = getpid();
    uint32_t started = 0;

    for (; started < jobs && started < s->count; started++) {
        pid[started] = fork();
        if (pid[started] == 0)
            be_worker(*m, s, path, self);
        if (pid[started] < 0)
            break;
    }
    if (started == 0)
        s->status = igpu_fail(&s->err, IGPU_SIM_ERROR, "-j: cannot start a process: %s",
                              strerror(errno));
    await(m, s, pid, started);
}

enum igpu_status pieces_run(struct launches *l, const struct machine *m,
                            const char *path, uint32_t first, uint32_t last,
                            uint32_t jobs, struct igpu_err *err)
{
    size_t bytes;
    struct shared *s;
    enum igpu_status status;

    *l = (struct launches){.count = last - first + 1};
    bytes = sizeof(*s) + l->count * sizeof(*s->row);
    l->row = calloc(l->count, sizeof(*l->row));
    s = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (s == MAP_FAILED || l->row == NULL)
        return igpu_fail(err, IGPU_BAD_INPUT, "-j: out of memory");
    cut(s, m->reader, first, last);
    start(m, s, path, jobs);
    status = s->status;
    if (status == IGPU_OK) {
        memcpy(l->row, s->row, l->count * sizeof(*l->row));
        l->simulated = l->count;
        add_up(l);
    } else {
        *err = s->err;
    }
    (void)munmap(s, bytes);
    return status;
}
