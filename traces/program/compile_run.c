/* compile_run.c - see compile_run.h. */
#include "compile_run.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "igpu/grow.h"

enum { LOG_MAX = 1 << 20, WAIT_MS = 1000 };

extern char **environ;

static bool is_program(const char *path)
{
    struct stat info;

    return stat(path, &info) == 0 && S_ISREG(info.st_mode) && access(path, X_OK) == 0;
}

static bool search_path(const char *name, char *path, size_t cap)
{
    const char *dir = getenv("PATH");

    for (dir = dir == NULL ? "/usr/local/bin:/usr/bin:/bin" : dir; *dir != '\0';) {
        size_t length = strcspn(dir, ":");
        int n = snprintf(path, cap, "%.*s/%s", (int)length, dir, name);

        if (length > 0 && n > 0 && (size_t)n < cap && is_program(path))
            return true;
        dir += length + (dir[length] == ':');
    }
    return false;
}

enum igpu_status compile_find(const char *name, char *path, size_t cap,
                              struct igpu_err *err)
{
    const char *wanted = name == NULL ? "ocloc" : name;
    bool found;

    if (strchr(wanted, '/') != NULL) {
        int n = snprintf(path, cap, "%s", wanted);

        found = n > 0 && (size_t)n < cap && is_program(path);
    } else {
        found = search_path(wanted, path, cap);
    }
    if (found)
        return IGPU_OK;
    return igpu_fail(err, IGPU_USAGE,
                     "%s: the OpenCL compiler is not installed; on Debian: apt-get "
                     "install intel-opencl-icd",
                     wanted);
}

void compile_wait_for(int fd, const struct compile_waiting *waiting)
{
    struct pollfd input = {.fd = fd, .events = POLLIN};

    while (waiting != NULL && waiting->fn != NULL && poll(&input, 1, WAIT_MS) == 0)
        waiting->fn(waiting->user);
}

/* Everything the child says until it closes the pipe; beyond LOG_MAX it is dropped. */
static char *drain(int fd, const struct compile_waiting *waiting)
{
    size_t used = 0;
    char *log = malloc(LOG_MAX + 1), dropped[4096];

    for (;;) {
        bool room = log != NULL && used < LOG_MAX;
        ssize_t n;

        compile_wait_for(fd, waiting);
        n = room ? read(fd, log + used, LOG_MAX - used)
                 : read(fd, dropped, sizeof(dropped));

        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            break;
        if (room)
            used += (size_t)n;
    }
    if (log != NULL) {
        log[used] = '\0';
        (void)IGPU_RESIZE(log, used + 1);
    }
    return log;
}

static char *nothing[1];
static char **environment = nothing;

/* Our environment as the process was started, or the driver loaded: to walk `environ`
 * later would meet what other threads of the program do to it. Without libraries that
 * somebody preloads into the program: they have no business in the compiler, and a
 * sanitizer's would fail it. */
static void __attribute__((constructor)) copy_environment(void)
{
    size_t count = 0, kept = 0;

    while (environ != NULL && environ[count] != NULL)
        count++;
    environment = calloc(count + 1, sizeof(*environment)); /* kept to the end */
    if (environment == NULL) {
        environment = nothing;
        return;
    }
    for (size_t i = 0; i < count; i++) {
        if (strncmp(environ[i], "LD_PRELOAD=", strlen("LD_PRELOAD=")) == 0)
            continue;
        environment[kept] = strdup(environ[i]);
        kept += environment[kept] != NULL;
    }
}

char *const *compile_environment(void)
{
    return environment;
}

/* Run it with stdin `in` (-1: empty), and stdout and stderr to `out` (-1: nowhere).
 * 0 or an errno. */
static int compiler_start(const char *program, char *const *arguments, int in, int out,
                          pid_t *child)
{
    posix_spawn_file_actions_t actions;
    int error = posix_spawn_file_actions_init(&actions);

    if (error != 0)
        return error;
    for (int fd = 0; fd < 3 && error == 0; fd++) {
        int from = fd == 0 ? in : out;

        error = from < 0
                    ? posix_spawn_file_actions_addopen(&actions, fd, "/dev/null",
                                                       fd == 0 ? O_RDONLY : O_WRONLY, 0)
                    : posix_spawn_file_actions_adddup2(&actions, from, fd);
    }
    if (error == 0)
        error = posix_spawn(child, program, &actions, NULL, arguments, environment);
    (void)posix_spawn_file_actions_destroy(&actions);
    return error;
}

static int wait_for(pid_t child)
{
    int status = 0;

    while (waitpid(child, &status, 0) < 0)
        if (errno !=
            EINTR) /* the caller's SIGCHLD handling took it: trust its output */
            return 0;
    return WIFSIGNALED(status) ? 256 + WTERMSIG(status) : WEXITSTATUS(status);
}

enum igpu_status compile_run(const char *program, char *const *arguments,
                             const struct compile_waiting *waiting, char **log,
                             int *exit_code, struct igpu_err *err)
{
    pid_t child = 0;
    int fds[2], error;

    if (pipe(fds) != 0)
        return igpu_fail(err, IGPU_BAD_INPUT, "%s: no pipe: %s", program,
                         strerror(errno));
    (void)fcntl(fds[0], F_SETFD, FD_CLOEXEC);
    (void)fcntl(fds[1], F_SETFD, FD_CLOEXEC);
    error = compiler_start(program, arguments, -1, fds[1], &child);
    (void)close(fds[1]);
    if (error != 0) {
        (void)close(fds[0]);
        return igpu_fail(err, IGPU_USAGE, "%s: cannot run: %s", program,
                         strerror(error));
    }
    *log = drain(fds[0], waiting);
    (void)close(fds[0]);
    *exit_code = wait_for(child);
    return *log != NULL ? IGPU_OK : igpu_no_memory(err, "%s", program);
}

int compile_start_server(const char *program, char *const *arguments, int in)
{
    pid_t child = 0;
    int error = compiler_start(program, arguments, in, -1, &child);

    return error == 0 ? wait_for(child) : error;
}
