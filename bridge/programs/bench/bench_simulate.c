/* bench_simulate.c - run simulations as processes, several at a time; their results
 * stand in the order in which they were asked for. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bridge/programs/bench/bench.h"
#include "bridge/programs/bench/bench_alone.h"
#include "bridge/programs/bench/bench_path.h"

enum { MAX_ARGV = 16 + 2 * (BENCH_MAX_SETTINGS + BENCH_SIM_SETTINGS), MAX_PATH = 4096 };

struct child {
    pid_t pid; /* 0: none */
    uint32_t sim;
    FILE *out, *err; /* what it prints */
};

struct batch {
    const struct bench_context *c;
    struct bench_sim *sims;
    uint32_t count, next, done;
    struct child *child;
};

/* ---- in the child -------------------------------------------------------- */

static const char *device(const struct bench_context *c, const struct bench_sim *sim)
{
    const char *name = sim->machine != NULL ? sim->machine : c->config.name;

    return strncmp(name, "kbl", 3) == 0 ? "kbl" : "skl";
}

/* The simulation's trace into path[cap]. */
static enum igpu_status find_trace(const struct bench_context *c,
                                   const struct bench_sim *sim, char *path,
                                   uint32_t cap, struct igpu_err *err)
{
    if (sim->trace[0] == '\0')
        return bench_trace(sim, device(c, sim), path, cap, err);
    (void)snprintf(path, cap, "%s", sim->trace);
    return IGPU_OK;
}

static enum igpu_status execute_alone(const struct bench_context *c,
                                      const struct bench_sim *sim, struct igpu_err *err)
{
    struct igpu_config config = c->config;
    enum igpu_status status = IGPU_OK;

    for (uint32_t i = 0; status == IGPU_OK && i < sim->settings; i++)
        status = igpu_config_set(&config, sim->setting[i], err);
    if (status == IGPU_OK)
        status = igpu_config_check(&config, err);
    return status == IGPU_OK
               ? bench_alone(stdout, &config, sim->warm, sim->measured, err)
               : status;
}

static enum igpu_status child_execute(const struct bench_context *c,
                                      const struct bench_sim *sim, struct igpu_err *err)
{
    char trace[MAX_PATH], program[MAX_PATH] = BENCH_SELF;
    const char *argv[MAX_ARGV];
    bool rtl = strcmp(c->engine, "rtl") == 0;
    int n = 0;
    enum igpu_status status = find_trace(c, sim, trace, sizeof(trace), err);

    if (status == IGPU_OK && rtl)
        status = bench_program_path("Vigpu", program, sizeof(program), err);
    if (status != IGPU_OK)
        return status;
    argv[n++] = rtl ? "Vigpu" : "igpu";
    if (!rtl)
        argv[n++] = "ref";
    argv[n++] = "--quiet";
    argv[n++] = "--csv";
    argv[n++] = "-";
    if (sim->energy)
        argv[n++] = "--energy";
    argv[n++] = "-c";
    argv[n++] = sim->machine != NULL ? sim->machine : c->config_name;
    for (uint32_t i = 0; i < sim->settings; i++) {
        argv[n++] = "-s";
        argv[n++] = sim->setting[i];
    }
    for (uint32_t i = 0; i < c->settings; i++) {
        argv[n++] = "-s";
        argv[n++] = c->setting[i];
    }
    argv[n++] = trace;
    argv[n] = NULL;
    (void)execv(program, (char **)(uintptr_t)argv);
    return igpu_fail(err, IGPU_USAGE, "%s: cannot run: %s", program, strerror(errno));
}

static _Noreturn void be_child(const struct bench_context *c,
                               const struct bench_sim *sim, const struct child *child)
{
    struct igpu_err err = {.text = "no error"};
    enum igpu_status status = IGPU_USAGE;

    if (dup2(fileno(child->out), STDOUT_FILENO) >= 0 &&
        dup2(fileno(child->err), STDERR_FILENO) >= 0)
        status = sim->kernel == NULL && sim->trace[0] == '\0'
                     ? execute_alone(c, sim, &err)
                     : child_execute(c, sim, &err);
    if (status != IGPU_OK)
        fprintf(stderr, "%s\n", err.text);
    (void)fflush(NULL);
    _exit((int)status);
}

/* ---- in the parent ------------------------------------------------------- */

static enum igpu_status child_start(struct batch *b, struct child *child,
                                    struct igpu_err *err)
{
    child->sim = b->next++;
    child->out = tmpfile();
    child->err = tmpfile();
    (void)fflush(NULL);
    child->pid = child->out != NULL && child->err != NULL ? fork() : -1;
    if (child->pid == 0)
        be_child(b->c, &b->sims[child->sim], child);
    if (child->pid > 0)
        return IGPU_OK;
    child->pid = 0;
    return igpu_fail(err, IGPU_USAGE, "cannot start a simulation: %s", strerror(errno));
}

