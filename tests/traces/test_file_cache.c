/* test_file_cache.c - the age of files in the cache (traces/program/file_cache.h). What
 * is in them, and damaged ones: test_compile.c. */
#define _DEFAULT_SOURCE
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/support/folder.h"
#include "traces/program/file_cache.h"

enum { PATH_BYTES = 512 };

#define KEY "0123456789abcdef0123456789abcdef"

static void age(const char *path, time_t days)
{
    const struct timespec then = {time(NULL) - days * 86400 - 60, 0};
    const struct timespec times[2] = {then, then};

    assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

/* A file of this name and age in the cache. */
static void leave(const char *name, time_t days, char path[PATH_BYTES])
{
    FILE *file;

    snprintf(path, PATH_BYTES, "%s/%s", folder, name);
    file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fclose(file), 0);
    age(path, days);
}

static void what_nobody_used_for_a_month_is_removed(void **state)
{
    static const uint8_t image[5000];
    uint8_t *read;
    size_t bytes;
    char mark[PATH_BYTES], used[PATH_BYTES], old[3][PATH_BYTES], kept[3][PATH_BYTES];
    char *log;

    (void)state;
    leave(".swept", 0, mark);
    cache_write(folder, KEY, image, sizeof(image), "");
    snprintf(used, sizeof(used), "%s/%s.compiled", folder, KEY);
    age(used, 31);
    leave(KEY ".pb", 31, old[0]);
    leave(KEY ".pb.sum", 31, old[1]);
    leave(KEY ".compiled.abcdef.part", 31, old[2]);
    leave(KEY ".1234", 29, kept[0]);
    leave("0" KEY ".pb", 31, kept[1]);
    leave("notes.txt", 31, kept[2]);
    cache_sweep(folder); /* somebody did today */
    assert_int_equal(access(old[0], F_OK), 0);
    assert_true(cache_read(folder, KEY, &read, &bytes, &log)); /* used */
    free(read);
    free(log);
    age(mark, 1);
    cache_write(folder, "entry", image, sizeof(image), "");
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(access(old[i], F_OK), -1);
        assert_int_equal(access(kept[i], F_OK), 0);
    }
    assert_int_equal(access(used, F_OK), 0);
}

/* A trace in use keeps its note. */
static void a_file_in_use_keeps_its_note(void **state)
{
    char path[PATH_BYTES], note[PATH_BYTES + 8], mark[PATH_BYTES];

    (void)state;
    leave(KEY ".pb", 31, path);
    assert_true(cache_note(path, path));
    snprintf(note, sizeof(note), "%s.sum", path);
    age(path, 31);
    age(note, 31);
    assert_true(cache_is_as_noted(path));
    leave(".swept", 1, mark);
    cache_sweep(folder);
    assert_true(cache_is_as_noted(path));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_nobody_used_for_a_month_is_removed),
        cmocka_unit_test(a_file_in_use_keeps_its_note),
    };

    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
