/* test_compile_log.c - what the compiler says reaches its reader whole, with the
 * source's name: of failures and of successes, from the compiler and from the cache. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/support/folder.h"
#include "traces/program/compile.h"

static void write_file(const char *name, const char *text, char path[256])
{
    FILE *file;

    snprintf(path, 256, "%s/%s", folder, name);
    file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

/* The whole log, and whether it was of a success. */
struct said {
    char text[8192];
    bool compiled;
    unsigned times;
};

static void listen(void *said, const char *log, bool compiled)
{
    struct said *s = said;

    snprintf(s->text, sizeof(s->text), "%s", log);
    s->compiled = compiled;
    s->times++;
}

/* Says all of it, in order, with line ends between. */
static void expect_said(const struct said *s, const char *const *line, unsigned lines)
{
    const char *at = s->text;

    for (unsigned i = 0; i < lines; i++) {
        at = strstr(at, line[i]);
        if (at == NULL)
            fail_msg("'%s' does not say '%s' in its place", s->text, line[i]);
        at += strlen(line[i]);
    }
}

static void every_error_is_told_with_the_sources_name(void **state)
{
    char path[256], header[256], wanted[3][320];
    const char *const line[] = {
        wanted[0],        "error: use of undeclared identifier 'none'",
        wanted[1],        "error: use of undeclared identifier 'nor'",
        "    *a += nor;", "          ^",
        wanted[2],        "warning: ",
        "error: "};
    struct compile_request r = {.source_path = path, .device = "skl", .cache_dir = ""};
    struct said said = {.times = 0};
    struct compile_result result;
    struct igpu_err err = {.text = ""};

    (void)state;
    write_file("said.h", "int f(void) { return none; }\n", header);
    write_file("said.cl",
               "#include \"said.h\"\n"
               "kernel void k(global int *a) {\n    *a += nor;\n"
               "    if (*a = 1) *a = 1:2:3; }\n",
               path);
    snprintf(wanted[0], sizeof(wanted[0]), "In file included from %s:1:\n", path);
    snprintf(wanted[1], sizeof(wanted[1]), "\n%s:3:11: ", path);
    snprintf(wanted[2], sizeof(wanted[2]), "\n%s:4:", path);
    r.waiting = (struct compile_waiting){.user = &said, .said = listen};
    assert_int_equal(compile_opencl(&r, &result, &err), IGPU_BAD_INPUT);
    compile_free(&result);
    assert_non_null(strstr(err.text, "said.h:1:22: error: "));
    assert_null(strchr(err.text, '\n'));
    assert_int_equal(said.times, 1);
    assert_false(said.compiled);
    expect_said(&said, line, 9);
}

static void kept_warnings_name_the_source_of_today(void **state)
{
    static const char text[] =
        "kernel void k(global int *a) { if (*a = 1) a[1] = 5; }\n";
    const char *const names[] = {"first.cl", "second.cl"};
    struct compile_request r = {.device = "skl", .cache_dir = folder};

    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        struct said said = {.times = 0};
        struct compile_result result;
        struct igpu_err err = {.text = ""};
        char path[256], wanted[320];
        const char *const line = wanted;

        write_file(names[i], text, path);
        snprintf(wanted, sizeof(wanted), "%s:1:39: warning: ", path);
        r.source_path = path;
        r.waiting = (struct compile_waiting){.user = &said, .said = listen};
        if (compile_opencl(&r, &result, &err) != IGPU_OK)
            fail_msg("%s", err.text);
        assert_int_equal(result.cached, i);
        assert_int_equal(said.times, 1);
        assert_true(said.compiled);
        expect_said(&said, &line, 1);
        compile_free(&result);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_error_is_told_with_the_sources_name),
        cmocka_unit_test(kept_warnings_name_the_source_of_today),
    };

    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
