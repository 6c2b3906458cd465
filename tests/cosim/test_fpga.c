/* test_fpga.c - the FPGA's design behind its link (the virtual board,
 * build/bin/fpga-sim) against the C reference on random cases: every issue, message,
 * open and end, through frames over UDP; on a good line, and on one that loses,
 * repeats, delays, reorders and damages frames while the board's output stalls; kernels
 * that are larger than its store; paths that are executed, whose runs come behind their
 * branches.
 * The commit's own cases are of one pair or another, by its first digit.
 * Options: random_run.h. Can not find: what happens when the board runs ahead of the
 * host's window, which only a simulation with a memory side lets it do
 * (tests/bridge/test_fpga.sh). tests/run: timeout=2400 slow */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bridge/engines/fpga/engine_fpga.h"
#include "igpu/ref.h"
#include "random_run.h"

/* Cycles of a case: a frame goes to and fro for some ten of them, where events need
 * answers. With IGPU_LONG=1 more and shorter cases, 1,001 in all: one of 4 million
 * cycles would take an hour. */
enum {
    STORE = 1024, /* instructions of the board */
    BUDGET = 12000,
    BUDGET_FAULTS = 6000,
    BUDGET_PAGES = 20000,
    BUDGET_EXECUTES = 6000,
    LONG_BUDGET = 3000,
    LONG_BUDGET_FAULTS = 1500
};

struct board {
    pid_t pid;
    char place[64];
};

static struct board good, bad;

/* Start a board on a port of its own choice. */
static bool start(struct board *b, const char *const *faults)
{
    const char *build = getenv("IGPU_BUILD"), *argv[20] = {0};
    char program[256], line[256], *place;
    int n = 0, out[2];
    FILE *said;

    (void)snprintf(program, sizeof(program), "%s/bin/fpga-sim",
                   build != NULL ? build : "build");
    argv[n++] = program;
    for (const char *const *f = faults; *f != NULL; f++)
        argv[n++] = *f;
    if (pipe(out) != 0)
        return false;
    b->pid = fork();
    if (b->pid == 0) {
        (void)prctl(PR_SET_PDEATHSIG, SIGTERM); /* a test that is stopped leaves none */
        (void)dup2(out[1], STDOUT_FILENO);
        (void)close(out[0]);
        (void)execv(program, (char *const *)(uintptr_t)argv);
        _exit(127);
    }
    (void)close(out[1]);
    said = fdopen(out[0], "r");
    if (b->pid < 0 || said == NULL || fgets(line, sizeof(line), said) == NULL)
        return false;
    (void)fclose(said);
    place = strstr(line, "fpga:udp:");
    if (place == NULL)
        return false;
    place[strcspn(place, "\n")] = '\0';
    (void)snprintf(b->place, sizeof(b->place), "%s", place + strlen("fpga:"));
    return true;
}

static void stop(struct board *b)
{
    if (b->pid <= 0)
        return;
    (void)kill(b->pid, SIGTERM);
    (void)waitpid(b->pid, NULL, 0);
}

static enum igpu_status create(const struct board *b, void **engine,
                               const struct igpu_config *config,
                               const struct host_calls *calls, struct igpu_err *err)
{
    enum igpu_status status = host_engine_fpga.create(engine, config, calls, err);

    if (status == IGPU_OK)
        status = host_fpga_connect(*engine, b->place, err);
    return status;
}

static enum igpu_status create_good(void **engine, const struct igpu_config *config,
                                    const struct host_calls *calls,
                                    struct igpu_err *err)
{
    return create(&good, engine, config, calls, err);
}

static enum igpu_status create_bad(void **engine, const struct igpu_config *config,
                                   const struct host_calls *calls, struct igpu_err *err)
{
    return create(&bad, engine, config, calls, err);
}

int main(int argc, char **argv)
{
    static const char *const plain[] = {"--shape", "1x3",     "--port",
                                        "0",       "--watch", NULL};
    static const char *const faulty[] = {
        "--shape",  "1x3", "--port",  "0",  "--loss",    "1",
        "--dup",    "1",   "--delay", "1",  "--reorder", "1",
        "--damage", "1",   "--stall", "30", NULL};
    struct host_engine_ops on_good = host_engine_fpga, on_bad = host_engine_fpga;
    struct random_pair pairs[] = {
        {.name = "ref-fpga",
         .own_turns = 5,
         .own_turn = 0,
         .a = {"the reference", &host_engine_ref, 0, true},
         .b = {"the virtual board", &on_good, 0, true},
         .every = 500,
         .subslices = 1,
         .eus = 3,
         .budget = BUDGET,
         .long_every = 3,
         .long_budget = LONG_BUDGET},
        {.name = "ref-fpga-faults",
         .own_turns = 5,
         .own_turn = 1,
         .a = {"the reference", &host_engine_ref, 0, true},
         .b = {"the virtual board on a bad line", &on_bad, 0, true},
         .every = 900,
         .subslices = 1,
         .eus = 3,
         .budget = BUDGET_FAULTS,
         .long_every = 6,
         .long_budget = LONG_BUDGET_FAULTS},
        {.name = "ref-fpga-executes",
         .own_turns = 5,
         .own_turn = 2,
         .a = {"the reference", &host_engine_ref, 0, true},
         .b = {"the virtual board, redirected", &on_good, 0, true},
         .every = 250,
         .subslices = 1,
         .eus = 3,
         .executes = true,
         .most_uops = STORE,
         .budget = BUDGET_EXECUTES,
         .long_every = 6,
         .long_budget = LONG_BUDGET},
        {.name = "ref-fpga-executes-pages",
         .own_turns = 5,
         .own_turn = 3,
         .a = {"the reference", &host_engine_ref, 0, true},
         .b = {"the virtual board with a small store, redirected", &on_good, 0, true},
         .every = 600,
         .subslices = 1,
         .eus = 3,
         .executes = true,
         .large = true,
         .budget = BUDGET_PAGES},
        /* Kernels that are mostly larger than the board's instruction store. */
        {.name = "ref-fpga-pages",
         .own_turns = 5,
         .own_turn = 4,
         .a = {"the reference", &host_engine_ref, 0, true},
         .b = {"the virtual board with a small store", &on_good, 0, true},
         .every = 600,
         .subslices = 1,
         .eus = 3,
         .large = true,
         .budget = BUDGET_PAGES},
    };
    int status = 2;

    on_good.create = create_good;
    on_bad.create = create_bad;
    if (start(&good, plain) && start(&bad, faulty))
        status = random_run(argc, argv, "test_fpga", pairs,
                            sizeof(pairs) / sizeof(pairs[0]));
    else
        (void)fprintf(stderr, "test_fpga: build/bin/fpga-sim does not start\n");
    stop(&good);
    stop(&bad);
    return status;
}
