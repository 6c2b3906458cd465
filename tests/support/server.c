/* server.c - the build's compile server for test programs: a library looks for none. */
#define _XOPEN_SOURCE 700 /* realpath */
#include <stdio.h>
#include <stdlib.h>

#include "traces/program/compile.h"

static void __attribute__((constructor)) use_the_builds_server(void)
{
    const char *build = getenv("IGPU_BUILD");
    char path[4096], *real;

    snprintf(path, sizeof(path), "%s/lib/igpu_ocloc", build != NULL ? build : "build");
    real = realpath(path, NULL);
    if (real != NULL)
        compile_set_server(real);
    free(real);
}
