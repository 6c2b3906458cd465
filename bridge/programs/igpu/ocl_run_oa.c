/* ocl_run_oa.c - see ocl_run_oa.h. */
#define _XOPEN_SOURCE 700 /* realpath */
#include "bridge/programs/igpu/ocl_run_oa.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/programs/cli/oa_print.h"
#include "igpu/oa_unit.h"
#include "igpu/output.h"
#include "igpu/program.h"

enum { PATH_BYTES = 4096 };

static const char program_name[] = "igpu run";

int ocl_run_reports(bool every, const char *text)
{
    const struct oa_set *set;
    struct igpu_err err;
    uint32_t exponent;
    enum igpu_status status =
        every ? oa_timer_parse(text, &exponent, &err) : oa_set_parse(text, &set, &err);

    if (status != IGPU_OK)
        return igpu_complain(program_name, status, &err);
    return setenv(every ? "IGPU_OA_EVERY" : "IGPU_OA_SET", text, 1);
}

/* The file's place as it is now: the program may change its folder. */
static bool absolute(const char *file, char *path)
{
    char folder[PATH_BYTES];
    const char *slash = strrchr(file, '/');
    const char *name = slash != NULL ? slash + 1 : file;
    int length = slash == NULL ? 1 : slash == file ? 1 : (int)(slash - file);

    if (length >= PATH_BYTES)
        return false;
    (void)snprintf(folder, sizeof(folder), "%.*s", length, slash != NULL ? file : ".");
    if (realpath(folder, path) == NULL ||
        strlen(path) + strlen(name) + 2 > (size_t)PATH_BYTES)
        return false;
    (void)strcat(path, "/");
    (void)strcat(path, name);
    return true;
}

int ocl_run_recording(const char *file, bool time, bool sample)
{
    char path[PATH_BYTES];
    struct igpu_err err;
    enum igpu_status status = IGPU_OK;

    if (!time)
        status = igpu_fail(&err, IGPU_USAGE, "--oa has no meaning without --time");
    else if (sample)
        status = igpu_fail(&err, IGPU_USAGE,
                           "--oa counts whole launches: leave out --sample");
    else if (strcmp(file, "-") == 0 || !absolute(file, path))
        status = igpu_fail(&err, IGPU_USAGE, "--oa %s: no such folder, or no file name",
                           file);
    else
        status = igpu_output_check(path, &err);
    if (status != IGPU_OK)
        return igpu_complain(program_name, status, &err);
    return setenv("IGPU_OA", path, 1);
}
