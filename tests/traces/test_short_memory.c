/* test_short_memory.c - when memory is short: each allocation of a parser fails in
 * turn, and each time it ends with success or one line and leaves no file. The first
 * allocations one by one, later ones in growing steps. Replaces glibc's malloc(), so
 * not with a sanitizer, which does the same. */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "bridge/host/sim/config_file.h"
#include "igpu/cpu.h"
#include "traces/convert/convert.h"
#include "traces/format/trace.h"
#include "traces/kernels/cases.h"
#include "traces/program/program.h"

#define SAMPLE "traces/samples/ids_3d.pb"
#define DUMP "tests/fuzzing/corpus/gtpin/one"
#define BINARY "tests/fuzzing/corpus/zebin/small.bin"
enum { ONE_BY_ONE = 200, MAX_BINARY = 1 << 16 };

/* ---- malloc -------------------------------------------------------------- */

static bool armed, failed;
static uint64_t left; /* allocations until the one that fails */

static bool own; /* only allocations of the program's own code count */

#if !defined(__SANITIZE_ADDRESS__)
/* The executable's code, from the linker. */
extern char __executable_start, etext;

static bool fails(const void *caller)
{
    const char *at = caller;

    if (!armed || failed || (own && (at < &__executable_start || at >= &etext)))
        return false;
    failed = left-- == 0;
    return failed;
}

/* To the libraries, too. */
#define SHOWN __attribute__((visibility("default")))
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *p, size_t size);

SHOWN void *malloc(size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
}

SHOWN void *calloc(size_t count, size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_calloc(count, size);
}

SHOWN void *realloc(void *p, size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_realloc(p, size);
}
#endif

/* ---- operations ---------------------------------------------------------- */

static char folder[256];

static const char *in_folder(const char *name)
{
    static char path[300];

    snprintf(path, sizeof(path), "%s/%s", folder, name);
    return path;
}

static enum igpu_status read_trace(struct igpu_err *err)
{
    const struct trace_dump_options all = {.launch_last = 9, .last = 3, .code = true};
    enum igpu_status status;
    struct trace_reader *r = trace_open(SAMPLE, &status, err);
    FILE *out = fopen("/dev/null", "w");

    if (out == NULL)
        status = igpu_fail(err, IGPU_BAD_INPUT, "no /dev/null");
    if (r != NULL && out != NULL)
        status = trace_verify(r, err);
    if (r != NULL && status == IGPU_OK)
        status = trace_print_dump(r, &all, out, err);
    if (out != NULL)
        (void)fclose(out);
    trace_close(r);
    return status;
}

static enum igpu_status import_dump(struct igpu_err *err)
{
    static const char *const paths[] = {DUMP};
    const struct gtpin_options options = {"skl", "test", 1};
    struct gtpin_report report;

    return convert_from_gtpin(paths, 1, in_folder("out.pb"), &options, &report, err);
}

static enum igpu_status export_macsim(struct igpu_err *err)
{
    struct macsim_report report;

    return convert_to_macsim("traces/samples/ext_native.pb", in_folder("macsim"),
                             MACSIM_INTEL, NULL, &report, err);
}

static enum igpu_status read_cases(struct igpu_err *err)
{
    struct case_list list;
    enum igpu_status status = cases_load("traces/kernels/cases.yaml", &list, err);

    if (status == IGPU_OK)
        cases_free(&list);
    return status;
}

static enum igpu_status read_config(struct igpu_err *err)
{
    struct igpu_config config;

    return config_load(&config, in_folder("config.yaml"), err);
}

static enum igpu_status read_cpu(struct igpu_err *err)
{
    struct cpu_access *list = NULL;
    uint32_t count;
    enum igpu_status status = cpu_trace_read(in_folder("cpu.txt"), &list, &count, err);

    free(list);
    return status;
}

static uint8_t binary[MAX_BINARY];
static size_t binary_bytes;

static enum igpu_status open_program(struct igpu_err *err)
{
    struct emu_mem *mem = emu_mem_new();
    struct program *program = NULL;
    struct program_kernel *kernel = NULL;
    enum igpu_status status;

    if (mem == NULL)
        return igpu_no_memory(err, "a trace");
    status = program_open_memory("small", binary, binary_bytes, mem, &program, err);
    if (status == IGPU_OK) {
        kernel = program_kernel_new(program->image, "small", err);
        status = kernel != NULL ? IGPU_OK : IGPU_NO_MEMORY;
    }
    program_kernel_free(kernel);
    program_free(program);
    emu_mem_free(mem);
    return status;
}

