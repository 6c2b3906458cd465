/* test_output.c - result files appear whole, and never replace a device or a pipe. */
#define _GNU_SOURCE /* O_TMPFILE, syscall */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "igpu/output.h"

static char folder[256], path[300];

/* As on a file system that has no files without a name. */
static bool named;

int open(const char *name, int flags, ...)
{
    va_list args;
    unsigned mode;

    va_start(args, flags);
    mode = (flags & (O_CREAT | __O_TMPFILE)) != 0 ? va_arg(args, unsigned) : 0;
    va_end(args);
    if (named && (flags & O_TMPFILE) == O_TMPFILE) {
        errno = EOPNOTSUPP;
        return -1;
    }
    return (int)syscall(SYS_openat, AT_FDCWD, name, flags, mode);
}

static int setup(void **state)
{
    const char *base = getenv("IGPU_TMP");

    (void)state;
    (void)snprintf(folder, sizeof(folder), "%s/output.XXXXXX", base ? base : "/tmp");
    if (mkdtemp(folder) == NULL)
        return -1;
    (void)snprintf(path, sizeof(path), "%s/file", folder);
    return 0;
}

/* Files in the folder. */
static unsigned files(void)
{
    DIR *dir = opendir(folder);
    struct dirent *entry;
    unsigned count = 0;

    while ((entry = readdir(dir)) != NULL)
        count += entry->d_name[0] != '.';
    (void)closedir(dir);
    return count;
}

static void expect_content(const char *want)
{
    char text[16] = "";
    FILE *in = fopen(path, "r");

    assert_non_null(in);
    (void)fgets(text, sizeof(text), in);
    (void)fclose(in);
    assert_string_equal(text, want);
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

    (void)state;
    assert_int_equal(igpu_output_open(&o, path, &err), IGPU_OK);
    fputs("whole", o.file);
    assert_int_equal(access(path, F_OK), -1);
    assert_int_equal(files(), named);
    assert_int_equal(igpu_output_close(&o, &err), IGPU_OK);
    assert_int_equal(files(), 1);
    expect_content("whole");
}

static void two_writers_do_not_meet(void **state)
{
    struct igpu_output a, b;
    struct igpu_err err;

    (void)state;
    assert_int_equal(igpu_output_open(&a, path, &err), IGPU_OK);
    assert_int_equal(igpu_output_open(&b, path, &err), IGPU_OK);
    fputs("first ", a.file);
    fputs("second", b.file);
    assert_int_equal(igpu_output_close(&a, &err), IGPU_OK);
    expect_content("first ");
    assert_int_equal(igpu_output_close(&b, &err), IGPU_OK);
    expect_content("second");
    assert_int_equal(files(), 1);
}

static void a_long_name_and_the_usual_rights(void **state)
{
    char name[NAME_MAX + 1], full[600];
    struct igpu_output o;
    struct igpu_err err;
    struct stat info;
    mode_t mask = umask(027);

    (void)state;
    memset(name, 'n', NAME_MAX);
    name[NAME_MAX] = '\0';
    (void)snprintf(full, sizeof(full), "%s/%s", folder, name);
    assert_int_equal(igpu_output_open(&o, full, &err), IGPU_OK);
    assert_int_equal(igpu_output_close(&o, &err), IGPU_OK);
    (void)umask(mask);
    assert_int_equal(stat(full, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0640);
    (void)unlink(full);
}

static void a_failed_write_leaves_the_old_file(void **state)
{
    struct rlimit was, small;
    struct igpu_output o;
    struct igpu_err err = {.text = ""};

    (void)state;
    assert_int_equal(igpu_output_open(&o, path, &err), IGPU_OK);
    fputs("old", o.file);
    assert_int_equal(igpu_output_close(&o, &err), IGPU_OK);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &was), 0);
    small = (struct rlimit){4096, was.rlim_max};
    (void)signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    assert_int_equal(igpu_output_open(&o, path, &err), IGPU_OK);
    for (unsigned i = 0; i < 10000; i++)
        fputc('n', o.file);
    assert_int_equal(igpu_output_close(&o, &err), IGPU_SIM_ERROR);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &was), 0);
    (void)signal(SIGXFSZ, SIG_DFL);
    assert_non_null(strstr(err.text, path));
    expect_content("old");
    assert_int_equal(files(), 1);
}

