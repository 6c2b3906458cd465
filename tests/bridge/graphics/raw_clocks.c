/* raw_clocks.c - CLOCK_MONOTONIC_RAW with simulated time: it stands still for a
 * program, and goes on for Wine. Built as a library too, whose look counts as Wine's
 * where it lies in a folder `wine`: raw_clocks LIBRARY. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

int64_t raw_clock(void);

int64_t raw_clock(void)
{
    struct timespec t;

    (void)clock_gettime(CLOCK_MONOTONIC_RAW, &t);
    return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

#ifndef LIBRARY
int main(int argc, char **argv)
{
    const struct timespec wait = {.tv_nsec = 2000000};
    void *library = argc > 1 ? dlopen(argv[1], RTLD_NOW) : NULL;
    void *found = library != NULL ? dlsym(library, "raw_clock") : NULL;
    int64_t (*wines)(void), own, theirs;

    if (found == NULL) {
        (void)fprintf(stderr, "raw_clocks: no library with raw_clock\n");
        return 2;
    }
    memcpy(&wines, &found, sizeof(wines));
    own = raw_clock();
    theirs = wines();
    (void)nanosleep(&wait, NULL);
    own = raw_clock() - own;
    theirs = wines() - theirs;
    (void)printf("%sok the program's clock stands still\n", own == 0 ? "" : "not ");
    (void)printf("%sok Wine's goes on\n", theirs >= wait.tv_nsec ? "" : "not ");
    return own != 0 || theirs < wait.tv_nsec;
}
#endif
