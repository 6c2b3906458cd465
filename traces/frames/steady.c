/* steady.c - a library to preload: clocks that only go on with what the program does,
 * and an end after some frames, so that each run of a program shows the same.
 *
 * All clocks begin at the same moment; a frame that is shown adds a thirtieth of a
 * second, a sleep what it asks for (and returns at once), a look at a clock one
 * microsecond, or STEADY_LOOK of them: for programs whose frames are not seen. Of other
 * threads than the first, which run beside it, sleeps are real and add nothing, with
 * STEADY_ALONE looks neither. The process number is always the same: programs mix it
 * into seeds. Children are not recorded, and each is over before its parent goes on.
 * The user's folder is HOME, for those too that ask the system's list of users.
 * STEADY_PACE: how many milliseconds each shown frame is really waited for other
 * threads. STEADY_FRAMES: behind how many shown frames the process ends itself by
 * SIGTERM, at which apitrace completes its file. */
#define _GNU_SOURCE
#include "steady.h"

#include <dlfcn.h>
#include <pwd.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PID = 4242, FRAMES_A_SECOND = 30 };
static const uint64_t second = 1000000000, epoch = 1000000000;
static _Atomic uint64_t since; /* nanoseconds behind the epoch */
static _Atomic uint64_t frames;

static _Thread_local bool leads; /* the program's first thread */
static bool alone;
static uint64_t look_ns = 1000; /* what a look at a clock adds */

static void symbol_next(const char *name, void *fn)
{
    void *address = dlsym(RTLD_NEXT, name);

    memcpy(fn, &address, sizeof(address));
}

static void go_on(uint64_t nanoseconds)
{
    atomic_fetch_add(&since, nanoseconds);
}

static struct timespec now(void)
{
    uint64_t look = leads || !alone ? look_ns : 0;
    uint64_t ns = atomic_fetch_add(&since, look) + look;

    return (struct timespec){(time_t)(epoch + ns / second), (long)(ns % second)};
}

int clock_gettime(clockid_t clock, struct timespec *t)
{
    (void)clock;
    *t = now();
    return 0;
}

int gettimeofday(struct timeval *restrict t, void *restrict zone)
{
    struct timespec s = now();

    (void)zone;
    *t = (struct timeval){s.tv_sec, s.tv_nsec / 1000};
    return 0;
}

time_t time(time_t *t)
{
    time_t s = now().tv_sec;

    if (t != NULL)
        *t = s;
    return s;
}

static void rest(uint64_t nanoseconds)
{
    struct timespec t = {(time_t)(nanoseconds / second), (long)(nanoseconds % second)};

    if (leads)
        go_on(nanoseconds);
    else
        (void)syscall(SYS_nanosleep, &t, NULL);
}

int usleep(useconds_t microseconds)
{
    rest((uint64_t)microseconds * 1000);
    return 0;
}

unsigned sleep(unsigned seconds)
{
    rest(seconds * second);
    return 0;
}

int nanosleep(const struct timespec *t, struct timespec *left)
{
    (void)left;
    rest((uint64_t)t->tv_sec * second + (uint64_t)t->tv_nsec);
    return 0;
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *t,
                    struct timespec *left)
{
    uint64_t until = ((uint64_t)t->tv_sec - epoch) * second + (uint64_t)t->tv_nsec;

    (void)clock;
    if (!(flags & TIMER_ABSTIME))
        return nanosleep(t, left);
    if (until > atomic_load(&since))
        rest(until - atomic_load(&since));
    return 0;
}

static pid_t first;

__attribute__((constructor)) static void begin(void)
{
    first = (pid_t)syscall(SYS_getpid);
    leads = true;
    alone = getenv("STEADY_ALONE") != NULL;
    if (getenv("STEADY_LOOK") != NULL)
        look_ns = strtoull(getenv("STEADY_LOOK"), NULL, 10) * 1000;
}

