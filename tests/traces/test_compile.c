/* test_compile.c - OpenCL C through ocloc: results, messages, and the cache.
 * tests/run: slow turn=1of3 */
#define _DEFAULT_SOURCE /* flock */
#include <dirent.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/support/folder.h"
#include "traces/program/compile.h"
#include "traces/program/compile_folder.h"
#include "traces/program/compile_server.h"
#include "traces/program/file_cache.h"
#include "traces/program/loader.h"

static const char good[] =
    "__kernel void copy(__global int *o) { o[get_global_id(0)] = VALUE; }\n";

enum { PATH_BYTES = 512, AHEAD = 4 };

static struct compile_request request(const char *source, const char *options)
{
    return (struct compile_request){.source = source,
                                    .source_bytes = strlen(source),
                                    .device = "skl",
                                    .options = options,
                                    .cache_dir = folder};
}

static void compile(const struct compile_request *r, struct compile_result *result)
{
    struct igpu_err err = {.text = ""};

    if (compile_opencl(r, result, &err) != IGPU_OK)
        fail_msg("%s", err.text);
}

/* Expect a failure whose line says `why`. */
static void refuse(const struct compile_request *r, enum igpu_status status,
                   const char *why)
{
    struct compile_result result;
    struct igpu_err err = {.text = ""};

    assert_int_equal(compile_opencl(r, &result, &err), status);
    assert_null(result.image);
    assert_non_null(result.log);
    assert_null(strchr(err.text, '\n'));
    if (strstr(err.text, why) == NULL)
        fail_msg("'%s' does not say '%s'", err.text, why);
    compile_free(&result);
}

static void the_second_time_comes_from_the_cache(void **state)
{
    struct compile_request r = request(good, "-DVALUE=7");
    struct compile_result first, again, other, device, none;
    struct loader_program *program = NULL;

    (void)state;
    compile(&r, &first);
    compile(&r, &again);
    assert_false(first.cached);
    assert_true(again.cached);
    assert_string_equal(first.key, again.key);
    assert_int_equal(first.bytes, again.bytes);
    assert_memory_equal(first.image, again.image, first.bytes);
    r.options = "-DVALUE=8";
    compile(&r, &other);
    assert_false(other.cached);
    assert_string_not_equal(first.key, other.key);
    r.device = "kbl";
    compile(&r, &device);
    assert_false(device.cached);
    r.cache_dir = "";
    compile(&r, &none);
    assert_false(none.cached);
    assert_int_equal(loader_open_memory("copy", none.image, none.bytes, &program, NULL),
                     IGPU_OK);
    assert_non_null(loader_find(program, "copy"));
    loader_free(program);
    compile_free(&first);
    compile_free(&again);
    compile_free(&other);
    compile_free(&device);
    compile_free(&none);
}

static void the_cache_keeps_the_warnings(void **state)
{
    struct compile_request r = request("\n#warning mind this\n"
                                       "kernel void k(global int *a) { *a = 1 / 0; }",
                                       NULL);
    struct compile_result first, again;

    (void)state;
    compile(&r, &first);
    compile(&r, &again);
    assert_false(first.cached);
    assert_true(again.cached);
    assert_non_null(strstr(first.log, "warning: mind this"));
    assert_null(strstr(first.log, "Build succeeded"));
    assert_string_equal(again.log, first.log);
    compile_free(&first);
    compile_free(&again);
}

/* The cache's file of a key. */
static void entry_of(const char *key, char path[PATH_BYTES])
{
    struct dirent *entry;
    DIR *dir = opendir(folder);

    path[0] = '\0';
    while (dir != NULL && (entry = readdir(dir)) != NULL)
        if (strncmp(entry->d_name, key, strlen(key)) == 0 &&
            strstr(entry->d_name, ".log") == NULL)
            snprintf(path, PATH_BYTES, "%s/%s", folder, entry->d_name);
    assert_non_null(dir);
    assert_int_equal(closedir(dir), 0);
    assert_true(path[0] != '\0');
}