/* ---- tests --------------------------------------------------------------- */

/* Remove what success has left; with `expect` false nothing may be there. */
static void clear_outputs(bool expect)
{
    char path[400];

    if (!expect) {
        DIR *dir = opendir(folder);
        const struct dirent *e;

        assert_non_null(dir);
        while ((e = readdir(dir)) != NULL)
            if (e->d_name[0] != '.' && strcmp(e->d_name, "config.yaml") != 0 &&
                strcmp(e->d_name, "cpu.txt") != 0)
                fail_msg("%s is left", e->d_name);
        (void)closedir(dir);
        return;
    }
    (void)remove(in_folder("out.pb"));
    for (unsigned i = 0; i < 64; i++) {
        snprintf(path, sizeof(path), "%s/macsim/trace_%u.raw", folder, i);
        (void)remove(path);
    }
    (void)remove(in_folder("macsim/trace.txt"));
    (void)rmdir(in_folder("macsim"));
}

static void fail_each(enum igpu_status (*operation)(struct igpu_err *err))
{
    uint64_t n = 0, step = 1, refused = 0;

    do {
        struct igpu_err err = {.text = ""};
        enum igpu_status status;

        left = n;
        failed = false;
        armed = true;
        status = operation(&err);
        armed = false;
        if (status != IGPU_OK) {
            assert_true(failed); /* with enough memory it works */
            if (err.text[0] == '\0' || strchr(err.text, '\n') != NULL)
                fail_msg("allocation %llu: \"%s\"", (unsigned long long)n, err.text);
            if (err.short_memory != (strstr(err.text, "out of memory") != NULL))
                fail_msg("allocation %llu: status %d and \"%s\"", (unsigned long long)n,
                         (int)status, err.text);
            refused++;
        }
        clear_outputs(status == IGPU_OK);
        n += step;
        if (n > ONE_BY_ONE)
            step += step / 8 + 1;
    } while (failed);
    printf("%llu allocations, %llu refused\n", (unsigned long long)n,
           (unsigned long long)refused);
#if !defined(__SANITIZE_ADDRESS__)
    assert_true(refused > 1);
#endif
}

#define SHORT(operation)                                                               \
    static void operation##_without_memory(void **state)                               \
    {                                                                                  \
        (void)state;                                                                   \
        fail_each(operation);                                                          \
    }
SHORT(read_trace)
SHORT(import_dump)
SHORT(export_macsim)
SHORT(read_cases)
SHORT(read_config)
SHORT(read_cpu)

/* libiga64 throws std::bad_alloc through its interface of C, which nobody can catch. */
static void open_program_without_memory(void **state)
{
    (void)state;
    own = true;
    fail_each(open_program);
    own = false;
}

static int set_up(void **state)
{
    const char *tmp = getenv("IGPU_TMP");
    FILE *f;

    (void)state;
    snprintf(folder, sizeof(folder), "%s/short-XXXXXX", tmp != NULL ? tmp : "/tmp");
    if (mkdtemp(folder) == NULL)
        return -1;
    f = fopen(in_folder("config.yaml"), "w");
    if (f == NULL || fputs("base: kbl-gt2\nl3.latency: 100\n", f) < 0 || fclose(f) != 0)
        return -1;
    f = fopen(in_folder("cpu.txt"), "w");
    if (f == NULL || fputs("R 0x40 3\nW 0x80\n", f) < 0 || fclose(f) != 0)
        return -1;
    f = fopen(BINARY, "rb");
    binary_bytes = f != NULL ? fread(binary, 1, sizeof(binary), f) : 0;
    return f == NULL || fclose(f) != 0;
}

static int tear_down(void **state)
{
    (void)state;
    (void)remove(in_folder("config.yaml"));
    (void)remove(in_folder("cpu.txt"));
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(read_trace_without_memory),
        cmocka_unit_test(import_dump_without_memory),
        cmocka_unit_test(export_macsim_without_memory),
        cmocka_unit_test(read_cases_without_memory),
        cmocka_unit_test(read_config_without_memory),
        cmocka_unit_test(read_cpu_without_memory),
        cmocka_unit_test(open_program_without_memory),
    };

    return cmocka_run_group_tests_name("short_memory", tests, set_up, tear_down);
}