/* A child has its own: apitrace tells it by that from the program that it records. */
pid_t getpid(void)
{
    pid_t real = (pid_t)syscall(SYS_getpid);

    return real == first ? PID : real;
}

/* ---- the user's folder --------------------------------------------------- */

struct passwd *getpwuid(uid_t user)
{
    struct passwd *(*real)(uid_t), *entry;
    char *home = getenv("HOME");

    symbol_next("getpwuid", &real);
    entry = real(user);
    if (entry != NULL && home != NULL)
        entry->pw_dir = home;
    return entry;
}

/* ---- children ----------------------------------------------------------- */

/* What the child starts would open the parent's recording anew, so it is not preloaded
 * there. The parent waits: the child's answer comes at the same place in each run. */
pid_t fork(void)
{
    pid_t (*real)(void), child;
    siginfo_t end;

    symbol_next("fork", &real);
    child = real();
    if (child == 0)
        (void)unsetenv("LD_PRELOAD");
    else if (child > 0)
        (void)waitid(P_PID, (id_t)child, &end, WEXITED | WNOWAIT);
    return child;
}

/* A child's end is quiet: at the ordinary one apitrace would write what it still holds
 * of the parent's recording a second time into it, and begin one of its own. */
_Noreturn void exit(int status)
{
    void (*real)(int) __attribute__((noreturn));

    if ((pid_t)syscall(SYS_getpid) != first)
        _exit(status);
    symbol_next("exit", &real);
    real(status);
}

/* ---- frames ------------------------------------------------------------- */

void steady_shown(void)
{
    const char *last = getenv("STEADY_FRAMES"), *pace = getenv("STEADY_PACE");
    unsigned long long count = ++frames;

    go_on(second / FRAMES_A_SECOND);
    steady_keys(count);
    if (pace != NULL)
        (void)syscall(SYS_nanosleep, &(struct timespec){0, atol(pace) * 1000000}, NULL);
    if (last != NULL && count >= strtoul(last, NULL, 10))
        (void)raise(SIGTERM);
}

void glXSwapBuffers(void *display, unsigned long drawable);
void glXSwapBuffers(void *display, unsigned long drawable)
{
    void (*real)(void *, unsigned long);

    symbol_next("glXSwapBuffers", &real);
    real(display, drawable);
    steady_shown();
}

unsigned eglSwapBuffers(void *display, void *surface);
unsigned eglSwapBuffers(void *display, void *surface)
{
    unsigned (*real)(void *, void *), done;

    symbol_next("eglSwapBuffers", &real);
    done = real(display, surface);
    steady_shown();
    return done;
}

/* How often frames are shown is no matter here, and Xvfb ends programs that ask it for
 * another rate. */
int glXSwapIntervalSGI(int interval);
int glXSwapIntervalSGI(int interval)
{
    (void)interval;
    return 0;
}

/* Arrays that are locked (a hint, which Mesa leaves aside) apitrace reads at draws from
 * pointers that are no longer theirs. */
typedef void function(void);
function *glXGetProcAddressARB(const unsigned char *name);
function *glXGetProcAddressARB(const unsigned char *name)
{
    function *(*real)(const unsigned char *);

    if (strcmp((const char *)name, "glXSwapIntervalSGI") == 0)
        return (function *)glXSwapIntervalSGI;
    if (strcmp((const char *)name, "glLockArraysEXT") == 0)
        return NULL;
    symbol_next("glXGetProcAddressARB", &real);
    return real(name);
}

/* SDL asks for glXSwapBuffers() by dlsym() of a handle, past this library. */
void SDL_GL_SwapWindow(void *window);
void SDL_GL_SwapWindow(void *window)
{
    void (*real)(void *);

    symbol_next("SDL_GL_SwapWindow", &real);
    real(window);
    steady_shown();
}

void SDL_GL_SwapBuffers(void);
void SDL_GL_SwapBuffers(void)
{
    void (*real)(void);

    symbol_next("SDL_GL_SwapBuffers", &real);
    real();
    steady_shown();
}
