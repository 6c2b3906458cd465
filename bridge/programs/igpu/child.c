/* child.c - see child.h. */
#define _GNU_SOURCE /* pipe2 */
#include "bridge/programs/igpu/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "igpu/program.h"

static volatile sig_atomic_t running; /* its process; 0: none */

static void pass_on(int number)
{
    if (running > 0)
        (void)kill((pid_t)running, number);
}

static void outlive(void)
{
    struct sigaction ignore = {.sa_handler = SIG_IGN}, pass = {.sa_handler = pass_on};

    (void)sigaction(SIGINT, &ignore, NULL);
    (void)sigaction(SIGQUIT, &ignore, NULL);
    (void)sigaction(SIGTERM, &pass, NULL);
    (void)sigaction(SIGHUP, &pass, NULL);
}

/* In the child. Its parent may have died before it could say so. */
static void become(char **argv, pid_t parent, const sigset_t *mask, int failure)
{
    int error;

    (void)prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent)
        _exit(CHILD_NOT_STARTED);
    (void)sigprocmask(SIG_SETMASK, mask, NULL);
    (void)execvp(argv[0], argv);
    error = errno;
    if (write(failure, &error, sizeof(error)) != sizeof(error))
        error = 0;
    _exit(CHILD_NOT_STARTED);
}

/* 0, or why it cannot run. A signal that comes meanwhile waits until there is a program
 * to pass it on to. */
static int process_start(char **argv, pid_t *child)
{
    sigset_t all, before;
    pid_t parent = getpid();
    int end[2], error = 0;

    if (pipe2(end, O_CLOEXEC) != 0)
        return errno;
    (void)fflush(NULL);
    (void)sigfillset(&all);
    (void)sigprocmask(SIG_BLOCK, &all, &before);
    *child = fork();
    if (*child == 0)
        become(argv, parent, &before, end[1]);
    error = *child < 0 ? errno : 0;
    (void)close(end[1]);
    if (error == 0 && read(end[0], &error, sizeof(error)) == sizeof(error))
        (void)waitpid(*child, NULL, 0);
    (void)close(end[0]);
    if (error == 0) {
        running = *child;
        outlive();
    }
    (void)sigprocmask(SIG_SETMASK, &before, NULL);
    return error;
}

int child_run(const char *command, char **argv)
{
    pid_t child;
    int status = 0, error = process_start(argv, &child);

    if (error != 0) {
        (void)igpu_complain_of(command, IGPU_USAGE, "%s: %s", argv[0], strerror(error));
        return CHILD_NOT_STARTED;
    }
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return CHILD_NOT_STARTED;
    if (!WIFSIGNALED(status))
        return WEXITSTATUS(status);
    fprintf(stderr, "%s: %s was killed by signal %d\n", command, argv[0],
            WTERMSIG(status));
    return 128 + WTERMSIG(status);
}