static void the_sweep_takes_dead_writers_files_only(void **state)
{
    static const char *const keep[] = {"a.pb.part", "b.1.part", "c.1.01234567.part",
                                       "d.4194305.0123456g.part", "e.pb"};
    char name[300];
    unsigned kept = sizeof(keep) / sizeof(keep[0]);

    (void)state;
    for (unsigned i = 0; i <= kept; i++) {
        (void)snprintf(name, sizeof(name), "%s/%s", folder,
                       i < kept ? keep[i] : "f.pb.4194305.01234567.part");
        (void)fclose(fopen(name, "w"));
    }
    igpu_output_sweep(folder);
    assert_int_equal(files(), kept);
    for (unsigned i = 0; i < kept; i++) {
        (void)snprintf(name, sizeof(name), "%s/%s", folder, keep[i]);
        assert_int_equal(unlink(name), 0);
    }
}

static void what_a_signal_removes(void **state)
{
    struct igpu_output o, direct = {.file = NULL};
    struct igpu_err err;

    (void)state;
    assert_int_equal(igpu_output_open(&o, path, &err), IGPU_OK);
    assert_int_equal(igpu_output_open(&direct, "/dev/null", &err), IGPU_OK);
    if (fork() == 0) { /* a child leaves its parent's files alone */
        igpu_output_remove_all();
        _exit(0);
    }
    (void)wait(NULL);
    assert_int_equal(files(), named);
    igpu_output_remove_all();
    assert_int_equal(files(), 0);
    igpu_output_abort(&o);
    assert_int_equal(igpu_output_close(&direct, &err), IGPU_OK);
    assert_int_equal(access("/dev/null", F_OK), 0);
}

/* By what no program can handle; also amidst a program that is not ours. */
static void a_kill_leaves_the_old_file_alone(void **state)
{
    struct igpu_output o;
    struct igpu_err err;
    int status = 0;
    pid_t child;

    (void)state;
    assert_int_equal(igpu_output_open(&o, path, &err), IGPU_OK);
    fputs("old", o.file);
    assert_int_equal(igpu_output_close(&o, &err), IGPU_OK);
    child = fork();
    if (child == 0) {
        if (igpu_output_open(&o, path, &err) == IGPU_OK && fputs("new", o.file) >= 0 &&
            fflush(o.file) == 0)
            (void)raise(SIGKILL);
        _exit(1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    assert_int_equal(files(), 1 + named);
    expect_content("old");
    if (named)
        igpu_output_sweep(folder);
    assert_int_equal(files(), 1);
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
    assert_int_equal(files(), 1);
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
    assert_int_equal(files(), 1);
}

static void what_cannot_be_created_is_named(void **state)
{
    struct igpu_output o;
    struct igpu_err err = {.text = ""};

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
        cmocka_unit_test_setup_teardown(two_writers_do_not_meet, setup, teardown),
        cmocka_unit_test_setup_teardown(a_long_name_and_the_usual_rights, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(a_failed_write_leaves_the_old_file, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(the_sweep_takes_dead_writers_files_only, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(what_a_signal_removes, setup, teardown),
        cmocka_unit_test_setup_teardown(a_kill_leaves_the_old_file_alone, setup,
                                        teardown),
        cmocka_unit_test(what_cannot_be_created_is_named),
    };

    int failed = cmocka_run_group_tests_name("files without a name", tests, NULL, NULL);

    named = true;
    return failed + cmocka_run_group_tests_name("with one", tests, NULL, NULL);
}
