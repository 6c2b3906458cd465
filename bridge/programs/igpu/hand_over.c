/* hand_over.c - the commands that are Python: `igpu NAME` becomes `igpu-python NAME`.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bridge/programs/igpu/commands.h"
#include "igpu/program.h"

/* From the folder of this program: installed or built beside it, and the build's when
 * this is the checkout's own ./igpu. */
static const char *const places[] = {"igpu-python", "build/bin/igpu-python"};

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

int cmd_hand_over(int argc, char **argv)
{
    char self[PATH_MAX], folder[PATH_MAX], path[PATH_MAX + 32];

    (void)argc;
    own_folder(self, folder);
    for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
        snprintf(path, sizeof(path), "%s/%s", folder, places[i]);
        if (access(path, X_OK) != 0)
            continue;
        /* What simulates is this igpu, unless somebody chose another. */
        if (setenv("IGPU", self, 0) != 0)
            return igpu_complain_of("igpu", IGPU_NO_MEMORY, "out of memory");
        argv[-1] = path;
        (void)execv(path, argv - 1);
        return igpu_complain_of("igpu", IGPU_USAGE, "%s: cannot run: %s", path,
                                strerror(errno));
    }
    return igpu_complain_of("igpu", IGPU_USAGE,
                            "%s is part of the Python package, which is not beside %s: "
                            "make python (or install python3-vigpu)",
                            argv[0], self);
}