static void flip_bit(const char *path, long bit)
{
    FILE *file = fopen(path, "r+");
    int byte;

    assert_non_null(file);
    assert_int_equal(fseek(file, bit / 8, SEEK_SET), 0);
    byte = fgetc(file);
    assert_int_equal(fseek(file, bit / 8, SEEK_SET), 0);
    assert_int_equal(fputc(byte ^ (1 << bit % 8), file), byte ^ (1 << bit % 8));
    assert_int_equal(fclose(file), 0);
}

static long size_of(const char *path)
{
    struct stat info;

    assert_int_equal(stat(path, &info), 0);
    return (long)info.st_size;
}

/* Compiled anew, with the same result, and put into the cache in place of what is
 * there; where `kept`, found in it. */
static void expect_again(const struct compile_request *r,
                         const struct compile_result *first, bool kept,
                         const char *what)
{
    struct compile_result again;

    for (unsigned i = 0; i < 2; i++) {
        compile(r, &again);
        if (again.cached != (kept || i == 1))
            fail_msg("%s: %s", what, again.cached ? "cached" : "compiled again");
        assert_int_equal(again.bytes, first->bytes);
        assert_memory_equal(again.image, first->image, first->bytes);
        assert_string_equal(again.log, first->log);
        compile_free(&again);
    }
}

static void a_spoilt_cache_file_is_compiled_again(void **state)
{
    struct compile_request r = request(good, "-DVALUE=9");
    struct compile_result first;
    char path[PATH_BYTES];

    (void)state;
    compile(&r, &first);
    entry_of(first.key, path);
    flip_bit(path, 8 * size_of(path) - 100);
    expect_again(&r, &first, false, "a flipped bit");
    assert_int_equal(unlink(path), 0);
    assert_int_equal(mkfifo(path, 0600), 0);
    (void)alarm(60); /* to open it would wait for ever */
    expect_again(&r, &first, false, "a pipe");
    (void)alarm(0);
    compile_free(&first);
}

static bool reads(const char *key)
{
    uint8_t *image;
    size_t bytes;
    char *log;

    if (!cache_read(folder, key, &image, &bytes, &log))
        return false;
    assert_int_equal(bytes, 5000);
    assert_int_equal(image[4999], 4999 & 0xFF);
    assert_string_equal(log, "mind this\n");
    free(image);
    free(log);
    return true;
}

static void no_damaged_entry_is_read(void **state)
{
    uint8_t image[5000];
    char path[PATH_BYTES], other[PATH_BYTES], command[3 * PATH_BYTES];
    unsigned seed = 20260722;

    (void)state;
    for (unsigned i = 0; i < sizeof(image); i++)
        image[i] = (uint8_t)i;
    cache_write(folder, "entry", image, sizeof(image), "mind this\n");
    cache_write(folder, "other", image, sizeof(image), "mind this\n");
    entry_of("entry", path);
    entry_of("other", other);
    print_message("seed %u\n", seed);
    for (unsigned i = 0; i < 2000; i++) {
        long bit = rand_r(&seed) % (8 * size_of(path));

        flip_bit(path, bit);
        assert_false(reads("entry"));
        flip_bit(path, bit);
    }
    assert_true(reads("entry"));
    assert_true(reads("other"));
    snprintf(command, sizeof(command), "cp '%s' '%s'", other, path);
    assert_int_equal(system(command), 0);
    assert_false(reads("entry")); /* it is another's */
    for (long bytes = size_of(path) + 1; bytes >= 0; bytes -= 97) {
        cache_write(folder, "entry", image, sizeof(image), "mind this\n");
        assert_true(reads("entry"));
        assert_int_equal(truncate(path, bytes), 0);
        assert_false(reads("entry"));
    }
}

