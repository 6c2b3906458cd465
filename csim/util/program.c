/* program.c - see program.h. */
#include "igpu/program.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "igpu/output.h"

/* A stream that can be read but not written, or the other way round: what the program
 * does with it fails, instead of reaching a file that was opened later. */
static void keep_number(int fd)
{
    if (fcntl(fd, F_GETFD) == -1 && errno == EBADF)
        (void)open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

static void remove_and_die(int number)
{
    igpu_output_remove_all();
    (void)signal(number, SIG_DFL);
    (void)raise(number);
}

static void go_on(int number)
{
    (void)number;
}

/* Only in place of the default: what the caller ignores stays ignored, and a
 * sanitizer's report of a crash stays one. A handler, unlike SIG_IGN, is not passed on
 * to programs that are started. */
static void catch_signal(int number, void (*handler)(int))
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART}, was;

    (void)sigemptyset(&action.sa_mask);
    if (sigaction(number, NULL, &was) == 0 && was.sa_handler == SIG_DFL)
        (void)sigaction(number, &action, NULL);
}

void igpu_program_start(void)
{
    static const int deadly[] = {SIGHUP,  SIGINT,  SIGQUIT, SIGTERM, SIGPIPE,
                                 SIGALRM, SIGXCPU, SIGUSR1, SIGUSR2, SIGABRT,
                                 SIGSEGV, SIGBUS,  SIGFPE,  SIGILL};

    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        keep_number(fd);
    for (unsigned i = 0; i < sizeof(deadly) / sizeof(deadly[0]); i++)
        catch_signal(deadly[i], remove_and_die);
    catch_signal(SIGXFSZ, go_on);
}

int igpu_complain(const char *program, enum igpu_status status,
                  const struct igpu_err *err)
{
    fprintf(stderr, "%s: %s\n", program, err->text);
    return err->short_memory ? (int)IGPU_NO_MEMORY : (int)status;
}

int igpu_complain_of(const char *program, enum igpu_status status, const char *format,
                     ...)
{
    struct igpu_err err = {.short_memory = status == IGPU_NO_MEMORY};
    va_list args;

    va_start(args, format);
    (void)vsnprintf(err.text, sizeof(err.text), format, args);
    va_end(args);
    return igpu_complain(program, status, &err);
}

int igpu_complain_of_option(const char *program, const char *argument)
{
    return igpu_complain_of(
        program, IGPU_USAGE,
        "%s: unknown option, or its value is missing; see %s --help", argument,
        program);
}

int igpu_program_end(const char *program, int status)
{
    bool lost = ferror(stdout) != 0;
    struct igpu_err err;

    errno = 0;
    if (fflush(stdout) == 0 && !lost)
        return status;
    (void)igpu_fail(&err, IGPU_SIM_ERROR, "standard output: cannot write: %s",
                    strerror(errno != 0 ? errno : EIO));
    (void)igpu_complain(program, IGPU_SIM_ERROR, &err);
    return status != IGPU_OK ? status : IGPU_SIM_ERROR;
}
