/* hand_over.c - commands of other programs: those that are Python, where `igpu NAME`
 * becomes `igpu-python NAME`, and what needs the RTL, igpu-rtl's. They are looked for
 * in the folder of this program: installed or built beside it, and in the build's when
 * this is the checkout's own ./igpu; igpu-rtl, which nobody calls by its name, is
 * installed in a folder of its own. */
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bridge/programs/igpu/commands.h"
#include "igpu/program.h"

/* The folder of this program, which is named in self[PATH_MAX]; "." when unknown. */
static void own_folder(char self[PATH_MAX], char folder[PATH_MAX])
{
    ssize_t n = readlink("/proc/self/exe", self, PATH_MAX - 1);
    char *slash;

    self[n > 0 ? n : 0] = '\0';
    strcpy(folder, self);
    slash = strrchr(folder, '/');
    if (slash != NULL)
        *slash = '\0';
    else
        strcpy(folder, ".");
}

/* Where the program of this name is, or false. */
static bool find_program(const char *name, const char *folder, char path[PATH_MAX + 32])
{
    static const char *const places[] = {"", "build/bin/"};

    for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
        snprintf(path, PATH_MAX + 32, "%s/%s%s", folder, places[i], name);
        if (access(path, X_OK) == 0)
            return true;
    }
#ifdef IGPU_LIBEXECDIR
    snprintf(path, PATH_MAX + 32, "%s/%s", IGPU_LIBEXECDIR, name);
    return access(path, X_OK) == 0;
#else
    return false;
#endif
}

/* argv becomes that of the program of this name, which is found like this. Returns when
 * it is not there or does not start. */
static int become(const char *name, char **argv, const char *missing, const char *what)
{
    char self[PATH_MAX], folder[PATH_MAX], path[PATH_MAX + 32];

    own_folder(self, folder);
    if (!find_program(name, folder, path))
        return igpu_complain_of("igpu", IGPU_USAGE, missing, what, self);
    /* What simulates is this igpu, unless somebody chose another. */
    if (setenv("IGPU", self, 0) != 0)
        return igpu_complain_of("igpu", IGPU_NO_MEMORY, "out of memory");
    argv[0] = path;
    (void)execv(path, argv);
    return igpu_complain_of("igpu", IGPU_USAGE, "%s: cannot run: %s", path,
                            strerror(errno));
}

int cmd_hand_over(int argc, char **argv)
{
    (void)argc;
    return become("igpu-python", argv - 1,
                  "%s is part of the Python package, which is not beside %s: "
                  "make python (or install python3-vigpu)",
                  argv[0]);
}

int hand_over_to_rtl(int argc, char **argv)
{
    (void)argc;
    return become(
        "igpu-rtl", argv - 2,
        "%s: needs the RTL in igpu-rtl, which is not beside %s: make igpu-rtl",
        "--rtl-values");
}
