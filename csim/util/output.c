/* output.c - see output.h. */
#include "igpu/output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool is_special(const char *path)
{
    struct stat info;

    return stat(path, &info) == 0 && !S_ISDIR(info.st_mode) &&
           (!S_ISREG(info.st_mode) || info.st_nlink == 0);
}

static void forget(struct igpu_output *o)
{
    free(o->path);
    free(o->name);
    *o = (struct igpu_output){NULL, NULL, NULL};
}

enum igpu_status igpu_output_open(struct igpu_output *o, const char *path,
                                  struct igpu_err *err)
{
    size_t length = strlen(path);
    enum igpu_status status = IGPU_OK;

    o->file = NULL;
    o->path = malloc(length + 1);
    o->name = malloc(length + sizeof(".part"));
    if (o->path == NULL || o->name == NULL) {
        forget(o);
        return igpu_fail(err, IGPU_USAGE, "%s: out of memory", path);
    }
    memcpy(o->path, path, length + 1);
    memcpy(o->name, path, length + 1);
    if (!is_special(path))
        memcpy(o->name + length, ".part", sizeof(".part"));
    o->file = fopen(o->name, "wb");
    if (o->file == NULL) {
        status =
            igpu_fail(err, IGPU_USAGE, "%s: cannot create: %s; choose another place",
                      o->name, strerror(errno));
        forget(o);
    }
    return status;
}

static bool is_beside(const struct igpu_output *o)
{
    return strcmp(o->name, o->path) != 0;
}

enum igpu_status igpu_output_close(struct igpu_output *o, struct igpu_err *err)
{
    bool written = ferror(o->file) == 0;
    enum igpu_status status = IGPU_OK;

    if (fclose(o->file) != 0 || !written)
        status = igpu_fail(err, IGPU_BAD_INPUT, "%s: cannot write; free some space",
                           o->name);
    if (status == IGPU_OK && is_beside(o) && rename(o->name, o->path) != 0)
        status = igpu_fail(err, IGPU_BAD_INPUT, "%s: cannot rename to %s: %s", o->name,
                           o->path, strerror(errno));
    if (status != IGPU_OK && is_beside(o))
        (void)remove(o->name);
    forget(o);
    return status;
}

void igpu_output_abort(struct igpu_output *o)
{
    if (o->file == NULL)
        return;
    (void)fclose(o->file);
    if (is_beside(o))
        (void)remove(o->name);
    forget(o);
}
