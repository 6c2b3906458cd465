/* load.c - what is settled when the library is loaded: where its own files are. Later
 * the program may have changed its folder, by which the loader's path may have been
 * relative.
 */
#define _GNU_SOURCE /* dladdr, realpath */
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bridge/drivers/ocl/setting.h"
#include "igpu/emu.h"
#include "traces/program/compile.h"
#include "traces/program/jit_cache.h"

enum { PATH_BYTES = PATH_MAX + 64 };

/* A folder with a vigpu.icd and a driver may have been copied, or moved, from
 * elsewhere: its file then names a driver that is not the one beside it. */
static void check_vendors(const char *driver)
{
    const char *folder = getenv("OCL_ICD_VENDORS");
    char file[PATH_BYTES], beside[PATH_BYTES];
    struct stat mine, theirs;

    if (folder == NULL || folder[0] == '\0')
        return;
    snprintf(file, sizeof(file), "%.*s/vigpu.icd", PATH_MAX, folder);
    snprintf(beside, sizeof(beside), "%.*s/libigpu_ocl.so", PATH_MAX, folder);
    if (access(file, F_OK) != 0 || stat(beside, &theirs) != 0 ||
        stat(driver, &mine) != 0 ||
        (mine.st_dev == theirs.st_dev && mine.st_ino == theirs.st_ino))
        return;
    fprintf(stderr,
            "vigpu: %s names another driver, %s, not the one beside it; was the folder "
            "copied? 'make igpu' there, or write its own path into that file\n",
            file, driver);
}

static void __attribute__((constructor)) find_own_files(void)
{
    static const char here;
    Dl_info info = {.dli_fname = NULL};
    char driver[PATH_MAX], server[PATH_BYTES];
    char *slash;

    if (dladdr(&here, &info) == 0 || info.dli_fname == NULL ||
        realpath(info.dli_fname, driver) == NULL)
        return;
    check_vendors(driver);
    slash = strrchr(driver, '/');
    snprintf(server, sizeof(server), "%.*s/igpu_ocloc", (int)(slash - driver), driver);
    compile_set_server(server);
    snprintf(server, sizeof(server), "%.*s/libigpu_jit.so", (int)(slash - driver),
             driver);
    emu_jit_library(server);
    jit_cache_use(server);
}
