/* test_output.c - result files appear whole, and never replace a device or a pipe. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "igpu/output.h"

static char folder[256], path[300], part[310];

static int setup(void **state)
{
    const char *base = getenv("IGPU_TMP");

    (void)state;
    (void)snprintf(folder, sizeof(folder), "%s/output.XXXXXX", base ? base : "/tmp");
    if (mkdtemp(folder) == NULL)
        return -1;
    (void)snprintf(path, sizeof(path), "%s/file", folder);
    (void)snprintf(part, sizeof(part), "%s.part", path);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    (void)unlink(path);
    return rmdir(folder);
}

static void appears_when_closed(void **state)
{
    struct igpu_output o;
    struct igpu_err err;
    char text[8] = "";
    FILE *in;

    (void)state;
    assert_int_equal(igpu_output_open(&o, path, &err), IGPU_OK);
    fputs("whole", o.file);
    assert_int_equal(access(path, F_OK), -1);
    assert_int_equal(access(part, F_OK), 0);
    assert_int_equal(igpu_output_close(&o, &err), IGPU_OK);
    assert_int_equal(access(part, F_OK), -1);
    in = fopen(path, "r");
    assert_non_null(in);
    assert_non_null(fgets(text, sizeof(text), in));
    (void)fclose(in);
    assert_string_equal(text, "whole");
}

static void abort_keeps_the_old_file(void **state)
{
    struct igpu_output o;
    struct igpu_err err;
    struct stat info;

    (void)state;
    assert_int_equal(igpu_output_open(&o, path, &err), IGPU_OK);
    fputs("old", o.file);
    assert_int_equal(igpu_output_close(&o, &err), IGPU_OK);
    assert_int_equal(igpu_output_open(&o, path, &err), IGPU_OK);
    fputs("newer", o.file);
    igpu_output_abort(&o);
    igpu_output_abort(&o);
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_size, 3);
    assert_int_equal(access(part, F_OK), -1);
}

static void a_pipe_stays_a_pipe(void **state)
{
    struct igpu_output o;
    struct igpu_err err;
    struct stat info;
    char text[8] = "";
    int reader;

    (void)state;
    assert_int_equal(mkfifo(path, 0600), 0);
    reader = open(path, O_RDONLY | O_NONBLOCK);
    assert_true(reader >= 0);
    assert_int_equal(igpu_output_open(&o, path, &err), IGPU_OK);
    fputs("pipe", o.file);
    assert_int_equal(igpu_output_close(&o, &err), IGPU_OK);
    assert_int_equal(read(reader, text, sizeof(text) - 1), 4);
    assert_string_equal(text, "pipe");
    (void)close(reader);
    assert_int_equal(stat(path, &info), 0);
    assert_true(S_ISFIFO(info.st_mode));
    assert_int_equal(access(part, F_OK), -1);
}

static void what_cannot_be_created_is_named(void **state)
{
    struct igpu_output o;
    struct igpu_err err = {""};

    (void)state;
    assert_int_equal(igpu_output_open(&o, "/nonexistent/file", &err), IGPU_USAGE);
    assert_non_null(strstr(err.text, "/nonexistent/file"));
    igpu_output_abort(&o);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(appears_when_closed, setup, teardown),
        cmocka_unit_test_setup_teardown(abort_keeps_the_old_file, setup, teardown),
        cmocka_unit_test_setup_teardown(a_pipe_stays_a_pipe, setup, teardown),
        cmocka_unit_test(what_cannot_be_created_is_named),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