/* Everything in `file`, malloc'ed with a 0 behind it. */
static char *contents(FILE *file)
{
    long size;
    char *text = NULL;

    if (fseek(file, 0, SEEK_END) == 0 && (size = ftell(file)) >= 0) {
        rewind(file);
        text = malloc((size_t)size + 1);
        if (text != NULL)
            text[fread(text, 1, (size_t)size, file)] = '\0';
    }
    return text;
}

/* The first line that the child complained with is the error. */
static enum igpu_status explain(const struct batch *b, const struct child *child,
                                int how, struct igpu_err *err)
{
    const struct bench_sim *sim = &b->sims[child->sim];
    char *text = contents(child->err);
    bool known = WIFEXITED(how) && WEXITSTATUS(how) >= IGPU_SIM_ERROR &&
                 WEXITSTATUS(how) <= IGPU_NO_MEMORY;

    if (text != NULL)
        text[strcspn(text, "\n")] = '\0';
    if (text == NULL || *text == '\0')
        (void)igpu_fail(err, IGPU_SIM_ERROR, "the simulation of %s ended with %s %d",
                        sim->kernel != NULL     ? sim->kernel
                        : sim->trace[0] != '\0' ? sim->trace
                                                : "the CPU's agent",
                        WIFEXITED(how) ? "status" : "signal",
                        WIFEXITED(how) ? WEXITSTATUS(how) : WTERMSIG(how));
    else
        (void)igpu_fail(err, IGPU_SIM_ERROR, "%s", text);
    free(text);
    return known ? (enum igpu_status)WEXITSTATUS(how) : IGPU_SIM_ERROR;
}

static void close_child(struct child *child)
{
    if (child->out != NULL)
        (void)fclose(child->out);
    if (child->err != NULL)
        (void)fclose(child->err);
    memset(child, 0, sizeof(*child));
}

static enum igpu_status finish(struct batch *b, struct child *child, int how,
                               struct igpu_err *err)
{
    enum igpu_status status = IGPU_OK;

    child->pid = 0;
    if (how != 0)
        status = explain(b, child, how, err);
    else if ((b->sims[child->sim].csv = contents(child->out)) == NULL)
        status = igpu_no_memory(err, "simulations");
    close_child(child);
    b->done++;
    if (!b->c->quiet && isatty(STDERR_FILENO))
        fprintf(stderr, "\r%s: %u of %u%s", b->c->bench->name, b->done, b->count,
                b->done == b->count ? "\n" : "");
    return status;
}

/* Wait for any child of ours to end. */
static enum igpu_status reap(struct batch *b, struct igpu_err *err)
{
    int how;
    pid_t pid = waitpid(-1, &how, 0);

    for (uint32_t i = 0; pid > 0 && i < b->c->jobs; i++)
        if (b->child[i].pid == pid)
            return finish(b, &b->child[i], how, err);
    return pid > 0 || errno == EINTR
               ? IGPU_OK
               : igpu_fail(err, IGPU_USAGE, "cannot wait: %s", strerror(errno));
}

/* After a failure: nobody is left running. */
static void stop_all(struct batch *b)
{
    for (uint32_t i = 0; i < b->c->jobs; i++)
        if (b->child[i].pid > 0) {
            (void)kill(b->child[i].pid, SIGKILL);
            (void)waitpid(b->child[i].pid, NULL, 0);
        }
}

static enum igpu_status sims_simulate(const struct bench_context *c,
                                      struct bench_sim *sims, uint32_t count,
                                      struct igpu_err *err)
{
    struct batch b = {.c = c, .sims = sims, .count = count};
    enum igpu_status status = IGPU_OK;

    b.child = calloc(c->jobs, sizeof(*b.child));
    if (b.child == NULL)
        return igpu_no_memory(err, "simulations");
    while (status == IGPU_OK && b.done < count) {
        struct child *idle = NULL;

        for (uint32_t i = 0; idle == NULL && i < c->jobs; i++)
            if (b.child[i].pid == 0)
                idle = &b.child[i];
        if (idle != NULL && b.next < count)
            status = child_start(&b, idle, err);
        else
            status = reap(&b, err);
    }
    stop_all(&b);
    for (uint32_t i = 0; i < c->jobs; i++)
        close_child(&b.child[i]);
    free(b.child);
    return status;
}

enum igpu_status bench_measure(const struct bench_context *c, const void *plan,
                               uint32_t rows, struct bench_table *table,
                               struct igpu_err *err)
{
    struct bench_sim *sims;
    enum igpu_status status = bench_table_create(table, c->bench->columns, rows, err);

    if (status != IGPU_OK)
        return status;
    sims = calloc(rows, sizeof(*sims));
    if (sims == NULL)
        return igpu_no_memory(err, "simulations");
    for (uint32_t i = 0; i < rows; i++)
        c->bench->make(c, plan, i, &sims[i]);
    status = sims_simulate(c, sims, rows, err);
    for (uint32_t i = 0; status == IGPU_OK && i < rows; i++)
        c->bench->fill(c, plan, &sims[i], table, i);
    bench_sims_free(sims, rows);
    return status;
}
