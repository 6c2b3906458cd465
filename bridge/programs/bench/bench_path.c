/* bench_path.c - see bench_path.h. */
#include "bridge/programs/bench/bench_path.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The running program's folder, without a '/' at its end. */
static bool own_folder(char path[PATH_MAX])
{
    ssize_t n = readlink(BENCH_SELF, path, PATH_MAX - 1);
    char *slash;

    if (n <= 0)
        return false;
    path[n] = '\0';
    slash = strrchr(path, '/');
    if (slash == NULL)
        return false;
    *slash = '\0';
    return true;
}

static bool readable(char *path, uint32_t cap, const char *folder, const char *below,
                     const char *file)
{
    int n = snprintf(path, cap, "%s/%s/%s", folder, below, file);

    return n > 0 && n < (int)cap && access(path, R_OK) == 0;
}

enum igpu_status bench_kernel_path(const char *file, char *path, uint32_t cap,
                                   struct igpu_err *err)
{
    char own[PATH_MAX] = "";

    if (readable(path, cap, ".", "traces/kernels", file))
        return IGPU_OK;
    /* Beside a checkout's top, in BUILD/bin for `build` and `build/san`, installed. */
    if (own_folder(own) && (readable(path, cap, own, "traces/kernels", file) ||
                            readable(path, cap, own, "../../traces/kernels", file) ||
                            readable(path, cap, own, "../../../traces/kernels", file) ||
                            readable(path, cap, own, "../share/vigpu/kernels", file)))
        return IGPU_OK;
    return igpu_fail(err, IGPU_BAD_INPUT,
                     "%s: not in traces/kernels/ of this folder nor of the program's; "
                     "run in the project's top folder",
                     file);
}

enum igpu_status bench_program_path(const char *name, char *path, uint32_t cap,
                                    struct igpu_err *err)
{
    char own[PATH_MAX];

    if (own_folder(own) && snprintf(path, cap, "%s/%s", own, name) < (int)cap &&
        access(path, X_OK) == 0)
        return IGPU_OK;
    return igpu_fail(err, IGPU_USAGE,
                     "--engine rtl: no %s beside igpu; build it with `make verilate`",
                     name);
}
