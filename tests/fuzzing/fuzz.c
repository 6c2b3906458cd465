/* fuzz.c - see fuzz.h. */
#define _GNU_SOURCE /* memfd_create */
#include "tests/fuzzing/fuzz.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static char folder[64];

void fuzz_check(int ok, const char *what)
{
    if (ok)
        return;
    fprintf(stderr, "fuzz: %s\n", what);
    abort();
}

int fuzz_worked(enum igpu_status status, const struct igpu_err *err)
{
    if (status == IGPU_OK)
        return 1;
    if (err->text[0] == '\0' || strchr(err->text, '\n') != NULL)
        fprintf(stderr, "fuzz: status %d: \"%s\"\n", (int)status, err->text);
    fuzz_check(err->text[0] != '\0', "an error without text");
    fuzz_check(strchr(err->text, '\n') == NULL, "an error of several lines");
    return 0;
}

const char *fuzz_file(const uint8_t *data, size_t size)
{
    static char name[32];
    static int fd = -1;

    if (fd < 0) {
        fd = memfd_create("input", 0);
        (void)snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
    }
    fuzz_check(fd >= 0 && ftruncate(fd, 0) == 0 &&
                   pwrite(fd, data, size, 0) == (ssize_t)size,
               "no memory for the input");
    return name;
}

const char *fuzz_text(const uint8_t *data, size_t size)
{
    static char *text;
    char *more = realloc(text, size + 1);

    fuzz_check(more != NULL, "no memory for the input");
    text = more;
    if (size > 0)
        memcpy(text, data, size);
    text[size] = '\0';
    return text;
}

static void remove_folder(void)
{
    DIR *dir = opendir(folder);
    const struct dirent *e;

    while (dir != NULL && (e = readdir(dir)) != NULL)
        if (e->d_name[0] != '.')
            (void)unlinkat(dirfd(dir), e->d_name, 0);
    if (dir != NULL)
        (void)closedir(dir);
    (void)rmdir(folder);
}

const char *fuzz_folder(void)
{
    if (folder[0] == '\0') {
        (void)snprintf(folder, sizeof(folder), "/dev/shm/vigpu-fuzz-XXXXXX");
        fuzz_check(mkdtemp(folder) != NULL, "no folder for outputs");
        (void)atexit(remove_folder);
    }
    return folder;
}