static void write_file(const char *name, const char *text, char path[256])
{
    FILE *file;

    snprintf(path, 256, "%s/%s", folder, name);
    file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

/* A header in a folder of -I, which includes one beside it, and the request's own. */
static void the_cache_covers_what_is_included(void **state)
{
    static const char own[] = "#define OWN 1\n", other[] = "#define OWN 2\n";
    struct compile_request r = request("", NULL);
    char header[256], source[256], first[256] = "", options[256];
    struct compile_header mine = {"own.h", own, sizeof(own) - 1};
    const struct {
        const char *first, *value; /* NULL: as they are */
        const char *own;
        bool cached;
    } step[] = {
        {"\n", "#define VALUE 3\n", own, false}, {NULL, NULL, own, true},
        {NULL, "#define VALUE 4\n", own, false}, {NULL, NULL, own, true},
        {"#define FIRST\n", NULL, own, false},   {NULL, NULL, other, false},
        {NULL, "#define VALUE 3\n", own, false}, {"\n", NULL, own, true},
    };

    (void)state;
    snprintf(options, sizeof(options), "-I \"%s/not there\" -I%s/more", folder, folder);
    snprintf(header, sizeof(header), "%s/more", folder);
    assert_int_equal(mkdir(header, 0700), 0);
    write_file(
        "source.cl",
        "#include \"first.h\"\n#include <own.h>\n"
        "kernel void copy(global int *o) { o[get_global_id(0)] = VALUE + OWN; }\n",
        source);
    write_file("more/first.h", "# include \"value.h\"\n", header);
    r.source_path = source;
    r.options = options;
    r.header = &mine;
    r.headers = 1;
    for (size_t i = 0; i < sizeof(step) / sizeof(step[0]); i++) {
        struct compile_result result;

        if (step[i].value != NULL)
            write_file("more/value.h", step[i].value, header);
        if (step[i].first != NULL && step[i].first[0] == '#')
            write_file("first.h", "#define VALUE 9\n", first); /* found before */
        if (step[i].first != NULL && step[i].first[0] == '\n')
            (void)remove(first);
        mine.text = step[i].own;
        compile(&r, &result);
        if (result.cached != step[i].cached)
            fail_msg("step %zu: %s", i, result.cached ? "cached" : "compiled again");
        compile_free(&result);
    }
}

static void what_a_macro_includes_is_not_cached(void **state)
{
    struct compile_request r = request("#define HEADER \"value.h\"\n#include HEADER\n"
                                       "kernel void k(global int *o) { *o = VALUE; }",
                                       NULL);
    struct compile_header value = {"value.h", "#define VALUE 1\n", 16};
    struct compile_result result;

    (void)state;
    r.header = &value;
    r.headers = 1;
    for (unsigned i = 0; i < 2; i++) {
        compile(&r, &result);
        assert_false(result.cached);
        compile_free(&result);
    }
}

static void refusals_say_why(void **state)
{
    struct compile_request r = request(good, NULL);

    (void)state;
    refuse(&r, IGPU_BAD_INPUT, "VALUE"); /* the compiler's own words */
    r.device = "tgl";
    refuse(&r, IGPU_USAGE, "skl");
    r = request(good, "-I \"x");
    refuse(&r, IGPU_USAGE, "quote");
    r = request(good, "-DVALUE=1 -x clc++");
    refuse(&r, IGPU_BAD_INPUT, "not supported by this compiler");
    r = request("", NULL);
    refuse(&r, IGPU_BAD_INPUT, "0 bytes");
    r.source_path = "/no/such.cl";
    refuse(&r, IGPU_BAD_INPUT, "/no/such.cl");
    r.source_path = "/tmp";
    refuse(&r, IGPU_BAD_INPUT, "directory");
    r = request(good, NULL);
    r.ocloc = "/no/such/ocloc";
    refuse(&r, IGPU_USAGE, "intel-opencl-icd");
    r.ocloc = "ocloc-of-no-path";
    refuse(&r, IGPU_USAGE, "intel-opencl-icd");
    r.ocloc = "/bin/true";
    refuse(&r, IGPU_BAD_INPUT, "no binary");
    r.ocloc = "/bin/false";
    refuse(&r, IGPU_BAD_INPUT, "no reason");
}

static void a_killed_compiler_is_told_from_a_failed_one(void **state)
{
    struct compile_request r = request(good, NULL);
    char path[256];

    (void)state;
    write_file("killed", "#!/bin/sh\nkill -9 $$\n", path);
    assert_int_equal(chmod(path, 0700), 0);
    r.ocloc = path;
    refuse(&r, IGPU_BAD_INPUT, "signal 9");
}

static void objects_with_headers_in_memory_link_to_a_zebin(void **state)
{
    static const char uses[] = "#include \"sub/h.h\"\nint twice(int x);\n"
                               "kernel void k(global int *a) { *a = twice(*a) + H; }\n";
    static const char has[] = "int twice(int x) { return 2 * x; }\n";
    static const struct compile_header header = {"sub/h.h", "#define H 5\n", 12};
    struct compile_request r = request(uses, NULL);
    struct compile_result object[2], linked, program;
    struct compile_piece piece[2];
    struct igpu_err err = {.text = "no error"};

    (void)state;
    r.to = COMPILE_SPIRV;
    refuse(&r, IGPU_BAD_INPUT, "sub/h.h");
    r.header = &header;
    r.headers = 1;
    compile(&r, &object[0]);
    compile_free(&object[0]);
    compile(&r, &object[0]);
    assert_true(object[0].cached);
    r = request(has, NULL);
    r.to = COMPILE_SPIRV;
    compile(&r, &object[1]);
    for (unsigned i = 0; i < 2; i++)
        piece[i] = (struct compile_piece){object[i].image, object[i].bytes};
    assert_int_equal(compile_link(piece, 2, NULL, &linked, &err), IGPU_OK);
    r = request((const char *)linked.image, NULL);
    r.source_bytes = linked.bytes;
    r.from = COMPILE_LLVM;
    compile(&r, &program);
    assert_memory_equal(program.image, "\177ELF", 4);
    compile_free(&program);
    compile_free(&linked);
    piece[1] = (struct compile_piece){(const uint8_t *)has, sizeof(has)};
    assert_int_equal(compile_link(piece, 2, NULL, &linked, &err), IGPU_BAD_INPUT);
    compile_free(&linked);
    compile_free(&object[0]);
    compile_free(&object[1]);
}

static void folders_that_killed_programs_left_are_removed(void **state)
{
    static const struct timespec old[2] = {{.tv_sec = 1000000000},
                                           {.tv_sec = 1000000000}};
    struct compile_request r = request(good, "-DVALUE=31");
    struct compile_result result;
    char script[256], left[256], used[256], users[256];
    const char *top = getenv("TMPDIR");
    int lock;

    (void)state;
    write_file("script", "#!/bin/sh\nexec ocloc \"$@\"\n", script);
    assert_int_equal(chmod(script, 0700), 0);
    snprintf(left, sizeof(left), "%s/vigpu-1-0", folder);
    snprintf(used, sizeof(used), "%s/vigpu-1-1", folder);
    snprintf(users, sizeof(users), "%s/vigpu-results", folder);
    assert_int_equal(mkdir(left, 0700), 0);
    assert_int_equal(mkdir(users, 0700), 0);
    assert_int_equal(utimensat(AT_FDCWD, users, old, 0), 0);
    assert_int_equal(mkdir(used, 0700), 0);
    lock = open(used, O_RDONLY);
    assert_true(lock >= 0 && flock(lock, LOCK_EX | LOCK_NB) == 0);
    assert_int_equal(utimensat(AT_FDCWD, left, old, 0), 0);
    assert_int_equal(utimensat(AT_FDCWD, used, old, 0), 0);
    assert_int_equal(setenv("TMPDIR", folder, 1), 0);
    r.ocloc = script;
    compile(&r, &result); /* in a folder; no program's other files are its business */
    compile_free(&result);
    assert_int_equal(access(left, F_OK), 0);
    compile_folder_sweep();
    assert_int_equal(access(left, F_OK), -1);
    assert_int_equal(access(users, F_OK), 0);
    assert_int_equal(access(used, F_OK), 0);
    assert_int_equal(close(lock), 0);
    assert_int_equal(top == NULL ? unsetenv("TMPDIR") : setenv("TMPDIR", top, 1), 0);
}

/* A compiler that is a script has a process for each task; ours keeps it loaded. */
static void the_server_answers_as_a_process_does(void **state)
{
    static const struct {
        const char *source, *options;
    } tasks[] = {
        {good, "-DVALUE=11"},
        {"kernel void k(global int *a) { *a = b; }", "-cl-std=CL3.0"},
        {"\n#warning about it\nkernel void k(global half *a) { *a += (half)VALUE; }",
         "-DVALUE=2 -cl-fast-relaxed-math"},
        {"kernel void k(global double *a) { *a = sin(*a); }", "-cl-std=CL2.0"},
        {good, "-cl-std=CL9 -DVALUE=1"},
        {"kernel void k(global char *a) { constant char *f = __FILE__; *a = *f; }", ""},
        {good, "-DVALUE=3 -g"},
        /* The same arguments from the third on: compiled ahead. */
        {"kernel void k(global int *a) { *a = 1; }", ""},
        {"kernel void k(global int *a) { *a = 2; }", ""},
        {"kernel void k(global int *a) { *a = __LINE__; }\n\n", ""},
        {"kernel void k(global int *a) { *a = 4;", ""},
        {"#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"
         "kernel void k(global double *a) { a[0] = sqrt(a[1]) + __COUNTER__; }",
         ""},
        {"kernel void k(global int *a) { int unused[4]; *a = 1 / 0; }", ""},
        {"kernel void k(global float4 *a, read_only image2d_t i, sampler_t s) "
         "{ *a = read_imagef(i, s, (int2)(1, 2)); printf(\"%d\\n\", 5); }",
         ""},
        {"kernel void l(local char *a) { barrier(CLK_LOCAL_MEM_FENCE); *a = 7; }", ""},
    };
    struct compile_result served, alone;
    const unsigned before = compile_served_ahead();
    struct igpu_err err;
    char script[256];

    (void)state;
    write_file("script", "#!/bin/sh\nexec ocloc \"$@\"\n", script);
    assert_int_equal(chmod(script, 0700), 0);
    for (size_t i = 0; i < sizeof(tasks) / sizeof(tasks[0]); i++) {
        struct compile_request r = request(tasks[i].source, tasks[i].options);
        enum igpu_status status;

        r.cache_dir = "";
        status = compile_opencl(&r, &served, &err);
        r.ocloc = script;
        assert_int_equal(compile_opencl(&r, &alone, &err), status);
        assert_int_equal(served.bytes, alone.bytes);
        if (served.bytes > 0 && strstr(tasks[i].options, "-g") == NULL)
            assert_memory_equal(served.image, alone.image, alone.bytes);
        assert_string_equal(served.log, alone.log);
        compile_free(&served);
        compile_free(&alone);
    }
    /* From the third source on, but for one that is refused and one with a warning. */
    assert_int_equal(compile_served_ahead() - before, AHEAD);
}

/* The servers that this process has: children of no one, known by their folder. */
static bool signal_servers(const char *signal)
{
    char command[256];

    snprintf(command, sizeof(command),
             "n=1; for p in /proc/[0-9]*; do "
             "[ \"$(readlink $p/cwd)\" = '%s' ] && "
             "grep -q igpu_ocloc $p/comm && kill -%s ${p#/proc/} && n=0; done "
             "2>/dev/null; exit $n",
             folder, signal);
    return system(command) == 0;
}

/* The sockets that are open: bit N of number N. */
static uint64_t open_sockets(void)
{
    uint64_t found = 0;
    struct stat info;

    for (int fd = 3; fd < 64; fd++)
        if (fstat(fd, &info) == 0 && S_ISSOCK(info.st_mode))
            found |= UINT64_C(1) << fd;
    return found;
}

/* As programs do before they go to the background: all is closed, and the numbers come
 * to be those of other files. Here it is the servers' sockets alone. */
static void a_closed_socket_is_left_alone(void **state)
{
    struct compile_request r = request(good, "-DVALUE=41");
    struct compile_result result;
    uint64_t servers;

    (void)state;
    r.cache_dir = "";
    compile(&r, &result);
    compile_free(&result);
    servers = open_sockets();
    assert_true(servers != 0);
    for (int fd = 3; fd < 64; fd++)
        if ((servers >> fd & 1) != 0) {
            int own = open("/dev/null", O_RDONLY);

            assert_int_equal(dup2(own, fd), fd);
            assert_int_equal(close(own), 0);
        }
    compile(&r, &result);
    compile_free(&result);
    for (int fd = 3; fd < 64; fd++)
        if ((servers >> fd & 1) != 0)
            assert_int_equal(close(fd), 0);
}

static void a_killed_server_is_replaced(void **state)
{
    struct compile_request r = request(good, "-DVALUE=21");
    struct compile_result result;
    char before[4096];

    (void)state;
    assert_non_null(getcwd(before, sizeof(before)));
    assert_int_equal(chdir(folder), 0);
    r.cache_dir = "";
    compile(&r, &result);
    compile_free(&result);
    assert_true(signal_servers("KILL"));
    compile(&r, &result);
    compile_free(&result);
    assert_int_equal(chdir(before), 0);
}

static void let_go(void *calls)
{
    if (++*(unsigned *)calls == 2)
        assert_true(signal_servers("CONT"));
}

static void who_waits_for_the_compiler_is_told(void **state)
{
    struct compile_request r = request(good, "-DVALUE=51");
    struct compile_result result;
    char before[4096], script[256];
    unsigned calls = 0;

    (void)state;
    assert_non_null(getcwd(before, sizeof(before)));
    assert_int_equal(chdir(folder), 0);
    r.cache_dir = "";
    compile(&r, &result); /* the server now has this folder */
    compile_free(&result);
    assert_true(signal_servers("STOP"));
    r.waiting = (struct compile_waiting){.fn = let_go, .user = &calls};
    compile(&r, &result);
    compile_free(&result);
    assert_true(calls >= 2);
    assert_int_equal(chdir(before), 0);

    write_file("slow", "#!/bin/sh\nsleep 1.5\nexec ocloc \"$@\"\n", script);
    assert_int_equal(chmod(script, 0700), 0);
    r.ocloc = script;
    calls = 2;
    compile(&r, &result);
    compile_free(&result);
    assert_true(calls >= 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(folders_that_killed_programs_left_are_removed),
        cmocka_unit_test(the_second_time_comes_from_the_cache),
        cmocka_unit_test(the_cache_keeps_the_warnings),
        cmocka_unit_test(a_spoilt_cache_file_is_compiled_again),
        cmocka_unit_test(no_damaged_entry_is_read),
        cmocka_unit_test(the_cache_covers_what_is_included),
        cmocka_unit_test(what_a_macro_includes_is_not_cached),
        cmocka_unit_test(refusals_say_why),
        cmocka_unit_test(a_killed_compiler_is_told_from_a_failed_one),
        cmocka_unit_test(the_server_answers_as_a_process_does),
        cmocka_unit_test(a_closed_socket_is_left_alone),
        cmocka_unit_test(a_killed_server_is_replaced),
        cmocka_unit_test(who_waits_for_the_compiler_is_told),
        cmocka_unit_test(objects_with_headers_in_memory_link_to_a_zebin),
    };

    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
